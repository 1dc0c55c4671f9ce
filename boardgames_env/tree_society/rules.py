"""Tree Society: options, state, actions and the rules themselves. Rule numbers (S6, S15 …) are those of RULES.md.

Nothing here knows a guild card: the card set lies in the state, as the option that it is.
"""

import os

import numpy as np

from boardgames_env.game import Option, pay_score, pay_win, state_dtype
from boardgames_env.jit import jit, scratch
from boardgames_env.rng import next64, randint, shuffle
from boardgames_env.tree_society import cards
from boardgames_env.tree_society.cards import (
    ADVANCE_FREE,
    BANNER,
    CARD,
    CHEAPER,
    CHEST,
    CHOICE,
    CLEAR_MARKET,
    COPIES,
    COST,
    DECK,
    DESIGNS,
    E_COINS,
    E_DONE,
    E_FRUIT,
    E_GUILDS,
    E_SOLD,
    E_WRITERS,
    EFFECT,
    EFFECTS_A_LEVEL,
    END,
    ENDS,
    FIRST_BUILD,
    FRUIT_COPIES,
    FRUIT_TABLE,
    FRUITS,
    GUILD,
    GUILDS,
    GUILDS_IN_PLAY,
    HALF,
    KEEP,
    KINDS,
    KINDS_COINS,
    LARGEST,
    LASTING,
    LASTINGS,
    LEVEL_1,
    LEVELS,
    MARKET,
    NO_EFFECT,
    OF_A_KIND,
    POINTS,
    PURSE,
    SALE,
    SCRAP_CARD,
    SELL_FRUIT,
    TAKE_FRUIT,
    WRITERS,
)

VERSION = 1
PLAYERS = range(2, 5)
SEATS = PLAYERS[-1]

RANDOM, BUILT_IN = "random", "built-in"


class Guilds:
    """Option `guilds`: four guilds by name, or chance."""

    default = RANDOM
    help = "S2: the four guilds in play, or 'random'"
    dtype = ("i1", GUILDS_IN_PLAY)  # guilds in the order of GUILDS; EMPTY for chance

    def clean(self, value):
        if isinstance(value, str) and value == RANDOM:
            return RANDOM
        if isinstance(value, str):
            value = [name.strip() for name in value.split(",")]
        if not isinstance(value, (list, tuple)) or len(value) != GUILDS_IN_PLAY:
            raise ValueError(f"must be {self.describe()}")
        if any(name not in GUILDS for name in value) or len(set(value)) < GUILDS_IN_PLAY:
            raise ValueError(f"must be {self.describe()}")
        return tuple(sorted(value, key=GUILDS.index))

    def code(self, value):
        return [EMPTY] * GUILDS_IN_PLAY if value == RANDOM else [GUILDS.index(name) for name in value]

    def describe(self):
        return f"'random' or {GUILDS_IN_PLAY} different ones of {', '.join(GUILDS)}"


class StartCoins:
    """Option `start_coins`: one number for all seats, or one for each."""

    default = 2
    help = "S5: coins in the purse at the start: one number, or one for each seat"
    dtype = ("i1", SEATS)

    def clean(self, value):
        coins = list(value) if isinstance(value, (list, tuple)) else [value]
        for number in coins:
            if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or not 0 <= number <= LARGEST:
                raise ValueError(f"must be {self.describe()}")
        if isinstance(value, (list, tuple)):
            if len(coins) not in PLAYERS:
                raise ValueError(f"must be {self.describe()}")
            return tuple(int(number) for number in coins)
        return int(value)

    def code(self, value):
        coins = [value] * SEATS if isinstance(value, int) else value
        return [*coins, *[0] * (SEATS - len(coins))]

    def describe(self):
        return f"0..{LARGEST}, or one such number for each seat"


class Cards:
    """Option `card_set`: the built-in cards, or others, read from a file when the game is made.

    The value is the cards themselves: a game, its pickle and its record stay what they are when the file changes.
    """

    default = BUILT_IN
    help = "S30: 'built-in', or a .toml or .json file of guild cards"
    dtype = ("i1", (DESIGNS, CARD))

    def clean(self, value):
        if isinstance(value, str) and value == BUILT_IN:
            return BUILT_IN
        is_path = isinstance(value, (str, os.PathLike))
        card_set = cards.load(value) if is_path else cards.make_card_set(value)
        return BUILT_IN if card_set == cards.BUILT_IN else card_set

    def code(self, value):
        return cards.codes(card_set_of(value))

    def describe(self):
        return "'built-in', or the name of a .toml or .json file of guild cards"


