"""Mushroom Kingdom: the boards, sizes 4 to 12, as tables. A cell is row · L + column, row 0 is the north."""

import numpy as np

SMALLEST, LARGEST = 4, 12  # sides L
SIDES = range(SMALLEST, LARGEST + 1)
FEWEST, MOST = 2, 6  # players
PLAYERS = range(FEWEST, MOST + 1)
MAX_CELLS = LARGEST**2

DIRECTIONS = 4
DIRECTION_NAMES = ["north", "east", "south", "west"]
_STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]
OFF_BOARD = -1

# M2, M3.  L: start cells (row, column) by seat, for L = players + 4
START_TABLE = {
    6: [(0, 3), (5, 2)],
    7: [(0, 3), (5, 6), (5, 0)],
    8: [(0, 4), (4, 7), (7, 3), (3, 0)],
    9: [(0, 4), (3, 8), (8, 7), (8, 1), (3, 0)],
    10: [(0, 2), (0, 7), (5, 9), (9, 7), (9, 2), (4, 0)],
}


def _neighbours(side: int) -> np.ndarray:
    table = np.full((MAX_CELLS, DIRECTIONS), OFF_BOARD)
    for cell in range(side * side):
        for direction, (down, right) in enumerate(_STEPS):
            row, column = cell // side + down, cell % side + right
            if 0 <= row < side and 0 <= column < side:
                table[cell, direction] = row * side + column
    return table


def border(side: int) -> list[tuple[int, int]]:
    """The border cells (row, column), clockwise from the north-west corner."""
    last = side - 1
    north = [(0, i) for i in range(last)]
    east = [(i, last) for i in range(last)]
    south = [(last, last - i) for i in range(last)]
    west = [(last - i, 0) for i in range(last)]
    return north + east + south + west


def start_cells(players: int, side: int) -> list[tuple[int, int]]:
    """M3: as printed, or spaced evenly along the border, clockwise from the middle of the north side."""
    if side == players + 4:
        return START_TABLE[side]
    ring = border(side)
    return [ring[(side // 2 + seat * len(ring) // players) % len(ring)] for seat in range(players)]


NEIGHBOURS = np.array([_neighbours(side) for side in SIDES])  # [L − 4, cell, direction], OFF_BOARD beyond the border
DEGREE = (NEIGHBOURS != OFF_BOARD).sum(axis=2).astype(np.int8)  # [L − 4, cell], neighbours on the board
COLUMN = np.array([np.arange(MAX_CELLS) % side for side in SIDES], np.int8)  # [L − 4, cell]
START_CELLS = np.array(  # [players − 2, L − 4, seat], OFF_BOARD for seats that are not in the game
    [
        [[row * side + column for row, column in start_cells(n, side)] + [OFF_BOARD] * (MOST - n) for side in SIDES]
        for n in PLAYERS
    ]
)
