"""Mushroom Kingdom, greedy: take the move that gains most in points, own ones and those of rivals.

It spreads over fertile cells that it can hold, wins the disputes that it can win, stacks spores and grows mycelium
when the reserve runs short, sooner where a rival threatens, and ferments at the limit of its spores. A card costs what
it would be worth in the hand. Each decision of a move is valued by the best way to go on, so the parts fit together
without memory. All numbers were found by trying; they are not tuned to any opponent.
"""

import numpy as np

from boardgames_env.jit import copy, jit, scratch
from boardgames_env.mushroom_kingdom.board import DIRECTIONS, LARGEST, MAX_CELLS
from boardgames_env.mushroom_kingdom.board import MOST as MOST_PLAYERS
from boardgames_env.mushroom_kingdom.cards import HAND_LIMIT
from boardgames_env.mushroom_kingdom.rules import (
    ABSORB,
    ACTIONS_A_TURN,
    CELL,
    CELL_PHASE,
    DEED,
    DESTROY,
    DESTROY_BY_THREE,
    END,
    FERMENT,
    FULL,
    GROW,
    GROWTH_PHASE,
    MAX_FERTILITY,
    MOVE,
    MYCELIUM,
    NOBODY,
    NOTHING,
    OWN,
    PLAY_AGARIC,
    PLAY_MOREL,
    PLAY_POLYPORE,
    PLAY_PUFFBALL,
    PLAY_STRONG,
    SECOND_PHASE,
    SOW,
    TARGET,
    VERB_PHASE,
    VERBS,
    distance,
)

NEVER = -1e9
TIE = 1e-9  # values that differ by less are equal, whichever way they were rounded: the first action is taken
SOIL = 0.1  # M32: points for fertility under own pieces
CARD = 0.8  # what a card in hand is worth, in points; a strengthened one a little more
STRONG_CARD = 1.0


# The fewest and the most spores on a cell on which a verb can be used, if not 1 and FULL; MYCELIUM counts as one more.
FEWEST_SPORES = {FERMENT: 2, GROW: FULL, DESTROY: MYCELIUM}
MOST_SPORES = {PLAY_PUFFBALL: MYCELIUM, MOVE: 1, PLAY_MOREL: 1, DESTROY: MYCELIUM}
FEWEST = np.array([FEWEST_SPORES.get(int(deed), 1) for deed in DEED], np.int8)  # by verb
MOST = np.array([MOST_SPORES.get(int(deed), FULL) for deed in DEED], np.int8)

# The board as the heuristic reads it, int8[FIELDS, AREA]: with a rim, so that every cell has four neighbours. Loops
# over it have no branches, so that the compiler does many cells at once. Worth in it is in hundredths of a point.
FERTILITY, HOLDER, PIECE, BLOCKED, PROTECTED = range(5)
HELD = 5  # of one seat: PRESENT + the fertility under its piece, and
AROUND = 6  # + seat: the sum of it over the neighbours, what the seat has in a dispute for the cell (M16)
DANGER = AROUND + MOST_PLAYERS  # `threat`, in halves
OPEN = DANGER + 1  # fertility of free cells that we are not beside, and
OUTLOOK = OPEN + 1  # the sum of it over the neighbours
SPORES = OUTLOOK + 1  # 2 for those of a rival, 1 for ours, and
COMPANY = SPORES + 1  # the sum of it over the neighbours
GROUND = COMPANY + 1  # what a spore on the cell gains beside the points for the cell
FOOTING = GROUND + 1  # what matters of that to a spore that takes its tile along
SITE = FOOTING + 1  # the same for free cells, NO_SITE for the others
FIELDS = SITE + 1
WIDTH = LARGEST + 2
AREA = WIDTH * WIDTH
MEMORY = FIELDS * AREA
NEXT = np.array([-WIDTH, 1, WIDTH, -1])  # north, east, south, west
RIM = MYCELIUM + 1  # the piece out there: no cell is free, and nobody holds it
PRESENT = 16  # more than the fertility of four cells
UNDER = PRESENT - 1
NO_SITE = -128
NONE = -256  # less than any worth
FAR = 100  # a free cell that we are not beside: only an edge start could reach it


