"""The whole game tree of Leduc hold'em, level by level as batches: what random play is worth, and what seats know."""

from typing import NamedTuple

import numpy as np

from boardgames_env import Batch, Game
from leduc.rules import DEALS


class Tree(NamedTuple):
    value: float  # expected return of seat 0 if both seats draw uniformly among their legal actions
    information_states: tuple[int, int]  # distinct observations of the seat to act, by seat
    plies: int  # decisions of the longest game


def traverse(game: Game) -> Tree:
    """Every deal, every action. The returns are those of `game`: make it with reward="score" for chips."""
    batch = Batch(game, len(DEALS))
    batch.states["card"] = DEALS
    reach = np.full(batch.size, 1 / len(DEALS))  # probability of each node under random play
    value, known, plies = 0.0, (set(), set()), -1
    while True:
        plies += 1
        value += float(reach[batch.over] @ batch.returns[batch.over, 0])
        if batch.over.all():
            return Tree(value, (len(known[0]), len(known[1])), plies)
        for seat, row, over in zip(batch.player, batch.observe(), batch.over):
            if not over:
                known[seat].add(row.tobytes())
        batch, reach = children(batch, reach)


def children(batch: Batch, reach: np.ndarray) -> tuple[Batch, np.ndarray]:
    """All nodes one decision further on."""
    masks = batch.legal()
    rows, actions = masks.nonzero()
    below = Batch(batch.game, len(rows))
    below.states[:] = batch.states[rows]
    below.step(actions)
    return below, reach[rows] / masks.sum(axis=1)[rows]
