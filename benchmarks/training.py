"""MaskablePPO on the real environment beside the same learner on one that does nothing.

    python benchmarks/training.py [GAME] [--iterations N]

Both run in turn, in one process, with the settings that `boardgames train` uses for the game: network, batch and epochs
are the same, and so is the work of the learner; instead of a league of many past versions there is one, twice. The
environment that does nothing returns the same arrays at every step. Against each kind of opponents the ratio says how
much of the learner's speed is left.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np
from machine import describe

import boardgames_env
from boardgames_agents.policy import PolicyAgent
from boardgames_agents.training import Settings, changed, settings_for
from boardgames_agents.training.network import LearningRate, build_model, network_of
from boardgames_agents.training.run import one_blas_thread
from boardgames_env.sb3 import SeatVecEnv


class NullVecEnv(SeatVecEnv):
    """Stands still: the same observations and masks, no rewards, no ends."""

    def step_wait(self):
        return self._obs, self._rewards, self._over, self._infos

    def reset(self):
        self._obs = super().reset()
        self._rewards = np.zeros(self.num_envs, np.float32)
        self._over = np.zeros(self.num_envs, bool)
        self._infos = [{} for _ in range(self.num_envs)]
        return self._obs


def learner(settings: Settings, env) -> object:
    model = build_model(settings, env, LearningRate(settings.learning_rate))
    model.learn(settings.envs * settings.rollout)  # warm up
    return model


def seconds(model, settings: Settings) -> float:
    """For one iteration: a rollout and the updates on it."""
    start = time.perf_counter()
    model.learn(settings.envs * settings.rollout, reset_num_timesteps=False)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="fungi")
    parser.add_argument("--players", type=int)
    parser.add_argument("--iterations", type=int, default=15)
    parser.add_argument("--with", dest="change", action="append", default=[], metavar="NAME=VALUE", help="a setting")
    arguments = parser.parse_args()
    game = boardgames_env.make(arguments.game, arguments.players)
    settings = changed(settings_for(game), arguments.change)
    print(describe("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib"))
    print(f"{game}: {settings.envs} games, rollout {settings.rollout}, {settings.epochs} epochs, net {settings.hidden}")

    null = learner(settings, NullVecEnv(game, settings.envs))
    past_version = PolicyAgent.of_network(game, network_of(null), sample=True, seed=0)
    models = {"an environment that does nothing": null}
    for name, opponents in [
        ("random opponents", ["random"]),
        ("greedy opponents", ["greedy"]),
        ("past versions", [past_version]),
        ("the league of `boardgames train`", ["greedy", past_version, past_version]),
    ]:
        models[name] = learner(settings, SeatVecEnv(game, settings.envs, opponents))
    times: dict[str, list[float]] = {name: [] for name in models}
    for _ in range(arguments.iterations):  # in turn, so that a busy moment of the machine falls on all alike
        for name, model in models.items():
            times[name].append(seconds(model, settings))
    steps = settings.envs * settings.rollout
    base = statistics.median(times["an environment that does nothing"])
    for name, spent in times.items():
        ratio = statistics.median(null / own for null, own in zip(times["an environment that does nothing"], spent))
        print(f"  {name:36} {steps / statistics.median(spent):8,.0f} steps/s   {100 * ratio:5.1f} %")
    print(
        f"one iteration of {steps:,} steps takes {base:.2f} s without an environment; median of {arguments.iterations}"
    )


if __name__ == "__main__":
    with one_blas_thread():
        main()
