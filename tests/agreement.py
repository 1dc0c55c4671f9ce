"""Play a game against its independent reference, action by action."""

import numpy as np

import boardgames_env
from boardgames_agents.registry import make_agent
from boardgames_env.batch import Batch
from boardgames_env.game import action_names


def named_fields(game, record):
    """{field: nested lists} of an observation record, or of an array of them: then each list begins with the row."""
    return {
        name: np.asarray(record[part][name]).tolist()
        for part in game.observation.names
        for name in game.observation[part].names
    }


def _random(game, seed):
    return Batch.sample


def _partly_greedy(game, seed):
    """Each decision is random or the greedy agent's: games get to places where random play does not.

    The share of greedy decisions is another one in each game, from none to nearly all.
    """
    agent, rng = make_agent(game, "greedy"), np.random.default_rng(seed)

    def choose(batch, masks):
        actions = batch.sample(masks)
        shares = np.arange(batch.size) / batch.size
        rows = np.flatnonzero(~batch.over & (rng.random(batch.size) < shares))
        if len(rows):
            actions[rows] = agent.act(batch.turns(rows))
        return actions

    return choose


POLICIES = {"random": _random, "partly greedy": _partly_greedy}


def check_agreement(bridge, game, games, seed=0, policy="random"):
    """Compare legal actions, observations of all seats, returns and scores at every decision of many games.

    The policy is one of POLICIES or a function `policy(batch, masks) -> actions`. What chance does in play the
    reference is told: if the bridge defines `feed(ref, state)`, that is called with the state after each action, before
    the reference plays it.
    Returns the number of decisions compared.
    """
    batch = Batch(game, games, seed)
    choose = policy if callable(policy) else POLICIES[policy](game, seed)
    feed = getattr(bridge, "feed", None)
    names = list(action_names(game))
    references = [bridge.make_reference(game, batch.states[row]) for row in range(games)]
    decisions = 0
    going = list(range(games))  # games that were not over before
    while True:
        masks = batch.legal()
        views = [named_fields(game, batch.fields(batch.observe(seat))[going]) for seat in range(game.num_players)]
        for at, row in enumerate(going):
            ref = references[row]
            where = f"{game}, seed {batch.seeds[row]}, ply {batch.states.ply[row]}"
            assert bool(batch.over[row]) == ref.over, where
            legal = {names[action] for action in np.flatnonzero(masks[row])}
            assert legal == set(ref.legal_actions()), where
            for seat in range(game.num_players):
                ours, theirs = views[seat], bridge.reference_observation(ref, seat)
                assert ours.keys() == theirs.keys(), where
                for name in ours:
                    assert ours[name][at] == theirs[name], f"{where}, seat {seat}, field {name}"
            assert np.allclose(batch.returns[row], ref.returns(), atol=1e-5), where
        going = [row for row in going if not batch.over[row]]
        if not going:
            break
        actions = choose(batch, masks)
        batch.step(actions)
        for row in going:
            if feed:
                feed(references[row], batch.states[row])
            references[row].apply(names[actions[row]])
        decisions += len(going)
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
