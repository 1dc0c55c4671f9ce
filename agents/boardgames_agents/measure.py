"""Shares of wins with confidence intervals."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np


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
    """Mean of the rows' means with a normal interval over rows: for deals that were played from several seats.

    `shares` is float[deals, repetitions]. Repetitions of one deal are not independent, deals are. Where all deals
    agree, Wilson's interval over deals is given instead of one of width zero.
    """
    by_deal = shares.mean(axis=1)
    if len(by_deal) < 2 or by_deal.std() == 0:
        return wilson(float(by_deal.sum()), len(by_deal))
    half = z * float(by_deal.std(ddof=1)) / math.sqrt(len(by_deal))
    mean = float(by_deal.mean())
    return Share(mean, max(0.0, mean - half), min(1.0, mean + half))


def win_shares(returns: np.ndarray) -> np.ndarray:
    """float[B, P]: 1 for the sole winner, 1/k for each of k who share the win, 0 for the others.

    From returns of `reward="win"`: (n · share − 1) / (n − 1).
    """
    players = returns.shape[1]
    return (returns * (players - 1) + 1) / players
