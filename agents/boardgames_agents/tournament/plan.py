"""What is played: tables of agents, the deals they play, and units of work.

A *table* is one deal together with who sits at it. It is played once from every rotation of the seats, so that each
agent at it has each seat once:

    lineup      a b c       agents by seat
    game 0      a b c
    game 1      b c a
    game 2      c a b

A *unit* is a run of UNIT tables. The plan and its units depend on the settings alone, not on who plays them where or
in how many processes; chance in agents begins anew with each unit.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from boardgames_env import Game
from boardgames_env.batch import check_seed

UNIT = 16  # tables; what a kill can cost each process


class Plan(NamedTuple):
    """All tables of a tournament in order.

    Attributes:
        lineups: int64[T, P], agents by seat, before rotation.
        deals: int64[T], number of the deal; its seed is the tournament's plus that.
        counted: bool[P], the places in a lineup whose results count for their agent.
    """

    lineups: np.ndarray
    deals: np.ndarray
    counted: np.ndarray

    @property
    def players(self) -> int:
        return self.lineups.shape[1]

    @property
    def games(self) -> int:
        return self.lineups.size

    @property
    def units(self) -> int:
        return math.ceil(len(self.lineups) / UNIT)

    def tables(self, unit: int) -> range:
        """The tables of a unit."""
        return range(unit * UNIT, min((unit + 1) * UNIT, len(self.lineups)))

    def seats(self, table: int) -> np.ndarray:
        """int64[P, P]: agents by game (rotation) and seat."""
        places = np.arange(self.players)
        return self.lineups[table][(places[:, None] + places) % self.players]

    def counted_seats(self) -> np.ndarray:
        """bool[P, P]: by game of a table and seat, whether the result counts."""
        places = np.arange(self.players)
        return self.counted[(places[:, None] + places) % self.players]


def make_plan(game: Game, agents: Sequence[str], deals: int, seed: int = 0, style: str = "mixed") -> Plan:
    """The plan of a tournament; `style` is one of STYLES.

    Raises ValueError for fewer than two agents, an agent named twice, an unknown style, or a seed out of range.
    """
    if len(agents) < 2:
        raise ValueError("a tournament needs at least two agents")
    if len(set(agents)) < len(agents):
        raise ValueError("each agent can be named once only")
    if style not in STYLES:
        raise ValueError(f"the style must be {' or '.join(STYLES)}, got {style!r}")
    if deals < 1:
        raise ValueError(f"deals must be at least 1, got {deals}")
    lay = _pairs if game.num_players == 2 else STYLES[style]
    plan = lay(len(agents), game.num_players, deals, check_seed(seed))
    check_seed(seed + int(plan.deals.max()))
    return plan


def _pairs(agents: int, players: int, deals: int, seed: int) -> Plan:
    """Two players: all pairs, all of them on the same deals."""
    pairs = np.array(list(itertools.combinations(range(agents), 2)))
    return _on_the_same_deals(pairs, deals, np.ones(2, bool))


def _one_against_rest(agents: int, players: int, deals: int, seed: int) -> Plan:
    """Every agent alone against every other in all other seats, all on the same deals; the one alone counts."""
    pairs = [[one] + (players - 1) * [rest] for one, rest in itertools.permutations(range(agents), 2)]
    return _on_the_same_deals(np.array(pairs), deals, np.arange(players) == 0)


def _on_the_same_deals(lineups: np.ndarray, deals: int, counted: np.ndarray) -> Plan:
    return Plan(np.repeat(lineups, deals, axis=0), np.tile(np.arange(deals), len(lineups)), counted)


def _mixed(agents: int, players: int, deals: int, seed: int) -> Plan:
    """A deal a table, random company, everybody equally often.

    With fewer agents than seats each has as many seats at every table as go round, and the rest are balanced. The
    number of deals is rounded up to where everybody has played equally often.
    """
    copies, places = divmod(players, agents)
    if places:
        step = agents // math.gcd(agents, places)
        deals = math.ceil(deals / step) * step
    rng = np.random.default_rng(seed)
    waiting: list[int] = []
    lineups = np.empty((deals, players), np.int64)
    for table in range(deals):
        company = list(range(agents)) * copies + _next_company(rng, waiting, agents, places)
        lineups[table] = rng.permutation(company)
    return Plan(lineups, np.arange(deals), np.ones(players, bool))


def _next_company(rng: np.random.Generator, waiting: list[int], agents: int, places: int) -> list[int]:
    """`places` different agents from the queue; all join it again, in random order, when it is too short.

    Those already chosen go behind the others then, so that nobody sits at one table twice.
    """
    company = waiting[:places]
    del waiting[:places]
    if len(company) < places:
        queue = rng.permutation(agents).tolist()
        waiting += [a for a in queue if a not in company] + [a for a in queue if a in company]
        missing = places - len(company)
        company += waiting[:missing]
        del waiting[:missing]
    return company


STYLES: dict[str, Callable[[int, int, int, int], Plan]] = {"mixed": _mixed, "one-against-rest": _one_against_rest}
