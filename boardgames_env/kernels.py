"""Loops over the rows of a batch, bound to one game: all compiled code that Python calls passes through here.

Each template is an ordinary function that uses the names `deal`, `legal`, `step`, `observe` and `determinize`;
`kernels(game)` compiles copies in which those names are the game's. Single games are batches of one row: calling
compiled code with a record costs ten times as much as with arrays.

`states` is a recarray [B] of `game.state`, `masks` int8[B, A], `obs` a recarray [B] of `game.observation` with
`obs_bytes`, the same memory as uint8[B, O]. Kernels release the GIL and touch only the rows they are given.
"""

from __future__ import annotations

import functools
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np

from boardgames_env import jit
from boardgames_env.game import Game
from boardgames_env.rng import next64, sample_legal, scramble

# A random stream beside the games', for drawing actions. `rng` is not its first field, or Numba would take a state
# for a kind of stream and share code between the two, with a warning.
STREAM = np.dtype([("unused", "u1"), ("rng", "u8")])
_SAMPLING = np.uint64(0x5EED0FAC71035)  # keeps the streams for actions apart from the games' own
_S11 = np.uint64(11)


deal = legal = step = observe = determinize = jit.unbound


def deal_rows(states, template, seeds, streams, rows):
    """Start the games `rows` anew, each from its seed; seed and row number of the stream go together."""
    for i in rows:
        states[i] = template[0]
        s = states[i]
        s.rng = scramble(seeds[i])
        streams[i].rng = scramble(seeds[i] ^ _SAMPLING)
        deal(s)


def next_seeds(states, seeds, rows):
    """The seed of each row's next game, from the stream of the present one (53 bits: exact in any JSON)."""
    for i in rows:
        seeds[i] = next64(states[i]) >> _S11


def legal_rows(states, rows, masks):
    """masks[i, a] = 1 for the actions of the seat to act, for i in rows; all 0 once the game is over."""
    for i in rows:
        masks[i, :] = 0
        if not states[i].over:
            legal(states[i], masks[i])


def observe_rows(states, rows, seats, obs, obs_bytes):
    """What seats[i] knows, for i in rows; −1 means the seat to act."""
    for i in rows:
        obs_bytes[i, :] = 0
        seat = int(seats[i])
        observe(states[i], int(states[i].player) if seat < 0 else seat, obs[i])


def view_row(states, seat, obs, obs_bytes, masks):
    """Observation of one seat in a batch of one, and its mask: all 0 unless it is to act."""
    s = states[0]
    obs_bytes[0, :] = 0
    observe(s, seat, obs[0])
    masks[0, :] = 0
    if not s.over and int(s.player) == seat:
        legal(s, masks[0])


def any_illegal(states, rows, actions, scratch):
    """Whether actions[i] is not legal in states[rows[i]], for some i. `scratch` is int8[A]."""
    for i in range(len(rows)):
        s = states[rows[i]]
        if s.over:
            continue
        action = actions[i]
        if action < 0 or action >= len(scratch):
            return True
        scratch[:] = 0
        legal(s, scratch)
        if not scratch[action]:
            return True
    return False


def step_rows(states, rows, actions, rewards):
    """Play actions[i] in states[rows[i]] if it is not over; rewards[i, seat] = change of the returns."""
    players = rewards.shape[1]
    for i in range(len(rows)):
        s = states[rows[i]]
        if s.over:
            rewards[i, :] = 0.0
            continue
        for seat in range(players):
            rewards[i, seat] = s.returns[seat]
        step(s, int(actions[i]))
        for seat in range(players):
            rewards[i, seat] = s.returns[seat] - rewards[i, seat]


def sample_rows(streams, masks, actions):
    """A uniformly random legal action for each row, 0 where there is none (the game is over)."""
    for i in range(len(masks)):
        actions[i] = max(0, sample_legal(streams[i], masks[i]))


def determinize_rows(states, seats, seeds):
    """Replace all that seats[i] cannot know by a sample, drawn from seeds[i] alone."""
    for i in range(len(states)):
        s = states[i]
        seat = int(seats[i])
        s.rng = scramble(seeds[i])
        determinize(s, int(s.player) if seat < 0 else seat)


def playout_rows(states, streams, plies, scratch):
    """Play every row to its end with uniformly random legal actions; plies[i] counts them."""
    for i in range(len(states)):
        s = states[i]
        before = int(s.ply)
        while not s.over:
            scratch[:] = 0
            legal(s, scratch)
            step(s, sample_legal(streams[i], scratch))
        plies[i] = int(s.ply) - before


def rollout_rows(states, template, seeds, streams, obs, obs_bytes, masks, steps):
    """`steps` random steps in every row, each with observation and mask; finished games start anew.

    Returns how many games ended. For measuring speed: nothing is left out that a learner would need.
    """
    ended = 0
    for i in range(len(states)):
        s = states[i]
        for _ in range(steps):
            if s.over:
                ended += 1
                seeds[i] = next64(s) >> _S11
                states[i] = template[0]
                s.rng = scramble(seeds[i])
                deal(s)
            obs_bytes[i, :] = 0
            observe(s, int(s.player), obs[i])
            masks[i, :] = 0
            legal(s, masks[i])
            step(s, sample_legal(streams[i], masks[i]))
    return ended


_TEMPLATES: list[Any] = [
    deal_rows,
    legal_rows,
    observe_rows,
    view_row,
    any_illegal,
    step_rows,
    determinize_rows,
    playout_rows,
    rollout_rows,
]
_COMMON: list[Any] = [next_seeds, sample_rows]  # know no game, only the fields of the header


def kernels(game: Game) -> Any:
    """The templates compiled for a game, as attributes. Says once, on stderr, if that takes a moment."""
    return _bound(game.name, game.deal, game.legal, game.step, game.observe, game.determinize)


@functools.cache
def _bound(name: str, deal: Any, legal: Any, step: Any, observe: Any, determinize: Any) -> Any:
    functions = {"deal": deal, "legal": legal, "step": step, "observe": observe, "determinize": determinize}
    bound = {t.__name__: jit.kernel(t, name, allocates=False, **functions) for t in _TEMPLATES}
    bound |= {t.__name__: jit.kernel(t, "any", allocates=False) for t in _COMMON}
    if not jit.is_cached(bound["step_rows"]):
        print(f"boardgames_env: compiling {name}, once on this machine …", file=sys.stderr, flush=True)
    return SimpleNamespace(**bound)
