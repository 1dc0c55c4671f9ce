"""One seat of any Game for single-agent learners: as a Gymnasium environment, and many as a vector environment.

The learner has one seat, agents play the others. Credit is right: the learner's next observation is its *own* next
one, and what it gains or loses after its last move arrives with the end of the episode, so its rewards sum to the
returns of its seat. (Stable-Baselines3's form of the same is in sb3.py.)
"""

from __future__ import annotations

import importlib.metadata
import operator
import secrets
import warnings
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from boardgames_env.batch import Agent, Batch, check_seed, why_illegal
from boardgames_env.compiled import RandomAgent, play_on, plays_on
from boardgames_env.game import ActionError, Game
from boardgames_env.game import make as make_game
from boardgames_env.rng import scramble_array

LEARNER = -1


class Table:
    """A batch in which one seat of every game is the learner's and agents play the others.

    Who sits where depends on the seed of each game alone: the learner's seat if `seat` is "random", and which of
    the opponents sits in each other seat, drawn by `weights`.

    Attributes:
        batch: the games. After `reset` and `step` every game is over or waits for the learner.
        seats: int64[B], the learner's seat in each game.
        mask: int8[B, A], the learner's legal actions; all 0 in finished games.
        opponents, weights: may be replaced at any time; new games use them. `weights` sum to 1.
    """

    def __init__(
        self, game: Game, size: int, opponents: Any = "random", seat: Any = "random", seed: Any = 0, threads: int = 1
    ):
        self.game = game
        self.fixed_seat = _checked_seat(game, seat)
        self.opponents = resolve_agents(game, opponents)
        self.weights = np.full(len(self.opponents), 1 / len(self.opponents))
        self.batch = Batch(game, size, seed, threads)
        self.seats = np.zeros(size, np.int64)
        self._partners = np.zeros((size, game.num_players), np.int64)  # which opponent sits where, or LEARNER
        players = np.arange(game.num_players)
        self._others = np.array([players[players != seat] for seat in players])  # [P, P − 1]
        self._paid = np.zeros(size, np.float32)  # returns that the learner has had as rewards
        self._rows = np.arange(size)
        self.mask = np.zeros((size, game.num_actions), np.int8)
        self._begin(self._rows)

    def reset(self, rows: Any = None, seed: Any = None) -> None:
        """New games in `rows` (default all), as `Batch.reset`; the opponents play up to the learner's turn."""
        self.batch.reset(rows, seed)
        self._begin(self._rows if rows is None else self._rows[rows])

    def reseed_opponents(self, seed: int) -> None:
        """Start the generators of the opponents anew, each from a seed of its own."""
        for i, agent in enumerate(self.opponents):
            if hasattr(agent, "reseed"):
                agent.reseed(seed + i)

    def observe(self, rows: Any = None) -> np.ndarray:
        """uint8[B, O]: what the learner's seat knows in each game; with `rows` only in these, and 0 elsewhere."""
        return self.batch.observe(self.seats, rows=rows)

    def opponents_of(self, row: int) -> np.ndarray:
        """Who sits in the other seats of a game, indices of `opponents`, int64[P − 1]."""
        return self._partners[row, self._others[self.seats[row]]]

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Play the learner's actions [B], then the opponents' up to its next turn; finished games stay as they are.

        Returns (reward float32[B], over bool[B], illegal bool[B]). An illegal action is not played: that game
        counts as over, with reward −1 less what was paid before, and must be reset.
        """
        waiting = ~self.batch.over
        legal = _are_legal(self.mask, actions)
        self.batch.step(actions[waiting & legal], waiting & legal, check=False)
        self._let_opponents_play()
        illegal = waiting & ~legal
        rewards = np.where(illegal, -1.0 - self._paid, self._owed()).astype(np.float32)
        self._paid += rewards
        self.batch.legal(out=self.mask)
        return rewards, self.batch.over | illegal, illegal

    def _owed(self) -> np.ndarray:
        return self.batch.returns[self._rows, self.seats] - self._paid

    def _begin(self, rows: np.ndarray) -> None:
        """Seat everybody in the new games `rows` and play up to the learner's first turn."""
        players, begun = self.game.num_players, rows
        while len(rows):
            draws = scramble_array(
                self.batch.seeds[rows, None] * np.uint64(players + 1) + np.arange(players + 1, dtype=np.uint64)
            )
            fractions = (draws >> np.uint64(11)) / 2.0**53
            drawn = np.minimum((fractions[:, 0] * players).astype(np.int64), players - 1)
            self.seats[rows] = drawn if self.fixed_seat is None else self.fixed_seat
            shares = np.cumsum(self.weights)
            self._partners[rows] = np.searchsorted(shares[:-1], fractions[:, 1:], side="right")
            self._partners[rows, self.seats[rows]] = LEARNER
            self._paid[rows] = 0.0
            self._let_opponents_play()
            rows = rows[self.batch.over[rows]]  # over before the learner had a turn: not an episode
            self.batch.reset(rows)
        self.batch.legal(out=self.mask, rows=begun)

    def _let_opponents_play(self) -> None:
        batch = self.batch
        rows = np.flatnonzero(~batch.over & (batch.player != self.seats))
        while len(rows):
            who = self._partners[rows, batch.player[rows]]
            for number, agent in enumerate(self.opponents):
                mine = rows[who == number]
                if len(mine) and plays_on(agent):
                    play_on(agent, batch, mine, self._partners, number)
                elif len(mine):
                    turns = batch.turns(mine, check=False)
                    actions = np.asarray(agent.act(turns))
                    batch.step(actions, mine, check=not _all_legal(turns.mask, actions))  # which says what is wrong
            rows = rows[~batch.over[rows] & (batch.player[rows] != self.seats[rows])]


