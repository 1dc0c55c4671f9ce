"""Mushroom Kingdom, greedy: take the move that gains most in points, own ones and those of rivals.

It spreads over fertile cells that it can hold, wins the disputes that it can win, stacks spores and grows mycelium
when the reserve runs short, sooner where a rival threatens, and ferments at the limit of its spores. A card costs what
it would be worth in the hand. Each decision of a move is valued by the best way to go on, so the parts fit together
without memory. All numbers were found by trying; they are not tuned to any opponent.
"""

import numpy as np

from boardgames_env.jit import copy, jit, scratch
from boardgames_env.mushroom_kingdom.board import DIRECTIONS, LARGEST, MOST
from boardgames_env.mushroom_kingdom.cards import HAND_LIMIT
from boardgames_env.mushroom_kingdom.rules import (
    ABSORB,
    ACTIONS_A_TURN,
    ANYWHERE,
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
SOIL = 0.1  # M32: points for fertility under own pieces
CARD = 0.8  # what a card in hand is worth, in points; a strengthened one a little more
STRONG_CARD = 1.0


# The board as the heuristic reads it, int8[FIELDS, AREA]: with a rim, so that every cell has four neighbours.
FERTILITY, HOLDER, PIECE, BLOCKED, PROTECTED = range(5)
BESIDE = 5  # + seat: whether it has pieces on neighbouring cells, and
STRENGTH = BESIDE + MOST  # + seat: the fertility under these (M16)
FIELDS = STRENGTH + MOST
WIDTH = LARGEST + 2
AREA = WIDTH * WIDTH
MEMORY = FIELDS * AREA
NEXT = np.array([-WIDTH, 1, WIDTH, -1])  # north, east, south, west
RIM = MYCELIUM + 1  # the piece out there: no cell is free, and nobody holds it


def search_settings(players: int) -> dict[str, float]:
    """For two players the lead after 60 decisions, two seasons, tells more than who wins by the same moves. (Of four, a
    search that goes by it loses to all others.)"""
    return {"horizon": 60} if players == 2 else {}


@jit
def choose(obs, mask):
    table = obs.public
    side = table.fertility.shape[1]
    board = scratch(MEMORY).reshape(FIELDS, AREA)
    read_rim(board)
    read_ground(table, board)
    read_pieces(table, board)
    phase = position_of(table.phase)
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
            value = cell_value(table, board, verb, at((action - CELL) // side, (action - CELL) % side))
        elif phase == GROWTH_PHASE:
            value = growth_value(board, chosen + NEXT[action - first_direction])
        else:
            target = along(board, chosen, action - first_direction, distance(verb))
            value = leap_value(table, board, chosen, target)
        if value > best_value:
            best, best_value = action, value
    return best


# --- Reading ------------------------------------------------------------------------------------------------


@jit
def at(row, column):
    """The cell on the board with the rim."""
    return (row + 1) * WIDTH + column + 1


@jit
def read_rim(board):
    for i in range(AREA):
        board[HOLDER, i], board[PIECE, i] = NOBODY, RIM


@jit
def read_ground(table, board):
    side = table.fertility.shape[1]
    for row in range(side):
        cells = slice(at(row, 0), at(row, side))
        copy(board[FERTILITY, cells], table.fertility[0, row])
        copy(board[BLOCKED, cells], table.blocked[0, row])
        copy(board[PROTECTED, cells], table.protected[0, row])
        for column in range(side):
            board[PIECE, at(row, column)] = NOTHING


@jit
def read_pieces(table, board):
    side = table.fertility.shape[1]
    for seat in range(len(table.reserve)):
        for row in range(side):
            for column in range(side):
                piece = MYCELIUM if table.mycelium[seat, row, column] else int(table.spores[seat, row, column])
                if piece != NOTHING:
                    set_piece(board, at(row, column), seat, piece)


@jit
def set_piece(board, cell, seat, piece):
    board[HOLDER, cell], board[PIECE, cell] = seat, piece
    for direction in range(DIRECTIONS):
        board[BESIDE + seat, cell + NEXT[direction]] = True
        board[STRENGTH + seat, cell + NEXT[direction]] += board[FERTILITY, cell]


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
def threat(table, board, cell):
    """Chance that a rival takes the cell from us: 1 if one beside it is stronger there, ½ if as strong, else 0."""
    danger = 0.0
    for seat in range(1, len(table.reserve)):
        if board[BESIDE + seat, cell] and table.reserve[seat] > 0:
            lead = int(board[STRENGTH + seat, cell]) - int(board[STRENGTH, cell])
            danger = max(danger, 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0)
    return danger


@jit
def is_free(board, cell):
    return board[PIECE, cell] == NOTHING and board[BLOCKED, cell] == 0


@jit
def is_rivals(board, cell):
    return board[HOLDER, cell] > 0 and board[PROTECTED, cell] == 0


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
    best = NEVER
    side = table.fertility.shape[1]
    for row in range(side):
        for column in range(side):
            cell = at(row, column)
            if may_aim(TARGET[verb], board[HOLDER, cell]):
                best = max(best, cell_value(table, board, verb, cell))
    if verb == DESTROY_BY_THREE:
        return best - HAND_LIMIT * CARD
    if verb > ABSORB:
        return best - card_price(table, verb >= PLAY_MOREL + PLAY_STRONG)
    return best


@jit
def may_aim(target, holder):
    """Whether verbs with such targets may aim at a cell with this holder."""
    return target == ANYWHERE or (holder == 0 if target == OWN else holder > 0)


@jit
def cell_value(table, board, verb, cell):
    """The worth of a cell as the target of a verb; NEVER if it is none."""
    deed = DEED[verb]
    own = board[HOLDER, cell] == 0
    spores = NOTHING < board[PIECE, cell] < MYCELIUM
    if deed == SOW:
        return sow_value(table, board, cell)
    if deed == FERMENT:
        return ferment_value(table, board, cell) if own and spores else NEVER
    if deed == GROW:
        return grow_value(table, board, cell) if own and board[PIECE, cell] == FULL else NEVER
    if deed == PLAY_PUFFBALL:
        return guard_value(table, board, cell) if own else NEVER
    if deed in (MOVE, PLAY_MOREL):
        return leave_value(table, board, cell, distance(verb)) if own and board[PIECE, cell] == 1 else NEVER
    if not is_rivals(board, cell):
        return NEVER
    if deed == DESTROY:
        return harm(table, board[HOLDER, cell]) * (2.0 + SOIL * board[FERTILITY, cell]) if not spores else NEVER
    if not spores:
        return NEVER
    if deed == PLAY_POLYPORE:
        return pluck_value(table, board, cell)
    return capture_value(table, board, cell) if is_surrounded(board, cell) else NEVER


@jit
def sow_value(table, board, cell):
    if board[PIECE, cell] == MYCELIUM or board[BLOCKED, cell] > 0:
        return NEVER
    if board[HOLDER, cell] == 0:
        return stack_value(table, board, cell)
    if board[HOLDER, cell] == NOBODY:
        far = 0.0 if board[BESIDE, cell] else 1.0  # only an edge start could reach it
        return settle_value(table, board, cell) - far
    if not is_rivals(board, cell) or not board[BESIDE, cell]:
        return NEVER
    attack, defence = board[STRENGTH, cell], board[STRENGTH + board[HOLDER, cell], cell]
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
def settle_value(table, board, cell):
    """A spore on a free cell: points, how safe it is, and what it can reach from there."""
    fertility = int(board[FERTILITY, cell])
    value = 1.0 + SOIL * fertility - 0.6 * threat(table, board, cell) + 0.04 * outlook(board, cell)
    for direction in range(DIRECTIONS):
        near = cell + NEXT[direction]
        if board[HOLDER, near] > 0 and board[PIECE, near] != MYCELIUM:
            value += 0.06 * fertility  # strength against the neighbour
        elif board[HOLDER, near] == 0 and board[PIECE, near] != MYCELIUM:
            value += 0.03 * fertility  # strength for our own
    reserve = np.int64(table.reserve[0])
    if reserve <= 2 and actions_to_come(table) > reserve + 2:
        value -= 1.3  # the last spores are for stacks, or nothing but moves would be left
    return value


@jit
def outlook(board, cell):
    """Fertility that can be reached from a cell."""
    total = 0
    for direction in range(DIRECTIONS):
        near = cell + NEXT[direction]
        if is_free(board, near) and not board[BESIDE, near]:
            total += int(board[FERTILITY, near])
    return total


@jit
def stack_value(table, board, cell):
    """A further spore on an own cell, on the way to mycelium."""
    if board[PIECE, cell] >= FULL or actions_to_come(table) < 1 + FULL - board[PIECE, cell]:
        return 0.0
    return (0.35 if board[PIECE, cell] == 1 else 0.8) + 0.3 * threat(table, board, cell)


@jit
def ferment_value(table, board, cell):
    if board[PIECE, cell] < FULL:
        return 0.0 if board[PIECE, cell] == 2 else NEVER
    return 0.95 + (0.3 if table.reserve[0] == 0 else 0.0) + (0.1 if table.hand_size[0] == 0 else 0.0)


@jit
def grow_value(table, board, cell):
    return 1.2 + 0.8 * threat(table, board, cell)


@jit
def capture_value(table, board, cell):
    """Taking a rival's cell."""
    points = 1.0 + SOIL * board[FERTILITY, cell]
    return points * (1.0 + harm(table, board[HOLDER, cell])) - 0.3 * threat(table, board, cell) + 0.1


@jit
def pluck_value(table, board, cell):
    """Taking one spore from a rival's cell."""
    if board[PIECE, cell] > 1:
        return 0.1 * board[PIECE, cell]
    return harm(table, board[HOLDER, cell]) * (1.0 + (SOIL + 0.05) * board[FERTILITY, cell])


@jit
def guard_value(table, board, cell):
    if board[PIECE, cell] == MYCELIUM or board[PROTECTED, cell] > 0:
        return 0.0
    return 0.6 * threat(table, board, cell) * (1.0 + SOIL * board[FERTILITY, cell]) * 1.5


@jit
def leave_value(table, board, cell, steps):
    """The best that a lone spore can make of a move or jump."""
    best = NEVER
    for direction in range(DIRECTIONS):
        target = along(board, cell, direction, steps)
        if is_free(board, target):
            best = max(best, leap_value(table, board, cell, target))
    return best


@jit
def leap_value(table, board, source, target):
    """Its fertility goes along, so a spore moves to be safer, and to have more before it."""
    safer = threat(table, board, source) - threat(table, board, target)
    further = outlook(board, target) - outlook(board, source)
    return 0.05 + 0.3 * safer + 0.02 * further


@jit
def growth_value(board, cell):
    """M30: fertility for a neighbour, best an own cell, worst a rival's."""
    if board[FERTILITY, cell] == MAX_FERTILITY:
        return NEVER
    if board[HOLDER, cell] == 0:
        return 2.0 + 0.1 * board[FERTILITY, cell]
    return 1.0 if board[HOLDER, cell] == NOBODY else 0.0
