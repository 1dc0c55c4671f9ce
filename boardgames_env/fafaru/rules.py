"""Fafaru: options, state, actions and the rules themselves. Rule numbers (K7, K16 …) are those of RULES.md.

What has to be asked is an action; everything else happens by itself in `advance`: turns begin, cards are drawn where
there is no choice (K10), rounds follow each other. `act` and `advance` are apart so that events.py can watch both.
"""

import itertools

import numpy as np

from boardgames_env.fafaru.cards import (
    BOX,
    DECK,
    FAA,
    FERMENTED,
    FERMENTED_ROLES,
    FRESH,
    HAND,
    KINDS,
    LARGEST_MAA,
    MAX_PLAYERS,
    MIN_PLAYERS,
    MOA,
    PETEA,
    PUAA,
    SALADIER_CARDS,
    SALADIER_KINDS,
    SOYU,
    TUPA,
    VERI,
)
from boardgames_env.fafaru.knowledge import bury, forget_maa, look, scramble
from boardgames_env.fafaru.tasting import AITO, FLY_RULES, LID_RULES, MODES, weigh
from boardgames_env.game import Option, pay_score, pay_win, state_dtype
from boardgames_env.jit import jit, scratch
from boardgames_env.rng import randint, shuffle

VERSION = 1
PLAYERS = range(MIN_PLAYERS, MAX_PLAYERS + 1)

OPTIONS = {
    "mode": Option("aito", MODES, "K1: with action cards and the full count, or without either"),
    "soyu": Option("always", ("always", "never"), "K2: whether one fermented role is the Soyu"),
    "pearl_floor": Option(0, range(-20, 1), "K3: pearls never fall below"),
    "pearl_cap": Option(7, range(1, 21), "K3: pearls never rise above"),
    "target_pearls": Option(7, range(1, 21), "K30: pearls that end the game, at most pearl_cap"),
    "tamaa_min_turn": Option(3, range(1, 21), "K7: from which own turn of a round Tama'a may be called"),
    "caller_stake": Option(1, range(4), "K21: pearls that the caller of a Tama'a wins or loses"),
    "claims": Option(True, (False, True), "K9: a claim goes with every card put into the ma'a"),
    "same_accuser_twice": Option(True, (False, True), "K20: one accuser may lay both accusations"),
    "simultaneous_bets": Option(False, (False, True), "K21: bets stay hidden until all are in"),
    "lid_rule": Option("after_fly", LID_RULES, "K40: which lid shuts in a fly, by the order of play"),
    "fly_between": Option("eaten_first", FLY_RULES, "K40: a fly between a gecko and a lid"),
    "beginner_gecko_eats": Option(True, (False, True), "K40: in mode beginner a gecko eats adjacent flies"),
    "reward": Option("win", ("win", "score"), "what returns count: the win, or the lead in pearls / 8"),
}
SCORE_SCALE = 1 / 8  # reward="score": one pearl of lead
SOYU_ALWAYS, REWARD_WIN, REWARD_SCORE = 0, 0, 1  # codes of options

NONE = -1  # no card, no claim, no caller

# Phases. Before CALL nobody is asked; from CALL on `player` is.
TURN_BEGINS, DRAWING, TURN_OVER, TASTING, ROUND_OVER, CALL, PLAY, CRAB, CENTIPEDE, ORDER, BET = range(11)
PHASE_NAMES = [
    "turn begins",
    "draws",
    "turn over",
    "tasting",
    "round over",
    "draw or call",
    "play a card",
    "place the crab",
    "place the centipede",
    "order the ma'a",
    "bet",
]

NO_BET, FOLLOWS, FOLDS = range(3)

# Why a round ended.
BY_TAMAA, BY_ELIMINATION, BY_DOG, BY_PILE = range(4)
REASON_NAMES = ["Tama'a", "elimination", "dog", "pile"]

