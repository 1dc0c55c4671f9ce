"""Scripted characters: agents of one game each, to play against, to train against and to test theories on.

Those of a game are the functions in the table `PERSONALITIES` of the module of the game's name in this folder, by name:
`choose(obs, mask) -> action`. The first line of a function's docstring says what the character is.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable

from boardgames_env import CompiledAgent, Game, jit


@functools.cache
def personalities(name: str) -> dict[str, Callable]:
    """The characters of a game by name; empty for a game that has none."""
    if importlib.util.find_spec(f"{__name__}.{name}") is None:
        return {}
    return dict(importlib.import_module(f"{__name__}.{name}").PERSONALITIES)


def describe(choose: Callable) -> str:
    """What the character is: the first line of its docstring."""
    return (jit.plain(choose).__doc__ or "").partition("\n")[0].rstrip(".")


class Personality(CompiledAgent):
    """A character of the game. Raises KeyError for a name that the game does not have."""

    def __init__(self, game: Game, name: str):
        super().__init__(personalities(game.name)[name], f"{name}-{game.name}")
