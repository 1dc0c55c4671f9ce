"""Fafaru: what a seat sees (K50), and what it can imagine of the rest (K51).

Seats are relative: [0] is the observer, [i] the i-th after it. Rows of the ma'a are counted from the top, so that row i
of `maa`, `scrambled` and the claim log speak of the same card as long as `scrambled[i]` is 0.
"""

import functools

import numpy as np

from boardgames_env.fafaru.cards import (
    BOX,
    HAND,
    KINDS,
    SALADIER_CARDS,
    SALADIER_KINDS,
)
from boardgames_env.fafaru.knowledge import known_in_maa, knows
from boardgames_env.fafaru.rules import (
    BET,
    CALL,
    FOLDS,
    FOLLOWS,
    NO_BET,
    NONE,
    PHASE_NAMES,
    deal_roles,
    deck_size,
    holds,
    next_card,
)
from boardgames_env.fafaru.tasting import AITO
from boardgames_env.game import observation_layout
from boardgames_env.jit import jit
from boardgames_env.rng import next64, randint, shuffle

LOG = 32  # plays of the round that are shown one by one
ROLES = 3
ASKED = len(PHASE_NAMES) - CALL  # phases in which somebody is asked


@functools.cache
def layout(n: int, options) -> tuple[np.dtype, np.ndarray]:
    """dtype and largest values for n players."""
    maa = SALADIER_CARDS - HAND * n  # the largest ma'a
    kinds = BOX[:SALADIER_KINDS]
    draws = deck_size(n, options)
    private = [
        ("role", (ROLES,), 1),  # own role, one-hot: fresh, fermented, Soyu
        ("hand", (SALADIER_KINDS,), np.minimum(kinds, HAND + 1)),  # own cards by kind, a card just drawn among them
        ("maa", (maa, SALADIER_KINDS), 1),  # one-hot from the top: the card there, if known; all 0 if not
        ("maa_mixed", (SALADIER_KINDS,), kinds),  # further cards known to be in the ma'a, not known where
        ("log_card", (LOG, SALADIER_KINDS), 1),  # one-hot, latest play first: the card played, if known
        ("given", (n - 1, SALADIER_KINDS), np.minimum(kinds, HAND)),  # hand of seat i + 1, where known since a petea
        ("discarded", (SALADIER_KINDS,), kinds),  # cards out of play face down that the observer knows of
        ("own_bet", (2,), 1),  # one-hot: bets (or calls), folds
    ]
    public = [
        ("phase", (ASKED,), 1),  # one-hot: draw or call, play a card, crab, centipede, order, bet; all 0 when over
        ("acting", (n,), 1),  # one-hot: the seat that is asked; all 0 when over
        ("pearls", (n,), options.pearl_cap - options.pearl_floor),  # above pearl_floor
        ("turns", (n,), (draws - 1) // n + 1),  # turns begun in this round
        ("revealed", (n, ROLES), 1),  # one-hot: roles that lie open
        ("accusations", (n, n), 2),  # [accused, accuser]
        ("crab", (n,), 1),
        ("centipede", (n,), 1),
        ("caller", (n,), 1),  # one-hot: who called Tama'a
        ("final", (), 1),  # 1 in the final Tama'a, and when over with the draw pile used up
        ("bets", (n, 2), 1),  # one-hot as own_bet, for the bets that lie open
        ("out", (KINDS,), BOX),  # cards out of play face up by kind: counted, accusations, action cards
        ("pile", (), draws),  # cards in the draw pile
        ("maa_size", (), maa),
        ("scrambled", (maa,), 1),  # from the top: 1 where a pig or rooster has cut the link of play and position
        ("log_author", (LOG, n), 1),  # one-hot, latest play first
        ("log_claim", (LOG, SALADIER_KINDS), 1),  # one-hot; all 0 with claims=False
        ("claims_round", (n, SALADIER_KINDS), maa),  # claims made in this round, by seat and kind
        ("claims_game", (n, SALADIER_KINDS), maa),  # the same in the whole game
    ]
    return observation_layout(private, public)


# --- Observation --------------------------------------------------------------------------------------------


@jit
def observe(s, seat, obs):
    n, seat = np.int64(s.num_players), np.int64(seat)
    observe_own(s, seat, obs.private)
    observe_table(s, obs.public)
    for i in range(n):
        other = seat + i if seat + i < n else seat + i - n
        observe_seat(s, seat, other, i, n, obs.public)
        if i > 0 and knows(s.handed[other], seat):
            for kind in range(SALADIER_KINDS):
                obs.private.given[i - 1, kind] = s.hand[other, kind]
    observe_maa(s, seat, n, obs.private, obs.public)


@jit
def observe_own(s, seat, private):
    private.role[s.role[seat]] = 1
    if s.bet[seat] != NO_BET:
        private.own_bet[s.bet[seat] - FOLLOWS] = 1
    for kind in range(SALADIER_KINDS):
        private.hand[kind] = holds(s, seat, kind)
        private.discarded[kind] = s.hidden[seat, kind] + s.extra[seat, kind]
        mixed = 0
        for z in range(np.int64(s.zones)):
            mixed += int(s.mixed[seat, z, kind])
        private.maa_mixed[kind] = mixed


@jit
def observe_table(s, public):
    if not s.over:
        public.phase[s.phase - CALL] = 1
    public.pile = s.deck_left
    public.final = s.deck_left == 0 and s.drawn == NONE and (s.phase == BET or s.over)
    public.maa_size = s.maa_size
    for kind in range(KINDS):
        public.out[kind] = s.out[kind]


@jit
def observe_seat(s, seat, other, i, n, public):
    public.acting[i] = other == s.player and not s.over
    public.pearls[i] = int(s.pearls[other]) - int(s.pearl_floor)
    public.turns[i] = s.turns[other]
    public.crab[i] = s.crab[other]
    public.centipede[i] = s.centipede[other]
    public.caller[i] = other == s.caller
    if s.revealed[other] == 1:
        public.revealed[i, s.role[other]] = 1
    if s.bet[other] != NO_BET and bet_is_open(s, other):
        public.bets[i, s.bet[other] - FOLLOWS] = 1
    for j in range(n):
        public.accusations[i, j] = s.accusations[other, seat + j if seat + j < n else seat + j - n]
    for kind in range(SALADIER_KINDS):
        public.claims_game[i, kind] = s.claimed[other, kind]


@jit
def bet_is_open(s, seat):  # K21
    return s.simultaneous_bets == 0 or s.phase != BET or seat == s.caller


@jit
def observe_maa(s, seat, n, private, public):
    m = np.int64(s.maa_size)
    for i in range(m):
        p = m - 1 - i
        if knows(s.placed[p], seat):
            private.maa[i, s.maa[p]] = 1
        public.scrambled[i] = s.zone[p] > 0
        author, claim = int(s.author[p]) - seat, int(s.claim[p])
        author = author if author >= 0 else author + n
        if claim != NONE:
            public.claims_round[author, claim] += 1
        if i < LOG:
            public.log_author[i, author] = 1
            if claim != NONE:
                public.log_claim[i, claim] = 1
            if knows(s.told[p], seat):
                private.log_card[i, s.played[p]] = 1


# --- Determinization ----------------------------------------------------------------------------------------

# Unseen saladier cards are laid onto the deck by kind, shuffled, and dealt from its end to all places that the seat
# cannot look into; what remains is the draw pile. Every card that the seat knows stays what and where it is known.


@jit
def determinize(s, seat):  # K51
    deal_roles(s, seat)
    imagine_bets(s, seat)
    lay_unseen(s, seat)
    imagine_hands(s, seat)
    imagine_hidden(s, seat)
    imagine_maa(s, seat)
    imagine_memories(s, seat)
    if s.mode == AITO:
        lay_unseen_actions(s)
    shuffle(s, s.deck, np.int64(s.deck_left))
    s.rng = next64(s)


@jit
def imagine_bets(s, seat):  # K21: with simultaneous_bets
    for other in range(np.int64(s.num_players)):
        if other != seat and s.bet[other] != NO_BET and not bet_is_open(s, other):
            s.bet[other] = FOLLOWS if randint(s, 2) == 0 else FOLDS


@jit
def hand_is_known(s, seat, other):
    return other == seat or knows(s.handed[other], seat)


@jit
def lay_unseen(s, seat):
    """Make the deck all saladier cards that the seat has not seen, shuffled."""
    for i in range(np.int64(s.deck_left)):
        s.deck[i] = 0
    s.deck_left = 0
    for kind in range(SALADIER_KINDS):
        unseen = int(BOX[kind]) - int(s.out[kind]) - int(s.hidden[seat, kind]) - int(s.extra[seat, kind])
        unseen -= known_in_maa(s, seat, kind)
        for other in range(np.int64(s.num_players)):
            if hand_is_known(s, seat, other):
                unseen -= int(s.hand[other, kind])
        if seat == s.player and s.drawn == kind:
            unseen -= 1
        lay(s, kind, unseen)
    shuffle(s, s.deck, np.int64(s.deck_left))


@jit
def lay(s, kind, cards):
    for _ in range(cards):
        s.deck[s.deck_left] = kind
        s.deck_left += 1


@jit
def shuffle_end(s, cards):
    """Shuffle the last cards of the deck."""
    shuffle(s, s.deck[np.int64(s.deck_left) - cards :], cards)


@jit
def lay_unseen_actions(s):  # none of them has left the draw pile but for the box
    for kind in range(SALADIER_KINDS, KINDS):
        lay(s, kind, int(BOX[kind]) - int(s.out[kind]))


@jit
def imagine_hands(s, seat):
    for other in range(np.int64(s.num_players)):
        if not hand_is_known(s, seat, other):
            for kind in range(SALADIER_KINDS):
                s.hand[other, kind] = 0
            for _ in range(HAND):
                s.hand[other, next_card(s)] += 1
    if s.drawn != NONE and seat != s.player:
        s.drawn = next_card(s)


@jit
def imagine_hidden(s, seat):
    """The others' cards that lie face down: those the seat knows of, and unseen ones, in any places."""
    known, places = 0, 0
    for kind in range(SALADIER_KINDS):
        known += int(s.extra[seat, kind])
        for other in range(np.int64(s.num_players)):
            places += int(s.hidden[other, kind]) if other != seat else 0
        lay(s, kind, int(s.extra[seat, kind]))
    shuffle_end(s, places)
    for other in range(np.int64(s.num_players)):
        if other != seat:
            cards = 0
            for kind in range(SALADIER_KINDS):
                cards += int(s.hidden[other, kind])
                s.hidden[other, kind] = 0
            for _ in range(cards):
                s.hidden[other, next_card(s)] += 1


@jit
def imagine_maa(s, seat):
    for p in range(np.int64(s.maa_size)):
        if s.zone[p] == 0 and not knows(s.placed[p], seat):
            s.maa[p] = s.played[p] = next_card(s)
    for z in range(1, np.int64(s.zones) + 1):
        imagine_zone(s, seat, z)
        imagine_plays(s, seat, z)


@jit
def imagine_zone(s, seat, z):
    """The cards of a zone: those known to be in it, and unseen ones, in any order."""
    places = 0
    for p in range(np.int64(s.maa_size)):
        places += s.zone[p] == z and not knows(s.placed[p], seat)
    for kind in range(SALADIER_KINDS):
        lay(s, kind, int(s.mixed[seat, z - 1, kind]))
    shuffle_end(s, places)
    for p in range(np.int64(s.maa_size)):
        if s.zone[p] == z and not knows(s.placed[p], seat):
            s.maa[p] = next_card(s)


@jit
def imagine_plays(s, seat, z):
    """Which of the cards of a zone was brought by which of its plays."""
    places = 0
    for kind in range(SALADIER_KINDS):
        cards = 0
        for p in range(np.int64(s.maa_size)):
            if s.zone[p] == z:
                cards += s.maa[p] == kind
                cards -= knows(s.told[p], seat) and s.played[p] == kind
        lay(s, kind, cards)
        places += cards
    shuffle_end(s, places)
    for p in range(np.int64(s.maa_size)):
        if s.zone[p] == z and not knows(s.told[p], seat):
            s.played[p] = next_card(s)


@jit
def imagine_memories(s, seat):
    """What the others remember, as far as it follows from who made and saw which plays."""
    for other in range(np.int64(s.num_players)):
        if other != seat:
            for kind in range(SALADIER_KINDS):
                s.extra[other, kind] = 0
                for z in range(np.int64(s.zones)):
                    s.mixed[other, z, kind] = remembered(s, other, z + 1, kind)


@jit
def remembered(s, seat, z, kind):
    """Cards of a kind in a zone, that the seat knows from plays, beyond those it knows by position."""
    cards = 0
    for p in range(np.int64(s.maa_size)):
        if s.zone[p] == z:
            cards += knows(s.told[p], seat) and s.played[p] == kind
            cards -= knows(s.placed[p], seat) and s.maa[p] == kind
    return max(0, cards)