# What everybody can tell of a role, as a sum of bits 1 << role.
ANY_ROLE = (1 << FRESH) | (1 << FERMENTED) | (1 << SOYU)
NOT_SOYU = ANY_ROLE - (1 << SOYU)

ZONES = int(BOX[PUAA]) + 1  # a rooster makes one, and each pig one more at most

STATE = state_dtype(
    OPTIONS,
    [
        # Cards
        ("deck_left", "i1"),
        ("deck", "i1", DECK),  # kinds; the next card is deck[deck_left − 1]; 0 from deck_left on
        ("hand", "i1", (MAX_PLAYERS, SALADIER_KINDS)),  # cards by seat and kind, without `drawn`
        ("handed", "i2", MAX_PLAYERS),  # seats that gave this hand away, as bits; 0 once it is played from (K15)
        ("drawn", "i1"),  # kind that the player has drawn and not yet played from; NONE
        ("out", "i1", KINDS),  # cards out of play face up: counted, laid as accusations, in the box
        ("hidden", "i1", (MAX_PLAYERS, SALADIER_KINDS)),  # cards out of play face down, by who played them (K22)
        ("extra", "i1", (MAX_PLAYERS, SALADIER_KINDS)),  # of the others' hidden cards, those that the seat knows of
        # The ma'a; see knowledge.py. All 0 from maa_size on
        ("maa_size", "i1"),
        ("maa", "i1", LARGEST_MAA),  # kinds; maa[maa_size − 1] lies on top
        ("played", "i1", LARGEST_MAA),  # kinds, by number of the play
        ("author", "i1", LARGEST_MAA),  # seat, by number of the play
        ("claim", "i1", LARGEST_MAA),  # kind claimed, or NONE, by number of the play
        ("placed", "i2", LARGEST_MAA),  # seats that know maa[p], as bits
        ("told", "i2", LARGEST_MAA),  # seats that know played[p], as bits
        ("zone", "i1", LARGEST_MAA),  # 0: never moved; else 1 … zones
        ("zones", "i1"),
        ("mixed", "i1", (MAX_PLAYERS, ZONES, SALADIER_KINDS)),  # cards of zone z + 1 known to be in it
        # The round
        ("role", "i1", MAX_PLAYERS),  # FRESH, FERMENTED, SOYU
        ("revealed", "i1", MAX_PLAYERS),  # 1: the role lies open
        ("clue", "i1", MAX_PLAYERS),  # what pearls tell of the role at the end of a round (K20, K16), as bits 1 << role
        ("accusations", "i1", (MAX_PLAYERS, MAX_PLAYERS)),  # [accused, accuser]: 0 … 2
        ("crab", "i1", MAX_PLAYERS),  # 1: has one
        ("centipede", "i1", MAX_PLAYERS),  # 1: has one
        ("turns", "i1", MAX_PLAYERS),  # turns begun in this round
        ("bet", "i1", MAX_PLAYERS),  # NO_BET, FOLLOWS (the caller too), FOLDS
        ("caller", "i1"),  # of the Tama'a; NONE
        ("phase", "i1"),
        # The game
        ("pearls", "i1", MAX_PLAYERS),
        ("claimed", "i1", (MAX_PLAYERS, SALADIER_KINDS)),  # claims made in the whole game, by seat and kind
        ("rounds", "i1"),  # begun
        ("reason", "i1"),  # why the last round ended
        ("ended", "i1", 4),  # rounds that ended, by reason
        ("counted", "i1", 3),  # ma'a counted: below, at and above 0
        ("won", "i1", MAX_PLAYERS),  # 1: most pearls, with reward="win" and once the game is over
        ("tasted", "i2"),  # what the last ma'a counted
    ],
)

# --- Actions: contiguous blocks, each with its offset; three depend on the number n of players --------------

DRAW = 0
TAMAA = 1
MAA = 2  # + 7 · card + claim
ACCUSE = MAA + SALADIER_KINDS * SALADIER_KINDS  # + relative seat − 1

