"""Mushroom Kingdom: what a seat sees, and what it can imagine of the rest (M40).

Seats are relative to the observer: 0 is the observer, 1 the next seat, and so on. The fields of the board come first
in the public part, each [planes, row, column], so that together they are one block for a convolutional network:
`board_planes`.
"""

import functools
from typing import Any

import numpy as np

from boardgames_env.game import observation_layout
from boardgames_env.jit import jit
from boardgames_env.mushroom_kingdom.cards import BOX, DECK, HAND_LIMIT, KINDS
from boardgames_env.mushroom_kingdom.rules import (
    ACTIONS_A_TURN,
    BLOCKED_SEASONS,
    FULL,
    GROWTH_EVERY,
    GROWTH_PHASE,
    MAX_FERTILITY,
    MYCELIUM,
    NO_CELL,
    NO_VERB,
    PHASES,
    PROTECTED_SEASONS,
    VERBS,
    hand_size,
    stamp,
)
from boardgames_env.rng import next64, shuffle

MOST_ACTIONS = ACTIONS_A_TURN + 12  # all agarics in one turn
HAND = np.minimum(BOX, HAND_LIMIT)


def board_fields(players: int, side: int) -> list:
    """The planes: name, shape, largest value."""
    return [
        ("fertility", (1, side, side), MAX_FERTILITY),
        ("spores", (players, side, side), FULL),  # spores on the cell, by seat
        ("mycelium", (players, side, side), 1),  # by seat
        ("blocked", (1, side, side), BLOCKED_SEASONS * players),  # turns, counted as in M18, until it is free
        ("protected", (1, side, side), (PROTECTED_SEASONS + 1) * players),  # turns until its protection ends
        ("chosen", (1, side, side), 1),  # the cell whose direction is asked for: it moves, or it gives fertility
    ]


@functools.cache
def layout(players: int, side: int, seasons: int, spores: int) -> tuple[np.dtype, np.ndarray]:
    private = [
        ("hand", (KINDS,), HAND),  # own cards by kind
    ]
    public = board_fields(players, side) + [
        ("to_act", (players,), 1),  # one-hot; all 0 once the game is over
        ("opens_season", (players,), 1),  # one-hot: the seat that is first in the order (M6)
        ("eliminated", (players,), 1),
        ("reserve", (players,), spores),
        ("hand_size", (players,), HAND_LIMIT),
        ("score", (players,), 255),  # points; more than 255 show as 255
        ("soil", (players,), 255),  # fertility under own pieces; more than 255 shows as 255
        ("used", (KINDS,), BOX),  # cards played, by kind
        ("lost", (KINDS,), BOX),  # cards of eliminated players, by kind
        ("deck_left", (), DECK),
        ("seasons_left", (), seasons),  # the present one included
        ("to_growth", (GROWTH_EVERY,), 1),  # one-hot: seasons after the present one until the forest grows (M30)
        ("actions_left", (), MOST_ACTIONS),
        ("phase", (PHASES,), 1),  # one-hot: verb, cell, direction, second target, growth; all 0 once over
        ("verb", (VERBS,), 1),  # one-hot: the verb being carried out
    ]
    return observation_layout(private, public)


def board_planes(game: Any, obs: np.ndarray) -> np.ndarray:
    """The planes of observations uint8[…, O], as a view uint8[…, planes, L, L]: 2 · players + 4 of them."""
    side = game.options.board_size
    planes = 2 * game.num_players + 4
    return obs[..., KINDS : KINDS + planes * side * side].reshape(*obs.shape[:-1], planes, side, side)


def plane_names(game: Any) -> list[str]:
    """What the planes of `board_planes` show; seat 0 is the observer."""
    names = []
    for name, (planes, *_), _ in board_fields(game.num_players, game.options.board_size):
        names += [name] if planes == 1 else [f"{name} of seat {seat}" for seat in range(planes)]
    return names


@jit
def observe(s, seat, obs):
    observe_board(s, seat, obs.public)
    observe_players(s, seat, obs.public)
    observe_turn(s, obs.public)
    for kind in range(KINDS):
        obs.private.hand[kind] = s.hand[seat, kind]
        obs.public.used[kind] = s.used[kind]
        obs.public.lost[kind] = s.lost[kind]


@jit
def observe_board(s, seat, public):
    side, n = public.fertility.shape[1], int(s.num_players)
    cells, now = side * side, present(s)
    fertility, blocked = public.fertility.reshape(cells), public.blocked.reshape(cells)
    protected = public.protected.reshape(cells)
    for cell in range(cells):
        fertility[cell] = s.fertility[cell]
        blocked[cell] = max(0, int(s.blocked_until[cell]) - now)
        protected[cell] = max(0, int(s.protected_until[cell]) - now)
    spores, mycelium = public.spores.reshape(n, cells), public.mycelium.reshape(n, cells)
    for owner in range(n):
        i, holder = relative(owner, seat, n), np.int8(owner)
        for cell in range(cells):
            own, grown = s.holder[cell] == holder, s.piece[cell] == MYCELIUM
            spores[i, cell] = s.piece[cell] * (own & (not grown))
            mycelium[i, cell] = own & grown
    if s.cell != NO_CELL:
        public.chosen[0, s.cell // side, s.cell % side] = 1


@jit
def present(s):
    """The stamp from which timers count: in the growth of M30 that of the next season, past all once over."""
    if s.over:
        return 1 << 20
    if s.phase == GROWTH_PHASE:
        return int(s.season) * int(s.num_players)
    return stamp(s)


@jit
def relative(seat, observer, n):
    other = seat - observer
    return other if other >= 0 else other + n


@jit
def observe_players(s, seat, public):
    n = int(s.num_players)
    for owner in range(n):
        i = relative(owner, seat, n)
        public.eliminated[i] = s.eliminated[owner]
        public.reserve[i] = s.reserve[owner]
        public.hand_size[i] = hand_size(s, owner)
        public.score[i] = min(255, int(s.score[owner]))
        public.soil[i] = min(255, int(s.soil[owner]))
    public.opens_season[relative(int(s.first), seat, n)] = 1
    if not s.over:
        public.to_act[relative(int(s.player), seat, n)] = 1


@jit
def observe_turn(s, public):
    public.deck_left = s.deck_left
    public.seasons_left = int(s.seasons) + 1 - int(s.season)
    public.actions_left = s.actions_left
    if not s.over:
        public.to_growth[(GROWTH_EVERY - int(s.season) % GROWTH_EVERY) % GROWTH_EVERY] = 1
        public.phase[s.phase] = 1
    if s.verb != NO_VERB:
        public.verb[s.verb] = 1


@jit
def determinize(s, seat):  # M40: every deal of the unseen cards is equally likely
    n = int(s.num_players)
    unseen = 0
    for kind in range(KINDS):
        count = int(BOX[kind]) - int(s.hand[seat, kind]) - int(s.used[kind]) - int(s.lost[kind])
        for _ in range(count):
            s.deck[unseen] = kind
            unseen += 1
    shuffle(s, s.deck, unseen)
    for rival in range(n):
        if rival != seat:
            unseen = deal_hand(s, rival, unseen)
    s.rng = next64(s)


@jit
def deal_hand(s, rival, unseen):
    """Replace the rival's hand by the last of deck[: unseen]; returns how many cards remain."""
    size = hand_size(s, rival)
    for kind in range(KINDS):
        s.hand[rival, kind] = 0
    for _ in range(size):
        unseen -= 1
        s.hand[rival, s.deck[unseen]] += 1
        s.deck[unseen] = 0
    return unseen
