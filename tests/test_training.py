"""Policies and training: NumPy equals torch, runs go on exactly, files that are wrong are named."""

import dataclasses
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file

import boardgames_env
from boardgames_agents import cli, make_agent, training
from boardgames_agents.policy import Layer, Network, PolicyAgent, compatibility, load_policy, save_policy
from boardgames_agents.tournament import play_pairing
from boardgames_agents.training import Settings, TrainingError, changed, settings_for, train
from boardgames_agents.training import run as running
from boardgames_agents.training.league import League
from boardgames_agents.training.network import LearningRate, build_model, network_of
from boardgames_agents.training.rating import Result, rate
from boardgames_agents.training.settings import FOR_GAME, command
from boardgames_env.batch import Batch
from boardgames_env.sb3 import SeatVecEnv

GAME = boardgames_env.make("fungi")
TINY = Settings(
    steps=512,
    envs=16,
    rollout=8,
    minibatch=64,
    epochs=2,
    trunk=(),
    hidden=(16, 16),
    imitate="",
    snapshot_every=1,
    league=2,
    evaluate_every=2,
    evaluation_deals=4,
    slow_against=(),
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a small run, not interrupted."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    train(TINY, folder)
    return folder


# --- Policies -----------------------------------------------------------------------------------------------


NETWORKS = {
    "heads only": ("fungi", {"hidden": (64, 64)}),
    "trunk": ("tree_society", {"trunk": (64, 32), "hidden": (32,)}),
    "no hidden layers": ("fungi", {"hidden": ()}),
    "convolutions": ("mushroom_kingdom", {"convolutions": (8, 4), "trunk": (32,), "hidden": (16,)}),
    "convolutions, no trunk": ("mushroom_kingdom", {"convolutions": (5,), "hidden": (16,)}),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_a_policy_plays_as_torch_does(name, tmp_path):
    game = boardgames_env.make(NETWORKS[name][0])
    model = build_model(dataclasses.replace(TINY, **NETWORKS[name][1]), SeatVecEnv(game, 4), LearningRate(1e-3))
    with torch.no_grad():
        for parameter in model.policy.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    save_policy(tmp_path / "p.safetensors", game, network_of(model), {"steps": 1})
    agent = PolicyAgent(game, tmp_path / "p.safetensors")
    batch = Batch(game, 300)
    for _ in range(12):
        batch.step(batch.sample())
    turns = batch.turns()
    obs = turns.matrix
    with torch.no_grad():
        features = model.policy.extract_features(torch.as_tensor(obs))
        expected = model.policy.action_net(model.policy.mlp_extractor.forward_actor(features)).numpy()
        chosen, _ = model.predict(obs, action_masks=turns.mask, deterministic=True)
    assert np.abs(agent.logits(obs) - expected).max() < 2e-5 * max(1.0, np.abs(expected).max())
    assert (agent.act(turns) == chosen).mean() > 0.99  # ties within 1e-5 may fall either way
    assert agent.summary == {"steps": 1}


def test_sampling_follows_the_distribution():
    layer = Layer(np.zeros((221, GAME.observation.itemsize), np.float32), np.arange(221, dtype=np.float32) / 50)
    agent = PolicyAgent.of_network(GAME, Network([], [layer]), sample=True, seed=1)
    turns = Batch(GAME, 1, seed=2).turns()
    many = turns._replace(obs=np.repeat(turns.obs, 20_000).view(np.recarray), mask=np.repeat(turns.mask, 20_000, 0))
    actions = agent.act(many)
    legal = np.flatnonzero(turns.mask[0])
    expected = np.exp(legal / 50) / np.exp(legal / 50).sum()
    assert np.abs(np.bincount(actions, minlength=221)[legal] / 20_000 - expected).max() < 0.02
    agent.reseed(5)
    first = agent.act(many)
    agent.reseed(5)
    assert (agent.act(many) == first).all()


def test_policy_by_name(finished):
    path = finished / training.POLICY
    batch = Batch(GAME, 3)
    for name in (f"policy:{path}", f"policy:{path},sample=1"):
        batch.step(make_agent(GAME, name, 0).act(batch.turns()))
    for name, message in [
        (f"policy:{path},draw=1", "unknown parameter 'draw=1'; the parameters are: sample"),
        (f"policy:{path},sample=yes", "sample must be 0 or 1, got 'yes'"),
        ("policy:nowhere.safetensors", "there is no policy file nowhere.safetensors"),
        ("random:x=1", "unknown parameter 'x=1'; the parameters are: none"),
        ("neural", "unknown agent 'neural'; the agents are: random, greedy, .*, policy:PATH .sample=0 or 1."),
    ]:
        with pytest.raises(ValueError, match=message):
            make_agent(GAME, name)


def arrays(**changes):
    good = {
        "0.weight": np.ones((8, GAME.observation.itemsize), np.float32),
        "0.bias": np.zeros(8, np.float32),
        "1.weight": np.ones((GAME.num_actions, 8), np.float32),
        "1.bias": np.zeros(GAME.num_actions, np.float32),
    }
    return {name: array for name, array in (good | changes).items() if array is not None}


WRONG_ARRAYS = {
    "missing": ({"1.bias": None}, "expected weight and bias of layers"),
    "renamed": ({"1.bias": None, "bias": np.zeros(3, np.float32)}, "expected weight and bias of layers"),
    "inputs": ({"0.weight": np.ones((8, 3), np.float32)}, r"layer 0 has shapes \(8, 3\)"),
    "bias": ({"0.bias": np.zeros(7, np.float32)}, "layer 0 has shapes"),
    "outputs": ({"1.weight": np.ones((5, 8), np.float32), "1.bias": np.zeros(5, np.float32)}, "gives 5 numbers"),
    "nan": ({"0.bias": np.full(8, np.nan, np.float32)}, "not finite"),
    "dtype": ({"0.bias": np.zeros(8, np.float64)}, "must be float32"),
}


@pytest.mark.parametrize("name", WRONG_ARRAYS)
def test_wrong_policies_are_named(name, tmp_path):
    changes, message = WRONG_ARRAYS[name]
    save_file(arrays(**changes), tmp_path / "bad.safetensors", compatibility(GAME))
    with pytest.raises(ValueError, match=f"bad.safetensors: .*{message}"):
        load_policy(tmp_path / "bad.safetensors", GAME)


def test_foreign_and_damaged_policy_files(tmp_path, finished):
    file = tmp_path / "p.safetensors"
    doubled = boardgames_env.make("fungi", night_doubles_set=True)
    with pytest.raises(ValueError, match=r"has options .*false.*, wanted is .*true"):
        load_policy(finished / training.POLICY, doubled)
    load_policy(finished / training.POLICY, boardgames_env.make("fungi", reward="score"))
    save_file(arrays(), file, compatibility(GAME) | {"version": "0"})
    with pytest.raises(ValueError, match="has version '0', wanted is"):
        load_policy(file, GAME)
    save_file(arrays(), file)
    with pytest.raises(ValueError, match="has format None"):
        load_policy(file, GAME)
    save_file(arrays(), file, compatibility(GAME) | {"summary": "{"})
    with pytest.raises(ValueError, match="summary is damaged"):
        load_policy(file, GAME)
    whole = (finished / training.POLICY).read_bytes()
    for damaged in (b"", whole[:100], whole[:-5], b"\xff" * 200, whole[:20] + b"xxxx" + whole[24:]):
        file.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"p\.safetensors is damaged or not a policy file"):
            load_policy(file, GAME)
    with pytest.raises(ValueError, match="there is no policy file"):
        load_policy(tmp_path, GAME)


# --- Runs ---------------------------------------------------------------------------------------------------


def test_a_run_leaves_what_it_promises(finished):
    assert {f.name for f in finished.iterdir()} == {
        training.SETTINGS, training.CHECKPOINT, training.CURVE, training.POLICY, "tensorboard"
    }  # fmt: skip
    stored = json.loads((finished / training.SETTINGS).read_text())
    assert stored["steps"] == 512 and stored["hidden"] == [16, 16] and stored["game"] == "fungi"
    assert (finished / training.CURVE).read_text().startswith("steps,seconds,rating,random,greedy")
    assert list((finished / "tensorboard").rglob("events*"))
    training.plot_curve(finished / training.CURVE, finished.parent / "curve.png")
    assert (finished.parent / "curve.png").read_bytes().startswith(b"\x89PNG")


def weights(folder):
    return load_policy(folder / training.POLICY, GAME)[0]


def same(first, second):
    return all((a == b).all() for x, y in zip(first.dense, second.dense) for a, b in zip(x, y))


EVERYTHING = dataclasses.replace(
    TINY,
    trunk=(16,),
    precision="bfloat16",
    imitate="greedy",
    imitate_steps=256,
    scripted=("greedy", "random"),
    slow_against=("ismcts:sims=4",),
    slow_every=2,
    slow_deals=1,
)


def left_by(folder):
    """What decides how a run goes on, and what came of it, without what it took."""
    state = torch.load(folder / training.CHECKPOINT, weights_only=True)
    del state["spent"]
    state["curve"] = [row | {"seconds": 0} for row in state["curve"]]
    state["episodes"] = [info | {"t": 0} for info in state["episodes"]]
    return state


def equal(a, b):
    """Of nested dictionaries, lists and tensors."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(equal, a, b))
    return bool((a == b).all()) if isinstance(a, torch.Tensor) else a == b


@pytest.mark.parametrize("settings", [TINY, EVERYTHING], ids=["plain", "everything"])
def test_a_run_can_be_repeated_and_goes_on_exactly_where_it_was_cut(settings, tmp_path, monkeypatch):
    """Cut at half its iterations, then resumed: all is as in the run that was not cut, and in a second one."""

    class CutError(Exception):
        pass

    def cut(progress):
        if progress.steps >= 256:
            raise CutError

    monkeypatch.setattr(running, "SECONDS_BETWEEN_CHECKPOINTS", 0.0)
    train(settings, tmp_path / "whole")
    train(settings, tmp_path / "again")
    with pytest.raises(CutError):
        train(settings, tmp_path / "cut", report=cut)
    state = torch.load(tmp_path / "cut" / training.CHECKPOINT, weights_only=True)
    assert 0 < state["steps"] < 512 and not (tmp_path / "cut" / training.POLICY).exists()
    train(settings, tmp_path / "cut", resume=True)
    train(dataclasses.replace(settings, seed=1), tmp_path / "other")
    whole = left_by(tmp_path / "whole")
    assert equal(whole, left_by(tmp_path / "again")) and equal(whole, left_by(tmp_path / "cut"))
    assert not equal(whole["policy"], left_by(tmp_path / "other")["policy"])
    assert same(weights(tmp_path / "cut"), weights(tmp_path / "whole"))


KILLED = """
import dataclasses, signal, sys
from boardgames_agents import training
from boardgames_agents.training import run
from tests.test_training import TINY
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start background jobs with SIGINT ignored
run.SECONDS_BETWEEN_CHECKPOINTS = 0.0
training.train(dataclasses.replace(TINY, steps=10**9, evaluate_every=10**6), sys.argv[1])
"""


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_leaves_a_whole_checkpoint_and_goes_on(sign, tmp_path):
    folder = tmp_path / "run"
    root = Path(__file__).resolve().parent.parent
    process = subprocess.Popen([sys.executable, "-c", KILLED, folder], cwd=root, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not (folder / training.CHECKPOINT).exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(sign)
    try:
        process.wait(timeout=60)
    finally:
        process.kill()
    steps = torch.load(folder / training.CHECKPOINT, weights_only=True)["steps"]
    train(dataclasses.replace(TINY, steps=steps + 256), folder, resume=True)
    assert torch.load(folder / training.CHECKPOINT, weights_only=True)["steps"] == steps + 256


def test_a_full_disk_leaves_the_last_checkpoint_whole(tmp_path):
    folder = tmp_path / "run"
    train(TINY, folder)
    before = (folder / training.CHECKPOINT).read_bytes()
    code = (
        "import resource, signal, dataclasses, sys\n"
        "from boardgames_agents import training\n"
        "from tests.test_training import TINY\n"
        "from boardgames_agents.training import run\n"
        "run.SECONDS_BETWEEN_CHECKPOINTS = 0.0\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))\n"
        "try: training.train(dataclasses.replace(TINY, steps=2048), sys.argv[1], resume=True)\n"
        "except training.TrainingError as error: print(error)\n"
    )
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run([sys.executable, "-c", code, folder], cwd=root, capture_output=True, text=True, timeout=120)
    assert "the last checkpoint is whole: --resume" in done.stdout, done.stderr
    assert (folder / training.CHECKPOINT).read_bytes() == before
    assert not list(folder.glob("*.part"))


def test_runs_that_cannot_start_say_why(finished, tmp_path):
    file = tmp_path / "file"
    file.touch()
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / training.SETTINGS).write_text("{")
    cut = tmp_path / "cut"
    cut.mkdir()
    (cut / training.SETTINGS).write_bytes((finished / training.SETTINGS).read_bytes())
    (cut / training.CHECKPOINT).write_bytes((finished / training.CHECKPOINT).read_bytes()[:5000])
    for call, message in [
        (lambda: train(TINY, finished), "already holds a run: continue it with --resume"),
        (lambda: train(TINY, tmp_path / "none", resume=True), "holds no run to resume"),
        (lambda: train(TINY, damaged, resume=True), "settings.json is damaged"),
        (lambda: train(TINY, cut, resume=True), "checkpoint.pt is damaged"),
        (lambda: train(TINY, file / "run"), "Not a directory"),
        (lambda: train(dataclasses.replace(TINY, game="x"), finished, resume=True), "holds a run of fungi, not of x"),
    ]:
        with pytest.raises(TrainingError, match=message):
            call()
    with pytest.raises(ValueError, match="unknown game 'chess'"):
        train(dataclasses.replace(TINY, game="chess"), tmp_path / "chess")
    assert not (tmp_path / "chess").exists()
    assert os.listdir(tmp_path / "damaged") == [training.SETTINGS]


def version(number):
    shape = GAME.num_actions, GAME.observation.itemsize
    return Network([], [Layer(np.full(shape, number, np.float32), np.zeros(shape[0], np.float32))])


def test_the_league_keeps_old_and_new_versions():
    league = League(dataclasses.replace(TINY, league=4, scripted=("greedy",)), GAME)
    assert league.weights.tolist() == [1.0]
    for number in range(12):
        league.add(version(number))
        assert np.isclose(league.weights.sum(), 1.0) and len(league.weights) == len(league.agents)
        assert len(league.versions) == min(number + 1, 4)
    numbers = [int(network.dense[0].weight[0, 0]) for network in league.versions]
    assert {0, 11} < set(numbers) and len(set(numbers)) == 4
    assert sorted(numbers) == [numbers[i] for i in np.argsort(league.born)]
    assert all(int(agent.network.dense[0].weight[0, 0]) == n for agent, n in zip(league.agents[1:], numbers))


def test_the_league_prefers_the_recent_and_the_strong():
    settings = dataclasses.replace(TINY, league=4, scripted=("greedy", "random"), scripted_share=0.4, latest_share=0.5)
    league = League(settings, GAME)
    for number in range(4):
        league.add(version(number))
    before = league.weights
    assert np.isclose(before[:2].sum(), 0.4) and before[0] == before[1]
    assert (np.diff(before[2:]) > 0).all() and before[5] > 0.3
    for _ in range(2000):
        league.note(np.array([1]), 1.0)  # the learner beats random …
        league.note(np.array([2]), -1.0)  # … and loses to the oldest version
    after = league.weights
    assert np.isclose(after[:2].sum(), 0.4) and after[0] > 5 * after[1]
    assert after[2] > before[2] and np.isclose(after.sum(), 1.0)


def test_ratings_are_those_that_explain_the_shares():
    elo = rate([Result("a", "b", 10 / 11, 4000)], 2)
    assert abs(elo["a"] - elo["b"] - 400) < 2
    assert abs(sum(elo.values())) < 1e-6
    chain = rate([Result("a", "b", 0.6, 1000), Result("b", "c", 0.6, 1000)], 2)
    assert abs(chain["a"] - 2 * chain["b"] + chain["c"]) < 1 and chain["a"] - chain["c"] > 130
    assert abs(rate([Result("x", "y", 0.2, 1000)], 5)["x"]) < 1e-6  # a fair share
    assert all(np.isfinite(list(rate([Result("x", "y", 1.0, 10**6)], 2).values())))


def test_imitation_brings_the_learner_near_its_teacher(tmp_path):
    tutored = dataclasses.replace(
        TINY, imitate="greedy", imitate_steps=150_000, minibatch=512, hidden=(128,), steps=1, evaluation_deals=200
    )
    folder = tmp_path / "run"
    train(tutored, folder)
    agent = f"policy:{folder / training.POLICY}"
    assert play_pairing(GAME, (agent, "random"), 200).share.mean > 0.9  # without imitation: about a half


def test_numbers_that_are_not_finite_end_a_run(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    monkeypatch.setattr(running, "SECONDS_BETWEEN_CHECKPOINTS", 0.0)
    runs = []
    start = running.Run.__init__
    monkeypatch.setattr(running.Run, "__init__", lambda self, *rest: (start(self, *rest), runs.append(self))[0])

    def spoil(progress):
        if progress.steps == 256:
            with torch.no_grad():
                runs[0].model.policy.action_net.weight[0, 0] = np.nan

    with pytest.raises(TrainingError, match="after 256 decisions the network holds numbers that are not finite"):
        train(TINY, folder, report=spoil)
    state = torch.load(folder / training.CHECKPOINT, weights_only=True)
    assert 0 < state["steps"] < 256
    assert all(torch.isfinite(tensor).all() for tensor in state["policy"].values())
    train(TINY, folder, resume=True)


def test_settings_are_changed_by_name():
    settings = changed(settings_for(GAME), ["epochs=3", "hidden=64,32", "scripted=greedy random", "trunk=", "clip=0.1"])
    assert (settings.epochs, settings.hidden, settings.trunk, settings.clip) == (3, (64, 32), (), 0.1)
    assert settings.scripted == ("greedy", "random")
    for change, message in [
        ("epoch=3", "unknown training setting 'epoch=3'; the settings are: convolutions, trunk, "),
        ("game=fafaru", "unknown training setting"),
        ("seed=1", "unknown training setting"),
        ("hidden=big", r"training setting hidden must be like \(.*\), got 'big'"),
    ]:
        with pytest.raises(ValueError, match=message):
            changed(settings, [change])
    for change, message in [
        ("precision=half", "precision must be float32 or bfloat16, got 'half'"),
        ("envs=0", "envs must be at least 1, got 0"),
        ("scripted_share=2", "scripted_share must be from 0 to 1, got 2.0"),
        ("hidden=0", "layers must be at least 1 wide"),
    ]:
        with pytest.raises(ValueError, match=message):
            changed(settings, [change]).make_game()


def test_a_run_knows_the_command_that_starts_it(tmp_path):
    game = boardgames_env.make("mushroom_kingdom", 3, reward="score", seasons=2, fertility_weights=(0.5, 0.25, 0.25))
    settings = settings_for(game, steps=64, seed=5)
    settings = changed(settings, ["scripted=greedy random", "convolutions=4,2", "imitate=", "envs=8", "rollout=4"])
    line = command(settings)
    assert line == (
        "boardgames train mushroom_kingdom --players 3 --steps 64 --seed 5 --set reward=score "
        "--set 'fertility_weights=[0.5, 0.25, 0.25]' --set seasons=2 --with convolutions=4,2 --with imitate= "
        "--with envs=8 --with rollout=4 --with 'scripted=greedy random'"
    )
    done = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli, "run_training", lambda settings, *_: done.append(settings) or tmp_path)
        patch.setattr("sys.argv", shlex.split(line))
        with pytest.raises(SystemExit):
            cli.app(shlex.split(line)[1:])
    assert done == [settings]


@pytest.mark.parametrize("name", sorted(FOR_GAME))
def test_the_settings_of_every_game_can_be_trained_with(name, tmp_path):
    """A short run with the game's own network, league and imitation."""
    game = boardgames_env.make(name)
    small = {"steps": 64, "envs": 8, "rollout": 4, "minibatch": 16, "imitate_steps": 64, "slow_against": ()}
    settings = settings_for(game, evaluation_deals=2, **small)
    file = train(settings, tmp_path / "run")
    load_policy(file, game)
    stored = json.loads((tmp_path / "run" / training.SETTINGS).read_text())
    assert stored["game"] == name and stored["scripted"] == list(settings.scripted)


def test_what_a_convolution_needs():
    with pytest.raises(ValueError, match="fungi has no planes over a board: convolutions must be empty"):
        build_model(dataclasses.replace(TINY, convolutions=(8,)), SeatVecEnv(GAME, 2), LearningRate(1e-3))
