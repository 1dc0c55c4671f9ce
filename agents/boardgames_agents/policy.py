"""Trained networks: saved as safetensors, played without torch.

A network takes the observation bytes, each divided by its largest value. Those that form planes over the board go, if
the network has convolutions, through these (3 × 3, padded with zeros), all others straight to the dense layers; every
layer but the last is followed by ReLU, and the last gives a number for each action. A file holds `conv.0.weight`,
`conv.0.bias` …, `0.weight`, `0.bias`, `1.weight` … and, as metadata, the game that it is for and how it was trained.

The policies that ship with the package lie in policies/, one for a game and number of players.
"""

from __future__ import annotations

import functools
import itertools
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from boardgames_agents.forward import BLOCK, Layers, drawn, logits_rows, most_likely
from boardgames_env import CompiledAgent, Game, jit
from boardgames_env.compiled import random_stream

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


def compiled_form(game: Game, network: Network) -> Layers:
    """The network as the functions in forward.py take it."""
    planes, others = inputs_of(game, bool(network.convolutions))
    _, height, width = planes.shape
    places = np.concatenate([others, planes.transpose(1, 2, 0).ravel()])
    channels = [len(planes), *(len(bias) for _, bias in network.convolutions)]
    widths = [len(others) + channels[-1] * height * width, *(_whole_blocks(len(bias)) for _, bias in network.dense)]
    parts = []
    for weight, bias in network.convolutions:
        parts.append(_packed(weight.transpose(2, 3, 1, 0).reshape(-1, len(bias)), bias, weight[0].size, len(bias)))
    for i, (weight, bias) in enumerate(network.dense):
        rows = weight.T
        if network.convolutions and i == 0:  # the channels of a cell come together, not the cells of a channel
            from_planes = rows[len(others) :].reshape(channels[-1], height * width, -1)
            rows = np.concatenate([rows[: len(others)], from_planes.transpose(1, 0, 2).reshape(-1, rows.shape[1])])
        parts.append(_packed(rows, bias, widths[i], widths[i + 1]))
    room = max(*(len(others) + c * height * width for c in channels), *widths)
    return Layers(
        inputs=np.argsort(places),
        scale=(1.0 / game.high).astype(np.float32),
        board=np.array([height, width, len(others)]),
        channels=np.array(channels),
        widths=np.array(widths),
        weights=np.concatenate(parts),
        before=np.zeros(room, np.float32),
        after=np.zeros(room, np.float32),
        nonzero=np.zeros(room, np.int64),
        logits=np.zeros(game.num_actions, np.float32),
    )


def _whole_blocks(outputs: int) -> int:
    return -(-outputs // BLOCK) * BLOCK


def _packed(rows: np.ndarray, bias: np.ndarray, inputs: int, outputs: int) -> np.ndarray:
    """A layer as Layers.weights holds it, with zeros for inputs and outputs that the network does not have."""
    layer = np.zeros((1 + inputs, outputs), np.float32)
    layer[0, : len(bias)] = bias
    layer[1 : 1 + len(rows), : len(bias)] = rows
    return layer.ravel()


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


# --- The agent ----------------------------------------------------------------------------------------------


class PolicyAgent(CompiledAgent):
    """Plays a saved policy: its most likely action, or one drawn from its distribution with `sample`.

    Two threads must not use one agent at once: each network has its own room to work in.
    """

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
        self._layers, self._stream = compiled_form(game, network), random_stream(seed)
        if sample:
            super().__init__(drawn, "policy-sampled", self._layers, self._stream)
        else:
            super().__init__(most_likely, "policy", self._layers)

    def reseed(self, seed: int | None) -> None:
        """Start the random numbers of `sample` anew."""
        self._stream[:] = random_stream(seed)

    def logits(self, obs: np.ndarray) -> np.ndarray:
        """float32[B, A] for observations uint8[B, O]. Raises ValueError for others."""
        if obs.ndim != 2 or obs.shape[1] != len(self._layers.inputs) or obs.dtype != np.uint8:
            raise ValueError(f"expected uint8 (B, {len(self._layers.inputs)}), got {obs.dtype} {obs.shape}")
        out = np.empty((len(obs), len(self._layers.logits)), np.float32)
        _logits()(np.ascontiguousarray(obs), self._layers, out)
        return out


@functools.cache
def _logits() -> Any:
    return jit.kernel(logits_rows, "policy", allocates=False)
