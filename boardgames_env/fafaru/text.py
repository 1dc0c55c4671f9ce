"""Fafaru in words: names of actions, and the board as text."""

from boardgames_env.fafaru.cards import CODES, ROLE_NAMES, SALADIER_KINDS
from boardgames_env.fafaru.rules import (
    ACCUSE,
    BET,
    DRAW,
    FOLDS,
    FOLLOWS,
    MAA,
    NO_BET,
    NONE,
    ORDERS,
    PHASE_NAMES,
    TAMAA,
)

BET_NAMES = {FOLLOWS: "bets", FOLDS: "folds"}


def action_name(n: int, action: int) -> str:
    """For n players, for example `draw`, `FLY as TIKI`, `accuse seat +2`, `target seat +0`, `order 2 1 3`, `fold`.

    Seats are counted from the one that acts; orders give the old places of the topmost cards, from the top.
    """
    target = ACCUSE + n - 1
    order = target + n
    follow = order + len(ORDERS)
    if action == DRAW:
        return "draw"
    if action == TAMAA:
        return "call Tama'a"
    if action < ACCUSE:
        card, claim = divmod(action - MAA, SALADIER_KINDS)
        return f"{CODES[card]} as {CODES[claim]}"
    if action < target:
        return f"accuse seat +{action - ACCUSE + 1}"
    if action < order:
        return f"target seat +{action - target}"
    if action < follow:
        return "order " + " ".join(str(place + 1) for place in ORDERS[action - order])
    return "follow" if action == follow else "fold"


def text(s, seat: int | None = None) -> str:
    """The board as `seat` knows it; with None all cards, roles and bets are shown."""
    n = int(s.num_players)
    lines = [_headline(s, seat), ""]
    lines += [_player(s, other, seat) for other in range(n)]
    lines += ["", f"Ma'a, {s.maa_size} cards, top first:"]
    lines += [_position(s, p, seat) for p in reversed(range(s.maa_size))]
    if seat is not None and s.zones:
        lines += [f"Known to be among the scrambled ones: {_histogram(s.mixed[seat, : s.zones].sum(axis=0))}"]
    lines += [f"Out of play face up: {_histogram(s.out)}", _face_down(s, seat)]
    lines += [f"Claims of the game, player {other}: {_histogram(s.claimed[other])}" for other in range(n)]
    if seat is None:
        lines += [f"Draw pile, next card first: {_listed(s.deck[: s.deck_left][::-1])}"]
    return "\n".join(lines)


def _headline(s, seat: int | None) -> str:
    you = "" if seat is None else f" You are player {seat}."
    if s.over:
        turn = "The game is over."
    else:
        final = " in the final Tama'a" if s.phase == BET and s.caller == NONE else ""
        turn = f"Player {s.player}: {PHASE_NAMES[s.phase]}{final}."
    counted = f" The last ma'a counted {s.tasted:+d}." if s.counted.any() else ""
    return f"Fafaru, round {s.rounds}.{you} {turn} Draw pile {s.deck_left}.{counted}"


def _player(s, other: int, seat: int | None) -> str:
    n = int(s.num_players)
    parts = [f"{s.pearls[other]} pearl{'' if s.pearls[other] == 1 else 's'}", f"{s.turns[other]} turns"]
    if s.revealed[other]:
        parts.append(f"{ROLE_NAMES[s.role[other]]}, open")
    elif seat in (other, None):
        parts.append(ROLE_NAMES[s.role[other]])
    else:
        parts.append("role hidden")
    parts.append(f"hand {_hand(s, other, seat)}")
    accusers = [f"player {a}" for a in range(n) for _ in range(s.accusations[other, a])]
    if accusers:
        parts.append("accused by " + " and ".join(accusers))
    parts += [name for name, has in (("crab", s.crab[other]), ("centipede", s.centipede[other])) if has]
    if other == s.caller:
        parts.append("calls Tama'a")
    elif s.bet[other] != NO_BET:
        is_open = not (s.simultaneous_bets and s.phase == BET) or seat in (other, None)
        parts.append(BET_NAMES[int(s.bet[other])] if is_open else "has chosen")
    return f"Player {other}{' (you)' if other == seat else ''}: {'; '.join(parts)}"


def _hand(s, other: int, seat: int | None) -> str:
    drawn = other == s.player and s.drawn != NONE
    if seat in (other, None):
        return _histogram(s.hand[other]) + (f" and drawn {CODES[s.drawn]}" if drawn else "")
    hidden = " and a drawn card" if drawn else ""
    if (int(s.handed[other]) >> seat) & 1:
        return _histogram(s.hand[other]) + hidden
    return f"{int(s.hand[other].sum())} unknown" + hidden


def _position(s, p: int, seat: int | None) -> str:
    placed = seat is None or (int(s.placed[p]) >> seat) & 1
    told = seat is None or (int(s.told[p]) >> seat) & 1
    card = CODES[s.maa[p]] if placed else "?"
    claim = f" as {CODES[s.claim[p]]}" if s.claim[p] != NONE else ""
    play = f"player {s.author[p]} put {CODES[s.played[p]] if told else 'a card'}{claim}"
    if s.zone[p] == 0:
        return f"  {p + 1:2}  {card:4}  {play}"
    return f"  {p + 1:2}  {card:4}  scrambled ({s.zone[p]}); play {p + 1}: {play}"


def _face_down(s, seat: int | None) -> str:
    number = int(s.hidden.sum())
    if seat is None:
        return f"Out of play face down: {_histogram(s.hidden.sum(axis=0))}"
    known = s.hidden[seat] + s.extra[seat]
    return f"Out of play face down: {number} cards, of these known: {_histogram(known)}"


def _histogram(counts) -> str:
    return ", ".join(CODES[kind] if n == 1 else f"{n} {CODES[kind]}" for kind, n in enumerate(counts) if n) or "none"


def _listed(kinds) -> str:
    return ", ".join(CODES[kind] for kind in kinds) or "none"
