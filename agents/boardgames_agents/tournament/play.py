"""Playing one unit of a plan: the lines of its games, the same wherever and whenever it is played."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from boardgames_agents.match import play
from boardgames_agents.registry import make_agent
from boardgames_agents.tournament.plan import Plan
from boardgames_env import Agent, Batch, Game, Turns
from boardgames_env import replay as replays


class Task(NamedTuple):
    """What a process must know to play any unit. `agents` are names."""

    game: Game
    agents: tuple[str, ...]
    plan: Plan
    seed: int

    def check(self) -> None:
        """Raises ValueError, before anything is played, if an agent cannot be made."""
        for name in self.agents:
            make_agent(self.game, name)

    def chance(self, *path: int) -> int:
        """A seed of its own for each path of numbers."""
        return int(np.random.SeedSequence([self.seed, *path]).generate_state(1, np.uint64)[0])


class Speed(NamedTuple):
    """What an agent's decisions took; the first call of a process, which may compile, is left out."""

    decisions: int
    seconds: float


class Timed:
    """An agent, and what its decisions take."""

    def __init__(self, agent: Agent):
        self.agent = agent
        self.warm = False
        self.speed = Speed(0, 0.0)

    def act(self, turns: Turns) -> np.ndarray:
        start = time.perf_counter()
        actions = self.agent.act(turns)
        if self.warm:
            decisions, seconds = self.speed
            self.speed = Speed(decisions + len(turns.seat), seconds + time.perf_counter() - start)
        self.warm = True
        return actions


class UnitPlayer:
    """Plays units of a task, with agents made once."""

    def __init__(self, task: Task):
        self.task = task
        self.agents = [Timed(make_agent(task.game, name, task.chance(i))) for i, name in enumerate(task.agents)]

    def play(self, unit: int) -> tuple[bytes, list[Speed]]:
        """(lines of the unit's games in order, speed of each agent)."""
        task, tables = self.task, self.task.plan.tables(unit)
        for i, timed in enumerate(self.agents):
            timed.speed = Speed(0, 0.0)
            if hasattr(timed.agent, "reseed"):
                timed.agent.reseed(task.chance(i, unit))
        seats = np.concatenate([task.plan.seats(table) for table in tables])
        seeds = [task.seed + int(task.plan.deals[table]) for table in tables]
        batch = Batch(task.game, len(seats), np.repeat(np.array(seeds, np.uint64), task.game.num_players))
        actions: list[np.ndarray] = []
        play(batch, self.agents, seats, actions.append)
        return self._lines(batch, actions, seats, tables), [timed.speed for timed in self.agents]

    def _lines(self, batch: Batch, actions: list[np.ndarray], seats: np.ndarray, tables: range) -> bytes:
        """A replay a line, with the number of the table, the scores and, where the game has them, the camps."""
        game = self.task.game
        scores = np.asarray(game.scores(batch.states), float).tolist()
        camps = _camp_names(game, batch)
        lines = []
        for i, one in enumerate(replays.record(batch, actions, [[self.task.agents[a] for a in row] for row in seats])):
            more = {"table": tables[i // game.num_players], "scores": scores[i]}
            lines.append(one.to_json(**more, **({"camps": camps[i]} if camps else {})) + "\n")
        return "".join(lines).encode()


def _camp_names(game: Game, batch: Batch) -> list[list[str]]:
    """Camps by game and seat at the end; none for a game without camps."""
    if game.camps is None:
        return []
    names, camps = game.camps(batch.states)
    return [[names[camp] for camp in row] for row in camps]
