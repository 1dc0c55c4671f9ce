"""What the shared suites need to know of Fungi: variants to test, what is conserved, and the reference."""

import numpy as np

from boardgames_env.fungi import cards
from boardgames_env.fungi.observation import COLUMNS, KNOWABLE
from tests.fungi import reference

# Keyword arguments of `make`: every player count and option, in few combinations.
VARIANTS = [{}, {"reward": "score"}, {"night_doubles_set": True}]

# Name of a golden playthrough: arguments of `make`, seed, agent that plays it.
PLAYTHROUGHS = {
    "random": ({}, 1, "random"),
    "greedy": ({"reward": "score"}, 2, "greedy"),
    "night_doubles_set": ({"night_doubles_set": True}, 3, "greedy"),
}


def conserved(states):
    """Cards by kind over all places, int[B, KINDS]: always what is in the box."""
    count = states["out"].astype(int)
    count[:, : cards.HAND_KINDS] += states["hand"].sum(axis=1)
    for pile in ("deck", "night", "forest", "decay"):
        lies = np.arange(states[pile].shape[1]) < states[f"{pile}_left"][:, None]
        for kind in range(cards.KINDS):
            count[:, kind] += ((states[pile] == kind) & lies).sum(axis=1)
    count[:, cards.PAN] += states["pans"].sum(axis=1)
    count[:, cards.BASKET] += states["baskets"].sum(axis=1)
    count[:, cards.FLY_AGARIC] += states["fly_agarics"].sum(axis=(1, 2))
    return count


def make_reference(game, s):
    """The reference game that starts from a freshly dealt state."""

    def listed(pile, left):
        return [cards.KIND_NAMES[kind] for kind in pile[:left]]

    def spread(counts):
        return [cards.KIND_NAMES[kind] for kind, count in enumerate(counts) for _ in range(count)]

    return reference.Reference(
        forest=listed(s.forest, s.forest_left),
        draw_pile=listed(s.deck, s.deck_left),
        night_pile=listed(s.night, s.night_left),
        hands=[spread(hand) for hand in s.hand],
        baskets=s.baskets.tolist(),
        out=spread(s.out),
        player=int(s.player),
        night_doubles_set=game.options.night_doubles_set,
        reward=game.options.reward,
    )


def reference_observation(ref, seat):
    """The reference's observation in the fields and columns of ours."""
    seen = ref.observation(seat)
    seen["forest"] = [[row[kind] for kind in COLUMNS] for row in seen["forest"]]
    seen["decay"] = [seen["decay"][kind] for kind in COLUMNS]
    seen["known"] = [[row[kind] for kind in COLUMNS[:KNOWABLE]] for row in seen["known"]]
    seen["fly_agarics"] = seen.pop("fly_agaric")
    return seen


def reference_scores(ref):
    return ref.score
