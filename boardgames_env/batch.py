"""Many games of one kind in one array, and the turns that agents see of them."""

from __future__ import annotations

import itertools
import operator
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

import numpy as np

from boardgames_env.game import ActionError, Game
from boardgames_env.jit import records
from boardgames_env.kernels import STREAM, kernels

MIN_ROWS_PER_THREAD = 512  # below that, handing work to a thread costs more than it saves
_NAMED_ROWS = 5  # how many bad rows an error names

LAST_SEED = 2**64 - 1


class Turns(NamedTuple):
    """B decisions of one game, each as the seat to act sees it: all that an agent gets to know."""

    game: Game
    seat: np.ndarray  # int64[B], the seat to act
    obs: np.recarray  # [B] of game.observation, named fields; `.view(np.uint8)` for networks
    mask: np.ndarray  # int8[B, A], 1 for the legal actions
    sample: Callable  # sample(k, seed=0) -> states recarray [k·B], determinized; turn i at i·k … i·k + k−1

    @property
    def matrix(self) -> np.ndarray:
        """The observations as uint8[B, O]."""
        return self.obs.view(np.uint8).reshape(len(self.obs), -1)


class Agent(Protocol):
    """Anything that chooses actions from turns. It never holds a true state, so it cannot cheat."""

    def act(self, turns: Turns) -> np.ndarray:
        """Legal actions, an integer array [B]."""
        ...


