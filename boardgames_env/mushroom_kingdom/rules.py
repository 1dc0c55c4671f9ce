"""Mushroom Kingdom: options, state, actions and the rules themselves. Rule numbers (M11 …) are those of RULES.md.

A complete move is taken in small decisions: a VERB, then a CELL, then a DIRECTION, as far as the verb needs them. What
a verb costs, an action point or a card, is paid when the verb is chosen. `step` goes on by itself for as long as there
is only one thing to do, so nobody is ever asked for the only possibility.
"""
# ruff: noqa: SIM110 - compiled code has no any() over a generator

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from boardgames_env.game import Option, pay_score, pay_win, state_dtype
from boardgames_env.jit import copy, eight, jit, scratch
from boardgames_env.mushroom_kingdom.board import (
    COLUMN,
    DEGREE,
    DIRECTIONS,
    FEWEST,
    LARGEST,
    MAX_CELLS,
    MOST,
    NEIGHBOURS,
    OFF_BOARD,
    SIDES,
    SMALLEST,
    START_CELLS,
)
from boardgames_env.mushroom_kingdom.cards import (
    AGARIC,
    BOX,
    DECK,
    FAMILIES,
    HAND_LIMIT,
    KINDS,
    MOREL,
    POLYPORE,
    PUFFBALL,
    STRONG,
)
from boardgames_env.rng import randint, shuffle

VERSION = 1
SCORE_SCALE = 1 / 16  # reward="score": one point of lead

# --- Options ------------------------------------------------------------------------------------------------


class BoardSize:
    """M1: the side L of the board. None stands for players + 4; `make` puts the number in its place."""

    default = None
    help = f"M1: side of the board, {SMALLEST}..{LARGEST}; by default players + 4"
    dtype = "i2"

    def clean(self, value: Any) -> int | None:
        if isinstance(value, np.integer):
            value = int(value)
        if value is None or (type(value) is int and value in SIDES):
            return value
        raise ValueError(f"must be {self.describe()}")

    def code(self, value: int | None) -> int:
        return value or 0

    def describe(self) -> str:
        return f"{SMALLEST}..{LARGEST}, or None for players + 4"


class FertilityWeights:
    """M2: the shares of the cells that have fertility 3, 2 and 1; kept to four decimals."""

    default = (0.1667, 0.3333, 0.5)
    help = "M2: shares of the cells with fertility 3, 2 and 1; they sum to 1"
    dtype = ("i2", 3)  # in ten-thousandths
    parts = 10_000

    def clean(self, value: Any) -> tuple[float, ...]:
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 3:
            raise ValueError(f"must be {self.describe()}")
        if not all(self._is_share(share) for share in value):
            raise ValueError(f"must be {self.describe()}")
        shares = tuple(round(float(share), 4) for share in value)
        if abs(sum(map(float, value)) - 1) > 1e-3 or sum(self.code(shares)) != self.parts:
            raise ValueError(f"must be {self.describe()}; these sum to {sum(map(float, value)):g}")
        return shares

    @staticmethod
    def _is_share(share: Any) -> bool:
        return (
            isinstance(share, (int, float, np.integer, np.floating))
            and type(share) is not bool
            and bool(0 <= share <= 1)
        )

    def code(self, value: tuple[float, ...]) -> tuple[int, ...]:
        return tuple(round(share * self.parts) for share in value)

    def describe(self) -> str:
        return "three shares of the cells, for fertility 3, 2 and 1, each 0..1, that sum to 1"


OPTIONS: dict[str, Any] = {
    "reward": Option("win", ("win", "score"), "what returns count: the win, or the lead in points / 16"),
    "board_size": BoardSize(),
    "fertility_weights": FertilityWeights(),
    "spores": Option(12, range(1, 61), "M3: spores of each player, the one on the start cell included"),
    "seasons": Option(12, range(1, 61), "M3: the game lasts so many seasons"),
    "move_tiles": Option("swap", ("swap", "stack"), "M13: a spore that moves swaps the fertility, or adds it up"),
    "absorb_edges": Option(False, (False, True), "M15: cells on the border can be surrounded"),
    "absorb_mycelium": Option(False, (False, True), "M15: own mycelium surrounds as spores do"),
    "dispute_includes_cell": Option(False, (False, True), "M16: the disputed cell counts for its defender"),
    "captured": Option("reserve", ("reserve", "removed"), "M17: removed spores return, or leave the game"),
}
STACK = 1  # s.move_tiles
REMOVED = 1  # s.captured
SCORE = 1  # s.reward

