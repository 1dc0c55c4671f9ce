"""Exhaustive search of end positions, with nothing but `Batch`: what searches are checked against."""

import numpy as np

from boardgames_env import Batch, Game

SAMPLES = 12  # determinizations that a sure win must hold in
LARGEST = 200_000  # states of a tree


def best_returns(game: Game, states: np.recarray) -> np.ndarray | None:
    """float[B, P]: the returns of each state if every seat plays its best and knows everything; None if too large.

    All states of a level are played on at once; values come back level by level, each seat choosing for itself.
    """
    levels = []
    while True:
        batch = Batch(game, len(states))
        batch.states[:] = states
        if batch.over.all():
            break
        rows, actions = np.nonzero(batch.legal())
        over = np.flatnonzero(batch.over)
        parents = np.concatenate([rows, over])
        if len(parents) + sum(len(level[0]) for level in levels) > LARGEST:
            return None
        following = Batch(game, len(parents))
        following.states[:] = states[parents]
        following.step(np.concatenate([actions, np.zeros(len(over), np.int64)]))
        levels.append((parents, batch.player.copy(), len(states)))
        states = following.states
    values = batch.returns.copy()
    for parents, players, count in reversed(levels):
        own = values[np.arange(len(parents)), players[parents]]
        best = np.lexsort((own, parents))  # for each parent, the last is the best for the seat to act
        last = np.flatnonzero(np.diff(parents[best], append=count))
        values = values[best[last]]
    return values


def sure_wins(game: Game, batch: Batch, row: int) -> np.ndarray | None:
    """bool[A]: actions that win in every determinization drawn, however the others play; None if that is too much."""
    turns = batch.turns([row])
    legal = np.flatnonzero(turns.mask[0])
    states = turns.sample(SAMPLES, seed=row)
    following = Batch(game, SAMPLES * len(legal))
    following.states[:] = np.repeat(states, len(legal))
    following.step(np.tile(legal, SAMPLES))
    values = best_returns(game, following.states)
    if values is None:
        return None
    own = values[:, int(turns.seat[0])].reshape(SAMPLES, len(legal))
    wins = np.zeros(game.num_actions, bool)
    wins[legal] = (own == 1.0).all(axis=0)
    return wins
