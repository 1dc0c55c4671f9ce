"""Tree Society: what a seat sees (S20).

Guild cards are shown by what is printed on them, not by name, so that the fields mean the same for every card set and
no player needs the table. A card is: guild (one-hot), banners, costs and points of levels 1, 2, 3, and its effects:
for each level and effect of cards.EFFECT_TABLE the number, 0 where the level does not have it. All 0: no card.
"""

import functools

import numpy as np

from boardgames_env.game import observation_layout
from boardgames_env.jit import copy, jit
from boardgames_env.tree_society.cards import (
    AUTOMATIC,
    BANNER,
    CHOICE,
    CHOICES,
    COST,
    DECK,
    DESIGNS,
    EFFECTS,
    EFFECTS_A_LEVEL,
    ENDS,
    FRUIT_COPIES,
    FRUITS,
    GUILD,
    GUILDS,
    KINDS,
    LASTINGS,
    LEVELS,
    MARKET,
    NO_EFFECT,
    POINTS,
    codes,
    guild_sizes,
)
from boardgames_env.tree_society.rules import (
    FRUIT_MARKET,
    FRUITS_DEALT,
    MARKERS,
    PENDING,
    WAITS_EFFECT,
    WAITS_N,
    can_use,
    effect_of,
    half_price,
    income_of_kind,
    reduced,
    reduction,
    score,
)

MANY = 99  # coins, points and numbers of effects: more than this shows as this
PHASES = 3 + CHOICES
ONE, SIX_BITS = np.uint64(1), np.uint64(63)


@functools.cache
def layout(num_players, card_set):
    """dtype and largest values. The dtype depends on the number of players only, the values on the cards, too."""
    players, table = num_players, codes(card_set)
    largest = Largest(table)
    cards_of_guild = np.maximum(1, guild_sizes(card_set))
    copies = np.maximum(1, table[:, 2])

    def card(name, *where):  # the fields of cards that lie in an array of places
        return [
            (f"{name}_guild", (*where, len(GUILDS)), 1),
            (f"{name}_banners", where, largest.banners),
            (f"{name}_costs", (*where, LEVELS), largest.costs),
            (f"{name}_points", (*where, LEVELS), largest.points),
            (f"{name}_effects", (*where, LEVELS, EFFECTS), largest.effects),
        ]

    private = [  # name, shape, largest value: what things are worth to the observer
        ("income", (FRUITS,), MANY),  # S6, S7: coins for selling each fruit it has; 0 for the others
        ("buy_price", (MARKET,), largest.costs[0]),  # S13: coins for level 1 of each card in the market
        ("raise_price", (MARKERS,), largest.costs[1:].max()),  # S13: coins for the next level of its cards
    ]
    public = [  # by seat: [0] the observer, then in the order of play
        ("acting", (players,), 1),  # one-hot: the seat to act; all 0 once the game is over
        ("phase", (PHASES,), 1),  # one-hot: sell, build, rest, then the choices of cards.CHOICE_TABLE; 0 once over
        ("choice_n", (), MANY),  # the n of the effect that waits: ADV<=n, X+n; 1 for the others; 0 if none waits
        ("cleared", (), MARKET),  # cards that the effect RF has discarded so far
        ("pending", (CHOICES,), PENDING),  # effects that wait, by kind of choice, the present one included
        ("fruit_action", (KINDS,), 1),  # one-hot: the action of the fruit sold, as long as it can be used
        ("discount", (), MANY),  # S13: on the next level of this turn
        ("half", (), 1),  # S13
        ("built", (), 1),  # a level has been paid for in this turn
        ("last_round", (), 1),  # S16: the end is triggered
        ("start_player", (players,), 1),  # one-hot
        ("kinds", (KINDS,), 1),  # kinds of fruit in the game
        ("guilds", (len(GUILDS),), 1),  # guilds in the game
        ("fruit_market", (FRUITS,), FRUIT_MARKET),  # cards
        ("fruit_deck", (FRUITS,), FRUIT_COPIES),  # cards
        ("fruit_left", (), (players + 1) * 15 - FRUIT_MARKET - players * FRUITS_DEALT),  # cards in the deck
        ("deck", (DESIGNS,), copies),  # guild cards in the deck, by design in the order of the card set
        ("discards", (DESIGNS,), copies),  # guild cards discarded, by design
        *card("market", MARKET),
        ("fruits", (players, FRUITS), FRUIT_COPIES),  # face up
        ("sold", (players, FRUITS), FRUIT_COPIES),  # in the whole game
        ("purse", (players,), MANY),  # coins
        ("chest", (players,), MANY),  # coins
        ("done", (players, len(GUILDS)), cards_of_guild),  # completed cards by guild
        ("banners", (players,), MANY),  # on completed cards
        ("score", (players,), MANY),  # S18, if the game ended now
        ("lasting", (players, LASTINGS), MANY),  # in force: n of L1-n, B1-n, KEEP+n, SALE+n, added up
        ("ends", (players, ENDS), DECK),  # completed cards with each effect for the end of the game
        ("level", (players, MARKERS, 2), 1),  # one-hot: the card at each marker stands on level 1, level 2
        *card("progress", players, MARKERS),
    ]
    return observation_layout(private, public)


