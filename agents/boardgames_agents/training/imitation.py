"""Before self-play: learn to play, and to value positions, from the games of an agent that is there already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import torch

from boardgames_agents.registry import make_agent
from boardgames_agents.training.settings import Settings
from boardgames_env import Batch, Game

GAMES_AT_ONCE = 1024
VALUE_WEIGHT = 0.5  # of the value's squared error beside the action's log likelihood, as in PPO
FIRST_SEED = 1 << 40  # of its deals


class Decisions(NamedTuple):
    """N decisions of the teacher."""

    obs: np.ndarray  # uint8[N, O]
    mask: np.ndarray  # int8[N, A]
    action: np.ndarray  # int64[N]
    value: np.ndarray  # float32[N], what the seat still got until the end of the game


def imitate(settings: Settings, game: Game, model: Any, go_on: Callable[[int], bool]) -> None:
    """Train `model` on `imitate_steps` decisions of the agent `imitate`, each used once.

    `go_on` gets their count after each minibatch, and may end it.
    """
    policy, done = model.policy, 0
    rng = np.random.default_rng(settings.seed)
    optimizer = torch.optim.Adam(policy.parameters(), settings.imitate_learning_rate)
    for decisions in games_of(settings, game, rng):
        order = rng.permutation(len(decisions.action))
        for start in range(0, len(order) - settings.minibatch + 1, settings.minibatch):
            rows = order[start : start + settings.minibatch]
            obs, mask, action, value = (torch.as_tensor(array[rows]) for array in decisions)
            values, log_likelihood, entropy = policy.evaluate_actions(obs, action, action_masks=mask)
            error = torch.nn.functional.mse_loss(values.flatten(), value)
            loss = VALUE_WEIGHT * error - log_likelihood.mean() - settings.imitate_entropy * entropy.mean()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
            optimizer.step()
            done += len(rows)
            optimizer.param_groups[0]["lr"] = settings.imitate_learning_rate * max(
                0.1, 1 - done / settings.imitate_steps
            )
            if not go_on(done) or done >= settings.imitate_steps:
                return


def games_of(settings: Settings, game: Game, rng: np.random.Generator) -> Iterator[Decisions]:
    """Whole games of the teacher in all seats, without end, some moves being random."""
    teacher = make_agent(game, settings.imitate, settings.seed)
    size = max(GAMES_AT_ONCE, settings.minibatch // 8)
    batch = Batch(game, size, FIRST_SEED + (settings.seed << 32))
    while True:
        parts: list[tuple] = []
        while not batch.over.all():
            rows = np.flatnonzero(~batch.over)
            turns = batch.turns(rows)
            actions = np.asarray(teacher.act(turns))
            seats = turns.seat
            parts.append((turns.matrix.copy(), turns.mask.copy(), actions, rows, seats, batch.returns[rows, seats]))
            played = np.where(rng.random(len(rows)) < settings.imitate_noise, batch.sample()[rows], actions)
            batch.step(played, rows)
        obs, mask, action, rows, seats, before = (np.concatenate(arrays) for arrays in zip(*parts))
        yield Decisions(obs, mask, action.astype(np.int64), (batch.returns[rows, seats] - before).astype(np.float32))
        batch.reset()
