"""Fungi, greedy: take the action that gains most in the worth of hand, display and score.

A hand is worth the sets that it can still become: each kind counts its flavour times the chance that it will be
cooked, which grows with its number and falls as the game runs out of turns. Cards that fill the last places in the
hand cost extra. All numbers were found by trying; they are not tuned to any opponent.
"""

import numpy as np

from boardgames_env.fungi.cards import (
    BUTTER,
    BUTTER_FLAVOUR,
    CIDER,
    CIDER_FLAVOUR,
    FLAVOUR,
    HAND_KINDS,
    LARGEST_SET,
    MUSHROOMS,
    NIGHT,
    NIGHTS,
    PAN,
    STICKS,
)
from boardgames_env.fungi.observation import FACE_UP
from boardgames_env.fungi.rules import (
    COOK,
    COOK_SETS,
    DISCARD,
    PLACE_PAN,
    ROW,
    SALES,
    SELL,
    TAKE,
    TAKE_DECAY,
    price,
)
from boardgames_env.jit import jit

BASKET_COLUMN, MOON_COLUMN, FLY_AGARIC_COLUMN = FACE_UP - 3, FACE_UP - 2, FACE_UP - 1

COOKED = np.array([0.0, 0.20, 0.50, 0.85, 0.92, 0.95, 0.97])  # chance that a set of so many mushrooms is cooked
STICK = 0.35
SLOT = np.array([2.5, 1.2, 0.6, 0.3, 0.15, 0.0])  # worth of a free place in the hand, by how many there are already
PANS = np.array([0.0, 2.6, 3.8, 4.4])  # worth of so many empty pans
CARDS_A_TURN = 3.0  # that leave forest and draw pile between two turns of one player
TURNS_A_SET = 2.5  # to complete and cook a set


@jit
def choose(obs, mask):
    hand = np.zeros(HAND_KINDS)
    for kind in range(HAND_KINDS):
        hand[kind] = obs.private.hand[kind]
    table = obs.public
    free = int(table.hand_limit[0]) * 1.0 - int(table.hand_size[0])
    pans = table.pans[0] * 1.0
    now = hand_worth(table, hand, pans) + slots_worth(free)
    best, best_gain = -1, -1e9
    for action in range(len(mask)):
        if mask[action]:
            gain = gain_of(table, hand, free, pans, action) - now
            if gain > best_gain:
                best, best_gain = action, gain
    return best


@jit
def gain_of(table, hand, free, pans, action):
    """Worth of hand, free places and points after the action."""
    after = hand.copy()
    gain = 0.0
    if action < TAKE_DECAY:
        gain = -STICK * price(action - TAKE)
        for column in range(FACE_UP):
            if table.forest[action - TAKE, column]:
                free, bonus = add_card(table, after, free, column)
                gain += bonus
    elif action < COOK:
        for column in range(FACE_UP):
            for _ in range(table.decay[column]):
                free, bonus = add_card(table, after, free, column)
                gain += bonus
    elif action < SELL:
        kind, size, butter, cider = COOK_SETS[action - COOK]
        free += remove_set(after, kind, size) + butter + cider
        after[BUTTER] -= butter
        after[CIDER] -= cider
        gain = size * FLAVOUR[kind] + BUTTER_FLAVOUR * butter + CIDER_FLAVOUR * cider * 1.0
        if pans > 0:
            pans -= 1
        else:
            after[PAN] -= 1
            free += 1
    elif action < PLACE_PAN:
        kind, size = SALES[action - SELL]
        free += remove_set(after, kind, size)
        gain = STICK * useful_sticks(table, size * STICKS[kind])
    elif action < DISCARD:
        after[PAN] -= 1
        pans += 1
        free += 1
        gain = -0.5  # a turn that brings no card
    else:
        after[action - DISCARD] -= 1
        free += 1
    return gain + hand_worth(table, after, pans) + slots_worth(free)


@jit
def add_card(table, hand, free, column):
    """Put a face-up card into the hand; returns the free places then, and what else the card brings."""
    time = turns_left(table)
    if column == BASKET_COLUMN:
        return free + 2, 0.15 * min(time, 12.0)
    if column == MOON_COLUMN:
        return free - 1, 2.4 * min(1.0, time / 6.0)
    if column == FLY_AGARIC_COLUMN:
        return free - 4, -1.0
    kind = column if column < NIGHT else column + NIGHTS
    hand[kind] += 1
    return free - 1, 0.0


@jit
def remove_set(hand, kind, size):
    """Take a set from the hand, day cards first; returns the number of cards."""
    if size <= hand[kind]:
        hand[kind] -= size
        return size
    hand[NIGHT + kind] -= 1
    hand[kind] -= size - 2
    return size - 1


@jit
def useful_sticks(table, gained):
    """Sticks beyond what can be spent before the end are worth little."""
    wanted = 1.5 * turns_left(table)
    return min(gained * 1.0, max(0.0, wanted - int(table.sticks[0]))) + 0.1 * gained


@jit
def turns_left(table):
    cards = table.deck_left * 1.0
    for i in range(ROW):
        for column in range(FACE_UP):
            cards += table.forest[i, column]
    return cards / CARDS_A_TURN


@jit
def hand_worth(table, hand, pans):
    time = turns_left(table)
    worth = 0.0
    largest = 0
    for kind in range(MUSHROOMS):
        size = hand[kind]
        if kind < NIGHTS:
            size += 2 * hand[NIGHT + kind]
        if size > 0:
            worth += FLAVOUR[kind] * size * chance_to_cook(table, kind, int(size), time)
            largest = max(largest, int(size))
    worth += hand[BUTTER] * BUTTER_FLAVOUR * extra_chance(largest, 4, time)
    worth += hand[CIDER] * CIDER_FLAVOUR * extra_chance(largest, 5, time)
    usable = min(pans + hand[PAN], min(3.0, time / TURNS_A_SET))
    whole = int(usable)
    worth += PANS[whole]
    if whole < 3:
        worth += (usable - whole) * (PANS[whole + 1] - PANS[whole])
    return worth - 0.2 * hand[PAN]


@jit
def chance_to_cook(table, kind, size, time):
    """COOKED, less where too few mushrooms of the kind are left or too little time."""
    gone = int(table.out[kind]) + int(table.known[1, kind]) * 1.0
    if kind < NIGHTS:
        gone += 2 * int(table.out[NIGHT + kind])
    if size < 3:
        missing = 3 - size
        left = LARGEST_SET[kind] - gone - size
        if left < missing:
            return 0.0
        needed = 1.0 + 2.0 * missing
        return COOKED[size] * min(1.0, time / needed) * min(1.0, left / (3.0 * missing))
    return COOKED[min(size, 6)] * min(1.0, time / 1.5)


@jit
def extra_chance(largest, needed, time):
    """Chance that butter or cider goes into a set of the size needed."""
    if largest >= needed:
        return 0.8 * min(1.0, time / 1.5)
    return 0.35 * min(1.0, time / (2.0 * (needed - largest) + 1.0))


@jit
def slots_worth(free):
    """Worth of free places in the hand: the last ones count most."""
    worth = 0.0
    for i in range(min(int(max(free, 0.0)), len(SLOT))):
        worth += SLOT[i]
    return worth
