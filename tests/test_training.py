"""Policies and training: NumPy equals torch, runs go on exactly, files that are wrong are named."""

import dataclasses
import json
import os
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
from boardgames_agents import make_agent, training
from boardgames_agents.policy import PolicyAgent, compatibility, load_policy, save_policy
from boardgames_agents.training import Settings, TrainingError, build_model, layers_of, train
from boardgames_env.batch import Batch
from boardgames_env.sb3 import SeatVecEnv

GAME = boardgames_env.make("fungi")
TINY = Settings(
    steps=512,
    envs=16,
    rollout=8,
    minibatch=64,
    epochs=2,
    hidden=(16, 16),
    snapshot_every=1,
    league=2,
    evaluate_every=2,
    evaluation_deals=4,
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a small run, not interrupted."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    train(TINY, folder)
    return folder


# --- Policies -----------------------------------------------------------------------------------------------


def test_numpy_plays_as_torch_does(tmp_path):
    env = SeatVecEnv(GAME, 4)
    model = build_model(dataclasses.replace(TINY, hidden=(64, 64)), env, training.LearningRate(1e-3))
    with torch.no_grad():
        for parameter in model.policy.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    save_policy(tmp_path / "p.safetensors", GAME, layers_of(model), {"steps": 1})
    agent = PolicyAgent(GAME, tmp_path / "p.safetensors")
    batch = Batch(GAME, 300)
    for _ in range(12):
        batch.step(batch.sample())
    obs = batch.observe()
    with torch.no_grad():
        features = model.policy.extract_features(torch.as_tensor(obs))
        expected = model.policy.action_net(model.policy.mlp_extractor.forward_actor(features)).numpy()
        chosen, _ = model.predict(obs, action_masks=batch.legal(), deterministic=True)
    assert np.abs(agent.logits(obs) - expected).max() < 1e-5
    assert (agent.act(batch.turns()) == chosen).mean() > 0.99  # ties within 1e-5 may fall either way
    assert agent.summary == {"steps": 1}


def test_sampling_follows_the_distribution():
    layers = [(np.zeros((221, GAME.observation.itemsize), np.float32), np.arange(221, dtype=np.float32) / 50)]
    agent = PolicyAgent.of_layers(GAME, layers, sample=True, seed=1)
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
        ("policy", "agent 'policy' needs its path: policy:PATH"),
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
    assert (finished / training.CURVE).read_text().startswith("steps,seconds,random,greedy\n256,")
    assert list((finished / "tensorboard").rglob("events*"))
    training.plot_curve(finished / training.CURVE, finished.parent / "curve.png")
    assert (finished.parent / "curve.png").read_bytes().startswith(b"\x89PNG")


def weights(folder):
    return load_policy(folder / training.POLICY, GAME)[0]


def same(first, second):
    return all((a == b).all() for x, y in zip(first, second) for a, b in zip(x, y))


def test_two_runs_with_one_seed_are_the_same(finished, tmp_path):
    train(TINY, tmp_path / "again")
    assert same(weights(tmp_path / "again"), weights(finished))
    train(dataclasses.replace(TINY, seed=1), tmp_path / "other")
    assert not same(weights(tmp_path / "other"), weights(finished))


def test_a_resumed_run_goes_on_exactly(finished, tmp_path):
    """Cut at half its iterations, then resumed: weights as those of the run that was not cut."""

    class CutError(Exception):
        pass

    def cut(progress):
        if progress.steps >= 256:
            raise CutError

    folder = tmp_path / "cut"
    before, training.SECONDS_BETWEEN_CHECKPOINTS = training.SECONDS_BETWEEN_CHECKPOINTS, 0.0
    try:
        with pytest.raises(CutError):
            train(TINY, folder, report=cut)
    finally:
        training.SECONDS_BETWEEN_CHECKPOINTS = before
    state = torch.load(folder / training.CHECKPOINT, weights_only=True)
    assert 0 < state["steps"] < 512 and not (folder / training.POLICY).exists()
    train(TINY, folder, resume=True)
    assert same(weights(folder), weights(finished))


KILLED = """
import dataclasses, signal, sys
from boardgames_agents import training
from tests.test_training import TINY
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start background jobs with SIGINT ignored
training.SECONDS_BETWEEN_CHECKPOINTS = 0.0
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
        "training.SECONDS_BETWEEN_CHECKPOINTS = 0.0\n"
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


def test_the_league_keeps_old_and_new_versions():
    league = training.League(dataclasses.replace(TINY, league=4, scripted=("greedy",)), GAME)
    for number in range(12):
        league.add([(np.full((221, GAME.observation.itemsize), number, np.float32), np.zeros(221, np.float32))])
        assert np.isclose(league.weights.sum(), 1.0) and len(league.weights) == len(league.opponents)
        assert len(league.versions) <= 4
    numbers = [int(version[0][0][0, 0]) for version in league.versions]
    assert numbers[0] == 0 and numbers[-1] == 11 and len(numbers) == 4