def _are_legal(mask: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """bool[B]: whether actions [B] are legal by masks [B, A]; those out of range are not."""
    inside = (actions >= 0) & (actions < mask.shape[1])
    return mask[np.arange(len(mask)), np.where(inside, actions, 0)].astype(bool) & inside


def _all_legal(mask: np.ndarray, actions: np.ndarray) -> bool:
    """Whether these are integers, one a row, and legal."""
    fit = actions.shape == (len(mask),) and actions.dtype.kind in "iu"
    return fit and bool(_are_legal(mask, actions).all())


def resolve_agents(game: Game, opponents: Any) -> list[Agent]:
    """Agents from one agent, one name or a sequence of either.

    Names other than "random" are looked up among the agents of installed packages (the entry-point group
    `boardgames_env.agents`), such as `greedy` and `policy:PATH` of boardgames_agents.
    """
    if isinstance(opponents, str) or hasattr(opponents, "act"):
        opponents = [opponents]
    if not isinstance(opponents, Sequence) or not opponents:
        raise ValueError(f"opponents must be an agent, a name or a sequence of them, got {opponents!r}")
    return [one if hasattr(one, "act") else _agent_of_name(game, one) for one in opponents]


def _agent_of_name(game: Game, name: Any) -> Agent:
    if name == "random":
        return RandomAgent()
    points = importlib.metadata.entry_points(group="boardgames_env.agents", name="make_agent")
    if not isinstance(name, str) or not points:
        raise ValueError(f"an opponent must be an agent with a method act, or its name, got {name!r}")
    return next(iter(points)).load()(game, name)


def _checked_seat(game: Game, seat: Any) -> int | None:
    if isinstance(seat, str) and seat == "random":
        return None
    try:
        number = operator.index(seat)
    except TypeError:
        number = -1
    if not 0 <= number < game.num_players:
        raise ValueError(f"{game.name}: seat must be 'random' or 0..{game.num_players - 1}, got {seat!r}")
    return number


def _settled_game(game: Any, num_players: int | None, options: dict) -> Game:
    if isinstance(game, Game):
        return game
    return make_game(game, num_players, **options)


def observation_space(game: Game) -> spaces.Box:
    return spaces.Box(np.zeros_like(game.high), game.high, dtype=np.uint8)


class SeatEnv(gymnasium.Env):
    """`gymnasium.make("boardgames/Fungi-v0", opponents="greedy", seat="random")`.

    Observations are uint8[O] (`fields()` gives the same with names), `info["action_mask"]` is int8[A], and
    `action_masks()` bool[A] as sb3-contrib asks. An illegal action ends the episode with a total of −1 and a warning
    that names it, or raises ActionError with `on_illegal="raise"`.

    Args:
        game: a name or a Game. num_players and further keyword arguments are options of the game of that name.
        opponents: agent, name of one, or a sequence of either to draw from for each seat and game.
        seat: the learner's, or "random": another one in each game.
    """

    metadata = {  # noqa: RUF012  (Gymnasium declares it so)
        "render_modes": ["ansi", "human"],
        "render_fps": 1,
    }

    def __init__(
        self,
        game: Any = "fungi",
        num_players: int | None = None,
        opponents: Any = "random",
        seat: Any = "random",
        render_mode: str | None = None,
        on_illegal: str = "terminate",
        **options: Any,
    ):
        if render_mode not in (None, "ansi", "human"):
            raise ValueError(f"render_mode must be 'ansi', 'human' or None, got {render_mode!r}")
        if on_illegal not in ("terminate", "raise"):
            raise ValueError(f"on_illegal must be 'terminate' or 'raise', got {on_illegal!r}")
        self.game = _settled_game(game, num_players, options)
        self.render_mode, self.on_illegal = render_mode, on_illegal
        self.observation_space = observation_space(self.game)
        self.action_space = spaces.Discrete(self.game.num_actions)
        self.table = Table(self.game, 1, opponents, seat, secrets.randbits(53))

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        super().reset(seed=None if seed is None else check_seed(seed))
        if seed is not None:
            self.table.reseed_opponents(seed)
        self.table.reset(seed=seed)
        self._ended = False
        return self._seen()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict]:
        if self._ended:
            raise ActionError(f"{self.game.name}: the episode is over: call reset() first")
        try:
            number = operator.index(action)
        except TypeError:
            raise ActionError(f"{self.game.name}: an action must be an integer, got {action!r}") from None
        legal = 0 <= number < self.game.num_actions and self.table.mask[0, number]
        if not legal:
            reason = f"{self.game.name}: {why_illegal(self.game, number)}"
            if self.on_illegal == "raise":
                raise ActionError(reason)
            warnings.warn(f"{reason}; the episode ends", stacklevel=2)
        rewards, over, _ = self.table.step(np.array([number if legal else -1]))
        self._ended = bool(over[0])
        obs, info = self._seen()
        if not legal:
            info["illegal_action"] = reason
        if self.render_mode == "human":
            self.render()
        return obs, float(rewards[0]), self._ended, False, info

    def _seen(self) -> tuple[np.ndarray, dict]:
        return self.table.observe()[0], {"action_mask": self.table.mask[0].copy(), "seat": int(self.table.seats[0])}

    def action_masks(self) -> np.ndarray:
        """bool[A]: the legal actions."""
        return self.table.mask[0].astype(bool)

    def fields(self) -> np.record:
        """The learner's observation with named fields."""
        return self.table.batch.fields(self.table.observe())[0]

    def render(self) -> str | None:
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called without a render_mode: make the environment with one")
            return None
        board = self.game.text(self.table.batch.states[0], int(self.table.seats[0]))
        if self.render_mode == "human":
            print(board)
            return None
        return board


