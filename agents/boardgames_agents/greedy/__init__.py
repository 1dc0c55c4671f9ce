"""`greedy`: one compiled heuristic a game, on observations alone.

The heuristic of a game is `choose(obs, mask) -> action` in the module of the game's name in this folder: `obs` is one
observation record, `mask` int8[A] with at least one legal action. It draws nothing at random.

For search (search.py) a module may also hold `SEARCH`, settings that suit the game, and `plausibility(s, seat) -> float`,
the log of how well a determinization `s` for the seat fits what the others have done.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from typing import Any

import numpy as np

from boardgames_env import Game, Turns, jit

choose: Any = None  # bound to a game's heuristic by jit.kernel


def act_rows(obs, masks, actions):
    for i in range(len(obs)):
        actions[i] = choose(obs[i], masks[i])


def exists(name: str) -> bool:
    """Whether the game of that name has a heuristic."""
    return importlib.util.find_spec(f"{__name__}.{name}") is not None


def heuristic(name: str) -> Any:
    """The module of a game's heuristic. Raises ValueError for a game that has none."""
    if not exists(name):
        raise ValueError(f"there is no greedy agent for {name}")
    return importlib.import_module(f"{__name__}.{name}")


@functools.cache
def _kernel(name: str) -> Any:
    return jit.kernel(act_rows, f"greedy-{name}", choose=heuristic(name).choose)


class GreedyAgent:
    """Plays the heuristic of the game. Raises ValueError for a game that has none."""

    def __init__(self, game: Game):
        self._act = _kernel(game.name)

    def act(self, turns: Turns) -> np.ndarray:
        actions = np.empty(len(turns.mask), np.int64)
        self._act(jit.records(turns.obs), turns.mask, actions)
        return actions
