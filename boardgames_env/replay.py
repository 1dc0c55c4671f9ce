"""Replays: a game as its seed, options and actions, one JSON line each. Everything else is computed again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boardgames_env.batch import Batch, check_seed, why_illegal
from boardgames_env.game import Game, make


class Replay(NamedTuple):
    """One finished game.

    Attributes:
        game: with its players and options.
        seed: that it was dealt from. actions: all of them in order.
        agents: names of who played, by seat. returns: by seat.
    """

    game: Game
    seed: int
    actions: list[int]
    agents: list[str]
    returns: list[float]

    def to_json(self, **more: Any) -> str:
        """The line for a file. `more` are fields beside those of a replay; who reads replays ignores them."""
        game = self.game
        record = {
            "game": game.name,
            "version": game.version,
            "num_players": game.num_players,
            "options": game.options._asdict(),
            "seed": self.seed,
            "actions": self.actions,
            "agents": self.agents,
            "returns": self.returns,
        }
        return json.dumps(record | more, ensure_ascii=False, separators=(",", ":"))

    def states(self) -> Iterator[np.record]:
        """The state after the deal and after each action; each is a copy.

        Raises ValueError at an action that is not legal, or where the end differs from what is recorded.
        """
        batch = Batch(self.game, 1, self.seed)
        yield batch.states.copy()[0]
        for ply, action in enumerate(self.actions):
            if batch.over[0]:
                raise ValueError(f"{self.game.name}: the game is over after {ply} of {len(self.actions)} actions")
            try:
                batch.step([action])
            except ValueError:
                reason = why_illegal(self.game, action)
                raise ValueError(f"{self.game.name}: ply {ply}: {reason} here") from None
            yield batch.states.copy()[0]
        if not batch.over[0]:
            raise ValueError(f"{self.game.name}: the game is not over after the last action")
        if not np.allclose(batch.returns[0], self.returns, atol=1e-5):
            raise ValueError(
                f"{self.game.name}: the game ends with returns {batch.returns[0].tolist()}, recorded is {self.returns}"
            )

    def check(self) -> Replay:
        """This replay, played through. Raises ValueError as `states`."""
        for _ in self.states():
            pass
        return self


def record(batch: Batch, actions: Iterable[np.ndarray], agents: list[list[str]]) -> list[Replay]:
    """Replays of the finished games of a batch.

    Args:
        actions: those of every step, int[B] each; what finished rows were given is left out.
        agents: names by row and seat.
    """
    columns = np.array(list(actions)).T.tolist()
    return [
        Replay(
            batch.game,
            int(batch.seeds[row]),
            columns[row][: int(batch.states.ply[row])],
            agents[row],
            batch.returns[row].tolist(),
        )
        for row in range(len(batch))
    ]


def write(path: str | Path, replays: Iterable[Replay]) -> None:
    """Append replays to a file."""
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(replay.to_json() + "\n" for replay in replays)


def read(path: str | Path) -> Iterator[Replay]:
    """The replays of a file, each played through. Raises ValueError that names file and line for anything wrong."""
    with open(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield parse(line).check()
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None


_FIELDS = {
    "game": str,
    "version": int,
    "num_players": int,
    "options": dict,
    "seed": int,
    "actions": list,
    "agents": list,
    "returns": list,
}


def parse(line: str | bytes) -> Replay:
    """A replay from its line; not yet played through. Raises ValueError for anything that is not one."""
    try:
        record = json.loads(line)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise ValueError("this is not a JSON object of a replay") from None
    if not isinstance(record, dict):
        raise ValueError("this is not a JSON object of a replay")
    for name, kind in _FIELDS.items():
        if type(record.get(name)) is not kind:
            raise ValueError(f"a replay needs {name!r}, of type {kind.__name__}")
    game = make(record["game"], record["num_players"], **_options(record["options"]))
    if record["version"] != game.version:
        raise ValueError(
            f"{game.name}: recorded under version {record['version']} of the rules, this is version {game.version}"
        )
    if not all(type(action) is int for action in record["actions"]):
        raise ValueError("actions must be integers")
    if not all(type(value) in (int, float) for value in record["returns"]):
        raise ValueError("returns must be numbers")
    if len(record["returns"]) != game.num_players or len(record["agents"]) != game.num_players:
        raise ValueError(f"{game.name}: agents and returns must have {game.num_players} entries")
    if len(record["actions"]) > game.max_plies:
        raise ValueError(f"{game.name}: no game has more than {game.max_plies} actions")
    agents = [str(name) for name in record["agents"]]
    return Replay(game, check_seed(record["seed"]), record["actions"], agents, record["returns"])


def _options(options: dict[str, Any]) -> dict[str, Any]:
    """Options as `make` takes them: JSON knows no tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
