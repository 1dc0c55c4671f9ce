"""Fafaru: what plays, accusations and bets tell of roles and cards.

The log of how plausible a state is, for a seat that sees only part of it, is a sum of weights, one for each thing that
can be counted in the state. The weights are fitted (benchmarks/fafaru_beliefs.py): of the true state of many games and
a dozen determinizations of each, they make the true one the most likely (a conditional logit, McFadden 1973). So they
say how the agents of this library play; against others they are a guess.
"""

import numpy as np

from boardgames_agents.greedy.fafaru_weights import WEIGHTS
from boardgames_env.fafaru.cards import FRESH, LARGEST_MAA, SALADIER_KINDS
from boardgames_env.fafaru.rules import FOLLOWS, NO_BET
from boardgames_env.fafaru.tasting import weigh
from boardgames_env.jit import jit, scratch

CLAIMS = SALADIER_KINDS + 1  # none, or a kind
COUNTS = 9  # of a ma'a on a camp's side: −4 or less … 4 or more

# Places of what is counted, by camp (0 fresh, 1 fermented) of who did it.
PLAY = 0  # [camp, card, claim]: cards put into the ma'a of this round
ACCUSATION = PLAY + 2 * SALADIER_KINDS * CLAIMS  # [camp, camp of the accused]
BET = ACCUSATION + 4  # [call, follow, fold; count for the own camp]
NO_CALL = BET + 3 * COUNTS  # [count for the own camp]: seats that might have called
HAND = NO_CALL + COUNTS  # [camp, card]: cards in hands
SIZE = HAND + 2 * SALADIER_KINDS


@jit
def camp(s, seat):
    return 0 if s.role[seat] == FRESH else 1


@jit
def place_of_count(count):
    return max(-4, min(4, count)) + 4


@jit
def tally(s, seat, found):
    """Add up in found[SIZE] what the state holds of each kind, as far as others than `seat` did it."""
    n = np.int64(s.num_players)
    for p in range(np.int64(s.maa_size)):
        author = np.int64(s.author[p])
        if author != seat:
            found[PLAY + (camp(s, author) * SALADIER_KINDS + s.played[p]) * CLAIMS + s.claim[p] + 1] += 1
    count = counted(s)
    for other in range(n):
        if other != seat:
            tally_seat(s, other, count if camp(s, other) == 0 else -count, found)


@jit
def tally_seat(s, other, count, found):
    """What one other seat did, but for its plays; `count` is that of the ma'a for its camp."""
    side = camp(s, other)
    for accused in range(np.int64(s.num_players)):
        found[ACCUSATION + 2 * side + camp(s, accused)] += s.accusations[accused, other]
    if other == s.caller:
        found[BET + place_of_count(count)] += 1
    elif s.bet[other] != NO_BET and s.simultaneous_bets == 0:
        found[BET + (1 if s.bet[other] == FOLLOWS else 2) * COUNTS + place_of_count(count)] += 1
    if other != s.caller and s.turns[other] >= s.tamaa_min_turn:
        found[NO_CALL + place_of_count(count)] += 1
    if s.handed[other] == 0:
        for kind in range(SALADIER_KINDS):
            found[HAND + side * SALADIER_KINDS + kind] += s.hand[other, kind]


@jit
def counted(s):
    """What the ma'a counts as it lies."""
    why = scratch(LARGEST_MAA)
    rules = int(s.mode), int(s.lid_rule), int(s.fly_between), int(s.beginner_gecko_eats)
    return weigh(s.maa, np.int64(s.maa_size), rules[0], rules[1], rules[2], rules[3], why)


@jit
def plausibility(s, seat):
    """Log weight of a state that fits what the seat knows."""
    found = scratch(SIZE)
    tally(s, seat, found)
    total = 0.0
    for i in range(SIZE):
        total += found[i] * WEIGHTS[i]
    return total
