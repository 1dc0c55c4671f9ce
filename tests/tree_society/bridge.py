"""What the shared suites need to know of Tree Society: variants to test, what is conserved, and the reference."""

from pathlib import Path

import numpy as np

from boardgames_env.tree_society import cards
from tests.tree_society import reference

SMALL_FILE = Path(__file__).with_name("small_cards.toml")
SMALL_SET = cards.load(SMALL_FILE)
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


def make_reference(game, s):
    """The reference game that starts from a freshly dealt state."""
    built_in = game.options.card_set == "built-in"
    card_set = reference.built_in_cards() if built_in else reference.cards_of_file(SMALL_FILE)
    ids = list(card_set)

    def spread(counts):
        return [fruit for fruit, count in zip(reference.FRUITS, counts, strict=True) for _ in range(count)]

    coins = game.options.start_coins
    return reference.Reference(
        cards=card_set,
        guilds=[guild for guild, used in zip(reference.GUILDS, s.in_play, strict=True) if used],
        kinds=[kind for kind, used in zip(reference.KINDS, s.kinds, strict=True) if used],
        fruit_deck=[reference.FRUITS[fruit] for fruit in s.fruit_deck[: s.fruit_left]],
        fruit_market=spread(s.fruit_market),
        deck=[ids[card] for card in s.deck[: s.deck_left]],
        market={place: ids[card] for place, card in zip(reference.PLACES, s.market, strict=True)},
        hands=[spread(hand) for hand in s.fruits[: game.num_players]],
        start_coins=coins if isinstance(coins, tuple) else [coins] * game.num_players,
        player=int(s.player),
        reward=game.options.reward,
        count_market=game.options.count_market,
        finish_round=game.options.finish_round,
    )


def feed(ref, s):
    """Tell the reference the order that the discards have if the next action shuffles them; s is the state after it."""

    def order(discards, gaps):
        ids = list(ref.cards)
        drawn = [s.market[reference.PLACES.index(place)] for place in gaps[: len(discards)]]
        return [ids[card] for card in (*s.deck[: s.deck_left], *reversed(drawn))]

    ref.shuffle = order


def reference_observation(ref, seat):
    return ref.observation(seat)


def reference_scores(ref):
    return ref.scores()