# --- State --------------------------------------------------------------------------------------------------

MAX_FERTILITY = 3
FULL = 3  # M5: spores on a cell
MYCELIUM = FULL + 1
NOTHING = 0
NOBODY = -1
MARGIN = 3 * LARGEST  # the farthest jump
NONE_OF_EIGHT = np.uint64(0)
PADDED = MAX_CELLS + 2 * MARGIN
ACTIONS_A_TURN = 2
GROWTH_EVERY = 3  # M30: seasons
BLOCKED_SEASONS = 2  # M16
PROTECTED_SEASONS = 2  # M23: one more for a strengthened card

VERB_PHASE, CELL_PHASE, DIRECTION_PHASE, SECOND_PHASE, GROWTH_PHASE = range(5)
PHASES = 5
PHASE_NAMES = ["verb", "cell", "direction", "second target", "growth"]
NO_VERB, NO_CELL = -1, -1


@functools.cache
def state_of(players: int, side: int) -> np.dtype:
    """The state of a game for so many players on a board of L × L = C cells, which are numbered row by row."""
    cells = side * side
    return state_dtype(
        OPTIONS,
        [
            ("fertility", "i1", cells),  # 0 … 3
            ("holder", "i1", cells),  # seat whose piece lies there, NOBODY
            ("piece", "i1", cells),  # NOTHING, 1 … 3 spores, MYCELIUM
            ("blocked_until", "i2", cells),  # M18: stamp at which the cell is free again; 0 if it is
            ("protected_until", "i2", cells),  # M18: stamp at which protection ends; 0 if there is none
            ("ripe", "i1", cells),  # 0, 1. M30: cells that still have to give fertility
            ("reserve", "i1", players),  # spores
            ("hand", "i1", (players, KINDS)),  # cards by seat and kind
            ("eliminated", "i1", players),  # 0, 1
            ("held", "i2", players),  # cells with own pieces          \  kept up by occupy, vacate and fertilize:
            ("mycelia", "i2", players),  # cells with own mycelium      > scores, elimination and M12 would each need
            ("soil", "i2", players),  # fertility under own pieces     /  a walk over the board
            ("score", "i2", players),  # M32, as of the last step
            ("deck_left", "i1"),
            ("deck", "i1", DECK),  # kinds; the next card is deck[deck_left − 1]; 0 from deck_left on
            ("used", "i1", KINDS),  # cards played, by kind
            ("lost", "i1", KINDS),  # cards of eliminated players, by kind
            ("first", "i1"),  # M6: the seat that opens every season
            ("season", "i1"),  # 1 … seasons; seasons + 1 after the last
            ("actions_left", "i1"),  # action points of this turn
            ("phase", "i1"),
            ("verb", "i1"),  # the verb being carried out, NO_VERB
            ("cell", "i2"),  # the cell chosen (DIRECTION_PHASE) or giving (GROWTH_PHASE), NO_CELL
            ("edge_start", "i1"),  # 0, 1. M11: the spore being sown may start on the border
        ],
    )


# --- Actions: contiguous blocks, each with its offset -------------------------------------------------------

NO_CARD = -1
SOW, FERMENT, MOVE, GROW, ABSORB = range(5)
PLAY_MOREL, PLAY_POLYPORE, PLAY_PUFFBALL, PLAY_AGARIC = range(5, 9)
PLAY_STRONG = 4  # the strengthened card is played by the verb of the ordinary one + PLAY_STRONG
DESTROY = 13  # + family of the strengthened card
DESTROY_BY_THREE = DESTROY + FAMILIES
END = DESTROY_BY_THREE + 1

NOWHERE, OWN, RIVALS, ANYWHERE = range(4)

