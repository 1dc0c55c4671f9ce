"""Tree Society, written to be read next to the rules page: plain, slow, no cleverness.

It shares no code and no table with the fast implementation, so that the two can be played move by move against each
other. Cards are strings, piles are lists with the next card last, counts are Counters; the marks S1 .. S31 name the
rules. Chance comes in at one point only, when the discards are shuffled (S15): `shuffle` is asked for the new order.
"""

import random
import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field

KINDS = ["apple", "cherry", "grape", "blueberry", "orange"]  # S1
FRUITS = [kind + leaf for kind in KINDS for leaf in ("", " with leaf")]
OF_A_KIND = {"": 10, " with leaf": 5}  # S1: 5 of each 15 carry a leaf
GUILDS = ["architects", "bankers", "writers", "merchants", "botanists", "explorers"]  # S1
PLACES = ["top 1", "top 2", "top 3", "bottom 1", "bottom 2", "bottom 3"]  # S4
MARKERS = [1, 2, 3]  # S1
FRUIT_MARKET = 3  # S3
DESIGNS = 72  # S30: most designs of a card set
MOST_PURCHASES = 12  # S9: in one turn
BANNERS_TO_END = 6  # S16

INSTANT = ["P", "C", "D", "HALF", "T"]  # S11: applied without asking
CHOICES = ["F", "S", "RF", "ADV", "X"]
LASTING = ["L1", "B1", "KEEP", "SALE"]
AT_END = ["E:done", "E:coins", "E:writers", "E:guilds", "E:sold", "E:fruit"]
EFFECTS = ["P", "C", "D", "HALF", "T", "F", "S", "RF", "ADV", "X", *LASTING, *AT_END]  # S30, as the tables have them

PRINTED = ["guild", "banners", "costs", "points", "effects"]  # on a guild card, as the observation tells it

FRUIT_ACTION = {"apple": "C+2", "cherry": "S", "grape": "D-2", "blueberry": "F", "orange": "RF"}  # S8

# S31: id, guild, banners, costs, points, level 1, level 2, level 3
BUILT_IN = """
| A1 | architects | 1 | 3/3/5 | 0/1/3 | D-1 | D-2 | |
| A2 | architects | 1 | 3/3/6 | 0/1/4 | w:L1-1 | w:L1-1 | |
| A3 | architects | 2 | 3/5/8 | 1/3/6 | D-1 | HALF | |
| A4 | architects | 2 | 5/5/6 | 1/3/6 | w:B1-1 | w:B1-1 | |
| A5 | architects | 2 | 5/6/6 | 1/3/4 | | | E:done |
| A6 | architects | 3 | 6/8/9 | 2/5/11 | | D-3 | |
| B1 | bankers | 1 | 2/5/5 | 0/1/3 | C+1 | C+2 | |
| B2 | bankers | 1 | 3/3/5 | 0/1/3 | P+1 | C+1 | C+3 |
| B3 | bankers | 2 | 3/6/6 | 1/2/6 | w:KEEP+2 | w:KEEP+2 | p:KEEP+2 |
| B4 | bankers | 2 | 5/5/6 | 1/2/5 | C+2 | C+3 | |
| B5 | bankers | 2 | 5/6/6 | 1/3/5 | | | E:coins |
| B6 | bankers | 3 | 6/8/9 | 2/4/10 | C+2 | | C+4 |
| W1 | writers | 1 | 3/5/6 | 1/3/6 | | | |
| W2 | writers | 1 | 2/5/8 | 1/3/6 | | | |
| W3 | writers | 2 | 5/6/8 | 2/4/9 | | | |
| W4 | writers | 2 | 3/6/8 | 1/3/5 | | | E:writers |
| W5 | writers | 2 | 5/5/8 | 1/3/6 | | | E:guilds |
| W6 | writers | 3 | 6/9/11 | 3/6/14 | | | |
| M1 | merchants | 1 | 2/3/5 | 0/1/3 | S | S | |
| M2 | merchants | 1 | 3/5/5 | 0/1/4 | w:SALE+1 | w:SALE+1 | |
| M3 | merchants | 2 | 3/6/6 | 1/3/6 | | T | |
| M4 | merchants | 2 | 5/5/6 | 1/3/4 | | | E:sold |
| M5 | merchants | 2 | 5/6/6 | 1/2/6 | P+1 | w:SALE+1 | p:SALE+1 |
| M6 | merchants | 3 | 6/8/9 | 2/4/11 | S | | P+3 |
| T1 | botanists | 1 | 2/3/6 | 0/1/3 | F | F | |
| T2 | botanists | 1 | 3/3/5 | 0/1/3 | F | P+1 | |
| T3 | botanists | 2 | 3/5/7 | 1/2/5 | F | T | |
| T4 | botanists | 2 | 5/5/6 | 1/2/3 | | | E:fruit |
| T5 | botanists | 2 | 4/6/6 | 1/2/6 | F | | |
| T6 | botanists | 3 | 6/8/9 | 2/4/10 | F | F | |
| E1 | explorers | 1 | 2/3/5 | 0/1/4 | RF | X+3 | |
| E2 | explorers | 1 | 3/3/5 | 0/1/4 | RF | C+1 | |
| E3 | explorers | 2 | 3/6/6 | 1/2/6 | RF, D-1 | ADV<=3 | |
| E4 | explorers | 2 | 5/5/6 | 1/3/6 | | ADV<=3 | |
| E5 | explorers | 2 | 3/6/6 | 1/2/5 | X+3 | | E:guilds |
| E6 | explorers | 3 | 6/8/9 | 2/4/11 | RF | | ADV<=4 |
"""


