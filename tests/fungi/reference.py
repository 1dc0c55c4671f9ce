"""Fungi for two players, written to be read next to the rules page: plain, slow, no cleverness.

It shares no code with the fast implementation, so that the two can be played move by move against each
other. Cards are strings, piles are lists, hands are Counters; the marks F1 .. F21 name the rules.
Run the file to play random games with the bookkeeping checked after every action.
"""

import random
from collections import Counter

# F1: kind, number of forest cards, number of night cards, flavour each, sticks each
MUSHROOM_TABLE = [
    ("honey fungus", 10, 1, 1, 1),
    ("tree ear", 8, 1, 1, 2),
    ("lawyer's wig", 6, 1, 2, 1),
    ("shiitake", 5, 1, 2, 2),
    ("hen of the woods", 5, 1, 3, 1),
    ("birch bolete", 4, 1, 3, 2),
    ("porcini", 4, 1, 3, 3),
    ("chanterelle", 4, 1, 4, 2),
    ("morel", 3, 0, 6, 4),
]
OTHER_CARDS = {"butter": 3, "cider": 3, "pan": 13, "basket": 5, "moon": 8, "fly agaric": 5}  # F1

MUSHROOMS = [kind for kind, _, _, _, _ in MUSHROOM_TABLE]
NIGHT_OF = {kind: "night " + kind for kind, _, night, _, _ in MUSHROOM_TABLE if night}
NIGHT_KINDS = list(NIGHT_OF.values())
HAND_KINDS = MUSHROOMS + NIGHT_KINDS + ["butter", "cider", "pan"]
KINDS = HAND_KINDS + ["basket", "moon", "fly agaric"]

FLAVOUR = {kind: flavour for kind, _, _, flavour, _ in MUSHROOM_TABLE}
STICKS = {kind: sticks for kind, _, _, _, sticks in MUSHROOM_TABLE}

ROW = 8  # places in the forest
DECAY_ROOM = 4  # F16: the decay pile holds four cards at most
PANS_DEALT = 2  # F1, F4: one pan for each display
BOX_OF_CARDS = Counter(OTHER_CARDS)  # all 94 cards
for _kind, _forest, _night, _, _ in MUSHROOM_TABLE:
    BOX_OF_CARDS[_kind] = _forest
    if _night:
        BOX_OF_CARDS[NIGHT_OF[_kind]] = _night


def counts(cards, kinds):
    """How many cards of each kind, in the order of kinds."""
    counter = Counter(cards)
    return [counter[kind] for kind in kinds]


def cook_name(size, kind, butter, cider):
    additions = []
    for count, word in ((butter, "butter"), (cider, "cider")):
        if count == 1:
            additions.append(word)
        elif count > 1:
            additions.append(f"{count} {word}")
    name = f"cook {size} {kind}"
    if additions:
        name += " with " + " and ".join(additions)
    return name


