"""Fungi: what a seat sees, and what it can imagine of the rest (F20, F21)."""

import numpy as np

from boardgames_env.fungi.cards import (
    BASKET,
    BOX,
    FLY_AGARIC,
    HAND_KINDS,
    KINDS,
    LARGEST_SET,
    MUSHROOMS,
    NIGHT,
    NIGHTS,
    PAN,
    STICKS,
)
from boardgames_env.fungi.rules import DECAY, DECK, NEW, OLD, ROW, discarding, hand_limit, hand_size
from boardgames_env.game import observation_layout
from boardgames_env.jit import jit
from boardgames_env.rng import next64, shuffle

# Columns of cards that lie face up: the kinds in their order, without the night cards.
COLUMNS = [kind for kind in range(KINDS) if not NIGHT <= kind < NIGHT + NIGHTS]
FACE_UP = len(COLUMNS)  # 15: day mushrooms, butter, cider, pan, basket, moon, fly agaric
KNOWABLE = FACE_UP - 3  # 12: the first of them, those that stay in a hand

_LARGEST_HAND = 8 + 2 * int(BOX[BASKET])
_ALL_STICKS = int((LARGEST_SET * STICKS).sum())

PRIVATE = [  # name, shape, largest value
    ("hand", (HAND_KINDS,), BOX[:HAND_KINDS]),  # own cards by kind
]
PUBLIC = [  # by seat: [0] the observer, [1] the opponent
    ("forest", (ROW, FACE_UP), 1),  # one-hot by column; forest[0] is position 1; all 0 where no card lies
    ("decay", (FACE_UP,), np.minimum(BOX[COLUMNS], DECAY)),  # cards by column
    ("out", (KINDS,), BOX),  # cards out of play by kind
    ("deck_left", (), DECK - ROW - 6),
    ("night_left", (), NIGHTS),
    ("known", (2, KNOWABLE), BOX[COLUMNS][:KNOWABLE]),  # cards in hand that the other one can prove, by column
    ("night_cards", (2,), NIGHTS),  # night cards in hand: their number is open, their kinds are not
    ("hand_size", (2,), _LARGEST_HAND),
    ("hand_limit", (2,), _LARGEST_HAND),
    ("sticks", (2,), _ALL_STICKS),
    ("pans", (2,), BOX[PAN]),  # in display
    ("baskets", (2,), BOX[BASKET]),  # in display
    ("fly_agarics", (2, 2), BOX[FLY_AGARIC]),  # [seat, 0] taken in this turn, [seat, 1] leaves after the turn
    ("cooked", (2, MUSHROOMS), LARGEST_SET),  # mushrooms by kind; a night card counts two
    ("score", (2,), 255),  # flavour; more than 255 shows as 255
    ("acting", (), 1),  # 1 if the observer is to act
    ("discarding", (), 1),  # 1 if the seat to act must discard (F13)
]
OBSERVATION, HIGH = observation_layout(PRIVATE, PUBLIC)


@jit
def column(kind):
    return kind if kind < NIGHT else kind - NIGHTS


@jit
def observe(s, seat, obs):
    observe_table(s, obs.public)
    for i in range(2):
        observe_player(s, seat if i == 0 else 1 - seat, i, obs.public)
    for kind in range(HAND_KINDS):
        obs.private.hand[kind] = s.hand[seat, kind]
    if not s.over:
        obs.public.acting = s.player == seat
        obs.public.discarding = discarding(s, int(s.player))


@jit
def observe_table(s, public):
    for i in range(s.forest_left):
        public.forest[i, column(int(s.forest[i]))] = 1
    for i in range(s.decay_left):
        public.decay[column(int(s.decay[i]))] += 1
    for kind in range(KINDS):
        public.out[kind] = s.out[kind]
    public.deck_left = s.deck_left
    public.night_left = s.night_left


@jit
def observe_player(s, seat, i, public):
    for kind in range(NIGHT):
        public.known[i, kind] = s.known[seat, kind]
    for kind in range(NIGHT + NIGHTS, HAND_KINDS):
        public.known[i, kind - NIGHTS] = s.known[seat, kind]
    public.night_cards[i] = night_cards(s, seat)
    public.hand_size[i] = hand_size(s, seat)
    public.hand_limit[i] = hand_limit(s, seat)
    public.sticks[i] = s.sticks[seat]
    public.pans[i] = s.pans[seat]
    public.baskets[i] = s.baskets[seat]
    public.fly_agarics[i, NEW] = s.fly_agarics[seat, NEW]
    public.fly_agarics[i, OLD] = s.fly_agarics[seat, OLD]
    for kind in range(MUSHROOMS):
        public.cooked[i, kind] = s.cooked[seat, kind]
    public.score[i] = min(255, int(s.score[seat]))


@jit
def night_cards(s, seat):
    count = 0
    for kind in range(NIGHT, NIGHT + NIGHTS):
        count += int(s.hand[seat, kind])
    return count


@jit
def unseen(s, seat, kind):
    """Cards of a kind that the seat has not seen: in the draw piles or hidden in the other's hand."""
    count = int(BOX[kind]) - int(s.out[kind])
    for i in range(s.forest_left):
        count -= s.forest[i] == kind
    for i in range(s.decay_left):
        count -= s.decay[i] == kind
    if kind < HAND_KINDS:
        count -= int(s.hand[seat, kind]) + int(s.known[1 - seat, kind])
    for owner in range(2):
        if kind == PAN:
            count -= int(s.pans[owner])
        elif kind == BASKET:
            count -= int(s.baskets[owner])
        elif kind == FLY_AGARIC:
            count -= int(s.fly_agarics[owner, NEW]) + int(s.fly_agarics[owner, OLD])
    return count


@jit
def determinize(s, seat):  # F21: every arrangement of the unseen cards that fits is equally likely
    other = 1 - seat
    hidden = hand_size(s, other)
    hidden_nights = night_cards(s, other)
    hidden -= hidden_nights
    for kind in range(HAND_KINDS):
        hidden -= int(s.known[other, kind])
        s.hand[other, kind] = s.known[other, kind]

    cards = lay_unseen(s, seat, s.deck, 0, 0, NIGHT)
    cards = lay_unseen(s, seat, s.deck, cards, NIGHT + NIGHTS, HAND_KINDS)
    deal_hidden(s, other, s.deck, cards, hidden)
    cards = lay_unseen(s, seat, s.deck, cards - hidden, HAND_KINDS, KINDS)
    shuffle(s, s.deck, cards)

    cards = lay_unseen(s, seat, s.night, 0, NIGHT, NIGHT + NIGHTS)
    deal_hidden(s, other, s.night, cards, hidden_nights)
    s.rng = next64(s)


@jit
def lay_unseen(s, seat, pile, cards, first, last):
    """Lay the unseen cards of kinds first … last − 1 onto pile[cards …]; returns how many lie there then."""
    for kind in range(first, last):
        for _ in range(unseen(s, seat, kind)):
            pile[cards] = kind
            cards += 1
    return cards


@jit
def deal_hidden(s, other, pile, cards, hidden):
    """Shuffle pile[: cards] and move its last `hidden` cards into the other's hand."""
    shuffle(s, pile, cards)
    for i in range(cards - hidden, cards):
        s.hand[other, pile[i]] += 1
        pile[i] = 0
