"""Batch: rows, threads, seeds, copies, and errors that change nothing."""

import pickle

import numpy as np
import pytest

import boardgames_env
from boardgames_env import ActionError, Batch, RandomAgent
from boardgames_env.batch import MIN_ROWS_PER_THREAD
from tests import tiny

GAME = boardgames_env.make("fungi")


def play_steps(batch, steps):
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def test_row_i_is_the_single_game_of_its_seed_at_any_size_and_number_of_threads():
    one_thread = Batch(GAME, 2 * MIN_ROWS_PER_THREAD + 3, seed=7)
    two_threads = Batch(GAME, 2 * MIN_ROWS_PER_THREAD + 3, seed=7, threads=2)
    rows = [0, 1, MIN_ROWS_PER_THREAD, len(one_thread) - 1]
    singles = [Batch(GAME, 1, seed=7 + row) for row in rows]
    for _ in range(30):
        actions = one_thread.sample()
        assert (two_threads.sample() == actions).all()
        assert (two_threads.legal() == one_thread.legal()).all()
        assert (two_threads.observe() == one_thread.observe()).all()
        one_thread.step(actions)
        two_threads.step(actions)
        for row, single in zip(rows, singles):
            assert single.sample()[0] == actions[row]
            single.step(actions[[row]])
            assert single.states.tobytes() == one_thread.states[[row]].tobytes()
    assert two_threads.states.tobytes() == one_thread.states.tobytes()


def test_row_i_is_the_aec_game_of_its_seed():
    batch, env = Batch(GAME, 1000, seed=50), boardgames_env.env("fungi")
    env.reset(seed=50 + 321)
    while not batch.over[321]:
        actions = batch.sample()
        assert env.agent_selection == f"player_{batch.player[321]}"
        assert env.state().tobytes() == batch.states[321].tobytes()
        assert (env.last()[0]["observation"] == batch.observe()[321]).all()
        env.step(actions[321])
        batch.step(actions)
    assert [env.rewards[a] for a in env.agents] == batch.returns[321].tolist()


def test_playout_and_stepping_are_the_same_games():
    stepped, played = Batch(GAME, 20), Batch(GAME, 20)
    while not stepped.over.all():
        stepped.step(stepped.sample())
    plies = played.playout()
    assert played.states.tobytes() == stepped.states.tobytes()
    assert plies.tolist() == stepped.states.ply.tolist()


def test_rollout_starts_finished_games_anew():
    """As step and reset do: the same games, in the same order."""
    batch, twin = Batch(GAME, 8), Batch(GAME, 8)
    ended = batch.rollout(400)
    begun = 0
    for _ in range(400):
        streams = twin._streams.copy()  # a rollout draws on from them, a reset begins them anew
        begun += int(twin.over.sum())
        twin.reset(twin.over)
        twin._streams[:] = streams
        twin.step(twin.sample())
    assert ended == begun > 0 and batch.states.tobytes() == twin.states.tobytes()
    assert (batch.seeds == twin.seeds).all() and len(set(batch.seeds.tolist())) == 8


def test_sampling_leaves_the_games_alone():
    batch = Batch(GAME, 5)
    before = batch.states.tobytes()
    drawn = np.array([batch.sample() for _ in range(20)])
    assert (drawn != drawn[0]).any(axis=0).all(), "each row's stream goes on"
    assert batch.states.tobytes() == before


def test_reset_of_some_rows_leaves_the_others_and_goes_on_from_their_stream():
    batch = play_steps(Batch(GAME, 4), 10)
    before, twin = batch.states.copy(), batch.copy()
    batch.reset([1, 3])
    twin.reset(np.array([False, True, False, True]))
    assert batch.states[[0, 2]].tobytes() == before[[0, 2]].tobytes()
    assert (batch.states.ply == [10, 0, 10, 0]).all()
    assert batch.states.tobytes() == twin.states.tobytes()
    assert Batch(GAME, 1, int(batch.seeds[3])).states.tobytes() == batch.states[[3]].tobytes()
    batch.reset(seed=100)
    assert batch.seeds.tolist() == [100, 101, 102, 103]
    batch.reset([2], seed=[9])
    assert batch.seeds.tolist() == [100, 101, 9, 103]


