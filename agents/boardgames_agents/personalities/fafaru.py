"""Fafaru: six characters, for theories about claims, accusations and bets.

Five of them think as `greedy` and differ in one habit, so that what the habit is worth can be read off a tournament.
`bayes` replaces greedy's rules of thumb about seats and claims by a model of how camps play, and Bayes' rule.
Options are taken to be the usual ones; where nothing is claimed (`claims=False`) a habit of claiming has no effect.
"""

import numpy as np

from boardgames_agents.greedy import fafaru as greedy
from boardgames_agents.greedy.fafaru import ROOM
from boardgames_env.fafaru.cards import BOX, FERMENTED_ROLES, FRESH, MAX_PLAYERS, NUMBERS, SALADIER_KINDS
from boardgames_env.fafaru.rules import ACCUSE, DRAW, MAA, TAMAA, fold, follow
from boardgames_env.jit import jit, scratch, scratch_floats


@jit
def honest(obs, mask):
    """Every claim is true."""
    action = greedy.choose(obs, mask)
    return greedy.put(card_of(action), card_of(action), mask) if is_play(action) else action


@jit
def liar(obs, mask):
    """Every claim is false: of the other kinds, that of which most cards may still be unseen."""
    action = greedy.choose(obs, mask)
    if not is_play(action):
        return action
    left, card = scratch(SALADIER_KINDS), card_of(action)
    count_unseen(obs.private, obs.public, left)
    left[card] = -1
    return greedy.put(card, np.argmax(left), mask)


@jit
def parrot(obs, mask):
    """Claims what its camp would like to be there, the best kind of which there may still be a card unclaimed."""
    action = greedy.choose(obs, mask)
    if not is_play(action):
        return action
    side = 1.0 if obs.private.role[FRESH] == 1 else -1.0
    left = scratch(SALADIER_KINDS)
    count_unclaimed(obs.public, left)
    best = card_of(action)
    for kind in range(SALADIER_KINDS):
        if left[kind] > 0 and side * NUMBERS[kind] > side * NUMBERS[best]:
            best = kind
    return greedy.put(card_of(action), best, mask)


@jit
def accuser(obs, mask):
    """Accuses whenever it may: the seat that looks most foreign to it."""
    own, table = obs.private, obs.public
    n = len(table.pearls)
    side = 1.0 if own.role[FRESH] == 1 else -1.0
    chances = greedy.foreign(own, table, n, side, scratch_floats(MAX_PLAYERS))
    action = greedy.accusation(table, n, chances, mask, -np.inf, -np.inf)
    return action if action >= 0 else greedy.choose(obs, mask)


@jit
def silent(obs, mask):
    """Never calls Tama'a and folds every bet."""
    n = len(obs.public.pearls)
    if mask[TAMAA] == 1:
        return DRAW
    return fold(n) if mask[follow(n)] == 1 else greedy.choose(obs, mask)


@jit
def bayes(obs, mask):
    """Reckons who is of which camp and what lies in the ma'a, from claims, cards seen and cards left."""
    own, table = obs.private, obs.public
    n, m = len(table.pearls), int(table.maa_size)
    side = 1.0 if own.role[FRESH] == 1 else -1.0
    left, fermented = scratch(SALADIER_KINDS), scratch_floats(MAX_PLAYERS)[:n]
    count_unseen(own, table, left)
    reckon_fermented(own, table, left, fermented)
    if table.phase[greedy.PLAY_PHASE] == 1:
        if side < 0:
            for seat in range(n):
                fermented[seat] = 1.0 - fermented[seat]  # from here on: of the other camp
        action = greedy.accusation(table, n, fermented, mask, BAYES_ACCUSES_FIRST_AT, BAYES_ACCUSES_AT)
        cards, trust = greedy.guess(own, table, scratch(ROOM), scratch_floats(ROOM))
        return action if action >= 0 else greedy.play(own, table, cards, trust, side, mask)
    if table.phase[greedy.CALL_PHASE] == 1:
        lead = side * believed(own, table, fermented, left, m)
        return TAMAA if lead >= BAYES_CALLS_AT and table.centipede[0] == 0 else DRAW
    if mask[follow(n)] == 1:
        lead = side * (believed(own, table, fermented, left, m) + greedy.told_by_bets(table, n))
        return follow(n) if lead > BAYES_FOLLOWS_AT else fold(n)
    return greedy.choose(obs, mask)


PERSONALITIES = {
    "honest": honest,
    "liar": liar,
    "parrot": parrot,
    "accuser": accuser,
    "silent": silent,
    "bayes": bayes,
}

# --- What they share ----------------------------------------------------------------------------------------


@jit
def is_play(action):
    return MAA <= action < ACCUSE


@jit
def card_of(play):
    return (play - MAA) // SALADIER_KINDS


@jit
def count_unseen(own, table, left):
    """Cards of each kind that the seat has not seen, written into int8[7]."""
    for kind in range(SALADIER_KINDS):
        left[kind] = int(BOX[kind]) - int(table.out[kind]) - int(own.hand[kind]) - int(own.discarded[kind])
        left[kind] -= int(own.maa_mixed[kind])
        for i in range(int(table.maa_size)):
            left[kind] -= int(own.maa[i, kind])
        for i in range(len(own.given)):
            left[kind] -= int(own.given[i, kind])
    return left