class Batch:
    """`size` independent games of one kind.

    Row i starts as the single game of seed `seed + i` (or `seed[i]`, for an array of seeds): the same game, byte for
    byte, as in a batch of one or in the AEC environment, whatever the size and the number of threads. Batches whose
    seeds lie closer together than their size share games.

    Attributes:
        states: recarray [B] of `game.state`, the games themselves. It may be written to, to set up a position.
        seeds: uint64[B], the seed that each row's present game was dealt from.

    Raises ValueError for a size below 1, a seed that is no integer in 0 … 2⁶⁴−1, or a bad number of threads.
    """

    def __init__(self, game: Game, size: int, seed: Any = 0, threads: int = 1):
        if not isinstance(game, Game):
            raise ValueError(f"game must be a Game, as boardgames_env.make(name) gives it, got {game!r}")
        self.game = game
        self.size = _positive("size", size)
        self.threads = _positive("threads", threads)
        self._all = np.arange(self.size)
        seeds = _seeds_of(seed, self._all)
        self.states = np.zeros(self.size, game.state).view(np.recarray)
        self.seeds = np.zeros(self.size, np.uint64)
        self._streams = np.zeros(self.size, STREAM).view(np.recarray)
        self._prepare()
        self._deal(self._all, seeds)

    def _prepare(self) -> None:
        """What is not state: compiled functions, and views for them."""
        self._kernels = kernels(self.game)
        self._records = records(self.states)
        self._stream_records = records(self._streams)
        self._template = records(self.game.template)

    # --- Looking ---

    def __len__(self) -> int:
        return self.size

    @property
    def over(self) -> np.ndarray:
        """bool[B]: which games are finished. A view."""
        return np.asarray(self._records["over"])

    @property
    def player(self) -> np.ndarray:
        """int8[B]: the seat to act; meaningless in finished games. A view."""
        return np.asarray(self._records["player"])

    @property
    def returns(self) -> np.ndarray:
        """float32[B, P]: the total reward so far, by seat. A view."""
        return np.asarray(self._records["returns"])[:, : self.game.num_players]

    def legal(self, out: np.ndarray | None = None, rows: Any = None) -> np.ndarray:
        """int8[B, A]: 1 for each legal action of the seat to act; all 0 in finished games.

        With `rows` (indices or bool[B]) only these rows of `out` are written; a new array is 0 elsewhere.
        """
        masks = self._array(out, (self.size, self.game.num_actions), np.int8, rows is not None)
        self._run(lambda rows: self._kernels.legal_rows(self._records, rows, masks), self._rows(rows))
        return masks

    def observe(self, seat: Any = None, out: np.ndarray | None = None, rows: Any = None) -> np.ndarray:
        """uint8[B, O]: what a seat knows; the seat to act by default, else one seat or an array [B] of seats.

        With `rows` (indices or bool[B]) only these rows of `out` are written; a new array is 0 elsewhere.
        """
        obs = self._array(out, (self.size, self.game.observation.itemsize), np.uint8, rows is not None)
        seats, views = self._seats(seat), as_records(self.game, obs)
        self._run(lambda rows: self._kernels.observe_rows(self._records, rows, seats, views, obs), self._rows(rows))
        return obs

    def fields(self, obs: np.ndarray) -> np.recarray:
        """The same observations [B, O] as records with named fields [B]; no copy."""
        return obs.view(self.game.observation).reshape(len(obs)).view(np.recarray)

    def turns(self, rows: Any = None, check: bool = True) -> Turns:
        """The decisions that the rows (default: all unfinished ones) wait for, as agents see them.

        `check=False` trusts that `rows` are row numbers.
        """
        rows = np.flatnonzero(~self.over) if rows is None else self._rows(rows, check)
        return turns_of(self.game, _typed(_as_bytes(self._records)[rows], self.game.state))

    # --- Playing ---

    def sample(self, mask: np.ndarray | None = None) -> np.ndarray:
        """int64[B]: uniformly random legal actions, 0 in finished games.

        Drawn from a stream of each row beside the game's own, so that drawing does not change what chance does in
        the game and a replay needs the actions only. `mask` saves computing it again: what `legal()` returned.
        """
        masks = self.legal() if mask is None else self._array(mask, (self.size, self.game.num_actions), np.int8)
        actions = np.empty(self.size, np.int64)
        self._run(self._kernels.sample_rows, self._stream_records, masks, actions)
        return actions

    def step(self, actions: Any, rows: Any = None, check: bool = True) -> np.ndarray:
        """Play one action in every row, or in `rows` (indices or bool[B]); finished games ignore theirs.

        Returns the rewards, float32 [rows, P]. Raises ActionError (a ValueError) that names rows, actions and
        reasons if any action is out of range or not legal; then no row has moved. `check=False` leaves that out, for
        distinct rows and actions known to be legal: anything else then corrupts the games.
        """
        rows = self._rows(rows, check)
        actions = self._actions(actions, len(rows))
        if check:
            self._refuse_illegal(rows, actions)
        rewards = np.empty((len(rows), self.game.num_players), np.float32)

        def run(rows: Any, actions: Any, rewards: Any) -> None:
            self._kernels.step_rows(self._records, rows, actions, rewards)

        self._run(run, rows, actions, rewards)
        return rewards

    def reset(self, rows: Any = None, seed: Any = None) -> None:
        """Start new games in `rows` (indices or bool[B]; default all).

        Without a seed each row goes on from its own stream; with one, row i gets `seed + i`, or an array gives a
        seed for each of the rows.
        """
        rows = self._rows(rows)
        if seed is None:
            seeds = self.seeds.copy()
            self._kernels.next_seeds(self._records, seeds, rows)
            seeds = seeds[rows]
        else:
            seeds = _seeds_of(seed, rows)
        self._deal(rows, seeds)

    def playout(self) -> np.ndarray:
        """Play every game to its end with random legal actions, compiled. Returns int64[B]: decisions made."""
        plies = np.empty(self.size, np.int64)

        def run(states: Any, streams: Any, plies: Any) -> None:
            self._kernels.playout_rows(states, streams, plies, np.empty(self.game.num_actions, np.int8))

        self._run(run, self._records, self._stream_records, plies)
        return plies

    def rollout(self, steps: int) -> int:
        """`steps` random steps in every row, compiled, with observation and mask; finished games start anew.

        Returns the number of games that ended. This is the measure of speed: see benchmarks/throughput.py.
        """
        steps = _positive("steps", steps)
        ended = []

        def run(states: Any, seeds: Any, streams: Any) -> None:
            obs = np.empty((len(states), self.game.observation.itemsize), np.uint8)
            masks = np.empty((len(states), self.game.num_actions), np.int8)
            views = (as_records(self.game, obs), obs, masks)
            ended.append(self._kernels.rollout_rows(states, self._template, seeds, streams, *views, steps))

        self._run(run, self._records, self.seeds, self._stream_records)
        return int(sum(ended))

    def copy(self) -> Batch:
        """An independent copy that plays on exactly as this one would."""
        twin = object.__new__(type(self))
        twin.__setstate__(self.__getstate__())
        return twin

    def __getstate__(self) -> dict:
        kept = ("game", "size", "threads", "_all")
        arrays = ("states", "seeds", "_streams")
        return {k: getattr(self, k) for k in kept} | {k: copied(getattr(self, k)) for k in arrays}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._prepare()

    # --- Inside ---

    def _deal(self, rows: np.ndarray, seeds: np.ndarray) -> None:
        self.seeds[rows] = seeds
        self._kernels.deal_rows(self._records, self._template, self.seeds, self._stream_records, rows)

    def _run(self, kernel: Callable, *arrays: np.ndarray) -> None:
        """Call the kernel, over slices of the arrays in several threads if they are long enough."""
        length = len(arrays[0])
        pieces = min(self.threads, length // MIN_ROWS_PER_THREAD)
        if pieces <= 1:
            kernel(*arrays)
            return
        edges = [length * i // pieces for i in range(pieces + 1)]
        pool = _thread_pool(pieces)
        jobs = [pool.submit(kernel, *(a[lo:hi] for a in arrays)) for lo, hi in itertools.pairwise(edges[1:])]
        kernel(*(a[: edges[1]] for a in arrays))
        for job in jobs:
            job.result()

    def _array(self, array: np.ndarray | None, shape: tuple, dtype: type, partly: bool = False) -> np.ndarray:
        """`array` if it is as it should be, else an error; a new one for None, cleared if it is written to partly."""
        if array is None:
            return np.zeros(shape, dtype) if partly else np.empty(shape, dtype)
        if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != dtype:
            got = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
            raise ValueError(f"{self.game.name}: expected an array {np.dtype(dtype)} {shape}, got {got}")
        if not array.flags.c_contiguous:
            raise ValueError(f"{self.game.name}: the array must be C-contiguous")
        return array

    def _seats(self, seat: Any) -> np.ndarray:
        if seat is None:
            return np.full(self.size, -1, np.int64)
        seats = np.asarray(seat)
        if seats.dtype.kind not in "iu" or seats.shape not in ((), (self.size,)):
            raise ValueError(f"{self.game.name}: seat must be an integer or {self.size} of them, got {seat!r}")
        if seats.min() < 0 or seats.max() >= self.game.num_players:
            raise ValueError(f"{self.game.name}: seats are 0..{self.game.num_players - 1}, got {seat!r}")
        return np.full(self.size, seats, np.int64) if seats.ndim == 0 else seats.astype(np.int64)

    def _rows(self, rows: Any, check: bool = True) -> np.ndarray:
        if rows is None:
            return self._all
        array = np.asarray(rows)
        if array.dtype == bool and array.shape == (self.size,):
            return np.flatnonzero(array)
        if not check:
            return array.astype(np.int64, copy=False)
        if array.size == 0:
            return np.zeros(0, np.int64)
        if array.dtype.kind not in "iu" or array.ndim != 1:
            raise ValueError(f"rows must be row numbers or bool[{self.size}], got {array.dtype} {array.shape}")
        if array.min() < 0 or array.max() >= self.size:
            raise ValueError(f"rows are 0..{self.size - 1}, got {array.min()}..{array.max()}")
        named = np.zeros(self.size, bool)
        named[array] = True
        if np.count_nonzero(named) < len(array):
            raise ValueError("rows must be distinct")
        return array.astype(np.int64)

    def _actions(self, actions: Any, count: int) -> np.ndarray:
        array = np.asarray(actions)
        if array.dtype.kind not in "iu" or array.shape != (count,):
            raise ActionError(
                f"{self.game.name}: actions must be {count} integers, one a row; "
                f"got {array.dtype} of shape {array.shape}"
            )
        return np.ascontiguousarray(array, np.int64)

    def _refuse_illegal(self, rows: np.ndarray, actions: np.ndarray) -> None:
        found = []

        def run(rows: Any, actions: Any) -> None:
            scratch = np.empty(self.game.num_actions, np.int8)
            found.append(self._kernels.any_illegal(self._records, rows, actions, scratch))

        self._run(run, rows, actions)
        if any(found):
            raise ActionError(self._illegal(rows, actions))

    def _illegal(self, rows: np.ndarray, actions: np.ndarray) -> str:
        inside = (actions >= 0) & (actions < self.game.num_actions)
        chosen = self.legal()[rows, np.where(inside, actions, 0)].astype(bool)
        bad = np.flatnonzero(~self.over[rows] & ~(inside & chosen))
        reasons = [f"row {rows[i]}: {why_illegal(self.game, actions[i])}" for i in bad[:_NAMED_ROWS]]
        more = f"; and {len(bad) - _NAMED_ROWS} rows more" if len(bad) > _NAMED_ROWS else ""
        return f"{self.game.name}: nothing was played. {'; '.join(reasons)}{more}"


def turns_of(game: Game, states: np.ndarray) -> Turns:
    """The turns of unfinished states [B], an array that nobody else changes; agents cannot reach it."""
    run, many, rows = kernels(game), records(states), np.arange(len(states))
    obs = np.empty((len(states), game.observation.itemsize), np.uint8)
    mask = np.empty((len(states), game.num_actions), np.int8)
    seats = states["player"].astype(np.int64)
    run.observe_rows(many, rows, seats, as_records(game, obs), obs)
    run.legal_rows(many, rows, mask)

    def sample(k: int, seed: int = 0) -> np.recarray:
        """k determinizations of every turn: states [k·B], turn i at i·k … i·k + k−1; drawn from `seed` alone."""
        many = _typed(np.repeat(_as_bytes(states), _positive("k", k)), game.state).view(np.recarray)
        seeds = _seeds_of(seed, np.arange(len(many)))
        run.determinize_rows(records(many), np.repeat(seats, k), seeds)
        return many

    return Turns(game, seats, np.recarray(len(obs), game.observation, obs.data), mask, sample)


def _as_bytes(states: np.ndarray) -> np.ndarray:
    """The same memory as plain bytes [B]: NumPy copies rows of these thirty times as fast as records."""
    return _typed(states, np.dtype((np.void, states.dtype.itemsize)))


def copied(states: np.ndarray) -> np.ndarray:
    """An independent copy of states: NumPy's own goes field by field, 30 µs for one state of Fafaru instead of 0.3."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype).view(type(states))


def as_records(game: Game, obs: np.ndarray) -> np.ndarray:
    """Observations uint8[B, O] as records [B] for kernels; no copy."""
    return records(_typed(obs, game.observation))


def _typed(rows: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The memory of rows that lie one after the other as an array [B] of another type: `view` takes ten times as long,
    which many small batches would feel."""
    return np.ndarray(len(rows), dtype, rows)


def why_illegal(game: Game, action: int) -> str:
    """Says what is wrong with an action that may not be played."""
    if 0 <= action < game.num_actions:
        return f"{game.action_name(int(action))!r} (action {action}) is not legal"
    return f"action {action} is not in 0..{game.num_actions - 1}"


def check_seed(seed: Any) -> int:
    """The seed as an int. Raises ValueError unless it is an integer in 0 … 2⁶⁴−1."""
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if isinstance(seed, (bool, np.bool_)) or not 0 <= number <= LAST_SEED:
        raise ValueError(f"seed must be an integer in 0..2**64-1, got {seed!r}")
    return number


def _seeds_of(seed: Any, rows: np.ndarray) -> np.ndarray:
    """uint64 seeds of the rows: seed + row for one seed, else one for each row."""
    if np.ndim(seed) == 0:
        return np.uint64(check_seed(seed)) + rows.astype(np.uint64)
    seeds = [check_seed(one) for one in seed]
    if len(seeds) != len(rows):
        raise ValueError(f"expected one seed or {len(rows)} of them, got {len(seeds)}")
    return np.array(seeds, np.uint64)


def _positive(name: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if isinstance(value, bool) or number < 1:
        raise ValueError(f"{name} must be an integer of at least 1, got {value!r}")
    return number


_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}


def _thread_pool(pieces: int) -> ThreadPoolExecutor:
    """Threads for pieces 2 … n. A forked child makes its own: threads do not survive a fork."""
    key = (os.getpid(), pieces)
    if key not in _pools:
        _pools[key] = ThreadPoolExecutor(pieces - 1, thread_name_prefix="boardgames")
    return _pools[key]
