"""A game from outside the library: the folder `leduc` beside this file, registered by name and played.

python examples/add_a_game.py
"""

import boardgames_env
from boardgames_env.testing import check_game

boardgames_env.register("leduc", "leduc")
game = boardgames_env.make("leduc", reward="score")  # returns in chips
check_game(game)

# One game, through PettingZoo's AEC interface.
env = boardgames_env.env("leduc", reward="score", render_mode="ansi")
env.reset(seed=3)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        env.step(None)
        continue
    action = env.action_space(agent).sample(observation["action_mask"])
    print(f"{agent}: {game.action_name(action)}")
    env.step(action)
print(env.render())

# Ten thousand games as one batch.
batch = boardgames_env.Batch(game, 10_000)
while not batch.over.all():
    batch.step(batch.sample())
print(f"{batch.size} random games: player_0 wins {batch.returns[:, 0].mean():+.2f} chips a game")
