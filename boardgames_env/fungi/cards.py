"""Fungi: the cards, and the tables derived from them. Rule numbers are those of RULES.md."""

import numpy as np

# F1.  name               forest  night  flavour  sticks
MUSHROOM_TABLE = [
    ("honey fungus",          10,     1,      1,      1),
    ("tree ear",               8,     1,      1,      2),
    ("lawyer's wig",           6,     1,      2,      1),
    ("shiitake",               5,     1,      2,      2),
    ("hen of the woods",       5,     1,      3,      1),
    ("birch bolete",           4,     1,      3,      2),
    ("porcini",                4,     1,      3,      3),
    ("chanterelle",            4,     1,      4,      2),
    ("morel",                  3,     0,      6,      4),
]  # fmt: skip
OTHER_TABLE = [("butter", 3), ("cider", 3), ("pan", 13), ("basket", 5), ("moon", 8), ("fly agaric", 5)]

MUSHROOMS = len(MUSHROOM_TABLE)  # kinds 0 … 8, the day cards
NIGHTS = sum(night for _, _, night, _, _ in MUSHROOM_TABLE)  # kinds 9 … 16: the night card of kind k is NIGHT + k
NIGHT = MUSHROOMS
BUTTER = NIGHT + NIGHTS
CIDER = BUTTER + 1
PAN = CIDER + 1
HAND_KINDS = PAN + 1  # kinds 0 … 19 can be in a hand
BASKET = HAND_KINDS
MOON = BASKET + 1
FLY_AGARIC = MOON + 1
KINDS = FLY_AGARIC + 1

KIND_NAMES = [row[0] for row in MUSHROOM_TABLE]
KIND_NAMES += [f"night {row[0]}" for row in MUSHROOM_TABLE if row[2]]
KIND_NAMES += [name for name, _ in OTHER_TABLE]

# Cards in the box, by kind.
BOX = np.array([row[1] for row in MUSHROOM_TABLE] + [1] * NIGHTS + [count for _, count in OTHER_TABLE])
FLAVOUR = np.array([row[3] for row in MUSHROOM_TABLE])
STICKS = np.array([row[4] for row in MUSHROOM_TABLE])
BUTTER_FLAVOUR = 3
CIDER_FLAVOUR = 5

PANS_DEALT = 2  # F4: one in each display
FOREST_CARDS = int(BOX.sum()) - NIGHTS  # 86
DECK = FOREST_CARDS - PANS_DEALT  # 84, shuffled


# The most mushrooms that a set of each kind can have: all day cards, and two for the night card.
LARGEST_SET = np.array([row[1] + 2 * row[2] for row in MUSHROOM_TABLE])
