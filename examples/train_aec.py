"""Learn in PettingZoo's AEC loop: one linear policy plays all seats and learns from each one's final reward.

    python examples/train_aec.py [GAME] [--games N]

REINFORCE (Williams 1992) in NumPy, one game after the other: to show the interface, not to be fast or strong.
"""

import argparse

import numpy as np

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.policy import Layer, Network, PolicyAgent
from boardgames_agents.tournament import play_pairing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="fungi")
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--rate", type=float, default=0.03)
    arguments = parser.parse_args()

    env = boardgames_env.env(arguments.game)
    game = boardgames_env.make(arguments.game)
    weights = np.zeros((game.num_actions, game.observation.itemsize), np.float32)
    rng = np.random.default_rng(0)
    for number in range(arguments.games):
        slopes = {name: np.zeros_like(weights) for name in env.possible_agents}  # of the log likelihood of its moves
        rewards = dict.fromkeys(env.possible_agents, 0.0)
        env.reset(seed=number)
        for name in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            rewards[name] += reward
            if terminated or truncated:
                env.step(None)
                continue
            seen = observation["observation"] / game.high
            logits = np.where(observation["action_mask"], weights @ seen, -np.inf)
            chances = np.exp(logits - logits.max())
            chances /= chances.sum()
            action = int(rng.choice(len(chances), p=chances))
            slopes[name] += np.outer((np.arange(len(chances)) == action) - chances, seen)
            env.step(action)
        for name in env.possible_agents:
            weights += arguments.rate * rewards[name] / game.num_players * slopes[name]

    learner = PolicyAgent.of_network(game, Network([], [Layer(weights, np.zeros(game.num_actions, np.float32))]))
    pairing = play_pairing(game, ("learner", "random"), 200, 2**40, agents=[learner, make_agent(game, "random", 0)])
    print(f"after {arguments.games} games of self-play it wins {pairing.share} against random")


if __name__ == "__main__":
    main()