VERB_TABLE = [  # name, what it does, the card it costs, whose pieces are its targets
    ("sow", SOW, NO_CARD, ANYWHERE),
    ("ferment", FERMENT, NO_CARD, OWN),
    ("move", MOVE, NO_CARD, OWN),
    ("grow mycelium", GROW, NO_CARD, OWN),
    ("absorb", ABSORB, NO_CARD, RIVALS),
    ("play morel", PLAY_MOREL, MOREL, OWN),
    ("play polypore", PLAY_POLYPORE, POLYPORE, RIVALS),
    ("play puffball", PLAY_PUFFBALL, PUFFBALL, OWN),
    ("play agaric", PLAY_AGARIC, AGARIC, NOWHERE),
    ("play strengthened morel", PLAY_MOREL, STRONG + MOREL, OWN),
    ("play strengthened polypore", PLAY_POLYPORE, STRONG + POLYPORE, RIVALS),
    ("play strengthened puffball", PLAY_PUFFBALL, STRONG + PUFFBALL, OWN),
    ("play strengthened agaric", PLAY_AGARIC, STRONG + AGARIC, NOWHERE),
    ("destroy with strengthened agaric", DESTROY, STRONG + AGARIC, RIVALS),
    ("destroy with strengthened morel", DESTROY, STRONG + MOREL, RIVALS),
    ("destroy with strengthened polypore", DESTROY, STRONG + POLYPORE, RIVALS),
    ("destroy with strengthened puffball", DESTROY, STRONG + PUFFBALL, RIVALS),
    ("destroy with three ordinary cards", DESTROY, NO_CARD, RIVALS),
    ("end turn", END, NO_CARD, NOWHERE),
]
VERBS = len(VERB_TABLE)
BOARD_ACTIONS = ABSORB + 1  # the verbs below cost an action point
DEED = np.array([row[1] for row in VERB_TABLE])
CARD = np.array([row[2] for row in VERB_TABLE])
TARGET = np.array([row[3] for row in VERB_TABLE])

CELL = VERBS  # + cell
MOST_ACTIONS = CELL + MAX_CELLS + DIRECTIONS
# The four directions follow the cells: see `direction_action`.


def num_actions(side: int) -> int:
    return VERBS + side * side + DIRECTIONS


def max_plies(players: int, side: int, seasons: int) -> int:
    """Board actions (two a turn, and 12 by agarics) and cards take up to three decisions; the rest takes one."""
    turns = seasons * players
    extra_actions = int(BOX[AGARIC] + 2 * BOX[STRONG + AGARIC])
    growths = seasons // GROWTH_EVERY * side * side
    return 3 * (2 * turns + extra_actions + DECK) + int(BOX[STRONG + POLYPORE]) + turns + growths


@jit
def cells(s):
    """Cells of the board, a constant of the state's type."""
    return len(s.fertility)


@jit
def direction_action(s):
    return CELL + cells(s)


# --- Set-up -------------------------------------------------------------------------------------------------


def tiles(cells: int, weights: Sequence[int]) -> tuple[int, int]:
    """M2: how many cells have fertility 3 and 2, of so many; weights in ten-thousandths, halves rounded up."""
    return _tiles(cells, int(weights[0]), int(weights[1]))


@jit
def _tiles(cells, share_3, share_2):
    threes = (2 * cells * share_3 + 10_000) // 20_000
    twos = (2 * cells * share_2 + 10_000) // 20_000
    return threes, min(twos, cells - threes)


@jit
def deal(s):
    n = int(s.num_players)
    for cell in range(cells(s)):
        s.holder[cell] = NOBODY
    for seat in range(n):  # M3
        s.reserve[seat] = int(s.spores) - 1
        occupy(s, START_CELLS[n - FEWEST, int(s.board_size) - SMALLEST, seat], seat, 1)
    lay_tiles(s, n)
    for kind in range(KINDS):  # M4
        for _ in range(BOX[kind]):
            s.deck[s.deck_left] = kind
            s.deck_left += 1
    shuffle(s, s.deck, DECK)
    s.first = randint(s, n)  # M6
    s.season = 1
    begin_turn(s, int(s.first))
    go_on(s)


@jit
def lay_tiles(s, n):  # M2, M3: the start cells are among those of fertility 2
    threes, twos = _tiles(cells(s), int(s.fertility_weights[0]), int(s.fertility_weights[1]))
    random_cells = cells(s) - n
    for i in range(random_cells):
        s.fertility[i] = 3 if i < threes else 2 if i < threes + twos - n else 1
    shuffle(s, s.fertility, random_cells)
    tile = random_cells - 1
    for cell in range(cells(s) - 1, -1, -1):
        if s.piece[cell] != NOTHING:
            s.fertility[cell] = 2
            s.soil[s.holder[cell]] = 2
        else:
            s.fertility[cell] = s.fertility[tile]
            tile -= 1