class Largest:
    """The largest numbers printed in a card set, each at least 1."""

    def __init__(self, table):
        self.banners = max(1, int(table[:, BANNER].max()))
        self.costs = np.maximum(1, table[:, COST : COST + LEVELS].max(axis=0))
        self.points = np.maximum(1, table[:, POINTS : POINTS + LEVELS].max(axis=0))
        self.effects = np.ones((LEVELS, EFFECTS), np.int64)
        printed = table[:, POINTS + LEVELS :].reshape(len(table), LEVELS, EFFECTS_A_LEVEL, 2)
        for level in range(LEVELS):
            for code, n in printed[:, level].reshape(-1, 2):
                if code != NO_EFFECT:
                    self.effects[level, code - 1] = max(self.effects[level, code - 1], n)


@jit
def observe(s, seat, obs):
    observe_prices(s, seat, obs.private)
    observe_turn(s, seat, obs.public)
    observe_table(s, obs.public)
    players = int(s.num_players)
    for i in range(players):
        owner = seat + i if seat + i < players else seat + i - players
        observe_player(s, owner, i, obs.public)


@jit
def observe_prices(s, seat, private):
    for kind in range(KINDS):
        coins = income_of_kind(s, seat, kind)
        for leaf in range(2):
            fruit = 2 * kind + leaf
            private.income[fruit] = min(MANY, coins + leaf) * (s.fruits[seat, fruit] > 0)
    half = half_price(s, seat)
    less = reduction(s, seat, 1)
    for i in range(MARKET):
        if s.market[i] >= 0:
            private.buy_price[i] = reduced(s, int(s.market[i]), 1, less, half)
    less = reduction(s, seat, LEVELS)
    for slot in range(MARKERS):
        if s.progress[seat, slot] >= 0:
            level = int(s.level[seat, slot]) + 1
            private.raise_price[slot] = reduced(s, int(s.progress[seat, slot]), level, less, half)


@jit
def observe_turn(s, seat, public):
    players = int(s.num_players)
    public.start_player[(int(s.player) - int(s.turns) - seat) % players] = not s.over
    public.last_round = s.last_round
    if s.over:
        return
    public.acting[(int(s.player) - seat) % players] = 1
    public.discount = min(MANY, int(s.discount))
    public.half = s.half
    public.built = s.builds > 0
    if can_use(s, int(s.player)):
        public.fruit_action[s.fruit_action - 1] = 1
    if s.pending_left == 0:
        public.phase[s.phase] = 1
        return
    for i in range(s.pending_left):
        effect = int(s.pending[i, WAITS_EFFECT])
        if effect >= CHOICE:
            public.pending[effect - CHOICE] += 1
    public.phase[3 + s.pending[s.pending_left - 1, WAITS_EFFECT] - CHOICE] = 1
    public.cleared = s.cleared
    public.choice_n = min(MANY, int(s.pending[s.pending_left - 1, WAITS_N]))


@jit
def observe_table(s, public):
    copy(public.kinds, s.kinds)
    copy(public.guilds, s.in_play)
    copy(public.fruit_market, s.fruit_market)
    copy(public.discards, s.discards)
    observe_fruit_deck(s, public)
    public.fruit_left = s.fruit_left
    for i in range(s.deck_left):
        public.deck[np.uint8(s.deck[i])] += 1  # unsigned: nobody asks whether it counts from the end
    for i in range(MARKET):
        if s.market[i] >= 0:
            card = int(s.market[i])
            public.market_banners[i] = s.card_set[card, BANNER]
            observe_card(
                s,
                card,
                public.market_guild[i],
                public.market_costs[i],
                public.market_points[i],
                public.market_effects[i],
            )


@jit
def observe_fruit_deck(s, public):
    """Counted in one word, six bits a fruit: counts in memory would wait for each other, the fruits being few."""
    counts = np.uint64(0)
    for i in range(s.fruit_left):
        counts += ONE << np.uint64(6 * int(s.fruit_deck[i]))
    for fruit in range(FRUITS):
        public.fruit_deck[fruit] = (counts >> np.uint64(6 * fruit)) & SIX_BITS


@jit
def observe_player(s, owner, i, public):
    copy(public.fruits[i], s.fruits[owner])
    copy(public.sold[i], s.sold[owner])
    copy(public.done[i], s.done[owner])
    copy(public.ends[i], s.ends[owner])
    public.purse[i] = min(MANY, int(s.purse[owner]))
    public.chest[i] = min(MANY, int(s.chest[owner]))
    public.banners[i] = min(MANY, int(s.banners[owner]))
    public.score[i] = min(MANY, score(s, owner))
    for effect in range(LASTINGS):
        public.lasting[i, effect] = min(MANY, int(s.lasting[owner, effect]))
    for slot in range(MARKERS):
        if s.progress[owner, slot] >= 0:
            observe_progress(s, owner, i, slot, public)


@jit
def observe_progress(s, owner, i, slot, public):
    card = int(s.progress[owner, slot])
    public.level[i, slot, int(s.level[owner, slot]) - 1] = 1
    public.progress_banners[i, slot] = s.card_set[card, BANNER]
    observe_card(
        s,
        card,
        public.progress_guild[i, slot],
        public.progress_costs[i, slot],
        public.progress_points[i, slot],
        public.progress_effects[i, slot],
    )


@jit
def observe_card(s, card, guild, costs, points, effects):
    guild[s.card_set[card, GUILD]] = 1
    for level in range(LEVELS):
        costs[level] = s.card_set[card, COST + level]
        points[level] = s.card_set[card, POINTS + level]
        # NO_EFFECT, too, is written, a 0 where the first effect may write after it: a branch would be a coin toss.
        for place in range(EFFECTS_A_LEVEL - 1, -1, -1):
            effect, n = effect_of(s, card, level + 1, place)
            effects[level, max(effect, AUTOMATIC) - AUTOMATIC] = n
