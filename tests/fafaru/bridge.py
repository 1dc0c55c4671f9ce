"""What the shared suites need to know of Fafaru: variants to test, and what is conserved."""

import numpy as np

from boardgames_env.fafaru import cards

# Keyword arguments of `make`: every player count and value of an option, in few combinations.
VARIANTS = [
    {},
    {"mode": "beginner"},
    {"num_players": 4, "simultaneous_bets": True, "caller_stake": 2, "reward": "score"},
    {"num_players": 5},
    {"num_players": 5, "mode": "beginner", "beginner_gecko_eats": False, "soyu": "never", "same_accuser_twice": False},
    {"num_players": 6, "claims": False, "tamaa_min_turn": 1, "caller_stake": 0},
    {"num_players": 7, "lid_rule": "before_fly", "pearl_cap": 3, "target_pearls": 2, "same_accuser_twice": False},
    {"num_players": 8, "lid_rule": "either", "fly_between": "trapped_first", "pearl_floor": -5, "caller_stake": 3},
    {"num_players": 9, "soyu": "never", "tamaa_min_turn": 2, "reward": "score"},
    {"num_players": 10, "simultaneous_bets": True, "pearl_cap": 20, "target_pearls": 20, "tamaa_min_turn": 5},
]

# Name of a golden playthrough: arguments of `make`, seed, agent that plays it.
PLAYTHROUGHS = {
    "three_aito": ({"target_pearls": 1}, 2, "greedy"),
    "three_beginner": ({"mode": "beginner", "target_pearls": 1}, 3, "random"),
    "five_aito": ({"num_players": 5, "target_pearls": 1}, 65, "random"),
    "five_beginner": ({"num_players": 5, "mode": "beginner", "target_pearls": 1}, 44, "greedy"),
    "eight_aito": ({"num_players": 8, "target_pearls": 1, "simultaneous_bets": True}, 498, "random"),
    "eight_beginner": ({"num_players": 8, "mode": "beginner", "target_pearls": 1, "reward": "score"}, 24, "random"),
}


def conserved(states):
    """Cards by kind over all places, int[B, KINDS]: always what is in the box."""
    count = states["out"].astype(int)
    count[:, : cards.SALADIER_KINDS] += states["hand"].sum(axis=1) + states["hidden"].sum(axis=1)
    for pile, size in (("deck", "deck_left"), ("maa", "maa_size")):
        lies = np.arange(states[pile].shape[1]) < states[size][:, None]
        for kind in range(cards.KINDS):
            count[:, kind] += ((states[pile] == kind) & lies).sum(axis=1)
    drawn = states["drawn"].view(np.ndarray)
    for kind in range(cards.SALADIER_KINDS):
        count[:, kind] += drawn == kind
    return count
