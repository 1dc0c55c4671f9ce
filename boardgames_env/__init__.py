"""Modern board games as reinforcement-learning environments.

    import boardgames_env

    game = boardgames_env.make("fungi")                # the rules, compiled
    env = boardgames_env.env("fungi")                  # a PettingZoo AEC environment
    batch = boardgames_env.Batch(game, 1024, seed=0)   # many games in one array

Importing this package registers the games with PettingZoo (`boardgames/fungi-v0`) and Gymnasium
(`boardgames/Fungi-v0`). It imports no torch, no renderer and no plotting library.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import pettingzoo

from boardgames_env.aec import BoardGameEnv, CheckedEnv
from boardgames_env.batch import Agent, Batch, Turns
from boardgames_env.compiled import CompiledAgent, RandomAgent
from boardgames_env.game import GAMES, ActionError, Game, action_id, game_module, make, register

__all__ = [
    "GAMES",
    "ActionError",
    "Agent",
    "Batch",
    "CompiledAgent",
    "Game",
    "RandomAgent",
    "Turns",
    "action_id",
    "env",
    "make",
    "raw_env",
    "register",
]

__version__ = "0.1.0"


def env(name: str, num_players: int | None = None, **kwargs: Any) -> CheckedEnv:
    """The AEC environment of a game: options of the game, and `render_mode`, `on_illegal` (see aec.CheckedEnv)."""
    return game_module(name).env(num_players, **kwargs)


def raw_env(name: str, num_players: int | None = None, **kwargs: Any) -> BoardGameEnv:
    """The AEC environment without checks: an illegal action corrupts the game."""
    return game_module(name).raw_env(num_players, **kwargs)


def _register_everywhere() -> None:
    for name, module in GAMES.items():
        title = "".join(word.capitalize() for word in name.split("_"))
        gymnasium.register(
            f"boardgames/{title}-v0",
            entry_point="boardgames_env.gym:SeatEnv",
            vector_entry_point="boardgames_env.gym:SeatVectorEnv",
            kwargs={"game": name},
        )
        if hasattr(pettingzoo, "register"):  # from PettingZoo 1.27 on
            pettingzoo.register("aec", f"boardgames/{name}-v0", entry_point=f"{module}:env")


_register_everywhere()
