"""Tree Society in words: names of actions, and the board as text."""

from boardgames_env.jit import plain
from boardgames_env.tree_society import cards, rules
from boardgames_env.tree_society.cards import (
    COST,
    EFFECT_TABLE,
    EFFECTS_A_LEVEL,
    FRUIT_NAMES,
    FRUIT_TABLE,
    FRUITS,
    GUILDS,
    LASTING,
    LASTINGS,
    LEVELS,
    POINTS,
)
from boardgames_env.tree_society.rules import (
    ADVANCE,
    BUILDING,
    BUY,
    CLEAR,
    DECLINE,
    DISCARD,
    DONE,
    EMPTY,
    END_BUILD,
    MARKERS,
    MARKET,
    RAISE,
    ROW,
    SCRAP,
    SELL,
    SELLING,
    TAKE,
    USE,
    WAITS_EFFECT,
    WAITS_N,
)

BUILT_IN_IDS = tuple(card.id for card in cards.BUILT_IN)


def action_name(action: int) -> str:
    """For example `sell apple with leaf`, `buy top 2`, `raise card 1`, `take grape`, `clear bottom 3`."""
    blocks = [
        (BUY, lambda i: f"sell {FRUIT_NAMES[i - SELL]}"),
        (RAISE, lambda i: f"buy {place_name(i - BUY)}"),
        (DISCARD, lambda i: f"raise card {i - RAISE + 1}"),
        (USE, lambda i: f"discard card {i - DISCARD + 1}"),
        (END_BUILD, lambda i: "use fruit action"),
        (TAKE, lambda i: "end build"),
        (DECLINE, lambda i: f"take {FRUIT_NAMES[i - TAKE]}"),
        (CLEAR, lambda i: "decline"),
        (DONE, lambda i: f"clear {place_name(i - CLEAR)}"),
        (ADVANCE, lambda i: "done clearing"),
        (SCRAP, lambda i: f"advance card {i - ADVANCE + 1}"),
        (rules.NUM_ACTIONS, lambda i: f"scrap card {i - SCRAP + 1}"),
    ]
    return next(name(action) for end, name in blocks if action < end)


def place_name(place: int) -> str:
    return f"{'top' if place < ROW else 'bottom'} {place % ROW + 1}"


def text(s, seat: int | None = None, ids: tuple[str, ...] = BUILT_IN_IDS) -> str:
    """The board as `seat` knows it; with None the two decks are shown in order. `ids` are those of the card set."""
    lines = [_headline(s, seat), *_turn(s), ""]
    lines += [f"  {place_name(place):8}  {_card(s, s.market[place], ids)}" for place in range(MARKET)]
    lines += [f"Fruit market: {_fruits(s.fruit_market)}", ""]
    for owner in range(s.num_players):
        lines += _player(s, owner, seat, ids)
    lines += [f"Guilds: {', '.join(name for name, here in zip(GUILDS, s.in_play) if here)}"]
    lines += [f"Discarded: {_designs(s.discards, ids)}"]
    lines += [f"In the guild deck: {_designs(_counted(s.deck[: s.deck_left], len(ids)), ids)}"]
    lines += [f"In the fruit deck: {_fruits(_counted(s.fruit_deck[: s.fruit_left], FRUITS))}"]
    if seat is None:
        lines += [f"Guild deck, next card first: {' '.join(ids[card] for card in s.deck[: s.deck_left][::-1])}"]
        fruits = (FRUIT_NAMES[fruit] for fruit in s.fruit_deck[: s.fruit_left][::-1])
        lines += [f"Fruit deck, next card first: {', '.join(fruits)}"]
    return "\n".join(lines)


def _headline(s, seat: int | None) -> str:
    you = "" if seat is None else f" You are player {seat}."
    if s.over:
        turn = "The game is over."
    else:
        last = " This is the last round." if s.last_round else ""
        turn = f"Round {s.turns // s.num_players + 1}, player {s.player} {_must(s)}.{last}"
    return f"Tree Society.{you} {turn} Guild deck {s.deck_left}, fruit deck {s.fruit_left}."


