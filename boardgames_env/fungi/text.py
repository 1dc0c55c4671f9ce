"""Fungi in words: names of actions, and the board as text."""

from boardgames_env.fungi import rules
from boardgames_env.fungi.cards import KIND_NAMES, NIGHT, NIGHTS
from boardgames_env.fungi.rules import (
    COOK,
    COOK_SETS,
    DISCARD,
    PLACE_PAN,
    SALES,
    SELL,
    TAKE,
    TAKE_DECAY,
)
from boardgames_env.jit import plain

hand_limit, hand_size, price = plain(rules.hand_limit), plain(rules.hand_size), plain(rules.price)


def action_name(action: int) -> str:
    """For example `take position 3`, `cook 5 shiitake with cider`, `sell 2 porcini`, `discard night tree ear`."""
    if action < TAKE_DECAY:
        return f"take position {action - TAKE + 1}"
    if action < COOK:
        return "take decay pile"
    if action < SELL:
        kind, size, butter, cider = COOK_SETS[action - COOK]
        extras = [_counted(n, name) for n, name in ((butter, "butter"), (cider, "cider")) if n]
        return f"cook {size} {KIND_NAMES[kind]}" + (f" with {' and '.join(extras)}" if extras else "")
    if action < PLACE_PAN:
        kind, size = SALES[action - SELL]
        return f"sell {size} {KIND_NAMES[kind]}"
    if action < DISCARD:
        return "place pan"
    return f"discard {KIND_NAMES[action - DISCARD]}"


def text(s, seat: int | None = None) -> str:
    """The board as `seat` knows it; with None both hands and the draw pile are shown."""
    lines = [_headline(s, seat), ""]
    lines += [_position(s, i) for i in reversed(range(s.forest_left))] or ["  the forest is empty"]
    lines += [f"  decay pile: {_listed(s.decay[: s.decay_left])}", ""]
    for owner in range(2):
        lines += _player(s, owner, seat)
    lines += [f"Out of play: {_histogram(s.out)}"]
    if seat is None:
        lines += [f"Draw pile, next card first: {_listed(s.deck[: s.deck_left][::-1])}"]
        lines += [f"Night pile, next card first: {_listed(s.night[: s.night_left][::-1])}"]
    return "\n".join(lines)


def _headline(s, seat: int | None) -> str:
    you = "" if seat is None else f" You are player {seat}."
    if s.over:
        turn = "The game is over."
    else:
        must = "must discard" if hand_size(s, s.player) > hand_limit(s, s.player) else "to act"
        turn = f"Player {s.player} {must}."
    return f"Fungi.{you} {turn} Draw pile {s.deck_left}, night pile {s.night_left}."


def _position(s, i: int) -> str:
    sticks = price(i)
    cost = f"{sticks} stick{'s' if sticks > 1 else ''}" if sticks else "free"
    return f"  position {i + 1}  {cost:8}  {KIND_NAMES[s.forest[i]]}"


def _player(s, owner: int, seat: int | None) -> list[str]:
    agarics = int(s.fly_agarics[owner].sum())
    display = [_counted(s.pans[owner], "pan", "pans"), _counted(s.baskets[owner], "basket", "baskets")]
    if agarics:
        display += [_counted(agarics, "fly agaric", "fly agarics")]
    sticks = _counted(s.sticks[owner], "stick", "sticks")
    size, limit = hand_size(s, owner), hand_limit(s, owner)
    who = f"Player {owner}{' (you)' if owner == seat else ''}"
    cooked = [_counted(n, KIND_NAMES[kind]) for kind, n in enumerate(s.cooked[owner]) if n]
    return [
        f"{who}: {s.score[owner]} flavour, {sticks}, {', '.join(display)}; hand {size} of {limit}",
        f"  hand: {_histogram(s.hand[owner]) if seat in (owner, None) else _known(s, owner)}",
        f"  cooked: {', '.join(cooked) or 'nothing'}",
        "",
    ]


def _known(s, owner: int) -> str:
    nights = int(s.hand[owner, NIGHT : NIGHT + NIGHTS].sum())
    hidden = hand_size(s, owner) - nights - int(s.known[owner].sum())
    parts = [_histogram(s.known[owner])] if s.known[owner].any() else []
    if hidden:
        parts.append(f"{hidden} unknown")
    if nights:
        parts.append(f"{nights} unknown night")
    return ", ".join(parts) or "nothing"


def _histogram(counts) -> str:
    return ", ".join(_counted(n, KIND_NAMES[kind]) for kind, n in enumerate(counts) if n) or "nothing"


def _listed(kinds) -> str:
    return ", ".join(KIND_NAMES[kind] for kind in kinds) or "nothing"


def _counted(n: int, name: str, plural: str | None = None) -> str:
    if plural:
        return f"{n} {name if n == 1 else plural}"
    return name if n == 1 else f"{n} {name}"
