"""Fafaru, greedy: play towards the own camp, bet on what the ma'a is expected to count, accuse who looks foreign.

A ma'a is *guessed* from what the seat knows of it: a card known by its place is that card, an unknown one is what was
claimed, if the link of claim and place still holds. The guess is counted by the rules; unknown cards then weigh only
as much as claims are trusted. A seat looks the more fresh, the more its known and claimed cards count. All numbers
were found by trying; they are not tuned to any opponent. Options are taken to be the usual ones.
"""

import numpy as np

from boardgames_agents.greedy import fafaru_beliefs
from boardgames_env.fafaru.cards import (
    BOX,
    FAA,
    FERMENTED_ROLES,
    FLY,
    LARGEST_MAA,
    LID,
    MAX_PLAYERS,
    NUMBERS,
    SALADIER_KINDS,
    SUN,
    TIKI,
)
from boardgames_env.fafaru.rules import ACCUSE, DRAW, MAA, ORDERS, TAMAA, fold, follow, order, target
from boardgames_env.fafaru.tasting import value, weigh
from boardgames_env.jit import jit, scratch, scratch_floats

TRUST = 0.35  # how much of a claimed value is believed
CALL_AT = 3.0  # expected count on the own side at which Tama'a is called …
FOLLOW_AT = 0.6  # … and at which a bet is placed
OPEN_BET = 1.0  # what another's open bet tells of the count
ACCUSE_AT = 0.58  # chance of being of the other camp, for a second accusation …
ACCUSE_FIRST_AT = 0.75  # … and for a first one
KNOWN_PLAY, CLAIMED_PLAY, LIE = 0.10, 0.02, 0.05  # what a point of a known or claimed card, and a lie, tell of a camp

# For search.
plausibility = fafaru_beliefs.plausibility

NO_KIND = SALADIER_KINDS
CLAIM_TELLS = np.append(CLAIMED_PLAY * NUMBERS, 0.0)  # how fresh a play makes its seat look, by claim or NO_KIND …
CARD_TELLS = np.append(KNOWN_PLAY * NUMBERS, 0.0)  # … and by card or NO_KIND

ROOM = LARGEST_MAA + 1  # of a guessed ma'a: one more card may be tried on top
# A card may change what cards as far below and above it count: tiki, gecko, gecko, fly (, lid), each beside the next.
REACH_DOWN, REACH_UP = 3, 4

CALL_PHASE, PLAY_PHASE, CRAB_PHASE, CENTIPEDE_PHASE, ORDER_PHASE = range(5)


def search_settings(players: int) -> dict[str, float]:
    """40 decisions are a round or two: what comes after is noise."""
    return {"guide": 0.3, "horizon": 40, "particles": 1000}


@jit
def choose(obs, mask):
    table, own = obs.public, obs.private
    n = len(table.pearls)
    side = 1.0 if own.role[0] == 1 else -1.0
    cards, trust = guess(own, table, scratch(ROOM), scratch_floats(ROOM))
    if table.phase[CALL_PHASE] == 1:
        lead = side * expected(cards, trust, np.int64(table.maa_size))
        return TAMAA if lead >= CALL_AT and table.centipede[0] == 0 else DRAW
    if table.phase[PLAY_PHASE] == 1:
        action = -1
        if own.hand[FAA] > 0:
            chances = foreign(own, table, n, side, scratch_floats(MAX_PLAYERS))
            action = accusation(table, n, chances, mask, ACCUSE_FIRST_AT, ACCUSE_AT)
        return action if action >= 0 else play(own, table, cards, trust, side, mask)
    if table.phase[CRAB_PHASE] == 1:
        return target(n)  # oneself
    if table.phase[CENTIPEDE_PHASE] == 1:
        return target(n) + leader(table, n)
    if table.phase[ORDER_PHASE] == 1:
        return best_order(table, cards, trust, n, side, mask)
    lead = side * (expected(cards, trust, np.int64(table.maa_size)) + told_by_bets(table, n))
    return follow(n) if lead > FOLLOW_AT else fold(n)


# --- The ma'a -----------------------------------------------------------------------------------------------


@jit
def guess(own, table, cards, trust):
    """(cards, trust): the guessed ma'a in play order, and how much each card is believed; written into int8[ROOM] and
    float64[ROOM], all 0."""
    m = np.int64(table.maa_size)
    for i in range(m):
        p = m - 1 - i
        claimed = i < len(table.log_claim) and table.scrambled[i] == 0
        known, claim = kind_of(own.maa[i]), kind_of(table.log_claim[i]) if claimed else NO_KIND
        if known != NO_KIND:
            cards[p], trust[p] = known, 1.0
        elif claim != NO_KIND:
            cards[p], trust[p] = claim, TRUST
        else:
            cards[p] = FAA
    spread_mixed(own, table, m, trust, cards)
    return cards, trust


@jit
def kind_of(one_hot):
    """The kind whose flag is set, NO_KIND if there is none."""
    kind = NO_KIND
    for i in range(SALADIER_KINDS):
        kind = i if one_hot[i] == 1 else kind
    return kind


@jit
def spread_mixed(own, table, m, trust, cards):
    """Put the cards known to be somewhere onto scrambled places, from the bottom."""
    p = 0
    for kind in range(SALADIER_KINDS):
        for _ in range(own.maa_mixed[kind]):
            while p < m and (table.scrambled[m - 1 - p] == 0 or trust[p] > 0.0):
                p += 1
            if p < m:
                cards[p], trust[p] = kind, 1.0


