"""The greedy agent against random ones, one seat each game."""

import numpy as np
import pytest

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.greedy.fafaru import REACH_DOWN, ROOM, add_expected, expected
from boardgames_agents.match import play
from boardgames_env.batch import Batch
from boardgames_env.fafaru.cards import SALADIER_KINDS


@pytest.mark.parametrize(
    ("num_players", "mode", "at_least"), [(3, "aito", 0.7), (5, "aito", 0.4), (8, "beginner", 0.25)]
)
def test_greedy_wins_more_than_its_share(num_players, mode, at_least):
    games = 600
    game = boardgames_env.make("fafaru", num_players, mode=mode)
    batch, rows = Batch(game, games, 0), np.arange(games)
    seats = np.ones((games, num_players), int)
    seats[rows, rows % num_players] = 0
    play(batch, [make_agent(game, "greedy"), make_agent(game, "random", seed=1)], seats)
    pearls = game.scores(batch.states)
    won = pearls == pearls.max(axis=1, keepdims=True)
    assert (won / won.sum(axis=1, keepdims=True))[seats == 0].mean() > at_least


@pytest.mark.parametrize(
    "options", [{"claims": False}, {"simultaneous_bets": True}, {"mode": "beginner", "soyu": "never"}]
)
def test_greedy_plays_every_option(options):
    game = boardgames_env.make("fafaru", 10, **options)
    batch = Batch(game, 50)
    play(batch, [make_agent(game, "greedy")], np.zeros((50, 10), int))
    assert batch.over.all()


def test_a_card_on_top_changes_what_a_few_cards_below_it_count_and_no_others():
    """What is reckoned once for all cards of the hand, and for each the top of the ma'a, is what the whole counts."""
    rng = np.random.default_rng(5)
    for _ in range(2000):
        m = int(rng.integers(0, 14))
        cards, trust = np.zeros(ROOM, np.int8), np.zeros(ROOM)
        kinds = rng.permutation(SALADIER_KINDS)[: rng.integers(2, SALADIER_KINDS)]  # few: they meet more often
        cards[:m], trust[: m + 1] = rng.choice(kinds, m), rng.random(m + 1)
        first = max(0, m - REACH_DOWN)
        below = add_expected(0.0, cards, trust, m, 0, first)
        cards[m] = rng.choice(kinds)
        assert add_expected(below, cards, trust, m + 1, first, m + 1) == expected(cards, trust, m + 1)
