"""Agents by name: `random`, `greedy`, `policy:PATH`; parameters follow as in `name:key=value,key=value`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boardgames_agents.greedy import GreedyAgent
from boardgames_env import Agent, Game, RandomAgent
from boardgames_env.batch import check_seed


def _random(game: Game, seed: int | None) -> Agent:
    return RandomAgent(seed)


def _greedy(game: Game, seed: int | None) -> Agent:
    return GreedyAgent(game)


def _policy(game: Game, seed: int | None, path: str, sample: bool = False) -> Agent:
    from boardgames_agents.policy import PolicyAgent

    return PolicyAgent(game, path, sample=sample, seed=seed)


class Entry:
    """One kind of agent: how it is made, what its one positional argument is called, and its parameters."""

    def __init__(self, make: Callable[..., Agent], help: str, argument: str | None = None, **parameters: Callable):
        self.make, self.help, self.argument, self.parameters = make, help, argument, parameters

    @property
    def usage(self) -> str:
        wanted = [self.argument.upper()] if self.argument else []
        return ",".join(wanted + [f"{name}=…" for name in self.parameters])


def yes_or_no(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError("0 or 1")
    return text == "1"


AGENTS = {
    "random": Entry(_random, "uniformly random legal actions"),
    "greedy": Entry(_greedy, "a compiled heuristic on observations"),
    "policy": Entry(_policy, "a trained network, played with NumPy", argument="path", sample=yes_or_no),
}


def make_agent(game: Game, name: str, seed: int | None = None) -> Agent:
    """The agent of that name for a game. Raises ValueError that lists what is valid for anything unknown."""
    if seed is not None:
        check_seed(seed)
    kind, _, rest = str(name).partition(":")
    if kind not in AGENTS:
        raise ValueError(f"unknown agent {name!r}; the agents are: {', '.join(describe_agents())}")
    entry = AGENTS[kind]
    return entry.make(game, seed, **_parsed(name, entry, rest))


def describe_agents() -> list[str]:
    """`name` or `name:PARAMETERS` of all agents."""
    return [f"{name}:{entry.usage}" if entry.usage else name for name, entry in AGENTS.items()]


def _parsed(name: str, entry: Entry, rest: str) -> dict[str, Any]:
    """The arguments in `rest`: the positional one first, if the agent takes one, then key=value."""
    parts = [part for part in rest.split(",") if part]
    chosen: dict[str, Any] = {}
    if entry.argument:
        if not parts:
            raise ValueError(f"agent {name!r} needs its {entry.argument}: {name.partition(':')[0]}:{entry.usage}")
        chosen[entry.argument] = parts.pop(0)
    for part in parts:
        key, equals, text = part.partition("=")
        if not equals or key not in entry.parameters:
            valid = ", ".join(entry.parameters) or "none"
            raise ValueError(f"agent {name!r}: unknown parameter {part!r}; the parameters are: {valid}")
        try:
            chosen[key] = entry.parameters[key](text)
        except ValueError as error:
            raise ValueError(f"agent {name!r}: {key} must be {error}, got {text!r}") from None
    return chosen
