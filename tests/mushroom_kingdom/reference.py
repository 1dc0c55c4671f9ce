"""Mushroom Kingdom, written to be read next to the rules page: plain, slow, no cleverness.

It shares no code with the fast implementation, so that the two can be played action by action against each other.
Cells are (row, column), cards and actions are strings, hands and piles are lists; the marks M1 .. M40 name the rules.
All that is left to chance is the set-up, which is given. Run the file to play random games with the bookkeeping
checked after every action.
"""

import random
from collections import Counter

FAMILIES = ["agaric", "morel", "polypore", "puffball"]
STRENGTHENED = ["strengthened " + family for family in FAMILIES]
KINDS = FAMILIES + STRENGTHENED
BOX_OF_CARDS = Counter({**dict.fromkeys(FAMILIES, 8), **dict.fromkeys(STRENGTHENED, 2)})  # M4: all 40 cards
HAND_LIMIT = 3  # M4

BOARD_VERBS = ["sow", "ferment", "move", "grow mycelium", "absorb"]  # each costs an action point
PLAY_VERBS = ["play " + front + family for front in ("", "strengthened ") for family in FAMILIES[1:] + FAMILIES[:1]]
DESTROY_VERBS = ["destroy with " + card for card in STRENGTHENED]
DESTROY_WITH_THREE = "destroy with three ordinary cards"
END = "end turn"
JUMP_VERBS = ["move", "play morel", "play strengthened morel"]  # these need a direction
AGARIC_VERBS = ["play agaric", "play strengthened agaric"]  # these need nothing
VERBS = BOARD_VERBS + PLAY_VERBS + DESTROY_VERBS + [DESTROY_WITH_THREE, END]

DIRECTIONS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
PHASES = ["verb", "cell", "direction", "second target", "growth"]

MOST_FERTILE = 3  # M2
MOST_SPORES = 3  # M5
POINTS_A_TURN = 2  # M10
BLOCKED_SEASONS = 2  # M16
GROWTH_EVERY = 3  # M30


def cell_name(cell):
    return f"cell {cell[0]},{cell[1]}"


def card_of(verb):
    """The card that "play morel" or "destroy with strengthened morel" uses."""
    return verb.removeprefix("play ").removeprefix("destroy with ")


def counts(cards):
    return [cards.count(kind) for kind in KINDS]


# -------------------------------------------------------------------- the set-up


# M2: the start cell of each seat on the usual board of players + 4 cells a side
USUAL_START_CELLS = {
    2: [(0, 3), (5, 2)],
    3: [(0, 3), (5, 6), (5, 0)],
    4: [(0, 4), (4, 7), (7, 3), (3, 0)],
    5: [(0, 4), (3, 8), (8, 7), (8, 1), (3, 0)],
    6: [(0, 2), (0, 7), (5, 9), (9, 7), (9, 2), (4, 0)],
}


