"""The count of a ma'a against a literal reading of K40, and its symmetries."""

from hypothesis import given
from hypothesis import strategies as st

from boardgames_env import fafaru
from boardgames_env.fafaru.cards import CODES

NUMBERS = {"SUN": -1, "FLY": -2, "MOO": 0, "ICE": 2, "LID": 1, "TIKI": 4, "FAA": 0}
PILES = st.lists(st.sampled_from(CODES[:7]), max_size=20)
LID_RULES = st.sampled_from(["after_fly", "before_fly", "either"])
FLY_RULES = st.sampled_from(["eaten_first", "trapped_first"])


def literal(c, lid_rule, fly_between):
    """K40, step by step."""
    m = len(c)
    frozen = [(i > 0 and c[i - 1] == "TIKI") or (i < m - 1 and c[i + 1] == "TIKI") for i in range(m)]
    live = [(i, j) for i in range(m) for j in (i - 1, i + 1) if 0 <= j < m and not frozen[i] and not frozen[j]]
    cancelled = {i for i, j in live if {c[i], c[j]} == {"SUN", "ICE"}}
    fighting = {i for i, j in live if c[i] == c[j] == "MOO"}
    eaten = {j for i, j in live if c[i] == "MOO" and c[j] == "FLY" and i not in fighting}
    pairs = [(i, j) for i, j in live if c[i] == "FLY" and c[j] == "LID"]
    pairs = [(i, j) for i, j in pairs if lid_rule == "either" or (j > i) == (lid_rule == "after_fly")]
    if fly_between == "trapped_first":
        eaten -= {i for i, _ in pairs}
    trapped = {i for i, _ in pairs if i not in eaten}
    trapping = {j for i, j in pairs if i not in eaten}
    values = [NUMBERS[card] for card in c]
    for i in cancelled | eaten | trapping:
        values[i] = 0
    for i in trapped:
        values[i] = -4
    return values


@given(PILES, LID_RULES, FLY_RULES)
def test_agrees_with_a_literal_reading(pile, lid_rule, fly_between):
    counted = fafaru.count(pile, lid_rule=lid_rule, fly_between=fly_between)
    assert [card.value for card in counted.cards] == literal(pile, lid_rule, fly_between)
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


@given(PILES, st.booleans())
def test_beginner_counts_numbers(pile, gecko_eats):
    counted = fafaru.count(pile, mode="beginner", beginner_gecko_eats=gecko_eats)
    for i, card in enumerate(counted.cards):
        near = pile[max(0, i - 1) : i] + pile[i + 1 : i + 2]
        eaten = gecko_eats and card.card == "FLY" and "MOO" in near
        assert card.value == (0 if eaten else NUMBERS[card.card])
