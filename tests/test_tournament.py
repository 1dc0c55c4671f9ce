"""Matches, intervals, tournaments and simulations."""

import numpy as np
import pytest

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.match import play
from boardgames_agents.measure import paired_interval, wilson, win_shares
from boardgames_agents.simulation import simulate
from boardgames_agents.tournament import play_pairing, play_tournament
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


def test_win_shares_from_returns():
    returns = np.array([[1, -1 / 3, -1 / 3, -1 / 3], [1 / 3, 1 / 3, -1 / 3, -1 / 3], [0, 0, 0, 0]])
    assert np.allclose(win_shares(returns), [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25] * 4])


@pytest.mark.parametrize("name", [n for n, m in boardgames_env.GAMES.items() if m.startswith("boardgames_env.")])
def test_greedy_beats_random_in_90_of_100(name):
    if name != "fungi":
        pytest.skip("the other games state their own bounds in their folders")
    game = boardgames_env.make(name)
    pairing = play_pairing(game, ("greedy", "random"), deals=200, seed=1)
    assert pairing.games == 400 and pairing.share.low > 0.9 and pairing.score > pairing.other_score


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


def test_tournaments_and_replays():
    kept, done = [], []
    pairings = play_tournament(GAME, ["random", "greedy"], 3, keep=kept.extend, done=done.append)
    assert done == pairings and len(kept) == 6
    for one in kept:
        one.check()


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
    with pytest.raises(ValueError, match="needs reward='win'"):
        simulate(boardgames_env.make("fungi", reward="score"), ["random"], 1)
    with pytest.raises(ValueError, match=r"name 1..2 agents, got 3"):
        simulate(GAME, ["random"] * 3, 1)
    with pytest.raises(ValueError, match="there is no greedy agent for tiny"):
        make_agent(tiny.make(), "greedy")