def start_cells(size, num_players):
    """M2: the start cell of each seat; on other boards spaced evenly along the border."""
    if size == num_players + 4:
        return USUAL_START_CELLS[num_players]
    last = size - 1
    north = [(0, column) for column in range(last)]
    east = [(row, last) for row in range(last)]
    south = [(last, column) for column in range(last, 0, -1)]
    west = [(row, 0) for row in range(last, 0, -1)]
    border = north + east + south + west  # clockwise from the north-west corner
    return [border[(size // 2 + len(border) * seat // num_players) % len(border)] for seat in range(num_players)]


def fertility_counts(size, weights):
    """M2: how many cells have fertility 3, 2 and 1; weights are the shares to four decimals."""
    cells = size * size
    threes, twos = ((2 * round(10_000 * weight) * cells + 10_000) // 20_000 for weight in weights[:2])
    twos = min(twos, cells - threes)
    return {3: threes, 2: twos, 1: cells - threes - twos}


def check_set_up(size, num_players, weights, fertility, starts, deck):
    """That a dealt position is one the rules allow."""
    tiles = Counter(tile for row in fertility for tile in row)
    assert tiles == Counter(fertility_counts(size, weights))  # M2
    assert starts == start_cells(size, num_players)  # M2
    assert all(fertility[row][column] == 2 for row, column in starts)  # M3
    assert Counter(deck) == BOX_OF_CARDS  # M4


class Reference:
    """One game, from just after the set-up to its end."""

    def __init__(
        self,
        *,
        fertility,  # rows of numbers
        starts,  # start cell of each seat
        deck,  # the next card last
        first_player,
        spores=12,
        seasons=12,
        move_tiles="swap",
        absorb_edges=False,
        absorb_mycelium=False,
        dispute_includes_cell=False,
        captured="reserve",
        reward="win",
    ):
        assert move_tiles in ("swap", "stack") and captured in ("reserve", "removed") and reward in ("win", "score")
        self.move_tiles = move_tiles  # M13
        self.absorb_edges = absorb_edges  # M15
        self.absorb_mycelium = absorb_mycelium  # M15
        self.dispute_includes_cell = dispute_includes_cell  # M16
        self.captured = captured  # M17
        self.reward = reward

        # the board
        self.size = len(fertility)
        self.cells = [(row, column) for row in range(self.size) for column in range(self.size)]
        self.fertility = {(row, column): fertility[row][column] for row, column in self.cells}
        self.spores = {cell: (seat, 1) for seat, cell in enumerate(starts)}  # M3, M5: owner and number
        self.mycelium = {}  # M5: owner
        self.blocked_until = {}  # M16: stamp
        self.protected_until = {}  # M23: stamp

        # the players
        self.num_players = len(starts)
        self.seats = list(range(self.num_players))
        self.reserve = [spores - 1 for _ in self.seats]  # M3
        self.removed = [0 for _ in self.seats]  # M17: spores out of the game
        self.hands = [[] for _ in self.seats]
        self.eliminated = [False for _ in self.seats]
        self.order = [(first_player + place) % self.num_players for place in self.seats]  # M6

        # the cards
        self.deck = list(deck)
        self.used = []
        self.lost = []

        # the course of the game
        self.season = 1
        self.seasons_left = seasons
        self.over = False
        self.growing = []  # M30: owner and cell that are still to give fertility, in order
        self._begin_turn(first_player)
        self._go_on_while_forced()

    # ---------------------------------------------------------------- the board

    def step(self, cell, direction, length=1):
        """The cell that lies so many steps away, None off the board."""
        rows, columns = DIRECTIONS[direction]
        target = (cell[0] + length * rows, cell[1] + length * columns)
        return target if target in self.fertility else None

    def neighbours(self, cell):
        """M1"""
        steps = [self.step(cell, direction) for direction in DIRECTIONS]
        return [target for target in steps if target is not None]

    def on_border(self, cell):
        return len(self.neighbours(cell)) < 4

    def owner(self, cell):
        """Whose piece lies there, None if there is none."""
        if cell in self.spores:
            return self.spores[cell][0]
        return self.mycelium.get(cell)

    def has_own_spores(self, cell, seat):
        return cell in self.spores and self.owner(cell) == seat

    def has_rival_spores(self, cell, seat):
        return cell in self.spores and self.owner(cell) != seat

    def number_of_spores(self, cell):
        return self.spores[cell][1] if cell in self.spores else 0

    def spores_of(self, cell, seat):
        return self.number_of_spores(cell) if self.owner(cell) == seat else 0

    def pieces(self, seat):
        return [cell for cell in self.cells if self.owner(cell) == seat]

    def is_free(self, cell):
        """M13: no piece, not blocked."""
        return self.owner(cell) is None and not self.is_blocked(cell)

    # ---------------------------------------------------------------- timers

    def stamp(self):
        """M18; while the forest grows, the first stamp of the next season."""
        if self.phase == "growth":
            return self.season * self.num_players
        return (self.season - 1) * self.num_players + self.order.index(self.player)

    def time_left(self, timers, cell):
        return max(0, timers.get(cell, 0) - self.stamp())

    def is_blocked(self, cell):
        return self.time_left(self.blocked_until, cell) > 0

    def is_protected(self, cell):
        return self.time_left(self.protected_until, cell) > 0

    # ---------------------------------------------------------------- legal actions

    def legal_actions(self):
        if self.over:
            return set()
        if self.phase == "verb":
            return set(self._legal_verbs())
        if self.phase in ("cell", "second target"):
            return {cell_name(cell) for cell in self._targets(self.verb)}
        if self.phase == "direction":
            return set(self._jump_directions(self.verb, self.chosen))
        return set(self._growth_directions(self.chosen))

    def _legal_verbs(self):
        board = [verb for verb in BOARD_VERBS if self.points > 0 and self._targets(verb)]
        cards = [verb for verb in PLAY_VERBS + DESTROY_VERBS if card_of(verb) in self.hands[self.player]]
        if self._holds_three_ordinary():
            cards.append(DESTROY_WITH_THREE)
        cards = [verb for verb in cards if verb in AGARIC_VERBS or self._targets(verb)]
        end = [] if board else [END]  # M10
        return board + cards + end

    def _holds_three_ordinary(self):
        """M24"""
        hand = self.hands[self.player]
        return len([card for card in hand if card in FAMILIES]) == 3

    def _targets(self, verb):
        """The cells on which the player can carry the verb through."""
        seat = self.player
        if verb == "sow":
            return self._sow_targets(seat)
        if verb == "ferment":
            return [cell for cell in self.cells if self._can_ferment(cell, seat)]
        if verb == "grow mycelium":  # M14
            return [c for c in self.cells if self.has_own_spores(c, seat) and self.number_of_spores(c) == MOST_SPORES]
        if verb == "absorb":
            return [cell for cell in self.cells if self._can_absorb(cell, seat)]
        if verb in JUMP_VERBS:
            return [cell for cell in self.cells if self._jump_directions(verb, cell)]
        if verb in ("play polypore", "play strengthened polypore"):  # M22
            return [c for c in self.cells if self.has_rival_spores(c, seat) and not self.is_protected(c)]
        if verb in ("play puffball", "play strengthened puffball"):  # M23
            return self.pieces(seat)
        if verb in [*DESTROY_VERBS, DESTROY_WITH_THREE]:  # M24
            return [c for c in self.cells if self._is_rival_mycelium(c, seat) and not self.is_protected(c)]
        raise ValueError(verb)

    def _is_rival_mycelium(self, cell, seat):
        return cell in self.mycelium and self.owner(cell) != seat

    def _sow_targets(self, seat):
        """M11"""
        if self.reserve[seat] == 0:
            return []
        stacks = [c for c in self.cells if self.has_own_spores(c, seat) and self.number_of_spores(c) < MOST_SPORES]
        beside = [cell for cell in self.cells if self._can_sow_beside(cell, seat)]
        if beside:
            return stacks + beside
        return stacks + [cell for cell in self.cells if self.on_border(cell) and self.is_free(cell)]

    def _can_sow_beside(self, cell, seat):
        """M11 (b), apart from cells with own spores."""
        if all(self.owner(neighbour) != seat for neighbour in self.neighbours(cell)):
            return False
        if self.has_rival_spores(cell, seat):
            return not self.is_protected(cell)
        return self.is_free(cell)

    def _can_ferment(self, cell, seat):
        """M12"""
        if not self.has_own_spores(cell, seat) or self.number_of_spores(cell) < 2:
            return False
        stays_on_board = self.number_of_spores(cell) > 2 or len(self.pieces(seat)) > 1
        return stays_on_board and len(self.hands[seat]) < HAND_LIMIT and bool(self.deck)

    def _can_absorb(self, cell, seat):
        """M15"""
        if not self.has_rival_spores(cell, seat) or self.is_protected(cell) or self.reserve[seat] == 0:
            return False
        if self.on_border(cell) and not self.absorb_edges:
            return False
        return all(self._surrounds(neighbour, seat) for neighbour in self.neighbours(cell))

    def _surrounds(self, cell, seat):
        """M15"""
        if cell in self.mycelium and not self.absorb_mycelium:
            return False
        return self.owner(cell) == seat

    def _jump_directions(self, verb, cell):
        """M13, M21: where a single own spore can go."""
        if not self.has_own_spores(cell, self.player) or self.number_of_spores(cell) != 1:
            return []
        landings = {direction: self.step(cell, direction, self._jump_length(verb)) for direction in DIRECTIONS}
        return [direction for direction, target in landings.items() if target is not None and self.is_free(target)]

    def _jump_length(self, verb):
        return {"move": 1, "play morel": 2, "play strengthened morel": 3}[verb]

    def _growth_directions(self, cell):
        """M30"""
        steps = {direction: self.step(cell, direction) for direction in DIRECTIONS}
        return [d for d, target in steps.items() if target is not None and self.fertility[target] < MOST_FERTILE]

    # ---------------------------------------------------------------- carrying out an action

    def apply(self, name):
        if name not in self.legal_actions():
            raise ValueError(f"not a legal action: {name!r}")
        self._do(name)
        self._go_on_while_forced()

    def _go_on_while_forced(self):
        """An action without alternative is done without asking."""
        while not self.over:
            legal = self.legal_actions()
            assert legal
            if len(legal) > 1:
                return
            self._do(legal.pop())

    def _do(self, name):
        if self.phase == "verb":
            self._choose_verb(name)
        elif self.phase == "cell":
            self._choose_cell(self._cell_named(name))
        elif self.phase == "direction":
            self._jump(self.chosen, self.step(self.chosen, name, self._jump_length(self.verb)))
            self._complete_move()
        elif self.phase == "second target":
            self._polypore(self._cell_named(name))
            self._complete_move()
        else:
            self.fertility[self.step(self.chosen, name)] += 1  # M30
            self._grow_on()

    def _cell_named(self, name):
        return next(cell for cell in self.cells if cell_name(cell) == name)

    def _choose_verb(self, verb):
        """The price is paid at once."""
        self._pay(verb)
        if verb == END:
            self._end_turn()
        elif verb == "play agaric":  # M20
            self.points += 1
        elif verb == "play strengthened agaric":  # M20
            self.points += 2
        else:
            self.verb = verb
            self.phase = "cell"

    def _pay(self, verb):
        hand = self.hands[self.player]
        if verb in BOARD_VERBS:
            self.points -= 1  # M10
        elif verb in PLAY_VERBS + DESTROY_VERBS:
            hand.remove(card_of(verb))
            self.used.append(card_of(verb))  # M25
        elif verb == DESTROY_WITH_THREE:
            self.used += hand  # M25: the hand is full of them
            hand.clear()

    def _choose_cell(self, cell):
        seat = self.player
        if self.verb in JUMP_VERBS:
            self.phase = "direction"
            self.chosen = cell
            return
        if self.verb == "sow":
            self._sow(cell, seat)
        elif self.verb == "ferment":
            self._ferment(cell, seat)
        elif self.verb == "grow mycelium":
            self._grow_mycelium(cell, seat)
        elif self.verb == "absorb":
            self._absorb(cell, seat)
        elif self.verb == "play polypore":
            self._polypore(cell)
        elif self.verb == "play strengthened polypore":
            self._polypore(cell)
            self._eliminate()  # M31: each target is a move of its own
            if not self.over and self._targets(self.verb):
                self.phase = "second target"
                return
        elif self.verb == "play puffball":
            self._protect(cell, 2)
        elif self.verb == "play strengthened puffball":
            self._protect(cell, 3)
        else:
            self._destroy(cell)
        self._complete_move()

    def _complete_move(self):
        self.verb = None
        self.chosen = None
        self.phase = "verb"
        self._eliminate()

    # ---------------------------------------------------------------- what the actions do

    def _vacate(self, cell):
        """M23: the protection lapses."""
        self.spores.pop(cell, None)
        self.mycelium.pop(cell, None)
        self.protected_until.pop(cell, None)

    def _set_spores(self, cell, seat, number):
        if number == 0:
            self._vacate(cell)
        else:
            self.spores[cell] = (seat, number)

    def _capture(self, seat, number):
        """M17"""
        if self.captured == "removed":
            self.removed[seat] += number
        else:
            self.reserve[seat] += number

    def _lower_fertility(self, cell):
        self.fertility[cell] = max(0, self.fertility[cell] - 1)

    def _sow(self, cell, seat):
        """M11"""
        if self.has_rival_spores(cell, seat):
            self._dispute(cell, seat)
        else:
            self.reserve[seat] -= 1
            self._set_spores(cell, seat, self.number_of_spores(cell) + 1)

    def _dispute(self, cell, attacker):
        """M16"""
        defender, number = self.spores[cell]
        attack = self._strength(cell, attacker)
        defence = self._strength(cell, defender)
        if self.dispute_includes_cell:
            defence += self.fertility[cell]
        if defence > attack:
            return
        self._vacate(cell)
        self._capture(defender, number)
        self.reserve[attacker] -= 1
        if attack > defence:
            self._set_spores(cell, attacker, 1)
        else:
            self._capture(attacker, 1)
            self._lower_fertility(cell)
            self.blocked_until[cell] = self.stamp() + BLOCKED_SEASONS * self.num_players  # M18

    def _strength(self, cell, seat):
        return sum(self.fertility[beside] for beside in self.neighbours(cell) if self.owner(beside) == seat)

    def _ferment(self, cell, seat):
        """M12"""
        self._set_spores(cell, seat, self.number_of_spores(cell) - 2)
        self.reserve[seat] += 2
        self.hands[seat].append(self.deck.pop())

    def _grow_mycelium(self, cell, seat):
        """M14: a protection goes on."""
        self.reserve[seat] += self.number_of_spores(cell)
        del self.spores[cell]
        self.mycelium[cell] = seat

    def _absorb(self, cell, seat):
        """M15"""
        rival, number = self.spores[cell]
        self._vacate(cell)
        self._capture(rival, number)
        self.reserve[seat] -= 1
        self._set_spores(cell, seat, 1)

    def _jump(self, source, target):
        """M13, M21: the tile goes along."""
        if self.move_tiles == "stack":
            self.fertility[target] = min(MOST_FERTILE, self.fertility[target] + self.fertility[source])
            self.fertility[source] = 0
        else:
            self.fertility[source], self.fertility[target] = self.fertility[target], self.fertility[source]
        self._vacate(source)
        self._set_spores(target, self.player, 1)

    def _polypore(self, cell):
        """M22"""
        rival, number = self.spores[cell]
        self._set_spores(cell, rival, number - 1)
        self._capture(rival, 1)

    def _protect(self, cell, seasons):
        """M23, M18: the later end counts."""
        until = self.stamp() + seasons * self.num_players
        self.protected_until[cell] = max(until, self.protected_until.get(cell, 0))

    def _destroy(self, cell):
        """M24"""
        self._vacate(cell)
        self._lower_fertility(cell)

    # ---------------------------------------------------------------- turns, seasons, the end

    def _living(self):
        return [seat for seat in self.order if not self.eliminated[seat]]

    def _eliminate(self):
        """M31"""
        for seat in self._living():
            if not self.pieces(seat):
                self.eliminated[seat] = True
                self.lost += self.hands[seat]
                self.hands[seat].clear()
        if len(self._living()) == 1:
            self.over = True

    def _begin_turn(self, seat):
        self.player = seat
        self.points = POINTS_A_TURN  # M10
        self.phase = "verb"
        self.verb = None
        self.chosen = None

    def _end_turn(self):
        self.points = 0  # M10: unused points lapse
        place = self.order.index(self.player)
        still_to_move = [seat for seat in self.order[place + 1 :] if not self.eliminated[seat]]
        if still_to_move:
            self._begin_turn(still_to_move[0])
        else:
            self._end_season()

    def _end_season(self):
        """M30"""
        self.growing = []
        if self.season % GROWTH_EVERY == 0:
            for seat in self._living():
                givers = [cell for cell in self.pieces(seat) if self.fertility[cell] == MOST_FERTILE]
                self.growing += [(seat, cell) for cell in givers]
        self._grow_on()

    def _grow_on(self):
        """M30: the next cell that can give fertility, or the next season."""
        while self.growing:
            seat, cell = self.growing.pop(0)
            if self._growth_directions(cell):
                self.player = seat
                self.chosen = cell
                self.phase = "growth"
                return
        self._next_season()

    def _next_season(self):
        """M30"""
        self.seasons_left -= 1
        if self.seasons_left == 0:
            self.over = True
            return
        self.season += 1
        self._begin_turn(self._living()[0])

    # ---------------------------------------------------------------- results and observations

    def soil(self, seat):
        return sum(self.fertility[cell] for cell in self.pieces(seat))

    def score(self, seat):
        """M32"""
        spores = len([cell for cell in self.spores if self.owner(cell) == seat])
        mycelium = len([cell for cell in self.mycelium if self.owner(cell) == seat])
        return spores + 2 * mycelium + len(self.hands[seat]) + self.soil(seat) // 10

    def scores(self):
        return [self.score(seat) for seat in self.seats]

    def returns(self):
        scores, rivals = self.scores(), self.num_players - 1
        if self.reward == "score":
            return [(own - (sum(scores) - own) / rivals) / 16 for own in scores]
        if not self.over:
            return [0.0 for _ in scores]
        winners = scores.count(max(scores))
        share = (self.num_players / winners - 1) / rivals  # 1 for a sole winner
        return [share if own == max(scores) else -1 / rivals for own in scores]

    def plane(self, value):
        """A number for each cell, as rows."""
        return [[int(value((row, column))) for column in range(self.size)] for row in range(self.size)]

    def observation(self, seat):
        """M40: what the player in this seat can see; players are counted from that one."""
        players = [(seat + ahead) % self.num_players for ahead in self.seats]
        running = not self.over
        carrying_out = running and self.phase not in ("verb", "growth")
        to_growth = -self.season % GROWTH_EVERY
        return {
            "hand": counts(self.hands[seat]),
            "fertility": [self.plane(lambda cell: self.fertility[cell])],
            "spores": [self.plane(lambda cell, who=who: self.spores_of(cell, who)) for who in players],
            "mycelium": [self.plane(lambda cell, who=who: self.mycelium.get(cell) == who) for who in players],
            "blocked": [self.plane(lambda cell: running and self.time_left(self.blocked_until, cell))],
            "protected": [self.plane(lambda cell: running and self.time_left(self.protected_until, cell))],
            "chosen": [self.plane(lambda cell: running and cell == self.chosen)],
            "to_act": [int(running and who == self.player) for who in players],
            "opens_season": [int(who == self.order[0]) for who in players],
            "eliminated": [int(self.eliminated[who]) for who in players],
            "reserve": [self.reserve[who] for who in players],
            "hand_size": [len(self.hands[who]) for who in players],
            "score": [min(self.score(who), 255) for who in players],
            "soil": [min(self.soil(who), 255) for who in players],
            "used": counts(self.used),
            "lost": counts(self.lost),
            "deck_left": len(self.deck),
            "seasons_left": self.seasons_left,
            "to_growth": [int(running and seasons == to_growth) for seasons in range(GROWTH_EVERY)],
            "actions_left": self.points,
            "phase": [int(running and phase == self.phase) for phase in PHASES],
            "verb": [int(carrying_out and verb == self.verb) for verb in VERBS],
        }


# -------------------------------------------------------------------- random games


def deal(rng, num_players, size, weights=(1 / 6, 1 / 3, 1 / 2)):
    """A random set-up (M2 - M6), as the keyword arguments of Reference."""
    starts = start_cells(size, num_players)
    tiles = Counter(fertility_counts(size, weights))
    tiles[2] -= num_players
    pool = list(tiles.elements())
    rng.shuffle(pool)
    fertility = [[2 if (r, c) in starts else pool.pop() for c in range(size)] for r in range(size)]
    deck = list(BOX_OF_CARDS.elements())
    rng.shuffle(deck)
    check_set_up(size, num_players, weights, fertility, starts, deck)
    return {
        "fertility": fertility,
        "starts": starts,
        "deck": deck,
        "first_player": rng.randrange(num_players),
    }


def check(game, spores):
    """What must hold after every action."""
    cards = Counter(game.deck + game.used + game.lost)
    for seat in game.seats:
        cards.update(game.hands[seat])
        assert len(game.hands[seat]) <= HAND_LIMIT  # M4
        on_board = sum(number for owner, number in game.spores.values() if owner == seat)
        assert game.reserve[seat] >= 0 and on_board + game.reserve[seat] + game.removed[seat] == spores  # M3
        assert game.eliminated[seat] == (not game.pieces(seat))  # M31
    assert cards == BOX_OF_CARDS
    assert not set(game.spores) & set(game.mycelium)  # M5
    assert all(1 <= number <= MOST_SPORES for _, number in game.spores.values())  # M5
    assert all(0 <= tile <= MOST_FERTILE for tile in game.fertility.values())  # M2
    assert all(game.owner(cell) is not None for cell in game.protected_until)  # M23
    assert (len(game.legal_actions()) > 1) != game.over


def play_random_game(rng):
    num_players = rng.randint(2, 6)
    options = {
        "spores": rng.choice((4, 12)),
        "seasons": rng.randint(1, 7),
        "move_tiles": rng.choice(("swap", "stack")),
        "absorb_edges": rng.random() < 0.5,
        "absorb_mycelium": rng.random() < 0.5,
        "dispute_includes_cell": rng.random() < 0.5,
        "captured": rng.choice(("reserve", "removed")),
        "reward": rng.choice(("win", "score")),
    }
    game = Reference(**deal(rng, num_players, rng.randint(5, num_players + 4)), **options)
    check(game, options["spores"])
    while not game.over:
        game.apply(rng.choice(sorted(game.legal_actions())))
        check(game, options["spores"])
    return game


if __name__ == "__main__":
    _rng = random.Random(1)
    _games = [play_random_game(_rng) for _ in range(50)]
    _scores = [score for game in _games for score in game.scores()]
    print(
        f"{len(_games)} random games: {sum(_scores) / len(_scores):.1f} points a player,"
        f" {sum(sum(game.eliminated) for game in _games)} players out"
    )
