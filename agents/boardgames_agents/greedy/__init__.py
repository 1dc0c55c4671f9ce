"""`greedy`: one compiled heuristic a game, on observations alone.

The heuristic of a game is `choose(obs, mask) -> action` in the module of the game's name in this folder. Search plays
its simulations with it: one that makes no arrays (see `jit.scratch`) is up to three times as fast.

For search (search.py) a module may also hold `search_settings(players)`, which suit the game, and `plausibility(s,
seat)`, the log of how well a determinization `s` for the seat fits what the others have done.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from boardgames_env import CompiledAgent, Game


def exists(name: str) -> bool:
    """Whether the game of that name has a heuristic."""
    return importlib.util.find_spec(f"{__name__}.{name}") is not None


def heuristic(name: str) -> Any:
    """The module of a game's heuristic. Raises ValueError for a game that has none."""
    if not exists(name):
        raise ValueError(f"there is no greedy agent for {name}")
    return importlib.import_module(f"{__name__}.{name}")


class GreedyAgent(CompiledAgent):
    """Plays the heuristic of the game. Raises ValueError for a game that has none."""

    def __init__(self, game: Game):
        super().__init__(heuristic(game.name).choose, f"greedy-{game.name}")
