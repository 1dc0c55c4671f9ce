"""Fungi: options, state, actions and the rules themselves. Rule numbers (F7, F16 …) are those of RULES.md."""

import numpy as np

from boardgames_env.fungi.cards import (
    BASKET,
    BOX,
    BUTTER,
    BUTTER_FLAVOUR,
    CIDER,
    CIDER_FLAVOUR,
    DECK,
    FLAVOUR,
    FLY_AGARIC,
    HAND_KINDS,
    KINDS,
    LARGEST_SET,
    MOON,
    MUSHROOMS,
    NIGHT,
    NIGHTS,
    PAN,
    STICKS,
)
from boardgames_env.game import Option, pay_score, pay_win, state_dtype
from boardgames_env.jit import jit
from boardgames_env.rng import randint, shuffle

VERSION = 1
PLAYERS = range(2, 3)

OPTIONS = {
    "reward": Option("win", ("win", "score"), "what returns count: the win, or the lead in flavour / 32"),
    "night_doubles_set": Option(False, (False, True), "F2: a set with a night card scores its flavour twice"),
}
SCORE_SCALE = 1 / 32  # reward="score": one point of lead; a power of two keeps the sums exact

ROW = 8  # cards in the forest
DECAY = 4  # cards that the decay pile holds
AT_THE_FEET = 2  # positions that cost nothing
NEW, OLD = 0, 1  # fly agarics taken in this turn, and those that leave after this turn

STATE = state_dtype(
    OPTIONS,
    [
        ("deck_left", "i1"),
        ("deck", "i1", DECK),  # kinds; the next card is deck[deck_left − 1]; 0 from deck_left on
        ("night_left", "i1"),
        ("night", "i1", NIGHTS),  # kinds; the next card is night[night_left − 1]; 0 from night_left on
        ("forest_left", "i1"),
        ("forest", "i1", ROW),  # kinds; forest[0] is position 1, at the feet; 0 from forest_left on
        ("decay_left", "i1"),
        ("decay", "i1", DECAY),  # kinds, oldest first; 0 from decay_left on
        ("hand", "i1", (2, HAND_KINDS)),  # cards by seat and kind
        ("known", "i1", (2, HAND_KINDS)),  # of these, how many the opponent can prove (F20)
        ("sticks", "i1", 2),
        ("pans", "i1", 2),  # in display
        ("baskets", "i1", 2),  # in display
        ("fly_agarics", "i1", (2, 2)),  # in display, by seat and age: NEW, OLD
        ("cooked", "i1", (2, MUSHROOMS)),  # mushrooms by seat and kind; a night card counts two
        ("score", "i2", 2),  # flavour
        ("out", "i1", KINDS),  # cards out of play: discarded, decayed, spent, cooked, sold
    ],
)

# --- Actions: contiguous blocks, each with its offset -------------------------------------------------------

TAKE = 0  # + position − 1
TAKE_DECAY = TAKE + ROW
COOK = TAKE_DECAY + 1  # + row of COOK_SETS

COOK_SETS = np.array(  # F10: kind, size, butter, cider; by kind, then by size
    [
        (kind, size, butter, cider)
        for kind in range(MUSHROOMS)
        for size in range(3, LARGEST_SET[kind] + 1)
        for butter in range(BOX[BUTTER] + 1)
        for cider in range(BOX[CIDER] + 1)
        if 4 * butter + 5 * cider <= size
    ],
    np.int64,
)
SELL = COOK + len(COOK_SETS)  # + row of SALES
SALES = np.array([(kind, size) for kind in range(MUSHROOMS) for size in range(2, LARGEST_SET[kind] + 1)])
PLACE_PAN = SELL + len(SALES)
DISCARD = PLACE_PAN + 1  # + kind
NUM_ACTIONS = DISCARD + HAND_KINDS

FIRST_COOK = np.searchsorted(COOK_SETS[:, 0], np.arange(MUSHROOMS + 1))  # rows of COOK_SETS of each kind
FIRST_SALE = np.searchsorted(SALES[:, 0], np.arange(MUSHROOMS))

# At most 78 turns (8 + 70 cards leave the forest), and 5 fly agarics that force 4 discards each (F13).
MAX_PLIES = ROW + (DECK - ROW - 6) + 4 * int(BOX[FLY_AGARIC])


# --- Set-up -------------------------------------------------------------------------------------------------


@jit
def deal(s):  # F4, F5, F6
    for kind in range(KINDS):
        night = NIGHT <= kind < NIGHT + NIGHTS
        cards = int(BOX[kind]) - (2 if kind == PAN else 0)
        for _ in range(cards):
            if night:
                s.night[s.night_left] = kind
                s.night_left += 1
            else:
                s.deck[s.deck_left] = kind
                s.deck_left += 1
    shuffle(s, s.deck, int(s.deck_left))
    shuffle(s, s.night, int(s.night_left))
    refill(s)
    for seat in range(2):
        s.pans[seat] = 1
        for _ in range(3):
            deal_card(s, seat)
    s.player = randint(s, 2)