def card_set_of(value):
    """The cards that a clean value of the option `card_set` means."""
    return cards.BUILT_IN if isinstance(value, str) else value


OPTIONS = {
    "reward": Option("win", ("win", "score"), "what returns count: the win, or the lead in points / 32"),
    "count_market": Option(False, (False, True), "S6: fruits in the market count for the income of a sale, too"),
    "finish_round": Option(True, (False, True), "S16: all have equally many turns"),
    "start_coins": StartCoins(),
    "guilds": Guilds(),
    "card_set": Cards(),
}
SCORE_SCALE = 1 / 32  # reward="score": one point of lead; a power of two keeps the sums exact

EMPTY = -1  # no card in a place of the guild market, at a marker, or in the option `guilds`
ROW = MARKET // 2
FRUIT_MARKET = 3  # S3
FRUITS_DEALT = 3  # S4
MARKERS = 3  # S1
PURSE_KEEPS = 2  # S14
BANNERS_TO_END = 6  # S16
MOST_BUYS = 12  # S9, in one turn
SELLING, BUILDING, RESTING, RESTED = range(4)  # phases; RESTED within a step only
PENDING = 8  # effects that can wait at once: two of a level, and one more for each of six levels raised free
WAITS_EFFECT, WAITS_N, WAITS_SLOT = range(3)  # columns of s.pending
FROM_FRUIT = -1  # in WAITS_SLOT: the effect is the action of a fruit

FRUIT_ACTIONS = np.array([cards.parse_effects(effect, 1)[0] for _, effect in FRUIT_TABLE])  # S8: effect, n

STATE = state_dtype(
    OPTIONS,
    [
        ("in_play", "i1", len(GUILDS)),  # 1 for the guilds in the game
        ("kinds", "i1", KINDS),  # 1 for the kinds of fruit in the game
        ("fruit_left", "i1"),
        ("fruit_deck", "i1", KINDS * OF_A_KIND),  # fruits; the next is fruit_deck[fruit_left − 1]; 0 from there on
        ("fruit_market", "i1", FRUITS),  # cards by fruit
        ("fruits", "i1", (SEATS, FRUITS)),  # face up, by seat and fruit
        ("sold", "i1", (SEATS, FRUITS)),  # by seat and fruit: out of the game
        ("deck_left", "i1"),
        ("deck", "i1", DECK),  # designs; the next card is deck[deck_left − 1]; 0 from deck_left on
        # designs or EMPTY:  market[0] market[1] market[2]   top row
        #                    market[3] market[4] market[5]   bottom row
        ("market", "i1", MARKET),
        ("discards", "i1", DESIGNS),  # cards by design
        ("progress", "i1", (SEATS, MARKERS)),  # design of the card at each marker, or EMPTY
        ("level", "i1", (SEATS, MARKERS)),  # 1 or 2; 0 where the marker is free
        ("completed", "i1", (SEATS, DESIGNS)),  # cards by seat and design
        ("purse", "i2", SEATS),
        ("chest", "i2", SEATS),
        # What cards do, summed up for speed; tests recompute it from the cards above.
        ("done", "i1", (SEATS, len(GUILDS))),  # completed cards by guild
        ("banners", "i2", SEATS),  # on completed cards
        ("points", "i2", SEATS),  # printed on completed cards
        ("lasting", "i2", (SEATS, LASTINGS)),  # numbers of the lasting effects in force
        ("ends", "i1", (SEATS, ENDS)),  # completed cards with each effect at the end of the game
        # The turn.
        ("turns", "i1"),  # finished ones, of all players; the start player is (player − turns) mod num_players
        ("last_round", "i1"),  # S16: 1 once the end is triggered
        ("phase", "i1"),  # SELLING, BUILDING, RESTING; meaningless once over
        ("fruit_action", "i1"),  # kind + 1 of the fruit whose action may still be used; 0 if none
        ("discount", "i2"),  # S13, on the next level
        ("half", "i1"),  # S13: 1 if the next level is at half price
        ("builds", "i1"),  # levels paid for in this turn
        ("buys", "i1"),  # of these, level 1
        ("cleared", "i1"),  # cards that the effect RF has discarded so far
        ("pending_left", "i1"),
        ("pending", "i2", (PENDING, 3)),  # effects to be carried out: WAITS_…; pending[pending_left − 1] is the next
    ],
)

