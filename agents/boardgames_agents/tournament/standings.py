"""What the games of a tournament say: shares of wins, ratings, and who does well against whom, where and in which camp.

Everything is counted from the lines of the games, so that a tournament that was stopped and one that was not give the
same figures. Shares come with 95 % intervals over deals, since games of one deal are not independent.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from boardgames_agents.measure import Share, clustered_interval, win_shares
from boardgames_agents.tournament.play import Speed, Task

RATINGS_EXTRA = "pip install 'boardgames-env[ratings]'"


class Rating(NamedTuple):
    """A Plackett–Luce rating: skill and its standard deviation. Everybody starts at 25 ± 8.3."""

    mu: float
    sigma: float


class Standing(NamedTuple):
    """What came of one agent's games.

    Attributes:
        games: seats played. share: of wins; a fair one is 1 / players. score: mean.
        seats: share of wins by seat. camps: by name of the camp that the seat was of at the end.
        rating: None without openskill.
    """

    agent: str
    games: int
    share: Share
    score: float
    seats: list[Share]
    camps: dict[str, Share]
    rating: Rating | None


class Results:
    """The games of a tournament as arrays, [G, P] by game in the order of the plan and by seat."""

    def __init__(self, task: Task):
        self.task, self.plan = task, task.plan
        shape = (self.plan.games, self.plan.players)
        self.units = self.games = 0  # added so far
        self.agents = np.concatenate([self.plan.seats(table) for table in range(len(self.plan.lineups))])
        self.counted = np.tile(self.plan.counted_seats(), (len(self.plan.lineups), 1))
        self.deals = np.repeat(self.plan.deals, self.plan.players)
        self.shares = np.zeros(shape)
        self.scores = np.zeros(shape)
        self.camps = np.full(shape, -1, np.int8)
        self.camp_names: list[str] = []
        self.speeds = [Speed(0, 0.0)] * len(task.agents)

    # --- Adding ---

    def add(self, unit: int, lines: bytes) -> None:
        """The next unit. Raises ValueError that names the line if a game is not the one that belongs there."""
        for line in lines.splitlines():
            try:
                self._add_game(json.loads(line))
            except (ValueError, KeyError, TypeError):
                name, table = self.task.game.name, self.games // self.plan.players
                raise ValueError(
                    f"line {self.games + 1}: this should be a game of {name} at table {table}, "
                    f"seed {self.task.seed + int(self.deals[self.games])}, {', '.join(self._names(self.games))}"
                ) from None
        self.units = unit + 1

    def _add_game(self, record: Any) -> None:
        g = self.games
        if record["agents"] != self._names(g) or record["seed"] != self.task.seed + int(self.deals[g]):
            raise ValueError
        self.shares[g] = win_shares(np.array([record["returns"]], float))[0]
        self.scores[g] = record["scores"]
        for seat, camp in enumerate(record.get("camps", [])):
            if camp not in self.camp_names:
                self.camp_names.append(camp)
            self.camps[g, seat] = self.camp_names.index(camp)
        self.games += 1

    def _names(self, game: int) -> list[str]:
        return [self.task.agents[a] for a in self.agents[game]]

    def time(self, speeds: Sequence[Speed]) -> None:
        """What a unit's decisions took. Not part of the files: it differs from run to run."""
        self.speeds = [Speed(a.decisions + b.decisions, a.seconds + b.seconds) for a, b in zip(self.speeds, speeds)]

    # --- Counting ---

    def standings(self) -> list[Standing]:
        """The agents, the most successful first."""
        ratings = self.ratings()
        rows = [
            Standing(
                name,
                int(self._of(i).sum()),
                self._share(self._of(i)),
                float(self.scores[self._of(i)].mean()),
                [self._share(self._of(i) & self._at(seat)) for seat in range(self.plan.players)],
                {camp: self._share(self._of(i) & (self.camps == c)) for c, camp in self._camps()},
                ratings[i] if ratings else None,
            )
            for i, name in enumerate(self.task.agents)
        ]
        return sorted(rows, key=lambda row: -row.share.mean)

    def _of(self, agent: int) -> np.ndarray:
        """bool[G, P]: the seats of an agent that count."""
        return self.counted & (self.agents == agent)

    def _at(self, seat: int) -> np.ndarray:
        return np.arange(self.plan.players)[None, :] == seat

    def _camps(self) -> list[tuple[int, str]]:
        return sorted(enumerate(self.camp_names), key=lambda camp: camp[1])

    def _share(self, chosen: np.ndarray) -> Share:
        return clustered_interval(self.shares[chosen], self.deals[np.nonzero(chosen)[0]])

    def cross(self) -> dict[tuple[str, str], Share]:
        """How each agent does where each other sits at the table, by (row, column).

        The share of games in which it comes in before the other, a tie as half; where one plays against the rest, its
        share of wins. Pairs that have not met are left out.
        """
        alone = not self.plan.counted.all()
        order = self.order()
        found: dict[tuple[int, int], list[tuple[np.ndarray, np.ndarray]]] = {}
        for seat, other in itertools.permutations(range(self.plan.players), 2):
            before = 0.5 + 0.5 * np.sign(order[:, other] - order[:, seat])
            values = self.shares[:, seat] if alone else before
            met = self.agents[:, seat] * len(self.task.agents) + self.agents[:, other]
            for pair in np.unique(met[self.counted[:, seat]]):
                games = np.flatnonzero(self.counted[:, seat] & (met == pair))
                key = divmod(int(pair), len(self.task.agents))
                found.setdefault(key, []).append((values[games], self.deals[games]))
        names = self.task.agents
        return {(names[a], names[b]): _joined(pieces) for (a, b), pieces in found.items() if a != b}

    def order(self) -> np.ndarray:
        """int64[G, P]: places from 0 on, equal for equals. Winners are first; the others follow by score."""
        lost = self.shares <= 0
        key = np.where(lost, self.scores - self.scores.max() - 1.0, 0.0)
        return (key[:, :, None] < key[:, None, :]).sum(axis=2)

    def ratings(self) -> list[Rating] | None:
        """Plackett–Luce ratings by agent, from the places at every table; None without openskill.

        Games are rated one after the other, so they are shuffled first: else the last opponents would weigh most. An
        agent with several seats at a table takes the mean of what they would change.
        """
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            return None
        model = PlackettLuce(tau=0.0)  # skill does not drift: agents do not learn between games
        now = [model.rating() for _ in self.task.agents]
        order = self.order()
        for game in np.random.default_rng(self.task.seed).permutation(self.plan.games):
            table = self.agents[game].tolist()
            rated = model.rate([[now[a]] for a in table], ranks=order[game].tolist())
            for agent in set(table):
                new = [team[0] for a, team in zip(table, rated) if a == agent]
                mu, sigma = (float(np.mean([getattr(one, part) for one in new])) for part in ("mu", "sigma"))
                now[agent] = model.rating(mu=mu, sigma=sigma)
        return [Rating(one.mu, one.sigma) for one in now]


def _joined(pieces: list[tuple[np.ndarray, np.ndarray]]) -> Share:
    """The interval of (values, deals) in pieces."""
    return clustered_interval(np.concatenate([p[0] for p in pieces]), np.concatenate([p[1] for p in pieces]))
