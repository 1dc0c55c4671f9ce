"""Fafaru, written to be read next to the rules page: plain, slow, no cleverness.

It shares no code with the fast implementation, so that the two can be played move by move against each other. Cards
are strings, piles are lists with the top card last; the marks K1 … K51 name the rules. What chance does in play the
reference asks for, by the functions `deal_roles` and `shuffle`, and checks that it is possible. What each seat knows
is kept by seat, from what that seat has been shown (class Knowledge). Run the file to play random games with the
bookkeeping checked after every action.
"""

import itertools
import random
from collections import Counter

# K1: kind, cards, number
SALADIER_TABLE = [
    ("SUN", 10, -1),
    ("FLY", 14, -2),
    ("MOO", 10, 0),
    ("ICE", 10, +2),
    ("LID", 14, +1),
    ("TIKI", 3, +4),
    ("FAA", 20, 0),
]
ACTION_CARDS = {"PUAA": 6, "MOA": 3, "TUPA": 3, "URI": 1, "PETEA": 3, "VERI": 3}  # K1

SALADIER = [kind for kind, _, _ in SALADIER_TABLE]
NUMBER = {kind: number for kind, _, number in SALADIER_TABLE}
KINDS = SALADIER + list(ACTION_CARDS)

ROLES = ["fresh", "fermented", "Soyu"]
FERMENTED = {3: 1, 4: 2, 5: 2, 6: 3, 7: 3, 8: 4, 9: 4, 10: 4}  # K2
PHASES = ["draw or call", "play", "crab", "centipede", "order", "bet"]
HAND = 3  # K4: cards dealt to each player
LOG_ROWS = 32
PIG_SEES = 3  # K12


def box_of_cards(mode):
    """K1: all cards of the deck."""
    cards = Counter({kind: number for kind, number, _ in SALADIER_TABLE})
    if mode == "aito":
        cards.update(ACTION_CARDS)
    return cards


def role_set(players, soyu):
    """K2: the roles that are dealt in every round."""
    fermented = FERMENTED[players]
    roles = ["fresh"] * (players - fermented) + ["fermented"] * fermented
    if soyu == "always":
        roles[-1] = "Soyu"
    return roles


def camp(role):
    """K2: the Soyu is a fermented ingredient."""
    return "fresh" if role == "fresh" else "fermented"


# -------------------------------------------------------------------- the count


def card_values(cards, *, mode="aito", lid_rule="after_fly", fly_between="eaten_first", beginner_gecko_eats=True):
    """K40: what each card of the ma'a is worth, cards in play order."""
    if mode == "beginner":
        return _beginner_values(cards, beginner_gecko_eats)
    return _aito_values(cards, lid_rule, fly_between)


def _beginner_values(cards, gecko_eats):
    values = []
    for i, card in enumerate(cards):
        is_eaten = gecko_eats and card == "FLY" and "MOO" in _neighbours(cards, i)
        values.append(0 if is_eaten else NUMBER[card])
    return values


def _neighbours(cards, i):
    return [cards[j] for j in (i - 1, i + 1) if 0 <= j < len(cards)]


def _aito_values(cards, lid_rule, fly_between):
    frozen = {i for i in range(len(cards)) if "TIKI" in _neighbours(cards, i)}  # (1)
    live = [(i, i + 1) for i in range(len(cards) - 1) if i not in frozen and i + 1 not in frozen]

    cancelled = set()  # (2)
    for i, j in live:
        if {cards[i], cards[j]} == {"SUN", "ICE"}:
            cancelled |= {i, j}

    fighting = set()  # (3)
    for i, j in live:
        if cards[i] == cards[j] == "MOO":
            fighting |= {i, j}

    eaten, trapped, shut = set(), set(), set()

    def eat():  # (4)
        for pair in live:
            for gecko, fly in (pair, pair[::-1]):
                is_meal = cards[gecko] == "MOO" and cards[fly] == "FLY"
                if is_meal and gecko not in fighting and fly not in trapped:
                    eaten.add(fly)

    def trap():  # (5)
        for i, j in live:
            for fly, lid in _fly_and_lid(i, j, lid_rule):
                if cards[fly] == "FLY" and cards[lid] == "LID" and fly not in eaten:
                    trapped.add(fly)
                    shut.add(lid)

    for step in (eat, trap) if fly_between == "eaten_first" else (trap, eat):
        step()

    values = [NUMBER[card] for card in cards]  # (6)
    for i in cancelled | eaten | shut:
        values[i] = 0
    for i in trapped:
        values[i] = -4
    return values


