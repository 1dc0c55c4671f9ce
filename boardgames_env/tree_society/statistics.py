"""Tree Society in numbers: scores of many games, and what `boardgames simulate` reports."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardgames_env.game import Game
from boardgames_env.tree_society.cards import (
    DECK,
    E_COINS,
    E_DONE,
    E_FRUIT,
    E_GUILDS,
    E_SOLD,
    E_WRITERS,
    POINTS,
    WRITERS,
)
from boardgames_env.tree_society.rules import EMPTY, card_set_of

FAR = 3.0  # a card's share is reported when it is off by more than so many standard errors …
MUCH = 0.25  # … and by more than this part of its share overall


def scores(states: Any) -> np.ndarray:
    """Points by seat, float[B, P] (S18): as rules.score, for many games at once."""
    players = int(states["num_players"][0]) if len(states) else 0
    fields = {name: states[name][:, :players].astype(np.int64) for name in ("purse", "done", "points", "ends")}
    fruits, sold = (states[name][:, :players].sum(axis=2, dtype=np.int64) for name in ("fruits", "sold"))
    worth = np.zeros_like(fields["ends"])
    worth[..., E_DONE] = fields["done"].sum(axis=2)
    worth[..., E_COINS] = np.minimum(4, fields["purse"] // 2)
    worth[..., E_WRITERS] = 2 * fields["done"][..., WRITERS]
    worth[..., E_GUILDS] = (fields["done"] > 0).sum(axis=2)
    worth[..., E_SOLD] = sold // 4
    worth[..., E_FRUIT] = np.minimum(4, fruits)
    card, level = states["progress"][:, :players], states["level"][:, :players]
    game = np.arange(len(states))[:, None, None]
    printed = states["card_set"][game, np.maximum(card, 0), POINTS + np.maximum(level, 1) - 1]
    in_progress = np.where(card == EMPTY, 0, printed).sum(axis=2, dtype=np.int64)
    return (fields["points"] + in_progress + (fields["ends"] * worth).sum(axis=2)).astype(float)


def winners(states: Any) -> np.ndarray:
    """Who has won finished games, bool[B, P] (S18)."""
    points = scores(states)
    players = points.shape[1]
    rank = points * (DECK + 1) + states["done"][:, :players].sum(axis=2)
    rank = rank * (1 << 16) + states["purse"][:, :players]
    return rank == rank.max(axis=1, keepdims=True)


class Statistics:
    """Rounds, scores, and how often each card is among the completed ones, of all players and of the winners."""

    def __init__(self, game: Game):
        self._cards = card_set_of(game.options.card_set)
        self._players = game.num_players
        self._rounds: list[np.ndarray] = []
        self._scores: list[np.ndarray] = []
        self._wins: list[np.ndarray] = []
        self._all = np.zeros(len(self._cards), np.int64)
        self._winners = np.zeros(len(self._cards), np.int64)

    def watch(self, before: np.recarray, actions: np.ndarray, after: np.recarray) -> None:
        ended = np.asarray(after)[np.asarray(after["over"])]
        if not len(ended):
            return
        won = winners(ended)
        completed = ended["completed"][:, : self._players, : len(self._cards)].astype(np.int64)
        self._rounds.append(-(-ended["turns"].astype(np.int64) // self._players))
        self._scores.append(scores(ended))
        self._wins.append(won / won.sum(axis=1, keepdims=True))
        self._all += completed.sum(axis=(0, 1))
        self._winners += completed[won].sum(axis=0)

    def rows(self) -> list[tuple[str, str, str]]:
        if not self._rounds:
            return []
        rounds, points, wins = (np.concatenate(parts) for parts in (self._rounds, self._scores, self._wins))
        low, middle, high = np.percentile(rounds, [5, 50, 95])
        rows = [("game", "rounds", f"{rounds.mean():.2f}, median {middle:.0f}, 5–95 %: {low:.0f}–{high:.0f}")]
        rows += [("game", "points", f"{points.mean():.1f}, of the winner {points.max(axis=1).mean():.1f}")]
        for seat in range(self._players):
            mean, share = points[:, seat].mean(), wins[:, seat].mean()
            rows.append(("seats", f"seat {seat}", f"{mean:.1f} points, wins {100 * share:.1f} %"))
        return rows + self._card_rows()

    def _card_rows(self) -> list[tuple[str, str, str]]:
        """Share of each card among the completed cards of the winners, beside its share among all."""
        total, total_won = max(1, self._all.sum()), max(1, self._winners.sum())
        rows = []
        for card, count, won in zip(self._cards, self._all, self._winners):
            share, share_won = count / total, won / total_won
            error = np.sqrt(max(share * (1 - share), 1e-12) / total_won)
            far = abs(share_won - share) > max(FAR * error, MUCH * share)
            remark = f"  wins far {'more' if share_won > share else 'less'} than its share" if far else ""
            rows.append(("cards", card.id, f"{100 * share_won:.2f} % of winners', {100 * share:.2f} % of all{remark}"))
        return rows
