"""Self-play training: MaskablePPO against a league of its own past versions and scripted agents.

One Batch holds all games; the learner has one seat of each, the league plays the others. Between iterations (a rollout
and the updates on it), every few seconds, the state of the whole run is written to one file: network, optimizer,
league, games and random streams. A run that is killed goes on from there exactly as it would have.
"""

from __future__ import annotations

import contextlib
import dataclasses
import random
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from threadpoolctl import threadpool_limits

from boardgames_agents.measure import Share
from boardgames_agents.policy import Layer, Network, save_policy
from boardgames_agents.training import folder as files
from boardgames_agents.training.evaluation import Evaluation
from boardgames_agents.training.folder import CURVE, POLICY, TrainingError
from boardgames_agents.training.imitation import imitate
from boardgames_agents.training.league import League
from boardgames_agents.training.network import LearningRate, build_model, network_of
from boardgames_agents.training.rating import Result
from boardgames_agents.training.settings import Settings, command
from boardgames_env.kernels import STREAM
from boardgames_env.sb3 import SeatVecEnv

SECONDS_BETWEEN_CHECKPOINTS = 5.0


class Progress(NamedTuple):
    """What a run reports after each iteration."""

    doing: str
    steps: int
    steps_per_second: float
    fraction: float  # of the run, by steps or by time
    reward: float  # mean total reward of recent episodes
    shares: dict[str, Share]  # of wins in the latest evaluation, by opponent


def train(
    settings: Settings, folder: str | Path, resume: bool = False, report: Callable[[Progress], Any] | None = None
) -> Path:
    """Train a policy in `folder` and return the path of its file: that of the version with the highest rating.

    The folder gets settings.json, checkpoint.pt, curve.csv, policy.safetensors and a TensorBoard log. With `resume`
    the run in the folder goes on under its own settings; only `steps` and `minutes` are taken from `settings`. (Where
    they differ from what the run was started with, so does its learning rate from there on.)

    Raises TrainingError if the folder holds a run already (or none, with `resume`), if the disk is full or the network
    holds numbers that are not finite; KeyboardInterrupt after Ctrl-C. The last checkpoint is then whole and good.
    """
    folder = Path(folder)
    state = None
    if resume:
        stored = files.stored_settings(folder)
        if stored.game != settings.game:
            raise TrainingError(f"{folder} holds a run of {stored.game}, not of {settings.game}")
        settings = dataclasses.replace(stored, steps=settings.steps, minutes=settings.minutes)
        state = files.load_checkpoint(folder)
    else:
        settings.make_game()
        files.start_folder(settings, folder)
    env = SeatVecEnv(settings.make_game(), settings.envs, ["random"], seed=settings.seed)
    run = Run(settings, folder, env, report)
    try:
        with one_blas_thread(), run.interruptible():
            if state:
                run.load(state)
            if resume:
                files.write_settings(settings, folder)  # how long it lasts may have changed
            run.learn()
    except OSError as error:
        raise TrainingError(f"{folder}: {error.strerror or error}; the last checkpoint is whole: --resume") from error
    return folder / POLICY


def one_blas_thread() -> Any:
    """Context in which NumPy multiplies on one thread: its threads and torch's, both waiting busily for work, would
    otherwise take the cores from each other (measured: 52 % of the learner's speed left instead of 85 %)."""
    return threadpool_limits(limits=1, user_api="blas")


class _FinishedError(Exception):
    """Leaves Stable-Baselines3's loop between two iterations: stopping it through `on_step` would cut one."""