@jit
def deal_card(s, seat):  # F5
    kind = draw(s)
    if kind == BASKET:
        s.baskets[seat] += 1
    elif kind == MOON:
        s.out[MOON] += 1
        s.hand[seat, draw_night(s)] += 1
    elif kind == FLY_AGARIC:
        s.out[FLY_AGARIC] += 1
    else:
        s.hand[seat, kind] += 1


@jit
def draw(s):
    s.deck_left -= 1
    kind = int(s.deck[s.deck_left])
    s.deck[s.deck_left] = 0
    return kind


@jit
def draw_night(s):
    s.night_left -= 1
    kind = int(s.night[s.night_left])
    s.night[s.night_left] = 0
    return kind


@jit
def refill(s):  # F16 (3)
    while s.forest_left < ROW and s.deck_left > 0:
        s.forest[s.forest_left] = draw(s)
        s.forest_left += 1


# --- What a seat has ----------------------------------------------------------------------------------------


@jit
def hand_size(s, seat):
    size = 0
    for kind in range(HAND_KINDS):
        size += int(s.hand[seat, kind])
    return size


@jit
def hand_limit(s, seat):  # F7, F14
    poisoned = s.fly_agarics[seat, NEW] + s.fly_agarics[seat, OLD] > 0
    return (4 if poisoned else 8) + 2 * int(s.baskets[seat])


@jit
def discarding(s, seat):  # F13: only a fly agaric can leave a hand over its limit
    return hand_size(s, seat) > hand_limit(s, seat)


@jit
def mushrooms(s, seat, kind):  # F2: a night card is two
    count = int(s.hand[seat, kind])
    if kind < NIGHTS:
        count += 2 * int(s.hand[seat, NIGHT + kind])
    return count


# --- Legal actions ------------------------------------------------------------------------------------------


@jit
def legal(s, mask):
    seat = int(s.player)
    free = hand_limit(s, seat) - hand_size(s, seat)
    if free < 0:
        legal_discards(s, seat, mask)
        return
    for i in range(s.forest_left):
        mask[TAKE + i] = can_take(s, seat, i, free)
    mask[TAKE_DECAY] = can_take_decay(s, free)
    pan = s.pans[seat] + s.hand[seat, PAN] > 0
    for kind in range(MUSHROOMS):
        size = mushrooms(s, seat, kind)
        for i in range(size - 1):  # F11: sizes 2 … size
            mask[SELL + FIRST_SALE[kind] + i] = 1
        if pan and size >= 3:
            legal_sets(s, seat, kind, size, mask)
    mask[PLACE_PAN] = s.hand[seat, PAN] > 0  # F12


@jit
def legal_discards(s, seat, mask):  # F13
    for kind in range(HAND_KINDS):
        mask[DISCARD + kind] = s.hand[seat, kind] > 0


@jit
def can_take(s, seat, i, free):  # F8
    kind = s.forest[i]
    return s.sticks[seat] >= price(i) and (free > 0 or kind in (BASKET, FLY_AGARIC))


@jit
def price(i):  # F8: sticks for position i + 1
    return max(0, i + 1 - AT_THE_FEET)


@jit
def can_take_decay(s, free):  # F9
    if s.decay_left == 0:
        return False
    reach_hand = 0
    for i in range(s.decay_left):
        kind = s.decay[i]
        if kind == BASKET:
            free += 2
        elif kind != FLY_AGARIC:
            reach_hand += 1
    return reach_hand <= free


@jit
def legal_sets(s, seat, kind, size, mask):  # F10
    for row in range(FIRST_COOK[kind], FIRST_COOK[kind + 1]):
        if COOK_SETS[row, 1] > size:
            break
        if COOK_SETS[row, 2] <= s.hand[seat, BUTTER] and COOK_SETS[row, 3] <= s.hand[seat, CIDER]:
            mask[COOK + row] = 1


@jit
def can_act(s, seat):  # F15; agrees with `legal`, where a set that can be cooked can be sold too
    free = hand_limit(s, seat) - hand_size(s, seat)
    if free > 0:
        return True
    for i in range(s.forest_left):
        if can_take(s, seat, i, free):
            return True
    for kind in range(MUSHROOMS):
        if mushrooms(s, seat, kind) >= 2:
            return True
    return s.hand[seat, PAN] > 0 or can_take_decay(s, free)


# --- A turn -------------------------------------------------------------------------------------------------


@jit
def step(s, action):
    s.ply += 1
    seat = int(s.player)
    if action < TAKE_DECAY:
        take(s, seat, action - TAKE)
    elif action < COOK:
        take_decay(s, seat)
    elif action < SELL:
        cook(s, seat, action - COOK)
    elif action < PLACE_PAN:
        sell(s, seat, action - SELL)
    elif action < DISCARD:
        place_pan(s, seat)
    else:
        discard(s, seat, action - DISCARD)

    if s.forest_left == 0:
        finish(s)  # F17
    elif not discarding(s, seat):
        end_turn(s, seat)


