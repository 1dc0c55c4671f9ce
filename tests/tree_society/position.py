"""Positions of Tree Society built by assignment, and play by the names of actions."""

import numpy as np

import boardgames_env
from boardgames_env.batch import Batch
from boardgames_env.game import action_id, action_names
from boardgames_env.jit import plain
from boardgames_env.tree_society import cards, rules

PLACES = ["top 1", "top 2", "top 3", "bottom 1", "bottom 2", "bottom 3"]


class Position:
    """A game in which player 0 is to sell; nobody has anything, and there is one apple more than anybody wants.

    Fruits are names (`apple`, `apple with leaf`), guild cards ids of the card set. The top of a deck comes first.
    """

    def __init__(self, num_players=2, **options):
        self.game = boardgames_env.make("tree_society", num_players, **options)
        self.batch = Batch(self.game, 1, seed=7)
        self.ids = [card.id for card in rules.card_set_of(self.game.options.card_set)]
        s = self.s
        for name in ("fruits", "fruit_market", "purse", "chest", "deck", "deck_left", "fruit_deck", "fruit_left"):
            s[name] = 0
        s.market[:] = rules.EMPTY
        s.player = 0
        s.phase = rules.SELLING
        self.fruits(0, "apple")
        self.fruit_market("apple")

    @property
    def s(self):
        return self.batch.states[0]

    # --- Setting up ---

    def fruits(self, seat, *names):
        self.s.fruits[seat] = _counts(names)
        return self

    def fruit_market(self, *names):
        self.s.fruit_market[:] = _counts(names)
        return self

    def fruit_deck(self, *names):
        _lay(self.s, "fruit_deck", "fruit_left", [cards.FRUIT_NAMES.index(name) for name in names])
        return self

    def market(self, **places):
        """`market(top_1="A1")`"""
        for place, card in places.items():
            self.s.market[PLACES.index(place.replace("_", " "))] = self.ids.index(card)
        return self

    def deck(self, *names):
        _lay(self.s, "deck", "deck_left", [self.ids.index(name) for name in names])
        return self

    def discards(self, *names):
        for name in names:
            self.s.discards[self.ids.index(name)] += 1
        return self

    def purse(self, *coins):
        self.s.purse[: len(coins)] = coins
        return self

    def progress(self, seat, *placed):
        """`progress(0, ("A1", 1), ("W2", 2))`, at markers 1, 2, 3."""
        for slot, (card, level) in enumerate(placed):
            self.s.progress[seat, slot] = self.ids.index(card)
            self.s.level[seat, slot] = level
            plain(rules.count_lasting)(self.s, seat, self.ids.index(card), level, 1)
        return self

    def completed(self, seat, *names):
        for name in names:
            plain(rules.complete)(self.s, seat, self.ids.index(name))
            plain(rules.count_lasting)(self.s, seat, self.ids.index(name), cards.LEVELS, 1)
        return self

    def building(self):
        self.s.phase = rules.BUILDING
        return self

    # --- Playing and looking ---

    def do(self, *names):
        for name in names:
            assert name in self.legal(), f"{name!r} is not legal; these are: {self.legal()}"
            self.batch.step(np.array([action_id(self.game, name)]))
        return self

    def legal(self):
        names = list(action_names(self.game))
        return {names[action] for action in np.flatnonzero(self.batch.legal()[0])}

    def score(self, seat=0):
        return int(self.game.scores(self.batch.states)[0, seat])

    def market_now(self):
        return [None if card == rules.EMPTY else self.ids[card] for card in self.s.market]

    def fruits_of(self, seat):
        return _names(self.s.fruits[seat])

    def fruit_market_now(self):
        return _names(self.s.fruit_market)

    def discarded(self):
        return [self.ids[card] for card, n in enumerate(self.s.discards) for _ in range(n)]

    def cards_of(self, seat):
        """[(id, level), …] in progress."""
        places = zip(self.s.progress[seat], self.s.level[seat])
        return [(self.ids[card], int(level)) for card, level in places if card != rules.EMPTY]

    def completed_of(self, seat):
        return [self.ids[card] for card, n in enumerate(self.s.completed[seat]) for _ in range(n)]

    def sees(self, seat=0):
        """{field: value} of the seat's observation."""
        record = self.batch.fields(self.batch.observe(seat))[0]
        return {name: record[part][name] for part in record.dtype.names for name in record[part].dtype.names}


def _counts(names):
    counts = np.zeros(cards.FRUITS, np.int8)
    for name in names:
        counts[cards.FRUIT_NAMES.index(name)] += 1
    return counts


def _names(counts):
    return [cards.FRUIT_NAMES[fruit] for fruit, n in enumerate(counts) for _ in range(n)]


def _lay(s, deck, left, numbers):
    s[deck] = 0
    s[deck][: len(numbers)] = numbers[::-1]
    s[left] = len(numbers)