# ---------------------------------------------------------------- guild cards


@dataclass(frozen=True)
class Effect:
    name: str  # one of EFFECTS
    n: int  # 1 for effects without n


@dataclass(frozen=True)
class Design:
    """A guild card. costs, points and effects have an entry for each of the levels 1 to 3."""

    guild: str
    banners: int
    costs: tuple
    points: tuple
    effects: tuple  # of lists of Effect
    copies: int

    def cost(self, level):
        return self.costs[level - 1]

    def effects_on(self, level):
        return self.effects[level - 1]


def parse_effects(text):
    """ "RF, D-1" as a list of effects."""
    return [parse_effect(part.strip()) for part in text.split(",") if part.strip()]


def parse_effect(text):
    text = text.removeprefix("w:").removeprefix("p:")  # S30: how long it lasts follows from the level
    name, n = re.fullmatch(r"(E:[a-z]+|L1|B1|[A-Z]+)(?:(?:\+|-|<=)(\d+))?", text).groups()
    assert name in EFFECTS, text
    return Effect(name, int(n or 1))


def built_in_cards():
    """{id: Design} of S31, two copies each (S2)."""
    cards = {}
    for line in BUILT_IN.strip().splitlines():
        name, guild, banners, costs, points, *levels = [cell.strip() for cell in line.split("|")[1:-1]]
        cards[name] = Design(
            guild,
            int(banners),
            tuple(int(cost) for cost in costs.split("/")),
            tuple(int(point) for point in points.split("/")),
            tuple(parse_effects(level) for level in levels),
            copies=2,
        )
    assert len(cards) == 36
    return cards


def cards_of_file(path):
    """{id: Design} of a card set in a TOML file (S30)."""
    with open(path, "rb") as file:
        rows = tomllib.load(file)["cards"]
    return {
        row["id"]: Design(
            row["guild"],
            row["banners"],
            tuple(row["costs"]),
            tuple(row["points"]),
            tuple(parse_effects(row[level]) for level in ("level_1", "level_2", "level_3")),
            row.get("copies", 2),
        )
        for row in rows
    }


# ---------------------------------------------------------------- small things


@dataclass(eq=False)
class InProgress:
    """A guild card with a marker on it."""

    card: str
    level: int = 1


