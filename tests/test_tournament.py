"""Matches, intervals, simulations, and what tournaments play and count; how they are kept: test_tournament_folder."""

import importlib.util
import io
import itertools
import sys

import numpy as np
import pytest
from rich.console import Console

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.match import play
from boardgames_agents.measure import clustered_interval, paired_interval, wilson, win_shares
from boardgames_agents.simulation import simulate
from boardgames_agents.tournament import play_pairing, play_tournament, show
from boardgames_agents.tournament.plan import UNIT, make_plan
from boardgames_env import ActionError, Batch
from tests import tiny

GAME = boardgames_env.make("fungi")


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(50, 100, 0.4038, 0.5962), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (95, 100, 0.8882, 0.9785)],
)
def test_wilson_intervals(wins, games, low, high):
    """Against tabulated values (z = 1.96)."""
    share = wilson(wins, games)
    assert (share.low, share.high) == pytest.approx((low, high), abs=5e-4)
    assert wilson(0, 0).low == 0.0 and wilson(0, 0).high == 1.0


def test_paired_intervals_count_deals_not_games():
    wins = np.array([[1.0, 1.0], [0.0, 0.0]] * 50)
    assert paired_interval(wins).low == pytest.approx(0.5 - 1.96 * np.std([1, 0] * 50, ddof=1) / 10)
    assert paired_interval(np.array([[1.0, 0.0]] * 50)).mean == 0.5
    assert paired_interval(np.ones((10, 2))) == wilson(10, 10)


def test_clustered_intervals_of_unequal_clusters():
    """Against the sandwich variance of a regression on a constant, with the factor C / (C − 1)."""
    values, clusters = np.array([1.0, 0, 0, 1, 1, 0.5]), np.array([4, 4, 4, 2, 2, 9])
    residuals = values - values.mean()
    meat = sum(residuals[clusters == c].sum() ** 2 for c in (4, 2, 9))
    share = clustered_interval(values, clusters)
    assert share.mean == values.mean() and share.high - share.mean == pytest.approx(
        min(1 - values.mean(), 1.96 * np.sqrt(3 / 2 * meat) / 6)
    )
    assert np.isnan(clustered_interval(np.zeros(0), np.zeros(0, int)).mean)


def test_win_shares_from_returns():
    returns = np.array([[1, -1 / 3, -1 / 3, -1 / 3], [1 / 3, 1 / 3, -1 / 3, -1 / 3], [0, 0, 0, 0]])
    assert np.allclose(win_shares(returns), [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25] * 4])


@pytest.mark.parametrize(
    ("name", "at_least"), [("fungi", 0.95), ("fafaru", 0.75), ("mushroom_kingdom", 0.95), ("tree_society", 0.95)]
)
def test_greedy_beats_random(name, at_least):
    """With the fewest players; over 2,000 deals it wins 99.7, 82.6, 100.0 and 100.0 %."""
    pairing = play_pairing(boardgames_env.make(name), ("greedy", "random"), deals=200, seed=1)
    assert pairing.share.low > at_least and pairing.score > pairing.other_score


def test_pairings_are_deterministic_and_symmetric():
    first = play_pairing(GAME, ("greedy", "random"), deals=30, seed=5)
    again = play_pairing(GAME, ("greedy", "random"), deals=30, seed=5)
    assert first.share == again.share and (first.seat_shares == again.seat_shares).all()
    even = play_pairing(GAME, ("greedy", "greedy"), deals=40)
    assert even.share.mean == 0.5


def test_every_seat_is_played_with_more_players():
    game = tiny.make(num_players=3)

    class Bidder:
        def act(self, turns):
            assert turns.mask[:, tiny.BID].all()
            return np.full(len(turns.seat), tiny.BID)

    kept = []
    pairing = play_pairing(game, ("bid", "bid too"), 50, agents=[Bidder(), Bidder()], keep=kept.extend)
    assert pairing.games == 150 and len(kept) == 150 and len(pairing.seat_shares) == 3
    assert [one.agents.index("bid") for one in kept[:3]] == [0, 1, 2]
    assert kept[0].seed == kept[2].seed == kept[3].seed - 1


def test_an_illegal_agent_is_named():
    class Cheat:
        def act(self, turns):
            return np.full(len(turns.seat), 220)

    with pytest.raises(ActionError, match=r"an agent played something illegal: .*row 0: 'discard pan'"):
        play(Batch(GAME, 2), [Cheat()], np.zeros((2, 2), int))


