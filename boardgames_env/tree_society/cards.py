"""Tree Society: fruit, effects and guild cards. Rule numbers (S8, S30 …) are those of RULES.md.

Guild cards are data. The built-in set is `CARD_TABLE`; `load` reads another from a TOML or JSON file with the same
columns, `export` writes one. A `CardSet` is what the option `card_set` holds; `codes` is the same table in numbers,
which lies in every state, so that the compiled rules know no card.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

GUILDS = ("architects", "bankers", "writers", "merchants", "botanists", "explorers")  # S1
GUILDS_IN_PLAY = 4  # S2
LEVELS = 3
MARKET = 6  # cards in the guild market

# --- Effects (S30) ------------------------------------------------------------------------------------------

# A new effect is a row here and a branch in the function of `rules` that its group names. `n` stands for a number.
#    notation      meaning
AUTOMATIC_TABLE = [  # applied without asking: rules.carry_out
    ("P+n",        "n coins to the purse"),
    ("C+n",        "n coins to the chest"),
    ("D-n",        "the next level this turn costs n less"),
    ("HALF",       "the next level this turn at half price"),
    ("T",          "a coin to the purse for every kind of fruit on your board"),
]  # fmt: skip
CHOICE_TABLE = [  # opens a choice: rules.offer
    ("F",          "take one fruit from the market"),
    ("S",          "sell one more fruit"),
    ("RF",         "discard any number of cards from the guild market, then refill it"),
    ("ADV<=n",     "raise another card in progress one level free, if that level costs at most n"),
    ("X+n",        "discard another card in progress for n coins into the chest"),
]  # fmt: skip
LASTING_TABLE = [  # w: while the marker stands there, p: from level 3 on; rules asks for s.lasting[seat, …]
    ("L1-n",       "level 1 costs n less"),
    ("B1-n",       "the first build of each turn costs n less"),
    ("KEEP+n",     "the purse keeps n coins more when you rest"),
    ("SALE+n",     "n coins more for every sale"),
]  # fmt: skip
END_TABLE = [  # at the end of the game: rules.end_points
    ("E:done",     "+1 for every completed card"),
    ("E:coins",    "+1 for every 2 coins in the purse, at most 4"),
    ("E:writers",  "+2 for every completed writer"),
    ("E:guilds",   "+1 for every guild among the completed cards"),
    ("E:sold",     "+1 for every 4 fruits sold in the game"),
    ("E:fruit",    "+1 for every face-up fruit, at most 4"),
]  # fmt: skip
EFFECT_TABLE = AUTOMATIC_TABLE + CHOICE_TABLE + LASTING_TABLE + END_TABLE
EFFECTS = len(EFFECT_TABLE)
EFFECT_NAMES = [re.sub("n$", "", notation).rstrip("+-<=") for notation, _ in EFFECT_TABLE]  # P, C, D, HALF …

AUTOMATICS, CHOICES, LASTINGS, ENDS = map(len, (AUTOMATIC_TABLE, CHOICE_TABLE, LASTING_TABLE, END_TABLE))

NO_EFFECT = 0  # codes: 0, then the rows of EFFECT_TABLE from 1
AUTOMATIC = 1
CHOICE = AUTOMATIC + AUTOMATICS
LASTING = CHOICE + CHOICES
END = LASTING + LASTINGS
PURSE, CHEST, CHEAPER, HALF, KINDS_COINS = range(AUTOMATIC, CHOICE)
TAKE_FRUIT, SELL_FRUIT, CLEAR_MARKET, ADVANCE_FREE, SCRAP_CARD = range(CHOICE, LASTING)
LEVEL_1, FIRST_BUILD, KEEP, SALE = range(LASTINGS)  # columns of s.lasting: code − LASTING
E_DONE, E_COINS, E_WRITERS, E_GUILDS, E_SOLD, E_FRUIT = range(ENDS)  # columns of s.ends: code − END
WRITERS = GUILDS.index("writers")

# --- Fruit (S1, S8) -----------------------------------------------------------------------------------------

FRUIT_TABLE = [  # kind, its action as an effect
    ("apple",     "C+2"),
    ("cherry",    "S"),
    ("grape",     "D-2"),
    ("blueberry", "F"),
    ("orange",    "RF"),
]  # fmt: skip
KINDS = len(FRUIT_TABLE)
OF_A_KIND = 15
WITH_LEAF = 5  # of these
FRUITS = 2 * KINDS  # a fruit card is 2 · kind + leaf
FRUIT_NAMES = [name + leaf for name, _ in FRUIT_TABLE for leaf in ("", " with leaf")]
FRUIT_COPIES = np.array([count for _ in FRUIT_TABLE for count in (OF_A_KIND - WITH_LEAF, WITH_LEAF)])

# --- The built-in cards (S31) -------------------------------------------------------------------------------

# id    guild         banners  costs        points      level 1    level 2     level 3
CARD_TABLE = [
    ("A1", "architects",   1, ( 3,  3,  5), (0, 1,  3), "D-1",     "D-2",      ""),
    ("A2", "architects",   1, ( 3,  3,  6), (0, 1,  4), "w:L1-1",  "w:L1-1",   ""),
    ("A3", "architects",   2, ( 3,  5,  8), (1, 3,  6), "D-1",     "HALF",     ""),
    ("A4", "architects",   2, ( 5,  5,  6), (1, 3,  6), "w:B1-1",  "w:B1-1",   ""),
    ("A5", "architects",   2, ( 5,  6,  6), (1, 3,  4), "",        "",         "E:done"),
    ("A6", "architects",   3, ( 6,  8,  9), (2, 5, 11), "",        "D-3",      ""),
    ("B1", "bankers",      1, ( 2,  5,  5), (0, 1,  3), "C+1",     "C+2",      ""),
    ("B2", "bankers",      1, ( 3,  3,  5), (0, 1,  3), "P+1",     "C+1",      "C+3"),
    ("B3", "bankers",      2, ( 3,  6,  6), (1, 2,  6), "w:KEEP+2", "w:KEEP+2", "p:KEEP+2"),
    ("B4", "bankers",      2, ( 5,  5,  6), (1, 2,  5), "C+2",     "C+3",      ""),
    ("B5", "bankers",      2, ( 5,  6,  6), (1, 3,  5), "",        "",         "E:coins"),
    ("B6", "bankers",      3, ( 6,  8,  9), (2, 4, 10), "C+2",     "",         "C+4"),
    ("W1", "writers",      1, ( 3,  5,  6), (1, 3,  6), "",        "",         ""),
    ("W2", "writers",      1, ( 2,  5,  8), (1, 3,  6), "",        "",         ""),
    ("W3", "writers",      2, ( 5,  6,  8), (2, 4,  9), "",        "",         ""),
    ("W4", "writers",      2, ( 3,  6,  8), (1, 3,  5), "",        "",         "E:writers"),
    ("W5", "writers",      2, ( 5,  5,  8), (1, 3,  6), "",        "",         "E:guilds"),
    ("W6", "writers",      3, ( 6,  9, 11), (3, 6, 14), "",        "",         ""),
    ("M1", "merchants",    1, ( 2,  3,  5), (0, 1,  3), "S",       "S",        ""),
    ("M2", "merchants",    1, ( 3,  5,  5), (0, 1,  4), "w:SALE+1", "w:SALE+1", ""),
    ("M3", "merchants",    2, ( 3,  6,  6), (1, 3,  6), "",        "T",        ""),
    ("M4", "merchants",    2, ( 5,  5,  6), (1, 3,  4), "",        "",         "E:sold"),
    ("M5", "merchants",    2, ( 5,  6,  6), (1, 2,  6), "P+1",     "w:SALE+1", "p:SALE+1"),
    ("M6", "merchants",    3, ( 6,  8,  9), (2, 4, 11), "S",       "",         "P+3"),
    ("T1", "botanists",    1, ( 2,  3,  6), (0, 1,  3), "F",       "F",        ""),
    ("T2", "botanists",    1, ( 3,  3,  5), (0, 1,  3), "F",       "P+1",      ""),
    ("T3", "botanists",    2, ( 3,  5,  7), (1, 2,  5), "F",       "T",        ""),
    ("T4", "botanists",    2, ( 5,  5,  6), (1, 2,  3), "",        "",         "E:fruit"),
    ("T5", "botanists",    2, ( 4,  6,  6), (1, 2,  6), "F",       "",         ""),
    ("T6", "botanists",    3, ( 6,  8,  9), (2, 4, 10), "F",       "F",        ""),
    ("E1", "explorers",    1, ( 2,  3,  5), (0, 1,  4), "RF",      "X+3",      ""),
    ("E2", "explorers",    1, ( 3,  3,  5), (0, 1,  4), "RF",      "C+1",      ""),
    ("E3", "explorers",    2, ( 3,  6,  6), (1, 2,  6), "RF, D-1", "ADV<=3",   ""),
    ("E4", "explorers",    2, ( 5,  5,  6), (1, 3,  6), "",        "ADV<=3",   ""),
    ("E5", "explorers",    2, ( 3,  6,  6), (1, 2,  5), "X+3",     "",         "E:guilds"),
    ("E6", "explorers",    3, ( 6,  8,  9), (2, 4, 11), "RF",      "",         "ADV<=4"),
]  # fmt: skip


class Card(NamedTuple):
    """One design, a row of a card set. An effect is a string like `D-1`, two like `RF, D-1`, none is empty."""

    id: str
    guild: str
    banners: int
    costs: tuple[int, int, int]  # of levels 1, 2, 3
    points: tuple[int, int, int]
    level_1: str
    level_2: str
    level_3: str
    copies: int = 2  # S2

    @property
    def effects(self) -> tuple[str, str, str]:
        return self.level_1, self.level_2, self.level_3


class CardSet(tuple):
    """The designs of a card set, as `Card`s: hashable, equal to another with the same rows."""

    def __repr__(self) -> str:
        digest = zlib.crc32(json.dumps(self).encode())
        return f"<{len(self)} guild cards {digest:08x}>"


# --- Bounds, and cards as numbers ---------------------------------------------------------------------------

DESIGNS = 72  # at most; room for twelve different cards in each of six guilds
GUILD_CARDS = 24  # at most, of one guild
DECK = GUILDS_IN_PLAY * GUILD_CARDS
LARGEST = 50  # cost, points, and the number in an effect
BANNERS = 3  # on one card
EFFECTS_A_LEVEL = 2

# Columns of a card as numbers, i1[CARD].
GUILD = 0
BANNER = 1
COPIES = 2
COST = 3  # + level − 1
POINTS = COST + LEVELS  # + level − 1
EFFECT = POINTS + LEVELS  # + 4 · (level − 1) + 2 · place: code; the number stands beside it
CARD = EFFECT + 2 * EFFECTS_A_LEVEL * LEVELS


def codes(card_set: CardSet) -> np.ndarray:
    """The card set in numbers, int8[DESIGNS, CARD]; rows behind the last design are 0."""
    table = np.zeros((DESIGNS, CARD), np.int8)
    for row, card in zip(table, card_set):
        row[[GUILD, BANNER, COPIES]] = GUILDS.index(card.guild), card.banners, card.copies
        row[COST:POINTS] = card.costs
        row[POINTS:EFFECT] = card.points
        for level, effects in enumerate(card.effects):
            for place, (code, n) in enumerate(parse_effects(effects, level + 1)):
                at = EFFECT + 2 * (EFFECTS_A_LEVEL * level + place)
                row[at : at + 2] = code, n
    return table


def effect_text(code: int, n: int, level: int) -> str:
    """The notation of an effect, as in a card set: what `parse_effects` reads."""
    text = re.sub("n$", str(n), EFFECT_TABLE[code - 1][0])
    if LASTING <= code < END:
        return ("p:" if level == LEVELS else "w:") + text
    return text


def parse_effects(text: str, level: int) -> list[tuple[int, int]]:
    """(code, number) of each effect on a level; the number is 1 where the notation has none.

    Raises ValueError that says what is wrong.
    """
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    effects = [_parse_effect(part, level) for part in parts]
    if len(effects) > EFFECTS_A_LEVEL:
        raise ValueError(f"must hold at most {EFFECTS_A_LEVEL} effects, got {text!r}")
    if len({code for code, _ in effects}) < len(effects):
        raise ValueError(f"must not hold an effect twice, got {text!r}")
    return effects


def _parse_effect(text: str, level: int) -> tuple[int, int]:
    prefix, name = re.fullmatch("(w:|p:)?(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    for code, (notation, _) in enumerate(EFFECT_TABLE, start=AUTOMATIC):
        pattern = re.sub("n$", "([0-9]{1,3})", re.escape(notation))
        match = re.fullmatch(pattern, name)
        if not match or bool(prefix) != (LASTING <= code < END):
            continue
        n = int(match[1]) if match.groups() else 1
        if not 1 <= n <= LARGEST:
            raise ValueError(f"the number in an effect must be 1..{LARGEST}, got {text!r}")
        if prefix and (prefix == "p:") != (level == LEVELS):
            raise ValueError(f"w: is for levels 1 and 2, p: for level 3, got {text!r}")
        if code >= END and level < LEVELS:
            raise ValueError(f"an effect at the end of the game is for level 3, got {text!r}")
        return code, n
    raise ValueError(f"unknown effect {text!r}; the effects are: {', '.join(effect_notations())}")


def effect_notations() -> list[str]:
    """All effects as they are written in a card set."""
    lasting = [notation for notation, _ in LASTING_TABLE]
    return [("w: or p:" if notation in lasting else "") + notation for notation, _ in EFFECT_TABLE]


# --- Checking, reading and writing card sets (S30) ----------------------------------------------------------


def make_card_set(rows: Iterable, source: str = "card set") -> CardSet:
    """A checked card set from rows: mappings with the columns of `Card`, or sequences in their order.

    Raises ValueError that names `source`, the card and the field.
    """
    if isinstance(rows, (str, bytes, Mapping)) or not isinstance(rows, Iterable):
        raise ValueError(f"{source}: must be a list of cards, got {type(rows).__name__}")
    cards: list[Card] = []
    for number, row in enumerate(rows, start=1):
        card = _checked_card(row, number, source)
        if card.id in {other.id for other in cards}:
            raise ValueError(f"{source}, card {card.id!r}, field 'id': must be unique")
        cards.append(card)
    if len(cards) > DESIGNS:
        raise ValueError(f"{source}: a card set holds at most {DESIGNS} designs, got {len(cards)}")
    card_set = CardSet(cards)
    for guild, count in zip(GUILDS, guild_sizes(card_set)):
        if count > GUILD_CARDS:
            raise ValueError(f"{source}: a guild has at most {GUILD_CARDS} cards, got {count} {guild}")
    check_fills_market(card_set, source=source)
    return card_set


def guild_sizes(card_set: CardSet) -> list[int]:
    """Cards, not designs, of each guild."""
    return [sum(card.copies for card in card_set if card.guild == guild) for guild in GUILDS]


def check_fills_market(card_set: CardSet, guilds: Sequence[str] | None = None, source: str = "card set") -> None:
    """Refuse a set with too few cards: in the guilds given, or in any four that chance may choose (S2)."""
    sizes = dict(zip(GUILDS, guild_sizes(card_set)))
    counts = [sizes[guild] for guild in guilds] if guilds else sorted(n for n in sizes.values() if n)[:GUILDS_IN_PLAY]
    if sum(counts) < MARKET:
        which = f"the guilds {', '.join(guilds)}" if guilds else f"every choice of {GUILDS_IN_PLAY} of its guilds"
        raise ValueError(f"{source}: {which} must have {MARKET} cards to fill the market, got {sum(counts)}")


def _checked_card(row: Any, number: int, source: str) -> Card:
    where = f"{source}, card {number}"
    if isinstance(row, Sequence) and not isinstance(row, (str, bytes)):
        row = dict(zip(Card._fields, row)) if len(row) <= len(Card._fields) else None
    if not isinstance(row, Mapping):
        raise ValueError(f"{where}: must be a table with the fields {', '.join(Card._fields)}")
    if isinstance(row.get("id"), str) and row["id"]:
        where = f"{source}, card {row['id']!r}"
    for field in row:
        if field not in Card._fields:
            raise ValueError(f"{where}, field {field!r}: unknown; the fields are: {', '.join(Card._fields)}")
    values = {}
    for field in Card._fields:
        if field not in row and field not in Card._field_defaults:
            raise ValueError(f"{where}, field {field!r}: is missing")
        try:
            values[field] = _checked_field(field, row.get(field, Card._field_defaults.get(field)))
        except ValueError as error:
            raise ValueError(f"{where}, field {field!r}: {error}") from None
    return Card(**values)


def _checked_field(field: str, value: Any) -> Any:
    if field == "id":
        if not isinstance(value, str) or not re.fullmatch(r"[^\W_][\w .'-]{0,23}", value) or value != value.strip():
            raise ValueError(f"must be a short name of letters and digits, got {value!r}")
        return value
    if field == "guild":
        if value not in GUILDS:
            raise ValueError(f"must be one of {', '.join(GUILDS)}, got {value!r}")
        return str(value)
    if field == "banners":
        return _checked_int(value, 1, BANNERS)
    if field == "copies":
        return _checked_int(value, 1, GUILD_CARDS)
    if field in ("costs", "points"):
        if not isinstance(value, (list, tuple)) or len(value) != LEVELS:
            raise ValueError(f"must be {LEVELS} numbers, for levels 1 to {LEVELS}, got {value!r}")
        return tuple(_checked_int(item, 0, LARGEST) for item in value)
    if not isinstance(value, str):
        raise ValueError(f"must be the effects of the level as text, or '', got {value!r}")
    level = int(field[-1])
    return ", ".join(effect_text(code, n, level) for code, n in parse_effects(value, level))


def _checked_int(value: Any, smallest: int, largest: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ValueError(f"must be a whole number, got {value!r}")
    if value < 0 <= smallest:
        raise ValueError(f"must not be negative, got {value}")
    if not smallest <= value <= largest:
        raise ValueError(f"must be {smallest}..{largest}, got {value}")
    return int(value)


BUILT_IN = make_card_set(CARD_TABLE, "built-in cards")


def load(path: str | os.PathLike) -> CardSet:
    """The card set in a file, `.toml` or `.json`: a list `cards` of tables with the columns of `Card`.

    Raises ValueError that names file, card and field for anything wrong, also if the file cannot be read.
    """
    file = Path(path)
    readers = {".toml": (tomllib.loads, "TOML"), ".json": (json.loads, "JSON")}
    if file.suffix.lower() not in readers:
        raise ValueError(f"{file}: a card set must be a file named .toml or .json")
    read, language = readers[file.suffix.lower()]
    try:
        content = read(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{file}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:  # of the parsers and of UTF-8
        raise ValueError(f"{file}: is not valid {language}: {error}") from None
    if not isinstance(content, dict) or set(content) != {"cards"} or not isinstance(content["cards"], list):
        raise ValueError(f"{file}: must hold one list, 'cards', and nothing else")
    return make_card_set(content["cards"], str(file))


def export(path: str | os.PathLike, card_set: CardSet = BUILT_IN) -> None:
    """Write a card set to a `.toml` or `.json` file that `load` reads back unchanged; one line a card."""
    file = Path(path)
    if file.suffix.lower() not in (".toml", ".json"):
        raise ValueError(f"{file}: a card set must be a file named .toml or .json")
    equals = " = " if file.suffix.lower() == ".toml" else ": "
    lines = []
    for card in card_set:
        names = Card._fields if equals == " = " else [json.dumps(field) for field in Card._fields]
        values = [json.dumps(value, ensure_ascii=False) for value in card]  # these values read the same in TOML
        lines.append("  {" + ", ".join(f"{name}{equals}{value}" for name, value in zip(names, values)) + "}")
    body = ",\n".join(lines)
    if equals == " = ":
        note = "# Guild cards for Tree Society. Effects: " + ", ".join(effect_notations())
        content = f"{note}\ncards = [\n{body},\n]\n"
    else:
        content = f'{{"cards": [\n{body}\n]}}\n'
    file.write_text(content, encoding="utf-8")


COLUMNS = ("id", "guild", "banners", "costs", "points", "level 1", "level 2", "level 3", "copies")


def table_rows(card_set: CardSet = BUILT_IN) -> list[tuple[str, ...]]:
    """The card set as text, a row a design, for printing under `COLUMNS`."""
    return [
        (c.id, c.guild, str(c.banners), _slashed(c.costs), _slashed(c.points), *c.effects, str(c.copies))
        for c in card_set
    ]


def _slashed(numbers: Iterable[int]) -> str:
    return "/".join(map(str, numbers))
