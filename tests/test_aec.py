"""The AEC environment: PettingZoo's own tests, its wrappers' behaviour, and copies in mid-game."""

import copy
import pickle
import time
import warnings

import numpy as np
import pettingzoo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils import wrappers

import boardgames_env
from boardgames_env import ActionError, fungi
from boardgames_env.testing import Batch

NAMES = [name for name, module in boardgames_env.GAMES.items() if module.startswith("boardgames_env.")]


def play(env, steps, seed=None):
    """Play random legal actions; returns all that is visible on the way."""
    if seed is not None:
        env.reset(seed=seed)
    rng, seen = np.random.default_rng(0), []
    for _ in range(steps):
        if not env.agents:
            break
        obs, reward, terminated, truncated, info = env.last()
        dead = terminated or truncated
        action = None if dead else int(rng.choice(np.flatnonzero(obs["action_mask"])))
        seen.append((env.agent_selection, {k: v.tobytes() for k, v in obs.items()}, reward, dead, info, action))
        env.step(action)
        seen.append((list(env.agents), dict(env.rewards), dict(env.terminations), dict(env.truncations)))
    return seen


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("maker", [boardgames_env.env, boardgames_env.raw_env])
def test_pettingzoo_api(name, maker):
    with warnings.catch_warnings():
        # A finished game has no legal actions; the test knows dict observations of its own games only.
        warnings.filterwarnings("ignore", "Action mask is all zeros")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        api_test(maker(name), num_cycles=200)


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_seed_and_render(name, capsys):
    seed_test(lambda: boardgames_env.env(name))
    render_test(lambda render_mode: boardgames_env.env(name, render_mode=render_mode))
    assert "Draw pile" in capsys.readouterr().out or name != "fungi"


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_registry(name):
    env = pettingzoo.make("aec", f"boardgames/{name}-v0")
    env.reset(seed=3)
    assert env.unwrapped is env and str(env) == f"{name}_v0"


