"""Gymnasium and Stable-Baselines3: their own checks, and credit that adds up to the seat's return."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.env_checker import check_env as sb3_check_env

import boardgames_env
from boardgames_env import ActionError, RandomAgent
from boardgames_env.gym import SeatEnv, SeatVectorEnv, Table
from boardgames_env.sb3 import SeatVecEnv
from tests import tiny

IDS = {name: "".join(word.capitalize() for word in name.split("_")) for name in boardgames_env.GAMES}
GAME = boardgames_env.make("fungi")
SCORED = boardgames_env.make("fungi", reward="score")


def legal_choice(mask, rng):
    return np.where(mask, rng.random(mask.shape), -1.0).argmax(axis=-1)


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_check_env(name):
    env = gymnasium.make(f"boardgames/{IDS[name]}-v0").unwrapped
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*is not legal.*")  # it plays any action of the space
        warnings.filterwarnings("ignore", ".*not within the observation space.*render.*")
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("name", IDS)
def test_sb3_check_env(name):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*is not legal.*")
        sb3_check_env(gymnasium.make(f"boardgames/{IDS[name]}-v0").unwrapped)


def episode(env, seed):
    """(observations, rewards, seat) of one episode of random play."""
    rng = np.random.default_rng(seed)
    obs, info = env.reset(seed=seed)
    seen, rewards = [obs.tobytes()], []
    while True:
        assert (info["action_mask"] == env.unwrapped.action_masks()).all()
        obs, reward, terminated, truncated, info = env.step(legal_choice(info["action_mask"], rng))
        seen.append(obs.tobytes())
        rewards.append(reward)
        assert not truncated
        if terminated:
            return seen, rewards, info["seat"]


@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize("opponents", ["random", "greedy", ["random", "greedy"]])
def test_rewards_sum_to_the_return_of_the_seat(reward, opponents):
    env = gymnasium.make("boardgames/Fungi-v0", opponents=opponents, reward=reward)
    totals, seats = [], set()
    for seed in range(30):
        _, rewards, seat = episode(env, seed)
        returns = env.unwrapped.table.batch.returns[0]
        assert np.isclose(sum(rewards), returns[seat], atol=1e-5)
        totals.append(sum(rewards))
        seats.add(seat)
    assert seats == {0, 1} and min(totals) < 0


def test_a_loss_after_the_last_own_move_arrives():
    """Against greedy a random learner loses, mostly by the opponent's last move."""
    env = SeatEnv("fungi", opponents="greedy", seat=0)
    lost = [episode(env, seed)[1] for seed in range(10)]
    assert sum(rewards[-1] == -1.0 for rewards in lost) >= 9
    assert all(set(rewards[:-1]) == {0.0} for rewards in lost)


def test_same_seed_same_episode():
    first, second = (gymnasium.make("boardgames/Fungi-v0", seat=1) for _ in range(2))
    assert episode(first, 3) == episode(second, 3)
    assert episode(first, 3)[2] == 1
    assert episode(first, 4)[0] != episode(second, 5)[0]


def test_the_learner_sees_its_own_next_observation():
    env = SeatEnv("fungi", seat="random")
    for seed in range(20):
        env.reset(seed=seed)
        for _ in range(5):
            assert env.fields().public.acting == 1
            env.step(int(np.flatnonzero(env.action_masks())[0]))


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("reward", ["win", "score"])
def test_vector_env(mode, reward):
    env = gymnasium.make_vec(
        "boardgames/Fungi-v0", num_envs=16, opponents="random", reward=reward, autoreset_mode=mode.value
    )
    assert env.metadata["autoreset_mode"] == mode
    rng = np.random.default_rng(0)
    obs, infos = env.reset(seed=5)
    totals, returns, steps_after_end = np.zeros(16), [], np.zeros(16, bool)
    for _ in range(120):
        assert env.observation_space.contains(obs)
        table = env.unwrapped.table
        obs, rewards, over, truncated, infos = env.step(legal_choice(infos["action_mask"], rng))
        assert (rewards[steps_after_end] == 0).all() and not truncated.any()
        totals += rewards
        for row in np.flatnonzero(over):
            returns.append(totals[row])
            totals[row] = 0
            if mode == AutoresetMode.SAME_STEP:
                assert infos["_final_obs"][row] and infos["final_obs"][row].shape == obs[row].shape
            else:
                seat = table.seats[row]
                assert np.isclose(returns[-1], table.batch.returns[row, seat], atol=1e-5)
        if mode == AutoresetMode.NEXT_STEP:
            assert not (over & steps_after_end).any()
            steps_after_end = over
    assert len(returns) > 30
    if reward == "win":
        assert set(np.round(returns, 5)) <= {-1.0, 0.0, 1.0}


