"""boardgames-env itself: single environments, the batch call by call, the batch in one compiled call."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from machine import by_calls

from libraries.common import LEDUC, Row, aec_play, row, seconds, timed

LIBRARY = "boardgames-env"
PLAYERS = {"fafaru": 5}  # where not the fewest
ROWS = 8192

HOW = """\
`fused` is one compiled call for many steps of all rows (`Batch.rollout`); `calls` goes through `legal`, `observe`,
`sample` and `step`, which checks the actions, and `reset`; both with one and with all threads. Each step builds the
observation of the seat to act and the mask in memory and draws the action from a stream of the row's own; finished
games start anew. `env` and `raw_env` are PettingZoo environments, played by the same loop as PettingZoo's own."""


def measure(quick: bool) -> Iterator[Row]:
    """Compiled by a process of its own, which says what that takes; measured from the cache, as any later use is."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"BOARDGAMES_CACHE_DIR": cache, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", "from libraries import ours; ours.print_compile_times()"]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        compiled = json.loads(done.stdout)
        os.environ["BOARDGAMES_CACHE_DIR"] = cache
        for game in all_games():
            yield from of_game(game, compiled, quick)


def of_game(game, compiled: dict[str, float], quick: bool) -> Iterator[Row]:
    for form, threads, play in forms(game):
        spent = compiled.get(f"{game.name} {form}", 0.0) if threads == 1 else 0.0
        yield row(LIBRARY, title(game), form, threads, timed(play, quick), compile_seconds=spent)


def print_compile_times() -> None:
    """Seconds to the first step of each form of each game, as JSON."""
    spent = {}
    for game in all_games():
        for form, threads, play in forms(game):
            if threads == 1:
                spent[f"{game.name} {form}"] = seconds(lambda play=play: play(1))
    print(json.dumps(spent))


def all_games() -> list:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
    import boardgames_env

    boardgames_env.register("leduc", "leduc")
    names = ["leduc", *[name for name in boardgames_env.GAMES if name != "leduc"]]
    paid = {"leduc": {"reward": "score"}}
    return [boardgames_env.make(name, PLAYERS.get(name), **paid.get(name, {})) for name in names]


def title(game) -> str:
    return LEDUC if game.name == "leduc" else f"{game.name.replace('_', ' ').title()}, {game.num_players} players"


def forms(game) -> Iterator[tuple[str, int, Callable[[int], int]]]:
    """(form, threads, what makes about n steps) of each way of using a game."""
    import boardgames_env

    for play, form in ((fused, "fused batch"), (calls, "batch, calls")):
        for threads in sorted({1, os.cpu_count() or 1}):
            yield form, threads, play(boardgames_env.Batch(game, ROWS, threads=threads))
    for make, form in ((boardgames_env.env, "env"), (boardgames_env.raw_env, "raw_env")):
        yield form, 1, aec_play(make(game.name, game.num_players, **game.options._asdict()))


def fused(batch):
    def play(steps: int) -> int:
        each = max(1, steps // batch.size)
        batch.rollout(each)
        return each * batch.size

    return play


def calls(batch):
    play = by_calls(batch)
    return lambda steps: play(max(1, steps // batch.size))