@jit
def count_unclaimed(table, left):
    """Cards of each kind that are neither out of play nor claimed in this round, written into int8[7]."""
    for kind in range(SALADIER_KINDS):
        left[kind] = int(BOX[kind]) - int(table.out[kind])
        for i in range(len(table.claims_round)):
            left[kind] -= int(table.claims_round[i, kind])
    return left


# --- bayes --------------------------------------------------------------------------------------------------

# The model: a seat puts each card it may have with a weight that grows with what the card does for its camp, and tells
# the truth more often if it is fresh; whoever lies, fresh or not, wants to look fresh. Found by trying, like greedy's.
PULL = 0.6  # of a point, on which card is put
TRUTH = (0.6, 0.6)  # chance of a true claim, fresh and fermented
BELIEF = 0.2  # how much of the mean number of unknown cards is left by what they do to each other
BOAST = 0.2  # of a point, on which kind a lie names
BAYES_CALLS_AT, BAYES_FOLLOWS_AT = 3.0, 0.6  # expected count on the own side
BAYES_ACCUSES_AT, BAYES_ACCUSES_FIRST_AT = 0.5, 0.6  # chance of being of the other camp


def model() -> np.ndarray:
    """float[2, 7, 7]: weight of putting a card with a claim, by camp (fresh, fermented), card and claim."""
    weights = np.zeros((2, SALADIER_KINDS, SALADIER_KINDS))
    for camp, side in enumerate((1, -1)):
        for card in range(SALADIER_KINDS):
            lies = np.exp(BOAST * NUMBERS)
            lies[card] = 0.0
            claims = (1 - TRUTH[camp]) * lies / lies.sum()
            claims[card] = TRUTH[camp]
            weights[camp, card] = np.exp(PULL * side * NUMBERS[card]) * claims
    return weights


MODEL = model()
NO_CLAIM = -1


@jit
def weight(camp, card, claim):
    return MODEL[camp, card].sum() if claim == NO_CLAIM else MODEL[camp, card, claim]


@jit
def one(flags):
    """The place of the 1 in a one-hot row, −1 if there is none."""
    for i in range(len(flags)):
        if flags[i] == 1:
            return i
    return -1


@jit
def reckon_fermented(own, table, left, chances):
    """Chance that each seat is fermented, by its plays of this round and by what lies open, written into float64[n]."""
    n, odds = len(chances), chances
    odds[:] = prior_odds(own, table, n)
    for row in range(min(len(table.log_author), int(table.maa_size))):
        author = one(table.log_author[row])
        card, claim = one(own.log_card[row]), one(table.log_claim[row])
        if author > 0:
            odds[author] *= likelihood(1, card, claim, left) / likelihood(0, card, claim, left)
    for i in range(n):
        chances[i] = odds[i] / (1.0 + odds[i])
        role = one(own.role) if i == 0 else one(table.revealed[i])
        if role >= 0:
            chances[i] = 0.0 if role == FRESH else 1.0
    return chances


@jit
def prior_odds(own, table, n):
    """Odds of being fermented for a seat whose role is hidden, by the roles that are left (K2)."""
    fermented, hidden = int(FERMENTED_ROLES[n]), n
    for i in range(n):
        role = one(own.role) if i == 0 else one(table.revealed[i])
        if role >= 0:
            hidden -= 1
            fermented -= role != FRESH
    chance = min(0.99, max(0.01, fermented / max(1, hidden)))
    return chance / (1.0 - chance)


@jit
def likelihood(camp, card, claim, left):
    """How likely a seat of this camp makes this play, with a card that may be unknown (−1)."""
    found, total = 1e-9, 1e-9
    for kind in range(SALADIER_KINDS):
        cards = left[kind] + (1 if kind == card else 0)  # a card seen was there to be put
        total += cards * weight(camp, kind, NO_CLAIM)
        if card < 0 or kind == card:
            found += cards * weight(camp, kind, claim)
    return found / total


@jit
def believed(own, table, fermented, left, m):
    """The count that the seat expects of the ma'a: known cards by the rules, unknown ones by their mean number."""
    cards, trust = greedy.guess(own, table, scratch(ROOM), scratch_floats(ROOM))
    for p in range(m):
        trust[p] = 1.0 if trust[p] == 1.0 else 0.0
    total = greedy.expected(cards, trust, m)
    for p in range(m):
        if trust[p] == 0.0:
            total += BELIEF * mean_number(table, m - 1 - p, fermented, left)
    return total


@jit
def mean_number(table, row, fermented, left):
    """Mean number of the unknown card at a row of the ma'a, by author and claim where they still tell of the place."""
    told = table.scrambled[row] == 0 and row < len(table.log_author)
    claim = one(table.log_claim[row]) if told else NO_CLAIM
    chance = fermented[one(table.log_author[row])] if told else fermented.mean()
    total, mass = 0.0, 1e-9
    for camp in range(2):
        share = chance if camp == 1 else 1.0 - chance
        for kind in range(SALADIER_KINDS):
            w = share * max(0, left[kind]) * weight(camp, kind, claim)
            total += w * NUMBERS[kind]
            mass += w
    return total / mass