# K12. New order of the topmost cards, by their old places: ORDERS[row, i] is what comes to lie i-th from the top.
ORDERS = np.array(list(itertools.permutations(range(3))))


@jit
def target(n):  # + relative seat
    return ACCUSE + n - 1


@jit
def order(n):  # + row of ORDERS
    return target(n) + n


@jit
def follow(n):
    return order(n) + len(ORDERS)


@jit
def fold(n):
    return follow(n) + 1


def num_actions(n: int) -> int:
    return 58 + 2 * n


def deck_size(n: int, options) -> int:
    """Cards of the draw pile after the deal (K4)."""
    return (DECK if options.mode == "aito" else SALADIER_CARDS) - HAND * n


def max_plies(n: int, options) -> int:
    """A bound on decisions: two for each card drawn (draw or call; what to do with it), and the bets.

    A Tama'a takes a call and n − 1 bets, and its round has seen (tamaa_min_turn − 1) · n draws, one at least (K7).
    """
    draws = deck_size(n, options)
    draws_a_tamaa = max(1, (options.tamaa_min_turn - 1) * n)
    return 2 * draws + (draws // draws_a_tamaa) * n + n


# --- Set-up -------------------------------------------------------------------------------------------------


@jit
def deal(s):
    set_up(s)
    while nobody_asked(s):
        advance(s)


@jit
def set_up(s):  # K4, K5
    lay_cards(s, np.int64(0), np.int64(SALADIER_KINDS))
    shuffle(s, s.deck, np.int64(s.deck_left))
    for seat in range(np.int64(s.num_players)):
        for _ in range(HAND):
            s.hand[seat, next_card(s)] += 1
    if s.mode == AITO:
        lay_cards(s, np.int64(SALADIER_KINDS), np.int64(KINDS))
        shuffle(s, s.deck, np.int64(s.deck_left))
    begin_round(s, randint(s, np.int64(s.num_players)))


@jit
def lay_cards(s, first, last):
    for kind in range(first, last):
        for _ in range(BOX[kind]):
            s.deck[s.deck_left] = kind
            s.deck_left += 1


@jit
def next_card(s):
    s.deck_left -= 1
    kind = int(s.deck[s.deck_left])
    s.deck[s.deck_left] = 0
    return kind


@jit
def begin_round(s, first):  # K6
    n = np.int64(s.num_players)
    for seat in range(n):
        s.revealed[seat] = s.crab[seat] = s.centipede[seat] = 0
        s.turns[seat] = 0
        s.bet[seat] = NO_BET
        s.clue[seat] = ANY_ROLE
        for accuser in range(n):
            s.accusations[seat, accuser] = 0
    deal_roles(s, np.int64(NONE))
    s.rounds += 1
    s.caller = s.drawn = NONE
    s.player = first
    s.phase = TURN_BEGINS


@jit
def deal_roles(s, seat):
    """Deal the roles that `seat` (NONE: anybody) does not know, all that fits the clues equally likely (K2, K51)."""
    while not try_roles(s, seat):
        pass


@jit
def try_roles(s, seat):
    """Deal the unknown roles at random; whether that fits the clues."""
    n = np.int64(s.num_players)
    soyu = 1 if s.soyu == SOYU_ALWAYS else 0
    fresh, fermented = n - FERMENTED_ROLES[n], FERMENTED_ROLES[n] - soyu
    unknown = n
    for other in range(n):
        if other == seat or s.revealed[other] == 1:
            unknown -= 1
            fresh -= s.role[other] == FRESH
            fermented -= s.role[other] == FERMENTED
    fits = True
    for other in range(n):
        if other != seat and s.revealed[other] == 0:
            r = randint(s, unknown)
            unknown -= 1
            if r < fresh:
                s.role[other] = FRESH
                fresh -= 1
            elif r < fresh + fermented:
                s.role[other] = FERMENTED
                fermented -= 1
            else:
                s.role[other] = SOYU
            fits = fits and (int(s.clue[other]) >> int(s.role[other])) & 1 == 1
    return fits


# --- Legal actions ------------------------------------------------------------------------------------------


@jit
def legal(s, mask):
    n = np.int64(s.num_players)
    if s.phase == CALL:  # K7
        mask[DRAW] = mask[TAMAA] = 1
    elif s.phase == PLAY:
        legal_plays(s, n, mask)
    elif s.phase == CRAB or s.phase == CENTIPEDE:  # K14
        for i in range(n):
            mask[target(n) + i] = 1
    elif s.phase == ORDER:  # K12
        for row in range(len(ORDERS)):
            mask[order(n) + row] = keeps_below(row, looked_at(s))
    else:  # K21
        mask[follow(n)] = mask[fold(n)] = 1


@jit
def legal_plays(s, n, mask):  # K9
    seat = np.int64(s.player)
    for card in range(SALADIER_KINDS):
        if holds(s, seat, card) > 0:
            for claim in range(SALADIER_KINDS):
                mask[MAA + SALADIER_KINDS * card + claim] = s.claims == 1 or claim == card
    if holds(s, seat, FAA) > 0:
        for i in range(1, n):
            mask[ACCUSE + i - 1] = can_accuse(s, seat, (seat + i) % n)


@jit
def holds(s, seat, kind):
    return int(s.hand[seat, kind]) + (1 if seat == s.player and s.drawn == kind else 0)


@jit
def can_accuse(s, seat, accused):  # K9, K14, K20
    return s.crab[accused] == 0 and (s.same_accuser_twice == 1 or s.accusations[accused, seat] == 0)


@jit
def looked_at(s):  # K12
    return min(3, np.int64(s.maa_size))


@jit
def keeps_below(row, k):
    """The order moves the topmost k cards only."""
    kept = True
    for i in range(k, 3):
        kept = kept and ORDERS[row, i] == i
    return kept


@jit
def may_call(s, seat):  # K7; the second condition says something with tamaa_min_turn=1 only
    turns = 0
    for other in range(np.int64(s.num_players)):
        turns += int(s.turns[other])
    return s.turns[seat] >= s.tamaa_min_turn and turns > 1


# --- A decision, and what follows by itself -----------------------------------------------------------------


@jit
def step(s, action):
    act(s, action)
    while nobody_asked(s):
        advance(s)


@jit
def act(s, action):
    s.ply += 1
    n, seat = np.int64(s.num_players), np.int64(s.player)
    if action == DRAW:
        s.phase = DRAWING
    elif action == TAMAA:
        call(s, seat)
    elif action < ACCUSE:
        put(s, seat, (action - MAA) // SALADIER_KINDS, (action - MAA) % SALADIER_KINDS)
    elif action < target(n):
        accuse(s, seat, (seat + 1 + action - ACCUSE) % n)
    elif action < order(n):
        place_animal(s, (seat + action - target(n)) % n)
    elif action < follow(n):
        reorder(s, action - order(n))
    else:
        bet(s, seat, FOLLOWS if action == follow(n) else FOLDS)


@jit
def nobody_asked(s):
    return s.phase < CALL and not s.over


@jit
def advance(s):
    """One thing that happens without a decision."""
    if s.phase == TURN_BEGINS:
        begin_turn(s, np.int64(s.player))
    elif s.phase == DRAWING:
        draw(s, np.int64(s.player))
    elif s.phase == TURN_OVER:
        next_turn(s)
    elif s.phase == TASTING:
        taste(s)
    else:
        next_round(s)


@jit
def begin_turn(s, seat):  # K7, K10
    s.turns[seat] += 1
    s.phase = CALL if may_call(s, seat) else DRAWING


@jit
def next_turn(s):
    if s.deck_left == 0:  # K11, K33: the final Tama'a begins with the last drawer
        next_bet(s, np.int64(s.player))
    else:
        s.player = (s.player + 1) % s.num_players
        s.phase = TURN_BEGINS


@jit
def next_round(s):
    clear_table(s)
    if s.reward == REWARD_SCORE:
        pay_score(s, s.pearls, SCORE_SCALE)
    if game_ends(s):
        finish(s)
    else:
        begin_round(s, (s.player + 1) % s.num_players)  # K5


@jit
def draw(s, seat):  # K8, K9
    kind = next_card(s)
    if kind < SALADIER_KINDS:
        s.drawn = kind
        s.phase = PLAY
        return
    s.out[kind] += 1
    s.phase = TURN_OVER
    if kind == PUAA:
        pig(s, seat)
    elif kind == MOA:
        rooster(s)
    elif kind == TUPA:
        s.phase = CRAB
    elif kind == VERI:
        s.phase = CENTIPEDE
    elif kind == PETEA:
        tropicbird(s)
    else:
        dog(s, seat)


@jit
def put(s, seat, card, claim):  # K9
    play_from_hand(s, seat, card)
    p = np.int64(s.maa_size)
    s.maa[p] = s.played[p] = card
    s.author[p] = seat
    s.claim[p] = NONE
    if s.claims == 1:
        s.claim[p] = claim
        s.claimed[seat, claim] += 1
    s.placed[p] = s.told[p] = 1 << seat
    s.maa_size += 1
    s.phase = TURN_OVER


@jit
def play_from_hand(s, seat, card):
    s.hand[seat, s.drawn] += 1
    s.drawn = NONE
    s.hand[seat, card] -= 1
    s.handed[seat] = 0  # K50: until it is played from


@jit
def accuse(s, seat, accused):  # K9, K20
    play_from_hand(s, seat, np.int64(FAA))
    s.out[FAA] += 1
    s.accusations[accused, seat] += 1
    laid = 0
    for accuser in range(np.int64(s.num_players)):
        laid += int(s.accusations[accused, accuser])
    s.phase = TURN_OVER
    if laid == 2:
        eliminate(s, accused)
        s.reason = BY_ELIMINATION
        end_round(s, seat)


# --- Action cards -------------------------------------------------------------------------------------------


@jit
def pig(s, seat):  # K12
    if s.maa_size > 0:
        look(s, seat, np.int64(s.maa_size) - looked_at(s))
        s.phase = ORDER


@jit
def reorder(s, row):  # K12
    k, top = looked_at(s), np.int64(s.maa_size) - 1
    if k > 1:  # else nobody can have moved it
        scramble(s, top - k + 1, np.int64(s.player))
    old = (s.maa[top], s.maa[max(0, top - 1)], s.maa[max(0, top - 2)])
    for i in range(k):
        s.maa[top - i] = old[ORDERS[row, i]]
    s.phase = TURN_OVER


@jit
def rooster(s):  # K13
    if s.maa_size > 1:
        scramble(s, np.int64(0), np.int64(NONE))
        shuffle(s, s.maa, np.int64(s.maa_size))


@jit
def place_animal(s, seat):  # K14
    if s.phase == CRAB:
        s.crab[seat] = 1
    else:
        s.centipede[seat] = 1
    s.phase = TURN_OVER


@jit
def tropicbird(s):  # K15: hand and `handed` of each seat go to the next one
    last = np.int64(s.num_players) - 1
    for giver in range(last + 1):
        s.handed[giver] = int(s.handed[giver]) | (1 << giver)
    for seat in range(last, 0, -1):  # what is dealt with swaps its way down
        for kind in range(SALADIER_KINDS):
            s.hand[seat, kind], s.hand[seat - 1, kind] = s.hand[seat - 1, kind], s.hand[seat, kind]
        s.handed[seat], s.handed[seat - 1] = s.handed[seat - 1], s.handed[seat]


@jit
def dog(s, seat):  # K16
    for other in range(np.int64(s.num_players)):
        if s.centipede[other] == 0:
            at_stake = s.pearls[other] > s.pearl_floor
            if s.role[other] != SOYU:
                gain(s, other, -1)
            if at_stake:  # then the pearls tell
                s.clue[other] = (1 << SOYU) if s.role[other] == SOYU else NOT_SOYU
    s.reason = BY_DOG
    end_round(s, seat)


# --- The end of a round -------------------------------------------------------------------------------------


@jit
def same_camp(s, one, other):
    return (s.role[one] == FRESH) == (s.role[other] == FRESH)


@jit
def gain(s, seat, pearls):  # K3
    s.pearls[seat] = max(int(s.pearl_floor), min(int(s.pearl_cap), int(s.pearls[seat]) + pearls))


@jit
def eliminate(s, accused):  # K20
    s.revealed[accused] = 1
    for accuser in range(np.int64(s.num_players)):
        if s.accusations[accused, accuser] > 0:
            gain(s, accuser, -1 if same_camp(s, accuser, accused) else 1)
            s.clue[accuser] = (1 << FRESH) if s.role[accuser] == FRESH else ANY_ROLE - (1 << FRESH)


@jit
def call(s, seat):  # K21
    s.caller = seat
    s.revealed[seat] = 1
    if s.centipede[seat] == 0:
        s.bet[seat] = FOLLOWS
    next_bet(s, seat + 1)


@jit
def bet(s, seat, choice):  # K21, K33
    s.bet[seat] = choice
    if choice == FOLLOWS and s.simultaneous_bets == 0:
        s.revealed[seat] = 1
    next_bet(s, seat + 1)


@jit
def next_bet(s, start):
    """Ask the next seat from `start` on that has something at stake and has not been asked; else taste."""
    n = np.int64(s.num_players)
    for i in range(n):
        seat = (start + i) % n
        if s.bet[seat] == NO_BET and s.centipede[seat] == 0:
            s.player = seat
            s.phase = BET
            return
    s.phase = TASTING


@jit
def taste(s):  # K21, K22
    total = count_maa(s)
    s.tasted = total
    s.counted[1 + (total > 0) - (total < 0)] += 1
    for seat in range(np.int64(s.num_players)):
        if s.bet[seat] == FOLLOWS:
            s.revealed[seat] = 1
            won = total > 0 if s.role[seat] == FRESH else total < 0
            stake = int(s.caller_stake) if seat == s.caller else 1
            gain(s, seat, stake if won else -stake)
    s.reason = BY_PILE if s.caller == NONE else BY_TAMAA
    end_round(s, np.int64(s.player if s.caller == NONE else s.caller))


@jit
def count_maa(s):  # K40
    why = scratch(LARGEST_MAA)
    return weigh(s.maa, np.int64(s.maa_size), s.mode, s.lid_rule, s.fly_between, s.beginner_gecko_eats, why)


@jit
def end_round(s, ender):
    s.ended[s.reason] += 1
    s.player = ender
    s.phase = ROUND_OVER


@jit
def clear_table(s):  # K6, K22: what was counted goes out face up, what was not, face down
    if s.reason in (BY_TAMAA, BY_PILE):
        for p in range(np.int64(s.maa_size)):
            s.out[s.maa[p]] += 1
    else:
        bury(s)
    forget_maa(s)


# --- The end of the game ------------------------------------------------------------------------------------


@jit
def most_pearls(s):
    most = int(s.pearls[0])
    for seat in range(1, np.int64(s.num_players)):
        most = max(most, int(s.pearls[seat]))
    return most


@jit
def game_ends(s):  # K30
    return s.deck_left == 0 or most_pearls(s) >= s.target_pearls


@jit
def finish(s):  # K31
    s.over = True
    if s.reward == REWARD_WIN:
        most = most_pearls(s)
        for seat in range(np.int64(s.num_players)):
            s.won[seat] = s.pearls[seat] == most
        pay_win(s, s.won)
