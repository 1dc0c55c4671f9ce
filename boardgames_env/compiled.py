"""Agents whose decision is a compiled function, and how they play on in many games without Python.

A learner waits for the others, who move several times before its next turn, each time in fewer of the games that it
plays side by side; calls from Python then cost more than the decisions. `play_on` plays each game through to where
somebody else is to move. The function gets there what it gets in `act`, observation and mask, and so cannot cheat.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeGuard

import numpy as np

from boardgames_env import jit
from boardgames_env.batch import Batch, Turns, as_records
from boardgames_env.game import Game
from boardgames_env.kernels import STREAM
from boardgames_env.rng import sample_legal

choose = observe = legal = step = jit.unbound


def act_rows(obs, masks, actions, more):
    for i in range(len(actions)):
        actions[i] = choose(obs[i], masks[i], *more)


def play_rows(states, rows, seating, number, obs, obs_bytes, masks, more):
    """Play in each of the games `rows` while seating[row, seat to act] is `number`. obs and masks have one row.

    Returns −1; or, where `choose` gives something illegal, that row: the move and the rows after it are not played.
    """
    for row in rows:
        s = states[row]
        while not s.over and seating[row, int(s.player)] == number:
            obs_bytes[0, :] = 0
            observe(s, int(s.player), obs[0])
            masks[0, :] = 0
            legal(s, masks[0])
            action = int(choose(obs[0], masks[0], *more))
            if action < 0 or action >= masks.shape[1] or not masks[0, action]:
                return row
            step(s, action)
    return -1


class CompiledAgent:
    """Plays `choose(obs, mask, *more) -> action`, a function under `jit.jit`.

    `obs` is one observation record (`jit.bytes_of(obs)` are its bytes), `mask` int8[A] with at least one legal action,
    and `more` are arrays of the agent's own, or named tuples of them: weights, a random stream. A function that makes
    no arrays is up to three times as fast (see `jit.scratch`). `name` is for the cache of compiled code.

    Raises ValueError for a function that is not under `jit.jit`, and when it is to play another game than `game`.

    Attributes:
        game: what its arrays are made for; None if it plays any game that `choose` compiles for.
    """

    game: Game | None = None

    def __init__(self, choose: Callable, name: str, *more: Any):
        if not jit.is_compiled(choose):
            raise ValueError(f"choose must be a function under boardgames_env.jit.jit, got {choose!r}")
        self._choose, self._name, self._more = choose, name, more

    def act(self, turns: Turns) -> np.ndarray:
        """Legal actions, int64[B]."""
        self.check(turns.game)
        actions = np.empty(len(turns.mask), np.int64)
        masks = np.ascontiguousarray(turns.mask, np.int8)
        acting(self)(jit.records(turns.obs), masks, actions, self._more)
        return actions

    def check(self, game: Game) -> None:
        """Raises ValueError if its arrays do not fit the game: compiled code would read beyond them."""
        if self.game is not None and _sizes(self.game) != _sizes(game):
            raise ValueError(f"this agent is for {self.game}, not for {game}")


def _sizes(game: Game) -> tuple[str, int, int, int]:
    return game.name, game.num_players, game.observation.itemsize, game.num_actions


class RandomAgent(CompiledAgent):
    """Plays uniformly random legal actions, drawn from its own stream."""

    def __init__(self, seed: int | None = None):
        super().__init__(_draw, "random", random_stream(seed))

    def reseed(self, seed: int | None) -> None:
        """Start the stream anew. Agents that draw random numbers have this, so that runs can be repeated."""
        self._more[0][:] = random_stream(seed)


@jit.jit
def _draw(obs, mask, streams):
    return sample_legal(streams[0], mask)


def random_stream(seed: int | None) -> np.ndarray:
    """A stream for the functions in rng.py, as an array [1] of records: of the seed, or of its own for None."""
    stream = jit.records(np.zeros(1, STREAM))
    stream["rng"] = np.random.SeedSequence(seed).generate_state(1, np.uint64)
    return stream


def plays_on(agent: Any) -> TypeGuard[CompiledAgent]:
    """Whether `play_on` plays as the agent does: not for one with an `act` of its own."""
    return isinstance(agent, CompiledAgent) and type(agent).act is CompiledAgent.act


def play_on(agent: CompiledAgent, batch: Batch, rows: np.ndarray, seating: np.ndarray, number: int) -> None:
    """Let the agent play in the games `rows` as long as seating[row, seat to act] is `number`.

    rows and seating are int64 [R] and [B, P]. Raises ActionError, as `Batch.step`, if it plays something illegal.
    """
    game = batch.game
    agent.check(game)
    obs = np.empty((1, game.observation.itemsize), np.uint8)
    mask = np.empty((1, game.num_actions), np.int8)
    games, view = jit.records(batch.states), as_records(game, obs)
    bad = playing(agent, game)(games, rows, seating, number, view, obs, mask, agent._more)
    if bad >= 0:
        row = np.array([bad])
        batch.step(agent.act(batch.turns(row)), row)  # which says what is wrong


def acting(agent: CompiledAgent) -> Any:
    """`act_rows` for the agent."""
    return _acting(agent._choose, agent._name)


def playing(agent: CompiledAgent, game: Game) -> Any:
    """`play_rows` for the agent in a game."""
    return _playing(f"{agent._name}-{game.name}", agent._choose, game.observe, game.legal, game.step)


@functools.cache
def _acting(choose: Callable, name: str) -> Any:
    return jit.kernel(act_rows, name, allocates=False, choose=choose)


@functools.cache
def _playing(name: str, choose: Callable, observe: Callable, legal: Callable, step: Callable) -> Any:
    return jit.kernel(play_rows, name, allocates=False, choose=choose, observe=observe, legal=legal, step=step)
