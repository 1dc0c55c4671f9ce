"""Compiled agents: they play on in a kernel as they would when asked for each decision."""

import itertools

import numpy as np
import pytest

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.policy import Layer, Network, PolicyAgent
from boardgames_env import ActionError, Batch, CompiledAgent, RandomAgent, jit
from boardgames_env.compiled import play_on, plays_on
from boardgames_env.gym import Table
from tests import tiny

pytestmark = pytest.mark.modes
BUILT_IN = [name for name, module in boardgames_env.GAMES.items() if module.startswith("boardgames_env.")]


@jit.jit
def last_legal(obs, mask, offset):
    """The last legal action, more or less."""
    action = 0
    for other in range(len(mask)):
        if mask[other]:
            action = other
    return action + offset[0]


def last(offset=0):
    return CompiledAgent(last_legal, "last", np.array([offset]))


def asked(agent, batch, rows, seating, number):
    """The same as `play_on`, decision by decision."""
    rows = rows[~batch.over[rows]]
    while len(mine := rows[seating[rows, batch.player[rows]] == number]):
        batch.step(agent.act(batch.turns(mine)), mine)
        rows = rows[~batch.over[rows]]


CASES = [("tiny", "last"), ("fungi", "last"), *((name, "greedy") for name in BUILT_IN)]


@pytest.mark.parametrize(("name", "who"), CASES, ids=[f"{name}-{who}" for name, who in CASES])
def test_playing_on_is_what_acting_would_have_been(name, who):
    game = tiny.make() if name == "tiny" else boardgames_env.make(name)
    agent = last() if who == "last" else make_agent(game, who)
    batch, rng = Batch(game, 6, seed=3), np.random.default_rng(0)
    for _ in range(6):
        batch.step(batch.sample())
    seating = rng.integers(2, size=(6, game.num_players))
    rows, twin, before = np.array([5, 0, 2]), batch.copy(), batch.states.copy()
    play_on(agent, batch, rows, seating, 1)
    asked(agent, twin, rows, seating, 1)
    assert batch.states.tobytes() == twin.states.tobytes()
    assert (batch.states[[1, 3, 4]] == before[[1, 3, 4]]).all() and (batch.states != before).any()
    going = rows[~batch.over[rows]]
    assert (seating[going, batch.player[going]] == 0).all()


@pytest.mark.parametrize(("offset", "said"), [(1, "action 2 is not in 0..1"), (-5, "action -4 is not in 0..1")])
def test_something_illegal_is_named_and_not_played(offset, said):
    batch = Batch(tiny.make(), 4, seed=1)
    before = batch.states.tobytes()
    with pytest.raises(ActionError, match=f"tiny: nothing was played. row 2: {said}"):
        play_on(last(offset), batch, np.array([2, 0]), np.zeros((4, 2), np.int64), 0)
    assert batch.states.tobytes() == before
    with pytest.raises(ActionError, match=f"nothing was played. row .*{said}"):
        Table(tiny.make(), 4, last(offset), seat=1)


def test_a_function_that_is_not_compiled_is_refused():
    for wrong in (3, None) if jit.DISABLED else (3, None, asked):
        with pytest.raises(ValueError, match=r"choose must be a function under boardgames_env.jit.jit, got "):
            CompiledAgent(wrong, "wrong")


def test_who_has_an_act_of_its_own_is_asked():
    class Counting(RandomAgent):
        asked = 0

        def act(self, turns):
            self.asked += len(turns.seat)
            return super().act(turns)

    agent = Counting(1)
    assert plays_on(RandomAgent()) and plays_on(last()) and not plays_on(agent)
    table = Table(tiny.make(), 30, agent, seat=0)
    table.step(table.mask.argmax(1))
    assert agent.asked == table.batch.states.ply.sum() - 30


def test_random_agents_draw_evenly_and_anew_from_a_seed():
    turns = Batch(boardgames_env.make("fungi"), 1, seed=2).turns()
    many = turns._replace(obs=np.repeat(turns.obs, 6000).view(np.recarray), mask=np.repeat(turns.mask, 6000, 0))
    agent = RandomAgent(4)
    first = agent.act(many)
    legal = np.flatnonzero(turns.mask[0])
    counts = np.bincount(first, minlength=len(turns.mask[0]))
    assert counts[legal].sum() == 6000 and np.abs(counts[legal] / 6000 - 1 / len(legal)).max() < 0.02
    assert (agent.act(many) != first).any()
    agent.reseed(4)
    assert (agent.act(many) == first).all() and (RandomAgent(4).act(many) == first).all()
    assert (RandomAgent(5).act(many) != first).any() and (RandomAgent().act(many) != RandomAgent().act(many)).any()


def small_policy(game, sample):
    rng = np.random.default_rng(0)
    widths = [game.observation.itemsize, 9, 7, game.num_actions]

    def normal(*shape):
        return rng.normal(size=shape).astype(np.float32)

    layers = [Layer(normal(outputs, inputs), normal(outputs)) for inputs, outputs in itertools.pairwise(widths)]
    return PolicyAgent.of_network(game, Network([], layers), sample, seed=5)


@pytest.mark.parametrize("sample", [False, True])
def test_a_policy_plays_alone_as_side_by_side(sample):
    """To the last bit: no sum depends on how many games there are."""
    game = boardgames_env.make("fungi")
    turns = Batch(game, 20, seed=9).turns()
    together, alone = small_policy(game, sample), small_policy(game, sample)
    singles = [Batch(game, 1, seed=9 + row).turns() for row in range(20)]
    assert (together.act(turns) == np.concatenate([alone.act(one) for one in singles])).all()
    logits = together.logits(turns.matrix)
    assert all((alone.logits(one.matrix)[0] == logits[row]).all() for row, one in enumerate(singles))


def test_a_policy_is_not_played_beyond_its_arrays():
    """Compiled code does not notice the end of an array: it would play by chance, or crash."""
    agent = small_policy(boardgames_env.make("fungi"), False)
    wrong = boardgames_env.make("fafaru", 4)
    said = r"this agent is for make\('fungi', num_players=2.*, not for make\('fafaru', num_players=4"
    with pytest.raises(ValueError, match=said):
        agent.act(Batch(wrong, 2).turns())
    with pytest.raises(ValueError, match=said):
        Table(wrong, 20, agent, seat=1)
    for obs in (Batch(wrong, 2).observe(), np.zeros((2, 242)), np.zeros(242, np.uint8)):
        with pytest.raises(ValueError, match=r"expected uint8 \(B, 242\), got "):
            agent.logits(obs)
    scored = boardgames_env.make("fungi", reward="score")  # looks the same
    assert agent.act(Batch(scored, 2).turns()).shape == (2,)


def test_bytes_of_a_record_are_its_memory():
    def sums(records, out):
        for i in range(len(records)):
            for byte in jit.bytes_of(records[i]):
                out[i] += byte

    kinds = np.dtype([("a", "u1", (2, 3)), ("b", [("c", "u1"), ("d", "u1", 4)])])
    array = np.arange(33, dtype=np.uint8).view(kinds)
    out = np.zeros(3, np.int64)
    jit.kernel(sums, "bytes", allocates=False)(jit.records(array), out)
    assert out.tolist() == [55, 55 + 121, 55 + 242]