# --- Actions: contiguous blocks, each with its offset -------------------------------------------------------

SELL = 0  # + fruit
BUY = SELL + FRUITS  # + place in the market
RAISE = BUY + MARKET  # + marker
DISCARD = RAISE + MARKERS  # + marker
USE = DISCARD + MARKERS  # the action of the fruit sold
END_BUILD = USE + 1
TAKE = END_BUILD + 1  # + fruit
DECLINE = TAKE + FRUITS  # the effect that waits
CLEAR = DECLINE + 1  # + place in the market
DONE = CLEAR + MARKET  # clearing
ADVANCE = DONE + 1  # + marker
SCRAP = ADVANCE + MARKERS  # + marker
NUM_ACTIONS = SCRAP + MARKERS

# Every turn but the last round's takes a fruit. A turn has at most MOST_BUYS + 2 · (MARKERS + MOST_BUYS) levels; each
# may clear the market and let one more choice be made; then the fruit action, discards, sale, end and rest.
_LEVELS = MOST_BUYS + 2 * (MARKERS + MOST_BUYS)
_TURN = _LEVELS * (1 + MARKET + 1 + 1) + (1 + MARKET + 1) + (MARKERS + MOST_BUYS) + 3
MAX_TURNS = KINDS * OF_A_KIND - SEATS * FRUITS_DEALT + SEATS
MAX_PLIES = MAX_TURNS * _TURN


# --- Set-up -------------------------------------------------------------------------------------------------


@jit
def deal(s):  # S2 … S5
    players = int(s.num_players)
    choose_kinds(s, players + 1)
    choose_guilds(s)
    lay_fruit_deck(s)
    lay_deck(s)
    for i in range(MARKET):
        s.market[i] = EMPTY
    for seat in range(SEATS):
        for slot in range(MARKERS):
            s.progress[seat, slot] = EMPTY
    for _ in range(FRUIT_MARKET):
        refill_fruit(s)
    refill_market(s)
    for seat in range(players):
        s.purse[seat] = s.start_coins[seat]
        for _ in range(FRUITS_DEALT):
            s.fruits[seat, draw_fruit(s)] += 1
    begin_turn(s, randint(s, players))


@jit
def choose_kinds(s, wanted):  # S3
    for kind in range(KINDS):
        s.kinds[kind] = randint(s, KINDS - kind) < wanted
        wanted -= int(s.kinds[kind])


@jit
def choose_guilds(s):  # S2: of those that have cards
    if s.guilds[0] != EMPTY:
        for i in range(GUILDS_IN_PLAY):
            s.in_play[s.guilds[i]] = 1
        return
    left = 0
    for guild in range(len(GUILDS)):
        left += int(cards_of(s, guild) > 0)
    wanted = min(GUILDS_IN_PLAY, left)
    for guild in range(len(GUILDS)):
        if cards_of(s, guild) > 0:
            s.in_play[guild] = randint(s, left) < wanted
            wanted -= int(s.in_play[guild])
            left -= 1


@jit
def cards_of(s, guild):
    total = 0
    for card in range(DESIGNS):
        if s.card_set[card, GUILD] == guild:
            total += int(s.card_set[card, COPIES])
    return total


