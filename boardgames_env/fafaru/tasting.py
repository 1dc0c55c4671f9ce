"""Fafaru: counting a ma'a (K40). The rules and the public function `count` call the same `weigh`.

    position     0     1     2    …   m − 1
    card        c[0]  c[1]  c[2]  …  c[m − 1]      in play order: c[m − 1] lies on top
    why          a reason for each card, from which its value follows

Adjacency is physical and never changes: only the pairs (i, i + 1) interact, and a card in between separates.
"""

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

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
def weigh(cards, m, mode, lid_rule, fly_between, gecko_eats, why):
    """Count the ma'a cards[0 … m−1]; the options as their codes. why[0 … m−1], all PLAIN on entry, gets the reasons."""
    if mode == BEGINNER:
        if gecko_eats == 1:
            feed_geckos(cards, m, why)
    else:
        freeze(cards, m, why)
        meet_one_another(cards, m, why)
        if fly_between == TRAPPED_FIRST:
            shut_lids(cards, m, lid_rule, why)
        feed_geckos(cards, m, why)
        shut_lids(cards, m, lid_rule, why)
    total = 0
    for i in range(m):
        total += value(int(cards[i]), int(why[i]))
    return total


@jit
def value(kind, reason):
    if reason == TRAPPED:
        return TRAPPED_FLY
    if reason in (CANCELLED, EATEN, TRAPPING):
        return 0
    return int(NUMBERS[kind])


@jit
def freeze(cards, m, why):
    for i in range(m):
        if (i > 0 and cards[i - 1] == TIKI) or (i < m - 1 and cards[i + 1] == TIKI):
            why[i] = FROZEN


@jit
def live(why, i):
    return why[i] != FROZEN and why[i + 1] != FROZEN


@jit
def meet_one_another(cards, m, why):  # K40 (1), (2)
    for i in range(m - 1):
        if live(why, i):
            one, other = cards[i], cards[i + 1]
            if (one == SUN and other == ICE) or (one == ICE and other == SUN):
                why[i] = why[i + 1] = CANCELLED
            elif one == MOO and other == MOO:
                why[i] = why[i + 1] = FIGHTING


@jit
def feed_geckos(cards, m, why):  # K40 (3)
    for i in range(m - 1):
        if live(why, i):
            eat(cards, i, i + 1, why)
            eat(cards, i + 1, i, why)


@jit
def eat(cards, gecko, fly, why):
    if cards[gecko] == MOO and cards[fly] == FLY and why[gecko] != FIGHTING and why[fly] != TRAPPED:
        why[fly] = EATEN


@jit
def shut_lids(cards, m, lid_rule, why):  # K40 (4)
    for i in range(m - 1):
        if live(why, i):
            if lid_rule != BEFORE_FLY:
                shut(cards, i + 1, i, why)
            if lid_rule != AFTER_FLY:
                shut(cards, i, i + 1, why)


@jit
def shut(cards, lid, fly, why):
    if cards[lid] == LID and cards[fly] == FLY and why[fly] != EATEN:
        why[fly], why[lid] = TRAPPED, TRAPPING


# --- For Python ---------------------------------------------------------------------------------------------


class CardValue(NamedTuple):
    card: str  # its code
    value: int
    reason: str  # one of REASONS; "" for a card that counts its number


class Count(NamedTuple):
    total: int
    cards: tuple[CardValue, ...]  # in play order


def weigh_cards(cards, settings, why, values):
    mode, lid_rule, fly_between, gecko_eats = settings
    weigh(cards, len(cards), mode, lid_rule, fly_between, gecko_eats, why)
    for i in range(len(cards)):
        values[i] = value(cards[i], why[i])


@functools.cache
def _kernel() -> Any:
    return kernel(weigh_cards, "fafaru-count", weigh=weigh, value=value)


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
    why, values = np.zeros(len(kinds), np.int64), np.zeros(len(kinds), np.int64)
    _kernel()(kinds, settings, why, values)
    cards_counted = [CardValue(CODES[k], int(v), REASONS[w]) for k, v, w in zip(kinds, values, why)]
    return Count(int(values.sum()), tuple(cards_counted))


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
