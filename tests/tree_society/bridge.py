"""What the shared suites need to know of Tree Society: variants to test, what is conserved, playthroughs."""

from pathlib import Path

import numpy as np

from boardgames_env.tree_society import cards

SMALL_SET = cards.load(Path(__file__).with_name("small_cards.toml"))
FOUR_GUILDS = ("architects", "writers", "merchants", "explorers")

# Keyword arguments of `make`: every player count and option, in few combinations.
VARIANTS = [
    {"num_players": 2},
    {"num_players": 2, "card_set": SMALL_SET, "start_coins": 6},
    {"num_players": 3, "reward": "score", "count_market": True, "guilds": FOUR_GUILDS},
    {"num_players": 4, "finish_round": False, "start_coins": (2, 3, 4, 5)},
]

# Name of a golden playthrough: arguments of `make`, seed, agent that plays it. Coins at the start make short games.
PLAYTHROUGHS = {
    "two_players": ({"num_players": 2, "start_coins": 50}, 252, "greedy"),
    "three_players": ({"num_players": 3, "start_coins": 50, "count_market": True}, 109, "greedy"),
    "four_players": ({"num_players": 4, "start_coins": 50, "reward": "score", "finish_round": False}, 376, "greedy"),
    "small_card_set": ({"num_players": 2, "start_coins": 30, "card_set": SMALL_SET}, 170, "greedy"),
}


def conserved(states):
    """Fruits, then guild cards, counted over all places: int[B, FRUITS + DESIGNS]."""
    fruits = states["fruit_market"] + states["fruits"].sum(axis=1) + states["sold"].sum(axis=1)
    designs = states["discards"] + states["completed"].sum(axis=1)
    for card in range(cards.DESIGNS):
        designs[:, card] += (states["market"] == card).sum(axis=1) + (states["progress"] == card).sum(axis=(1, 2))
    return np.concatenate(
        [
            fruits + _in_deck(states, "fruit_deck", "fruit_left", cards.FRUITS),
            designs + _in_deck(states, "deck", "deck_left", cards.DESIGNS),
        ],
        axis=1,
    )


def _in_deck(states, deck, left, kinds):
    lies = np.arange(states[deck].shape[1]) < states[left][:, None]
    assert (states[deck][~lies] == 0).all(), "cards linger behind the end of a deck"
    return np.stack([((states[deck] == kind) & lies).sum(axis=1) for kind in range(kinds)], axis=1)
