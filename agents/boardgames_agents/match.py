"""Games between agents, many side by side in one batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from boardgames_env import ActionError, Agent, Batch


def play(
    batch: Batch,
    agents: Sequence[Agent],
    seats: np.ndarray,
    watch: Callable[[np.ndarray], Any] | None = None,
    step: Callable[[np.ndarray], Any] | None = None,
) -> None:
    """Play all games of the batch to their end.

    Args:
        agents: the agents; each acts once a round, for all rows in which it is to move.
        seats: int[B, P], which of the agents sits where.
        watch: called with the actions int64[B] before each step (0 in finished rows).
        step: called with the actions to play them; default `batch.step`.

    Raises ActionError that names the agent if one plays something illegal.
    """
    rows = np.arange(len(batch))
    while not batch.over.all():
        actions = np.zeros(len(batch), np.int64)
        going = ~batch.over
        mover = seats[rows, batch.player]
        for index, agent in enumerate(agents):
            mine = np.flatnonzero(going & (mover == index))
            if len(mine):
                actions[mine] = agent.act(batch.turns(mine))
        if watch:
            watch(actions)
        try:
            (step or batch.step)(actions)
        except ActionError as error:
            raise ActionError(f"an agent played something illegal: {error}") from None