def _fly_and_lid(i, j, lid_rule):
    """The places (fly, lid) at which the lid shuts in the fly, for neighbours i < j."""
    return {"after_fly": [(i, j)], "before_fly": [(j, i)], "either": [(i, j), (j, i)]}[lid_rule]


# -------------------------------------------------------------------- what a seat knows


class Zone:
    """K50: positions of the ma'a whose cards may have changed places among each other."""

    def __init__(self, positions, players):
        self.positions = set(positions)
        self.mixed = [Counter() for _ in range(players)]  # by seat: cards known to be in here, but not where


class Knowledge:
    """K50: what one seat has been shown. The present round, but for the last two."""

    def __init__(self):
        self.plays = {}  # play: card
        self.positions = {}  # position: card
        self.hands = {}  # seat: the hand it holds, given away by this one
        self.face_down = Counter()  # cards of all ma'as that went out of play uncounted

    def forget_round(self):
        self.plays = {}
        self.positions = {}


# -------------------------------------------------------------------- the game


class Reference:
    """One game, from the deal to its end."""

    def __init__(
        self,
        *,
        draw_pile,
        hands,
        player,
        deal_roles,
        shuffle,
        mode="aito",
        soyu="always",
        pearl_floor=0,
        pearl_cap=7,
        target_pearls=7,
        tamaa_min_turn=3,
        caller_stake=1,
        claims=True,
        same_accuser_twice=True,
        simultaneous_bets=False,
        beginner_gecko_eats=True,
        lid_rule="after_fly",
        fly_between="eaten_first",
        reward="win",
    ):
        self.mode = mode
        self.soyu = soyu
        self.pearl_floor = pearl_floor
        self.pearl_cap = pearl_cap
        self.target_pearls = target_pearls
        self.tamaa_min_turn = tamaa_min_turn
        self.caller_stake = caller_stake
        self.claims = claims
        self.same_accuser_twice = same_accuser_twice
        self.simultaneous_bets = simultaneous_bets
        self.reward = reward
        self.counting = {
            "mode": mode,
            "beginner_gecko_eats": beginner_gecko_eats,
            "lid_rule": lid_rule,
            "fly_between": fly_between,
        }

        # chance
        self.deal_roles = deal_roles  # deal_roles(game, dog): by seat; dog: it ends the round before any decision
        self.shuffle = shuffle  # shuffle(cards): the same cards in a new order

        self.n = len(hands)
        self.seats = range(self.n)
        self.draw_pile = list(draw_pile)  # the next card last
        self.hands = [Counter(hand) for hand in hands]
        self.drawn = None  # the card just drawn, which is in no hand yet
        self.face_up = Counter()  # out of play, but for accusations that lie there
        self.face_down = Counter()  # out of play
        self.pearls = [0] * self.n  # K4
        self.claims_game = [Counter() for _ in self.seats]
        self.knowledge = [Knowledge() for _ in self.seats]
        self.over = False
        self.final = False
        self._begin_round(player)
        self._settle_roles()

    # ---------------------------------------------------------------- legal actions

    def legal_actions(self):
        return set(self._options())

    def apply(self, name):
        options = self._options()
        if name not in options:
            raise ValueError(f"not a legal action: {name!r}")
        action, *arguments = options[name]
        action(*arguments)
        self._settle_roles()

    def _options(self):
        """Every legal action: its name, and what to call for it."""
        if self.over:
            return {}
        if self.phase == "draw or call":  # K7
            return {"draw": (self._draw,), "call Tama'a": (self._call,)}
        if self.phase == "play":  # K9
            return {**self._card_options(), **self._accuse_options()}
        if self.phase in ("crab", "centipede"):  # K14
            return {f"target seat +{i}": (self._target, self._seat(i)) for i in self.seats}
        if self.phase == "order":  # K12
            return self._order_options()
        return {"follow": (self._bet, "bet"), "fold": (self._bet, "fold")}  # K21, K33

    def _seat(self, offset, seat=None):
        """The seat so many places after this one."""
        return ((self.player if seat is None else seat) + offset) % self.n

    def _four_cards(self):
        """K9"""
        return self.hands[self.player] + Counter([self.drawn])

    def _card_options(self):
        options = {}
        for card in self._four_cards():
            for claim in SALADIER if self.claims else [card]:
                options[f"{card} as {claim}"] = (self._play, card, claim)
        return options

    def _accuse_options(self):
        if not self._four_cards()["FAA"]:
            return {}
        offsets = [i for i in self.seats if i > 0 and self._may_accuse(self._seat(i))]
        return {f"accuse seat +{i}": (self._accuse, self._seat(i)) for i in offsets}

    def _may_accuse(self, accused):
        if accused in self.crabs:  # K14
            return False
        return self.same_accuser_twice or self.player not in self.accusers[accused]  # K20

    def _order_options(self):
        places = range(1, self._pig_cards() + 1)
        options = {}
        for order in itertools.permutations(places):
            rest = range(len(order) + 1, PIG_SEES + 1)
            name = "order " + " ".join(str(place) for place in (*order, *rest))
            options[name] = (self._reorder, order)
        return options

    # ---------------------------------------------------------------- rounds and turns

    def _begin_round(self, first):
        """K6"""
        self.roles = None  # dealt, but nobody has looked yet
        self.maa = []
        self.plays = []  # (author, claim)
        self.zones = []
        self.accusers = [[] for _ in self.seats]  # who laid the accusations before each seat
        self.crabs = set()
        self.centipedes = set()
        self.turns = [0] * self.n
        self.revealed = set()
        self.caller = None
        self.bets = {}  # seat: "bet" or "fold"
        self.bettors = []  # who are still to be asked
        self.claims_round = [Counter() for _ in self.seats]
        for known in self.knowledge:
            known.forget_round()
        self._begin_turn(first)

    def _settle_roles(self, dog=False):
        """K6: by now somebody looks at the roles of the round."""
        if self.roles is None:
            roles = list(self.deal_roles(self, dog))
            assert Counter(roles) == Counter(role_set(self.n, self.soyu)), roles
            self.roles = roles

    def _begin_turn(self, seat):
        self.player = seat
        self.turns[seat] += 1
        if self._may_call():
            self.phase = "draw or call"
        else:
            self._draw()  # K10

    def _may_call(self):
        """K7"""
        is_first_of_round = sum(self.turns) == 1
        return self.turns[self.player] >= self.tamaa_min_turn and not is_first_of_round

    def _draw(self):
        card = self.draw_pile.pop()
        if card in SALADIER:  # K9
            self.drawn = card
            self.phase = "play"
            return
        self.face_up[card] += 1  # K8
        effects = {
            "PUAA": self._pig,
            "MOA": self._rooster,
            "TUPA": self._crab,
            "URI": self._dog,
            "PETEA": self._tropicbird,
            "VERI": self._centipede,
        }
        effects[card]()

    def _end_turn(self):
        if self.draw_pile:
            self._begin_turn(self._seat(1))
        else:
            self._final_bets()  # K11

    # ---------------------------------------------------------------- playing a card

    def _play(self, card, claim):
        """K9"""
        seat = self.player
        self._spend(card)
        play = position = len(self.maa)
        self.maa.append(card)
        self.plays.append((seat, claim))
        if self.claims:
            self.claims_round[seat][claim] += 1
            self.claims_game[seat][claim] += 1
        self.knowledge[seat].plays[play] = card
        self.knowledge[seat].positions[position] = card
        self._end_turn()

    def _accuse(self, accused):
        """K9"""
        self._spend("FAA")
        self.accusers[accused].append(self.player)
        if len(self.accusers[accused]) == 2:
            self._eliminate(accused)
        else:
            self._end_turn()

    def _spend(self, card):
        """One of the four cards leaves the player; the other three are the hand."""
        seat = self.player
        self.hands[seat] = self._four_cards() - Counter([card])
        self.drawn = None
        for known in self.knowledge:
            known.hands.pop(seat, None)  # K50: known until a card is played from it

    # ---------------------------------------------------------------- action cards

    def _pig_cards(self):
        return min(PIG_SEES, len(self.maa))

    def _top_positions(self):
        """What the pig sees, from the top."""
        return [len(self.maa) - 1 - depth for depth in range(self._pig_cards())]

    def _pig(self):
        """K12"""
        if not self.maa:
            self._end_turn()
            return
        for position in self._top_positions():
            self._look(position)
        self.phase = "order"

    def _look(self, position):
        """K50: the player sees the card at a position."""
        known = self.knowledge[self.player]
        card = self.maa[position]
        zone = self._zone_of(position)
        if zone is None:  # never moved: it is the card of that play
            known.plays[position] = card
        elif position not in known.positions:  # for all the seat knows, it is the same card
            zone.mixed[self.player] -= Counter([card])
        known.positions[position] = card

    def _reorder(self, order):
        """K12: order gives the old places, from the top, of the cards from the top."""
        positions = self._top_positions()
        if len(positions) >= 2:  # a single card cannot have moved
            self._scramble(positions, [seat for seat in self.seats if seat != self.player])
        cards = [self.maa[position] for position in positions]
        for position, place in zip(positions, order, strict=True):
            self.maa[position] = cards[place - 1]
            self.knowledge[self.player].positions[position] = cards[place - 1]
        self._end_turn()

    def _rooster(self):
        """K13"""
        if len(self.maa) >= 2:
            self._scramble(range(len(self.maa)), self.seats)
            order = list(self.shuffle(list(self.maa)))
            assert Counter(order) == Counter(self.maa), (order, self.maa)
            self.maa = order
        self._end_turn()

    def _zone_of(self, position):
        for zone in self.zones:
            if position in zone.positions:
                return zone
        return None

    def _scramble(self, positions, losers):
        """K50: the positions become a zone; the losers no longer know which card of theirs lies where in it."""
        positions = set(positions)
        united = Zone(positions, self.n)
        for zone in self.zones:
            if zone.positions & positions:
                united.positions |= zone.positions
                for seat in self.seats:
                    united.mixed[seat] += zone.mixed[seat]
        self.zones = [zone for zone in self.zones if not zone.positions & positions] + [united]
        for seat in losers:
            for position in positions & set(self.knowledge[seat].positions):
                united.mixed[seat][self.knowledge[seat].positions.pop(position)] += 1

    def _crab(self):
        self.phase = "crab"

    def _centipede(self):
        self.phase = "centipede"

    def _target(self, seat):
        """K14"""
        animals = self.crabs if self.phase == "crab" else self.centipedes
        animals.add(seat)
        self._end_turn()

    def _tropicbird(self):
        """K15"""
        before = self.hands
        self.hands = [before[self._seat(-1, seat)] for seat in self.seats]
        for seat in self.seats:
            known = {self._seat(1, holder): hand for holder, hand in self.knowledge[seat].hands.items()}
            known[self._seat(1, seat)] = before[seat]
            known.pop(seat, None)  # it has come back
            self.knowledge[seat].hands = known
        self._end_turn()

    def _dog(self):
        """K16"""
        self._settle_roles(dog=True)
        for seat in self.seats:
            if self.roles[seat] != "Soyu" and seat not in self.centipedes:
                self._pay(seat, -1)
        self._clear_uncounted()
        self._end_round(self.player)

    # ---------------------------------------------------------------- bets

    def _call(self):
        """K21"""
        self.caller = self.player
        self.revealed.add(self.player)
        if self.player not in self.centipedes:
            self.bets[self.player] = "bet"
        self._ask([self._seat(i) for i in range(1, self.n)])

    def _final_bets(self):
        """K33: no caller; the last drawer is asked first."""
        self.final = True
        self._ask([self._seat(i) for i in self.seats])

    def _ask(self, seats):
        self.bettors = [seat for seat in seats if seat not in self.centipedes]
        self._next_bettor()

    def _next_bettor(self):
        if self.bettors:
            self.phase = "bet"
            self.player = self.bettors.pop(0)
        else:
            self._count()

    def _bet(self, choice):
        """K21"""
        self.bets[self.player] = choice
        if choice == "bet" and not self.simultaneous_bets:
            self.revealed.add(self.player)
        self._next_bettor()

    def _count(self):
        """K21, K22"""
        total = sum(card_values(self.maa, **self.counting))
        for seat, choice in self.bets.items():
            if choice == "bet":
                self.revealed.add(seat)
                stake = self.caller_stake if seat == self.caller else 1
                self._pay(seat, stake if self._is_favoured(seat, total) else -stake)
        self.face_up.update(self.maa)
        self._end_round(self.caller)

    def _is_favoured(self, seat, total):
        """K21: if the count is 0 nobody is."""
        return total > 0 if camp(self.roles[seat]) == "fresh" else total < 0

    # ---------------------------------------------------------------- the end of a round

    def _eliminate(self, accused):
        """K20"""
        self.revealed.add(accused)
        for accuser in set(self.accusers[accused]):
            is_own_camp = camp(self.roles[accuser]) == camp(self.roles[accused])
            self._pay(accuser, -1 if is_own_camp else +1)
        self._clear_uncounted()
        self._end_round(self.player)

    def _pay(self, seat, pearls):
        """K3"""
        self.pearls[seat] = max(self.pearl_floor, min(self.pearl_cap, self.pearls[seat] + pearls))

    def _clear_uncounted(self):
        """K22; K50: a seat remembers the cards that it knew."""
        self.face_down.update(self.maa)
        for seat in self.seats:
            known = self.knowledge[seat]
            known.face_down.update(known.positions.values())
            for zone in self.zones:
                known.face_down.update(zone.mixed[seat])

    def _end_round(self, ended_by):
        """K5, K30; by here all that the ma'a held is out of play."""
        if max(self.pearls) >= self.target_pearls or not self.draw_pile:
            self._end_game()
            return
        self.face_up["FAA"] += self._accusations()
        self._begin_round(self._seat(1, ended_by))

    def _end_game(self):
        """The table shows its end, but for the ma'a and its claims."""
        self.over = True
        self.maa = []
        self.plays = []
        self.zones = []
        self.claims_round = [Counter() for _ in self.seats]
        for known in self.knowledge:
            known.forget_round()

    def _accusations(self):
        return sum(len(accusers) for accusers in self.accusers)

    # ---------------------------------------------------------------- results

    def returns(self):
        if self.reward == "score":  # the lead over the mean of the others
            leads = []
            for own in self.pearls:
                others = (sum(self.pearls) - own) / (self.n - 1)
                leads.append((own - others) / 8)
            return leads
        if not self.over:
            return [0.0] * self.n
        winners = [seat for seat in self.seats if self.pearls[seat] == max(self.pearls)]  # K31
        share = 1 / len(winners)
        return [(self.n * share * (seat in winners) - 1) / (self.n - 1) for seat in self.seats]

    # ---------------------------------------------------------------- observations

    def observation(self, seat):
        """K50: what the seat knows; seats are counted from it, rows of the ma'a and the log from the top."""
        return {**self._private(seat), **self._public(seat)}

    def _around(self, seat):
        """All seats, beginning with this one."""
        return [self._seat(i, seat) for i in self.seats]

    def _private(self, seat):
        known = self.knowledge[seat]
        hand = self.hands[seat].copy()
        if self.drawn and seat == self.player:
            hand[self.drawn] += 1
        mixed = sum((zone.mixed[seat] for zone in self.zones), Counter())
        return {
            "role": one_hot(self.roles[seat], ROLES),
            "hand": counts(hand, SALADIER),
            "maa": [one_hot(known.positions.get(position), SALADIER) for position in self._rows(self._maa_room())],
            "maa_mixed": counts(mixed, SALADIER),
            "log_card": [one_hot(known.plays.get(play), SALADIER) for play in self._rows(LOG_ROWS)],
            "given": [counts(known.hands.get(who, {}), SALADIER) for who in self._around(seat)[1:]],
            "discarded": counts(known.face_down, SALADIER),
            "own_bet": one_hot(self.bets.get(seat), ["bet", "fold"]),
        }

    def _public(self, seat):
        around = self._around(seat)
        log = [self._logged(play) for play in self._rows(LOG_ROWS)]
        return {
            "phase": one_hot(None if self.over else self.phase, PHASES),
            "acting": one_hot(None if self.over else self.player, around),
            "pearls": [self.pearls[who] - self.pearl_floor for who in around],
            "turns": [self.turns[who] for who in around],
            "revealed": [one_hot(self.roles[who] if who in self.revealed else None, ROLES) for who in around],
            "accusations": [counts(Counter(self.accusers[accused]), around) for accused in around],
            "crab": [int(who in self.crabs) for who in around],
            "centipede": [int(who in self.centipedes) for who in around],
            "caller": one_hot(self.caller, around),
            "final": int(self.final or (self.over and not self.draw_pile)),
            "bets": [one_hot(self._open_bet(who), ["bet", "fold"]) for who in around],
            "out": counts(self.face_up + Counter({"FAA": self._accusations()}), KINDS),
            "pile": len(self.draw_pile),
            "maa_size": len(self.maa),
            "scrambled": [int(self._zone_of(position) is not None) for position in self._rows(self._maa_room())],
            "log_author": [one_hot(author, around) for author, _ in log],
            "log_claim": [one_hot(claim if self.claims else None, SALADIER) for _, claim in log],
            "claims_round": [counts(self.claims_round[who], SALADIER) for who in around],
            "claims_game": [counts(self.claims_game[who], SALADIER) for who in around],
        }

    def _maa_room(self):
        """The largest ma'a: every saladier card that is not in a hand."""
        return box_of_cards("beginner").total() - HAND * self.n

    def _rows(self, number):
        """Positions, or plays, from the last one; negative where there is none."""
        return [len(self.maa) - 1 - row for row in range(number)]

    def _logged(self, play):
        return self.plays[play] if play >= 0 else (None, None)

    def _open_bet(self, seat):
        """K21: with simultaneous bets the others' are hidden until all are in."""
        is_hidden = self.simultaneous_bets and not self.over and seat != self.caller
        return None if is_hidden else self.bets.get(seat)


