"""What the shared suites need to know of Mushroom Kingdom: variants to test, and what is conserved."""

import numpy as np

from boardgames_env.mushroom_kingdom.cards import BOX, KINDS
from boardgames_env.mushroom_kingdom.rules import MYCELIUM, REMOVED

# Keyword arguments of `make`: every player count, several sizes, every value of every option.
VARIANTS = [
    {},
    {"board_size": 4, "reward": "score", "spores": 20, "seasons": 9, "absorb_edges": True},
    {"num_players": 3, "seasons": 4, "captured": "removed", "move_tiles": "stack"},
    {"num_players": 3, "seasons": 3, "absorb_mycelium": True, "dispute_includes_cell": True},
    {"num_players": 4, "seasons": 3, "spores": 5, "reward": "score"},
    {
        "num_players": 4,
        "board_size": 4,
        "seasons": 4,
        "move_tiles": "stack",
        "absorb_edges": True,
        "absorb_mycelium": True,
        "captured": "removed",
        "fertility_weights": (0.125, 0.5, 0.375),
    },
    {"num_players": 5, "seasons": 2, "dispute_includes_cell": True},
    {"num_players": 6, "seasons": 1, "reward": "score", "absorb_edges": True},
    {"num_players": 6, "board_size": 12, "seasons": 1},
]

# Name of a golden playthrough: arguments of `make`, seed, agent that plays it.
PLAYTHROUGHS = {
    "two_random": ({"seasons": 6}, 1, "random"),
    "four_greedy": ({"num_players": 4, "board_size": 5, "seasons": 3, "reward": "score"}, 2, "greedy"),
    "six_random": ({"num_players": 6, "seasons": 1, "board_size": 5}, 3, "random"),
}


def conserved(states):
    """Cards by kind over all places, and spores by seat (M17: those that return), int[B, KINDS + P]."""
    return np.concatenate([_cards(states), _spores(states)], axis=1)


def _cards(states):
    count = states["used"].astype(int) + states["lost"] + states["hand"].sum(axis=1)
    lies = np.arange(states["deck"].shape[1]) < states["deck_left"][:, None]
    for kind in range(KINDS):
        count[:, kind] += ((states["deck"] == kind) & lies).sum(axis=1)
    assert (count == BOX).all()
    return count


def _spores(states):
    loose = np.where(states["piece"] == MYCELIUM, 0, states["piece"]).astype(int)
    count = states["reserve"].astype(int)
    for seat in range(count.shape[1]):
        count[:, seat] += np.where(states["holder"] == seat, loose, 0).sum(axis=1)
    returned = states["captured"] != REMOVED
    assert (count[returned] == states["spores"][returned, None]).all()
    return count * returned[:, None]
