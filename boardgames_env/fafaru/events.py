"""Fafaru: the full history of a game, hidden truth and all, for research. It is recomputed, never stored.

`events` plays a game again from its seed and its actions, one thing at a time (`rules.act`, `rules.advance`), and says
what each of them did. Seats are absolute, cards are codes, positions of the ma'a count from 0, the first card played.
"""

import functools
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from boardgames_env.batch import check_seed, why_illegal
from boardgames_env.fafaru import rules
from boardgames_env.fafaru.cards import CODES, MOA, PETEA, PUAA, ROLE_NAMES, SALADIER_KINDS
from boardgames_env.fafaru.tasting import count
from boardgames_env.game import ActionError, Game
from boardgames_env.jit import kernel, plain
from boardgames_env.kernels import kernels
from boardgames_env.replay import Replay
from boardgames_env.rng import scramble

_ROW = np.zeros(1, np.int64)  # the only row of a batch of one


class RoundStart(NamedTuple):
    number: int  # from 1
    first: int
    roles: tuple[str, ...]  # "fresh", "fermented" or "Soyu", by seat
    hands: tuple[tuple[str, ...], ...]  # by seat


class Draw(NamedTuple):
    seat: int
    card: str


class Play(NamedTuple):
    seat: int
    position: int
    card: str  # the truth
    claim: str | None  # None with claims=False


class Accusation(NamedTuple):
    seat: int
    accused: int


class Look(NamedTuple):  # pua'a
    seat: int
    cards: tuple[str, ...]  # from the top


class Order(NamedTuple):  # pua'a
    seat: int
    cards: tuple[str, ...]  # from the top, as they lie now


class Shuffle(NamedTuple):  # moa
    seat: int
    cards: tuple[str, ...]  # in play order, as they lie now


class Crab(NamedTuple):
    seat: int
    target: int


class Centipede(NamedTuple):
    seat: int
    target: int


class HandsPassed(NamedTuple):  # petea
    seat: int
    hands: tuple[tuple[str, ...], ...]  # by seat, as they are now


class Call(NamedTuple):  # Tama'a
    seat: int
    role: str


class Bet(NamedTuple):
    seat: int
    role: str
    follows: bool


class Elimination(NamedTuple):
    accused: int
    role: str
    accusers: tuple[int, ...]


class CardCount(NamedTuple):
    position: int
    card: str
    value: int
    reason: str  # see tasting.REASONS


class Tasting(NamedTuple):
    total: int
    caller: int | None  # None in the final Tama'a


class Pearls(NamedTuple):
    seat: int
    change: int  # what it came to, after floor and cap
    pearls: int


class RoundEnd(NamedTuple):
    number: int
    reason: str  # one of rules.REASON_NAMES
    seat: int  # that ended it


class GameEnd(NamedTuple):
    pearls: tuple[int, ...]
    returns: tuple[float, ...]


def set_up_row(states, seeds):
    states[0].rng = scramble(seeds[0])
    set_up(states[0])


def act_row(states, action):
    act(states[0], action)


def advance_row(states):
    advance(states[0])


set_up: Any = None  # bound to the rules by jit.kernel
act: Any = None
advance: Any = None


@functools.cache
def _kernels() -> Any:
    return SimpleNamespace(
        set_up=kernel(set_up_row, "fafaru-events", set_up=rules.set_up),
        act=kernel(act_row, "fafaru-events", act=rules.act),
        advance=kernel(advance_row, "fafaru-events", advance=rules.advance),
    )


def events(game: Game | Replay, seed: int | None = None, actions: Iterable[int] = ()) -> list:
    """All that happened in a game, in order, as the named tuples of this module: `events(replay)`, or
    `events(game, seed, actions)` for actions that need not reach the end.

    Raises ValueError for another game, a bad seed or an action that is not legal, with its place in the list.
    """
    if isinstance(game, Replay):
        return events(*game[:3])
    if not isinstance(game, Game) or game.state != rules.STATE:
        raise ValueError(f"events are those of fafaru, got {game!r}")
    states = game.template.copy()
    _kernels().set_up(states, np.array([check_seed(seed)], np.uint64))
    history = [_round_start(states[0])]
    history += _what_follows(game, states)
    for place, action in enumerate(actions):
        _refuse_illegal(game, states, place, action)
        before = states.copy()
        _kernels().act(states, int(action))
        history += _with_ends(before[0], states[0], _acted(before[0], states[0], int(action)))
        history += _what_follows(game, states)
    return history


