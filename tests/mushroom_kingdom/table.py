"""Positions by assignment, played by the names of actions."""

import numpy as np

from boardgames_env import Batch, make
from boardgames_env.game import action_id, action_names
from boardgames_env.jit import plain
from boardgames_env.mushroom_kingdom import rules
from boardgames_env.mushroom_kingdom.cards import BOX, KIND_NAMES
from boardgames_env.mushroom_kingdom.rules import CELL, MYCELIUM, NOBODY

M = MYCELIUM


class Table:
    """One game in a position made for a test: seat 0 is first and on turn, every tile 1, nothing on the board.

    `pieces` maps (row, column) to (seat, spores) or (seat, M); `tiles` maps (row, column) to a fertility.
    """

    def __init__(self, players=2, pieces=None, tiles=None, hands=None, seed=0, **options):
        self.game = make("mushroom_kingdom", num_players=players, **options)
        self.batch = Batch(self.game, 1, seed)
        self.s = s = self.batch.states[0]
        self.side = int(s.board_size)
        s.first = s.player = 0
        s.season, s.actions_left, s.phase, s.verb, s.cell = 1, 2, 0, -1, -1
        s.fertility[:] = 1
        for cell, fertility in (tiles or {}).items():
            s.fertility[self.at(cell)] = fertility
        s.holder[:], s.piece[:] = NOBODY, 0
        for cell, (seat, piece) in (pieces or {}).items():
            s.holder[self.at(cell)], s.piece[self.at(cell)] = seat, piece
        for seat in range(players):
            on_board = s.piece[(s.holder == seat) & (s.piece < M)].sum()
            s.reserve[seat] = s.spores - on_board
        self.give(hands or {})
        self.recount()

    def give(self, hands):
        """Put cards, by name, into hands; the others are the deck, last kinds on top."""
        s = self.s
        s.hand[:] = 0
        for seat, cards in hands.items():
            for name in cards:
                s.hand[seat, KIND_NAMES.index(name)] += 1
        left = np.repeat(np.arange(len(BOX)), BOX - s.hand.sum(axis=0))
        s.deck[:] = 0
        s.deck[: len(left)] = left
        s.deck_left = len(left)

    def recount(self):
        """The fields that follow from the others."""
        s = self.s
        counts = derived(self.batch.states)
        s.held[:], s.mycelia[:], s.soil[:], s.score[:] = (count[0] for count in counts)

    def at(self, cell):
        return cell[0] * self.side + cell[1]

    def legal(self):
        names = list(action_names(self.game))
        return {names[a] for a in np.flatnonzero(self.batch.legal()[0])}

    def cells(self):
        """The legal cells, as (row, column)."""
        mask = self.batch.legal()[0][CELL : CELL + self.side**2]
        return {(int(c) // self.side, int(c) % self.side) for c in np.flatnonzero(mask)}

    def play(self, *names):
        """Play actions by name; (row, column) stands for a cell. What was done without asking is not named."""
        for name in names:
            if isinstance(name, tuple):
                name = f"cell {name[0]},{name[1]}"
            self.batch.step([action_id(self.game, name)])
        return self

    def piece(self, cell):
        """(seat, spores) or (seat, M), None for no piece."""
        i = self.at(cell)
        return None if self.s.piece[i] == 0 else (int(self.s.holder[i]), int(self.s.piece[i]))

    def tile(self, cell):
        return int(self.s.fertility[self.at(cell)])

    def seen(self, seat=0):
        return self.batch.fields(self.batch.observe(seat))[0]

    def end_turns(self, count):
        """Pass `count` turns without doing anything: the points lapse."""
        for _ in range(count):
            self.skip()

    def skip(self):
        self.s.actions_left = 0
        player, season = int(self.s.player), int(self.s.season)
        if "end turn" in self.legal() and len(self.legal()) > 1:
            self.play("end turn")
        else:  # it would have been done without asking
            plain(rules.end_turn)(self.s, player)
        assert self.s.over or (int(self.s.player), int(self.s.season)) != (player, season)


def derived(states):
    """held, mycelia, soil, score [B, P] counted anew from the board and the hands."""
    players = states["reserve"].shape[1]
    held, mycelia, soil = (np.zeros((len(states), players), int) for _ in range(3))
    for seat in range(players):
        own = states["holder"] == seat
        held[:, seat] = own.sum(axis=1)
        mycelia[:, seat] = (own & (states["piece"] == M)).sum(axis=1)
        soil[:, seat] = np.where(own, states["fertility"], 0).sum(axis=1)
    return held, mycelia, soil, held + mycelia + states["hand"].sum(axis=2) + soil // 10
