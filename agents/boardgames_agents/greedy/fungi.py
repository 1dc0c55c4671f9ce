"""Fungi, greedy: take the action that gains most in the worth of hand, display and score.

A hand is worth the sets that it can still become: each kind counts its flavour times the chance that it will be
cooked, which grows with its number and falls as the game runs out of turns. Cards that fill the last places in the
hand cost extra. All numbers were found by trying; they are not tuned to any opponent.
"""

from typing import NamedTuple

import numpy as np

from boardgames_env.fungi.cards import (
    BUTTER,
    BUTTER_FLAVOUR,
    CIDER,
    CIDER_FLAVOUR,
    FLAVOUR,
    LARGEST_SET,
    MUSHROOMS,
    NIGHT,
    NIGHTS,
    PAN,
    STICKS,
)
from boardgames_env.fungi.observation import FACE_UP, KNOWABLE
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
from boardgames_env.jit import eight, jit, scratch, scratch_floats

# Columns of face-up cards, by which hands are counted too.
BUTTER_COLUMN, CIDER_COLUMN, PAN_COLUMN = BUTTER - NIGHTS, CIDER - NIGHTS, PAN - NIGHTS
BASKET_COLUMN, MOON_COLUMN, FLY_AGARIC_COLUMN = FACE_UP - 3, FACE_UP - 2, FACE_UP - 1
PLACES = np.array([-1] * KNOWABLE + [2, -1, -4])  # free places in the hand that a card brings, by column
NONE_OF_EIGHT = np.uint64(0)  # what `eight` finds where nothing is legal

COOKED = np.array([0.0, 0.20, 0.50, 0.85, 0.92, 0.95, 0.97])  # chance that a set of so many mushrooms is cooked
SIZES = len(COOKED)
OTHERS = int(LARGEST_SET.max()) + 1  # 0 … 12 others of a kind can be left


def reach() -> np.ndarray:
    """float[4, OTHERS]: chance that 0 … 2 mushrooms become three, by how many others are left; 1 for three or more."""
    chances = np.ones((4, OTHERS))
    for size in range(3):
        missing = 3 - size
        for left in range(OTHERS):
            chances[size, left] = min(1.0, left / (3.0 * missing)) if left >= missing else 0.0
    return chances


REACH = reach()
STICK = 0.35
SLOT = np.array([2.5, 1.2, 0.6, 0.3, 0.15, 0.0])  # worth of a free place in the hand, by how many there are already
SLOTS = np.append(0.0, np.cumsum(SLOT))  # worth of so many free places: the last ones count most
PANS = np.array([0.0, 2.6, 3.8, 4.4, 4.4])  # worth of so many empty pans
CARDS_A_TURN = 3.0  # that leave forest and draw pile between two turns of one player
TURNS_A_SET = 2.5  # to complete and cook a set


class Outlook(NamedTuple):
    """What is the same for all actions of a decision."""

    forest: np.ndarray  # int8[ROW]: column of the card, FACE_UP where none lies
    time: float  # turns left
    sets: float  # that can still be completed, 3 at most
    chances: np.ndarray  # float64[SIZES]: COOKED, less where too little time is left
    left: np.ndarray  # int8[MUSHROOMS]: of each kind, mushrooms that the seat has or may still get


class Hand(NamedTuple):
    """Night cards lie with their mushrooms, and count two."""

    cards: np.ndarray  # int8[KNOWABLE], by column
    worths: np.ndarray  # float64[MUSHROOMS]: of the mushrooms of each kind


@jit
def choose(obs, mask):
    table = obs.public
    outlook = look_ahead(table, scratch(ROW), scratch_floats(SIZES), scratch(MUSHROOMS))
    hand = take_up(obs.private.hand, outlook, scratch(KNOWABLE), scratch_floats(MUSHROOMS))
    free = np.int64(table.hand_limit[0]) - np.int64(table.hand_size[0])
    pans = np.int64(table.pans[0])
    now = hand_worth(outlook, hand, pans) + slots_worth(free)
    after = Hand(scratch(KNOWABLE), scratch_floats(MUSHROOMS))
    best, best_gain = -1, -1e9
    action = next_legal(mask, 0)
    while action < len(mask):
        copy_hand(hand, after)
        gain = gain_of(obs, outlook, after, free, pans, action) - now
        if gain > best_gain:
            best, best_gain = action, gain
        action = next_legal(mask, action + 1)
    return best


@jit
def next_legal(mask, action):
    """The first legal action from this one on, len(mask) if there is none."""
    while action + 8 <= len(mask) and eight(mask, action) == NONE_OF_EIGHT:
        action += 8
    while action < len(mask) and not mask[action]:
        action += 1
    return action


# --- Reading ------------------------------------------------------------------------------------------------


@jit
def look_ahead(table, forest, chances, left):
    cards = np.int64(table.deck_left)
    for i in range(ROW):
        forest[i] = column_of(table.forest[i])
        cards += forest[i] < FACE_UP
    time = cards / CARDS_A_TURN
    for size in range(SIZES):
        needed = 1.0 + 2.0 * (3 - size) if size < 3 else 1.5
        chances[size] = COOKED[size] * min(1.0, time / needed)
    for kind in range(MUSHROOMS):
        gone = np.int64(table.out[kind]) + np.int64(table.known[1, kind])
        if kind < NIGHTS:
            gone += 2 * np.int64(table.out[NIGHT + kind])
        left[kind] = LARGEST_SET[kind] - gone
    return Outlook(forest, time, min(3.0, time / TURNS_A_SET), chances, left)