@dataclass
class Seat:
    fruits: Counter  # face up
    purse: int
    chest: int = 0
    sold: Counter = field(default_factory=Counter)  # in the whole game
    progress: dict = field(default_factory=lambda: dict.fromkeys(MARKERS))  # marker: InProgress or None
    completed: list = field(default_factory=list)


@dataclass(eq=False)
class Waiting:
    """An effect that has not been carried out yet."""

    effect: Effect
    source: InProgress | None  # the card that has it, None for the action of a fruit


def kind_of(fruit):
    return fruit.removesuffix(" with leaf")


def shown(number):
    """A number of coins or points as the observation has it."""
    return min(number, 99)


def one_hot(value, values):
    return [int(value == each) for each in values]


def counts(cards, order):
    counter = Counter(cards)
    return [counter[each] for each in order]


class Reference:
    """One game, from just after the deal to its end."""

    def __init__(
        self,
        *,
        cards,  # {id: Design}, the whole card set
        guilds,  # in play
        kinds,  # in play
        fruit_deck,
        fruit_market,
        deck,
        market,  # {place: id}
        hands,  # by seat, the face-up fruits
        start_coins,  # by seat
        player,
        reward="win",
        count_market=False,
        finish_round=True,
    ):
        self.cards = cards
        self.printed = {card: printed_on(design) for card, design in [*cards.items(), (None, None)]}
        self.guilds = list(guilds)
        self.kinds = list(kinds)
        self.reward = reward
        self.count_market = count_market  # S6
        self.finish_round = finish_round  # S16
        self.shuffle = self._shuffle_at_random

        # the table
        self.fruit_deck = list(fruit_deck)
        self.fruit_market = Counter(fruit_market)
        self.deck = list(deck)
        self.market = {place: market.get(place) for place in PLACES}
        self.discards = []
        self.seats = [Seat(Counter(hand), coins) for hand, coins in zip(hands, start_coins, strict=True)]

        self.start_player = player  # S5
        self.last_round = False  # S16
        self.over = False
        self._check_the_deal()
        self._begin_turn(player)

    def _check_the_deal(self):
        """S1 to S4: all fruits of the kinds and all cards of the guilds in play, no others."""
        assert len(self.kinds) == len(self.seats) + 1  # S3
        assert self.fruit_market.total() == FRUIT_MARKET
        assert all(seat.fruits.total() == 3 for seat in self.seats)  # S4
        fruits = Counter(self.fruit_deck) + self.fruit_market
        for seat in self.seats:
            fruits += seat.fruits
        assert fruits == {kind + leaf: number for kind in self.kinds for leaf, number in OF_A_KIND.items()}

        with_cards = {design.guild for design in self.cards.values()}
        assert len(self.guilds) == min(4, len(with_cards)) and set(self.guilds) <= with_cards  # S2
        assert Counter(self.deck) + Counter(self.market.values()) == {
            name: design.copies for name, design in self.cards.items() if design.guild in self.guilds
        }

    # ---------------------------------------------------------------- what a player has

    @property
    def me(self):
        """The player to act."""
        return self.seats[self.player]

    def design(self, card):
        return self.cards[card]

    def cards_in_progress(self, seat):
        return [slot for slot in seat.progress.values() if slot]

    def free_markers(self, seat):
        return [marker for marker in MARKERS if seat.progress[marker] is None]

    def lasting(self, seat, name):
        """S11, S30: the sum of one lasting effect, on cards in progress and on completed ones."""
        in_force = []
        for slot in self.cards_in_progress(seat):
            in_force += self.design(slot.card).effects_on(slot.level)
        for card in seat.completed:
            in_force += self.design(card).effects_on(3)
        return sum(effect.n for effect in in_force if effect.name == name)

    def income(self, seat, fruit):
        """S6, S7: coins for a sale."""
        kind = kind_of(fruit)
        face_up = [owner.fruits for owner in self.seats]
        if self.count_market:
            face_up.append(self.fruit_market)
        coins = sum(number for fruits in face_up for each, number in fruits.items() if kind_of(each) == kind)
        if fruit.endswith("with leaf"):
            coins += 1
        return coins + self.lasting(seat, "SALE")

    def price(self, seat, card, level):
        """S13: what a level costs this player, now or at the beginning of the next turn."""
        acts = not self.over and seat is self.me
        price = self.design(card).cost(level)
        if acts:
            price -= self.discount
        if level == 1:
            price -= self.lasting(seat, "L1")
        if not (acts and self.built):
            price -= self.lasting(seat, "B1")
        price = max(price, 0)
        if acts and self.half:
            price = (price + 1) // 2
        return price

    def banners(self, seat):
        return sum(self.design(card).banners for card in seat.completed)

    def ends(self, seat, name):
        """How many completed cards have this effect."""
        return sum(effect.name == name for card in seat.completed for effect in self.design(card).effects_on(3))

    def end_points(self, seat, name):
        """S30: what one card with this effect gives."""
        guilds = [self.design(card).guild for card in seat.completed]
        if name == "E:done":
            return len(guilds)
        if name == "E:coins":
            return min(seat.purse // 2, 4)
        if name == "E:writers":
            return 2 * guilds.count("writers")
        if name == "E:guilds":
            return len(set(guilds))
        if name == "E:sold":
            return seat.sold.total() // 4
        assert name == "E:fruit"
        return min(seat.fruits.total(), 4)

    def score(self, seat):
        """S18"""
        points = sum(self.design(card).points[2] for card in seat.completed)
        points += sum(self.design(slot.card).points[slot.level - 1] for slot in self.cards_in_progress(seat))
        effects = [effect.name for card in seat.completed for effect in self.design(card).effects_on(3)]
        return points + sum(self.end_points(seat, name) for name in effects if name in AT_END)

    # ---------------------------------------------------------------- legal actions

    def legal_actions(self):
        return set(self._options())

    def apply(self, name):
        options = self._options()
        if name not in options:
            raise ValueError(f"not a legal action: {name!r}")
        action, *arguments = options[name]
        action(*arguments)

    def _options(self):
        """Every legal action: its name, and what to call for it."""
        if self.over:
            return {}
        if self.choice:  # S11: nothing else can be done
            return self._choice_options()
        if self.phase == "sell":
            return {f"sell {fruit}": (self._sell_first, fruit) for fruit in self._fruits_to_sell()}
        if self.phase == "build":
            return self._build_options()
        return {f"take {fruit}": (self._rest, fruit) for fruit in self._fruits_to_take()}

    def _fruits_to_sell(self):
        return [fruit for fruit in FRUITS if self.me.fruits[fruit] > 0]

    def _fruits_to_take(self):
        return [fruit for fruit in FRUITS if self.fruit_market[fruit] > 0]

    def _cards_in_market(self):
        return [place for place in PLACES if self.market[place]]

    def _build_options(self):
        options = {}
        for place in self._cards_in_market():  # S9
            can_pay = self.price(self.me, self.market[place], 1) <= self.me.purse
            if can_pay and self.free_markers(self.me) and self.purchases < MOST_PURCHASES:
                options[f"buy {place}"] = (self._buy, place)
        for marker, slot in self.me.progress.items():
            if slot:
                if self.price(self.me, slot.card, slot.level + 1) <= self.me.purse:  # S10
                    options[f"raise card {marker}"] = (self._raise, slot)
                options[f"discard card {marker}"] = (self._discard, slot)  # S12
        if self._usable_fruit_action():
            options["use fruit action"] = (self._use_fruit_action,)
        options["end build"] = (self._end_build,)
        return options

    def _usable_fruit_action(self):
        """S8: the kind whose action has not been used in this turn and could do something now, or None."""
        if self.fruit_action is None:
            return None
        effect = parse_effect(FRUIT_ACTION[self.fruit_action])
        if effect.name in CHOICES and not self._choices(Waiting(effect, None)):
            return None
        return self.fruit_action

    def _choices(self, waiting):
        """S11: what could be chosen for an effect; declining apart."""
        name = waiting.effect.name
        if name == "F":
            return self._fruits_to_take()
        if name == "S":
            return self._fruits_to_sell()
        if name == "RF":
            return self._cards_in_market()
        others = [slot for slot in self.cards_in_progress(self.me) if slot is not waiting.source]
        if name == "ADV":
            return [slot for slot in others if self.design(slot.card).cost(slot.level + 1) <= waiting.effect.n]
        assert name == "X"
        return others

    def _choice_options(self):
        name = self.choice.effect.name
        choices = self._choices(self.choice)
        if name == "RF":
            options = {f"clear {place}": (self._clear, place) for place in choices}
            options["done clearing"] = (self._done_clearing,)
            return options
        if name == "F":
            options = {f"take {fruit}": (self._take_for_effect, fruit) for fruit in choices}
        elif name == "S":
            options = {f"sell {fruit}": (self._sell_for_effect, fruit) for fruit in choices}
        elif name == "ADV":
            options = {f"advance card {self._marker_of(slot)}": (self._advance, slot) for slot in choices}
        else:
            options = {f"scrap card {self._marker_of(slot)}": (self._scrap, slot) for slot in choices}
        if self.choice.source:  # S8: the choice of a fruit's action must be made
            options["decline"] = (self._close_choice,)
        return options

    def _marker_of(self, slot):
        return next(marker for marker in MARKERS if self.me.progress[marker] is slot)

    # ---------------------------------------------------------------- selling

    def _begin_turn(self, player):
        self.player = player
        self.fruit_action = None  # the kind whose action may still be used
        self.discount = 0  # S13
        self.half = False
        self.built = False  # a level has been paid for
        self.purchases = 0
        self.choice = None  # Waiting: the effect whose choice is open
        self.cleared = 0  # cards discarded for it
        self.waiting = []  # the effects that come after it
        self.phase = "sell" if self.me.fruits.total() else "build"  # S19

    def _sell_first(self, fruit):
        self._sell(fruit)
        self.fruit_action = kind_of(fruit)  # S8
        self.phase = "build"

    def _sell(self, fruit):
        """S6"""
        self.me.purse += self.income(self.me, fruit)
        self.me.fruits[fruit] -= 1
        self.me.sold[fruit] += 1

    # ---------------------------------------------------------------- building

    def _buy(self, place):
        """S9"""
        card = self.market[place]
        self._pay(card, 1)
        self.market[place] = None
        self.purchases += 1
        slot = InProgress(card)
        self.me.progress[self.free_markers(self.me)[0]] = slot
        self._reached(slot)
        self._carry_out()

    def _raise(self, slot):
        """S10"""
        self._pay(slot.card, slot.level + 1)
        self._level_up(slot)
        self._carry_out()

    def _pay(self, card, level):
        """S13"""
        self.me.purse -= self.price(self.me, card, level)
        assert self.me.purse >= 0
        self.discount = 0
        self.half = False
        self.built = True

    def _level_up(self, slot):
        slot.level += 1
        if slot.level == 3:  # S10: completed
            self._free_marker(slot)
            self.me.completed.append(slot.card)
        self._reached(slot)

    def _free_marker(self, slot):
        self.me.progress[self._marker_of(slot)] = None

    def _discard(self, slot):
        """S12"""
        self._free_marker(slot)
        self.discards.append(slot.card)

    def _use_fruit_action(self):
        """S8"""
        effect = parse_effect(FRUIT_ACTION[self.fruit_action])
        self.fruit_action = None
        self.waiting.insert(0, Waiting(effect, None))
        self._carry_out()

    def _end_build(self):
        self.fruit_action = None  # S8, S13: what is left lapses
        self.discount = 0
        self.half = False
        self.phase = "rest"
        if not self._fruits_to_take():  # S17
            self.last_round = True
            self._end_turn()

    # ---------------------------------------------------------------- effects

    def _reached(self, slot):
        """S11: the effects of the level come before those that wait."""
        effects = self.design(slot.card).effects_on(slot.level)
        new = [Waiting(effect, slot) for effect in effects if effect.name in INSTANT + CHOICES]
        self.waiting = new + self.waiting

    def _carry_out(self):
        """S11: what waits, up to the first effect that has something to choose."""
        while self.waiting and not self.choice:
            first = self.waiting.pop(0)
            if first.effect.name in INSTANT:
                self._apply_effect(first.effect)
            elif self._choices(first):
                self.choice = first
                self.cleared = 0

    def _apply_effect(self, effect):
        if effect.name == "P":
            self.me.purse += effect.n
        elif effect.name == "C":
            self.me.chest += effect.n
        elif effect.name == "D":
            self.discount += effect.n
        elif effect.name == "HALF":
            self.half = True
        elif effect.name == "T":
            self.me.purse += len({kind_of(fruit) for fruit in self._fruits_to_sell()})

    def _close_choice(self):
        self.choice = None
        self.cleared = 0
        self._carry_out()

    def _take_for_effect(self, fruit):
        self._take(fruit)
        self._close_choice()

    def _sell_for_effect(self, fruit):
        self._sell(fruit)
        self._close_choice()

    def _clear(self, place):
        self.discards.append(self.market[place])
        self.market[place] = None
        self.cleared += 1

    def _done_clearing(self):
        if self.cleared:  # without a discard nothing happens
            self._refill_guild_market()
        self._close_choice()

    def _advance(self, slot):
        """S13: free, uses up nothing, is not the first level paid for."""
        self._level_up(slot)
        self._close_choice()

    def _scrap(self, slot):
        self._discard(slot)
        self.me.chest += self.choice.effect.n
        self._close_choice()

    # ---------------------------------------------------------------- resting

    def _rest(self, fruit):
        """S14"""
        self._take(fruit)
        self._end_turn()

    def _take(self, fruit):
        self.fruit_market[fruit] -= 1
        self.me.fruits[fruit] += 1
        while self.fruit_market.total() < FRUIT_MARKET and self.fruit_deck:
            self.fruit_market[self.fruit_deck.pop()] += 1

    def _end_turn(self):
        self.me.purse = min(self.me.purse, 2 + self.lasting(self.me, "KEEP"))  # S14
        self.me.purse += self.me.chest
        self.me.chest = 0
        self._refill_guild_market()  # S15
        if self.banners(self.me) >= BANNERS_TO_END:  # S16
            self.last_round = True
        following = (self.player + 1) % len(self.seats)
        self._begin_turn(following)
        if self.last_round and (not self.finish_round or following == self.start_player):
            self.over = True

    def _refill_guild_market(self):
        """S15"""
        for column in ("1", "2", "3"):
            top, bottom = "top " + column, "bottom " + column
            if self.market[bottom] is None:
                self.market[bottom], self.market[top] = self.market[top], None
        gaps = [place for place in PLACES[3:] + PLACES[:3] if self.market[place] is None]
        while gaps and (self.deck or self.discards):
            if not self.deck:
                self._shuffle_discards(gaps)
            self.market[gaps.pop(0)] = self.deck.pop()

    def _shuffle_discards(self, gaps):
        """S15: the order is chance, but they must be the same cards."""
        self.deck = list(self.shuffle(list(self.discards), list(gaps)))
        assert Counter(self.deck) == Counter(self.discards), "these are not the cards that were shuffled"
        self.discards = []

    @staticmethod
    def _shuffle_at_random(cards, gaps):
        """The cards in a new order, the next one last; the first of them go to these gaps, in this order."""
        return random.sample(cards, len(cards))

    # ---------------------------------------------------------------- results

    def scores(self):
        return [self.score(seat) for seat in self.seats]

    def returns(self):
        number = len(self.seats)
        if self.reward == "score":
            scores = self.scores()
            return [(own - (sum(scores) - own) / (number - 1)) / 32 for own in scores]
        if not self.over:
            return [0.0] * number
        ranks = [(self.score(seat), len(seat.completed), seat.purse) for seat in self.seats]  # S18
        winners = [rank == max(ranks) for rank in ranks]
        shares = [won / sum(winners) for won in winners]
        return [(share - 1 / number) * number / (number - 1) for share in shares]  # sole winner 1, a full tie 0

    # ---------------------------------------------------------------- observation

    def observation(self, seat):
        """S20: everything but the order of the decks; index 0 is the player in this seat."""
        number = len(self.seats)
        order = [(seat + step) % number for step in range(number)]
        owners = [self.seats[each] for each in order]
        me = owners[0]
        market = [self.market[place] for place in PLACES]
        progress = [[owner.progress[marker] for marker in MARKERS] for owner in owners]
        waiting = ([self.choice] if self.choice else []) + self.waiting
        return {
            "income": [shown(self.income(me, fruit)) if me.fruits[fruit] else 0 for fruit in FRUITS],
            "buy_price": [shown(self.price(me, card, 1)) if card else 0 for card in market],
            "raise_price": [shown(self.price(me, s.card, s.level + 1)) if s else 0 for s in progress[0]],
            "acting": one_hot(None if self.over else self.player, order),
            "phase": one_hot(self._phase_shown(), ["sell", "build", "rest", *CHOICES]),
            "choice_n": self.choice.effect.n if self.choice else 0,
            "cleared": self.cleared,
            "pending": counts([each.effect.name for each in waiting], CHOICES),
            "fruit_action": one_hot(None if self.over else self._usable_fruit_action(), KINDS),
            "discount": shown(self.discount),
            "half": int(self.half),
            "built": int(self.built),
            "last_round": int(self.last_round),
            "start_player": one_hot(None if self.over else self.start_player, order),
            "kinds": [int(kind in self.kinds) for kind in KINDS],
            "guilds": [int(guild in self.guilds) for guild in GUILDS],
            "fruit_market": counts(self.fruit_market, FRUITS),
            "fruit_deck": counts(self.fruit_deck, FRUITS),
            "fruit_left": len(self.fruit_deck),
            "deck": self._by_design(self.deck),
            "discards": self._by_design(self.discards),
            **{f"market_{what}": [self.printed[card][what] for card in market] for what in PRINTED},
            "fruits": [counts(owner.fruits, FRUITS) for owner in owners],
            "sold": [counts(owner.sold, FRUITS) for owner in owners],
            "purse": [shown(owner.purse) for owner in owners],
            "chest": [shown(owner.chest) for owner in owners],
            "done": [counts([self.design(card).guild for card in owner.completed], GUILDS) for owner in owners],
            "banners": [self.banners(owner) for owner in owners],
            "score": [shown(self.score(owner)) for owner in owners],
            "lasting": [[shown(self.lasting(owner, name)) for name in LASTING] for owner in owners],
            "ends": [[self.ends(owner, name) for name in AT_END] for owner in owners],
            "level": [[one_hot(slot and slot.level, [1, 2]) for slot in slots] for slots in progress],
            **{
                f"progress_{what}": [[self.printed[slot and slot.card][what] for slot in slots] for slots in progress]
                for what in PRINTED
            },
        }

    def _phase_shown(self):
        if self.over:
            return None
        return self.choice.effect.name if self.choice else self.phase

    def _by_design(self, pile):
        """How many cards of each design; as many columns as the largest card set has designs."""
        return counts(pile, self.cards) + [0] * (DESIGNS - len(self.cards))


def printed_on(design):
    """What the observation tells of a guild card; all zero for None, no card."""
    if design is None:
        nothing = [0, 0, 0]
        return {
            "guild": [0] * len(GUILDS),
            "banners": 0,
            "costs": nothing,
            "points": nothing,
            "effects": [[0] * len(EFFECTS)] * 3,
        }
    levels = [{effect.name: effect.n for effect in effects} for effects in design.effects]
    return {
        "guild": one_hot(design.guild, GUILDS),
        "banners": design.banners,
        "costs": list(design.costs),
        "points": list(design.points),
        "effects": [[level.get(name, 0) for name in EFFECTS] for level in levels],
    }
