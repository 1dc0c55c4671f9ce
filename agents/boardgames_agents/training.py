"""Self-play training: MaskablePPO against a league of its own past versions and scripted agents.

One Batch holds all games; the learner has one seat of each, the league plays the others. Between iterations (a rollout
and the updates on it), every few seconds, the state of the whole run is written to one file: network, optimizer,
league, games and random streams. A run that is killed goes on from there exactly as it would have.
"""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import json
import os
import random
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from threadpoolctl import threadpool_limits

from boardgames_agents.measure import Share
from boardgames_agents.policy import PolicyAgent, save_policy
from boardgames_agents.registry import make_agent
from boardgames_agents.tournament import play_pairing
from boardgames_env import Game, make
from boardgames_env.kernels import STREAM
from boardgames_env.sb3 import SeatVecEnv

CHECKPOINT = "checkpoint.pt"
SETTINGS = "settings.json"
POLICY = "policy.safetensors"
CURVE = "curve.csv"
SECONDS_BETWEEN_CHECKPOINTS = 5.0
EVALUATION_SEED = 1 << 32  # deals for evaluation; training uses small seeds and streams that go on from them


@dataclasses.dataclass(frozen=True)
class Settings:
    """Everything that decides a run; written into its folder."""

    game: str = "fungi"
    num_players: int = 2
    options: dict = dataclasses.field(default_factory=dict)
    steps: int = 20_000_000  # decisions of the learner
    minutes: float = 0.0  # stop after so long in any case; 0: no limit
    seed: int = 0
    # PPO
    envs: int = 512  # games side by side
    rollout: int = 32  # decisions of each before an update
    minibatch: int = 4096
    epochs: int = 4
    learning_rate: float = 1e-3  # falls to a tenth over the run
    entropy: float = 0.01
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip: float = 0.2
    hidden: tuple = (256, 256)
    # League
    scripted: tuple = ("greedy",)  # agents that take part from the start
    scripted_share: float = 0.3  # of the games, as long as they are needed
    snapshot_every: int = 10  # iterations between the past versions that join the league
    league: int = 12  # past versions kept
    latest_share: float = 0.5  # of the games against past versions, that the newest one plays
    # Evaluation
    evaluate_every: int = 25  # iterations
    evaluation_deals: int = 100  # each played from every seat
    evaluate_against: tuple = ("random", "greedy")

    def make_game(self) -> Game:
        """The game that is learnt: reward by score or win as in `options`."""
        return make(self.game, self.num_players, **self.options)


class Progress(NamedTuple):
    """What a run reports after each iteration."""

    steps: int
    total: int
    steps_per_second: float
    fraction: float  # of the run, by steps or by time
    reward: float  # mean total reward of recent episodes
    shares: dict[str, Share]  # of wins in the latest evaluation, by opponent


class TrainingError(RuntimeError):
    """A run that cannot start or go on; the message says why and what is left."""


class ScaledBytes(BaseFeaturesExtractor):
    """Observation bytes divided by their largest values."""

    def __init__(self, observation_space: Any):
        super().__init__(observation_space, features_dim=observation_space.shape[0])
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.as_tensor(1.0 / observation_space.high.astype(np.float32)))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return observations.float() * self.scale


class LearningRate:
    """Falls in a line to a tenth over the run, which may be limited by time as well as by steps."""

    def __init__(self, first: float):
        self.first = first
        self.left = 1.0  # fraction of the run

    def __call__(self, left_by_steps: float) -> float:
        return self.first * (0.1 + 0.9 * self.left)


def build_model(settings: Settings, env: Any, rate: LearningRate, logs: Path | None = None) -> MaskablePPO:
    """The learner. `env` is a VecEnv of the game."""
    return MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=rate,
        n_steps=settings.rollout,
        batch_size=settings.minibatch,
        n_epochs=settings.epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        clip_range=settings.clip,
        ent_coef=settings.entropy,
        seed=settings.seed,
        device="cpu",
        tensorboard_log=str(logs) if logs else None,
        policy_kwargs={
            "net_arch": {"pi": list(settings.hidden), "vf": list(settings.hidden)},
            "activation_fn": torch.nn.ReLU,
            "features_extractor_class": ScaledBytes,
            "share_features_extractor": True,
        },
    )


