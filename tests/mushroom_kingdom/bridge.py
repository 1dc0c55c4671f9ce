"""What the shared suites need to know of Mushroom Kingdom: variants to test, what is conserved, and the reference."""

import numpy as np

from boardgames_env.game import action_names
from boardgames_env.mushroom_kingdom.cards import BOX, KIND_NAMES, KINDS
from boardgames_env.mushroom_kingdom.rules import MYCELIUM, REMOVED
from tests.mushroom_kingdom import reference

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


def make_reference(game, s):
    """The reference game that starts from a freshly dealt state."""
    side, options = game.options.board_size, game.options._asdict()
    weights = options.pop("fertility_weights")
    start = {
        "fertility": np.reshape(s.fertility, (side, side)).tolist(),
        "starts": [_cell_of(s, seat, side) for seat in range(game.num_players)],
        "deck": [KIND_NAMES[kind] for kind in s.deck[: s.deck_left]],
        "first_player": int(s.first),
    }
    reference.check_set_up(options.pop("board_size"), game.num_players, weights, *list(start.values())[:3])
    return reference.Reference(**start, **options)


def _cell_of(s, seat, side):
    """Where the only spore of a player lies."""
    (cell,) = np.flatnonzero(s.holder == seat).tolist()
    assert s.piece[cell] == 1
    return divmod(cell, side)


def reference_observation(ref, seat):
    return ref.observation(seat)


def reference_scores(ref):
    return ref.scores()


# How much the verbs weigh in PreferRare; others and directions weigh 1.
WEIGHTS = {
    "sow": 4,
    "ferment": 6,
    "move": 0.3,
    "grow mycelium": 12,
    "absorb": 100,
    "play": 0.15,
    "destroy": 3,
    "destroy with three ordinary cards": 100,
}
CELL_WEIGHT = 0.3
SIEGE_WEIGHT = 20  # more for each neighbour with rival spores


class PreferRare:
    """A policy for `check_agreement`: legal actions by weight, so that what random play seldom does occurs.

    Cards weigh little, so that hands fill up and mycelium is there to destroy; rivals are surrounded.
    """

    def __init__(self, game, seed=0):
        self.side = game.options.board_size
        self.rng = np.random.default_rng(seed)
        self.names = action_names(game)
        self.weights = np.array([WEIGHTS.get(name, WEIGHTS.get(name.split()[0], 1)) for name in self.names])

    def __call__(self, batch, masks):
        first = self.names["cell 0,0"]
        weights = np.repeat(self.weights[None], len(masks), axis=0)
        weights[:, first : first + self.side**2] = self._cell_weights(batch.states)
        draws = self.rng.random(masks.shape) ** (1 / weights)  # the largest belongs to i as often as i weighs
        return np.where(masks, draws, -1.0).argmax(axis=1)

    def _cell_weights(self, states):
        owners, mine = states["holder"], states["player"][:, None]
        rivals = (owners >= 0) & (owners != mine) & (states["piece"] != MYCELIUM)
        padded = np.pad(rivals.reshape(-1, self.side, self.side).astype(int), ((0, 0), (1, 1), (1, 1)))
        beside = padded[:, :-2, 1:-1] + padded[:, 2:, 1:-1] + padded[:, 1:-1, :-2] + padded[:, 1:-1, 2:]
        free = ~rivals & (owners != mine)
        return CELL_WEIGHT + SIEGE_WEIGHT * free * beside.reshape(len(states), -1)