def test_step_of_some_rows():
    batch = Batch(GAME, 4)
    actions = batch.sample()
    rewards = batch.step(actions[[2, 0]], rows=[2, 0])
    assert rewards.shape == (2, 2) and batch.states.ply.tolist() == [1, 0, 1, 0]


def test_finished_rows_ignore_what_they_are_given():
    batch = Batch(GAME, 2)
    while not batch.over[0]:
        batch.step(batch.sample()[[0]], rows=[0])
    before = batch.states[0].tobytes()
    rewards = batch.step([12345, batch.sample()[1]])
    assert batch.states[0].tobytes() == before and (rewards[0] == 0).all()
    assert batch.legal()[0].sum() == 0 and batch.sample()[0] == 0


@pytest.mark.parametrize("copied", [lambda b: b.copy(), lambda b: pickle.loads(pickle.dumps(b))])
def test_copies_play_on_alike_and_apart(copied):
    batch = play_steps(Batch(GAME, 3), 10)
    twin = copied(batch)
    before = batch.states.tobytes()
    play_steps(twin, 20)
    assert batch.states.tobytes() == before
    assert play_steps(batch, 20).states.tobytes() == twin.states.tobytes()


def test_a_state_is_bytes():
    batch = play_steps(Batch(GAME, 3), 10)
    saved = batch.states.tobytes()
    play_steps(batch, 5)
    batch.states[:] = np.frombuffer(saved, GAME.state)
    assert batch.states.tobytes() == saved


def test_observe_by_seat():
    batch = play_steps(Batch(GAME, 6), 9)
    by_seat = [batch.observe(0), batch.observe(1)]
    rows = np.arange(6)
    assert (batch.observe() == np.stack(by_seat)[batch.player, rows]).all()
    assert (batch.observe(1 - batch.player) == np.stack(by_seat)[1 - batch.player, rows]).all()
    named = batch.fields(by_seat[1])
    assert (named.private.hand == batch.states.hand[:, 1]).all()


def test_looking_at_some_rows_leaves_the_others():
    batch = Batch(GAME, 6, seed=3)
    legal, seen = batch.legal(), batch.observe(1)
    for rows in ([4, 1], np.array([0, 1, 0, 0, 1, 0], bool)):
        chosen = np.isin(np.arange(6), [1, 4])
        for all_rows, some in ((legal, batch.legal(rows=rows)), (seen, batch.observe(1, rows=rows))):
            assert (some[chosen] == all_rows[chosen]).all() and not some[~chosen].any()
        mask, obs = np.full_like(legal, 7), np.full_like(seen, 7)
        assert batch.legal(mask, rows) is mask and batch.observe(1, obs, rows) is obs
        assert (mask[chosen] == legal[chosen]).all() and (mask[~chosen] == 7).all()
        assert (obs[chosen] == seen[chosen]).all() and (obs[~chosen] == 7).all()
    for look in (batch.legal, batch.observe):
        with pytest.raises(ValueError, match=r"rows are 0\.\.5, got 0\.\.6"):
            look(rows=[0, 6])


def test_turns_hide_the_state():
    batch = play_steps(Batch(GAME, 6), 9)
    turns = batch.turns([4, 2])
    assert turns.seat.tolist() == batch.player[[4, 2]].tolist()
    assert (turns.matrix == batch.observe()[[4, 2]]).all() and (turns.mask == batch.legal()[[4, 2]]).all()
    states = turns.sample(3, seed=1)
    assert states.shape == (6,) and (states["forest"][:3] == batch.states.forest[4]).all()
    assert (turns.sample(3, seed=1) == states).all() and not (turns.sample(3, seed=2) == states).all()
    assert RandomAgent(0).act(turns).shape == (2,)


def refused(batch, actions, message, **kwargs):
    before = batch.states.tobytes()
    with pytest.raises(ActionError, match=message):
        batch.step(actions, **kwargs)
    assert batch.states.tobytes() == before


