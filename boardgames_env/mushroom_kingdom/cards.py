"""Mushroom Kingdom: the cards, and the tables derived from them. Rule numbers are those of RULES.md."""

import numpy as np

# M4.  family   ordinary  strengthened
FAMILY_TABLE = [
    ("agaric",         8,            2),
    ("morel",          8,            2),
    ("polypore",       8,            2),
    ("puffball",       8,            2),
]  # fmt: skip

FAMILIES = len(FAMILY_TABLE)
KINDS = 2 * FAMILIES  # the kind of an ordinary card is its family, of a strengthened one STRONG + its family
STRONG = FAMILIES
AGARIC, MOREL, POLYPORE, PUFFBALL = range(FAMILIES)

KIND_NAMES = [row[0] for row in FAMILY_TABLE] + [f"strengthened {row[0]}" for row in FAMILY_TABLE]
BOX = np.array([row[1] for row in FAMILY_TABLE] + [row[2] for row in FAMILY_TABLE])  # cards by kind
DECK = int(BOX.sum())  # 40
HAND_LIMIT = 3