class Reference:
    """One game, from just after the set-up to its end."""

    def __init__(
        self,
        *,
        forest,
        draw_pile,
        night_pile,
        hands,
        baskets,
        out,
        player,
        night_doubles_set=False,
        reward="win",
    ):
        if reward not in ("win", "score"):
            raise ValueError(f"reward must be 'win' or 'score', not {reward!r}")
        self.night_doubles_set = night_doubles_set  # F2
        self.reward = reward

        # the table
        self.forest = list(forest)  # position 1 first
        self.draw_pile = list(draw_pile)  # the next card last
        self.night_pile = list(night_pile)  # the next card last
        self.decay = []  # F4
        self.out = Counter(out)  # every card that is out of play

        # the two players
        self.hands = [Counter(hand) for hand in hands]
        self.known = [Counter(), Counter()]  # F20: what the opponent can prove about each hand
        self.baskets = list(baskets)
        self.pans = [1, 1]  # F4
        self.sticks = [0, 0]  # F4
        self.new_agarics = [0, 0]  # taken in the present turn
        self.old_agarics = [0, 0]  # leave at the end of their owner's next (or present) turn
        self.cooked = [Counter(), Counter()]  # mushrooms by kind, a night card counting two
        self.score = [0, 0]

        self.turns = 0  # actions other than discards
        self.idle_steps = 0  # F15: steps of the forest while both players were stuck
        self.over = not self.forest
        self.player = player
        self._give_turn_to(player)

    # ---------------------------------------------------------------- what a player has

    def hand_size(self, seat):
        return self.hands[seat].total()

    def hand_limit(self, seat):
        """F7, F14: fly agarics do not add up."""
        agarics = self.new_agarics[seat] + self.old_agarics[seat]
        return (4 if agarics > 0 else 8) + 2 * self.baskets[seat]

    def has_free_slot(self, seat):
        return self.hand_size(seat) < self.hand_limit(seat)

    def has_pan(self, seat):
        return self.pans[seat] > 0 or self.hands[seat]["pan"] > 0

    def is_discarding(self):
        """F13: the player to act holds more cards than the limit allows."""
        return not self.over and self.hand_size(self.player) > self.hand_limit(self.player)

    # ---------------------------------------------------------------- legal actions

    def legal_actions(self):
        return set(self._options(self.player))

    def apply(self, name):
        options = self._options(self.player)
        if name not in options:
            raise ValueError(f"not a legal action: {name!r}")
        action, *arguments = options[name]
        action(*arguments)

    def _options(self, seat):
        """Every legal action of a player: its name, and what to call for it."""
        if self.over:
            return {}
        if self.hand_size(seat) > self.hand_limit(seat):  # F13: discards and nothing else
            return self._discard_options(seat)
        return {
            **self._take_options(seat),
            **self._take_decay_options(seat),
            **self._cook_options(seat),
            **self._sell_options(seat),
            **self._place_pan_options(seat),
        }

    def _discard_options(self, seat):
        hand = self.hands[seat]
        return {f"discard {kind}": (self._discard, kind) for kind in HAND_KINDS if hand[kind] > 0}

    def _take_options(self, seat):
        """F8"""
        options = {}
        for position, card in enumerate(self.forest, start=1):
            can_pay = self.sticks[seat] >= self._cost(position)
            needs_slot = card not in ("basket", "fly agaric")
            if can_pay and (self.has_free_slot(seat) or not needs_slot):
                options[f"take position {position}"] = (self._take, position)
        return options

    def _cost(self, position):
        return max(0, position - 2)  # F8

    def _take_decay_options(self, seat):
        """F9"""
        if not self.decay:
            return {}
        baskets = self.decay.count("basket")
        to_hand = len(self.decay) - baskets - self.decay.count("fly agaric")  # a moon counts one
        if self.hand_size(seat) + to_hand > self.hand_limit(seat) + 2 * baskets:
            return {}
        return {"take decay pile": (self._take_decay,)}

    def _cook_options(self, seat):
        """F10"""
        options = {}
        if not self.has_pan(seat):
            return options
        hand = self.hands[seat]
        for kind in MUSHROOMS:
            for size in self._set_sizes(seat, kind):
                if size < 3:
                    continue
                for butter in range(hand["butter"] + 1):
                    for cider in range(hand["cider"] + 1):
                        if 4 * butter + 5 * cider <= size:
                            name = cook_name(size, kind, butter, cider)
                            options[name] = (self._cook, kind, size, butter, cider)
        return options

    def _sell_options(self, seat):
        """F11"""
        options = {}
        for kind in MUSHROOMS:
            for size in self._set_sizes(seat, kind):
                if size >= 2:  # one night card alone is a size of two
                    options[f"sell {size} {kind}"] = (self._sell, kind, size)
        return options

    def _place_pan_options(self, seat):
        """F12"""
        return {"place pan": (self._place_pan,)} if self.hands[seat]["pan"] > 0 else {}

    # ---------------------------------------------------------------- sets of one kind

    def _set_sizes(self, seat, kind):
        """All numbers of mushrooms of a kind the hand can put together (F2: a night card is two)."""
        day = self.hands[seat][kind]
        sizes = set(range(1, day + 1))  # day cards alone
        if kind in NIGHT_OF and self.hands[seat][NIGHT_OF[kind]] > 0:
            sizes |= {2 + more for more in range(day + 1)}  # the night card and some day cards
        return sorted(sizes)

    def _set_cards(self, seat, kind, size):
        """The text after F12: day cards first; beyond them the night card and size - 2 day cards."""
        day = self.hands[seat][kind]
        if size <= day:
            return Counter({kind: size})
        cards = Counter({NIGHT_OF[kind]: 1})
        if size > 2:
            cards[kind] = size - 2
        return cards

    # ---------------------------------------------------------------- moving cards

    def _gain_from_table(self, seat, card):
        """A card taken from the forest or the decay pile."""
        if card == "basket":  # F8: to the display
            self.baskets[seat] += 1
        elif card == "fly agaric":  # F8, F13: to the display
            self.new_agarics[seat] += 1
        elif card == "moon":  # F8: discarded, the top night card comes into the hand
            self.out["moon"] += 1
            if self.night_pile:  # always true: there are as many night cards as moons
                self.hands[seat][self.night_pile.pop()] += 1
        else:
            self.hands[seat][card] += 1
            self.known[seat][card] += 1  # F20: everybody saw it

    def _lose_from_hand(self, seat, card, count):
        """Cards leave the hand openly; F20: the number known becomes max(0, known - count)."""
        assert self.hands[seat][card] >= count
        self.hands[seat][card] -= count
        self.known[seat][card] = max(0, self.known[seat][card] - count)

    def _spend_from_hand(self, seat, card, count):
        self._lose_from_hand(seat, card, count)
        self.out[card] += count

    # ---------------------------------------------------------------- the actions

    def _take(self, position):
        """F8"""
        seat = self.player
        self.turns += 1
        self.sticks[seat] -= self._cost(position)
        card = self.forest.pop(position - 1)
        self._gain_from_table(seat, card)
        if not self.forest:  # F17: at once; no discards, no clock, no decay step
            self.over = True
            return
        self._end_turn_unless_discarding()

    def _take_decay(self):
        """F9: baskets first, then moons and the rest, fly agaric last."""
        seat = self.player
        self.turns += 1
        cards, self.decay = self.decay, []
        first = [card for card in cards if card == "basket"]
        then = [card for card in cards if card not in ("basket", "fly agaric")]
        last = [card for card in cards if card == "fly agaric"]
        for card in first + then + last:
            self._gain_from_table(seat, card)
        self._end_turn_unless_discarding()

    def _cook(self, kind, size, butter, cider):
        """F10"""
        seat = self.player
        self.turns += 1
        cards = self._set_cards(seat, kind, size)
        for card, count in cards.items():
            self._spend_from_hand(seat, card, count)
        self._spend_from_hand(seat, "butter", butter)
        self._spend_from_hand(seat, "cider", cider)
        self._spend_pan(seat)
        self.cooked[seat][kind] += size
        self.score[seat] += self._set_flavour(kind, size, cards) + 3 * butter + 5 * cider
        self._end_turn()

    def _set_flavour(self, kind, size, cards):
        has_night_card = kind in NIGHT_OF and cards[NIGHT_OF[kind]] > 0
        if self.night_doubles_set and has_night_card:  # F2: every card twice, the night card as one
            return 2 * FLAVOUR[kind] * cards.total()
        return size * FLAVOUR[kind]  # F10

    def _spend_pan(self, seat):
        """F10: a pan in the display first, otherwise one from the hand."""
        if self.pans[seat] > 0:
            self.pans[seat] -= 1
            self.out["pan"] += 1
        else:
            self._spend_from_hand(seat, "pan", 1)

    def _sell(self, kind, size):
        """F11"""
        seat = self.player
        self.turns += 1
        for card, count in self._set_cards(seat, kind, size).items():
            self._spend_from_hand(seat, card, count)
        self.sticks[seat] += size * STICKS[kind]
        self._end_turn()

    def _place_pan(self):
        """F12"""
        seat = self.player
        self.turns += 1
        self._lose_from_hand(seat, "pan", 1)
        self.pans[seat] += 1
        self._end_turn()

    def _discard(self, card):
        """F13: one card at a time; the action that brought the fly agaric was the turn."""
        self._spend_from_hand(self.player, card, 1)
        self._end_turn_unless_discarding()

    # ---------------------------------------------------------------- the end of a turn

    def _end_turn_unless_discarding(self):
        if not self.is_discarding():  # F13
            self._end_turn()

    def _end_turn(self):
        mover = self.player
        self._run_agaric_clock(mover)
        self._forest_step()
        self._give_turn_to(1 - mover)

    def _run_agaric_clock(self, seat):
        """F13, F14: agarics of earlier turns leave, those of this turn stay through the next one."""
        self.out["fly agaric"] += self.old_agarics[seat]
        self.old_agarics[seat] = self.new_agarics[seat]
        self.new_agarics[seat] = 0

    def _forest_step(self):
        """F16"""
        if len(self.decay) == DECAY_ROOM:  # (1) a full decay pile is discarded first
            self.out.update(self.decay)
            self.decay = []
        self.decay.append(self.forest.pop(0))  # (1) the nearest card; (2) popping it slides the row
        if not self.forest:  # F17: that was the last one
            self.over = True
            return
        while len(self.forest) < ROW and self.draw_pile:  # (3)
            self.forest.append(self.draw_pile.pop())

    def _give_turn_to(self, due):
        """F15: who acts next, when it should be the turn of the player 'due'."""
        while not self.over:
            for seat in (due, 1 - due):
                if self._options(seat):
                    self.player = seat
                    return
            self.idle_steps += 1  # both are stuck: the forest moves on by itself, without a clock
            self._forest_step()

    # ---------------------------------------------------------------- results and observations

    def returns(self):
        difference = self.score[0] - self.score[1]
        if self.reward == "score":
            return [difference / 32, -difference / 32]
        if not self.over:
            return [0.0, 0.0]
        if difference == 0:  # F19: more cooked mushrooms, a night card counting two
            difference = self.cooked[0].total() - self.cooked[1].total()
        if difference == 0:
            return [0.0, 0.0]
        return [1.0, -1.0] if difference > 0 else [-1.0, 1.0]  # F18

    def observation(self, seat):
        """F20: what the player in this seat can see and prove; index 0 is that player."""
        both = (seat, 1 - seat)
        return {
            "hand": counts(self.hands[seat], HAND_KINDS),
            "forest": [self._forest_place(place) for place in range(ROW)],
            "decay": counts(self.decay, KINDS),
            "out": counts(self.out, KINDS),
            "deck_left": len(self.draw_pile),
            "night_left": len(self.night_pile),
            "hand_size": [self.hand_size(who) for who in both],
            "known": [counts(self.known[who], HAND_KINDS) for who in both],
            "night_cards": [sum(counts(self.hands[who], NIGHT_KINDS)) for who in both],
            "hand_limit": [self.hand_limit(who) for who in both],
            "sticks": [self.sticks[who] for who in both],
            "pans": [self.pans[who] for who in both],
            "baskets": [self.baskets[who] for who in both],
            "fly_agaric": [[self.new_agarics[who], self.old_agarics[who]] for who in both],
            "cooked": [counts(self.cooked[who], MUSHROOMS) for who in both],
            "score": [min(self.score[who], 255) for who in both],
            "acting": int(not self.over and self.player == seat),
            "discarding": int(self.is_discarding()),
        }

    def _forest_place(self, place):
        card = self.forest[place] if place < len(self.forest) else None
        return [int(card == kind) for kind in KINDS]


