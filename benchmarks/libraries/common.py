"""What the measurements of all libraries share: a row of the result, and how long things are timed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from machine import Measured, rate

SECONDS, QUICK_SECONDS = 0.6, 0.03  # of one repeat, about


class Row(NamedTuple):
    """Steps a second of one library in one game, in one way of using it."""

    library: str
    game: str
    form: str  # the way of using it
    cores: int  # that it may use
    median: float
    least: float
    greatest: float
    compile_seconds: float = 0.0  # before the first step, apart from the rates
    best_of: str = ""  # if several settings were tried and this is the best: what was tried

    @property
    def is_leduc(self) -> bool:
        return self.game == LEDUC


LEDUC = "Leduc hold'em"


def row(library: str, game: str, form: str, cores: int, measured: Measured, **rest: Any) -> Row:
    return Row(library, game, form, cores, *measured, **rest)


def timed(play: Callable[[int], int], quick: bool) -> Measured:
    """Steps a second of `play(n)`, which makes about n steps and returns how many. Median of five and the spread.

    n is chosen so that a repeat lasts about `SECONDS`.
    """
    wanted = QUICK_SECONDS if quick else SECONDS
    steps = 1
    while True:
        start = time.perf_counter()
        done = play(steps)
        took = time.perf_counter() - start
        if took > wanted / 4:
            break
        steps *= 4
    steps = max(1, int(done * wanted / took))
    return rate(lambda: play(steps))


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def aec_play(env: Any) -> Callable[[int], int]:
    """Whole games of a PettingZoo AEC environment, ours or another: the same loop for all."""
    choice = random.choice

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            env.reset()
            for _ in env.agent_iter():
                observation, _reward, terminated, truncated, _info = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    env.step(choice(observation["action_mask"].nonzero()[0]).item())
                    done += 1
        return done

    return play
