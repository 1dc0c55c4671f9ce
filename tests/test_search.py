"""Search: what it may know, what it finds, and what it costs."""

import itertools

import numpy as np
import pytest

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.search import MonteCarloAgent, SearchAgent
from boardgames_env import Batch
from boardgames_env.jit import DISABLED
from tests import tiny
from tests.exhaustive import sure_wins

OURS = [n for n, m in boardgames_env.GAMES.items() if m.startswith("boardgames_env.")]
FUNGI = boardgames_env.make("fungi")


def after(game, plies, rows=4, seed=0):
    """A batch of games after so many random decisions; those that are over by then have begun anew."""
    batch = Batch(game, rows, seed)
    for _ in range(plies):
        batch.step(batch.sample())
        batch.reset(batch.over)
    return batch


@pytest.mark.parametrize("playout", ["random", "greedy"])
@pytest.mark.parametrize("name", OURS)
def test_the_search_never_sees_the_truth(name, playout):
    """With all that a seat cannot know exchanged, it finds the same, simulation by simulation."""
    game = boardgames_env.make(name)
    agent = SearchAgent(game, sims=40, playout=playout, seed=5)
    changed = 0
    for plies in (0, 7, 20):
        batch = after(game, plies)
        other = batch.copy()
        other.states[:] = batch.turns().sample(1, seed=99)
        changed += np.count_nonzero(batch.states != other.states)
        mine, theirs = agent.search(batch.turns()), agent.search(other.turns())
        assert (mine.visits == theirs.visits).all() and (mine.values == theirs.values).all()
    assert changed > 0


@pytest.mark.parametrize("name", OURS)
def test_a_decision_depends_on_seed_and_sight_alone(name):
    """Not on the batch around it, its order, the number of threads, or what was searched before."""
    game = boardgames_env.make(name)
    batch = after(game, 9, rows=6)
    agent = SearchAgent(game, sims=30, seed=3)
    turns = batch.turns()
    together = agent.search(turns)
    assert (SearchAgent(game, sims=30, seed=3, threads=3).search(turns).visits == together.visits).all()
    order = [4, 1, 5]
    assert (agent.search(batch.turns(order)).visits == together.visits[order]).all()
    agent.reseed(4)
    assert (agent.search(turns).visits != together.visits).any()
    agent.reseed(3)
    assert (agent.act(turns) == SearchAgent(game, sims=30, seed=3).act(turns)).all()


@pytest.mark.parametrize(("name", "players"), [(n, boardgames_env.game_module(n).PLAYERS[-1]) for n in OURS])
def test_every_simulation_is_counted_and_valued(name, players):
    game = boardgames_env.make(name, players)
    turns = after(game, 3).turns()
    for agent in (SearchAgent(game, sims=50, seed=0), MonteCarloAgent(game, sims=50, playout="random", seed=0)):
        found = agent.search(turns)
        assert (found.visits.sum(axis=1) == 50).all()
        assert ((found.visits > 0) <= (turns.mask > 0)).all()
        assert ((found.values >= 0) & (found.values <= 1)).all() and (found.values[found.visits == 0] == 0).all()
        chosen = agent.act(turns)
        assert turns.mask[np.arange(4), chosen].all()


@pytest.mark.parametrize("name", OURS)
def test_what_is_played_is_known_before_all_simulations_are_made(name):
    """The rest is saved where it cannot change the choice, and where it could it is made."""
    game = boardgames_env.make(name)
    agent = SearchAgent(game, sims=120, seed=6)
    saved = 0
    for plies in (2, 8, 14, 20):
        turns = after(game, plies, rows=16).turns()
        found, cut = agent.search(turns), agent.search(turns, until_settled=True)
        assert (agent.choose(cut) == agent.choose(found)).all()
        assert (cut.visits <= found.visits).all()
        most = np.sort(cut.visits, axis=1)
        left = 120 - cut.visits.sum(axis=1)
        assert ((left == 0) | (most[:, -1] - most[:, -2] > left)).all()
        saved += np.count_nonzero(left)
    assert saved > 0


@pytest.mark.parametrize(
    ("name", "players", "horizon", "particles"),
    [("mushroom_kingdom", 2, 60, 1), ("mushroom_kingdom", 3, 0, 1), ("fafaru", 5, 40, 1000), ("fungi", 2, 0, 1)],
)
def test_settings_suit_the_game_and_its_players_unless_they_are_given(name, players, horizon, particles):
    game = boardgames_env.make(name, players)
    how = SearchAgent(game).how
    assert (how.horizon, how.by_lead, how.particles) == (horizon or game.max_plies, horizon > 0, particles)
    how = SearchAgent(game, horizon=7, particles=2).how
    assert (how.horizon, how.by_lead, how.particles) == (7, True, 2 if particles > 1 else 1)
    how = SearchAgent(game, playout="random").how
    assert (how.horizon, how.by_lead, how.particles) == (game.max_plies, False, 1)


def test_flat_monte_carlo_makes_all_its_simulations():
    """It chooses by value, which the last of them can change."""
    agent = MonteCarloAgent(FUNGI, sims=90, seed=1)
    found = agent.search(after(FUNGI, 4).turns(), until_settled=True)
    assert (found.visits.sum(axis=1) == 90).all()


def test_flat_monte_carlo_spreads_evenly_and_takes_the_best_mean():
    turns = after(FUNGI, 4).turns()
    agent = MonteCarloAgent(FUNGI, sims=90, seed=1)
    found = agent.search(turns)
    for visits, values, mask, action in zip(found.visits, found.values, turns.mask, agent.act(turns)):
        spread = visits[mask > 0]
        assert spread.max() - spread.min() <= 1
        assert values[action] == values[mask > 0].max()


