"""Ratings of a run's versions from their shares of wins against agents and each other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

ELO = 400 / np.log(10)
SPREAD = 4.0  # standard deviation of ratings beforehand, in natural units: 700 Elo. It keeps 100 % finite


class Result(NamedTuple):
    """`first`, alone against `second` in all other seats, won this share of so many games."""

    first: str
    second: str
    share: float
    games: int


def rate(results: list[Result], players: int) -> dict[str, float]:
    """Elo of everybody named, with mean 0: the mode of the posterior under the model of Plackett and Luce.

    One of strength e^a against `players` − 1 of strength e^b wins with chance e^a / (e^a + (players − 1) e^b), which
    for two is the model of Bradley and Terry (1952). Found by Newton's method; the function is concave.
    """
    names = sorted({name for result in results for name in result[:2]})
    place = {name: i for i, name in enumerate(names)}
    first = np.array([place[r.first] for r in results], int)
    second = np.array([place[r.second] for r in results], int)
    share, games = np.array([r.share for r in results]), np.array([r.games for r in results], float)
    ratings = np.zeros(len(names))
    for _ in range(100):
        chance = 1 / (1 + (players - 1) * np.exp(ratings[second] - ratings[first]))
        slope, curve = games * (share - chance), games * chance * (1 - chance)
        gradient = -ratings / SPREAD**2
        np.add.at(gradient, first, slope)
        np.add.at(gradient, second, -slope)
        hessian = np.eye(len(names)) / SPREAD**2
        np.add.at(hessian, (first, first), curve)
        np.add.at(hessian, (second, second), curve)
        np.add.at(hessian, (first, second), -curve)
        np.add.at(hessian, (second, first), -curve)
        step = np.linalg.solve(hessian, gradient)
        ratings += np.clip(step, -1.0, 1.0)  # far from the mode Newton's step is too long
        if np.abs(step).max() < 1e-9:
            break
    return {name: float(ELO * (ratings[place[name]] - ratings.mean())) for name in names}
