"""What search believes of hidden roles and cards: counted rightly, and better than chance."""

import numpy as np
import pytest

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.greedy import fafaru_beliefs as beliefs
from boardgames_agents.search import SearchAgent
from boardgames_env import Batch
from boardgames_env.fafaru import count
from boardgames_env.fafaru.cards import CODES, FRESH
from boardgames_env.fafaru.rules import FOLLOWS, NO_BET
from boardgames_env.jit import jit, records

OTHERS = 12


@jit
def weigh_all(states, seats, out):
    for i in range(len(states)):
        out[i] = beliefs.plausibility(states[i], seats[i])


@jit
def tally_all(states, seats, found):
    for i in range(len(states)):
        beliefs.tally(states[i], seats[i], found[i])


def positions(players, agent="greedy", games=60, decisions=25):
    """A batch of games that are under way."""
    game = boardgames_env.make("fafaru", players)
    batch, player = Batch(game, games, seed=4), make_agent(game, agent, 0)
    for _ in range(decisions):
        batch.step(player.act(batch.turns()), np.flatnonzero(~batch.over))
        batch.reset(batch.over)
    return batch


def plain_tally(s, seat):
    """The same from the fields, as a list of places."""
    places = []
    camp = [0 if role == FRESH else 1 for role in s.role]
    for p in range(s.maa_size):
        if s.author[p] != seat:
            places.append(beliefs.PLAY + camp[s.author[p]] * 56 + s.played[p] * 8 + s.claim[p] + 1)
    total = count([CODES[card] for card in s.maa[: s.maa_size]]).total if s.maa_size else 0
    for other in set(range(s.num_players)) - {seat}:
        own = int(np.clip(-total if camp[other] else total, -4, 4)) + 4
        for accused in range(s.num_players):
            places += [beliefs.ACCUSATION + 2 * camp[other] + camp[accused]] * int(s.accusations[accused, other])
        if other == s.caller:
            places.append(beliefs.BET + own)
        elif s.bet[other] != NO_BET:
            places.append(beliefs.BET + (9 if s.bet[other] == FOLLOWS else 18) + own)
        if other != s.caller and s.turns[other] >= 3:
            places.append(beliefs.NO_CALL + own)
        if not s.handed[other]:
            for card in range(7):
                places += [beliefs.HAND + 7 * camp[other] + card] * int(s.hand[other, card])
    return np.bincount(places, minlength=beliefs.SIZE)


def test_what_is_counted():
    batch = positions(5, "random", games=200)
    seats = batch.player.astype(np.int64)
    found = np.zeros((batch.size, beliefs.SIZE), np.int64)
    tally_all(records(batch.states), seats, found)
    for row in range(batch.size):
        assert (found[row] == plain_tally(batch.states[row], seats[row])).all(), row
    assert (found.sum(axis=0) > 0).mean() > 0.7  # the rest is rare


@pytest.mark.parametrize("players", [3, 5, 7])
def test_the_true_state_is_more_plausible_than_others(players):
    batch = positions(players)
    turns = batch.turns()
    true, others = np.zeros(batch.size), np.zeros(batch.size * OTHERS)
    weigh_all(records(batch.states), turns.seat, true)
    weigh_all(records(turns.sample(OTHERS, 1)), np.repeat(turns.seat, OTHERS), others)
    best = (true[:, None] >= others.reshape(-1, OTHERS)).all(axis=1).mean()
    assert best > 0.5  # 1 / 13 by chance


def test_search_prefers_plausible_states():
    """With many determinizations to choose from, what it expects of a bet differs from what chance would give."""
    batch = positions(5, decisions=40)
    turns = batch.turns()
    blind = SearchAgent(batch.game, sims=60, seed=1, particles=1).search(turns)
    seeing = SearchAgent(batch.game, sims=60, seed=1, particles=200).search(turns)
    assert np.abs(blind.values - seeing.values).mean(where=(blind.visits > 10) & (seeing.visits > 10)) > 0.02
    assert (SearchAgent(batch.game, sims=60, seed=1, particles=200).search(turns).visits == seeing.visits).all()
