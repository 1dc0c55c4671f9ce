"""Fafaru: counting a ma'a (K40). The rules and the public function `count` call the same `card_value`.

    position     0     1     2    …   m − 1
    card        c[0]  c[1]  c[2]  …  c[m − 1]      in play order: c[m − 1] lies on top

Adjacency is physical: a card interacts with the cards directly below and above it and with no others. So the value of a
card follows from its neighbourhood, and counting needs no memory of its own.
"""

import functools
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from boardgames_env.fafaru.cards import CODES, FLY, ICE, LID, MOO, NUMBERS, SALADIER_KINDS, SUN, TIKI
from boardgames_env.jit import jit, kernel

MODES = ("aito", "beginner")
LID_RULES = ("after_fly", "before_fly", "either")
FLY_RULES = ("eaten_first", "trapped_first")
AITO, BEGINNER = range(2)
AFTER_FLY, BEFORE_FLY, EITHER = range(3)
EATEN_FIRST, TRAPPED_FIRST = range(2)

# Why a card counts what it counts.
REASONS = ("", "frozen", "cancelled", "fighting", "eaten", "trapped", "trapping")
PLAIN, FROZEN, CANCELLED, FIGHTING, EATEN, TRAPPED, TRAPPING = range(7)
TRAPPED_FLY = -4


@jit
def card_at(cards, m, i):
    return int(cards[i]) if 0 <= i < m else -1


@jit
def frozen(cards, m, i):
    """A tiki lies next to it."""
    return card_at(cards, m, i - 1) == TIKI or card_at(cards, m, i + 1) == TIKI


@jit
def meets(cards, m, i, j, kind):
    """The neighbours i and j interact, and j is of that kind. For i and j next to each other, i not frozen."""
    return card_at(cards, m, j) == kind and not frozen(cards, m, j)


@jit
def meets_any(cards, m, i, kind):
    if frozen(cards, m, i):
        return False
    return meets(cards, m, i, i - 1, kind) or meets(cards, m, i, i + 1, kind)


@jit
def hungry(cards, m, i):  # K40 (2): a gecko that does not fight
    return card_at(cards, m, i) == MOO and not frozen(cards, m, i) and not meets_any(cards, m, i, MOO)


@jit
def in_reach(cards, m, i):  # K40 (3): a fly with a hungry gecko next to it
    return not frozen(cards, m, i) and (hungry(cards, m, i - 1) or hungry(cards, m, i + 1))


@jit
def shut(cards, m, i, lid_rule):  # K40 (4): a fly with a lid on it
    if frozen(cards, m, i):
        return False
    above = lid_rule != BEFORE_FLY and meets(cards, m, i, i + 1, LID)
    below = lid_rule != AFTER_FLY and meets(cards, m, i, i - 1, LID)
    return above or below


@jit
def fly_reason(cards, m, i, lid_rule, fly_between):
    """What becomes of the fly at i: EATEN, TRAPPED or PLAIN."""
    eaten, trapped = in_reach(cards, m, i), shut(cards, m, i, lid_rule)
    if eaten and not (trapped and fly_between == TRAPPED_FIRST):
        return EATEN
    return TRAPPED if trapped else PLAIN


@jit
def traps(cards, m, i, j, lid_rule, fly_between):
    """The lid at i shuts in the fly at j, next to it."""
    if not meets(cards, m, i, j, FLY) or fly_reason(cards, m, j, lid_rule, fly_between) != TRAPPED:
        return False
    return lid_rule == EITHER or (j < i) == (lid_rule == AFTER_FLY)


@jit
def aito_reason(cards, m, i, lid_rule, fly_between):
    kind = int(cards[i])
    if frozen(cards, m, i):
        return FROZEN
    if kind == SUN:
        return CANCELLED if meets_any(cards, m, i, ICE) else PLAIN
    if kind == ICE:
        return CANCELLED if meets_any(cards, m, i, SUN) else PLAIN
    if kind == MOO:
        return FIGHTING if meets_any(cards, m, i, MOO) else PLAIN
    if kind == FLY:
        return fly_reason(cards, m, i, lid_rule, fly_between)
    if kind == LID:
        below = traps(cards, m, i, i - 1, lid_rule, fly_between)
        return TRAPPING if below or traps(cards, m, i, i + 1, lid_rule, fly_between) else PLAIN
    return PLAIN


@jit
def beginner_reason(cards, m, i, gecko_eats):
    if gecko_eats and cards[i] == FLY and (card_at(cards, m, i - 1) == MOO or card_at(cards, m, i + 1) == MOO):
        return EATEN
    return PLAIN


@jit
def card_value(cards, m, i, mode, lid_rule, fly_between, gecko_eats):
    """(value, reason) of the card at i in the ma'a cards[0 … m−1]; the options as their codes."""
    if mode == BEGINNER:
        reason = beginner_reason(cards, m, i, gecko_eats)
    else:
        reason = aito_reason(cards, m, i, lid_rule, fly_between)
    if reason == TRAPPED:
        return TRAPPED_FLY, reason
    if reason in (CANCELLED, EATEN, TRAPPING):
        return 0, reason
    return int(NUMBERS[cards[i]]), reason


# --- For Python ---------------------------------------------------------------------------------------------


class CardValue(NamedTuple):
    card: str  # its code
    value: int
    reason: str  # one of REASONS; "" for a card that counts its number


class Count(NamedTuple):
    total: int
    cards: tuple[CardValue, ...]  # in play order


def value_rows(cards, settings, values, reasons):
    mode, lid_rule, fly_between, gecko_eats = settings
    for i in range(len(cards)):
        values[i], reasons[i] = card_value(cards, len(cards), i, mode, lid_rule, fly_between, gecko_eats)


@functools.cache
def _kernel():
    return kernel(value_rows, "fafaru-count", card_value=card_value)


def count(
    cards: Iterable,
    mode: str = "aito",
    lid_rule: str = "after_fly",
    fly_between: str = "eaten_first",
    beginner_gecko_eats: bool = True,
) -> Count:
    """Count a ma'a, given in play order as codes (`["FLY", "LID"]`, `"FLY LID"`) or as kinds 0 … 6.

    Raises ValueError for a card or a value of an option that there is not.
    """
    kinds = np.array([_kind(card) for card in (cards.split() if isinstance(cards, str) else cards)], np.int64)
    settings = np.array(
        [
            _place("mode", mode, MODES),
            _place("lid_rule", lid_rule, LID_RULES),
            _place("fly_between", fly_between, FLY_RULES),
            _place("beginner_gecko_eats", beginner_gecko_eats, (False, True)),
        ]
    )
    values, reasons = np.zeros(len(kinds), np.int64), np.zeros(len(kinds), np.int64)
    _kernel()(kinds, settings, values, reasons)
    rows = zip(kinds.tolist(), values.tolist(), reasons.tolist())
    return Count(int(values.sum()), tuple(CardValue(CODES[kind], value, REASONS[why]) for kind, value, why in rows))


def _kind(card) -> int:
    names = CODES[:SALADIER_KINDS]
    if isinstance(card, str) and card.upper() in names:
        return names.index(card.upper())
    if isinstance(card, (int, np.integer)) and not isinstance(card, bool) and 0 <= card < SALADIER_KINDS:
        return int(card)
    raise ValueError(f"fafaru: a card of the ma'a must be one of {', '.join(names)}, got {card!r}")


def _place(name: str, value, choices: tuple) -> int:
    for place, choice in enumerate(choices):
        if type(value) is type(choice) and value == choice:
            return place
    raise ValueError(f"fafaru: {name} must be {' or '.join(map(repr, choices))}, got {value!r}")