@pytest.mark.parametrize("name", OURS)
def test_a_node_budget_that_runs_out_ends_the_search(name):
    """Nothing is overwritten: the search is the beginning of the unlimited one."""
    game = boardgames_env.make(name)
    turns = after(game, 5).turns()
    limited = SearchAgent(game, sims=500, nodes=20, seed=2).search(turns)
    free = SearchAgent(game, sims=19, seed=2).search(turns)
    assert (limited.visits.sum(axis=1) >= 19).all() and (limited.visits.sum(axis=1) < 500).any()
    assert (limited.visits >= free.visits).all()
    agent = SearchAgent(game, sims=10, nodes=8, seed=2)
    memory = agent._memory()
    assert len(memory.nodes) == 8


def test_a_limit_of_time_is_kept():
    import time

    agent = SearchAgent(FUNGI, time_ms=60, playout="random", seed=0)
    turns = Batch(FUNGI, 1).turns()
    agent.act(turns)  # compiled by now
    start = time.perf_counter()
    found = agent.search(turns)
    assert time.perf_counter() - start < 2.0 and found.visits.sum() >= 32
    both = SearchAgent(FUNGI, sims=40, time_ms=10_000, seed=0).search(turns)
    assert both.visits.sum() == 40
    assert (SearchAgent(FUNGI, sims=40, seed=0).search(turns).visits == both.visits).all(), "slices change nothing"


def test_a_horizon_values_the_lead_as_a_game_paid_by_score_does():
    """reward="win" with a horizon is searched as reward="score" with the same one, to the last bit."""
    for name in OURS:
        paid = boardgames_env.make(name, reward="score")
        won = boardgames_env.make(name)
        batch, twin = after(won, 30), after(paid, 30)
        assert (batch.observe() == twin.observe()).all()
        options = {"sims": 60, "horizon": 15, "seed": 8}
        found, wanted = (
            SearchAgent(won, **options).search(batch.turns()),
            SearchAgent(paid, **options).search(twin.turns()),
        )
        assert (found.visits == wanted.visits).all() and np.allclose(found.values, wanted.values, atol=1e-6)


def test_games_from_outside_are_searched_too():
    game = tiny.make(3)
    batch = Batch(game, 16, seed=1)
    agent = SearchAgent(game, sims=200, seed=0)
    assert agent.playout == "random"
    actions = agent.act(batch.turns())
    assert batch.legal()[np.arange(16), actions].all()


def end_positions(name, games, last):
    """(states [N], bool[N, A]): decisions near the end of greedy games where some actions win for certain, not all."""
    game = boardgames_env.make(name)
    batch, greedy = Batch(game, games, seed=1000), make_agent(game, "greedy")
    past = []
    while not batch.over.all():
        past.append(batch.states.copy())
        rows = np.flatnonzero(~batch.over)
        batch.step(greedy.act(batch.turns(rows)), rows)
    states, winning = [], []
    for row, back in itertools.product(range(games), range(1, last + 1)):
        position = Batch(game, 1)
        position.states[:] = past[int(batch.states.ply[row]) - back][row : row + 1]
        wins = sure_wins(game, position, 0) if position.legal().sum() > 1 else None
        if wins is not None and wins.any() and not wins[position.legal()[0] > 0].all():
            states.append(position.states)
            winning.append(wins)
    return np.concatenate(states).view(np.recarray), np.array(winning)


@pytest.mark.skipif(DISABLED, reason="too slow where nothing is compiled")
@pytest.mark.parametrize(("name", "games", "last", "least"), [("fungi", 60, 3, 25), ("tree_society", 60, 3, 8)])
def test_search_finds_the_winning_move_in_end_positions(name, games, last, least):
    """Against exhaustive search of all that can follow, in a dozen determinizations each."""
    game = boardgames_env.make(name)
    states, winning = end_positions(name, games, last)
    assert len(states) >= least
    batch = Batch(game, len(states))
    batch.states[:] = states
    for playout in ("random", "greedy"):
        actions = SearchAgent(game, sims=1600, playout=playout, seed=0).act(batch.turns())
        missed = ~winning[np.arange(len(states)), actions]
        assert not missed.any(), f"{playout}: {missed.sum()} of {len(states)} missed: {np.flatnonzero(missed)}"


def test_bad_settings_list_what_is_valid():
    for name, message in [
        ("ismcts:sim=3", r"unknown parameter 'sim=3'; the parameters are: sims=1..1000000000, time_ms="),
        ("ismcts:sims=0", r"sims must be 1..1000000000, got '0'"),
        ("ismcts:sims=x", r"sims must be 1..1000000000, got 'x'"),
        ("ismcts:c=-1", r"c must be 0..1000, got '-1'"),
        ("ismcts:c=nan", r"c must be 0..1000, got 'nan'"),
        ("ismcts:playout=best", r"playout must be random or greedy, got 'best'"),
        ("ismcts:sims=3,sims=4", r"sims is given twice"),
        ("monte_carlo:c=1", r"unknown parameter 'c=1'"),
    ]:
        with pytest.raises(ValueError, match=message):
            make_agent(FUNGI, name)
    for settings, message in [
        ({"sims": 0}, "sims must be greater than 0"),
        ({"playout": "best"}, "playout must be random or greedy"),
        ({"c": -1.0}, "c must be at least 0"),
        ({"depths": 1}, "unknown setting 'depths'; the settings are: c, guide, horizon, particles"),
    ]:
        with pytest.raises(ValueError, match=message):
            SearchAgent(FUNGI, **settings)
    with pytest.raises(ValueError, match="no greedy agent for tiny"):
        SearchAgent(tiny.make(), playout="greedy")
    with pytest.raises(ValueError, match="a horizon needs a game that can pay by score"):
        SearchAgent(tiny.make(), horizon=5)