def layers_of(model: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weights and biases of the policy network, as `save_policy` takes them."""
    modules: list[Any] = [m for m in model.policy.mlp_extractor.policy_net if isinstance(m, torch.nn.Linear)]
    modules.append(model.policy.action_net)
    return [(m.weight.detach().numpy().copy(), m.bias.detach().numpy().copy()) for m in modules]


class League:
    """The opponents: scripted agents, the learner's newest version and older ones, each with its share of games."""

    def __init__(self, settings: Settings, game: Game):
        self.settings, self.game = settings, game
        self.scripted = [make_agent(game, name) for name in settings.scripted]
        self.versions: list[list] = []  # layers, oldest first
        self._agents: list[PolicyAgent] = []

    def add(self, layers: list) -> None:
        """Let the present version join; of those in between, every other one makes room."""
        self.versions.append(layers)
        self._agents.append(PolicyAgent.of_layers(self.game, layers, sample=True))
        if len(self.versions) > self.settings.league:
            del self.versions[1 :: self.settings.league]  # the second oldest
            del self._agents[1 :: self.settings.league]

    @property
    def opponents(self) -> list:
        return self.scripted + self._agents

    @property
    def weights(self) -> np.ndarray:
        """Shares of the games, in the order of `opponents`."""
        scripted, versions = len(self.scripted), len(self.versions)
        share = self.settings.scripted_share if scripted else 0.0
        own = np.full(versions, (1 - self.settings.latest_share) / max(versions, 1))
        own[-1] += self.settings.latest_share
        return np.concatenate([np.full(scripted, share / max(scripted, 1)), (1 - share) * own])


class _Run(BaseCallback):
    """Does what is due between iterations: league, evaluation, checkpoint, report."""

    def __init__(self, settings: Settings, folder: Path, env: SeatVecEnv, report: Callable[[Progress], Any] | None):
        super().__init__()
        self.settings, self.folder, self.env, self.report = settings, folder, env, report
        self.rate = LearningRate(settings.learning_rate)
        self.model = build_model(settings, env, self.rate, folder / "tensorboard")
        self.league = League(settings, env.game)
        self.iteration = 0
        self.curve: list[dict] = []
        self.shares: dict[str, Share] = {}
        self.spent = 0.0  # seconds, over all parts of the run
        self._clock = time.monotonic()
        self._saved_at = 0.0
        self._just_loaded = False

    # --- Called by Stable-Baselines3 ---

    def _on_rollout_start(self) -> None:
        """The end of one iteration and the start of the next: the moment at which the run can be cut."""
        self._tick()
        if not self._just_loaded:  # else all this was done before the checkpoint was written
            self._between_iterations()
        self._just_loaded = False
        if self.fraction >= 1.0:
            raise _TimeIsUp
        self._begin_iteration()

    def _on_step(self) -> bool:
        return True

    # --- Parts ---

    def _between_iterations(self) -> None:
        if self.iteration % self.settings.snapshot_every == 0:
            self.league.add(layers_of(self.model))
            self.env.table.opponents, self.env.table.weights = self.league.opponents, self.league.weights
        if self.iteration and self.iteration % self.settings.evaluate_every == 0:
            self.evaluate()
        if time.monotonic() - self._saved_at > SECONDS_BETWEEN_CHECKPOINTS:
            self.save()

    def _begin_iteration(self) -> None:
        """Random numbers of an iteration depend on its number alone, so that a resumed run draws the same."""
        seed = self.settings.seed * 1_000_003 + self.iteration
        self.env.table.reseed_opponents(seed)
        random.seed(seed)
        np.random.seed(seed % 2**32)
        torch.manual_seed(seed)
        self.iteration += 1

    def _tick(self) -> None:
        now = time.monotonic()
        self.spent += now - self._clock
        self._clock = now
        self.rate.left = 1.0 - self.fraction
        if self.report:
            steps, rewards = self.model.num_timesteps, [info["r"] for info in self.model.ep_info_buffer or ()]
            self.report(
                Progress(
                    steps,
                    self.settings.steps,
                    steps / max(self.spent, 1e-9),
                    self.fraction,
                    float(np.mean(rewards)) if rewards else 0.0,
                    self.shares,
                )
            )

    @property
    def fraction(self) -> float:
        by_steps = self.model.num_timesteps / self.settings.steps
        by_time = self.spent / (60 * self.settings.minutes) if self.settings.minutes else 0.0
        return min(1.0, max(by_steps, by_time))

    def evaluate(self) -> None:
        game = make(self.settings.game, self.settings.num_players, **(self.settings.options | {"reward": "win"}))
        learner = PolicyAgent.of_layers(game, layers_of(self.model))
        row: dict[str, Any] = {"steps": self.model.num_timesteps, "seconds": round(self.spent, 1)}
        for name in self.settings.evaluate_against:
            agents = [learner, make_agent(game, name, self.settings.seed)]
            pairing = play_pairing(
                game, ("learner", name), self.settings.evaluation_deals, EVALUATION_SEED, agents=agents
            )
            self.shares[name] = pairing.share
            self.logger.record(f"evaluation/share of wins against {name}", pairing.share.mean)
            row[name] = round(pairing.share.mean, 4)
        self.curve.append(row)

    def save(self) -> None:
        """Write the whole run to its checkpoint, which is replaced only when the new one is complete."""
        memory = io.BytesIO()  # torch itself turns a full disk into a RuntimeError of its own
        torch.save(self._state(), memory)
        _replace(self.folder / CHECKPOINT, lambda part: part.write_bytes(memory.getbuffer()))
        self._saved_at = time.monotonic()

    def _state(self) -> dict:
        table = self.env.table
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
        }
        return {
            "policy": self.model.policy.state_dict(),
            "optimizer": self.model.policy.optimizer.state_dict(),
            "arrays": {name: torch.from_numpy(np.ascontiguousarray(a).copy()) for name, a in arrays.items()},
            "league": [[(torch.from_numpy(w), torch.from_numpy(b)) for w, b in v] for v in self.league.versions],
            "steps": self.model.num_timesteps,
            "updates": self.model._n_updates,
            "iteration": self.iteration,
            "episodes": [dict(info) for info in self.model.ep_info_buffer or ()],
            "curve": self.curve,
            "shares": {name: tuple(share) for name, share in self.shares.items()},
            "spent": self.spent,
        }

    def load(self, state: dict) -> None:
        """Take over what `save` wrote."""
        table, arrays = self.env.table, {name: tensor.numpy() for name, tensor in state["arrays"].items()}
        for layers in state["league"]:
            self.league.versions.append([(w.numpy(), b.numpy()) for w, b in layers])
            self.league._agents.append(PolicyAgent.of_layers(self.env.game, self.league.versions[-1], sample=True))
        table.opponents, table.weights = self.league.opponents, self.league.weights
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
        self.iteration, self.curve, self.spent = state["iteration"], state["curve"], state["spent"]
        self.shares = {name: Share(*numbers) for name, numbers in state["shares"].items()}
        self._just_loaded = True