# --- The board: every change of pieces and fertility passes through these -----------------------------------


@jit
def neighbour(s, cell, direction):
    """The next cell in a direction, OFF_BOARD beyond the border."""
    return NEIGHBOURS[int(s.board_size) - SMALLEST, cell, direction]


@jit
def along(s, cell, direction, distance):
    for _ in range(distance):
        if cell != OFF_BOARD:
            cell = neighbour(s, cell, direction)
    return cell


@jit
def occupy(s, cell, seat, piece):
    """Put a piece onto a cell that holds none."""
    s.holder[cell] = seat
    s.piece[cell] = piece
    s.held[seat] += 1
    s.mycelia[seat] += piece == MYCELIUM
    s.soil[seat] += s.fertility[cell]


@jit
def vacate(s, cell):
    seat = s.holder[cell]
    s.held[seat] -= 1
    s.mycelia[seat] -= s.piece[cell] == MYCELIUM
    s.soil[seat] -= s.fertility[cell]
    s.holder[cell] = NOBODY
    s.piece[cell] = NOTHING
    s.protected_until[cell] = 0  # M23


@jit
def fertilize(s, cell, change):
    """Change the fertility of a cell, within 0 … 3."""
    before = int(s.fertility[cell])
    after = min(MAX_FERTILITY, max(0, before + change))
    s.fertility[cell] = after
    if s.piece[cell] != NOTHING:
        s.soil[s.holder[cell]] += after - before


@jit
def is_free(s, cell):  # M13
    return cell != OFF_BOARD and s.piece[cell] == NOTHING and s.blocked_until[cell] == 0


@jit
def hand_size(s, seat):
    size = 0
    for kind in range(KINDS):
        size += int(s.hand[seat, kind])
    return size


@jit
def place(s, seat):  # M6
    return (int(seat) - int(s.first)) % int(s.num_players)


@jit
def stamp(s):  # M18
    return (int(s.season) - 1) * int(s.num_players) + place(s, s.player)


# --- Legal actions ------------------------------------------------------------------------------------------


@jit
def legal(s, mask):
    if s.phase == VERB_PHASE:
        find_verbs(s, int(s.player), mask)
    elif s.phase == CELL_PHASE or s.phase == SECOND_PHASE:
        find_targets(s, int(s.player), int(s.verb), mask[CELL : direction_action(s)])
    else:
        for direction in range(DIRECTIONS):
            mask[direction_action(s) + direction] = can_point(s, direction)


@jit
def find_verbs(s, seat, mask):
    """`can_use` for every verb."""
    can_act = False
    for verb in range(END):
        mask[verb] = can_carry_through(s, seat, verb)
        can_act |= verb < BOARD_ACTIONS and mask[verb] > 0
    mask[END] = not can_act  # M10


@jit
def only_choice(s):
    """The only legal action, or −1 if there are several."""
    if s.phase == VERB_PHASE:
        return only_verb(s, int(s.player))
    mask = scratch(MOST_ACTIONS)
    legal(s, mask)
    only = -1
    for action in range(CELL, direction_action(s) + DIRECTIONS):
        if mask[action]:
            if only >= 0:
                return -1
            only = action
    return only


@jit
def only_verb(s, seat):
    """Asks no further than the second: mostly the first verbs are legal."""
    only = -1
    for verb in range(VERBS):
        if can_use(s, seat, verb):
            if only >= 0:
                return -1
            only = verb
    return only


@jit
def can_use(s, seat, verb):
    if verb == END:  # M10
        return not can_act(s, seat)
    return can_carry_through(s, seat, verb)


@jit
def can_act(s, seat):
    for verb in range(BOARD_ACTIONS):
        if can_carry_through(s, seat, verb):
            return True
    return False


@jit
def can_carry_through(s, seat, verb):
    return can_pay(s, seat, verb) and (TARGET[verb] == NOWHERE or has_target(s, seat, verb))


