"""Trained networks: saved as safetensors, played with NumPy alone, batched.

A network takes the observation bytes, each divided by its largest value. Those that form planes over the board go, if
the network has convolutions, through these (3 × 3, padded with zeros), all others straight to the dense layers; every
layer but the last is followed by ReLU, and the last gives a number for each action. A file holds `conv.0.weight`,
`conv.0.bias` …, `0.weight`, `0.bias`, `1.weight` … and, as metadata, the game that it is for and how it was trained.

The policies that ship with the package lie in policies/, one for a game and number of players.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from boardgames_env import Game, Turns

FORMAT = "boardgames-policy-2"
SHIPPED = Path(__file__).parent / "policies"


class Layer(NamedTuple):
    """A layer's weight, float32[out, in], or [out, in, 3, 3] of a convolution, and bias, float32[out]."""

    weight: np.ndarray
    bias: np.ndarray


class Network(NamedTuple):
    """The layers of a policy, first to last."""

    convolutions: list[Layer]
    dense: list[Layer]

    @property
    def shape(self) -> dict[str, list[int]]:
        """Outputs of each layer."""
        return {"convolutions": [len(b) for _, b in self.convolutions], "dense": [len(b) for _, b in self.dense]}


class Inputs(NamedTuple):
    """Which bytes of an observation form planes over the board, and which do not."""

    planes: np.ndarray  # int64[P, height, width]; P is 0 if the game has no planes
    others: np.ndarray  # int64[N]


def inputs_of(game: Game, convolutions: bool) -> Inputs:
    """How a network with or without convolutions takes this game's observations.

    Fields with three axes whose last two are alike are planes; of several sizes the first counts.
    """
    planes: list[np.ndarray] = []
    for places in _fields(game.observation) if convolutions else ():
        alike = not planes or planes[0].shape[1:] == places.shape[1:]
        if places.ndim == 3 and places.shape[1] == places.shape[2] and alike:
            planes.append(places)
    together = np.concatenate(planes) if planes else np.zeros((0, 1, 1), np.int64)
    return Inputs(together, np.setdiff1d(np.arange(game.observation.itemsize), together))


def _fields(dtype: np.dtype, start: int = 0) -> list[np.ndarray]:
    """The places of the bytes of every field of single bytes, each in the field's own shape."""
    if dtype.fields is None:
        return [start + np.arange(dtype.itemsize).reshape(dtype.shape)]
    return [places for kind, offset, *_ in dtype.fields.values() for places in _fields(kind, start + offset)]


def convolve(x: np.ndarray, layer: Layer) -> np.ndarray:
    """ReLU of a 3 × 3 convolution with zeros around: float32[B, in, H, W] to float32[B, out, H, W]."""
    batch, _, height, width = x.shape
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3))
    columns = windows.transpose(0, 2, 3, 1, 4, 5).reshape(batch * height * width, -1)
    out = np.maximum(columns @ layer.weight.reshape(len(layer.bias), -1).T + layer.bias, 0.0)
    return out.reshape(batch, height, width, -1).transpose(0, 3, 1, 2)


# --- Files --------------------------------------------------------------------------------------------------


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


def save_policy(path: str | Path, game: Game, network: Network, summary: dict) -> None:
    """Write a network and how it came about; the file is complete or not there at all."""
    path = Path(path)
    tensors = {}
    for prefix, layers in (("conv.", network.convolutions), ("", network.dense)):
        for i, layer in enumerate(layers):
            tensors[f"{prefix}{i}.weight"] = np.ascontiguousarray(layer.weight, np.float32)
            tensors[f"{prefix}{i}.bias"] = np.ascontiguousarray(layer.bias, np.float32)
    metadata = {"network": json.dumps(network.shape), "summary": json.dumps(summary)}
    part = path.with_name(path.name + ".part")
    try:
        save_file(tensors, part, compatibility(game) | metadata)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def load_policy(path: str | Path, game: Game) -> tuple[Network, dict]:
    """Network and training summary. Raises ValueError, naming the file, if it is damaged or for another game."""
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
    network = _sorted_layers(path, tensors)
    _check_shapes(path, game, network)
    return network, _summary(path, metadata)


def shipped_policy(game: Game) -> Path:
    """The policy that ships with the package for this game and number of players; ValueError if there is none."""
    path = SHIPPED / f"{game.name}-{game.num_players}.safetensors"
    if not path.is_file():
        there = ", ".join(map(str, shipped_players(game.name))) or "no number of them"
        raise ValueError(
            f"no policy ships for {game.name} with {game.num_players} players, but for {there}; "
            f"train one with `boardgames train`, and name its file: policy:PATH"
        )
    return path


def shipped_players(name: str) -> list[int]:
    """For which numbers of players a policy of that game ships."""
    return sorted(int(file.stem.rpartition("-")[2]) for file in SHIPPED.glob(f"{name}-*.safetensors"))


