"""Trained networks: saved as safetensors, played with NumPy alone, batched.

A policy is a multilayer perceptron with ReLU over the observation bytes, each divided by its largest value. The file
holds `0.weight`, `0.bias`, `1.weight` … and, as metadata, the game it is for and how it was trained.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from boardgames_env import Game, Turns

FORMAT = "boardgames-policy-1"


def compatibility(game: Game) -> dict[str, str]:
    """What a policy and the game that it plays must agree in. (The option `reward` changes nothing that it sees.)"""
    options = {name: value for name, value in game.options._asdict().items() if name != "reward"}
    return {
        "format": FORMAT,
        "game": game.name,
        "version": str(game.version),
        "num_players": str(game.num_players),
        "options": json.dumps(options, sort_keys=True),
    }


def save_policy(path: str | Path, game: Game, layers: list[tuple[np.ndarray, np.ndarray]], summary: dict) -> None:
    """Write weights [out, in] and biases [out] of each layer; the file is complete or not there at all."""
    path = Path(path)
    tensors = {}
    for i, (weight, bias) in enumerate(layers):
        tensors[f"{i}.weight"] = np.ascontiguousarray(weight, np.float32)
        tensors[f"{i}.bias"] = np.ascontiguousarray(bias, np.float32)
    part = path.with_name(path.name + ".part")
    try:
        save_file(tensors, part, compatibility(game) | {"summary": json.dumps(summary)})
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def load_policy(path: str | Path, game: Game) -> tuple[list[tuple[np.ndarray, np.ndarray]], dict]:
    """Layers and training summary. Raises ValueError, naming the file, if it is damaged or for another game."""
    if not Path(path).is_file():
        raise ValueError(f"there is no policy file {path}")
    try:
        with safe_open(path, "numpy") as file:
            metadata = file.metadata() or {}
            names = list(file.keys())
            tensors = {name: file.get_tensor(name) for name in names}
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise ValueError(f"{path} is damaged or not a policy file: {error}") from None
    for name, wanted in compatibility(game).items():
        if metadata.get(name) != wanted:
            raise ValueError(f"{path}: this policy has {name} {metadata.get(name)!r}, wanted is {wanted!r}")
    return _checked_layers(path, game, tensors), _summary(path, metadata)


def _checked_layers(path: Any, game: Game, tensors: dict) -> list[tuple[np.ndarray, np.ndarray]]:
    count = len(tensors) // 2
    wanted = {f"{i}.{part}" for i in range(count) for part in ("weight", "bias")}
    if not tensors or set(tensors) != wanted:
        raise ValueError(f"{path}: expected weight and bias of layers 0, 1, …; got {sorted(tensors)}")
    layers = [(tensors[f"{i}.weight"], tensors[f"{i}.bias"]) for i in range(count)]
    inputs = game.observation.itemsize
    for i, (weight, bias) in enumerate(layers):
        if weight.ndim != 2 or weight.shape[1] != inputs or bias.shape != weight.shape[:1]:
            raise ValueError(f"{path}: layer {i} has shapes {weight.shape}, {bias.shape}; inputs are {inputs}")
        if weight.dtype != np.float32 or bias.dtype != np.float32:
            raise ValueError(f"{path}: layer {i} must be float32")
        if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
            raise ValueError(f"{path}: layer {i} holds numbers that are not finite")
        inputs = len(bias)
    if inputs != game.num_actions:
        raise ValueError(f"{path}: the network gives {inputs} numbers, {game.name} has {game.num_actions} actions")
    return layers


def _summary(path: Any, metadata: dict) -> dict:
    try:
        summary = json.loads(metadata.get("summary", "{}"))
    except json.JSONDecodeError:
        raise ValueError(f"{path}: the training summary is damaged") from None
    return summary if isinstance(summary, dict) else {}


class PolicyAgent:
    """Plays a saved policy: its most likely action, or one drawn from its distribution with `sample`."""

    def __init__(self, game: Game, path: str | Path, sample: bool = False, seed: int | None = None):
        layers, self.summary = load_policy(path, game)
        self._init(game, layers, sample, seed)

    @classmethod
    def of_layers(cls, game: Game, layers: list, sample: bool = False, seed: int | None = None) -> PolicyAgent:
        """An agent from weights that are not in a file."""
        agent = object.__new__(cls)
        agent.summary = {}
        agent._init(game, layers, sample, seed)
        return agent

    def _init(self, game: Game, layers: list, sample: bool, seed: int | None) -> None:
        self.game, self.layers, self.sample = game, layers, sample
        scale = (1.0 / game.high).astype(np.float32)
        (first, bias), *rest = layers
        self._transposed = [((first * scale).T.copy(), bias)] + [(weight.T.copy(), b) for weight, b in rest]
        self.reseed(seed)

    def reseed(self, seed: int | None) -> None:
        self._rng = np.random.default_rng(seed)

    def logits(self, obs: np.ndarray) -> np.ndarray:
        """float32[B, A] for observations uint8[B, O]."""
        x = obs.astype(np.float32)
        for weight, bias in self._transposed[:-1]:
            x = np.maximum(x @ weight + bias, 0.0)
        weight, bias = self._transposed[-1]
        return x @ weight + bias

    def act(self, turns: Turns) -> np.ndarray:
        logits = self.logits(turns.matrix)
        if self.sample:  # the Gumbel trick draws from the softmax
            logits -= np.log(self._rng.standard_exponential(logits.shape, dtype=np.float32) + 1e-30)
        logits[turns.mask == 0] = -np.inf
        return logits.argmax(axis=1)
