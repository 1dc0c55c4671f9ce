"""Guards against gross losses of speed that time nothing: recompilation, allocation, Python calls a step.

Seconds depend on the machine and on what else runs there; these numbers do not. benchmarks/ measures the seconds.
"""

import sys
import tracemalloc
from collections import Counter

import numpy as np
import pytest
from numba.core import types
from numba.core.errors import TypingError

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.personalities import personalities
from boardgames_agents.policy import shipped_players
from boardgames_env import Batch, compiled, jit
from boardgames_env.gym import Table
from boardgames_env.kernels import kernels
from tests import tiny

GAMES = [name for name, module in boardgames_env.GAMES.items() if module.startswith("boardgames_env.")]
compiled_only = pytest.mark.skipif(jit.DISABLED, reason="about compiled code, and nothing is compiled")


# --- Compiled code ------------------------------------------------------------------------------------------


def use_every_form(game):
    batch = Batch(game, 2000, threads=2)
    batch.legal(), batch.observe(), batch.observe(0), batch.observe(np.zeros(2000, np.int8))
    actions = batch.sample()
    batch.step(actions)
    batch.step(batch.sample()[:10].tolist(), rows=range(10))
    batch.step(batch.sample().astype(np.int16)[::-1][::-1], check=False)
    batch.turns().sample(2)
    batch.turns([3, 1]).sample(1, seed=5)
    batch.reset([0, 1])
    batch.reset(batch.over.copy(), seed=3)
    batch.copy().playout()
    batch.rollout(3)
    env = boardgames_env.aec.CheckedEnv(game)
    env.reset(seed=1)
    for _ in range(5):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    env.restore(env.save())
    env.clone().reset()
    env.observe(env.possible_agents[-1])


def records_of(signature):
    """The kinds of states and observations; those of another number of players may be others."""
    return tuple(str(a.dtype) for a in signature if isinstance(getattr(a, "dtype", None), types.Record))


@compiled_only
@pytest.mark.parametrize("name", GAMES)
def test_each_kernel_is_compiled_once_for_a_kind_of_state(name):
    """Another layout, a read-only array or an integer of another width would compile everything again, seconds each."""
    game = boardgames_env.make(name)
    use_every_form(game)
    for kernel_name, kernel in vars(kernels(game)).items():
        kinds = Counter(records_of(signature) for signature in kernel.signatures)
        assert kinds and set(kinds.values()) == {1}, (kernel_name, kernel.signatures)


@compiled_only
@pytest.mark.parametrize("name", GAMES)
def test_games_do_not_allocate(name):
    """Without allocation nobody counts references to arrays: a quarter of the time of a step."""
    game = boardgames_env.make(name)
    use_every_form(game)
    for kernel_name, kernel in vars(kernels(game)).items():
        assert kernel.signatures and not kernel.counts, kernel_name


@compiled_only
@pytest.mark.parametrize("name", GAMES)
def test_compiled_agents_do_not_allocate(name):
    """One that does is compiled twice at its first move, without counting and with, and then plays slower."""
    game = boardgames_env.make(name, shipped_players(name)[0])
    for agent_name in ["random", "greedy", "policy", "policy:sample=1", *personalities(name)]:
        agent = make_agent(game, agent_name)
        agent.act(Batch(game, 2, seed=1).turns())
        Table(game, 40, agent, seat=1)
        kernels = (compiled.acting(agent), compiled.playing(agent, game))
        assert all(kernel.signatures and not kernel.counts for kernel in kernels), agent_name


@jit.jit
def legal_with_an_array(s, mask):
    counts = np.zeros(3, np.int64)
    counts[s.player] = 1
    mask[:] = counts[s.player]


@compiled_only
def test_a_game_that_allocates_works_and_is_found_out():
    game = tiny.make()
    quick, slow = Batch(game, 2), Batch(game._replace(legal=legal_with_an_array), 2)
    assert (quick.legal() == slow.legal()).all()
    assert not quick._kernels.legal_rows.counts and slow._kernels.legal_rows.counts


@jit.jit
def legal_that_is_wrong(s, mask):
    mask[:] = s.ply.no_such_thing


@compiled_only
def test_a_game_that_does_not_compile_says_why():
    with pytest.raises(TypingError, match="no_such_thing"):
        Batch(tiny.make()._replace(legal=legal_that_is_wrong), 2).legal()


@jit.jit
def times_two(x):
    return x + x


def twice(numbers, narrow):
    for i in range(len(numbers)):
        numbers[i] = times_two(numbers[i]) + times_two(narrow[i]) + times_two(1)


@compiled_only
def test_helpers_are_compiled_once_for_all_widths_of_integers():
    numbers = np.arange(3)
    jit.kernel(twice, "test-widths", allocates=False)(numbers, np.array([1, 2, 100], np.int8))
    assert numbers.tolist() == [4, 8, 206]
    assert times_two.signatures == []  # no wrapper for calls from Python
    assert times_two(21) == 42 and len(times_two.signatures) == 1


def with_scratch(out):
    for i in range(len(out)):
        counts, shares = jit.scratch(5), jit.scratch_floats(2)
        out[i] = counts.sum() + len(counts) + shares.sum() + len(shares)
        counts[i] = 1
        shares[1] = 0.5 + shares[0]


def test_scratch_is_zero_every_time():
    out = np.zeros(3, np.int64)
    jit.kernel(with_scratch, "test-scratch", allocates=False)(out)
    assert out.tolist() == [7, 7, 7]


# --- Python around it ---------------------------------------------------------------------------------------


def calls_of(work):
    """How many functions, of Python and of C, are called by `work()`."""
    count = 0

    def profile(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def calls_of_a_batched_step(rows):
    batch = Batch(boardgames_env.make("fungi"), rows)
    mask, obs = batch.legal(), batch.observe()

    def work():
        batch.legal(out=mask)
        batch.observe(out=obs)
        batch.step(batch.sample(mask))

    work()
    return calls_of(work)


@compiled_only
def test_calls_of_a_batched_step_do_not_grow_with_the_batch():
    few, many = calls_of_a_batched_step(64), calls_of_a_batched_step(4096)
    assert few == many <= 70


@compiled_only
def test_memory_of_a_batched_step_is_what_it_returns():
    rows, game = 20_000, boardgames_env.make("fungi")
    batch = Batch(game, rows)
    actions = batch.sample()
    batch.step(actions)
    actions = batch.sample()
    tracemalloc.start()
    batch.step(actions)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak <= rows * 4 * game.num_players + 20_000  # float32 rewards, and small things


@compiled_only
@pytest.mark.parametrize(("make_env", "bound"), [(boardgames_env.env, 28), (boardgames_env.raw_env, 20)])
def test_calls_of_an_aec_step(make_env, bound):
    """The whole cost of AEC is Python's: a wrapper more would show here."""
    env = make_env("fungi")
    env.reset(seed=3)

    def work():
        observation = env.last()[0]
        env.step(int(observation["action_mask"].argmax()))

    work()
    assert max(calls_of(work) for _ in range(10)) <= bound