def test_illegal_actions_are_named_and_nothing_moves():
    batch = Batch(GAME, 10)
    legal = batch.sample()
    bad = legal.copy()
    bad[3], bad[7] = boardgames_env.action_id(GAME, "take position 8"), 999
    refused(
        batch, bad, r"nothing was played.*row 3: 'take position 8' \(action 7\) is not legal; row 7: action 999 is not"
    )
    bad[3:] = -1
    refused(batch, bad, "row 3: action -1 is not in 0..220;.*and 2 rows more")
    refused(batch, [5], "row 6: 'take position 6'", rows=[6])
    assert isinstance(ActionError("x"), ValueError) and isinstance(ActionError("x"), AssertionError)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0.0] * 3, "must be 3 integers, one a row; got float64"),
        ([True] * 3, "got bool"),
        ([0, 0], r"got int64 of shape \(2,\)"),
        ([[0, 0, 0]], "shape"),
        (["0"] * 3, "got <U1"),
        (np.array([2**64 - 1] * 3, np.uint64), "action -1 is not in"),
    ],
)
def test_actions_of_the_wrong_kind(actions, message):
    refused(Batch(GAME, 3), actions, message)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", None, True])
def test_seed_must_be_an_integer(seed):
    with pytest.raises(ValueError, match=r"seed must be an integer in 0..2\*\*64-1, got"):
        Batch(GAME, 2, seed=seed)


@pytest.mark.parametrize("size", [0, -1, 1.5, "2", True])
def test_size_and_threads_must_be_positive(size):
    with pytest.raises(ValueError, match="size must be an integer of at least 1"):
        Batch(GAME, size)
    with pytest.raises(ValueError, match="threads must be"):
        Batch(GAME, 1, threads=size)


def test_other_bad_arguments():
    batch = Batch(GAME, 3)
    with pytest.raises(ValueError, match="game must be a Game"):
        Batch("fungi", 3)
    with pytest.raises(ValueError, match="expected one seed or 3 of them, got 2"):
        Batch(GAME, 3, seed=[1, 2])
    with pytest.raises(ValueError, match=r"seats are 0..1, got 2"):
        batch.observe(2)
    with pytest.raises(ValueError, match="seat must be an integer or 3 of them"):
        batch.observe([0, 1])
    for rows, message in [([3], r"rows are 0..2"), ([0, 0], "distinct"), ([0.5], "row numbers"), ([-1], "rows are")]:
        with pytest.raises(ValueError, match=message):
            batch.reset(rows)
    with pytest.raises(ValueError, match=r"expected an array int8 \(3, 221\)"):
        batch.legal(out=np.zeros((3, 220), np.int8))
    with pytest.raises(ValueError, match="expected an array uint8"):
        batch.observe(out=np.zeros(3))
    with pytest.raises(ValueError, match="k must be an integer of at least 1"):
        batch.turns().sample(0)


def test_make_names_what_is_valid():
    make = boardgames_env.make
    for call, message in [
        (lambda: make("chess"), "unknown game 'chess'; the games are: .*fungi"),
        (lambda: make("fungi", 3), "fungi: num_players must be 2, got 3"),
        (lambda: make("fungi", "2"), "num_players must be an integer, got '2'"),
        (lambda: make("fungi", reward="gold"), "option reward must be 'win' or 'score', got 'gold'"),
        (lambda: make("fungi", night_doubles_set=1), "must be False or True, got 1"),
        (lambda: make("fungi", nights=1), "unknown option 'nights'; the options are: reward, night_doubles_set"),
        (lambda: tiny.make(num_players=4), r"num_players must be 2..3, got 4"),
        (lambda: tiny.make(bids=6), r"option bids must be 1..5, got 6"),
        (lambda: tiny.make(num_players=3, bids=5), "three players can make 4 bids at most"),
        (lambda: boardgames_env.action_id(GAME, "cook 5 shitake"), "unknown action.*'cook 5 shiitake'"),
        (lambda: boardgames_env.register("fungi", "elsewhere"), "already registered, by boardgames_env.fungi"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


def test_make_gives_the_same_object_and_pickles_by_name():
    game = boardgames_env.make("fungi", reward="score")
    assert game is boardgames_env.make("fungi", 2, reward="score") is pickle.loads(pickle.dumps(game))
    assert repr(game) == "make('fungi', num_players=2, reward='score', night_doubles_set=False)"
    changed = game._replace(name="fungi", max_plies=1)
    assert pickle.loads(pickle.dumps(changed)).max_plies == 1


def test_registered_games_and_names_with_hyphens():
    boardgames_env.register("tiny_game", "tests.tiny")
    try:
        assert boardgames_env.make("tiny-game").name == "tiny"
        assert pickle.loads(pickle.dumps(tiny.make())).num_actions == 2
    finally:
        del boardgames_env.GAMES["tiny_game"]
