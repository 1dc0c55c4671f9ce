"""Fafaru: the cards and the roles. Rule numbers are those of RULES.md."""

import numpy as np

# K1.  name              code   cards  number
SALADIER_TABLE = [
    ("ra (sun)",        "SUN",     10,     -1),
    ("ra'o (fly)",      "FLY",     14,     -2),
    ("mo'o (gecko)",    "MOO",     10,      0),
    ("glace (ice box)", "ICE",     10,      2),
    ("tapo'i (lid)",    "LID",     14,      1),
    ("tiki",            "TIKI",     3,      4),
    ("fa'a ea (stop)",  "FAA",     20,      0),
]  # fmt: skip
ACTION_TABLE = [
    ("pua'a (pig)",        "PUAA",  6),
    ("moa (rooster)",      "MOA",   3),
    ("tupa (crab)",        "TUPA",  3),
    ("'uri (dog)",         "URI",   1),
    ("petea (tropicbird)", "PETEA", 3),
    ("veri (centipede)",   "VERI",  3),
]  # fmt: skip

SUN, FLY, MOO, ICE, LID, TIKI, FAA = range(7)
PUAA, MOA, TUPA, URI, PETEA, VERI = range(7, 13)
SALADIER_KINDS = len(SALADIER_TABLE)  # kinds 0 … 6 come into hands and into the ma'a
KINDS = SALADIER_KINDS + len(ACTION_TABLE)

CODES = [row[1] for row in SALADIER_TABLE + ACTION_TABLE]
BOX = np.array([row[2] for row in SALADIER_TABLE + ACTION_TABLE])  # cards in the box, by kind
NUMBERS = np.array([row[3] for row in SALADIER_TABLE])  # what a card counts by itself
SALADIER_CARDS = int(BOX[:SALADIER_KINDS].sum())  # 81
DECK = int(BOX.sum())  # 100
HAND = 3  # K4

MAX_PLAYERS = 10
MIN_PLAYERS = 3
LARGEST_MAA = SALADIER_CARDS - HAND * MIN_PLAYERS  # 72: every saladier card drawn is put into one ma'a

# K2. Fermented roles by number of players, the Soyu among them.
FERMENTED_ROLES = np.array([0, 0, 0, 1, 2, 2, 3, 3, 4, 4, 4])
FRESH, FERMENTED, SOYU = range(3)
ROLE_NAMES = ["fresh", "fermented", "Soyu"]
