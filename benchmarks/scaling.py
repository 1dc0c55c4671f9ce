"""What a step costs against the size of the batch, threads, players and board; its parts; what memory and copies cost.

    python benchmarks/scaling.py [SECTION …] [--quick]

A step is Batch.rollout's: observation, legal mask, a uniformly random legal action, the step, a new game where one has
ended. Medians of five, seconds of the wall, compilation apart. All sections together write `SCALING.md` and
`scaling.png` beside this file; `--quick` runs everything once, small, and writes nothing.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from machine import by_calls, describe, rate

import boardgames_env
from boardgames_agents.search import PLAYOUTS, SearchAgent
from boardgames_env import Batch, Game, Turns
from boardgames_env.game import game_module

FOLDER = Path(__file__).resolve().parent
GAMES = ["fungi", "fafaru", "mushroom_kingdom", "tree_society"]


class Scale(NamedTuple):
    """How much is measured."""

    sizes: list[int]  # of batches
    rows: int  # of a batch where its size is not what varies
    decisions: int  # in one measurement
    repeats: int


FULL = Scale([1, 4, 16, 64, 256, 1024, 4096, 16384, 65536], 1024, 400_000, 5)
QUICK = Scale([1, 64, 2048], 64, 2_000, 1)


class Table(NamedTuple):
    """A section of SCALING.md. A table whose first column is numbers and whose others are, too, can be drawn."""

    title: str
    note: str
    heads: list[str]
    rows: list[list]
    drawn: bool = False


def nanoseconds(work: Callable[[], int], scale: Scale) -> float:
    """Of one of what `work` counts, the median."""
    return 1e9 / rate(work, scale.repeats).median


def step_cost(game: Game, rows: int, scale: Scale, threads: int = 1) -> float:
    """Nanoseconds a step."""
    batch = Batch(game, rows, threads=threads)
    steps = max(1, scale.decisions // rows)

    def work() -> int:
        batch.rollout(steps)
        return rows * steps

    return nanoseconds(work, scale)


# --- Sections -----------------------------------------------------------------------------------------------


def batch_sizes(scale: Scale) -> Table:
    note = "Nanoseconds a step, one thread, many steps in each call."
    return Table("Size of the batch", note, ["rows", *GAMES], _by_size(step_cost, scale), drawn=True)


def calls_by_size(scale: Scale) -> Table:
    """The same through separate calls, where each call costs some microseconds whatever the size."""
    note = "Nanoseconds a step through legal, observe, sample and step, which checks the actions; one thread."
    rows = _by_size(_cost_of_calls, scale)
    return Table("Size of the batch, separate calls", note, ["rows", *GAMES], rows, drawn=True)


def _by_size(cost: Callable[[Game, int, Scale], float], scale: Scale) -> list[list]:
    """A row for each size of a batch: the size, and the cost of each game."""
    costs = [[cost(game, size, scale) for size in scale.sizes] for game in map(boardgames_env.make, GAMES)]
    return [list(row) for row in zip(scale.sizes, *costs)]


def _cost_of_calls(game: Game, size: int, scale: Scale) -> float:
    play, steps = by_calls(Batch(game, size)), max(1, min(2000, scale.decisions // size))
    return nanoseconds(lambda: play(steps), scale)


def threads(scale: Scale) -> Table:
    rows = []
    for game in map(boardgames_env.make, GAMES):
        for size in scale.sizes[-2:]:
            one, two = (step_cost(game, size, scale, n) for n in (1, 2))
            rows.append([game.name, size, one, two, f"{one / two:.2f}"])
    note = "Nanoseconds a step; the calls of a batch are cut into slices of rows."
    return Table("Threads", note, ["game", "rows", "1 thread", "2 threads", "ratio"], rows)


def players(scale: Scale) -> Table:
    rows = []
    for name in GAMES:
        for n in game_module(name).PLAYERS:
            game = boardgames_env.make(name, n)
            rows.append([name, n, step_cost(game, scale.rows, scale), *_bytes_of(game)])
    note = f"Nanoseconds a step of a batch of {scale.rows}, one thread; bytes of one state, one observation, one mask."
    return Table("Players", note, ["game", "players", "ns a step", "state", "observation", "mask"], rows)


def boards(scale: Scale) -> Table:
    rows = []
    for side in (4, 6, 8, 10, 12):
        game = boardgames_env.make("mushroom_kingdom", 2, board_size=side)
        rows.append([side, step_cost(game, scale.rows, scale), *_bytes_of(game)])
    note = f"Mushroom Kingdom, two players, L × L cells; a batch of {scale.rows}, one thread."
    return Table("Size of the board", note, ["L", "ns a step", "state", "observation", "mask"], rows)


def _bytes_of(game: Game) -> list[int]:
    return [game.state.itemsize, game.observation.itemsize, game.num_actions]


def parts(scale: Scale) -> Table:
    rows = []
    for game in map(boardgames_env.make, GAMES):
        work = _parts_of(game, scale)
        rows.append([game.name, *(nanoseconds(part, scale) for part in work.values())])
    note = f"Nanoseconds a row of each call, a batch of {scale.rows}, one thread; games in progress."
    return Table("Parts of a step", note, ["game", *work], rows)


def _parts_of(game: Game, scale: Scale) -> dict[str, Callable[[], int]]:
    batch = Batch(game, scale.rows)
    for _ in range(20):
        batch.step(batch.sample(), check=False)
        batch.reset(batch.over)
    start, mask, obs = batch.states.copy(), batch.legal(), batch.observe()
    actions = batch.sample(mask)
    calls = max(1, scale.decisions // scale.rows // 4)

    def repeated(call: Callable) -> Callable[[], int]:
        def work() -> int:
            for _ in range(calls):
                call()
            return calls * scale.rows

        return work

    def step() -> None:
        batch.states[:] = start
        batch.step(actions, check=False)

    return {
        "legal": repeated(lambda: batch.legal(out=mask)),
        "observe": repeated(lambda: batch.observe(out=obs)),
        "sample": repeated(lambda: batch.sample(mask)),
        "check": repeated(lambda: batch._refuse_illegal(batch._all, actions)),
        "step, with a copy": repeated(step),
        "determinize": repeated(lambda: batch.turns().sample(1)),
    }


def copies(scale: Scale) -> Table:
    rows = []
    for game in map(boardgames_env.make, GAMES):
        batch, env = Batch(game, 4096), boardgames_env.env(game.name)
        env.reset(seed=0)
        saved, times = env.save(), max(1, scale.decisions // 400)
        work: list[Callable] = [batch.copy, env.clone, env.save, lambda e=env, s=saved: e.restore(s)]
        costs = [nanoseconds(_times(call, times), scale) for call in work[1:]]
        in_batch = nanoseconds(_times(work[0], max(1, times // 100)), scale) / 4096
        rows.append([game.name, game.state.itemsize, in_batch, *costs])
    note = "Nanoseconds: a state in a batch of 4,096; an AEC environment in mid-game."
    return Table("Copies", note, ["game", "state bytes", "in a batch", "clone()", "save()", "restore()"], rows)


def _times(call: Callable, times: int) -> Callable[[], int]:
    def work() -> int:
        for _ in range(times):
            call()
        return times

    return work


def search(scale: Scale) -> Table:
    rows = []
    for game in map(boardgames_env.make, GAMES):
        turns = Batch(game, 1, seed=5).turns()
        rows.append([game.name, *(_simulations(game, turns, playout, scale) for playout in PLAYOUTS)])
    note = (
        "Simulations a second, one core: a search of the first decision, by kind of playout, with the game's defaults."
    )
    return Table("Search", note, ["game", *PLAYOUTS], rows)


def _simulations(game: Game, turns: Turns, playout: str, scale: Scale) -> float:
    agent = SearchAgent(game, sims=max(50, scale.decisions // 200), playout=playout, seed=1)
    return rate(lambda: int(agent.search(turns).visits.sum()), scale.repeats).median


SECTIONS: dict[str, Callable[[Scale], Table]] = {  # another section is a function here and nothing else
    "batch": batch_sizes,
    "calls": calls_by_size,
    "threads": threads,
    "players": players,
    "board": boards,
    "parts": parts,
    "copies": copies,
    "search": search,
}


# --- Writing ------------------------------------------------------------------------------------------------


def text_of(table: Table) -> str:
    lines = [f"## {table.title}", "", table.note, "", "| " + " | ".join(table.heads) + " |"]
    lines.append("|---" * len(table.heads) + "|")
    lines += ["| " + " | ".join(map(_cell, row)) + " |" for row in table.rows]
    return "\n".join(lines)


def _cell(value) -> str:
    if isinstance(value, (float, np.floating)):
        return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def draw(tables: list[Table], path: Path) -> None:
    """The tables that can be drawn, side by side, both axes logarithmic."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(tables), figsize=(5.5 * len(tables), 4), squeeze=False)
    for axis, table in zip(axes[0], tables):
        x = [row[0] for row in table.rows]
        for i, name in enumerate(table.heads[1:], start=1):
            axis.plot(x, [row[i] for row in table.rows], marker="o", label=name.replace("_", " "))
        axis.set(xscale="log", yscale="log", xlabel=table.heads[0], ylabel="ns a step", title=table.title)
        axis.grid(alpha=0.3)
        axis.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; default: all")
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    if unknown := set(arguments.sections) - set(SECTIONS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; the sections are {', '.join(SECTIONS)}")
    machine, start = describe("numpy", "numba", "pettingzoo"), time.perf_counter()
    print(machine, flush=True)
    tables = []
    for name in arguments.sections or SECTIONS:
        tables.append(SECTIONS[name](QUICK if arguments.quick else FULL))
        print(f"\n{text_of(tables[-1])}", flush=True)
    print(f"\nmeasured in {time.perf_counter() - start:.0f} s", file=sys.stderr)
    if not arguments.quick and not arguments.sections:
        title = "# What a step costs, and against what\n\nWritten by `python benchmarks/scaling.py`"
        body = "\n\n".join(map(text_of, tables))
        plot = "![Cost of a step against the size of the batch](scaling.png)"
        (FOLDER / "SCALING.md").write_text(f"{title} on {machine}.\n\n{plot}\n\n{body}\n")
        draw([table for table in tables if table.drawn], FOLDER / "scaling.png")


if __name__ == "__main__":
    main()
