"""The count of a ma'a against the reference's, and its symmetries."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardgames_env import fafaru
from boardgames_env.fafaru.cards import CODES
from tests.fafaru import reference

PILES = st.lists(st.sampled_from(CODES[:7]), max_size=20)
LID_VALUES = ["after_fly", "before_fly", "either"]
FLY_VALUES = ["eaten_first", "trapped_first"]
LID_RULES, FLY_RULES = st.sampled_from(LID_VALUES), st.sampled_from(FLY_VALUES)


SETTINGS = [
    *({"lid_rule": lid, "fly_between": fly} for lid in LID_VALUES for fly in FLY_VALUES),
    *({"mode": "beginner", "beginner_gecko_eats": eats} for eats in (True, False)),
]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: "-".join(map(str, settings.values())))
def test_agrees_with_the_reference(settings):
    rng = random.Random(1)
    for _ in range(4000):
        pile = rng.choices(CODES[:7], rng.choices(range(1, 8), k=7), k=rng.randrange(25))  # some kinds more often
        counted = fafaru.count(pile, **settings)
        assert [card.value for card in counted.cards] == reference.card_values(pile, **settings), pile
        assert counted.total == sum(card.value for card in counted.cards)
        assert [card.card for card in counted.cards] == pile


@given(PILES, FLY_RULES)
def test_reversing_the_pile_swaps_the_lid_rules(pile, fly_between):
    after = fafaru.count(pile, lid_rule="after_fly", fly_between=fly_between)
    before = fafaru.count(pile[::-1], lid_rule="before_fly", fly_between=fly_between)
    assert after.cards == before.cards[::-1]
    either = fafaru.count(pile, lid_rule="either", fly_between=fly_between)
    assert either.cards == fafaru.count(pile[::-1], lid_rule="either", fly_between=fly_between).cards[::-1]


@given(PILES, PILES, LID_RULES)
def test_a_stop_separates(below, above, lid_rule):
    apart = fafaru.count(below, lid_rule=lid_rule).total + fafaru.count(above, lid_rule=lid_rule).total
    assert fafaru.count([*below, "FAA", *above], lid_rule=lid_rule).total == apart