def train(
    settings: Settings, folder: str | Path, resume: bool = False, report: Callable[[Progress], Any] | None = None
) -> Path:
    """Train a policy in `folder` and return the path of its file.

    The folder gets settings.json, checkpoint.pt, curve.csv, policy.safetensors and a TensorBoard log. With `resume`
    the run in the folder goes on under its own settings; only `steps` and `minutes` are taken from `settings`.

    Raises TrainingError if the folder holds a run already (or none, with `resume`), or the disk is full; the last
    checkpoint is then whole, as it is after an interrupt at any moment.
    """
    folder = Path(folder)
    state = None
    if resume:
        settings, state = _resumed(settings, folder)
    else:
        _start_folder(settings, folder)
    env = SeatVecEnv(settings.make_game(), settings.envs, ["random"], seed=settings.seed)
    run = _Run(settings, folder, env, report)
    if state:
        run.load(state)
    try:
        with one_blas_thread():
            _learn(run, resume=state is not None)
    except OSError as error:
        raise TrainingError(f"{folder}: {error.strerror or error}; the last checkpoint is whole: --resume") from error
    return folder / POLICY


def one_blas_thread() -> Any:
    """Context in which NumPy multiplies on one thread: its threads and torch's, both waiting busily for work, would
    otherwise take the cores from each other (measured: 52 % of the learner's speed left instead of 85 %)."""
    return threadpool_limits(limits=1, user_api="blas")