def _must(s) -> str:
    if s.pending_left:
        code, n = int(s.pending[s.pending_left - 1, WAITS_EFFECT]), int(s.pending[s.pending_left - 1, WAITS_N])
        return f"chooses for {EFFECT_TABLE[code - 1][0] if n < 1 else cards.effect_text(code, n, 1)}"
    return {SELLING: "sells", BUILDING: "builds"}.get(int(s.phase), "rests and takes a fruit")


def _turn(s) -> list[str]:
    """What holds for the rest of this turn."""
    parts = []
    if s.fruit_action:
        parts.append(f"the action of the {FRUIT_TABLE[s.fruit_action - 1][0]} may be used")
    if s.discount:
        parts.append(f"the next level costs {s.discount} less")
    if s.half:
        parts.append("the next level costs half")
    waiting = [int(code) for code in s.pending[: s.pending_left, WAITS_EFFECT]]
    if len(waiting) > 1:
        parts.append(f"then: {', '.join(EFFECT_TABLE[code - 1][0] for code in waiting[-2::-1])}")
    return [f"In this turn: {'; '.join(parts)}"] if parts else []


def _player(s, owner: int, seat: int | None, ids: tuple[str, ...]) -> list[str]:
    who = f"Player {owner}{' (you)' if owner == seat else ''}"
    points = plain(rules.score)(s, owner)
    lines = [
        f"{who}: {points} points, {s.banners[owner]} banners; {s.purse[owner]} coins, chest {s.chest[owner]}; "
        f"sold {int(s.sold[owner].sum())} fruits",
        f"  fruits: {_fruits(s.fruits[owner])}",
    ]
    for slot in range(MARKERS):
        card = int(s.progress[owner, slot])
        level = f", on level {s.level[owner, slot]}" if card != EMPTY else ""
        lines.append(f"  card {slot + 1}: {_card(s, card, ids)}{level}")
    lines.append(f"  completed: {_designs(s.completed[owner], ids)}")
    lasting = [
        cards.effect_text(LASTING + i, int(s.lasting[owner, i]), LEVELS)[2:]
        for i in range(LASTINGS)
        if s.lasting[owner, i]
    ]
    return [*lines, *([f"  in force: {', '.join(lasting)}"] if lasting else []), ""]


def _card(s, card: int, ids: tuple[str, ...]) -> str:
    """`A3 architects 2 banners, costs 3/5/8, points 1/3/6: D-1 | HALF | –`"""
    if card == EMPTY:
        return "–"
    row = s.card_set[card]
    banners = f"{row[cards.BANNER]} banner{'s' if row[cards.BANNER] > 1 else ''}"
    costs, points = row[COST : COST + LEVELS], row[POINTS : POINTS + LEVELS]
    effects = " | ".join(_effects(s, card, level) or "–" for level in range(1, LEVELS + 1))
    costs, points = "/".join(map(str, costs)), "/".join(map(str, points))
    return f"{ids[card]} {GUILDS[row[cards.GUILD]]}, {banners}, costs {costs}, points {points}: {effects}"


def _effects(s, card: int, level: int) -> str:
    printed = [plain(rules.effect_of)(s, card, level, place) for place in range(EFFECTS_A_LEVEL)]
    return ", ".join(cards.effect_text(code, n, level) for code, n in printed if code)


def _fruits(counts) -> str:
    return _histogram(counts, FRUIT_NAMES)


def _designs(counts, ids: tuple[str, ...]) -> str:
    return _histogram(counts[: len(ids)], ids)


def _histogram(counts, names) -> str:
    parts = [(name if n == 1 else f"{n} {name}") for n, name in zip(counts, names) if n]
    return ", ".join(parts) or "none"


def _counted(pile, kinds: int) -> list[int]:
    counts = [0] * kinds
    for card in pile:
        counts[card] += 1
    return counts