def _sorted_layers(path: Any, tensors: dict[str, np.ndarray]) -> Network:
    def layers(prefix: str) -> list[Layer]:
        names = ([f"{prefix}{i}.{part}" for part in Layer._fields] for i in itertools.count())
        there = itertools.takewhile(lambda pair: set(pair) <= set(tensors), names)
        return [Layer(*(tensors[name] for name in pair)) for pair in there]

    network = Network(layers("conv."), layers(""))
    if not network.dense or len(tensors) != 2 * (len(network.convolutions) + len(network.dense)):
        raise ValueError(f"{path}: expected weight and bias of layers 0, 1, …; got {sorted(tensors)}")
    return network


def _check_shapes(path: Any, game: Game, network: Network) -> None:
    """Every layer takes what the one before gives, in finite float32; the last gives a number an action."""
    taken = inputs_of(game, bool(network.convolutions))
    channels = len(taken.planes)
    for i, layer in enumerate(network.convolutions):
        _check_layer(f"{path}: convolution {i}", layer, (channels, 3, 3))
        channels = len(layer.bias)
    inputs = channels * taken.planes[0].size if network.convolutions and len(taken.planes) else 0
    inputs += len(taken.others)
    for i, layer in enumerate(network.dense):
        _check_layer(f"{path}: layer {i}", layer, (inputs,))
        inputs = len(layer.bias)
    if inputs != game.num_actions:
        raise ValueError(f"{path}: the network gives {inputs} numbers, {game.name} has {game.num_actions} actions")


def _check_layer(what: str, layer: Layer, inputs: tuple[int, ...]) -> None:
    weight, bias = layer
    if weight.ndim != 1 + len(inputs) or weight.shape[1:] != inputs or bias.shape != weight.shape[:1] or 0 in inputs:
        raise ValueError(f"{what} has shapes {weight.shape}, {bias.shape}; inputs are {inputs}")
    if weight.dtype != np.float32 or bias.dtype != np.float32:
        raise ValueError(f"{what} must be float32")
    if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
        raise ValueError(f"{what} holds numbers that are not finite")


def _summary(path: Any, metadata: dict) -> dict:
    try:
        summary = json.loads(metadata.get("summary", "{}"))
    except json.JSONDecodeError:
        raise ValueError(f"{path}: the training summary is damaged") from None
    return summary if isinstance(summary, dict) else {}


# --- Agents -------------------------------------------------------------------------------------------------


def choose(logits: np.ndarray, mask: np.ndarray, rng: np.random.Generator | None) -> np.ndarray:
    """Legal actions [B] from float32[B, A] (which is changed): the most likely, or drawn from their softmax."""
    if rng is not None:  # the Gumbel trick
        logits -= np.log(rng.standard_exponential(logits.shape, dtype=np.float32) + 1e-30)
    logits[mask == 0] = -np.inf
    return logits.argmax(axis=1)


class PolicyAgent:
    """Plays a saved policy: its most likely action, or one drawn from its distribution with `sample`."""

    def __init__(self, game: Game, path: str | Path, sample: bool = False, seed: int | None = None):
        network, self.summary = load_policy(path, game)
        self._init(game, network, sample, seed)

    @classmethod
    def of_network(cls, game: Game, network: Network, sample: bool = False, seed: int | None = None) -> PolicyAgent:
        """An agent from weights that are not in a file."""
        agent = object.__new__(cls)
        agent.summary = {}
        agent._init(game, network, sample, seed)
        return agent

    def _init(self, game: Game, network: Network, sample: bool, seed: int | None) -> None:
        self.game, self.network, self.sample = game, network, sample
        self._inputs = inputs_of(game, bool(network.convolutions))
        self._scale = (1.0 / game.high).astype(np.float32)
        self._transposed = [(layer.weight.T.copy(), layer.bias) for layer in network.dense]
        self.reseed(seed)

    def reseed(self, seed: int | None) -> None:
        self._rng = np.random.default_rng(seed)

    def logits(self, obs: np.ndarray) -> np.ndarray:
        """float32[B, A] for observations uint8[B, O]."""
        x = obs.astype(np.float32) * self._scale
        if self.network.convolutions:
            planes = x[:, self._inputs.planes]
            for layer in self.network.convolutions:
                planes = convolve(planes, layer)
            x = np.concatenate([x[:, self._inputs.others], planes.reshape(len(x), -1)], axis=1)
        for weight, bias in self._transposed[:-1]:
            x = np.maximum(x @ weight + bias, 0.0)
        weight, bias = self._transposed[-1]
        return x @ weight + bias

    def act(self, turns: Turns) -> np.ndarray:
        return choose(self.logits(turns.matrix), turns.mask, self._rng if self.sample else None)