class SeatVectorEnv(VectorEnv):
    """`gymnasium.make_vec("boardgames/Fungi-v0", num_envs=256, opponents="greedy")`: many episodes on one Batch.

    No subprocesses. `infos["action_mask"]` is int8[B, A]. Arguments are those of `SeatEnv`, and:

    Args:
        autoreset_mode: AutoresetMode.NEXT_STEP (default; the step after the end resets and its action is ignored) or
            SAME_STEP (the last observation comes as `infos["final_obs"]`).
        threads: of the batch.

    Illegal actions end their episode with a total of −1; `infos["illegal_action"]` is True there. Actions of the
    wrong shape or type raise ActionError.
    """

    def __init__(
        self,
        game: Any = "fungi",
        num_envs: int = 1,
        num_players: int | None = None,
        opponents: Any = "random",
        seat: Any = "random",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        **options: Any,
    ):
        self.game = _settled_game(game, num_players, options)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        if self.autoreset_mode == AutoresetMode.DISABLED:
            raise ValueError("autoreset_mode must be NEXT_STEP or SAME_STEP")
        self.metadata = {"render_modes": ["ansi"], "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.game)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.table = Table(self.game, num_envs, opponents, seat, secrets.randbits(53), threads)
        self._ended = np.zeros(num_envs, bool)

    def reset(self, *, seed: Any = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """New games everywhere; environment i gets `seed + i`, or `seed[i]`."""
        if seed is not None:
            self.table.reseed_opponents(check_seed(seed if np.ndim(seed) == 0 else seed[0]))
        self.table.reset(seed=seed)
        self._ended[:] = False
        return self.table.observe(), self._infos()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ActionError(
                f"{self.game.name}: actions must be {self.num_envs} integers, got {actions.dtype} {actions.shape}"
            )
        waiting_for_reset = self._ended.copy()
        rewards, over, illegal = self.table.step(np.where(waiting_for_reset, -1, actions))
        rewards[waiting_for_reset], illegal[waiting_for_reset] = 0.0, False
        final: dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            over[waiting_for_reset] = False
            self._ended = over.copy()
            self.table.reset(waiting_for_reset)
        elif over.any():
            final = {"final_obs": self._objects(over, self.table.observe(over)), "_final_obs": over.copy()}
            self.table.reset(over)
        infos = self._infos() | final
        if illegal.any():
            infos |= {"illegal_action": illegal, "_illegal_action": illegal.copy()}
        return self.table.observe(), rewards.astype(np.float64), over, np.zeros(self.num_envs, bool), infos

    def _objects(self, rows: np.ndarray, obs: np.ndarray) -> np.ndarray:
        """Object array [B] as Gymnasium's convention for final observations asks; None where there is none."""
        array = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(rows):
            array[row] = obs[row]
        return array

    def _infos(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, bool)
        return {"action_mask": self.table.mask.copy(), "_action_mask": everywhere}

    def render(self) -> tuple[str, ...]:
        boards = zip(self.table.batch.states, self.table.seats)
        return tuple(self.game.text(state, int(seat)) for state, seat in boards)