# -------------------------------------------------------------------- set-up


def deal(rng):
    """A random set-up (F4 - F6), as the keyword arguments of Reference."""
    night_pile = list(NIGHT_KINDS)
    draw_pile = []
    for kind, number in BOX_OF_CARDS.items():
        if kind not in NIGHT_KINDS:
            draw_pile += [kind] * number
    for _ in range(PANS_DEALT):  # F4: these lie in the displays
        draw_pile.remove("pan")
    rng.shuffle(draw_pile)
    rng.shuffle(night_pile)
    forest = [draw_pile.pop() for _ in range(ROW)]  # F4

    hands, baskets, out = [[], []], [0, 0], []
    for seat in (0, 1):
        for card in [draw_pile.pop() for _ in range(3)]:  # F5
            if card == "basket":
                baskets[seat] += 1
            elif card == "moon":
                out.append("moon")
                hands[seat].append(night_pile.pop())
            elif card == "fly agaric":
                out.append("fly agaric")
            else:
                hands[seat].append(card)
    return {
        "forest": forest,
        "draw_pile": draw_pile,
        "night_pile": night_pile,
        "hands": hands,
        "baskets": baskets,
        "out": out,
        "player": rng.randrange(2),  # F6
    }


# -------------------------------------------------------------------- random games


