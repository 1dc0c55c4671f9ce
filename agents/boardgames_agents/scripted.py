"""Agents that are one compiled function of what the seat sees: `choose(obs, mask) -> action`.

`obs` is one observation record, `mask` int8[A] with at least one legal action. Nothing is drawn at random.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from boardgames_env import Turns, jit

choose: Any = None  # bound by jit.kernel


def act_rows(obs, masks, actions):
    for i in range(len(obs)):
        actions[i] = choose(obs[i], masks[i])


@functools.cache
def _kernel(choose: Callable, name: str) -> Any:
    return jit.kernel(act_rows, name, allocates=False, choose=choose)


class ScriptedAgent:
    """Plays `choose`; `name` says of which game and agent it is, for the cache of compiled code."""

    def __init__(self, choose: Callable, name: str):
        self._act = _kernel(choose, name)

    def act(self, turns: Turns) -> np.ndarray:
        actions = np.empty(len(turns.mask), np.int64)
        self._act(jit.records(turns.obs), turns.mask, actions)
        return actions
