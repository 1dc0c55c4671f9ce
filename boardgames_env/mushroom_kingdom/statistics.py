"""Mushroom Kingdom: what `boardgames simulate` reports of many games beside the common figures.

Decisions without a choice are not asked for, so actions alone do not show all that happened: every step is played
once more, decision by decision, and counted on the way.
"""

import functools
from typing import Any

import numpy as np

from boardgames_env import jit
from boardgames_env.jit import jit as compiled
from boardgames_env.mushroom_kingdom.cards import KIND_NAMES, KINDS
from boardgames_env.mushroom_kingdom.rules import (
    CELL,
    CELL_PHASE,
    NOTHING,
    SOW,
    VERB_PHASE,
    VERB_TABLE,
    VERBS,
    decide,
    only_choice,
    strength,
)

# Columns of the counts: verbs, then disputes by outcome, edge starts, growths of the forest.
WON = VERBS
LOST, EQUAL, EDGE_START, GROWTH = WON + 1, WON + 2, WON + 3, WON + 4
COLUMNS = GROWTH + 1


def tally_rows(states, actions, counts):
    """Play the step in copies of the states, which are used up, and count what it does."""
    for i in range(len(states)):
        s = states[i]
        action = int(actions[i])
        while not s.over and action >= 0:
            tally(s, action, counts)
            decide(s, action)
            action = -1 if s.over else only_choice(s)


@compiled
def tally(s, action, counts):
    if s.phase == VERB_PHASE:
        counts[action] += 1
    elif s.phase == CELL_PHASE and s.verb == SOW:
        counts[EDGE_START] += s.edge_start
        cell = action - CELL
        if s.piece[cell] != NOTHING and s.holder[cell] != s.player:
            attack, defence = strength(s, int(s.player), cell), strength(s, int(s.holder[cell]), cell)
            if s.dispute_includes_cell:
                defence += int(s.fertility[cell])
            counts[WON if attack > defence else LOST if attack < defence else EQUAL] += 1
    elif action >= CELL + len(s.fertility) and s.cell >= 0 and s.ripe[s.cell]:
        counts[GROWTH] += 1


@functools.cache
def _kernel() -> Any:
    return jit.kernel(tally_rows, "mushroom_kingdom-statistics")


class Counts:
    """Disputes, eliminations, uses of every verb and card, and scores; see `game.Statistics`."""

    def __init__(self, game: Any):
        self.game = game
        self.counts = np.zeros(COLUMNS, np.int64)
        self.games = 0
        self.eliminated = 0
        self.survivors = 0
        self.cards_used = np.zeros(KINDS, np.int64)
        self.scores: list[np.ndarray] = []

    def watch(self, before: np.recarray, actions: np.ndarray, after: np.recarray) -> None:
        played = np.array(before).view(np.recarray)
        _kernel()(played, np.ascontiguousarray(actions, np.int64), self.counts)
        ended = after[after["over"] & ~before["over"]]
        if len(ended):
            out = ended["eliminated"]
            self.games += len(ended)
            self.eliminated += int(out.sum())
            self.survivors += int((out.sum(axis=1) == self.game.num_players - 1).sum())
            self.cards_used += ended["used"].sum(axis=0)
            self.scores.append(np.array(ended["score"], np.int64))

    def rows(self) -> list[tuple[str, str, str]]:
        games = max(1, self.games)

        def each(count: Any) -> str:
            return f"{count / games:.2f}"

        rows = [("uses a game", name, each(self.counts[verb])) for verb, (name, *_) in enumerate(VERB_TABLE)]
        disputes = (("won by the attacker", WON), ("won by the defender", LOST), ("equal", EQUAL))
        rows += [("disputes a game", label, each(self.counts[column])) for label, column in disputes]
        rows += [("cards used a game", name, each(n)) for name, n in zip(KIND_NAMES, self.cards_used)]
        rows += [
            ("events a game", "edge starts", each(self.counts[EDGE_START])),
            ("events a game", "fertility given", each(self.counts[GROWTH])),
            ("events a game", "players eliminated", each(self.eliminated)),
            ("events a game", "won as sole survivor", each(self.survivors)),
        ]
        if self.scores:
            points = np.concatenate(self.scores)
            rows += [
                ("points", "mean of a player", f"{points.mean():.2f}"),
                ("points", "mean of the best", f"{points.max(axis=1).mean():.2f}"),
                ("points", "least and most", f"{points.min()} … {points.max()}"),
            ]
            rows += [("points", f"mean of seat {seat}", f"{mean:.2f}") for seat, mean in enumerate(points.mean(axis=0))]
        return rows
