"""Mushroom Kingdom in words: names of actions, and the board as text."""

from boardgames_env.jit import plain
from boardgames_env.mushroom_kingdom import observation, rules
from boardgames_env.mushroom_kingdom.board import DIRECTION_NAMES
from boardgames_env.mushroom_kingdom.cards import KIND_NAMES
from boardgames_env.mushroom_kingdom.rules import (
    CELL,
    GROWTH_PHASE,
    MYCELIUM,
    NO_CELL,
    NO_VERB,
    NOTHING,
    PHASE_NAMES,
    VERB_TABLE,
    VERBS,
)

hand_size, present = plain(rules.hand_size), plain(observation.present)


def action_name(side: int, action: int) -> str:
    """For example `sow`, `play strengthened morel`, `end turn`; `cell 3,0` (row, column); `north`."""
    if action < VERBS:
        return VERB_TABLE[action][0]
    if action < CELL + side * side:
        return f"cell {coordinates(side, action - CELL)}"
    return DIRECTION_NAMES[action - CELL - side * side]


def coordinates(side: int, cell: int) -> str:
    return f"{cell // side},{cell % side}"


def text(s, seat: int | None = None) -> str:
    """The board as `seat` knows it; with None all hands and the deck are shown.

    A cell shows its fertility; then the owner with `*` for each spore or `M` for mycelium, and `+` if it is
    protected; `#` if it is blocked; the cell chosen is in brackets.
    """
    lines = [_headline(s, seat), ""]
    lines += _board(s)
    lines += [""]
    for owner in range(s.num_players):
        lines += _player(s, owner, seat)
    lines += _timers(s)
    lines += [f"Cards played: {_histogram(s.used)}"]
    if s.lost.any():
        lines += [f"Cards lost: {_histogram(s.lost)}"]
    if seat is None:
        deck = ", ".join(KIND_NAMES[kind] for kind in s.deck[: s.deck_left][::-1])
        lines += [f"Deck, next card first: {deck or 'nothing'}"]
    return "\n".join(lines)


def _headline(s, seat: int | None) -> str:
    you = "" if seat is None else f" You are player {seat}."
    if s.over:
        return f"Mushroom Kingdom.{you} The game is over. Deck {s.deck_left}."
    where = "" if s.cell == NO_CELL else f" at {coordinates(int(s.board_size), int(s.cell))}"
    doing = "" if s.verb == NO_VERB else f", {VERB_TABLE[s.verb][0]}"
    turn = f"Player {s.player} to choose: {PHASE_NAMES[s.phase]}{doing}{where}."
    points = "" if s.phase == GROWTH_PHASE else f" Action points {s.actions_left}."
    return f"Mushroom Kingdom.{you} Season {s.season} of {s.seasons}. {turn}{points} Deck {s.deck_left}."


def _board(s) -> list[str]:
    side = int(s.board_size)
    lines = ["     " + "".join(f"{column:<8}" for column in range(side)).rstrip()]
    for row in range(side):
        cells = [f"{_cell(s, row * side + column):<8}" for column in range(side)]
        lines += [f"{row:>3}  " + "".join(cells).rstrip()]
    return lines


def _cell(s, cell: int) -> str:
    shown = f"{s.fertility[cell]}"
    if s.piece[cell] == MYCELIUM:
        shown += f" {s.holder[cell]}M"
    elif s.piece[cell] != NOTHING:
        shown += f" {s.holder[cell]}{'*' * s.piece[cell]}"
    if s.protected_until[cell] > present(s):
        shown += "+"
    if s.blocked_until[cell] > present(s):
        shown += " #"
    return f"[{shown}]" if cell == s.cell else shown


def _timers(s) -> list[str]:
    """M18: the turns that blocked and protected cells still have, by cell."""
    lines, side, now = [], int(s.board_size), present(s)
    for label, until in (("Blocked", s.blocked_until), ("Protected", s.protected_until)):
        running = [f"{coordinates(side, cell)} for {t - now}" for cell, t in enumerate(until.tolist()) if t > now]
        if running:
            lines += [f"{label}, in turns: {', '.join(running)}"]
    return lines


def _player(s, owner: int, seat: int | None) -> list[str]:
    who = f"Player {owner}{' (you)' if owner == seat else ''}{' (opens the season)' if owner == s.first else ''}"
    if s.eliminated[owner]:
        return [f"{who}: eliminated"]
    size = hand_size(s, owner)
    hand = _histogram(s.hand[owner]) if seat in (owner, None) else f"{size} card{'' if size == 1 else 's'}"
    return [f"{who}: {s.score[owner]} points, reserve {s.reserve[owner]}, soil {s.soil[owner]}; hand: {hand}"]


def _histogram(counts) -> str:
    named = [name if n == 1 else f"{n} {name}" for n, name in zip(counts, KIND_NAMES) if n]
    return ", ".join(named) or "nothing"
