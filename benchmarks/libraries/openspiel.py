"""OpenSpiel from Python: its C++ games a step at a time, and for Leduc its C++ recorder of whole batches."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from libraries.common import LEDUC, Row, row, timed

LIBRARY = "OpenSpiel"
GAMES = {
    "leduc_poker": LEDUC,
    "hanabi": "Hanabi, 2 players",
    "gin_rummy": "Gin rummy",
    "backgammon": "Backgammon",
    "crazy_eights": "Crazy eights",
}
WIDE = 64  # from this many actions on a mask in NumPy is faster than OpenSpiel's list
BATCHES = (1024, 4096, 16384)

HOW = """\
Python over its C++ games, the usual way to use it, on one core. For the player to act an `Observer` writes the tensor
into a NumPy array: the information state where the game offers that, else the observation. The mask is
`legal_actions_mask`, or for games of more than 64 actions, where that list is slow, a NumPy array filled from
`legal_actions`; then `random.choice` of `legal_actions`, and `apply_action`. Chance nodes are sampled too, by
`random.choice` where their outcomes are equally likely, and are not counted as steps. For Leduc also
`record_batched_trajectories`: whole batches within C++, with a mask and the number of the information state for each
step, but no tensor."""


def measure(quick: bool) -> Iterator[Row]:
    import pyspiel

    for name, title in GAMES.items():
        yield row(LIBRARY, title, "Python, step by step", 1, timed(stepwise(pyspiel.load_game(name)), quick))
    yield recorded(quick)


def stepwise(game: Any) -> Callable[[int], int]:
    write = observer(game)
    mask, chance, choice = mask_maker(game), chance_sampler(game), random.choice

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            state = game.new_initial_state()
            while True:
                player = state.current_player()
                if player >= 0:
                    write(state, player)
                    mask(state)
                    state.apply_action(choice(state.legal_actions()))
                    done += 1
                elif state.is_chance_node():
                    state.apply_action(chance(state))
                else:
                    break
            state.returns()
        return done

    return play


def observer(game: Any) -> Callable[[Any, int], None]:
    import pyspiel
    from open_spiel.python.observation import make_observation

    full = (
        pyspiel.IIGObservationType(perfect_recall=True) if game.get_type().provides_information_state_tensor else None
    )
    return make_observation(game, full).set_from


def mask_maker(game: Any) -> Callable[[Any], Any]:
    import numpy as np

    if game.num_distinct_actions() <= WIDE:
        return lambda state: state.legal_actions_mask()

    def mask(state: Any) -> Any:
        filled = np.zeros(game.num_distinct_actions(), np.int8)
        filled[state.legal_actions()] = 1
        return filled

    return mask


def chance_sampler(game: Any) -> Callable[[Any], int]:
    """The quickest exact way: a glance at some games tells whether all outcomes of chance are equally likely."""
    if all(equally_likely(game) for _ in range(20)):
        choice = random.choice
        return lambda state: choice(state.legal_actions())
    return weighted


def weighted(state: Any) -> int:
    actions, weights = zip(*state.chance_outcomes())
    return random.choices(actions, weights)[0]


def equally_likely(game: Any) -> bool:
    state, equal = game.new_initial_state(), True
    while not state.is_terminal():
        if state.is_chance_node():
            weights = [weight for _, weight in state.chance_outcomes()]
            equal = equal and max(weights) - min(weights) < 1e-9
            state.apply_action(weighted(state))
        else:
            state.apply_action(random.choice(state.legal_actions()))
    return equal


def recorded(quick: bool) -> Row:
    """Leduc by `record_batched_trajectories`, at the best size of batch."""
    import numpy as np
    import pyspiel

    game = pyspiel.load_game("leduc_poker")
    known = information_states(game.new_initial_state(), {})
    policy = pyspiel.TabularPolicy({key: [(a, 1 / len(legal)) for a in legal] for key, legal in known.items()})
    index = {key: number for number, key in enumerate(known)}

    def recorder(size: int) -> Callable[[int], int]:
        def play(steps: int) -> int:
            done = 0
            while done < steps:
                seed = random.randrange(2**31)
                batch = pyspiel.record_batched_trajectories(
                    game, [policy, policy], index, size, False, seed, game.max_game_length()
                )
                done += int(np.sum(batch.valid))
            return done

        return play

    rates = {size: timed(recorder(size), quick) for size in BATCHES}
    best = max(rates, key=lambda size: rates[size].median)
    form = f"recorded in C++ without tensors, {best} games"
    return row(LIBRARY, LEDUC, form, 1, rates[best], best_of=f"batches {', '.join(map(str, BATCHES))}")


def information_states(state: Any, known: dict) -> dict:
    """{information state: legal actions} of a whole game."""
    if not state.is_terminal():
        if not state.is_chance_node():
            known.setdefault(state.information_state_string(), state.legal_actions())
        for action in state.legal_actions():
            information_states(state.child(action), known)
    return known
