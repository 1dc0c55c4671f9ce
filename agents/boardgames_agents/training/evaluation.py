"""How good the learner is: matches on fixed deals, ratings of all versions, and the best one kept."""

from __future__ import annotations

from typing import Any

from boardgames_agents.measure import Share
from boardgames_agents.policy import Network, PolicyAgent
from boardgames_agents.registry import make_agent
from boardgames_agents.tournament import play_pairing
from boardgames_agents.training.rating import Result, rate
from boardgames_agents.training.settings import Settings
from boardgames_env import make

EVALUATION_SEED = 1 << 32  # deals for evaluation; training uses small seeds and streams that go on from them
BEST = "the best earlier version"


class Evaluation:
    """The matches of all versions so far.

    Attributes:
        curve: a row an evaluation: steps, seconds, rating, then shares of wins by opponent.
        results: all matches. best: the version with the highest rating; best_name: what `results` calls it.
        shares: the latest share of wins against each opponent.
    """

    def __init__(self, settings: Settings):
        self.settings = settings
        self.game = make(settings.game, settings.num_players, **(settings.options | {"reward": "win"}))
        self.curve: list[dict[str, Any]] = []
        self.results: list[Result] = []
        self.best: Network | None = None
        self.best_name = ""
        self.shares: dict[str, Share] = {}

    def evaluate(self, network: Network, steps: int, seconds: float, slow: bool) -> None:
        """Play the version against everybody, `slow` ones included or not, and keep it if it is the best so far."""
        settings, name = self.settings, f"version {steps}"
        learner = self._agent(network)
        row: dict[str, Any] = {"steps": steps, "seconds": round(seconds, 1), "rating": 0.0}
        matches = [(other, settings.evaluation_deals) for other in settings.evaluate_against]
        matches += [(other, settings.slow_deals) for other in settings.slow_against if slow]
        for other, deals in matches:
            row[other] = self._play(name, learner, other, make_agent(self.game, other, settings.seed), deals, other)
        if self.best and self.best_name != name:
            best = self._agent(self.best)
            row[BEST] = self._play(name, learner, self.best_name, best, settings.evaluation_deals, BEST)
        ratings = rate(self.results, settings.num_players)
        anchor = ratings[settings.evaluate_against[-1]] if settings.evaluate_against else 0.0
        row["rating"] = round(ratings[name] - anchor, 1) if name in ratings else 0.0
        if self.best is None or ratings.get(name, 0.0) > ratings.get(self.best_name, 0.0):
            self.best, self.best_name = network, name
        self.curve.append(row)

    def _play(self, name: str, learner: Any, other: str, agent: Any, deals: int, label: str) -> float:
        pairing = play_pairing(self.game, (name, other), deals, EVALUATION_SEED, agents=[learner, agent])
        self.results.append(Result(name, other, pairing.share.mean, pairing.games))
        self.shares[label] = pairing.share
        return round(pairing.share.mean, 4)

    def _agent(self, network: Network) -> PolicyAgent:
        return PolicyAgent.of_network(self.game, network)
