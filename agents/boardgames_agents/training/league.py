"""The opponents of a run: scripted agents, and the learner's own past versions."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardgames_agents.policy import Network, PolicyAgent
from boardgames_agents.registry import make_agent
from boardgames_agents.training.settings import Settings
from boardgames_env import Game

MEMORY = 0.999  # of what games against an opponent were worth: half of it is forgotten after 700
SHARPNESS = 2.0  # how much more often a stronger opponent plays: exp(2 · what it takes from the learner)


class League:
    """Who plays the other seats. A member keeps its place in `agents`; a new version may take that of an old one.

    Attributes:
        agents: the scripted ones, then the versions.
        versions: the networks of these; born: int64[V], when each joined, counted in versions.
        paid: float64[M], what the learner got on average, lately, from games in which the member played.
    """

    def __init__(self, settings: Settings, game: Game):
        self.settings, self.game = settings, game
        self.agents: list[Any] = [make_agent(game, name, settings.seed) for name in settings.scripted]
        self.scripted = len(self.agents)
        self.versions: list[Network] = []
        self.born = np.zeros(0, np.int64)
        self.paid = np.zeros(self.scripted)

    def add(self, network: Network) -> None:
        """Let a version join. When the league is full the second oldest makes room: the first stays as a measure."""
        birth = int(self.born.max(initial=-1)) + 1
        agent = self.member(network)
        if len(self.versions) < self.settings.league:
            self.versions.append(network)
            self.agents.append(agent)
            self.born, self.paid = np.append(self.born, birth), np.append(self.paid, 0.0)
            return
        place = int(np.argsort(self.born)[min(1, len(self.born) - 1)])
        self.versions[place], self.agents[self.scripted + place] = network, agent
        self.born[place], self.paid[self.scripted + place] = birth, 0.0

    def member(self, network: Network) -> PolicyAgent:
        """A version as an opponent: it plays as it did when it learnt, by its distribution."""
        return PolicyAgent.of_network(self.game, network, sample=True, seed=0)

    def note(self, opponents: np.ndarray, reward: float) -> None:
        """A game ended: `opponents` are the members that took part, `reward` what the learner got."""
        self.paid[opponents] += (1 - MEMORY) * (reward - self.paid[opponents])

    @property
    def weights(self) -> np.ndarray:
        """Each member's share of the seats, in the order of `agents`; they sum to 1."""
        settings, strength = self.settings, np.exp(-SHARPNESS * self.paid)
        scripted, own = strength[: self.scripted], strength[self.scripted :]
        if len(own):
            own = own * (1 + np.argsort(np.argsort(self.born)))  # the recent ones more often
            own = (1 - settings.latest_share) * own / own.sum()
            own[self.born.argmax()] += settings.latest_share
        share = (settings.scripted_share if len(own) else 1.0) if self.scripted else 0.0
        return np.concatenate([share * scripted / max(scripted.sum(), 1e-9), (1 - share) * own])