def test_vector_rows_are_the_single_environments():
    many = gymnasium.make_vec("boardgames/Fungi-v0", num_envs=3, opponents="greedy")
    obs, infos = many.reset(seed=8)
    for row in range(3):
        one = SeatEnv("fungi", opponents="greedy")
        alone, info = one.reset(seed=8 + row)
        assert (alone == obs[row]).all() and (info["action_mask"] == infos["action_mask"][row]).all()


def test_vec_env_of_stable_baselines3():
    env = SeatVecEnv(SCORED, 12, ["random", "greedy"], seed=3)
    rng, obs = np.random.default_rng(0), env.reset()
    assert env.env_is_wrapped(object) == [False] * 12 and env.get_attr("render_mode", [1, 2]) == [None, None]
    totals, ended = np.zeros(12), 0
    for _ in range(100):
        masks = np.stack(env.env_method("action_masks"))
        assert (masks == env.action_masks()).all() and env.observation_space.contains(obs[0])
        obs, rewards, over, infos = env.step(legal_choice(masks, rng))
        totals += rewards
        for row in np.flatnonzero(over):
            assert np.isclose(infos[row]["episode"]["r"], totals[row], atol=1e-5)
            assert infos[row]["terminal_observation"].shape == obs[row].shape
            assert infos[row]["opponents"].shape == (1,) and infos[row]["opponents"][0] in (0, 1)
            totals[row], ended = 0.0, ended + 1
        assert not any("episode" in infos[row] for row in np.flatnonzero(~over))
    assert ended > 12
    with pytest.raises(AttributeError, match="no method 'reset'"):
        env.env_method("reset")
    env.seed(9)
    first = env.reset()
    env.seed(9)
    assert (env.reset() == first).all()


EVERY_GAME = [
    boardgames_env.make(name, players, reward=reward)
    for name in boardgames_env.GAMES
    for players in {boardgames_env.game_module(name).PLAYERS[0], boardgames_env.game_module(name).PLAYERS[-1]}
    for reward in ("win", "score")
]


@pytest.mark.parametrize("game", [*EVERY_GAME, tiny.make(num_players=3)], ids=str)
def test_learner_rewards_sum_to_seat_returns_over_whole_games(game):
    table = Table(game, 40, "random", seed=11)
    rng, totals, over = np.random.default_rng(1), np.zeros(40), np.zeros(40, bool)
    while not over.all():
        rewards, over, illegal = table.step(legal_choice(table.mask, rng))
        totals += rewards
        assert not illegal.any()
    returns = table.batch.returns[np.arange(40), table.seats]
    assert np.allclose(totals, returns, atol=1e-5) and len(set(table.seats.tolist())) == game.num_players


def test_opponents_are_drawn_by_weight_and_seed_alone():
    table = Table(GAME, 2000, [RandomAgent(0), RandomAgent(1)], seed=1)
    table.weights = np.array([0.9, 0.1])
    table.reset(seed=1)
    other_seat = table._partners[np.arange(2000), 1 - table.seats]
    assert 0.07 < other_seat.mean() < 0.13
    assert 0.45 < table.seats.mean() < 0.55
    twin = Table(GAME, 100, [RandomAgent(0), RandomAgent(1)], seed=1)
    assert (twin.seats == table.seats[:100]).all()