@jit
def can_pay(s, seat, verb):
    if verb >= BOARD_ACTIONS:
        if verb == DESTROY_BY_THREE:  # M24
            return ordinary_cards(s, seat) == HAND_LIMIT
        return s.hand[seat, CARD[verb]] > 0
    if s.actions_left == 0:
        return False
    if verb == FERMENT:  # M12
        return hand_size(s, seat) < HAND_LIMIT and s.deck_left > 0
    return (verb != SOW and verb != ABSORB) or s.reserve[seat] > 0


@jit
def ordinary_cards(s, seat):
    count = 0
    for kind in range(STRONG):
        count += int(s.hand[seat, kind])
    return count


@jit
def has_target(s, seat, verb):
    found = scratch(MAX_CELLS)
    find_targets(s, seat, verb, found)
    if any_of(s, found):
        return True
    if verb == SOW:  # M11 (c)
        find_edge_starts(s, found)
    return any_of(s, found)


@jit
def can_point(s, direction):
    if s.phase == GROWTH_PHASE:
        return can_grow_to(s, int(s.cell), direction)
    return is_free(s, along(s, int(s.cell), direction, distance(int(s.verb))))


# --- Targets: maps of the board, int8[C], 1 for the cells in question -----------------------------------------
# Their loops have no branches, & and | for `and` and `or`, and compare int8 with int8, so that the compiler does many
# cells at once: to ask cell by cell takes ten times as long.


@jit
def find_targets(s, seat, verb, found):
    """The targets of a verb, once it is paid."""
    deed = DEED[verb]
    if deed == SOW:
        find_sowable(s, seat, found)
    elif deed == FERMENT:
        find_fermentable(s, seat, found)
    elif deed == GROW:
        find_full(s, seat, found)
    elif deed == ABSORB:
        find_surrounded(s, seat, found)
    elif deed == PLAY_POLYPORE:
        find_pluckable(s, seat, found)
    elif deed == PLAY_PUFFBALL:
        find_own(s, seat, found)
    elif deed == DESTROY:
        find_destructible(s, seat, found)
    else:
        find_movable(s, seat, distance(verb), found)


@jit
def find_sowable(s, seat, found):  # M11
    find_spread(s, seat, found)
    degree = DEGREE[int(s.board_size) - SMALLEST]
    edge_start, own = s.edge_start, np.int8(seat)
    for cell in range(cells(s)):
        stack = (s.holder[cell] == own) & (s.piece[cell] < FULL)  # (a)
        free = (s.piece[cell] == NOTHING) & (s.blocked_until[cell] == 0)
        found[cell] |= stack | (edge_start & free & (degree[cell] < DIRECTIONS))  # (c)


@jit
def find_spread(s, seat, found):  # M11 (b)
    own, beside = scratch(MAX_CELLS), scratch(MAX_CELLS)
    find_own(s, seat, own)
    count_around(s, own, 1, beside)
    for cell in range(cells(s)):
        closed = (s.piece[cell] == MYCELIUM) | (s.blocked_until[cell] > 0) | (s.protected_until[cell] > 0)
        found[cell] = (beside[cell] > 0) & (own[cell] == 0) & (not closed)


@jit
def find_own(s, seat, found):
    own = np.int8(seat)
    for cell in range(cells(s)):
        found[cell] = s.holder[cell] == own


@jit
def find_rivals(s, seat, found):
    """Rivals' pieces that may be attacked (M23)."""
    own = np.int8(seat)
    for cell in range(cells(s)):
        found[cell] = (s.piece[cell] != NOTHING) & (s.holder[cell] != own) & (s.protected_until[cell] == 0)


@jit
def find_fermentable(s, seat, found):  # M12
    own, others = np.int8(seat), s.held[seat] > 1
    for cell in range(cells(s)):
        enough = (s.piece[cell] == FULL) | ((s.piece[cell] == 2) & others)
        found[cell] = (s.holder[cell] == own) & enough


@jit
def find_full(s, seat, found):  # M14
    own = np.int8(seat)
    for cell in range(cells(s)):
        found[cell] = (s.holder[cell] == own) & (s.piece[cell] == FULL)


