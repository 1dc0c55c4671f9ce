"""Leduc hold'em: options, state, actions and the rules themselves. Rule numbers (L1, L2 …) are those of RULES.md."""

from itertools import permutations

import numpy as np

from boardgames_env.game import Option, pay_score, pay_win, state_dtype
from boardgames_env.jit import jit
from boardgames_env.rng import randint

VERSION = 1
PLAYERS = range(2, 3)

OPTIONS = {"reward": Option("win", ("win", "score"), "what returns count: the win, or the chips won")}
SCORE_SCALE = 1 / 2  # reward="score": one chip won is a lead of two over the loser, and a return of one

# --- Cards --------------------------------------------------------------------------------------------------

RANKS, SUITS = 3, 2
CARDS = RANKS * SUITS  # a card is SUITS × rank + suit
BOARD = 2  # place of the board in a deal, after the cards of the two seats
DEALS = np.array(list(permutations(range(CARDS), 3)), np.int8)  # [120, 3], all equally likely (L2)

# --- Actions ------------------------------------------------------------------------------------------------

FOLD, CALL, RAISE = 0, 1, 2
NUM_ACTIONS = 3

# --- Betting ------------------------------------------------------------------------------------------------

ROUNDS = 2
ANTE = 1
RAISE_BY = np.array([2, 4])  # chips, by round
MAX_RAISES = 2  # in a round
LONGEST_ROUND = 1 + MAX_RAISES + 1  # actions: a check, the raises, a call
MAX_PLIES = ROUNDS * LONGEST_ROUND
LARGEST_STAKE = ANTE + MAX_RAISES * int(RAISE_BY.sum())

STATE = state_dtype(
    OPTIONS,
    [
        ("card", "i1", 3),  # cards of seat 0 and seat 1, and the board
        ("street", "i1"),  # the betting round, 0 or 1; the board is face up in 1
        ("raises", "i1"),  # in this round
        ("acted", "i1"),  # actions taken in this round
        ("history", "i1", (ROUNDS, LONGEST_ROUND, NUM_ACTIONS)),  # 1 where the action was taken, in order; else 0
        ("stake", "i1", 2),  # chips in the pot by seat
        ("won", "i1", 2),  # chips won by seat, the loser's negative; 0 until the game is over
    ],
)


@jit
def deal(s):  # L2, L3
    row = randint(s, len(DEALS))
    for place in range(3):
        s.card[place] = DEALS[row, place]
    s.stake[0] = ANTE
    s.stake[1] = ANTE


@jit
def facing_raise(s):
    return s.stake[s.player] < s.stake[1 - s.player]


@jit
def legal(s, mask):
    mask[FOLD] = facing_raise(s)  # L6
    mask[CALL] = 1
    mask[RAISE] = s.raises < MAX_RAISES  # L5


@jit
def step(s, action):
    s.ply += 1
    s.history[s.street, s.acted, action] = 1
    s.acted += 1
    if action == FOLD:
        finish(s, 1 - int(s.player))  # L6
    elif action == CALL:
        call(s)
    else:
        raise_stake(s)


@jit
def call(s):  # L4, L7
    s.stake[s.player] = s.stake[1 - s.player]
    if s.acted == 1:  # a check that opens the round
        s.player = 1 - s.player
    elif s.street + 1 < ROUNDS:
        next_round(s)
    else:
        finish(s, better_card(s))


@jit
def raise_stake(s):  # L4
    s.stake[s.player] = s.stake[1 - s.player] + RAISE_BY[s.street]
    s.raises += 1
    s.player = 1 - s.player


@jit
def next_round(s):  # L3, L8
    s.street += 1
    s.raises = 0
    s.acted = 0
    s.player = 0


@jit
def strength(s, seat):  # L9
    rank = int(s.card[seat]) // SUITS
    pair = rank == int(s.card[BOARD]) // SUITS
    return rank + RANKS * int(pair)


@jit
def better_card(s):
    """The seat that wins the showdown, −1 if neither does."""
    lead = strength(s, 0) - strength(s, 1)
    if lead == 0:
        return -1
    return 0 if lead > 0 else 1


@jit
def finish(s, winner):  # L10; a winner of −1 means that the pot is shared
    s.over = True
    if winner >= 0:
        s.won[winner] = s.stake[1 - winner]
        s.won[1 - winner] = -s.stake[1 - winner]
    if s.reward == 1:
        pay_score(s, s.won, SCORE_SCALE)
    else:
        pay_win(s, (1 if s.won[0] >= 0 else 0, 1 if s.won[1] >= 0 else 0))


@jit
def showdown(s):  # L9: after a fold the stakes differ, after the last call they do not
    return s.over and s.stake[0] == s.stake[1]