def all_cards(game):
    """Every card of the game, wherever it is."""
    cards = Counter(game.forest + game.draw_pile + game.night_pile + game.decay)
    cards.update(game.out)
    for seat in (0, 1):
        cards.update(game.hands[seat])
        cards["pan"] += game.pans[seat]
        cards["basket"] += game.baskets[seat]
        cards["fly agaric"] += game.new_agarics[seat] + game.old_agarics[seat]
    return cards


def check(game):
    """What must hold after every action."""
    assert all_cards(game) == BOX_OF_CARDS and BOX_OF_CARDS.total() == 94
    assert len(game.decay) <= DECAY_ROOM
    for seat in (0, 1):
        may_exceed = game.over or (game.is_discarding() and seat == game.player)
        assert may_exceed or game.hand_size(seat) <= game.hand_limit(seat)  # F7
        assert game.sticks[seat] >= 0 and game.pans[seat] >= 0
        assert all(0 <= game.known[seat][card] <= game.hands[seat][card] for card in HAND_KINDS)
    assert bool(game.legal_actions()) != game.over  # F15: whoever is to act can act


def play_random_game(rng):
    game = Reference(**deal(rng), night_doubles_set=rng.random() < 0.5)
    check(game)
    while not game.over:
        game.apply(rng.choice(sorted(game.legal_actions())))
        check(game)
    assert not game.draw_pile and not game.forest  # F17
    # F17: a step of the forest moves one or two of 78 cards; F15 makes a few steps without a turn
    assert 39 <= game.turns + game.idle_steps <= 78
    return game


if __name__ == "__main__":
    _rng = random.Random(1)
    _games = [play_random_game(_rng) for _ in range(200)]
    _turns = [game.turns for game in _games]
    _mean_score = sum(sum(game.score) for game in _games) / (2 * len(_games))
    print(
        f"{len(_games)} random games: {min(_turns)} to {max(_turns)} turns,"
        f" {_mean_score:.1f} flavour a player, {sum(game.idle_steps for game in _games)} idle steps"
    )
