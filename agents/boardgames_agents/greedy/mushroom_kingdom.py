"""Mushroom Kingdom, greedy: take the move that gains most in points, own ones and those of rivals.

It spreads over fertile cells that it can hold, wins the disputes that it can win, stacks spores and grows mycelium
when the reserve runs short, sooner where a rival threatens, and ferments at the limit of its spores. A card costs what
it would be worth in the hand. Each decision of a move is valued by the best way to go on, so the parts fit together
without memory. All numbers were found by trying; they are not tuned to any opponent.
"""

import numpy as np

from boardgames_env.jit import jit
from boardgames_env.mushroom_kingdom.board import DIRECTIONS, NEIGHBOURS, OFF_BOARD, SMALLEST
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
    PLAY_AGARIC,
    PLAY_MOREL,
    PLAY_POLYPORE,
    PLAY_PUFFBALL,
    PLAY_STRONG,
    SECOND_PHASE,
    SOW,
    VERB_PHASE,
    VERBS,
    distance,
)

NEVER = -1e9
SOIL = 0.1  # M32: points for fertility under own pieces
CARD = 0.8  # what a card in hand is worth, in points; a strengthened one a little more
STRONG_CARD = 1.0


@jit
def choose(obs, mask):
    table = obs.public
    side = table.fertility.shape[1]
    size = side * side
    holder, piece = read_board(table, side)
    phase = position_of(table.phase)
    verb = position_of(table.verb)
    chosen = chosen_cell(table, side)
    best, best_value = -1, 2 * NEVER
    for action in range(len(mask)):
        if not mask[action]:
            continue
        if phase == VERB_PHASE:
            value = verb_value(table, holder, piece, action)
        elif phase in (CELL_PHASE, SECOND_PHASE):
            value = cell_value(table, holder, piece, verb, action - CELL)
        elif phase == GROWTH_PHASE:
            value = growth_value(table, holder, NEIGHBOURS[side - SMALLEST, chosen, action - VERBS - size])
        else:
            target = along(side, chosen, action - VERBS - size, distance(verb))
            value = leap_value(table, holder, piece, chosen, target)
        if value > best_value:
            best, best_value = action, value
    return best


# --- Reading ------------------------------------------------------------------------------------------------


@jit
def read_board(table, side):
    """Holder (0 is oneself) and piece of every cell, as in the state."""
    holder = np.full(side * side, NOBODY)
    piece = np.zeros(side * side, np.int64)
    for seat in range(len(table.reserve)):
        for row in range(side):
            for column in range(side):
                if table.spores[seat, row, column] > 0:
                    holder[row * side + column] = seat
                    piece[row * side + column] = table.spores[seat, row, column]
                elif table.mycelium[seat, row, column] > 0:
                    holder[row * side + column] = seat
                    piece[row * side + column] = MYCELIUM
    return holder, piece


@jit
def position_of(one_hot):
    for i in range(len(one_hot)):
        if one_hot[i]:
            return i
    return -1


