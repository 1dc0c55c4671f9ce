"""The folder of a tournament: its settings, its games as they come, and in the end its tables.

    tournament.json   the settings; with others the folder is not gone on with
    games.jsonl       one replay a line, in the order of the plan
    table.csv, cross.csv, table.json, plot.png   written at the end
    lock              held by the process that writes into the folder, gone with it

Games are appended by whole units. What a kill or a full disk has left of a unit is cut off, so that at any moment the
file is the beginning of the one that an undisturbed tournament writes.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import boardgames_env
from boardgames_agents.tournament.plan import UNIT
from boardgames_agents.tournament.play import Task
from boardgames_agents.tournament.standings import Results

if sys.platform != "win32":  # there nothing stops a second writer
    import fcntl

SETTINGS, GAMES, LOCK = "tournament.json", "games.jsonl", "lock"
LEFT_BY_A_START = {LOCK, SETTINGS + ".part"}  # all that a start which was killed at once can have left


class Settings(NamedTuple):
    """What the games of a tournament depend on."""

    game: str
    version: int  # of the game's rules
    num_players: int
    options: dict[str, Any]
    agents: list[str]
    style: str
    deals: int
    seed: int
    unit: int
    package: str  # version of boardgames-env

    @classmethod
    def of(cls, task: Task, deals: int, style: str) -> Settings:
        game = task.game
        options = json.loads(json.dumps(game.options._asdict()))  # as they come back: JSON knows no tuples
        what = (game.name, game.version, game.num_players, options)
        return cls(*what, list(task.agents), style, deals, task.seed, UNIT, boardgames_env.__version__)

    def differences(self, stored: dict[str, Any]) -> list[str]:
        """What the folder holds and what is wanted, for each setting in which they differ."""
        wanted = self._flat(self._asdict())
        held = self._flat(stored)
        return [
            f"{name} there is {held.get(name)!r}, here {wanted.get(name)!r}"
            for name in dict.fromkeys([*wanted, *held])
            if held.get(name) != wanted.get(name)
        ]

    @staticmethod
    def _flat(settings: dict[str, Any]) -> dict[str, Any]:
        """Options one by one beside the other settings."""
        options = settings.get("options")
        options = {f"option {name}": value for name, value in options.items()} if isinstance(options, dict) else {}
        return {name: value for name, value in settings.items() if name != "options"} | options


class Folder:
    """A context in which this process alone writes into the folder.

    Raises ValueError if the folder holds something else than what is wanted, or another process writes into it.
    """

    def __init__(self, path: str | Path, settings: Settings, resume: bool):
        self.path, self.settings, self.resume = Path(path), settings, resume
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Folder:
        with self._stack:
            if self.resume and not (self.path / SETTINGS).is_file():
                raise ValueError(f"{self.path} holds no {SETTINGS} to resume: start the tournament without --resume")
            self.path.mkdir(parents=True, exist_ok=True)
            self._stack.enter_context(_locked(self.path / LOCK))
            self._open_or_start()
            self._games = self._stack.enter_context(open(self.path / GAMES, "r+b", buffering=0))
            self._stack = self._stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def _open_or_start(self) -> None:
        if self.resume:
            self._refuse_others()
            (self.path / GAMES).touch()
            return
        if {file.name for file in self.path.iterdir()} - LEFT_BY_A_START:
            what = "a tournament already: go on with --resume" if (self.path / SETTINGS).exists() else "other files"
            raise ValueError(f"{self.path} holds {what}, or choose another folder")
        text = json.dumps(self.settings._asdict(), indent=2, ensure_ascii=False) + "\n"
        replace(self.path / SETTINGS, lambda part: part.write_text(text, encoding="utf-8"))
        (self.path / GAMES).touch()

    def _refuse_others(self) -> None:
        file = self.path / SETTINGS
        try:
            stored = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            stored = None
        if not isinstance(stored, dict):
            raise ValueError(f"{file} is damaged: it should be the JSON object of a tournament's settings")
        differences = self.settings.differences(stored)
        if differences:
            raise ValueError(f"{self.path} holds another tournament: {'; '.join(differences)}")

    # --- Games ---

    def read_into(self, results: Results) -> None:
        """Give the games of all whole units to `results`, and cut off what follows.

        Raises ValueError that names the line if a game is not the one that belongs there.
        """
        with open(self.path / GAMES, "rb") as file:
            kept = 0
            for unit in range(results.plan.units):
                lines = [file.readline() for _ in range(len(results.plan.tables(unit)) * results.plan.players)]
                if not lines[-1].endswith(b"\n"):
                    break
                try:
                    results.add(unit, b"".join(lines))
                except ValueError as error:
                    raise ValueError(f"{self.path / GAMES}, {error}") from None
                kept = file.tell()
            else:
                if file.read(1):
                    raise ValueError(f"{self.path / GAMES}: there are games beyond the last, line {results.games}")
        self._games.truncate(kept)
        self._games.seek(kept)

    def append(self, lines: bytes) -> None:
        """Append the lines of a unit, all or none. Raises OSError that says how to go on."""
        before = self._games.tell()
        try:
            written = 0
            while written < len(lines):
                written += self._games.write(lines[written:])
        except OSError as error:
            self._games.truncate(before)
            self._games.seek(before)
            raise OSError(error.errno, f"{_reason(error)}; the games until then are kept: make room and --resume",
                          str(self.path / GAMES)) from error  # fmt: skip

    def finish(self, results: Results) -> None:
        """Write the tables."""
        from boardgames_agents.tournament.show import write_files

        try:
            write_files(self.path, self.settings, results)
        except OSError as error:
            raise OSError(error.errno, f"{_reason(error)}; all games are kept: make room, and --resume writes the "
                          "tables", str(self.path)) from error  # fmt: skip


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the file's lock, which the system takes back when the process ends, however it ends."""
    with open(path, "a+", encoding="utf-8") as file:
        if sys.platform != "win32":
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                holder = file.read().strip() or "unknown"
                raise ValueError(f"process {holder} is writing into {path.parent}: wait for it, or stop it") from None
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file beside `path`, then put it in its place: it is never there in part."""
    part = path.with_name(path.name + ".part")
    try:
        write(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
