"""RLCard: its environments by reset and step, without its agents."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from libraries.common import LEDUC, Row, row, timed

LIBRARY = "RLCard"
GAMES = {"leduc-holdem": LEDUC, "gin-rummy": "Gin rummy", "uno": "Uno", "limit-holdem": "Limit hold'em"}

HOW = """\
`env.reset()` and `env.step(action)` without agents, on one core. A step returns the next observation array and the
legal actions as the keys of a dict, which is its form of a mask; `random.choice` of these. Its Leduc opens with a
random seat, allows a fold without a raise, and its observation holds chips in place of the betting history."""


def measure(quick: bool) -> Iterator[Row]:
    import rlcard

    for name, title in GAMES.items():
        yield row(LIBRARY, title, "step by step", 1, timed(stepwise(rlcard.make(name)), quick))


def stepwise(env: Any) -> Callable[[int], int]:
    choice = random.choice

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            state, _player = env.reset()
            while not env.is_over():
                state, _player = env.step(choice(list(state["legal_actions"])))
                done += 1
            env.get_payoffs()
        return done

    return play