def _learn(run: _Run, resume: bool) -> None:
    settings, model = run.settings, run.model
    rest = settings.steps - model.num_timesteps
    if rest > 0:
        with contextlib.suppress(_TimeIsUp):
            model.learn(rest, run, log_interval=10, tb_log_name="ppo", reset_num_timesteps=not resume)
    run.evaluate()
    run.save()
    _write_curve(run.folder / CURVE, run.curve)
    summary = {"settings": dataclasses.asdict(settings), "steps": model.num_timesteps, "result": run.curve[-1]}
    save_policy(run.folder / POLICY, run.env.game, layers_of(model), summary)


class _TimeIsUp(Exception):  # noqa: N818
    """Leaves Stable-Baselines3's loop between two iterations: stopping it through `on_step` would cut one."""


def _start_folder(settings: Settings, folder: Path) -> None:
    if (folder / SETTINGS).exists():
        raise TrainingError(f"{folder} already holds a run: continue it with --resume, or choose another folder")
    settings.make_game()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(dataclasses.asdict(settings), indent=2)
        _replace(folder / SETTINGS, lambda part: part.write_text(text + "\n"))
    except OSError as error:
        raise TrainingError(f"{folder}: {error.strerror or error}") from error


def _resumed(wanted: Settings, folder: Path) -> tuple[Settings, dict | None]:
    """Settings and checkpoint of the run in the folder; no checkpoint if it was cut before the first."""
    try:
        stored = json.loads((folder / SETTINGS).read_text())
        stored = {key: tuple(value) if isinstance(value, list) else value for key, value in stored.items()}
        settings = dataclasses.replace(Settings(**stored), steps=wanted.steps, minutes=wanted.minutes)
    except FileNotFoundError:
        raise TrainingError(f"{folder} holds no run to resume (no {SETTINGS})") from None
    except (ValueError, TypeError) as error:
        raise TrainingError(f"{folder / SETTINGS} is damaged: {error}") from None
    if settings.game != wanted.game:
        raise TrainingError(f"{folder} holds a run of {settings.game}, not of {wanted.game}")
    if not (folder / CHECKPOINT).exists():
        return settings, None
    try:
        return settings, torch.load(folder / CHECKPOINT, weights_only=True)
    except Exception as error:  # whatever unpickling a damaged file raises
        raise TrainingError(f"{folder / CHECKPOINT} is damaged: {error}") from None


def _replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file beside `path`, flush it to the disk, then put it in its place."""
    part = path.with_name(path.name + ".part")
    try:
        write(part)
        with open(part, "rb") as file:
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _write_curve(path: Path, curve: list[dict]) -> None:
    def write(part: Path) -> None:
        with open(part, "w", newline="") as file:
            writer = csv.DictWriter(file, list(curve[0]))
            writer.writeheader()
            writer.writerows(curve)

    _replace(path, write)


def plot_curve(curve_file: Path, png: Path) -> None:
    """Share of wins over the learner's decisions, one line an opponent."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with open(curve_file, newline="") as file:
        rows = list(csv.DictReader(file))
    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    steps = [int(row["steps"]) for row in rows]
    for name in [key for key in rows[0] if key not in ("steps", "seconds")]:
        axes.plot(steps, [100 * float(row[name]) for row in rows], marker="o", markersize=3, label=f"against {name}")
    axes.set(xlabel="decisions of the learner", ylabel="share of wins, %", ylim=(0, 101))
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(png, dpi=150)
    pyplot.close(figure)