@jit
def find_surrounded(s, seat, found):  # M15
    walls, beside = scratch(MAX_CELLS), scratch(MAX_CELLS)
    own, mycelium_too, edges_too = np.int8(seat), s.absorb_mycelium, s.absorb_edges
    for cell in range(cells(s)):
        walls[cell] = (s.holder[cell] == own) & ((s.piece[cell] < MYCELIUM) | mycelium_too)
    count_around(s, walls, 1, beside)
    degree = DEGREE[int(s.board_size) - SMALLEST]
    find_rivals(s, seat, found)
    for cell in range(cells(s)):
        surrounded = (beside[cell] == degree[cell]) & ((degree[cell] == DIRECTIONS) | edges_too)
        found[cell] &= surrounded & (s.piece[cell] < MYCELIUM)


@jit
def find_pluckable(s, seat, found):  # M22
    find_rivals(s, seat, found)
    for cell in range(cells(s)):
        found[cell] &= s.piece[cell] < MYCELIUM


@jit
def find_destructible(s, seat, found):  # M24
    find_rivals(s, seat, found)
    for cell in range(cells(s)):
        found[cell] &= s.piece[cell] == MYCELIUM


@jit
def find_movable(s, seat, steps, found):  # M13, M21
    free, within = scratch(MAX_CELLS), scratch(MAX_CELLS)
    own = np.int8(seat)
    for cell in range(cells(s)):
        free[cell] = (s.piece[cell] == NOTHING) & (s.blocked_until[cell] == 0)
    count_around(s, free, steps, within)
    for cell in range(cells(s)):
        found[cell] = (s.holder[cell] == own) & (s.piece[cell] == 1) & (within[cell] > 0)


@jit
def find_edge_starts(s, found):  # M11 (c)
    degree = DEGREE[int(s.board_size) - SMALLEST]
    for cell in range(cells(s)):
        free = (s.piece[cell] == NOTHING) & (s.blocked_until[cell] == 0)
        found[cell] = free & (degree[cell] < DIRECTIONS)


@jit
def count_around(s, marked, steps, counts):
    """In how many directions a marked cell lies so many steps away, for every cell."""
    side, size = int(s.board_size), cells(s)
    padded = scratch(PADDED)  # nothing is marked beyond the north and the south
    copy(padded[MARGIN : MARGIN + size], marked[:size])
    north, south = padded[MARGIN - steps * side :], padded[MARGIN + steps * side :]
    west, east = padded[MARGIN - steps :], padded[MARGIN + steps :]
    column, first, last = COLUMN[side - SMALLEST], np.int8(steps), np.int8(side - 1 - steps)
    for cell in range(size):
        across = west[cell] * (column[cell] >= first) + east[cell] * (column[cell] <= last)
        counts[cell] = north[cell] + south[cell] + across


@jit
def any_of(s, found):
    for start in range(0, cells(s), 8):  # MAX_CELLS is a multiple of 8
        if eight(found, start) != NONE_OF_EIGHT:
            return True
    return False


@jit
def can_spread(s, seat):  # M11 (c)
    """Whether a cell next to own pieces, other than own ones, can be sown."""
    found = scratch(MAX_CELLS)
    find_spread(s, seat, found)
    return any_of(s, found)


@jit
def distance(verb):  # M13, M21
    if verb == MOVE:
        return 1
    return 2 if verb == PLAY_MOREL else 3


@jit
def can_grow_to(s, cell, direction):  # M30
    near = neighbour(s, cell, direction)
    return near != OFF_BOARD and s.fertility[near] < MAX_FERTILITY


# --- A turn -------------------------------------------------------------------------------------------------


@jit
def step(s, action):
    s.ply += 1
    decide(s, action)
    go_on(s)


@jit
def go_on(s):
    """Do all that leaves no choice, then write down the scores."""
    while not s.over:
        only = only_choice(s)
        if only < 0:
            break
        decide(s, only)
    keep_score(s)
    if s.reward == SCORE:
        pay_score(s, s.score, SCORE_SCALE)


@jit
def decide(s, action):
    """One decision, asked for or not."""
    seat = int(s.player)
    if s.phase == VERB_PHASE:
        choose_verb(s, seat, action)
    elif s.phase == CELL_PHASE:
        choose_cell(s, seat, int(s.verb), action - CELL)
    elif s.phase == SECOND_PHASE:
        remove_spores(s, action - CELL, 1)
        finish_move(s)
    elif s.phase == DIRECTION_PHASE:
        choose_direction(s, seat, action - direction_action(s))
    else:
        give_fertility(s, action - direction_action(s))


