"""One seat of any Game as a Stable-Baselines3 VecEnv, on one Batch, without subprocesses. Needs the extra `train`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from boardgames_env.game import Game
from boardgames_env.gym import Table, observation_space


class SeatVecEnv(VecEnv):
    """`MaskablePPO("MlpPolicy", SeatVecEnv(make("fungi"), 256, opponents="greedy"))`.

    Episodes end as SB3 expects: the next observation is already that of the new game, the last one comes as
    `info["terminal_observation"]`, `info["episode"]` holds the total reward and length, and `info["opponents"]` who sat
    in the other seats, as indices of `table.opponents`.

    Args:
        game: the Game. size: how many episodes side by side.
        opponents, seat, seed, threads: as for `gym.Table`, which is the attribute `table`.
    """

    def __init__(
        self, game: Game, size: int, opponents: Any = "random", seat: Any = "random", seed: int = 0, threads: int = 1
    ):
        self.game = game
        self.render_mode = None
        self.table = Table(game, size, opponents, seat, seed, threads)
        self.lengths = np.zeros(size, np.int64)  # of the present episodes
        self.totals = np.zeros(size, np.float64)  # rewards of the present episodes
        self._next_seed: int | None = None
        super().__init__(size, observation_space(game), spaces.Discrete(game.num_actions))

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The next `reset` deals the games seed, seed + 1, …"""
        self._next_seed = seed
        return [None if seed is None else seed + i for i in range(self.num_envs)]

    def reset(self) -> np.ndarray:
        if self._next_seed is not None:
            self.table.reseed_opponents(self._next_seed)
        self.table.reset(seed=self._next_seed)
        self._next_seed = None
        self.lengths[:], self.totals[:] = 0, 0.0
        return self.table.observe()

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict]]:
        rewards, over, illegal = self.table.step(self._actions)
        self.lengths += 1
        self.totals += rewards
        infos: list[dict] = [{} for _ in range(self.num_envs)]
        if over.any():
            last = self.table.observe(over)
            for row in np.flatnonzero(over):
                infos[row]["terminal_observation"] = last[row]
                infos[row]["TimeLimit.truncated"] = False
                infos[row]["episode"] = {"r": float(self.totals[row]), "l": int(self.lengths[row]), "t": 0.0}
                infos[row]["opponents"] = self.table.opponents_of(int(row))
                if illegal[row]:
                    infos[row]["illegal_action"] = int(self._actions[row])
            self.lengths[over], self.totals[over] = 0, 0.0
            self.table.reset(over)
        return self.table.observe(), rewards, over, infos

    def action_masks(self) -> np.ndarray:
        """bool[B, A]: the legal actions of every environment."""
        return self.table.mask.astype(bool)

    def close(self) -> None:
        """Nothing to release."""

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list:
        """`action_masks` for each environment, as sb3-contrib calls it; there are no other methods."""
        if method_name != "action_masks":
            raise AttributeError(f"SeatVecEnv has no method {method_name!r} of single environments")
        return list(self.action_masks()[self._indices(indices)])

    def get_attr(self, attr_name: str, indices: Any = None) -> list:
        value = getattr(self, attr_name)
        return [value] * len(self._indices(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [False] * len(self._indices(indices))

    def _indices(self, indices: Any) -> list[int]:
        return list(self._get_indices(indices))
