"""Play a game against its independent reference, action by action."""

import numpy as np

import boardgames_env
from boardgames_env.batch import Batch
from boardgames_env.game import action_names


def named_fields(game, record):
    """{field: nested lists} of an observation record."""
    return {
        name: np.asarray(record[part][name]).tolist()
        for part in game.observation.names
        for name in game.observation[part].names
    }


def check_agreement(bridge, game, games, seed=0):
    """Compare legal actions, observations of all seats, returns and scores at every decision of random games.

    What chance does in play the reference is told: if the bridge defines `feed(ref, state)`, that is called with the
    state after each action, before the reference plays it.
    Returns the number of decisions compared.
    """
    batch = Batch(game, games, seed)
    feed = getattr(bridge, "feed", None)
    names = list(action_names(game))
    references = [bridge.make_reference(game, batch.states[row]) for row in range(games)]
    decisions = 0
    while True:
        masks = batch.legal()
        views = [batch.fields(batch.observe(seat)) for seat in range(game.num_players)]
        for row, ref in enumerate(references):
            where = f"{game}, seed {batch.seeds[row]}, ply {batch.states.ply[row]}"
            assert bool(batch.over[row]) == ref.over, where
            legal = {names[action] for action in np.flatnonzero(masks[row])}
            assert legal == set(ref.legal_actions()), where
            for seat in range(game.num_players):
                ours, theirs = named_fields(game, views[seat][row]), bridge.reference_observation(ref, seat)
                assert ours.keys() == theirs.keys(), where
                for name in ours:
                    assert ours[name] == theirs[name], f"{where}, seat {seat}, field {name}"
            assert np.allclose(batch.returns[row], ref.returns(), atol=1e-5), where
        if batch.over.all():
            break
        actions = batch.sample(masks)
        batch.step(actions)
        for row, ref in enumerate(references):
            if not ref.over:
                if feed:
                    feed(ref, batch.states[row])
                ref.apply(names[actions[row]])
                decisions += 1
    scores = game.scores(batch.states)
    for row, ref in enumerate(references):
        assert np.allclose(scores[row], bridge.reference_scores(ref)), f"{game}, seed {batch.seeds[row]}"
    return decisions


def bridge_of(name):
    """The module tests/<game>/bridge.py."""
    import importlib

    return importlib.import_module(f"tests.{name}.bridge")


def all_variants():
    """(name of the game, arguments of make) of everything that the shared suites run on."""
    return [
        (name, variant)
        for name in boardgames_env.GAMES
        if boardgames_env.GAMES[name].startswith("boardgames_env.")
        for variant in bridge_of(name).VARIANTS
    ]


def variant_id(value):
    if isinstance(value, dict):
        return "-".join(f"{k}={v}" for k, v in value.items()) or "default"
    return str(value)