@jit
def expected(cards, trust, m):
    return add_expected(0.0, cards, trust, m, 0, m)


@jit
def add_expected(total, cards, trust, m, first, last):
    """`total`, and what the cards first … last − 1 of m are expected to count: those far below make no difference."""
    why, part = scratch(ROOM), scratch(ROOM)
    bottom = first - REACH_UP if first > REACH_UP else 0
    for i in range(bottom, m):
        part[i - bottom] = cards[i]
    weigh(part, m - bottom, 0, 0, 0, 1, why)
    for i in range(first, last):
        total += trust[i] * value(np.int64(cards[i]), np.int64(why[i - bottom]))
    return total


@jit
def told_by_bets(table, n):
    """Who bets openly knows something: fresh bets speak for a positive count, fermented ones against it."""
    lean = 0.0
    for i in range(1, n):
        if table.bets[i, 0] == 1 or table.caller[i] == 1:
            lean += OPEN_BET if table.revealed[i, 0] == 1 else -OPEN_BET
    return lean


@jit
def best_order(table, cards, trust, n, side, mask):
    m = np.int64(table.maa_size)
    first = max(0, m - 3 - REACH_DOWN)
    below = add_expected(0.0, cards, trust, m, 0, first)
    moved = scratch(ROOM)
    for p in range(m):
        moved[p] = cards[p]
    best, best_lead = order(n), -1e9
    for row in range(len(ORDERS)):
        if mask[order(n) + row] == 1:
            for i in range(3 if m >= 3 else m):
                moved[m - 1 - i] = cards[m - 1 - ORDERS[row, i]]
            lead = side * add_expected(below, moved, trust, m, first, m)
            if lead > best_lead:
                best, best_lead = order(n) + row, lead
    return best


# --- Playing a card -----------------------------------------------------------------------------------------


@jit
def play(own, table, cards, trust, side, mask):
    card = best_card(own, table, cards, trust, side)
    return put(card, claim_for(own, table, card, side), mask)


@jit
def best_card(own, table, cards, trust, side):
    """The card of the hand that moves the expected count furthest to the own side."""
    m = np.int64(table.maa_size)
    first = max(0, m - REACH_DOWN)
    below = add_expected(0.0, cards, trust, m, 0, first)
    trust[m] = 1.0
    best, best_lead = -1, -1e9
    for kind in range(SALADIER_KINDS):
        if own.hand[kind] > 0:
            cards[m] = kind
            lead = side * add_expected(below, cards, trust, m + 1, first, m + 1)
            lead += 0.2 if kind == FAA and own.hand[FAA] > 1 else 0.0
            if lead > best_lead:
                best, best_lead = kind, lead
    return best


@jit
def put(card, claim, mask):
    """The action that plays the card with this claim; with the truth where nothing is claimed (`claims=False`)."""
    action = MAA + SALADIER_KINDS * card + claim
    return action if mask[action] == 1 else MAA + SALADIER_KINDS * card + card


@jit
def claim_for(own, table, card, side):
    """Fresh seats tell the truth unless it looks bad; fermented ones claim a card that helps and may still be there."""
    if side > 0 and NUMBERS[card] >= 0:
        return card
    if NUMBERS[card] > 0 and card != TIKI:
        return card
    left = int(BOX[LID]) - int(table.out[LID]) - int(own.hand[LID])
    return LID if left > 2 and card in (SUN, FLY) else (FAA if card != FAA else FLY)


# --- Seats --------------------------------------------------------------------------------------------------


@jit
def accusation(table, n, chances, mask, first_at, again_at):
    """The accusation most likely to hit the other camp, −1 if none is likely enough.

    `chances` are those of being of the other camp, by relative seat. A first accusation needs `first_at`, one beside
    another, which eliminates, `again_at`.
    """
    best, best_chance = -1, -np.inf
    for i in range(1, n):
        if mask[ACCUSE + i - 1] == 1:
            laid = 0
            for accuser in range(n):
                laid += int(table.accusations[i, accuser])
            if chances[i] >= (again_at if laid > 0 else first_at) and chances[i] > best_chance:
                best, best_chance = ACCUSE + i - 1, chances[i]
    return best


@jit
def foreign(own, table, n, side, chances):
    """Chance that each seat is of the other camp; 0 for oneself. A rough figure: it may leave 0 … 1.

    Written into `chances`, float64[n or more], all 0.
    """
    fermented = FERMENTED_ROLES[n]
    look(own, table, n, chances)
    chances[0] = 0.0
    for i in range(1, n):
        chances[i] = (n - fermented if side < 0 else fermented) / (n - 1.0) - side * chances[i]
    return chances


@jit
def look(own, table, n, fresh):
    """How fresh each seat looks by its plays; below 0 it looks fermented."""
    for row in range(min(len(table.log_author), int(table.maa_size))):
        author = np.int64(0)
        for i in range(1, n):
            author += i * np.int64(table.log_author[row, i])
        card, claim = kind_of(own.log_card[row]), kind_of(table.log_claim[row])
        lie = LIE if card not in (claim, NO_KIND) else 0.0
        if claim <= card:  # always in the order of kinds, for the rounding of sums
            fresh[author] = fresh[author] + CLAIM_TELLS[claim] + CARD_TELLS[card] - lie
        else:
            fresh[author] = fresh[author] + CARD_TELLS[card] - lie + CLAIM_TELLS[claim]


@jit
def leader(table, n):
    """The other seat with the most pearls."""
    best = 1
    for i in range(2, n):
        if table.pearls[i] > table.pearls[best]:
            best = i
    return best