@jit
def lay_fruit_deck(s):
    for fruit in range(FRUITS):
        if s.kinds[fruit // 2]:
            for _ in range(FRUIT_COPIES[fruit]):
                s.fruit_deck[s.fruit_left] = fruit
                s.fruit_left += 1
    shuffle(s, s.fruit_deck, int(s.fruit_left))


@jit
def lay_deck(s):
    for card in range(DESIGNS):
        if s.in_play[s.card_set[card, GUILD]]:
            for _ in range(s.card_set[card, COPIES]):
                s.deck[s.deck_left] = card
                s.deck_left += 1
    shuffle(s, s.deck, int(s.deck_left))


# --- Decks and markets --------------------------------------------------------------------------------------


@jit
def draw_fruit(s):
    s.fruit_left -= 1
    fruit = int(s.fruit_deck[s.fruit_left])
    s.fruit_deck[s.fruit_left] = 0
    return fruit


@jit
def refill_fruit(s):  # S14
    if s.fruit_left > 0:
        s.fruit_market[draw_fruit(s)] += 1


@jit
def refill_market(s):  # S15
    for i in range(ROW):
        if s.market[ROW + i] == EMPTY:
            s.market[ROW + i] = s.market[i]
            s.market[i] = EMPTY
    for i in range(MARKET):
        place = (ROW + i) % MARKET  # the bottom row first
        if s.market[place] == EMPTY:
            s.market[place] = draw(s)


@jit
def draw(s):  # S15: EMPTY if neither deck nor discards hold a card
    if s.deck_left == 0:
        reshuffle(s)
    if s.deck_left == 0:
        return EMPTY
    s.deck_left -= 1
    card = int(s.deck[s.deck_left])
    s.deck[s.deck_left] = 0
    return card


@jit
def reshuffle(s):
    for card in range(DESIGNS):
        for _ in range(s.discards[card]):
            s.deck[s.deck_left] = card
            s.deck_left += 1
        s.discards[card] = 0
    shuffle(s, s.deck, int(s.deck_left))


# --- What a seat has, and what things cost ------------------------------------------------------------------


@jit
def cards_in(counts):
    total = 0
    for i in range(FRUITS):
        total += int(counts[i])
    return total


@jit
def of_kind(counts, kind):
    return int(counts[2 * kind]) + int(counts[2 * kind + 1])


@jit
def different_kinds(s, seat):
    kinds = 0
    for kind in range(KINDS):
        kinds += of_kind(s.fruits[seat], kind) > 0
    return kinds


@jit
def income(s, seat, fruit):  # S6, S7
    return income_of_kind(s, seat, fruit // 2) + fruit % 2


@jit
def income_of_kind(s, seat, kind):
    """For a fruit without leaf."""
    coins = int(s.lasting[seat, SALE])
    for owner in range(SEATS):  # seats that nobody has hold no fruit
        coins += of_kind(s.fruits[owner], kind)
    if s.count_market:
        coins += of_kind(s.fruit_market, kind)
    return coins


@jit
def free_marker(s, seat):
    """The first free marker, EMPTY if there is none."""
    for slot in range(MARKERS):
        if s.progress[seat, slot] == EMPTY:
            return slot
    return EMPTY


@jit
def price(s, seat, card, level):  # S9, S10, S13
    return reduced(s, card, level, reduction(s, seat, level), half_price(s, seat))


@jit
def reduction(s, seat, level):
    """Coins that a seat pays less for any card's level."""
    coins = 0
    if level == 1:
        coins += int(s.lasting[seat, LEVEL_1])
    own_turn = seat == s.player
    if not own_turn or s.builds == 0:
        coins += int(s.lasting[seat, FIRST_BUILD])
    if own_turn:
        coins += int(s.discount)
    return coins


@jit
def half_price(s, seat):
    return int(s.half) if seat == s.player else 0


@jit
def reduced(s, card, level, less, half):
    cost = max(0, int(s.card_set[card, COST + level - 1]) - less)
    return (cost + half) >> half  # rounded up


@jit
def effect_of(s, card, level, place):
    """(code, number) of an effect printed on a card."""
    at = EFFECT + 2 * (EFFECTS_A_LEVEL * (level - 1) + place)
    return int(s.card_set[card, at]), int(s.card_set[card, at + 1])


# --- Legal actions ------------------------------------------------------------------------------------------


@jit
def legal(s, mask):
    seat = int(s.player)
    if s.pending_left > 0:
        offer(s, seat, mask)
    elif s.phase == SELLING:
        offer_fruits(s.fruits[seat], SELL, mask)
    elif s.phase == RESTING:
        offer_fruits(s.fruit_market, TAKE, mask)
    else:
        legal_builds(s, seat, mask)


@jit
def legal_builds(s, seat, mask):  # S8 … S12
    purse = int(s.purse[seat])
    if s.buys < MOST_BUYS and free_marker(s, seat) != EMPTY:
        for i in range(MARKET):
            if s.market[i] != EMPTY:
                mask[BUY + i] = price(s, seat, int(s.market[i]), 1) <= purse
    for slot in range(MARKERS):
        if s.progress[seat, slot] != EMPTY:
            level = int(s.level[seat, slot]) + 1
            mask[RAISE + slot] = price(s, seat, int(s.progress[seat, slot]), level) <= purse
            mask[DISCARD + slot] = 1
    mask[USE] = can_use(s, seat)
    mask[END_BUILD] = 1


@jit
def can_use(s, seat):  # S8
    if s.fruit_action == 0:
        return False
    effect, n = FRUIT_ACTIONS[s.fruit_action - 1]
    return effect < CHOICE or can_choose(s, seat, effect, n, FROM_FRUIT)


@jit
def offer(s, seat, mask):
    """The choices that the effect that waits opens."""
    effect, n, source = next_pending(s)
    if effect == TAKE_FRUIT:
        offer_fruits(s.fruit_market, TAKE, mask)
    elif effect == SELL_FRUIT:
        offer_fruits(s.fruits[seat], SELL, mask)
    elif effect == CLEAR_MARKET:
        for i in range(MARKET):
            mask[CLEAR + i] = s.market[i] != EMPTY
        mask[DONE] = 1
    elif effect == ADVANCE_FREE:
        for slot in range(MARKERS):
            mask[ADVANCE + slot] = can_advance(s, seat, slot, n, source)
    elif effect == SCRAP_CARD:
        for slot in range(MARKERS):
            mask[SCRAP + slot] = can_scrap(s, seat, slot, source)
    if effect != CLEAR_MARKET and source != FROM_FRUIT:
        mask[DECLINE] = 1  # S11


@jit
def offer_fruits(counts, action, mask):
    for fruit in range(FRUITS):
        mask[action + fruit] = counts[fruit] > 0


@jit
def can_choose(s, seat, effect, n, source):
    """Whether the effect, if it began now, would have anything to choose."""
    if effect == TAKE_FRUIT:
        return cards_in(s.fruit_market) > 0
    if effect == SELL_FRUIT:
        return cards_in(s.fruits[seat]) > 0
    if effect == CLEAR_MARKET:
        return cards_in_market(s) > 0
    for slot in range(MARKERS):
        if effect == ADVANCE_FREE and can_advance(s, seat, slot, n, source):
            return True
        if effect == SCRAP_CARD and can_scrap(s, seat, slot, source):
            return True
    return False


@jit
def cards_in_market(s):
    total = 0
    for i in range(MARKET):
        total += s.market[i] != EMPTY
    return total


@jit
def can_scrap(s, seat, slot, source):  # another card than the one with the effect
    return slot != source and s.progress[seat, slot] != EMPTY


@jit
def can_advance(s, seat, slot, n, source):  # by the printed cost
    if not can_scrap(s, seat, slot, source):
        return False
    return s.card_set[s.progress[seat, slot], COST + s.level[seat, slot]] <= n


# --- A turn -------------------------------------------------------------------------------------------------


@jit
def step(s, action):
    s.ply += 1
    seat = int(s.player)
    if action < BUY:
        sell(s, seat, action - SELL)
    elif action < RAISE:
        buy(s, seat, action - BUY)
    elif action < DISCARD:
        raise_card(s, seat, action - RAISE)
    elif action < USE:
        discard(s, seat, action - DISCARD)
    elif action < END_BUILD:
        use_fruit_action(s)
    elif action < TAKE:
        end_build(s, seat)
    elif action < DECLINE:
        take_fruit(s, seat, action - TAKE)
    elif action < CLEAR:
        drop_pending(s)
    elif action < DONE:
        clear(s, action - CLEAR)
    elif action < ADVANCE:
        finish_clearing(s)
    elif action < SCRAP:
        advance(s, seat, action - ADVANCE)
    else:
        scrap(s, seat, action - SCRAP)
    settle_pending(s, seat)
    if s.phase == RESTED:
        end_turn(s, seat)
    if s.reward == 1:
        pay_score(s, scores(s), SCORE_SCALE)


@jit
def begin_turn(s, seat):
    s.player = seat
    s.phase = SELLING if cards_in(s.fruits[seat]) > 0 else BUILDING  # S19


@jit
def sell(s, seat, fruit):  # S6 … S8
    s.purse[seat] += income(s, seat, fruit)
    s.fruits[seat, fruit] -= 1
    s.sold[seat, fruit] += 1
    if s.phase == SELLING:
        s.fruit_action = fruit // 2 + 1
        s.phase = BUILDING
    else:
        drop_pending(s)


@jit
def use_fruit_action(s):  # S8
    effect, n = FRUIT_ACTIONS[s.fruit_action - 1]
    s.fruit_action = 0
    add_pending(s, effect, n, FROM_FRUIT)


@jit
def buy(s, seat, place):  # S9
    slot = free_marker(s, seat)
    card = int(s.market[place])
    pay(s, seat, card, 1)
    s.buys += 1
    s.market[place] = EMPTY
    s.progress[seat, slot] = card
    reach_next_level(s, seat, slot)


@jit
def raise_card(s, seat, slot):  # S10
    pay(s, seat, int(s.progress[seat, slot]), int(s.level[seat, slot]) + 1)
    reach_next_level(s, seat, slot)


@jit
def pay(s, seat, card, level):  # S13: all discounts are used up, whether they were needed or not
    s.purse[seat] -= price(s, seat, card, level)
    s.builds += 1
    s.discount = 0
    s.half = 0


@jit
def reach_next_level(s, seat, slot):  # S10, S11
    card = int(s.progress[seat, slot])
    level = int(s.level[seat, slot]) + 1
    count_lasting(s, seat, card, level - 1, -1)
    count_lasting(s, seat, card, level, 1)
    s.level[seat, slot] = level
    if level == LEVELS:
        complete(s, seat, card)
        free(s, seat, slot)
    for place in range(EFFECTS_A_LEVEL - 1, -1, -1):  # the first is carried out first
        effect, n = effect_of(s, card, level, place)
        if NO_EFFECT < effect < LASTING:
            add_pending(s, effect, n, slot)


@jit
def complete(s, seat, card):  # S10
    s.completed[seat, card] += 1
    s.done[seat, s.card_set[card, GUILD]] += 1
    s.banners[seat] += s.card_set[card, BANNER]
    s.points[seat] += s.card_set[card, POINTS + LEVELS - 1]
    for place in range(EFFECTS_A_LEVEL):
        effect, _ = effect_of(s, card, LEVELS, place)
        if effect >= END:
            s.ends[seat, effect - END] += 1


@jit
def free(s, seat, slot):  # the marker comes back
    s.progress[seat, slot] = EMPTY
    s.level[seat, slot] = 0


@jit
def count_lasting(s, seat, card, level, sign):  # S11: those of a level begin (1) or end (−1)
    if level == 0:
        return
    for place in range(EFFECTS_A_LEVEL):
        effect, n = effect_of(s, card, level, place)
        if LASTING <= effect < END:
            s.lasting[seat, effect - LASTING] += sign * n


@jit
def discard(s, seat, slot):  # S12
    card = int(s.progress[seat, slot])
    count_lasting(s, seat, card, int(s.level[seat, slot]), -1)
    s.discards[card] += 1
    free(s, seat, slot)


@jit
def end_build(s, seat):  # S13, S17
    s.fruit_action = 0
    s.discount = 0
    s.half = 0
    s.phase = RESTING
    if cards_in(s.fruit_market) == 0:
        s.last_round = 1
        s.phase = RESTED


@jit
def take_fruit(s, seat, fruit):  # S14, or an effect
    s.fruit_market[fruit] -= 1
    s.fruits[seat, fruit] += 1
    refill_fruit(s)
    if s.phase == RESTING:
        s.phase = RESTED
    else:
        drop_pending(s)


# --- Effects ------------------------------------------------------------------------------------------------


@jit
def add_pending(s, effect, n, source):
    at = int(s.pending_left)
    s.pending[at, WAITS_EFFECT] = effect
    s.pending[at, WAITS_N] = n
    s.pending[at, WAITS_SLOT] = source
    s.pending_left += 1


@jit
def next_pending(s):
    at = int(s.pending_left) - 1
    return int(s.pending[at, WAITS_EFFECT]), int(s.pending[at, WAITS_N]), int(s.pending[at, WAITS_SLOT])


@jit
def drop_pending(s):
    s.pending_left -= 1
    for column in range(3):
        s.pending[s.pending_left, column] = 0


@jit
def settle_pending(s, seat):  # S11: until an effect needs a choice
    while s.pending_left > 0:
        effect, n, source = next_pending(s)
        if effect < CHOICE:
            drop_pending(s)
            carry_out(s, seat, effect, n)
        elif s.cleared > 0 or can_choose(s, seat, effect, n, source):  # clearing goes on until DONE
            return
        else:
            drop_pending(s)


@jit
def carry_out(s, seat, effect, n):  # S30: effects that need no choice and can only help
    if effect == PURSE:
        s.purse[seat] += n
    elif effect == CHEST:
        s.chest[seat] += n
    elif effect == CHEAPER:
        s.discount += n
    elif effect == HALF:
        s.half = 1
    elif effect == KINDS_COINS:
        s.purse[seat] += different_kinds(s, seat)


@jit
def clear(s, place):  # RF
    s.discards[s.market[place]] += 1
    s.market[place] = EMPTY
    s.cleared += 1


@jit
def finish_clearing(s):  # without a card cleared nothing happens
    drop_pending(s)
    if s.cleared > 0:
        refill_market(s)
        s.cleared = 0


@jit
def advance(s, seat, slot):  # ADV: nothing is paid, so discounts stay
    drop_pending(s)
    reach_next_level(s, seat, slot)


@jit
def scrap(s, seat, slot):  # X
    _, n, _ = next_pending(s)
    drop_pending(s)
    s.chest[seat] += n
    discard(s, seat, slot)


# --- Between turns, and the end -----------------------------------------------------------------------------


@jit
def end_turn(s, seat):  # S14, S15
    s.purse[seat] = min(int(s.purse[seat]), PURSE_KEEPS + int(s.lasting[seat, KEEP])) + int(s.chest[seat])
    s.chest[seat] = 0
    refill_market(s)
    s.builds = 0
    s.buys = 0
    s.turns += 1
    if s.banners[seat] >= BANNERS_TO_END:  # S16
        s.last_round = 1
    if s.last_round and (not s.finish_round or s.turns % s.num_players == 0):
        finish(s)
    else:
        begin_turn(s, (seat + 1) % s.num_players)


@jit
def finish(s):  # S18
    s.over = True
    if s.reward == 0:
        pay_win(s, winners(s))


@jit
def score(s, seat):  # S18; 0 for seats that nobody has
    points = int(s.points[seat])
    for slot in range(MARKERS):
        if s.progress[seat, slot] != EMPTY:
            points += int(s.card_set[s.progress[seat, slot], POINTS + s.level[seat, slot] - 1])
    for end in range(ENDS):
        if s.ends[seat, end] > 0:
            points += int(s.ends[seat, end]) * end_points(s, seat, end)
    return points


@jit
def scores(s):
    return score(s, 0), score(s, 1), score(s, 2), score(s, 3)


@jit
def end_points(s, seat, end):  # S30: what one card with this effect scores
    if end == E_DONE:
        return cards_done(s, seat)
    if end == E_COINS:
        return min(4, int(s.purse[seat]) // 2)
    if end == E_WRITERS:
        return 2 * int(s.done[seat, WRITERS])
    if end == E_GUILDS:
        return guilds_done(s, seat)
    if end == E_SOLD:
        return cards_in(s.sold[seat]) // 4
    if end == E_FRUIT:
        return min(4, cards_in(s.fruits[seat]))
    return 0


@jit
def cards_done(s, seat):
    total = 0
    for guild in range(len(GUILDS)):
        total += int(s.done[seat, guild])
    return total


@jit
def guilds_done(s, seat):
    total = 0
    for guild in range(len(GUILDS)):
        total += int(s.done[seat, guild] > 0)
    return total


@jit
def rank(s, seat):  # S18: points, then completed cards, then coins; −1 for seats that nobody has
    if seat >= s.num_players:
        return -1
    return (score(s, seat) * (DECK + 1) + cards_done(s, seat)) * (1 << 16) + int(s.purse[seat])


@jit
def winners(s):
    ranks = (rank(s, 0), rank(s, 1), rank(s, 2), rank(s, 3))
    best = max(ranks)
    return ranks[0] == best, ranks[1] == best, ranks[2] == best, ranks[3] == best


# --- Determinization ----------------------------------------------------------------------------------------


@jit
def determinize(s, seat):  # S20: only the order of the two decks is hidden
    reorder(s, s.fruit_deck, int(s.fruit_left), FRUITS)
    reorder(s, s.deck, int(s.deck_left), DESIGNS)
    s.rng = next64(s)


@jit
def reorder(s, deck, left, designs):
    """Shuffle deck[: left], whatever its order was before."""
    counts = scratch(DESIGNS)
    for i in range(left):
        counts[deck[i]] += 1
    i = 0
    for card in range(designs):
        for _ in range(counts[card]):
            deck[i] = card
            i += 1
    shuffle(s, deck, left)