@pytest.mark.parametrize("agents", [["random"], ["random", "greedy"]])
def test_simulate(agents):
    done = []
    result = simulate(GAME, agents, 60, seed=3, report=done.append)
    assert done == [60] and result.scores.shape == (60, 2) and result.plies.min() >= 20
    assert result.verbs.keys() == {"take", "cook", "sell", "place", "discard"}
    assert sum(result.verbs.values()) == result.plies.sum()
    assert np.allclose(result.shares.sum(axis=1), 1.0)
    assert sum(result.wins(seat).mean for seat in range(2)) == pytest.approx(1.0)
    if agents == ["random"]:
        batch = Batch(GAME, 60, seed=3)
        batch.playout()
        assert (result.scores == batch.states.score).all()


def test_simulate_refuses():
    by_score = boardgames_env.make("fungi", reward="score")
    for play_it in (
        lambda: simulate(by_score, ["random"], 1),
        lambda: play_pairing(by_score, ("random", "greedy"), 1),
        lambda: play_tournament(by_score, ["random", "greedy"], 1),
    ):
        with pytest.raises(ValueError, match="needs reward='win', to know who won; got 'score'"):
            play_it()
    with pytest.raises(ValueError, match=r"name 1..2 agents, got 3"):
        simulate(GAME, ["random"] * 3, 1)
    with pytest.raises(ValueError, match="there is no greedy agent for tiny"):
        make_agent(tiny.make(), "greedy")


# --- What a tournament plays --------------------------------------------------------------------------------

FAFARU = boardgames_env.make("fafaru", 5)


def names(count):
    return [f"agent {i}" for i in range(count)]


@pytest.mark.parametrize(
    ("agents", "players"), [(2, 3), (3, 3), (3, 4), (4, 6), (7, 5), (9, 3), (5, 4), (2, 4), (11, 10)]
)
def test_mixed_tables_are_balanced(agents, players):
    plan = make_plan(boardgames_env.make("fafaru", players), names(agents), deals=40, seed=3)
    counts = np.bincount(plan.lineups.ravel(), minlength=agents)
    assert (counts == counts[0]).all() and len(plan.lineups) >= 40 and len(set(plan.deals)) == len(plan.deals)
    for lineup in plan.lineups:
        seats = np.bincount(lineup, minlength=agents)
        assert seats.max() - seats.min() <= 1, "with fewer agents than seats all sit at every table"
    for table in (0, 5):
        seats = plan.seats(table)
        assert all(sorted(column) == sorted(plan.lineups[table]) for column in seats.T), "each has each seat once"
    met = np.zeros((agents, agents), int)
    for lineup in plan.lineups:
        met[np.ix_(lineup, lineup)] += 1
    assert (met > 0).all() or agents > 2 * players, "company changes"


def test_pairs_play_the_same_deals_from_both_seats():
    plan = make_plan(GAME, names(3), deals=4)
    assert plan.lineups[::4].tolist() == [[0, 1], [0, 2], [1, 2]] and plan.deals.tolist() == [0, 1, 2, 3] * 3
    assert plan.seats(0).tolist() == [[0, 1], [1, 0]] and plan.counted_seats().all() and plan.games == 24


def test_one_against_the_rest():
    plan = make_plan(FAFARU, names(3), deals=2, style="one-against-rest")
    assert plan.lineups[::2].tolist()[:3] == [[0, 1, 1, 1, 1], [0, 2, 2, 2, 2], [1, 0, 0, 0, 0]] and plan.games == 60
    for table in range(12):
        assert (plan.seats(table)[plan.counted_seats()] == plan.lineups[table][0]).all()
    results = play_tournament(FAFARU, ["greedy", "random"], 320, seed=5, style="one-against-rest")
    pairing = play_pairing(FAFARU, ("greedy", "random"), 320, seed=5)
    assert results.cross()["greedy", "random"].mean == pytest.approx(pairing.share.mean, abs=0.06)  # three deviations
    assert [row.games for row in results.standings()] == [1600, 1600]