@jit
def take(s, seat, i):  # F8
    s.sticks[seat] -= price(i)
    take_card(s, seat, int(s.forest[i]))
    for j in range(i, s.forest_left - 1):
        s.forest[j] = s.forest[j + 1]
    s.forest_left -= 1
    s.forest[s.forest_left] = 0


@jit
def take_card(s, seat, kind):  # F8, F20: everybody sees the kind, but not the night card for a moon
    if kind == BASKET:
        s.baskets[seat] += 1
    elif kind == FLY_AGARIC:
        s.fly_agarics[seat, NEW] += 1
    elif kind == MOON:
        s.out[MOON] += 1
        s.hand[seat, draw_night(s)] += 1
    else:
        s.hand[seat, kind] += 1
        s.known[seat, kind] += 1


@jit
def take_decay(s, seat):  # F9; once it is legal, the order of the cards makes no difference
    for i in range(s.decay_left):
        take_card(s, seat, int(s.decay[i]))
        s.decay[i] = 0
    s.decay_left = 0


@jit
def leave_hand(s, seat, kind, count):  # F20
    s.hand[seat, kind] -= count
    s.known[seat, kind] = max(0, int(s.known[seat, kind]) - count)
    s.out[kind] += count


@jit
def use_mushrooms(s, seat, kind, size):
    """Take a set from the hand, day cards first, and return the number of cards."""
    if size <= s.hand[seat, kind]:
        leave_hand(s, seat, kind, size)
        return size
    leave_hand(s, seat, NIGHT + kind, 1)
    leave_hand(s, seat, kind, size - 2)
    return size - 1


@jit
def cook(s, seat, row):  # F10
    kind, size, butter, cider = COOK_SETS[row]
    cards = use_mushrooms(s, seat, kind, size)
    flavour = size * int(FLAVOUR[kind])
    if s.night_doubles_set and cards < size:  # F2
        flavour = 2 * cards * int(FLAVOUR[kind])
    s.score[seat] += flavour + BUTTER_FLAVOUR * butter + CIDER_FLAVOUR * cider
    s.cooked[seat, kind] += size
    leave_hand(s, seat, BUTTER, butter)
    leave_hand(s, seat, CIDER, cider)
    if s.pans[seat] > 0:
        s.pans[seat] -= 1
        s.out[PAN] += 1
    else:
        leave_hand(s, seat, PAN, 1)
    if s.reward == 1:
        pay_score(s, s.score, SCORE_SCALE)


@jit
def sell(s, seat, row):  # F11
    kind, size = SALES[row]
    use_mushrooms(s, seat, kind, size)
    s.sticks[seat] += size * int(STICKS[kind])


@jit
def place_pan(s, seat):  # F12
    s.hand[seat, PAN] -= 1
    s.known[seat, PAN] = max(0, int(s.known[seat, PAN]) - 1)
    s.pans[seat] += 1


@jit
def discard(s, seat, kind):  # F13
    leave_hand(s, seat, kind, 1)


# --- Between turns ------------------------------------------------------------------------------------------


@jit
def end_turn(s, seat):
    age_fly_agarics(s, seat)
    forest_moves(s)
    next_player(s, seat)


@jit
def age_fly_agarics(s, seat):  # F13, F14
    s.out[FLY_AGARIC] += s.fly_agarics[seat, OLD]
    s.fly_agarics[seat, OLD] = s.fly_agarics[seat, NEW]
    s.fly_agarics[seat, NEW] = 0


@jit
def forest_moves(s):  # F16
    if s.decay_left == DECAY:
        for i in range(DECAY):
            s.out[s.decay[i]] += 1
            s.decay[i] = 0
        s.decay_left = 0
    s.decay[s.decay_left] = s.forest[0]
    s.decay_left += 1
    for i in range(s.forest_left - 1):
        s.forest[i] = s.forest[i + 1]
    s.forest_left -= 1
    s.forest[s.forest_left] = 0
    if s.forest_left == 0:
        finish(s)  # F17
    else:
        refill(s)


@jit
def next_player(s, seat):  # F15: whoever cannot act is skipped; if nobody can, the forest moves on
    while not s.over:
        if can_act(s, 1 - seat):
            s.player = 1 - seat
            return
        if can_act(s, seat):
            s.player = seat
            return
        forest_moves(s)


@jit
def finish(s):  # F18, F19
    s.over = True
    if s.reward == 1:
        pay_score(s, s.score, SCORE_SCALE)
    else:
        pay_win(s, winners(s))


@jit
def winners(s):  # F18; F19: by cooked mushrooms, else a draw
    lead = int(s.score[0]) - int(s.score[1])
    if lead == 0:
        for kind in range(MUSHROOMS):
            lead += int(s.cooked[0, kind]) - int(s.cooked[1, kind])
    return (1 if lead >= 0 else 0, 1 if lead <= 0 else 0)
