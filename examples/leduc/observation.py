"""Leduc hold'em: what a seat sees, and what it can imagine of the rest (L11, L12)."""

from boardgames_env.game import observation_layout
from boardgames_env.jit import jit
from boardgames_env.rng import next64, randint
from leduc.rules import BOARD, CARDS, DEALS, LARGEST_STAKE, LONGEST_ROUND, NUM_ACTIONS, ROUNDS, showdown

PRIVATE = [  # name, shape, largest value
    ("card", (CARDS,), 1),  # own card, one-hot
]
PUBLIC = [  # by seat: [0] the observer, [1] the opponent
    ("board", (CARDS,), 1),  # one-hot; all 0 until it is turned up
    ("shown", (CARDS,), 1),  # the opponent's card, one-hot; all 0 until a showdown
    ("history", (ROUNDS, LONGEST_ROUND, NUM_ACTIONS), 1),  # actions of each round in order, one-hot; then all 0
    ("stake", (2,), LARGEST_STAKE),  # chips in the pot
    ("first", (), 1),  # 1 if the observer opens the rounds
    ("acting", (), 1),  # 1 if the observer is to act
]
OBSERVATION, HIGH = observation_layout(PRIVATE, PUBLIC)


@jit
def observe(s, seat, obs):
    obs.private.card[s.card[seat]] = 1
    obs.public.board[s.card[BOARD]] = s.street  # L8: 1 once it is face up
    if showdown(s):
        obs.public.shown[s.card[1 - seat]] = 1
    observe_history(s, obs.public)
    obs.public.stake[0] = s.stake[seat]
    obs.public.stake[1] = s.stake[1 - seat]
    obs.public.first = seat == 0
    obs.public.acting = not s.over and s.player == seat


@jit
def observe_history(s, public):
    for street in range(ROUNDS):
        for i in range(LONGEST_ROUND):
            for action in range(NUM_ACTIONS):
                public.history[street, i, action] = s.history[street, i, action]


@jit
def possible(s, seat, row):
    """Whether the deal DEALS[row] agrees with all that the seat has seen."""
    return DEALS[row, seat] == s.card[seat] and (s.street == 0 or DEALS[row, BOARD] == s.card[BOARD])


@jit
def determinize(s, seat):  # L12
    if not showdown(s):
        count = 0
        for row in range(len(DEALS)):
            count += int(possible(s, seat, row))
        left = randint(s, count)
        for row in range(len(DEALS)):
            if possible(s, seat, row):
                if left == 0:
                    s.card[1 - seat] = DEALS[row, 1 - seat]
                    s.card[BOARD] = DEALS[row, BOARD]
                    break
                left -= 1
    s.rng = next64(s)