@jit
def choose_verb(s, seat, verb):
    if verb == END:
        end_turn(s, seat)
        return
    pay(s, seat, verb)
    if DEED[verb] == PLAY_AGARIC:  # M20
        s.actions_left += 2 if verb >= PLAY_AGARIC + PLAY_STRONG else 1
        return
    s.phase = CELL_PHASE
    s.verb = verb
    s.edge_start = verb == SOW and not can_spread(s, seat)


@jit
def pay(s, seat, verb):
    if verb < BOARD_ACTIONS:
        s.actions_left -= 1
    elif verb == DESTROY_BY_THREE:  # M24: the whole hand
        for kind in range(KINDS):
            use_cards(s, seat, kind, int(s.hand[seat, kind]))
    else:
        use_cards(s, seat, CARD[verb], 1)


@jit
def use_cards(s, seat, kind, count):  # M25
    s.hand[seat, kind] -= count
    s.used[kind] += count


@jit
def choose_cell(s, seat, verb, cell):
    deed = DEED[verb]
    if deed in (MOVE, PLAY_MOREL):
        s.phase = DIRECTION_PHASE
        s.cell = cell
        return
    if deed == SOW:
        sow(s, seat, cell)
    elif deed == FERMENT:
        ferment(s, seat, cell)
    elif deed == GROW:
        grow(s, seat, cell)
    elif deed == ABSORB:  # M15
        take_over(s, seat, cell)
    elif deed == PLAY_POLYPORE:  # M22
        remove_spores(s, cell, 1)
    elif deed == PLAY_PUFFBALL:
        protect(s, cell, PROTECTED_SEASONS + int(verb >= PLAY_PUFFBALL + PLAY_STRONG))
    else:  # M24
        vacate(s, cell)
        fertilize(s, cell, -1)
    eliminate(s)
    if not s.over and verb == PLAY_POLYPORE + PLAY_STRONG and has_target(s, seat, verb):  # M22
        s.phase = SECOND_PHASE
    else:
        end_move(s)


@jit
def finish_move(s):
    eliminate(s)
    end_move(s)


@jit
def end_move(s):
    s.phase = VERB_PHASE
    s.verb = NO_VERB
    s.cell = NO_CELL
    s.edge_start = False


@jit
def sow(s, seat, cell):  # M11
    if s.holder[cell] == seat:
        s.reserve[seat] -= 1
        s.piece[cell] += 1
    elif s.piece[cell] == NOTHING:
        s.reserve[seat] -= 1
        occupy(s, cell, seat, 1)
    else:
        dispute(s, seat, cell)


@jit
def dispute(s, seat, cell):  # M16
    rival = int(s.holder[cell])
    attack = strength(s, seat, cell)
    defence = strength(s, rival, cell)
    if s.dispute_includes_cell:
        defence += int(s.fertility[cell])
    if attack > defence:
        take_over(s, seat, cell)
    elif attack == defence:
        remove_spores(s, cell, int(s.piece[cell]))
        if s.captured == REMOVED:  # M17: the attacker's spore too
            s.reserve[seat] -= 1
        fertilize(s, cell, -1)
        s.blocked_until[cell] = stamp(s) + BLOCKED_SEASONS * int(s.num_players)


@jit
def strength(s, seat, cell):  # M16
    total = 0
    for direction in range(DIRECTIONS):
        near = neighbour(s, cell, direction)
        if near != OFF_BOARD and s.holder[near] == seat:
            total += int(s.fertility[near])
    return total


@jit
def take_over(s, seat, cell):  # M15, M16
    remove_spores(s, cell, int(s.piece[cell]))
    s.reserve[seat] -= 1
    occupy(s, cell, seat, 1)


@jit
def remove_spores(s, cell, count):  # M17
    if s.captured != REMOVED:
        s.reserve[s.holder[cell]] += count
    if count == s.piece[cell]:
        vacate(s, cell)
    else:
        s.piece[cell] -= count


@jit
def ferment(s, seat, cell):  # M12
    s.reserve[seat] += 2
    if s.piece[cell] == 2:
        vacate(s, cell)
    else:
        s.piece[cell] -= 2
    s.deck_left -= 1
    s.hand[seat, s.deck[s.deck_left]] += 1
    s.deck[s.deck_left] = 0