def search_settings(players: int) -> dict[str, float]:
    """For two players the lead after 60 decisions, two seasons, tells more than who wins by the same moves. For four it
    does not: against this heuristic 100 simulations win 79 %, ended after 120 and 90 decisions 69 and 59 %."""
    return {"horizon": 60} if players == 2 else {}


@jit
def choose(obs, mask):
    table = obs.public
    side = table.fertility.shape[1]
    board = scratch(MEMORY).reshape(FIELDS, AREA)
    phase = position_of(table.phase)
    read(table, board)
    if phase != GROWTH_PHASE:
        for seat in range(len(table.reserve)):
            look_around(table, board, seat)
        look_ahead(table, board)
    verb = position_of(table.verb)
    chosen = chosen_cell(table)
    first_direction = VERBS + side * side
    best, best_value = -1, 2 * NEVER
    for action in range(len(mask)):
        if not mask[action]:
            continue
        if phase == VERB_PHASE:
            value = verb_value(table, board, action)
        elif phase in (CELL_PHASE, SECOND_PHASE):
            cell = at((action - CELL) // side, (action - CELL) % side)
            value = sow_value(table, board, cell) if verb == SOW else cell_value(table, board, verb, cell)
        elif phase == GROWTH_PHASE:
            value = growth_value(board, chosen + NEXT[action - first_direction])
        else:
            target = along(board, chosen, action - first_direction, distance(verb))
            value = leap_value(board[FOOTING, target] - board[FOOTING, chosen])
        if value > best_value + TIE:
            best, best_value = action, value
    return best


# --- Reading ------------------------------------------------------------------------------------------------


@jit
def at(row, column):
    """The cell on the board with the rim."""
    return (row + 1) * WIDTH + column + 1


@jit
def read(table, board):
    side = table.fertility.shape[1]
    holder, piece = scratch(MAX_CELLS), scratch(MAX_CELLS)
    read_pieces(table, holder, piece)
    for i in range(AREA):
        board[HOLDER, i], board[PIECE, i], board[SITE, i] = NOBODY, RIM, NO_SITE
    for row in range(side):
        cells, there = slice(row * side, row * side + side), slice(at(row, 0), at(row, side))
        copy(board[HOLDER, there], holder[cells])
        copy(board[PIECE, there], piece[cells])
        copy(board[FERTILITY, there], table.fertility[0, row])
        copy(board[BLOCKED, there], table.blocked[0, row])
        copy(board[PROTECTED, there], table.protected[0, row])


@jit
def read_pieces(table, holder, piece):
    """Holder and piece by cell, without the rim."""
    seats, cells = len(table.reserve), table.fertility.shape[1] * table.fertility.shape[2]
    spores, mycelium = table.spores.reshape(seats, cells), table.mycelium.reshape(seats, cells)
    for i in range(cells):
        holder[i] = NOBODY
    for seat in range(seats):
        owner = np.int8(seat)
        for i in range(cells):
            piece[i] |= spores[seat, i] | (mycelium[seat, i] * MYCELIUM)
            holder[i] = owner if (spores[seat, i] != 0) | (mycelium[seat, i] != 0) else holder[i]


@jit
def inside(side):
    """The cells on the board with the rim, and the rim between."""
    return range(at(0, 0), at(side - 1, side))


@jit
def look_around(table, board, seat):
    """What a seat has beside every cell, and for a rival what danger that is to us."""
    side = table.fertility.shape[1]
    around, held, owner = board[AROUND + seat], board[HELD], np.int8(seat)
    for i in inside(side):
        held[i] = (PRESENT + board[FERTILITY, i]) if board[HOLDER, i] == owner else 0
    for i in inside(side):
        around[i] = held[i - WIDTH] + held[i + 1] + held[i + WIDTH] + held[i - 1]
    if seat > 0 and table.reserve[seat] > 0:
        own, danger = board[AROUND], board[DANGER]
        for i in inside(side):
            theirs, ours = np.int8(around[i] & UNDER), np.int8(own[i] & UNDER)
            here = np.int8((around[i] >= PRESENT) * (int(theirs >= ours) + int(theirs > ours)))
            danger[i] = here if here > danger[i] else danger[i]


@jit
def look_ahead(table, board):
    """What a piece of ours on a cell could reach from there, and what a spore would be worth on it."""
    side = table.fertility.shape[1]
    fertility, piece, holder = board[FERTILITY], board[PIECE], board[HOLDER]
    for i in inside(side):
        free = (piece[i] == NOTHING) & (board[BLOCKED, i] == 0) & (board[AROUND, i] == 0)
        board[OPEN, i] = fertility[i] if free else 0
        mobile = (piece[i] > NOTHING) & (piece[i] < MYCELIUM)
        board[SPORES, i] = (2 if holder[i] > 0 else 1) if mobile else 0
    reach, spores, outlook, company = board[OPEN], board[SPORES], board[OUTLOOK], board[COMPANY]
    for i in inside(side):
        outlook[i] = reach[i - WIDTH] + reach[i + 1] + reach[i + WIDTH] + reach[i - 1]
        company[i] = spores[i - WIDTH] + spores[i + 1] + spores[i + WIDTH] + spores[i - 1]
    ground, danger, footing = board[GROUND], board[DANGER], board[FOOTING]
    for i in inside(side):
        footing[i] = 2 * outlook[i] - 15 * danger[i]
        board[SITE, i] = footing[i] if (piece[i] == NOTHING) & (board[BLOCKED, i] == 0) else NO_SITE
        ground[i] = fertility[i] * (10 + 3 * company[i]) + 4 * outlook[i] - 30 * danger[i]


@jit
def position_of(one_hot):
    for i in range(len(one_hot)):
        if one_hot[i]:
            return i
    return -1


@jit
def chosen_cell(table):
    side = table.chosen.shape[1]
    for row in range(side):
        for column in range(side):
            if table.chosen[0, row, column]:
                return at(row, column)
    return -1


@jit
def along(board, cell, direction, steps):
    for _ in range(steps):
        if board[PIECE, cell] != RIM:
            cell += NEXT[direction]
    return cell


@jit
def threat(board, cell):
    """Chance that a rival takes the cell from us: 1 if one beside it is stronger there, ½ if as strong, else 0."""
    return 0.5 * board[DANGER, cell]


@jit
def is_beside(board, seat, cell):
    return board[AROUND + seat, cell] > 0


@jit
def strength(board, seat, cell):
    """M16: fertility under the pieces that a seat has beside a cell."""
    return board[AROUND + seat, cell] & UNDER


@jit
def harm(table, seat):
    """What a point lost by a rival is worth: all of it against one rival, a share among several."""
    rivals = 0
    lead = np.int64(0)
    for other in range(1, len(table.reserve)):
        rivals += not table.eliminated[other]
        lead = max(lead, np.int64(table.score[other]))
    share = 1.0 / max(1, rivals)
    return min(1.0, 1.5 * share) if table.score[seat] == lead else share


@jit
def actions_to_come(table):
    return np.int64(table.actions_left) + ACTIONS_A_TURN * (np.int64(table.seasons_left) - 1)


@jit
def card_price(table, strong):
    """What using a card costs: less while the hand is full and fermenting would bring the next."""
    price = STRONG_CARD if strong else CARD
    if table.hand_size[0] == HAND_LIMIT and actions_to_come(table) > 3:
        price -= 0.4
    return price


# --- The worth of moves -------------------------------------------------------------------------------------


@jit
def verb_value(table, board, verb):
    """The worth of the best way to carry out a verb, less the card that it costs."""
    if verb == END:
        return 0.0
    if DEED[verb] == PLAY_AGARIC:
        gained = 2 if verb == PLAY_AGARIC + PLAY_STRONG else 1
        each = 0.9 if table.reserve[0] > 0 else 0.3
        return gained * each - card_price(table, gained == 2)
    if verb == SOW:
        return best_to_sow(table, board)
    if verb == MOVE:
        return best_to_move(table, board)
    best = NEVER
    targets = scratch(AREA)
    find_targets(table, board, verb, targets)
    for cell in inside(table.fertility.shape[1]):
        if targets[cell]:
            best = max(best, cell_value(table, board, verb, cell))
    if verb == DESTROY_BY_THREE:
        return best - HAND_LIMIT * CARD
    if verb > ABSORB:
        return best - card_price(table, verb >= PLAY_MOREL + PLAY_STRONG)
    return best


@jit
def find_targets(table, board, verb, targets):
    """The targets of a verb; where it takes neighbours as well to tell, the mask or the worth of the cell has to."""
    fewest, most, own = FEWEST[verb], MOST[verb], TARGET[verb] == OWN
    holder, piece, protected = board[HOLDER], board[PIECE], board[PROTECTED]
    for i in inside(table.fertility.shape[1]):
        fits = (holder[i] == 0) if own else (holder[i] > 0) & (protected[i] == 0)
        targets[i] = fits & (piece[i] >= fewest) & (piece[i] <= most)


@jit
def best_to_sow(table, board):
    side = table.fertility.shape[1]
    piece, holder, around, protected = board[PIECE], board[HOLDER], board[AROUND], board[PROTECTED]
    rivals = scratch(AREA)
    for i in inside(side):
        rivals[i] = (holder[i] > 0) & (around[i] > 0) & (protected[i] == 0) & (piece[i] < MYCELIUM)
    best = max(best_to_settle(table, board), best_to_stack(table, board))
    for i in inside(side):
        if rivals[i]:
            best = max(best, fight_value(table, board, i))
    return best


@jit
def best_to_stack(table, board):
    side = table.fertility.shape[1]
    piece, holder, danger = board[PIECE], board[HOLDER], board[DANGER]
    left = actions_to_come(table)
    best = NONE
    for i in inside(side):
        worth = stack_worth(piece[i], danger[i], left)
        best = max(best, worth if (holder[i] == 0) & (piece[i] < MYCELIUM) else NONE)
    return 0.01 * best if best > NONE else NEVER


@jit
def best_to_settle(table, board):
    side = table.fertility.shape[1]
    ground, around = board[GROUND], board[AROUND]
    piece, blocked = board[PIECE], board[BLOCKED]
    best = NONE
    for i in inside(side):
        worth = int(ground[i]) - (FAR if around[i] == 0 else 0)
        best = max(best, worth if (piece[i] == NOTHING) & (blocked[i] == 0) else NONE)
    return settle_value(table, best) if best > NONE else NEVER


@jit
def best_to_move(table, board):
    side = table.fertility.shape[1]
    holder, piece, footing, site = board[HOLDER], board[PIECE], board[FOOTING], board[SITE]
    best = NONE
    for i in inside(side):
        reached = max(max(site[i - WIDTH], site[i + 1]), max(site[i + WIDTH], site[i - 1]))
        lone = (holder[i] == 0) & (piece[i] == 1)
        best = max(best, reached - footing[i] if lone & (reached > NO_SITE) else NONE)
    return leap_value(best) if best > NONE else NEVER


@jit
def cell_value(table, board, verb, cell):
    """The worth of a cell as the target of a verb other than sowing."""
    deed = DEED[verb]
    if deed == FERMENT:
        return ferment_value(table, board, cell)
    if deed == GROW:
        return 1.2 + 0.8 * threat(board, cell)
    if deed == PLAY_PUFFBALL:
        return guard_value(board, cell)
    if deed in (MOVE, PLAY_MOREL):
        return leave_value(board, cell, distance(verb))
    if deed == DESTROY:
        return harm(table, board[HOLDER, cell]) * (2.0 + SOIL * board[FERTILITY, cell])
    if deed == PLAY_POLYPORE:
        return pluck_value(table, board, cell)
    return capture_value(table, board, cell) if is_surrounded(board, cell) else NEVER


@jit
def sow_value(table, board, cell):
    if board[HOLDER, cell] == 0:
        return 0.01 * stack_worth(board[PIECE, cell], board[DANGER, cell], actions_to_come(table))
    if board[HOLDER, cell] == NOBODY:
        return settle_value(table, int(board[GROUND, cell]) - (0 if is_beside(board, 0, cell) else FAR))
    return fight_value(table, board, cell)


@jit
def fight_value(table, board, cell):
    """M16: sowing onto a rival's spores."""
    attack, defence = strength(board, 0, cell), strength(board, board[HOLDER, cell], cell)
    if attack > defence:
        return capture_value(table, board, cell)
    if attack == defence:
        return harm(table, board[HOLDER, cell]) * (1.0 + SOIL * board[FERTILITY, cell]) - 0.1
    return -0.5


@jit
def is_surrounded(board, cell):
    """Nearly M15; where the options ask for more, the mask has the last word."""
    for direction in range(DIRECTIONS):
        near = cell + NEXT[direction]
        if board[HOLDER, near] != 0 and board[PIECE, near] != RIM:
            return False
    return True


@jit
def settle_value(table, ground):
    """A spore on a free cell: points, how safe it is, what it can reach, and strength for our neighbours and against
    others."""
    value = 1.0 + 0.01 * ground
    reserve = np.int64(table.reserve[0])
    if reserve <= 2 and actions_to_come(table) > reserve + 2:
        value -= 1.3  # the last spores are for stacks, or nothing but moves would be left
    return value


@jit
def stack_worth(piece, danger, left):
    """A further spore on an own cell, on the way to mycelium, in hundredths of a point."""
    worth = (35 if piece == 1 else 80) + 15 * danger
    return worth if (piece < FULL) & (1 + FULL - piece <= left) else 0


@jit
def ferment_value(table, board, cell):
    if board[PIECE, cell] < FULL:
        return 0.0
    return 0.95 + (0.3 if table.reserve[0] == 0 else 0.0) + (0.1 if table.hand_size[0] == 0 else 0.0)


@jit
def capture_value(table, board, cell):
    """Taking a rival's cell."""
    points = 1.0 + SOIL * board[FERTILITY, cell]
    return points * (1.0 + harm(table, board[HOLDER, cell])) - 0.3 * threat(board, cell) + 0.1


@jit
def pluck_value(table, board, cell):
    """Taking one spore from a rival's cell."""
    if board[PIECE, cell] > 1:
        return 0.1 * board[PIECE, cell]
    return harm(table, board[HOLDER, cell]) * (1.0 + (SOIL + 0.05) * board[FERTILITY, cell])


@jit
def guard_value(board, cell):
    if board[PIECE, cell] == MYCELIUM or board[PROTECTED, cell] > 0:
        return 0.0
    return 0.6 * threat(board, cell) * (1.0 + SOIL * board[FERTILITY, cell]) * 1.5


@jit
def leave_value(board, cell, steps):
    """The best that a lone spore can make of a move or jump."""
    best = NO_SITE
    for direction in range(DIRECTIONS):
        best = max(best, board[SITE, along(board, cell, direction, steps)])
    return leap_value(best - board[FOOTING, cell]) if best > NO_SITE else NEVER


@jit
def leap_value(gain):
    """Its fertility goes along, so a spore moves to be safer, and to have more before it."""
    return 0.05 + 0.01 * gain


@jit
def growth_value(board, cell):
    """M30: fertility for a neighbour, best an own cell, worst a rival's."""
    if board[FERTILITY, cell] == MAX_FERTILITY:
        return NEVER
    if board[HOLDER, cell] == 0:
        return 2.0 + 0.1 * board[FERTILITY, cell]
    return 1.0 if board[HOLDER, cell] == NOBODY else 0.0
