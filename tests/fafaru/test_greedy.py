"""The greedy agent against random ones, one seat each game."""

import numpy as np
import pytest

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.match import play
from boardgames_env.batch import Batch


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