def test_illegal_actions():
    env = gymnasium.make("boardgames/Fungi-v0").unwrapped
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="'place pan' .* is not legal; the episode ends"):
        _, reward, terminated, _, info = env.step(boardgames_env.action_id(GAME, "place pan"))
    assert (reward, terminated) == (-1.0, True) and "place pan" in info["illegal_action"]
    with pytest.raises(ActionError, match="call reset"):
        env.step(0)
    strict = SeatEnv(GAME, on_illegal="raise")
    strict.reset(seed=1)
    for action, message in [(999, "not in 0..220"), ("0", "must be an integer"), (1.5, "must be an integer")]:
        before = strict.table.batch.states.tobytes()
        with pytest.raises(ActionError, match=message):
            strict.step(action)
        assert strict.table.batch.states.tobytes() == before
    many = SeatVectorEnv("fungi", 3)
    _, infos = many.reset(seed=1)
    actions = legal_choice(infos["action_mask"], np.random.default_rng(0))
    actions[1] = 220
    _, rewards, over, _, infos = many.step(actions)
    assert rewards.tolist() == [0, -1, 0] and over.tolist() == [False, True, False]
    assert infos["illegal_action"].tolist() == [False, True, False]
    with pytest.raises(ActionError, match="must be 3 integers"):
        many.step([0, 1])


def test_bad_arguments():
    for call, message in [
        (lambda: SeatEnv("fungi", seat=2), r"seat must be 'random' or 0..1, got 2"),
        (lambda: SeatEnv("fungi", seat="first"), "seat must be 'random'"),
        (lambda: SeatEnv("fungi", opponents="gredy"), "unknown agent 'gredy'; the agents are: random, greedy"),
        (lambda: SeatEnv("fungi", opponents=[]), "opponents must be an agent"),
        (lambda: SeatEnv("fungi", opponents=[3]), "an opponent must be an agent"),
        (lambda: SeatEnv("fungi", render_mode="rgb"), "render_mode must be"),
        (lambda: SeatEnv("fungi", on_illegal="x"), "on_illegal must be"),
        (lambda: SeatEnv("fungi", nights=3), "unknown option 'nights'"),
        (lambda: SeatVectorEnv("fungi", 2, autoreset_mode=AutoresetMode.DISABLED), "must be NEXT_STEP or SAME_STEP"),
        (lambda: SeatEnv("fungi").reset(seed="x"), "seed must be an integer"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


def test_render_shows_the_learner_what_it_knows(capsys):
    env = SeatEnv("fungi", seat=0, render_mode="ansi")
    env.reset(seed=1)
    assert "You are player 0" in env.render() and "unknown" in env.render()
    human = SeatEnv("fungi", render_mode="human")
    human.reset(seed=1)
    human.step(0)
    assert "Draw pile" in capsys.readouterr().out
    many = SeatVectorEnv("fungi", 2)
    many.reset(seed=1)
    assert len(many.render()) == 2


class Cheat:
    """Plays what it may not."""

    def __init__(self, action):
        self.action = action

    def act(self, turns):
        return np.full(len(turns.seat), self.action)


class Says:
    """Plays what a function of the turns says."""

    def __init__(self, act):
        self.act = act


def test_opponents_may_answer_with_a_list_and_are_told_what_no_answer_is():
    lists = Table(GAME, 8, Says(lambda turns: turns.mask.argmax(1).tolist()), seat=1, seed=2)
    arrays = Table(GAME, 8, Says(lambda turns: turns.mask.argmax(1)), seat=1, seed=2)
    assert lists.batch.states.tobytes() == arrays.batch.states.tobytes()
    for wrong in (lambda turns: turns.mask.argmax(1) + 0.5, lambda turns: 0, lambda turns: None):
        with pytest.raises(ActionError, match=r"fungi: actions must be \d integers, one a row; got "):
            Table(GAME, 8, Says(wrong), seat=1)


@pytest.mark.parametrize("action", [GAME.num_actions - 1, GAME.num_actions, -1])
def test_opponents_that_play_illegal_actions_are_named(action):
    with pytest.raises(ActionError, match=f"fungi: .*{action}"):
        Table(GAME, 8, Cheat(action), seat=1)
