"""One agent against another: the same deals from every seat. Quick, in memory, and with agents that have no name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from boardgames_agents.match import play
from boardgames_agents.measure import Share, check_reward, paired_interval, win_shares
from boardgames_agents.registry import make_agent
from boardgames_env import Agent, Batch, Game
from boardgames_env import replay as replays

DEALS_AT_ONCE = 2048


class Pairing(NamedTuple):
    """What came of `deals` deals between two agents, from the first one's side.

    With more than two players the first has one seat, each seat once a deal, and the second all others.
    """

    first: str
    second: str
    games: int
    share: Share  # of wins; a fair share is 1 / players
    score: float  # mean score of the first
    other_score: float  # mean score of the second
    seat_shares: np.ndarray  # float[P], share of wins from each seat
    shares: np.ndarray  # float[deals, P], share of the win in each game, by seat of the first
    camps: np.ndarray  # int[deals, P], camp of the first at the end; −1 in games without camps


def play_pairing(
    game: Game,
    names: tuple[str, str],
    deals: int,
    seed: int = 0,
    agents: Sequence[Agent] | None = None,
    keep: Callable[[list[replays.Replay]], Any] | None = None,
) -> Pairing:
    """Play `deals` deals, seeds seed, seed + 1, …, each once from every seat of the first agent.

    `keep` gets the replays of all games. Agents are made by name unless given. Winners are read from the returns, so
    `game` needs `reward="win"`; ValueError otherwise.
    """
    check_reward(game)
    if agents is None:
        agents = [make_agent(game, name, seed + i) for i, name in enumerate(names)]
    wins: list[np.ndarray] = []
    scores: list[np.ndarray] = []
    others: list[np.ndarray] = []
    camps: list[np.ndarray] = []
    for start in range(0, deals, DEALS_AT_ONCE):
        count = min(DEALS_AT_ONCE, deals - start)
        result = _play_deals(game, names, agents, np.arange(start, start + count) + seed, keep)
        for all_results, part in zip((wins, scores, others, camps), result):
            all_results.append(part)
    shares = np.concatenate(wins)
    return Pairing(
        *names,
        games=shares.size,
        share=paired_interval(shares),
        score=float(np.concatenate(scores).mean()),
        other_score=float(np.concatenate(others).mean()),
        seat_shares=shares.mean(axis=0),
        shares=shares,
        camps=np.concatenate(camps),
    )


def _play_deals(
    game: Game,
    names: tuple[str, str],
    agents: Sequence[Agent],
    seeds: np.ndarray,
    keep: Callable[[list[replays.Replay]], Any] | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(win shares, scores of the first, mean scores of the second, camps), each [deals, P] by seat of the first."""
    players, deals = game.num_players, len(seeds)
    seat = np.tile(np.arange(players), deals)
    rows = np.arange(len(seat))
    seats = np.ones((len(seat), players), np.int64)
    seats[rows, seat] = 0
    batch = Batch(game, len(seat), np.repeat(seeds, players))
    actions: list[np.ndarray] = []
    play(batch, agents, seats, actions.append if keep else None)
    if keep:
        keep(replays.record(batch, actions, [[names[i] for i in row] for row in seats]))
    scores = np.asarray(game.scores(batch.states), float)
    own = scores[rows, seat]
    others = (scores.sum(axis=1) - own) / (players - 1)
    wins = win_shares(batch.returns)[rows, seat]
    camps = game.camps(batch.states)[1][rows, seat] if game.camps else np.full(len(seat), -1)
    shape = deals, players
    return wins.reshape(shape), own.reshape(shape), others.reshape(shape), camps.reshape(shape)