def test_makers():
    assert fungi.env(reward="score").game.options.reward == "score"
    assert fungi.raw_env(num_players=2).game is boardgames_env.make("fungi")
    for call, message in [
        (lambda: fungi.env(3), "num_players must be 2"),
        (lambda: fungi.env(render_mode="rgb"), "render_mode must be one of"),
        (lambda: fungi.env(on_illegal="ignore"), "on_illegal must be"),
        (lambda: boardgames_env.env("chess"), "unknown game 'chess'; the games are"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


def wrapped():
    """What PettingZoo's documentation tells to put around a raw environment."""
    env = wrappers.TerminateIllegalWrapper(fungi.raw_env(), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


@pytest.mark.parametrize("seed", range(5))
def test_behaves_as_under_pettingzoo_wrappers(seed):
    ours, theirs = fungi.env(), wrapped()
    assert play(ours, 200, seed) == play(theirs, 200, seed)
    assert not ours.agents


@pytest.mark.parametrize("moves", [0, 1, 10])
def test_illegal_action_ends_the_game_as_under_pettingzoo_wrappers(moves, capsys):
    ours, theirs = fungi.env(), wrapped()
    for env in (ours, theirs):
        play(env, moves, seed=2)
    illegal = int(np.flatnonzero(ours.last()[0]["action_mask"] == 0)[0])
    offender = ours.agent_selection
    theirs.last()
    with pytest.warns(UserWarning, match=f"{offender} played .* is not legal; the game ends"):
        ours.step(illegal)
    theirs.step(illegal)
    for name in ("agents", "rewards", "terminations", "truncations", "agent_selection", "_cumulative_rewards"):
        assert getattr(ours, name) == getattr(theirs.unwrapped, name), name
    assert ours.rewards[offender] == -1
    for _ in range(2):
        assert ours.last()[1:] == theirs.last()[1:]
        ours.step(None)
        theirs.step(None)
    assert ours.agents == theirs.agents == []


def test_illegal_action_can_raise_and_changes_nothing():
    env = fungi.env(on_illegal="raise")
    play(env, 4, seed=1)
    before = env.save()
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(ActionError, match="is not legal"):
        env.step(illegal)
    assert env.save() == before


@pytest.mark.parametrize("action", [221, -1, 1.0, "0", None, [0], np.float32(0)])
def test_actions_outside_the_space(action):
    env = fungi.env()
    env.reset(seed=1)
    before = env.save()
    with pytest.raises(AssertionError, match=r"action is not in action space: fungi takes integers in 0\.\.220, got"):
        env.step(action)
    assert env.save() == before


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint8])
def test_actions_of_any_integer_type(kind):
    env = fungi.env()
    env.reset(seed=1)
    env.step(kind(0))
    assert env.state().tobytes() != fungi.env().game.template.tobytes()


def test_dead_agents_take_none_only():
    env = fungi.env()
    play(env, 1000, seed=1)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(0)
    env.step(None)
    env.step(None)
    with pytest.warns(UserWarning, match="call reset"):
        env.step(None)


def test_order_is_enforced():
    env = fungi.env(render_mode="ansi")
    for name in ("agents", "rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents"):
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(env, name)
    for call in (
        lambda: env.step(0),
        lambda: env.observe("player_0"),
        lambda: env.render(),
        lambda: env.state(),
        lambda: env.save(),
        lambda: env.agent_iter(),
    ):
        with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before"):
            call()
    env.reset(seed=0)
    with pytest.raises(AssertionError, match="need to call step"):
        for _ in env.agent_iter():
            pass
    with pytest.raises(ValueError, match="unknown agent 'player_2'; the agents are: player_0, player_1"):
        env.observe("player_2")
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = env.nonsense


@pytest.mark.parametrize("seed", [1.5, "1", -1, True])
def test_bad_seed_leaves_the_game(seed):
    env = fungi.env()
    play(env, 5, seed=1)
    before = env.save()
    with pytest.raises(ValueError, match="seed must be an integer"):
        env.reset(seed=seed)
    assert env.save() == before


def test_reset_without_seed_goes_on_from_the_earlier_stream():
    games = []
    for _ in range(2):
        env = fungi.env()
        play(env, 7, seed=5)
        env.reset()
        games.append((env.seed, env.state().tobytes()))
    assert games[0] == games[1] and games[0][0] != 5
    batch = Batch(env.game, 1, seed=games[0][0])
    assert batch.states.tobytes() == games[0][1]
    fresh = fungi.env()
    fresh.reset()
    other = fungi.env()
    other.reset()
    assert fresh.seed != other.seed


COPIES = {
    "clone": lambda env: env.clone(),
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("name", COPIES)
@pytest.mark.parametrize("maker", [fungi.env, fungi.raw_env])
def test_copies_play_on_alike_and_apart(name, maker):
    env = maker()
    play(env, 20, seed=4)
    twin, before = COPIES[name](env), env.save()
    first = play(twin, 200)
    assert env.save() == before
    assert play(env, 200) == first
    twin.reset()
    env.reset()
    assert twin.state().tobytes() == env.state().tobytes()


def test_deepcopy_keeps_the_seeding_of_spaces():
    env = fungi.env()
    env.reset(seed=1)
    env.action_space("player_0").seed(7)
    twin = copy.deepcopy(env)
    draws = [space.action_space("player_0").sample() for space in (env, twin)]
    assert draws[0] == draws[1]
    assert env.action_space("player_0") is not twin.action_space("player_0")


@pytest.mark.parametrize("moves", [0, 20, 52, 1000])
def test_save_and_restore_in_mid_game(moves):
    env = fungi.env()
    play(env, moves, seed=4)
    saved = env.save()
    first = play(env, 300)
    env.restore(saved)
    assert env.save() == saved
    assert play(env, 300) == first
    other = fungi.env()
    other.restore(saved)
    assert play(other, 300) == first


SAVED = fungi.env()
play(SAVED, 20, seed=4)
BYTES = SAVED.save()


def refused(data, message=None):
    env = fungi.env()
    play(env, 3, seed=1)
    before = env.save()
    with pytest.raises(ValueError, match=message):
        env.restore(data)
    assert env.save() == before


def test_foreign_bytes_are_refused():
    refused(b"", "not bytes of save")
    refused("text", "takes the bytes of save")
    refused(BYTES[:-1], "damaged or cut off")
    refused(BYTES + b"\0", "damaged or cut off")
    scored = fungi.env(reward="score")
    scored.reset(seed=1)
    refused(scored.save(), 'saved from .*"score".*, this is .*"win"')


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(BYTES) - 1), st.integers(1, 255), st.integers(0, len(BYTES)))
def test_damaged_bytes_are_refused(position, change, cut):
    damaged = bytearray(BYTES)
    damaged[position] ^= change
    refused(bytes(damaged))
    if cut < len(BYTES):
        refused(BYTES[:cut])


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_random_bytes_are_refused(data):
    refused(data)


def test_fields_and_masks_of_both_seats():
    env = fungi.env()
    env.reset(seed=3)
    acting, waiting = env.agent_selection, next(a for a in env.agents if a != env.agent_selection)
    assert env.observe(acting)["action_mask"].any() and not env.observe(waiting)["action_mask"].any()
    assert env.fields(acting).public.acting == 1 and env.fields(waiting).public.acting == 0
    assert env.fields(acting).private.hand.sum() == env.fields(waiting).public.hand_size[1]
    assert env.unwrapped is env


def test_information_leaks_nowhere_else():
    """infos stay empty, and the message for an illegal action does not depend on hidden cards."""
    messages = set()
    for seed in range(3):
        env = fungi.env(on_illegal="raise")
        env.reset(seed=seed)
        assert all(info == {} for info in env.infos.values())
        with pytest.raises(ActionError) as caught:
            env.step(boardgames_env.action_id(env.game, "place pan") + 1 + 16)  # discarding is never legal at first
        messages.add(str(caught.value).replace("player_1", "player_0"))
    assert len(messages) == 1


def test_a_clone_is_cheap():
    """Not a timing of anything in particular: a gross regression (a new compilation, say) would show."""
    env = fungi.env()
    env.reset(seed=1)
    env.clone()
    start = time.perf_counter()
    for _ in range(100):
        env.clone()
    assert time.perf_counter() - start < 1.0