@jit
def chosen_cell(table, side):
    for cell in range(side * side):
        if table.chosen[0, cell // side, cell % side]:
            return cell
    return -1


@jit
def plane(planes, cell):
    side = planes.shape[1]
    return np.int64(planes[0, cell // side, cell % side])


@jit
def neighbour(table, cell, direction):
    return NEIGHBOURS[table.fertility.shape[1] - SMALLEST, cell, direction]


@jit
def along(side, cell, direction, steps):
    for _ in range(steps):
        if cell != OFF_BOARD:
            cell = NEIGHBOURS[side - SMALLEST, cell, direction]
    return cell


@jit
def strength(table, holder, cell, seat):
    """M16."""
    total = 0
    for direction in range(DIRECTIONS):
        near = neighbour(table, cell, direction)
        if near != OFF_BOARD and holder[near] == seat:
            total += plane(table.fertility, near)
    return total


@jit
def threat(table, holder, cell):
    """Chance that a rival takes the cell from us: 1 if one is stronger there, ½ if as strong, else 0."""
    own = strength(table, holder, cell, 0)
    danger = 0.0
    for seat in range(1, len(table.reserve)):
        if table.reserve[seat] == 0:
            continue
        for direction in range(DIRECTIONS):
            near = neighbour(table, cell, direction)
            if near != OFF_BOARD and holder[near] == seat:
                attack = strength(table, holder, cell, seat)
                danger = max(danger, 1.0 if attack > own else 0.5 if attack == own else 0.0)
                break
    return danger


@jit
def is_free(table, piece, cell):
    return cell != OFF_BOARD and piece[cell] == NOTHING and plane(table.blocked, cell) == 0


@jit
def is_rivals(table, holder, cell):
    return holder[cell] > 0 and plane(table.protected, cell) == 0


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
def verb_value(table, holder, piece, verb):
    """The worth of the best way to carry out a verb, less the card that it costs."""
    if verb == END:
        return 0.0
    if DEED[verb] == PLAY_AGARIC:
        gained = 2 if verb == PLAY_AGARIC + PLAY_STRONG else 1
        each = 0.9 if table.reserve[0] > 0 else 0.3
        return gained * each - card_price(table, gained == 2)
    best = NEVER
    for cell in range(len(piece)):
        best = max(best, cell_value(table, holder, piece, verb, cell))
    if verb == DESTROY_BY_THREE:
        return best - HAND_LIMIT * CARD
    if verb > ABSORB:
        return best - card_price(table, verb >= PLAY_MOREL + PLAY_STRONG)
    return best


@jit
def cell_value(table, holder, piece, verb, cell):
    """The worth of a cell as the target of a verb; NEVER if it is none."""
    deed = DEED[verb]
    own = holder[cell] == 0
    spores = NOTHING < piece[cell] < MYCELIUM
    if deed == SOW:
        return sow_value(table, holder, piece, cell)
    if deed == FERMENT:
        return ferment_value(table, piece, cell) if own and spores else NEVER
    if deed == GROW:
        return grow_value(table, holder, cell) if own and piece[cell] == FULL else NEVER
    if deed == PLAY_PUFFBALL:
        return guard_value(table, holder, piece, cell) if own else NEVER
    if deed in (MOVE, PLAY_MOREL):
        return leave_value(table, holder, piece, cell, distance(verb)) if own and piece[cell] == 1 else NEVER
    if not is_rivals(table, holder, cell):
        return NEVER
    if deed == DESTROY:
        return harm(table, holder[cell]) * (2.0 + SOIL * plane(table.fertility, cell)) if not spores else NEVER
    if not spores:
        return NEVER
    if deed == PLAY_POLYPORE:
        return pluck_value(table, holder, piece, cell)
    return capture_value(table, holder, piece, cell) if is_surrounded(table, holder, cell) else NEVER


@jit
def sow_value(table, holder, piece, cell):
    if piece[cell] == MYCELIUM or plane(table.blocked, cell) > 0:
        return NEVER
    if holder[cell] == 0:
        return stack_value(table, holder, piece, cell)
    if holder[cell] == NOBODY:
        far = 0.0 if touches(table, holder, cell) else 1.0  # only an edge start could reach it
        return settle_value(table, holder, piece, cell) - far
    if not is_rivals(table, holder, cell) or not touches(table, holder, cell):
        return NEVER
    attack, defence = strength(table, holder, cell, 0), strength(table, holder, cell, holder[cell])
    if attack > defence:
        return capture_value(table, holder, piece, cell)
    if attack == defence:
        return harm(table, holder[cell]) * (1.0 + SOIL * plane(table.fertility, cell)) - 0.1
    return -0.5


@jit
def touches(table, holder, cell):
    for direction in range(DIRECTIONS):
        near = neighbour(table, cell, direction)
        if near != OFF_BOARD and holder[near] == 0:
            return True
    return False


@jit
def is_surrounded(table, holder, cell):
    """Nearly M15; where the options ask for more, the mask has the last word."""
    for direction in range(DIRECTIONS):
        near = neighbour(table, cell, direction)
        if near != OFF_BOARD and holder[near] != 0:
            return False
    return True


@jit
def settle_value(table, holder, piece, cell):
    """A spore on a free cell: points, how safe it is, and what it can reach from there."""
    fertility = plane(table.fertility, cell)
    value = 1.0 + SOIL * fertility - 0.6 * threat(table, holder, cell) + 0.04 * outlook(table, holder, piece, cell)
    for direction in range(DIRECTIONS):
        near = neighbour(table, cell, direction)
        if near != OFF_BOARD and holder[near] > 0 and piece[near] != MYCELIUM:
            value += 0.06 * fertility  # strength against the neighbour
        elif near != OFF_BOARD and holder[near] == 0 and piece[near] != MYCELIUM:
            value += 0.03 * fertility  # strength for our own
    reserve = np.int64(table.reserve[0])
    if reserve <= 2 and actions_to_come(table) > reserve + 2:
        value -= 1.3  # the last spores are for stacks, or nothing but moves would be left
    return value


@jit
def outlook(table, holder, piece, cell):
    """Fertility that can be reached from a cell."""
    total = 0
    for direction in range(DIRECTIONS):
        near = neighbour(table, cell, direction)
        if is_free(table, piece, near) and not touches(table, holder, near):
            total += plane(table.fertility, near)
    return total


@jit
def stack_value(table, holder, piece, cell):
    """A further spore on an own cell, on the way to mycelium."""
    if piece[cell] >= FULL or actions_to_come(table) < 1 + FULL - piece[cell]:
        return 0.0
    return (0.35 if piece[cell] == 1 else 0.8) + 0.3 * threat(table, holder, cell)


@jit
def ferment_value(table, piece, cell):
    if piece[cell] < FULL:
        return 0.0 if piece[cell] == 2 else NEVER
    return 0.95 + (0.3 if table.reserve[0] == 0 else 0.0) + (0.1 if table.hand_size[0] == 0 else 0.0)


@jit
def grow_value(table, holder, cell):
    return 1.2 + 0.8 * threat(table, holder, cell)


@jit
def capture_value(table, holder, piece, cell):
    """Taking a rival's cell."""
    points = 1.0 + SOIL * plane(table.fertility, cell)
    return points * (1.0 + harm(table, holder[cell])) - 0.3 * threat(table, holder, cell) + 0.1


@jit
def pluck_value(table, holder, piece, cell):
    """Taking one spore from a rival's cell."""
    if piece[cell] > 1:
        return 0.1 * piece[cell]
    return harm(table, holder[cell]) * (1.0 + (SOIL + 0.05) * plane(table.fertility, cell))


@jit
def guard_value(table, holder, piece, cell):
    if piece[cell] == MYCELIUM or plane(table.protected, cell) > 0:
        return 0.0
    return 0.6 * threat(table, holder, cell) * (1.0 + SOIL * plane(table.fertility, cell)) * 1.5


@jit
def leave_value(table, holder, piece, cell, steps):
    """The best that a lone spore can make of a move or jump."""
    best = NEVER
    for direction in range(DIRECTIONS):
        target = along(table.fertility.shape[1], cell, direction, steps)
        if is_free(table, piece, target):
            best = max(best, leap_value(table, holder, piece, cell, target))
    return best


@jit
def leap_value(table, holder, piece, source, target):
    """Its fertility goes along, so a spore moves to be safer, and to have more before it."""
    safer = threat(table, holder, source) - threat(table, holder, target)
    further = outlook(table, holder, piece, target) - outlook(table, holder, piece, source)
    return 0.05 + 0.3 * safer + 0.02 * further


@jit
def growth_value(table, holder, cell):
    """M30: fertility for a neighbour, best an own cell, worst a rival's."""
    if plane(table.fertility, cell) == MAX_FERTILITY:
        return NEVER
    if holder[cell] == 0:
        return 2.0 + 0.1 * plane(table.fertility, cell)
    return 1.0 if holder[cell] == NOBODY else 0.0
