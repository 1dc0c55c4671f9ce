"""Steps a second of every form of a game, and what compiling costs.

    python benchmarks/throughput.py [GAME …] [--players N] [--rows B] [--no-compile]

A batched step is: legal mask, observation, a uniformly random legal action from the row's own stream, the step, and a
new game where one has ended. "fused" does it in one compiled call (Batch.rollout); "calls" through legal, observe,
sample and step, which checks the actions. AEC steps are last() and step() with the action drawn beforehand from the
mask of a twin game, so that no drawing is timed. Medians of five with the spread; compile time is apart.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
from machine import Measured, by_calls, describe, rate

import boardgames_env
from boardgames_env import Batch, Game


def fused(game: Game, rows: int, threads: int, steps: int = 200) -> Measured:
    batch = Batch(game, rows, threads=threads)

    def work() -> int:
        batch.rollout(steps)
        return rows * steps

    return rate(work)


def calls(game: Game, rows: int, threads: int, steps: int = 100) -> Measured:
    play = by_calls(Batch(game, rows, threads=threads))
    return rate(lambda: play(steps))


def aec(make_env, game: Game, players: int, games: int = 30) -> Measured:
    scripts = []
    batch = Batch(game, games)
    rows: list[list[int]] = [[] for _ in range(games)]
    while not batch.over.all():
        actions = batch.sample()
        for row in np.flatnonzero(~batch.over):
            rows[row].append(int(actions[row]))
        batch.step(actions)
    scripts = list(enumerate(rows))
    env = make_env(game.name, players)

    def work() -> int:
        for seed, actions in scripts:
            env.reset(seed=seed)
            for action in actions:
                env.last()
                env.step(action)
        return sum(len(actions) for _, actions in scripts)

    return rate(work)


def copies(game: Game) -> tuple[Measured, Measured]:
    """States copied a second: rows of a batch, and whole AEC environments."""
    batch, env = Batch(game, 4096), boardgames_env.env(game.name, game.num_players)
    env.reset(seed=0)

    def rows() -> int:
        for _ in range(50):
            batch.copy()
        return 50 * 4096

    def environments() -> int:
        for _ in range(5000):
            env.clone()
        return 5000

    return rate(rows), rate(environments)


FIRST_CALLS = """
import time
start = time.perf_counter()
import boardgames_env
imported = time.perf_counter()
game = boardgames_env.make({name!r}, {players})
batch = boardgames_env.Batch(game, 4)
batch.observe(); batch.step(batch.sample()); batch.turns().sample(1); batch.playout(); batch.reset(); batch.rollout(1)
print(imported - start, time.perf_counter() - imported)
"""


def first_calls(name: str, players: int) -> tuple[float, float, float]:
    """Seconds: import, all kernels compiled cold, all kernels from the cache. Medians of three processes."""
    imports, cold, warm = [], [], []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as cache:
            for times in (cold, warm):
                done = subprocess.run(
                    [sys.executable, "-c", FIRST_CALLS.format(name=name, players=players)],
                    env=os.environ | {"BOARDGAMES_CACHE_DIR": cache},
                    capture_output=True,
                    text=True,
                    check=True,
                )
                imported, called = map(float, done.stdout.split())
                imports.append(imported)
                times.append(called)
    return float(np.median(imports)), float(np.median(cold)), float(np.median(warm))


def report(name: str, players: int | None, rows: int, compile_too: bool) -> None:
    game = boardgames_env.make(name, players)
    print(f"\n{game}: state {game.state.itemsize} bytes, observation {game.observation.itemsize} bytes")
    one = fused(game, rows, 1)
    print(f"  batch of {rows}, fused, 1 thread      {one} steps/s")
    two = fused(game, 8 * rows, 2)
    one = fused(game, 8 * rows, 1)
    print(f"  batch of {8 * rows}, fused, 1 thread      {one} steps/s")
    print(f"  batch of {8 * rows}, fused, 2 threads     {two} steps/s   ratio {two.median / one.median:.2f}")
    print(f"  batch of {rows}, calls, 1 thread      {calls(game, rows, 1)} steps/s")
    print(f"  batch of {16 * rows}, calls, 2 threads    {calls(game, 16 * rows, 2)} steps/s")
    print(f"  AEC env                             {aec(boardgames_env.env, game, game.num_players)} steps/s")
    print(f"  AEC raw_env                         {aec(boardgames_env.raw_env, game, game.num_players)} steps/s")
    in_batch, environments = copies(game)
    print(f"  copies of a state: batch            {in_batch} a second, {1e6 / in_batch.median:.3f} µs each")
    print(f"  copies of a state: AEC clone()      {environments} a second, {1e6 / environments.median:.1f} µs each")
    if compile_too:
        imported, cold, warm = first_calls(name, game.num_players)
        print(f"  import boardgames_env {imported:.2f} s; all kernels: cold {cold:.1f} s, from the cache {warm:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(boardgames_env.GAMES))
    parser.add_argument("--players", type=int)
    parser.add_argument("--rows", type=int, default=1024)
    parser.add_argument("--no-compile", action="store_true")
    arguments = parser.parse_args()
    print(describe("numpy", "numba", "pettingzoo"))
    start = time.perf_counter()
    for name in arguments.games:
        report(name, arguments.players, arguments.rows, not arguments.no_compile)
    print(f"\nmeasured in {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