@pytest.mark.parametrize(
    ("agents", "more", "message"),
    [
        (["greedy"], {}, "at least two agents"),
        (["greedy", "greedy"], {}, "named once only"),
        (["greedy", "random"], {"style": "swiss"}, "style must be mixed or one-against-rest, got 'swiss'"),
        (["greedy", "random"], {"deals": 0}, "deals must be at least 1, got 0"),
        (["greedy", "random"], {"jobs": 0}, "jobs must be at least 1, got 0"),
        (["greedy", "random"], {"seed": -1}, "seed must be an integer in"),
        (["greedy", "random"], {"seed": 2**64 - 3}, "seed must be an integer in"),
        (
            ["greedy", "liar"],
            {},
            r"unknown agent 'liar'; the agents are: random, greedy, .*\('liar' plays fafaru only\)",
        ),
        (["greedy", "random"], {"resume": True}, "name its folder"),
    ],
)
def test_tournaments_refuse(agents, more, message):
    with pytest.raises(ValueError, match=message):
        play_tournament(GAME, agents, **({"deals": 10} | more))


# --- What a tournament counts -------------------------------------------------------------------------------


def test_two_players_agree_with_pairings():
    done = []
    results = play_tournament(GAME, ["greedy", "random"], 30, seed=5, report=lambda *now: done.append(now))
    pairing = play_pairing(GAME, ("greedy", "random"), 30, seed=5)
    best = results.standings()[0]
    assert done[0] == (0, 60) and done[1] == (2 * UNIT, 60) and done[-1] == (60, 60)
    assert best.agent == "greedy" and best.games == 60 and best.share.mean == pytest.approx(pairing.share.mean, abs=0.1)
    cross = results.cross()
    assert cross["greedy", "random"].mean == pytest.approx(1 - cross["random", "greedy"].mean)
    assert cross["greedy", "random"] == pytest.approx(best.share)
    assert results.speeds[0].decisions > 0


def test_agents_that_play_alike_fare_alike():
    """Deterministic agents of one mind, on all seats of the same deals: exactly a fair share."""
    game = boardgames_env.make("fafaru", 3, claims=False)
    results = play_tournament(game, ["greedy", "honest", "liar"], 24)
    assert [row.share.mean for row in results.standings()] == pytest.approx([1 / 3] * 3)
    assert set(results.cross()) == set(itertools.permutations(results.task.agents, 2))


def test_ratings_and_places():
    results = play_tournament(FAFARU, ["greedy", "random", "silent"], 30)
    places = results.order()
    assert places.min() == 0 and (np.sort(places, axis=1)[:, 0] == 0).all()
    assert ((places == 0) == (results.shares > 0)).all(), "those who share the win are first"
    ratings = dict(zip(results.task.agents, results.ratings()))
    assert ratings["greedy"].mu > 26 > 24 > ratings["silent"].mu
    assert results.ratings() == results.ratings()


def test_shares_by_camp_use_the_contract():
    results = play_tournament(FAFARU, ["greedy", "random"], 20)
    assert results.camp_names and set(results.camp_names) == {"fresh", "fermented"}
    assert (np.sort(results.camps, axis=1) == np.sort(results.camps[0])).all(), "two of five are fermented"
    camps = results.standings()[0].camps
    assert list(camps) == ["fermented", "fresh"] and all(0 < share.mean < 1 for share in camps.values())
    assert play_tournament(GAME, ["greedy", "random"], 2).standings()[0].camps == {}


def test_without_openskill_all_else_is_there(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in show.NEEDS else found(name))
    results = play_tournament(GAME, ["greedy", "random"], 5, folder=tmp_path / "run")
    assert results.ratings() is None and results.standings()[0].rating is None
    assert "rating" not in (tmp_path / "run" / "table.csv").read_text() and not (tmp_path / "run" / "plot.png").exists()
    assert show.missing_parts()[0] == (
        "ratings left out: openskill is not installed; pip install 'boardgames-env[ratings]'"
    )


def test_long_names_fold_in_narrow_tables():
    results = play_tournament(FAFARU, ["greedy", "random"], 2)
    long = "policy:/somewhere/" + "deep/" * 20 + "policy.safetensors"
    results.task = results.task._replace(agents=("greedy", long))
    console = Console(width=80, file=io.StringIO())
    for table in show.tables(results):
        console.print(table)
    output = console.file.getvalue()
    assert "…" not in output and max(map(len, output.splitlines())) <= 80 and "100.0 % (" not in output.split("\n")[0]
