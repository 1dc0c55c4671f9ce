"""Many games between agents, and what is counted of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from boardgames_agents.match import play
from boardgames_agents.measure import Share, check_reward, wilson, win_shares
from boardgames_agents.registry import make_agent
from boardgames_env import Batch, Game
from boardgames_env.batch import check_seed

GAMES_AT_ONCE = 4096


class Simulation(NamedTuple):
    """What came of `games` games.

    Attributes:
        agents: names; seat s is played by agents[s % len(agents)].
        plies: int64[games], decisions. scores: float64[games, P]. shares: float64[games, P], of the win.
        verbs: how often actions of each verb were taken.
        rows: what the game itself counts: (heading, label, value).
    """

    game: Game
    agents: list[str]
    games: int
    seconds: float
    plies: np.ndarray
    scores: np.ndarray
    shares: np.ndarray
    verbs: dict[str, int]
    rows: list[tuple[str, str, str]]

    def wins(self, seat: int) -> Share:
        """Share of wins of a seat, a shared win counting as its part."""
        return wilson(float(self.shares[:, seat].sum()), self.games)

    def sole_wins(self, seat: int) -> Share:
        """Share of games that the seat won alone."""
        return wilson(float((self.shares[:, seat] > 0.999).sum()), self.games)


def simulate(
    game: Game,
    agents: Sequence[str],
    games: int,
    seed: int = 0,
    threads: int = 1,
    report: Callable[[int], Any] | None = None,
) -> Simulation:
    """Play the games of seeds seed … seed + games − 1. `report` gets the number of games done.

    Winners are read from the returns, so `game` needs `reward="win"`; ValueError otherwise.
    """
    check_reward(game)
    if not 1 <= len(agents) <= game.num_players:
        raise ValueError(f"{game.name}: name 1..{game.num_players} agents, got {len(agents)}")
    check_seed(seed)
    players = [make_agent(game, name, seed + i) for i, name in enumerate(agents)]
    statistics = game.statistics(game) if game.statistics else None
    verb_of, verbs = verbs_of(game)
    counts = np.zeros(len(verbs), np.int64)
    plies, scores, shares = [], [], []
    _play_and_count(Batch(game, 1, seed), agents, players, None, verb_of, len(verbs))  # compile before the clock starts
    start = time.perf_counter()
    for first in range(0, games, GAMES_AT_ONCE):
        batch = Batch(game, min(GAMES_AT_ONCE, games - first), seed + first, threads)
        counts += _play_and_count(batch, agents, players, statistics, verb_of, len(verbs))
        plies.append(batch.states["ply"].astype(np.int64))
        scores.append(np.asarray(game.scores(batch.states), float))
        shares.append(win_shares(batch.returns.astype(float)))
        if report:
            report(first + len(batch))
    return Simulation(
        game,
        list(agents),
        games,
        time.perf_counter() - start,
        np.concatenate(plies),
        np.concatenate(scores),
        np.concatenate(shares),
        dict(zip(verbs, counts.tolist())),
        statistics.rows() if statistics else [],
    )


def _play_and_count(
    batch: Batch, names: Sequence[str], agents: Sequence[Any], statistics: Any, verb_of: np.ndarray, verbs: int
) -> np.ndarray:
    """Play the batch to its end; returns how often each verb was taken."""
    counts = np.zeros(verbs, np.int64)

    def count(actions: np.ndarray) -> None:
        counts[:] += np.bincount(verb_of[actions[~batch.over]], minlength=verbs)

    if list(names) == ["random"]:  # drawn in compiled code: the observations that agents need are not made
        while not batch.over.all():
            actions = batch.sample()
            count(actions)
            _step(batch, actions, statistics, check=False)
        return counts
    seats = np.tile(np.arange(batch.game.num_players) % len(agents), (len(batch), 1))
    play(batch, agents, seats, count, lambda actions: _step(batch, actions, statistics, check=True))
    return counts


def _step(batch: Batch, actions: np.ndarray, statistics: Any, check: bool) -> None:
    going = np.flatnonzero(~batch.over)
    before = batch.states[going] if statistics else None
    batch.step(actions, check=check)
    if statistics:
        statistics.watch(before, actions[going], batch.states[going])


def verbs_of(game: Game) -> tuple[np.ndarray, list[str]]:
    """(verb of each action int64[A], verbs): an action's verb is the first word of its name."""
    words = [game.action_name(action).split()[0] for action in range(game.num_actions)]
    verbs = list(dict.fromkeys(words))
    return np.array([verbs.index(word) for word in words]), verbs