class Run(BaseCallback):
    """Does what is due between iterations: league, evaluation, checkpoint, report."""

    def __init__(self, settings: Settings, folder: Path, env: SeatVecEnv, report: Callable[[Progress], Any] | None):
        super().__init__()
        self.settings, self.folder, self.env, self.report = settings, folder, env, report
        self.rate = LearningRate(settings.learning_rate)
        self.model = build_model(settings, env, self.rate, folder / "tensorboard")
        self.league = League(settings, env.game)
        self.evaluation = Evaluation(settings)
        self.iteration = 0
        self.spent = 0.0  # seconds, over all parts of the run
        self.interrupted = False
        self._clock = time.monotonic()
        self._saved_at = 0.0
        self._just_loaded = False

    def learn(self) -> None:
        """Everything from here to the end of the run."""
        settings, model = self.settings, self.model
        if settings.imitate and not self.iteration and not self._just_loaded:
            imitate(settings, self.env.game, model, self._tick_imitation)
            self._check_finite()
        rest = settings.steps - model.num_timesteps
        if rest > 0:
            try:
                model.learn(rest, self, log_interval=10, tb_log_name="ppo", reset_num_timesteps=not self._just_loaded)
            except _FinishedError:
                pass
            except ValueError:  # torch's, who will not draw from such a distribution
                self._check_finite()
                raise
            self._check_finite()
        self._tick()
        if not self.evaluation.curve or self.evaluation.curve[-1]["steps"] != model.num_timesteps:
            self.evaluate(slow=True)
        self.save()
        files.write_curve(self.folder / CURVE, self.evaluation.curve)
        self._write_policy()

    @contextlib.contextmanager
    def interruptible(self) -> Iterator[None]:
        """Ctrl-C ends the run between two iterations, with a checkpoint; a second one ends it at once.

        (KeyboardInterrupt as it comes may be raised where nobody passes it on, and be lost.)
        """
        if threading.current_thread() is not threading.main_thread():
            yield  # signals are not ours to handle
            return

        def note(*_: Any) -> None:
            if self.interrupted:
                raise KeyboardInterrupt
            self.interrupted = True

        before = signal.signal(signal.SIGINT, note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    # --- Called by Stable-Baselines3 ---

    def _on_rollout_start(self) -> None:
        """The end of one iteration and the start of the next: the moment at which the run can be cut."""
        self._tick()
        if not self._just_loaded:  # else all this was done before the checkpoint was written
            self._between_iterations()
        self._just_loaded = False
        if self.interrupted:
            self.save()
            raise KeyboardInterrupt
        if self.fraction >= 1.0:
            raise _FinishedError
        self._begin_iteration()

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if info:
                self.league.note(info["opponents"], info["episode"]["r"])
        return True

    # --- Parts ---

    def _between_iterations(self) -> None:
        self._check_finite()
        if self.iteration % self.settings.snapshot_every == 0:
            self.league.add(network_of(self.model))
        self._seat_league()
        if self.iteration and self.iteration % self.settings.evaluate_every == 0:
            number = self.iteration // self.settings.evaluate_every
            self.evaluate(slow=number % self.settings.slow_every == 0)
        if time.monotonic() - self._saved_at > SECONDS_BETWEEN_CHECKPOINTS:
            self.save()

    def _seat_league(self) -> None:
        table = self.env.table
        table.opponents, table.weights = self.league.agents, self.league.weights

    def _begin_iteration(self) -> None:
        """Random numbers of an iteration depend on its number alone, so that a resumed run draws the same."""
        seed = self.settings.seed * 1_000_003 + self.iteration
        self.env.table.reseed_opponents(seed)
        random.seed(seed)
        np.random.seed(seed % 2**32)
        torch.manual_seed(seed)
        self.iteration += 1

    def _check_finite(self) -> None:
        if all(torch.isfinite(parameter).all() for parameter in self.model.policy.parameters()):
            return
        left = "the last checkpoint is good" if (self.folder / files.CHECKPOINT).exists() else "there is no checkpoint"
        raise TrainingError(
            f"{self.folder}: after {self.model.num_timesteps:,} decisions the network holds numbers that are not "
            f"finite; {left}. Try a lower learning_rate"
        )

    def _tick(self, doing: str = "training") -> None:
        now = time.monotonic()
        self.spent += now - self._clock
        self._clock = now
        self.rate.left = 1.0 - self.fraction
        if self.report:
            steps, rewards = self.model.num_timesteps, [info["r"] for info in self.model.ep_info_buffer or ()]
            reward = float(np.mean(rewards)) if rewards else 0.0
            pace = steps / max(self.spent, 1e-9)
            self.report(Progress(doing, steps, pace, self.fraction, reward, self.evaluation.shares))

    def _tick_imitation(self, done: int) -> bool:
        """Whether to go on: a run that is limited by time gives at most half of it to imitation."""
        self._tick(f"imitating {self.settings.imitate}, {done:,} decisions")
        if self.interrupted:
            raise KeyboardInterrupt
        return self.fraction < 0.5

    @property
    def fraction(self) -> float:
        by_steps = self.model.num_timesteps / self.settings.steps
        by_time = self.spent / (60 * self.settings.minutes) if self.settings.minutes else 0.0
        return min(1.0, max(by_steps, by_time))

    def evaluate(self, slow: bool) -> None:
        self.evaluation.evaluate(network_of(self.model), self.model.num_timesteps, self.spent, slow)
        for name, value in self.evaluation.curve[-1].items():
            if name not in files.NOT_OPPONENTS:
                self.logger.record(f"evaluation/share of wins against {name}", value)
        self.logger.record("evaluation/rating", self.evaluation.curve[-1]["rating"])

    def _write_policy(self) -> None:
        evaluation = self.evaluation
        assert evaluation.best is not None
        (result,) = (row for row in evaluation.curve if f"version {row['steps']}" == evaluation.best_name)
        summary = {
            "command": command(self.settings),
            "settings": dataclasses.asdict(self.settings),
            "steps": self.model.num_timesteps,
            "result": result,
        }
        save_policy(self.folder / POLICY, self.env.game, evaluation.best, summary)

    # --- The checkpoint ---

    def save(self) -> None:
        """Write the whole run to its checkpoint, which is replaced only when the new one is complete."""
        files.save_checkpoint(self.folder, self._state())
        self._saved_at = time.monotonic()

    def _state(self) -> dict:
        table, league, evaluation = self.env.table, self.league, self.evaluation
        arrays = {
            "states": table.batch.states.view(np.uint8),
            "seeds": table.batch.seeds.view(np.uint8),
            "streams": table.batch._streams.view(np.uint8),
            "seats": table.seats,
            "partners": table._partners,
            "paid": table._paid,
            "lengths": self.env.lengths,
            "totals": self.env.totals,
            "starts": np.asarray(self.model._last_episode_starts, bool),
            "born": league.born,
            "league_paid": league.paid,
        }
        return {
            "policy": self.model.policy.state_dict(),
            "optimizer": self.model.policy.optimizer.state_dict(),
            "arrays": {name: torch.from_numpy(np.ascontiguousarray(a).copy()) for name, a in arrays.items()},
            "league": [_tensors(network) for network in league.versions],
            "steps": self.model.num_timesteps,
            "updates": self.model._n_updates,
            "iteration": self.iteration,
            "episodes": [{name: info[name] for name in ("r", "l", "t")} for info in self.model.ep_info_buffer or ()],
            "curve": evaluation.curve,
            "results": [tuple(result) for result in evaluation.results],
            "best": _tensors(evaluation.best) if evaluation.best else None,
            "best_name": evaluation.best_name,
            "shares": {name: tuple(share) for name, share in evaluation.shares.items()},
            "spent": self.spent,
        }

    def load(self, state: dict) -> None:
        """Take over what `save` wrote."""
        table, arrays = self.env.table, {name: tensor.numpy() for name, tensor in state["arrays"].items()}
        league, evaluation = self.league, self.evaluation
        league.versions = [_network(layers) for layers in state["league"]]
        league.agents += [league.member(version) for version in league.versions]
        league.born, league.paid = arrays["born"].copy(), arrays["league_paid"].copy()
        table.opponents, table.weights = league.agents, league.weights
        table.batch.states[:] = arrays["states"].view(self.env.game.state).reshape(-1)
        table.batch.seeds[:] = arrays["seeds"].view(np.uint64)
        table.batch._streams[:] = arrays["streams"].view(STREAM).reshape(-1)
        table.seats[:], table._partners[:], table._paid[:] = arrays["seats"], arrays["partners"], arrays["paid"]
        table.mask = table.batch.legal()
        self.env.lengths[:], self.env.totals[:] = arrays["lengths"], arrays["totals"]
        self.model.policy.load_state_dict(state["policy"])
        self.model.policy.optimizer.load_state_dict(state["optimizer"])
        self.model.num_timesteps, self.model._n_updates = state["steps"], state["updates"]
        self.model._last_obs = table.observe()
        self.model._last_episode_starts = arrays["starts"]
        self.model.ep_info_buffer = deque(state["episodes"], maxlen=self.model._stats_window_size)
        self.model.ep_success_buffer = deque(maxlen=self.model._stats_window_size)
        evaluation.curve = state["curve"]
        evaluation.results = [Result(*result) for result in state["results"]]
        evaluation.best = _network(state["best"]) if state["best"] else None
        evaluation.best_name = state["best_name"]
        evaluation.shares = {name: Share(*numbers) for name, numbers in state["shares"].items()}
        self.iteration, self.spent = state["iteration"], state["spent"]
        self._just_loaded = True


def _tensors(network: Network) -> list:
    return [[(torch.from_numpy(w), torch.from_numpy(b)) for w, b in layers] for layers in network]


def _network(tensors: list) -> Network:
    return Network(*([Layer(w.numpy(), b.numpy()) for w, b in layers] for layers in tensors))
