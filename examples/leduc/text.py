"""Leduc hold'em in words: names of actions, and the table as text."""

from boardgames_env.jit import plain
from leduc import rules
from leduc.rules import BOARD, SUITS

ACTIONS = ("fold", "call", "raise")  # FOLD, CALL, RAISE
RANK_NAMES = ("jack", "queen", "king")
SUIT_NAMES = ("spades", "hearts")
ROUND_NAMES = ("first round", "second round")

showdown = plain(rules.showdown)


def action_name(action: int) -> str:
    return ACTIONS[action]


def card_name(card: int) -> str:
    """For example `queen of hearts`."""
    return f"{RANK_NAMES[card // SUITS]} of {SUIT_NAMES[card % SUITS]}"


def text(s, seat: int | None = None) -> str:
    """The table as `seat` knows it; with None both hands and the board are shown."""
    you = "" if seat is None else f" You are player {seat}."
    turn = "The game is over." if s.over else f"Player {s.player} to act."
    lines = [f"Leduc hold'em.{you} {turn}"]
    for owner in range(2):
        seen = owner == seat or seat is None or showdown(s)
        lines.append(f"Player {owner}: {_card(s, owner, seen)}, {s.stake[owner]} in the pot{_won(s, owner)}")
    lines.append(f"Board: {_card(s, BOARD, seat is None or s.street == 1)}")
    return "\n".join(lines + [_history(s, i) for i in range(s.street + 1)])


def _card(s, place: int, seen: bool) -> str:
    return card_name(int(s.card[place])) if seen else "hidden"


def _won(s, owner: int) -> str:
    return f", wins {s.won[owner]}" if s.won[owner] > 0 else ""


def _history(s, i: int) -> str:
    taken = [ACTIONS[action] for action in s.history[i].nonzero()[1]]
    return f"{ROUND_NAMES[i].capitalize()}: {', '.join(taken) or 'nothing yet'}"