def _refuse_illegal(game: Game, states: Any, place: int, action: Any) -> None:
    if states[0].over:
        raise ActionError(f"fafaru: the game is over before action {place} of the list")
    number = np.asarray(action)
    scratch = np.zeros(game.num_actions, np.int8)
    if number.dtype.kind not in "iu" or number.shape != ():
        raise ActionError(f"fafaru: action {place} of the list is {action!r}, no integer")
    if kernels(game).any_illegal(states, _ROW, number.reshape(1).astype(np.int64), scratch):
        raise ActionError(f"fafaru: in place {place} of the list, {why_illegal(game, int(action))}")


def _what_follows(game: Game, states: Any) -> list:
    history = []
    while plain(rules.nobody_asked)(states[0]):
        before = states.copy()
        _kernels().advance(states)
        history += _with_ends(before[0], states[0], _advanced(game, before[0], states[0]))
    return history


def _with_ends(before: Any, after: Any, history: Iterator) -> list:
    """The events, and the pearls that changed hands and the end of the round if it came to that."""
    found = list(history)
    for seat in range(after.num_players):
        change = int(after.pearls[seat]) - int(before.pearls[seat])
        if change:
            found.append(Pearls(seat, change, int(after.pearls[seat])))
    if after.phase == rules.ROUND_OVER != before.phase:
        found.append(RoundEnd(int(after.rounds), rules.REASON_NAMES[after.reason], int(after.player)))
    return found


def _acted(before: Any, after: Any, action: int) -> Iterator:
    n, seat = int(before.num_players), int(before.player)
    target = rules.ACCUSE + n - 1
    order = target + n
    follow = order + len(rules.ORDERS)
    if action == rules.TAMAA:
        yield Call(seat, _role(before, seat))
    elif rules.MAA <= action < rules.ACCUSE:
        card, claim = divmod(action - rules.MAA, SALADIER_KINDS)
        yield Play(seat, int(before.maa_size), CODES[card], CODES[claim] if before.claims else None)
    elif rules.ACCUSE <= action < target:
        yield from _accused(after, seat, (seat + 1 + action - rules.ACCUSE) % n)
    elif target <= action < order:
        animal = Crab if before.phase == rules.CRAB else Centipede
        yield animal(seat, (seat + action - target) % n)
    elif order <= action < follow:
        yield Order(seat, _top(after))
    elif action >= follow:
        yield Bet(seat, _role(before, seat), action == follow)


def _accused(after: Any, seat: int, accused: int) -> Iterator:
    yield Accusation(seat, accused)
    if after.phase == rules.ROUND_OVER:
        accusers = np.flatnonzero(after.accusations[accused]).tolist()
        yield Elimination(accused, _role(after, accused), tuple(accusers))


def _advanced(game: Game, before: Any, after: Any) -> Iterator:
    if before.phase == rules.DRAWING:
        yield from _drawn(before, after)
    elif before.phase == rules.TASTING:
        yield from _tasted(game, before)
    elif before.phase == rules.ROUND_OVER and after.over:
        n = after.num_players
        yield GameEnd(tuple(after.pearls[:n].tolist()), tuple(after.returns[:n].tolist()))
    elif before.phase == rules.ROUND_OVER:
        yield _round_start(after)


def _drawn(before: Any, after: Any) -> Iterator:
    seat, card = int(before.player), int(before.deck[before.deck_left - 1])
    yield Draw(seat, CODES[card])
    if card == PUAA and after.phase == rules.ORDER:
        yield Look(seat, _top(after))
    elif card == MOA:
        yield Shuffle(seat, tuple(CODES[kind] for kind in after.maa[: after.maa_size]))
    elif card == PETEA:
        yield HandsPassed(seat, _hands(after))


def _tasted(game: Game, before: Any) -> Iterator:
    options = ("mode", "lid_rule", "fly_between", "beginner_gecko_eats")
    counted = count(before.maa[: before.maa_size], **{name: getattr(game.options, name) for name in options})
    for position, card in enumerate(counted.cards):
        yield CardCount(position, *card)
    yield Tasting(counted.total, None if before.caller == rules.NONE else int(before.caller))


def _round_start(s: Any) -> RoundStart:
    roles = tuple(_role(s, seat) for seat in range(s.num_players))
    return RoundStart(int(s.rounds), int(s.player), roles, _hands(s))


def _role(s: Any, seat: int) -> str:
    return ROLE_NAMES[s.role[seat]]


def _hands(s: Any) -> tuple:
    def cards(hand: Any) -> tuple:
        return tuple(CODES[kind] for kind, held in enumerate(hand) for _ in range(held))

    return tuple(cards(hand) for hand in s.hand[: s.num_players])


def _top(s: Any) -> tuple:
    """The cards that a pig sees, from the top."""
    return tuple(CODES[kind] for kind in s.maa[: s.maa_size][::-1][:3])