def one_hot(value, values):
    return [int(value == each) for each in values] if value is not None else [0] * len(values)


def counts(counter, kinds):
    """How many of each kind, in the order of kinds."""
    return [counter.get(kind, 0) for kind in kinds]


# -------------------------------------------------------------------- random games


def deal(rng, players, mode, soyu):
    """A random set-up (K4, K5) and chance, as keyword arguments of Reference."""
    cards = [kind for kind, number, _ in SALADIER_TABLE for _ in range(number)]
    rng.shuffle(cards)
    hands = [[cards.pop() for _ in range(HAND)] for _ in range(players)]
    if mode == "aito":
        cards += [kind for kind, number in ACTION_CARDS.items() for _ in range(number)]
        rng.shuffle(cards)
    return {
        "draw_pile": cards,
        "hands": hands,
        "player": rng.randrange(players),
        "deal_roles": lambda game, dog: rng.sample(role_set(players, soyu), players),
        "shuffle": lambda maa: rng.sample(maa, len(maa)),
        "mode": mode,
        "soyu": soyu,
    }


def check(game):
    """What must hold after every action."""
    cards = Counter(game.draw_pile + game.maa + [game.drawn] * (game.drawn is not None))
    for place in (*game.hands, game.face_up, game.face_down):
        cards.update(place)
    cards["FAA"] += game._accusations()
    assert cards == box_of_cards(game.mode)
    assert all(hand.total() == HAND for hand in game.hands)
    assert bool(game.legal_actions()) != game.over
    for seat in game.seats:
        known = game.knowledge[seat]
        assert all(game.maa[position] == card for position, card in known.positions.items())
        assert all(game.hands[holder] == hand for holder, hand in known.hands.items())
        assert known.face_down <= game.face_down
        for zone in game.zones:
            places = Counter(game.maa[position] for position in zone.positions if position not in known.positions)
            assert zone.mixed[seat] <= places


def play_random_game(rng):
    mode, soyu = rng.choice(["aito", "beginner"]), rng.choice(["always", "never"])
    game = Reference(**deal(rng, rng.randint(3, 10), mode, soyu))
    check(game)
    while not game.over:
        game.apply(rng.choice(sorted(game.legal_actions())))
        check(game)
    return game


if __name__ == "__main__":
    _rng = random.Random(1)
    _games = [play_random_game(_rng) for _ in range(300)]
    print(f"{len(_games)} random games, {sum(not game.draw_pile for game in _games)} of them ended by the pile")