@jit
def column_of(one_hot):
    """Where the 1 is, FACE_UP if there is none."""
    column = np.int64(FACE_UP)
    for i in range(FACE_UP):
        column -= (FACE_UP - i) * np.int64(one_hot[i])
    return column


@jit
def take_up(kinds, outlook, cards, worths):
    hand = Hand(cards, worths)
    for kind in range(MUSHROOMS):
        size = np.int64(kinds[kind])
        if kind < NIGHTS:
            size += 2 * np.int64(kinds[NIGHT + kind])
        add(outlook, hand, kind, size)
    for column in range(MUSHROOMS, KNOWABLE):
        hand.cards[column] = kinds[NIGHTS + column]
    return hand


@jit
def copy_hand(hand, after):
    for column in range(KNOWABLE):
        after.cards[column] = hand.cards[column]
    for kind in range(MUSHROOMS):
        after.worths[kind] = hand.worths[kind]


# --- Actions ------------------------------------------------------------------------------------------------


@jit
def gain_of(obs, outlook, hand, free, pans, action):
    """Worth of hand, free places and points after the action."""
    own, table = obs.private.hand, obs.public
    gain = 0.0
    if action < TAKE_DECAY:
        taken = np.int64(outlook.forest[action - TAKE])
        add(outlook, hand, taken, 1)
        free += PLACES[taken]
        gain = bonus(outlook, taken) - STICK * price(action - TAKE)
    elif action < COOK:
        for column in range(FACE_UP):
            for _ in range(table.decay[column]):
                add(outlook, hand, column, 1)
                free += PLACES[column]
                gain += bonus(outlook, column)
    elif action < SELL:
        kind, size, butter, cider = COOK_SETS[action - COOK]
        add(outlook, hand, kind, -size)
        hand.cards[BUTTER_COLUMN] -= butter
        hand.cards[CIDER_COLUMN] -= cider
        free += cards_of_set(own, kind, size) + butter + cider
        gain = 1.0 * (size * FLAVOUR[kind] + BUTTER_FLAVOUR * butter + CIDER_FLAVOUR * cider)
        if pans > 0:
            pans -= 1
        else:
            hand.cards[PAN_COLUMN] -= 1
            free += 1
    elif action < PLACE_PAN:
        kind, size = SALES[action - SELL]
        add(outlook, hand, kind, -size)
        free += cards_of_set(own, kind, size)
        gain = STICK * useful_sticks(table, outlook, size * STICKS[kind])
    elif action < DISCARD:
        hand.cards[PAN_COLUMN] -= 1
        pans += 1
        free += 1
        gain = -0.5  # a turn that brings no card
    else:
        card = action - DISCARD
        if card < NIGHT:
            add(outlook, hand, card, -1)
        elif card < NIGHT + NIGHTS:
            add(outlook, hand, card - NIGHT, -2)
        else:
            add(outlook, hand, card - NIGHTS, -1)
        free += 1
    return gain + hand_worth(outlook, hand, pans) + slots_worth(free)


@jit
def add(outlook, hand, column, count):
    """Put face-up cards of a column into the hand; some never come there."""
    if column < KNOWABLE:
        hand.cards[column] += count
    if column < MUSHROOMS:
        hand.worths[column] = set_worth(outlook, column, np.int64(hand.cards[column]))


@jit
def bonus(outlook, column):
    """What a face-up card brings beside its worth in the hand."""
    if column == BASKET_COLUMN:
        return 0.15 * min(outlook.time, 12.0)
    if column == MOON_COLUMN:
        return 2.4 * min(1.0, outlook.time / 6.0)
    return -1.0 if column == FLY_AGARIC_COLUMN else 0.0


@jit
def cards_of_set(own, kind, size):
    """How many cards a set of this size is; day cards go first, and a night card counts two."""
    return size if size <= np.int64(own[kind]) else size - 1


@jit
def useful_sticks(table, outlook, gained):
    """Sticks beyond what can be spent before the end are worth little."""
    wanted = 1.5 * outlook.time
    return min(gained * 1.0, max(0.0, wanted - np.int64(table.sticks[0]))) + 0.1 * gained


# --- Worth --------------------------------------------------------------------------------------------------


@jit
def hand_worth(outlook, hand, pans):
    worth = 0.0
    largest = np.int64(0)
    for kind in range(MUSHROOMS):
        worth += hand.worths[kind]
        largest = max(largest, np.int64(hand.cards[kind]))
    butter, cider = np.int64(hand.cards[BUTTER_COLUMN]), np.int64(hand.cards[CIDER_COLUMN])
    in_hand = np.int64(hand.cards[PAN_COLUMN])
    if butter > 0:
        worth += butter * BUTTER_FLAVOUR * extra_chance(largest, 4, outlook.time)
    if cider > 0:
        worth += cider * CIDER_FLAVOUR * extra_chance(largest, 5, outlook.time)
    usable = min(pans + in_hand, outlook.sets)
    whole = np.int64(usable)
    worth += PANS[whole]
    worth += (usable - whole) * (PANS[whole + 1] - PANS[whole])
    return worth - 0.2 * in_hand


@jit
def set_worth(outlook, kind, size):
    """What the mushrooms of a kind are worth together."""
    left = np.int64(outlook.left[kind]) - size
    return FLAVOUR[kind] * size * (outlook.chances[min(size, SIZES - 1)] * REACH[min(size, 3), left])


@jit
def slots_worth(free):
    return SLOTS[min(max(free, 0), len(SLOT))]


@jit
def extra_chance(largest, needed, time):
    """Chance that butter or cider goes into a set of the size needed."""
    if largest >= needed:
        return 0.8 * min(1.0, time / 1.5)
    return 0.35 * min(1.0, time / (2.0 * (needed - largest) + 1.0))
