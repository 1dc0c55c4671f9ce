"""`greedy`: one compiled heuristic a game, on observations alone.

The heuristic of a game is `choose(obs, mask) -> action` in the module of the game's name in this folder.
"""

from __future__ import annotations

import importlib
import importlib.util

from boardgames_agents.scripted import ScriptedAgent
from boardgames_env import Game


class GreedyAgent(ScriptedAgent):
    """Plays the heuristic of the game. Raises ValueError for a game that has none."""

    def __init__(self, game: Game):
        if importlib.util.find_spec(f"{__name__}.{game.name}") is None:
            raise ValueError(f"there is no greedy agent for {game.name}")
        super().__init__(importlib.import_module(f"{__name__}.{game.name}").choose, f"greedy-{game.name}")
