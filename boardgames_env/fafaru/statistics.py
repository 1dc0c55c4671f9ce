"""Fafaru: what `boardgames simulate` reports: how rounds and games end, what the ma'a counts, who wins and who lies."""

from typing import Any

import numpy as np

from boardgames_env.fafaru import rules
from boardgames_env.fafaru.cards import FRESH, SALADIER_KINDS

CAMPS = ("fresh", "fermented")
SIGNS = ("below 0", "0", "above 0")


class Statistics:
    """Counts over all games watched. Camps last for a round only, so they win bets, not games."""

    def __init__(self, game: Any):
        self.n = game.num_players
        self.claims = game.options.claims
        self.ended = np.zeros(len(rules.REASON_NAMES), int)
        self.counted = np.zeros(len(SIGNS), int)
        self.wins = np.zeros(self.n)
        self.pearls = 0
        self.games = 0
        self.games_by_target = 0
        self.bets = np.zeros((2, 3), int)  # by camp and sign of the count
        self.folds = np.zeros(2, int)  # by camp
        self.plays = np.zeros((2, 2), int)  # by camp: all, lies
        self.eliminated = np.zeros(2, int)  # by camp of the accused

    def watch(self, before: np.recarray, actions: np.ndarray, after: np.recarray) -> None:
        if len(before) == 0:
            return
        self.ended += (after["ended"].astype(int) - before["ended"]).sum(axis=0)
        self.ended += before["ended"][before["ply"] == 0].sum(axis=0)  # the dog may come before the first decision
        self.counted += (after["counted"].astype(int) - before["counted"]).sum(axis=0)
        seat = before["player"].astype(int)
        roles = before["role"][:, : self.n]
        camp = (roles[np.arange(len(seat)), seat] != FRESH).astype(int)  # of the seat to act
        self._watch_plays(actions, camp)
        self._watch_bets(before, actions, after, camp)
        self._watch_eliminations(before, actions, after)
        self._watch_ends(after[after["over"]])

    def _watch_plays(self, actions: np.ndarray, camp: np.ndarray) -> None:
        played = (actions >= rules.MAA) & (actions < rules.ACCUSE)
        card, claim = np.divmod(actions - rules.MAA, SALADIER_KINDS)
        for c in range(2):
            mine = played & (camp == c)
            self.plays[c] += mine.sum(), (mine & (card != claim)).sum()

    def _watch_bets(self, before: np.recarray, actions: np.ndarray, after: np.recarray, camp: np.ndarray) -> None:
        follow = rules.num_actions(self.n) - 2
        for c in range(2):
            self.folds[c] += ((actions == follow + 1) & (camp == c)).sum()
        tasted = (after["counted"].astype(int) - before["counted"]).any(axis=1)
        bets = before["bet"][:, : self.n] == rules.FOLLOWS
        last = np.flatnonzero((actions == follow) | (actions == rules.TAMAA))
        last = last[before["centipede"][last, before["player"][last]] == 0]
        bets[last, before["player"][last]] = True
        for row in np.flatnonzero(tasted):
            sign = 1 + int(np.sign(after["tasted"][row]))
            fresh = int((before["role"][row, : self.n][bets[row]] == FRESH).sum())
            self.bets[0, sign] += fresh
            self.bets[1, sign] += int(bets[row].sum()) - fresh

    def _watch_eliminations(self, before: np.recarray, actions: np.ndarray, after: np.recarray) -> None:
        target = rules.ACCUSE + self.n - 1
        ended = after["ended"][:, rules.BY_ELIMINATION] > before["ended"][:, rules.BY_ELIMINATION]
        rows = np.flatnonzero(ended & (actions >= rules.ACCUSE) & (actions < target))
        accused = (before["player"][rows] + 1 + actions[rows] - rules.ACCUSE) % self.n
        fresh = int((before["role"][rows, accused] == FRESH).sum())
        self.eliminated += fresh, len(rows) - fresh

    def _watch_ends(self, over: np.recarray) -> None:
        pearls = over["pearls"][:, : self.n]
        if len(over):
            won = pearls == pearls.max(axis=1, keepdims=True)
            self.wins += (won / won.sum(axis=1, keepdims=True)).sum(axis=0)
        self.pearls += int(pearls.sum())
        self.games += len(over)
        self.games_by_target += int((over["deck_left"] > 0).sum())

    def rows(self) -> list[tuple[str, str, str]]:
        games, rounds = max(1, self.games), int(self.ended.sum())
        found = [("rounds", "a game", f"{rounds / games:.2f}")]
        found += [("rounds", f"ended by {name}", _share(k, rounds)) for name, k in zip(rules.REASON_NAMES, self.ended)]
        by_pile = self.games - self.games_by_target
        found += [("games", "ended by the pile alone", _share(by_pile, self.games))]
        found += [("games", "ended by target_pearls", _share(self.games_by_target, self.games))]
        found += [("games", "pearls a seat at the end", f"{self.pearls / games / self.n:.2f}")]
        found += [("count of the ma'a", sign, _share(k, self.counted.sum())) for sign, k in zip(SIGNS, self.counted)]
        found += [("share of the win", f"seat {seat}", _share(k, self.games)) for seat, k in enumerate(self.wins)]
        for c, camp in enumerate(CAMPS):
            won = self.bets[c, 2 if c == FRESH else 0]
            asked = self.bets[c].sum() + self.folds[c]
            found += [("bets", f"{camp}: placed when asked or calling", _share(self.bets[c].sum(), asked))]
            found += [("bets", f"{camp}: won of those placed", _share(won, self.bets[c].sum()))]
        found += [("eliminated", camp, _share(k, self.eliminated.sum())) for camp, k in zip(CAMPS, self.eliminated)]
        if self.claims:
            found += [("lies", f"{camp}: of all claims", _share(k[1], k[0])) for camp, k in zip(CAMPS, self.plays)]
        return found


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"
