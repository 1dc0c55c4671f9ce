"""Train MaskablePPO on one seat of a game in a script of one's own; the other seats are played by agents.

    python examples/train_sb3.py [GAME] [--players N] [--opponents NAME …] [--steps N]

`boardgames train` does more: a league of past versions, ratings, exact resumption. This is the bare minimum.
"""

import argparse

import numpy as np
from sb3_contrib import MaskablePPO

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.tournament import play_pairing
from boardgames_env.sb3 import SeatVecEnv


class Trained:
    """A model as an agent: anything with `act(turns)` can play, here or in `boardgames_agents.match`."""

    def __init__(self, model):
        self.model = model

    def act(self, turns):
        actions, _ = self.model.predict(turns.matrix, action_masks=turns.mask, deterministic=True)
        return actions.astype(np.int64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="fungi")
    parser.add_argument("--players", type=int)
    parser.add_argument("--opponents", nargs="+", default=["random", "greedy"])
    parser.add_argument("--steps", type=int, default=300_000)
    arguments = parser.parse_args()

    game = boardgames_env.make(arguments.game, arguments.players)
    env = SeatVecEnv(game, 256, arguments.opponents, seed=0)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=2048, n_epochs=4, gamma=1.0, device="cpu", seed=0)
    model.learn(arguments.steps)
    for opponent in ("random", "greedy"):
        agents = [Trained(model), make_agent(game, opponent, seed=0)]
        pairing = play_pairing(game, ("trained", opponent), 200, seed=2**40, agents=agents)
        print(f"wins against {opponent}: {pairing.share}")


if __name__ == "__main__":
    main()