@jit
def grow(s, seat, cell):  # M14
    s.reserve[seat] += FULL
    s.piece[cell] = MYCELIUM
    s.mycelia[seat] += 1


@jit
def protect(s, cell, seasons):  # M23: a shorter protection does not cut a longer one
    until = stamp(s) + seasons * int(s.num_players)
    s.protected_until[cell] = max(int(s.protected_until[cell]), until)


@jit
def choose_direction(s, seat, direction):  # M13, M21
    source = int(s.cell)
    target = along(s, source, direction, distance(int(s.verb)))
    vacate(s, source)
    moved, met = int(s.fertility[source]), int(s.fertility[target])
    if s.move_tiles == STACK:
        s.fertility[target] = min(MAX_FERTILITY, moved + met)
        s.fertility[source] = 0
    else:
        s.fertility[target] = moved
        s.fertility[source] = met
    occupy(s, target, seat, 1)
    end_move(s)


# --- Elimination and score ----------------------------------------------------------------------------------


@jit
def eliminate(s):  # M31
    living = 0
    for seat in range(s.num_players):
        if s.held[seat] > 0:
            living += 1
        elif not s.eliminated[seat]:
            s.eliminated[seat] = True
            for kind in range(KINDS):
                s.lost[kind] += s.hand[seat, kind]
                s.hand[seat, kind] = 0
    if living == 1:
        finish(s)


@jit
def keep_score(s):  # M32
    for seat in range(s.num_players):
        s.score[seat] = int(s.held[seat]) + int(s.mycelia[seat]) + hand_size(s, seat) + int(s.soil[seat]) // 10


@jit
def finish(s):
    s.over = True
    keep_score(s)
    if s.reward != SCORE:
        best = 0
        for seat in range(s.num_players):
            best = max(best, int(s.score[seat]))
        won = scratch(MOST)
        for seat in range(s.num_players):
            won[seat] = s.score[seat] == best
        pay_win(s, won)


# --- Between turns ------------------------------------------------------------------------------------------


@jit
def begin_turn(s, seat):
    s.player = seat
    s.actions_left = ACTIONS_A_TURN
    end_move(s)
    now = stamp(s)
    for cell in range(cells(s)):  # M18
        s.blocked_until[cell] *= s.blocked_until[cell] > now
        s.protected_until[cell] *= s.protected_until[cell] > now


@jit
def end_turn(s, seat):
    s.actions_left = 0
    following = living_from(s, place(s, seat) + 1)
    if following == NOBODY:
        end_season(s)
    else:
        begin_turn(s, following)


@jit
def living_from(s, first_place):
    """The first living player from a place in the order on; NOBODY if all have moved (M30, M31)."""
    n = int(s.num_players)
    for i in range(first_place, n):
        seat = (int(s.first) + i) % n
        if not s.eliminated[seat]:
            return seat
    return NOBODY


@jit
def end_season(s):  # M30
    if s.season % GROWTH_EVERY == 0:
        for cell in range(cells(s)):
            s.ripe[cell] = s.piece[cell] != NOTHING and s.fertility[cell] == MAX_FERTILITY
    next_growth(s, 0, 0)


@jit
def next_growth(s, first_place, first_cell):  # M30
    """Ask for the next growth, from a place in the order and there from a cell on: what comes before has been asked.
    After the last the next season begins, or the game is over."""
    n = int(s.num_players)
    for i in range(first_place, n):
        seat = (int(s.first) + i) % n
        for cell in range(first_cell, cells(s)):
            if s.ripe[cell] and s.holder[cell] == seat:
                if can_grow(s, cell):
                    s.player = seat
                    s.phase = GROWTH_PHASE
                    s.cell = cell
                    return
                s.ripe[cell] = False
        first_cell = 0
    end_move(s)
    s.season += 1
    if s.season > s.seasons:
        finish(s)
    else:
        begin_turn(s, living_from(s, 0))


@jit
def can_grow(s, cell):
    for direction in range(DIRECTIONS):
        if can_grow_to(s, cell, direction):
            return True
    return False


@jit
def give_fertility(s, direction):  # M30
    s.ripe[s.cell] = False
    fertilize(s, neighbour(s, int(s.cell), direction), 1)
    next_growth(s, place(s, s.player), int(s.cell) + 1)
