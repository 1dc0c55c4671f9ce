"""What the shared suites need to know of Fafaru: variants to test, what is conserved, and the reference."""

import numpy as np

from boardgames_env.fafaru import cards, rules
from tests.fafaru import reference

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


def make_reference(game, s):
    """The reference game that comes to this first decision; what was drawn before it is put back."""
    n = game.num_players
    opening = drawn_before(s)
    turns = len(opening) + (s.phase == rules.CALL)  # begun so far
    passes = opening.count("PETEA")
    hands = s.hand[:n].tolist()
    return reference.Reference(
        draw_pile=[cards.CODES[kind] for kind in s.deck[: s.deck_left]] + opening[::-1],
        hands=[spread(hands[(seat + passes) % n]) for seat in range(n)],
        player=(int(s.player) - (turns - 1)) % n,
        deal_roles=roles_of(s),
        shuffle=order_of(s),
        **game.options._asdict(),
    )


def drawn_before(s):
    """Cards drawn before the first decision, in an order that leads to this state.

    The ma'a is empty, so that of the order matters only which card came last, and how long ago the dog came.
    """
    action_cards = [cards.CODES[kind] for kind in range(cards.SALADIER_KINDS, cards.KINDS) for _ in range(s.out[kind])]
    last = [card for card in action_cards if card in ("TUPA", "VERI")]
    others = [card for card in action_cards if card not in ("TUPA", "VERI", "URI")]
    if s.drawn != rules.NONE:
        last = [cards.CODES[s.drawn]]
    if "URI" in action_cards:
        since = int(s.turns.sum()) - (s.phase == rules.CALL) - len(last)
        others.insert(len(others) - since, "URI")
    return others + last


def spread(counts):
    return [cards.CODES[kind] for kind, count in enumerate(counts) for _ in range(count)]


def feed(ref, s):
    """Tell the reference what chance does in its next action; s is the state after it."""
    ref.deal_roles = roles_of(s)
    ref.shuffle = order_of(s)


def roles_of(s):
    def deal_roles(ref, dog):
        roles = [cards.ROLE_NAMES[role] for role in s.role[: ref.n]]
        if dog and not s.over and "Soyu" in roles:  # a round that has gone by: all that is left of it is whom it spared
            spared = [seat for seat in ref.seats if s.pearls[seat] == ref.pearls[seat]]
            soyu = max(spared, key=lambda seat: ref.pearls[seat])  # who was at the floor may be another
            other = roles.index("Soyu")
            roles[soyu], roles[other] = roles[other], roles[soyu]
        return roles

    return deal_roles


def order_of(s):
    def shuffle(maa):
        gone = s.maa_size == 0  # cleared away in the same action, before anybody could look
        return maa if gone else [cards.CODES[kind] for kind in s.maa[: s.maa_size]]

    return shuffle


def reference_observation(ref, seat):
    return ref.observation(seat)


def reference_scores(ref):
    return ref.pearls
