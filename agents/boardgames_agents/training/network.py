"""The learner's network in torch, and the same as arrays for policy.py."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, MlpExtractor

from boardgames_agents.policy import Layer, Network, inputs_of
from boardgames_agents.training.settings import Settings
from boardgames_env import Game


def arithmetic(precision: str) -> Any:
    """Context in which torch multiplies in this precision; weights and sums that matter stay float32."""
    return torch.autocast("cpu", torch.bfloat16) if precision == "bfloat16" else contextlib.nullcontext()


class Trunk(BaseFeaturesExtractor):
    """What policy and value share: bytes divided by their largest values, planes convolved, then dense layers."""

    def __init__(self, observation_space: Any, game: Game, settings: Settings):
        inputs = inputs_of(game, bool(settings.convolutions))
        if settings.convolutions and not len(inputs.planes):
            raise ValueError(f"{game.name} has no planes over a board: convolutions must be empty")
        from_planes = inputs.planes[0].size * settings.convolutions[-1] if settings.convolutions else 0
        widths = [len(inputs.others) + from_planes, *settings.trunk]
        super().__init__(observation_space, features_dim=widths[-1])
        channels = [len(inputs.planes), *settings.convolutions]
        self.convolutions = torch.nn.ModuleList(
            torch.nn.Conv2d(a, b, 3, padding=1) for a, b in zip(channels, settings.convolutions)
        )
        self.dense = torch.nn.ModuleList(torch.nn.Linear(a, b) for a, b in zip(widths, settings.trunk))
        self.precision = settings.precision
        self.scale: torch.Tensor
        self.planes: torch.Tensor
        self.others: torch.Tensor
        self.register_buffer("scale", torch.as_tensor(1.0 / observation_space.high.astype(np.float32)))
        self.register_buffer("planes", torch.as_tensor(inputs.planes))
        self.register_buffer("others", torch.as_tensor(inputs.others))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        x = observations.float() * self.scale
        with arithmetic(self.precision):
            if len(self.convolutions):
                planes = x[:, self.planes]
                for layer in self.convolutions:
                    planes = torch.relu(layer(planes))
                x = torch.cat([x[:, self.others], planes.flatten(1)], 1)
            for layer in self.dense:
                x = torch.relu(layer(x))
        return x


class Heads(MlpExtractor):
    """The layers that policy and value have for themselves, in the precision of the run."""

    precision = "float32"

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        with arithmetic(self.precision):
            latent = self.policy_net(features)
        return latent.float()

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        with arithmetic(self.precision):
            latent = self.value_net(features)
        return latent.float()


class Policy(MaskableActorCriticPolicy):
    """sb3-contrib's policy on our trunk and heads."""

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = Heads(self.features_dim, self.net_arch, self.activation_fn, self.device)
        self.mlp_extractor.precision = str(self.features_extractor.precision)


class LearningRate:
    """Falls in a line to a tenth over the run, which may be limited by time as well as by steps."""

    def __init__(self, first: float):
        self.first = first
        self.left = 1.0  # fraction of the run

    def __call__(self, left_by_steps: float) -> float:
        return self.first * (0.1 + 0.9 * self.left)


def build_model(settings: Settings, env: Any, rate: LearningRate, logs: Path | None = None) -> MaskablePPO:
    """The learner. `env` is a SeatVecEnv of the game."""
    return MaskablePPO(
        Policy,
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
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"game": env.game, "settings": settings},
            "share_features_extractor": True,
        },
    )


def network_of(model: Any) -> Network:
    """The layers from observation to actions, as copies."""
    trunk, heads = model.policy.features_extractor, model.policy.mlp_extractor
    dense = [*trunk.dense, *(m for m in heads.policy_net if isinstance(m, torch.nn.Linear)), model.policy.action_net]
    return Network(_copies(trunk.convolutions), _copies(dense))


def _copies(layers: Any) -> list[Layer]:
    return [Layer(m.weight.detach().numpy().copy(), m.bias.detach().numpy().copy()) for m in layers]
