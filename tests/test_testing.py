"""check_game catches what it is there for: each kind of fault is planted once."""

import pytest

from boardgames_env import make
from boardgames_env.game import state_dtype
from boardgames_env.jit import jit
from boardgames_env.rng import next64, randint
from boardgames_env.testing import check_game
from tests import tiny

pytestmark = pytest.mark.modes


@jit
def observe_with_leak(s, seat, obs):
    tiny.observe(s, seat, obs)
    obs.public.made[2] = s.card[(seat + 1) % s.num_players]


@jit
def legal_with_leak(s, mask):
    mask[tiny.BID] = 1
    mask[tiny.HOLD] = s.ply < 6 and s.card[(s.player + 1) % s.num_players] > 2


@jit
def nothing_legal(s, mask):
    mask[tiny.HOLD] = s.ply < 3


@jit
def unfair_step(s, action):
    tiny.step(s, action)
    s.returns[0] += 1.0


@jit
def step_without_ply(s, action):
    tiny.step(s, action)
    s.ply -= 1


@jit
def determinize_from_truth(s, seat):
    for other in range(s.num_players):
        if other != seat:
            s.card[other] = 1 + (s.card[other] + randint(s, 2)) % 5
    s.rng = next64(s)


@jit
def determinize_nothing(s, seat):
    s.rng = next64(s)


@jit
def determinize_own(s, seat):
    s.card[seat] = 1 + randint(s, 5)
    s.rng = next64(s)


@jit
def same_deal(s):
    for seat in range(s.num_players):
        s.card[seat] = 1 + seat


def text_with_leak(s, seat=None):
    return tiny.text(s)


FAULTS = {
    "the observation shows": {"observe": observe_with_leak},
    "the mask shows": {"legal": legal_with_leak},
    "nor a legal action": {"legal": nothing_legal},
    "not zero-sum": {"step": unfair_step},
    "must add 1 to ply": {"step": step_without_ply},
    "depends on something": {"determinize": determinize_from_truth},
    "changed nothing": {"determinize": determinize_nothing},
    "the observation shows something": {"determinize": determinize_own},
    "the text shows": {"text": text_with_leak},
    "all deals are the same": {"deal": same_deal, "determinize": determinize_nothing},
    "not over after max_plies": {"max_plies": 3},
    "above its largest value": {"high": tiny.HIGH * 0 + 1},
    "names must be distinct": {"action_name": lambda action: "bid"},
}


@pytest.mark.parametrize("players", tiny.PLAYERS)
def test_a_sound_game_passes(players):
    check_game(tiny.make(num_players=players))


@pytest.mark.parametrize("message", FAULTS)
def test_planted_fault_is_caught(message):
    with pytest.raises(AssertionError, match=message):
        check_game(tiny.make()._replace(**FAULTS[message]))


def test_what_is_not_conserved_is_caught():
    with pytest.raises(AssertionError, match="should be conserved"):
        check_game(tiny.make(), conserved=lambda states: states["made"].sum(axis=1))


def test_a_wrong_scale_of_scores_is_caught():
    paid = make("fungi", reward="score")
    check_game(paid, games=4)
    with pytest.raises(AssertionError, match="returns must be score_scale"):
        check_game(paid._replace(score_scale=1.0), games=4)


@pytest.mark.parametrize(("field", "message"), [(("deck", "u1"), "signed integer"), (("round", "i1"), "another name")])
def test_fields_that_would_go_wrong_are_refused(field, message):
    with pytest.raises(ValueError, match=message):
        state_dtype({}, [field])


def test_template_holds_players_and_options():
    state = tiny.make(num_players=3, bids=4).template[0]
    assert (state.num_players, state.bids, state.card.sum()) == (3, 4, 0)
