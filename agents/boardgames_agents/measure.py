"""Shares of wins with confidence intervals."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from boardgames_env import Game


class Share(NamedTuple):
    """A mean in 0 … 1 with its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.mean:.1f} % ({100 * self.low:.1f}–{100 * self.high:.1f})"


def wilson(wins: float, games: int, z: float = 1.96) -> Share:
    """Wilson's interval of a share of wins; a shared win may count as a fraction (Wilson 1927)."""
    if games == 0:
        return Share(math.nan, 0.0, 1.0)
    mean = wins / games
    centre = (mean + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(mean * (1 - mean) / games + z * z / (4 * games * games))
    return Share(mean, max(0.0, centre - half), min(1.0, centre + half))


def paired_interval(shares: np.ndarray, z: float = 1.96) -> Share:
    """`clustered_interval` of float[deals, repetitions]: each deal was played as often, from several seats."""
    return clustered_interval(shares.ravel(), np.repeat(np.arange(len(shares)), shares.shape[1]), z)


def clustered_interval(values: np.ndarray, clusters: np.ndarray, z: float = 1.96) -> Share:
    """Mean of float[N] with a normal interval over clusters int[N]: games of one deal are not independent, deals are.

    The variance of a mean of clusters of unequal sizes, as of a ratio (Liang & Zeger 1986). Where all clusters agree,
    Wilson's interval over clusters is given instead of one of width zero.
    """
    if len(values) == 0:
        return wilson(0, 0)
    mean = float(values.mean())
    _, place = np.unique(clusters, return_inverse=True)
    surplus = np.bincount(place, values - mean)
    count = len(surplus)
    if count < 2 or np.abs(surplus).max() < 1e-9:
        return wilson(mean * count, count)
    half = z * math.sqrt(count / (count - 1) * float((surplus**2).sum())) / len(values)
    return Share(mean, max(0.0, mean - half), min(1.0, mean + half))


def check_reward(game: Game) -> None:
    """Raises ValueError unless winners can be read from the returns."""
    if getattr(game.options, "reward", "win") != "win":
        raise ValueError(f"{game.name}: this needs reward='win', to know who won; got {game.options.reward!r}")


def win_shares(returns: np.ndarray) -> np.ndarray:
    """float[B, P]: 1 for the sole winner, 1/k for each of k who share the win, 0 for the others.

    From returns of `reward="win"`: (n · share − 1) / (n − 1).
    """
    players = returns.shape[1]
    return (returns * (players - 1) + 1) / players
