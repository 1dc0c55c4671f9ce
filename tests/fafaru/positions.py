"""Positions of Fafaru by assignment. Cards change places with cards of the draw pile, so the pack stays complete."""

import numpy as np

import boardgames_env
from boardgames_env.batch import Batch
from boardgames_env.fafaru import rules
from boardgames_env.fafaru.cards import CODES, FERMENTED, FRESH, SALADIER_KINDS, SOYU
from boardgames_env.game import action_id, action_names

ROLES = {"F": FRESH, "M": FERMENTED, "S": SOYU}


class Table:
    """One game; seat 0 has drawn a card and is to play, no action card has been drawn."""

    def __init__(self, num_players=5, roles=None, **options):
        self.game = boardgames_env.make("fafaru", num_players, **options)
        for seed in range(1000):
            self.batch = Batch(self.game, 1, seed)
            if self.s.player == 0 and self.s.phase == rules.PLAY and not self.s.out.any():
                break
        for seat, role in enumerate(roles or ""):
            self.s.role[seat] = ROLES[role]

    @property
    def s(self):
        return self.batch.states[0]

    # --- Setting up ---

    def hold(self, seat, cards):
        """The hand of a seat, without what it has drawn."""
        s, wanted = self.s, [CODES.index(code) for code in cards.split()]
        for kind in range(SALADIER_KINDS):
            while s.hand[seat, kind]:
                s.hand[seat, kind] -= 1
                self._lay(kind)
        for kind in wanted:
            self._take(kind)
            s.hand[seat, kind] += 1
        return self

    def drawn(self, card):
        self._lay(int(self.s.drawn))
        self._take(CODES.index(card))
        self.s.drawn = CODES.index(card)
        return self

    def maa(self, cards, author=1):
        """A ma'a that `author` has played, claiming the truth."""
        for p, code in enumerate(cards.split()):
            kind = CODES.index(code)
            self._take(kind)
            self.s.maa[p] = self.s.played[p] = self.s.claim[p] = kind
            self.s.author[p] = author
            self.s.placed[p] = self.s.told[p] = 1 << author
            self.s.maa_size = p + 1
        return self

    def stack(self, cards):
        """The next cards of the draw pile."""
        s = self.s
        for i, code in enumerate(cards.split()):
            top = s.deck_left - 1 - i
            place = np.flatnonzero(s.deck[: top + 1] == CODES.index(code))[-1]
            s.deck[top], s.deck[place] = s.deck[place], s.deck[top]
        return self

    def keep(self, cards):
        """Leave only these cards in the draw pile, next one first; all others go out of play face up."""
        s = self.s
        wanted = [CODES.index(code) for code in cards.split()]
        for kind in s.deck[: s.deck_left]:
            s.out[kind] += 1
        s.deck[:] = 0
        s.deck_left = len(wanted)
        for i, kind in enumerate(reversed(wanted)):
            s.deck[i] = kind
            s.out[kind] -= 1
        assert (s.out >= 0).all()
        return self

    def pearls(self, *pearls):
        self.s.pearls[: len(pearls)] = pearls
        return self

    def turns(self, turns):
        self.s.turns[: self.game.num_players] = turns
        return self

    def _lay(self, kind):
        self.s.deck[1 : self.s.deck_left + 1] = self.s.deck[: self.s.deck_left].copy()
        self.s.deck[0] = kind
        self.s.deck_left += 1

    def _take(self, kind):
        s = self.s
        place = np.flatnonzero(s.deck[: s.deck_left] == kind)[0]
        s.deck[place : s.deck_left - 1] = s.deck[place + 1 : s.deck_left].copy()
        s.deck_left -= 1
        s.deck[s.deck_left] = 0

    # --- Playing and looking ---

    def play(self, *names):
        for name in names:
            self.batch.step(np.array([action_id(self.game, name)]))
        return self

    def legal(self):
        names = list(action_names(self.game))
        return {names[a] for a in np.flatnonzero(self.batch.legal()[0])}

    def sees(self, seat):
        return self.batch.fields(self.batch.observe(seat))[0]

    def held(self, seat):
        return " ".join(CODES[k] for k in range(SALADIER_KINDS) for _ in range(self.s.hand[seat, k]))

    def lies(self):
        return " ".join(CODES[k] for k in self.s.maa[: self.s.maa_size])
