"""Agents by name: those of all games in `AGENTS`, and each game's own personalities.

Parameters follow as in `name:key=value,key=value`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from boardgames_agents.greedy import GreedyAgent
from boardgames_agents.personalities import Personality, describe, personalities
from boardgames_env import GAMES, Agent, Game, RandomAgent
from boardgames_env.batch import check_seed


def _random(game: Game, seed: int | None) -> Agent:
    return RandomAgent(seed)


def _greedy(game: Game, seed: int | None) -> Agent:
    return GreedyAgent(game)


def _policy(game: Game, seed: int | None, path: str | None = None, sample: bool = False) -> Agent:
    from boardgames_agents.policy import PolicyAgent, shipped_policy

    return PolicyAgent(game, path or shipped_policy(game), sample=sample, seed=seed)


def _ismcts(game: Game, seed: int | None, **options: Any) -> Agent:
    from boardgames_agents.search import SearchAgent

    return SearchAgent(game, seed=seed, **options)


def _monte_carlo(game: Game, seed: int | None, **options: Any) -> Agent:
    from boardgames_agents.search import MonteCarloAgent

    return MonteCarloAgent(game, seed=seed, **options)


class Parameter(NamedTuple):
    """What may be given for a parameter: in words, and how its text is read (ValueError if it is not valid)."""

    values: str
    parse: Callable[[str], Any]


def number(kind: type, low: float, high: float) -> Parameter:
    """An `int` or `float` within bounds."""

    def parse(text: str) -> Any:
        value = kind(text)
        if not (math.isfinite(value) and low <= value <= high):
            raise ValueError
        return value

    return Parameter(f"{low}..{high}", parse)


def choice(**meaning: Any) -> Parameter:
    """One of some words, each standing for a value."""

    def parse(text: str) -> Any:
        if text not in meaning:
            raise ValueError
        return meaning[text]

    return Parameter(" or ".join(meaning), parse)


YES_OR_NO = choice(**{"0": False, "1": True})


class Entry:
    """One kind of agent: how it is made, what its one positional argument (optional) is called, and its parameters."""

    def __init__(
        self,
        make: Callable[..., Agent],
        help: str,
        parameters: Mapping[str, Parameter] = {},
        argument: str | None = None,
    ):
        self.make, self.help, self.parameters, self.argument = make, help, parameters, argument

    @property
    def usage(self) -> str:
        """What may follow the name and a colon."""
        wanted = [self.argument.upper()] if self.argument else []
        return ",".join(wanted + [f"{name}=…" for name in self.parameters])

    @property
    def ranges(self) -> str:
        """The parameters with what they may be."""
        return ", ".join(f"{name}={parameter.values}" for name, parameter in self.parameters.items())


_SEARCH = {
    "sims": number(int, 1, 10**9),
    "time_ms": number(float, 0.1, 10**7),
    "playout": choice(random="random", greedy="greedy"),
    "horizon": number(int, 0, 10**6),
    "particles": number(int, 1, 10**6),
    "nodes": number(int, 2, 10**8),
    "threads": number(int, 1, 256),
}
_TREE = {"c": number(float, 0, 1000), "guide": number(float, 0, 1000)}

AGENTS = {
    "random": Entry(_random, "uniformly random legal actions"),
    "greedy": Entry(_greedy, "a compiled heuristic on observations"),
    "monte_carlo": Entry(_monte_carlo, "simulations spread evenly over the legal actions", _SEARCH),
    "ismcts": Entry(_ismcts, "tree search over information sets", _SEARCH | _TREE),
    "policy": Entry(
        _policy,
        "a trained network, played without torch; without PATH that which ships",
        {"sample": YES_OR_NO},
        "path",
    ),
}


def agents_of(game_name: str) -> dict[str, Entry]:
    """All agents that can play a game, by name."""
    own = {
        name: Entry(functools.partial(_personality, name), describe(choose))
        for name, choose in personalities(game_name).items()
    }
    return AGENTS | own


def _personality(name: str, game: Game, seed: int | None) -> Agent:
    return Personality(game, name)


def make_agent(game: Game, name: str, seed: int | None = None) -> Agent:
    """The agent of that name for a game. Raises ValueError that lists what is valid for anything unknown."""
    if seed is not None:
        check_seed(seed)
    kind, _, rest = str(name).partition(":")
    agents = agents_of(game.name)
    if kind not in agents:
        raise ValueError(f"unknown agent {name!r}; the agents are: {', '.join(describe_agents(game.name))}{_of(kind)}")
    return agents[kind].make(game, seed, **_parsed(name, agents[kind], rest))


def describe_agents(game_name: str) -> list[str]:
    """All agents of a game: `name` or `name:ARGUMENT`, and in brackets the parameters with what they may be."""
    return [_described(name, entry) for name, entry in agents_of(game_name).items()]


def _described(name: str, entry: Entry) -> str:
    argument = f":{entry.argument.upper()}" if entry.argument else ""
    return f"{name}{argument} ({entry.ranges})" if entry.parameters else f"{name}{argument}"


def _of(name: str) -> str:
    """Which games a personality belongs to, for a message; empty if it is none."""
    games = [game for game in GAMES if name in personalities(game)]
    return f" ({name!r} plays {', '.join(games)} only)" if games else ""


def usage_of(name: str, entry: Entry) -> str:
    return f"{name}:{entry.usage}" if entry.usage else name


def _parsed(name: str, entry: Entry, rest: str) -> dict[str, Any]:
    """The arguments in `rest`: the positional one first, if the agent takes one, then key=value."""
    parts = [part for part in rest.split(",") if part]
    chosen: dict[str, Any] = {}
    if entry.argument and parts and parts[0].partition("=")[0] not in entry.parameters:
        chosen[entry.argument] = parts.pop(0)
    for part in parts:
        key, equals, text = part.partition("=")
        if not equals or key not in entry.parameters:
            raise ValueError(
                f"agent {name!r}: unknown parameter {part!r}; the parameters are: {entry.ranges or 'none'}"
            )
        if key in chosen:
            raise ValueError(f"agent {name!r}: {key} is given twice")
        try:
            chosen[key] = entry.parameters[key].parse(text)
        except ValueError:
            raise ValueError(f"agent {name!r}: {key} must be {entry.parameters[key].values}, got {text!r}") from None
    return chosen
