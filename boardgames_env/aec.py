"""Any Game as a PettingZoo AEC environment.

`raw_env` checks nothing. `env` checks what PettingZoo's usual three wrappers check, with the same visible behaviour,
but in the class itself: a stack of wrappers makes a step many times slower.
"""

from __future__ import annotations

import copy
import json
import operator
import secrets
import struct
import warnings
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from boardgames_env.batch import check_seed, copied, why_illegal
from boardgames_env.game import ActionError, Game
from boardgames_env.jit import records
from boardgames_env.kernels import STREAM, kernels

_MAGIC = b"BGE1"
_BEFORE_RESET = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents")


def makers(make: Callable[..., Game]) -> tuple[Callable[..., CheckedEnv], Callable[..., BoardGameEnv]]:
    """The functions `env` and `raw_env` of a game's module."""

    def env(
        num_players: int | None = None,
        render_mode: str | None = None,
        on_illegal: str = "terminate",
        **options: Any,
    ) -> CheckedEnv:
        """The AEC environment, with checks; arguments as for `make`, and those of `CheckedEnv`."""
        return CheckedEnv(_made(make, num_players, options), render_mode, on_illegal)

    def raw_env(num_players: int | None = None, render_mode: str | None = None, **options: Any) -> BoardGameEnv:
        """The AEC environment without any checks: an illegal action corrupts the game."""
        return BoardGameEnv(_made(make, num_players, options), render_mode)

    return env, raw_env


def _made(make: Callable[..., Game], num_players: int | None, options: dict) -> Game:
    return make(**options) if num_players is None else make(num_players=num_players, **options)


class BoardGameEnv(AECEnv):
    """One game, seats `player_0` … Nothing is checked here; see `CheckedEnv`.

    Observations are `{"observation": uint8[O], "action_mask": int8[A]}`; the mask is all 0 for a seat that is not to
    act. `fields(agent)` gives the same observation with names. Attributes beside those of AECEnv: `game`, and
    `seed`, from which the present game was dealt.
    """

    def __init__(self, game: Game, render_mode: str | None = None):
        modes = ["ansi", "human"]
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"render_mode must be one of {modes} or None, got {render_mode!r}")
        self.game = game
        self.render_mode = render_mode
        self.metadata = {"name": f"{game.name}_v0", "render_modes": modes, "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_spaces: dict[str, spaces.Dict] = {}
        self._action_spaces: dict[str, spaces.Discrete] = {}
        self._seeds = np.zeros(1, np.uint64)
        self._has_game = False
        self._kernels = kernels(game)
        self._set_row(records(np.zeros(1, game.state)))

    def _set_row(self, row: np.ndarray) -> None:
        """Take over one state, an array [1] as kernels take it."""
        self._row = row
        self._player, self._over = row["player"], row["over"]
        self._scratch: _Scratch | None = None

    def _memory(self) -> _Scratch:
        """What kernels write into, made at first use: clones that are only kept should be cheap."""
        if self._scratch is None:
            self._scratch = _Scratch(self.game)
        return self._scratch

    # --- Spaces ---

    def observation_space(self, agent: str) -> spaces.Dict:
        if agent not in self._observation_spaces:
            self._observation_spaces[self._known(agent)] = spaces.Dict(
                {
                    "observation": spaces.Box(np.zeros_like(self.game.high), self.game.high, dtype=np.uint8),
                    "action_mask": spaces.Box(0, 1, (self.game.num_actions,), np.int8),
                }
            )
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        if agent not in self._action_spaces:
            self._action_spaces[self._known(agent)] = spaces.Discrete(self.game.num_actions)
        return self._action_spaces[agent]

    @property
    def observation_spaces(self) -> dict:
        return {agent: self.observation_space(agent) for agent in self.possible_agents}

    @property
    def action_spaces(self) -> dict:
        return {agent: self.action_space(agent) for agent in self.possible_agents}

    def _known(self, agent: str) -> str:
        if agent not in self._seats:
            raise ValueError(f"unknown agent {agent!r}; the agents are: {', '.join(self.possible_agents)}")
        return agent

    # --- The AEC interface ---

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Deal a new game. Without a seed the random stream of the earlier game goes on (at first: a random seed).

        `options` is ignored, as PettingZoo's test asks; what varies a game is settled when it is made.
        """
        if seed is not None:
            self._seeds[0] = check_seed(seed)
        elif self._has_game:
            self._kernels.next_seeds(self._row, self._seeds, _ROW)
        else:
            self._seeds[0] = secrets.randbits(53)
        self._kernels.deal_rows(self._row, records(self.game.template), self._seeds, records(np.zeros(1, STREAM)), _ROW)
        self._has_game = True
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self._player[0]]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        memory = self._memory()
        self._kernels.view_row(self._row, self._seats[agent], memory.obs, memory.obs_bytes, memory.masks)
        if self.terminations.get(agent, True):
            memory.masks[:] = 0
        return {"observation": memory.obs_bytes[0].copy(), "action_mask": memory.masks[0].copy()}

    def fields(self, agent: str) -> np.record:
        """The agent's observation as a record with named fields (`.private`, `.public`)."""
        obs = self.observe(agent)["observation"]
        return obs.view(self.game.observation).view(np.recarray)[0]

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._play(agent, action)

    def _play(self, agent: str, action: int) -> None:
        """The acting agent's turn; the action is legal."""
        memory = self._memory()
        memory.action[0] = action
        self._kernels.step_rows(self._row, _ROW, memory.action, memory.rewards)
        self._cumulative_rewards[agent] = 0.0
        for name, reward in zip(self.possible_agents, memory.rewards[0].tolist()):
            self.rewards[name] = reward
            self._cumulative_rewards[name] += reward
        if self._over[0]:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[self._player[0]]

    def state(self) -> np.ndarray:
        """The full state, hidden cards and all, as uint8[S]: for centralised training."""
        return np.frombuffer(self._row.tobytes(), np.uint8).copy()

    def render(self) -> str | None:
        """The whole board as text (`text` of the game shows it for one seat)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called without a render_mode: make the environment with one")
            return None
        board = self.game.text(self._row.view(np.recarray)[0])
        if self.render_mode == "human":
            print(board)
            return None
        return board

    def close(self) -> None:
        """Nothing to release."""

    @property
    def seed(self) -> int:
        """The seed that the present game was dealt from."""
        return int(self._seeds[0])

    # --- Copies ---

    def clone(self) -> BoardGameEnv:
        """An independent copy in mid-game, fast. Its spaces are new ones; `copy.deepcopy` keeps their seeding."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._observation_spaces, twin._action_spaces = {}, {}
        twin._seeds = self._seeds.copy()
        twin._set_row(copied(self._row))
        if self._has_game:
            twin.agents = self.agents[:]
            twin.infos = {agent: dict(info) for agent, info in self.infos.items()}
            for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
                setattr(twin, name, dict(getattr(self, name)))
        return twin

    def __deepcopy__(self, memo: dict) -> BoardGameEnv:
        twin = self.clone()
        memo[id(self)] = twin
        twin._observation_spaces = copy.deepcopy(self._observation_spaces, memo)
        twin._action_spaces = copy.deepcopy(self._action_spaces, memo)
        twin.infos = copy.deepcopy(self.infos, memo) if self._has_game else {}
        return twin

    def __getstate__(self) -> dict:
        made_anew = ("_kernels", "_player", "_over", "_scratch")
        return {name: value for name, value in self.__dict__.items() if name not in made_anew}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._kernels = kernels(self.game)
        self._set_row(self._row)

    def save(self) -> bytes:
        """The whole environment in mid-game as bytes, for `restore` of an environment of the same game."""
        body = b"".join(
            [
                _signature(self.game),
                struct.pack("<Q", self.seed),
                self._row.tobytes(),
                *(self._save_agent(agent) for agent in self.possible_agents),
                struct.pack("<b", self._seats[self.agent_selection]),
            ]
        )
        return _MAGIC + struct.pack("<I", zlib.crc32(body)) + body

    def _save_agent(self, agent: str) -> bytes:
        present = agent in self.agents
        flags = (present, self.terminations.get(agent, False), self.truncations.get(agent, False))
        rewards = (self.rewards.get(agent, 0.0), self._cumulative_rewards.get(agent, 0.0))
        return struct.pack("<3?2d", *flags, *rewards)

    def restore(self, data: bytes) -> None:
        """Go back to what `save` wrote. Raises ValueError, and changes nothing, for any other bytes."""
        body, game = _checked(data, self.game), self.game
        per_agent = struct.calcsize("<3?2d")
        at = len(_signature(game))
        (seed,) = struct.unpack_from("<Q", body, at)
        at += 8
        row = records(np.frombuffer(bytearray(body[at : at + game.state.itemsize]), game.state))
        at += game.state.itemsize
        rows = [struct.unpack_from("<3?2d", body, at + per_agent * seat) for seat in range(game.num_players)]
        selected = body[-1]
        if selected >= game.num_players:
            raise ValueError(f"{game.name}: the saved bytes name seat {selected}, which there is not")
        self._set_row(row)
        self._seeds[0] = seed
        self._has_game = True
        present = {agent: row for agent, row in zip(self.possible_agents, rows) if row[0]}
        self.agents = list(present)
        self.terminations = {agent: row[1] for agent, row in present.items()}
        self.truncations = {agent: row[2] for agent, row in present.items()}
        self.rewards = {agent: row[3] for agent, row in present.items()}
        self._cumulative_rewards = {agent: row[4] for agent, row in present.items()}
        self.infos = {agent: {} for agent in present}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[selected]

    def __getattr__(self, name: str) -> Any:
        if name in _BEFORE_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class CheckedEnv(BoardGameEnv):
    """One game with PettingZoo's usual checks.

    Args:
        on_illegal: what an action that is not legal does. "terminate" (default): a warning that names it, the game
            ends, −1 for who played it, 0 for the others. "raise": ActionError, and nothing has changed.

    An action outside the action space, and step, observe, render, state or save before reset, raise an
    AssertionError; an attribute read before reset an AttributeError; step after the end warns.
    """

    def __init__(self, game: Game, render_mode: str | None = None, on_illegal: str = "terminate"):
        if on_illegal not in ("terminate", "raise"):
            raise ValueError(f"on_illegal must be 'terminate' or 'raise', got {on_illegal!r}")
        super().__init__(game, render_mode)
        self.on_illegal = on_illegal
        self._has_updated = False
        self._mask = np.zeros(game.num_actions, np.int8)  # of the acting agent; see _mask_is_fresh
        self._mask_is_fresh = False

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        super().reset(seed, options)
        self._mask_is_fresh = False
        self._has_updated = True

    def restore(self, data: bytes) -> None:
        super().restore(data)
        self._mask_is_fresh = False
        self._has_updated = True

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        self._require_reset("observe")
        seen = super().observe(self._known(agent))
        if agent == self.agent_selection:
            self._mask = seen["action_mask"].copy()
            self._mask_is_fresh = True
        return seen

    def step(self, action: Any) -> None:
        self._require_reset("step")
        self._has_updated = True
        if not self.agents:
            warnings.warn("step() called after all agents are terminated: call reset() first", stacklevel=2)
            return
        agent = self.agent_selection
        if self.terminations[agent]:
            self._mask_is_fresh = False
            self._was_dead_step(action)
            return
        number = self._inside(action)
        if not self._mask_is_fresh:
            self._mask = super().observe(agent)["action_mask"]
        if not self._mask[number]:
            self._illegal(agent, number)
            return
        self._mask_is_fresh = False
        self._play(agent, number)

    def _inside(self, action: Any) -> int:
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self.game.num_actions:
            raise ActionError(
                f"action is not in action space: {self.game.name} takes integers in "
                f"0..{self.game.num_actions - 1}, got {action!r}"
            )
        return number

    def _illegal(self, agent: str, action: int) -> None:
        reason = f"{self.game.name}: {agent} played {why_illegal(self.game, action)}"
        if self.on_illegal == "raise":
            raise ActionError(reason)
        warnings.warn(f"{reason}; the game ends, {agent} loses", stacklevel=3)
        self._mask_is_fresh = False
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = -1.0
        self._accumulate_rewards()
        self._deads_step_first()

    def _require_reset(self, what: str) -> None:
        if not self._has_game:
            raise AssertionError(f"reset() needs to be called before {what}.")

    def render(self) -> str | None:
        self._require_reset("render")
        return super().render()

    def state(self) -> np.ndarray:
        self._require_reset("state")
        return super().state()

    def save(self) -> bytes:
        self._require_reset("save")
        return super().save()

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Each time the agent to act; `step` or `reset` must be called in between."""
        self._require_reset("agent_iter()")
        return self._iterate(max_iter)

    def _iterate(self, max_iter: int) -> Iterator[str]:
        while self.agents and max_iter > 0:
            if not self._has_updated:
                raise AssertionError("need to call step() or reset() in a loop over `agent_iter`")
            self._has_updated = False
            max_iter -= 1
            yield self.agent_selection


_ROW = np.zeros(1, np.int64)  # the only row of a batch of one


class _Scratch:
    """Memory that kernels write into for a batch of one."""

    def __init__(self, game: Game):
        self.action = np.zeros(1, np.int64)
        self.rewards = np.zeros((1, game.num_players), np.float32)
        self.obs_bytes = np.zeros((1, game.observation.itemsize), np.uint8)
        self.obs = records(self.obs_bytes.view(game.observation).reshape(1))
        self.masks = np.zeros((1, game.num_actions), np.int8)


def _signature(game: Game) -> bytes:
    """What saved bytes must agree in: game, version of the rules, players, options."""
    facts = [game.name, game.version, game.num_players, game.options._asdict(), game.state.itemsize]
    text = json.dumps(facts, default=str).encode()
    return struct.pack("<H", len(text)) + text


def _checked(data: bytes, game: Game) -> bytes:
    """The body of saved bytes. Raises ValueError for bytes that are damaged or of another game."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise ValueError(f"{game.name}: restore takes the bytes of save(), got {type(data).__name__}")
    data = bytes(data)
    if data[:4] != _MAGIC or len(data) < 8:
        raise ValueError(f"{game.name}: these are not bytes of save()")
    body = data[8:]
    if struct.unpack("<I", data[4:8])[0] != zlib.crc32(body):
        raise ValueError(f"{game.name}: the saved bytes are damaged or cut off")
    signature = _signature(game)
    if not body.startswith(signature):
        (length,) = struct.unpack_from("<H", body)
        saved = body[2 : 2 + length].decode(errors="replace")
        raise ValueError(f"{game.name}: saved from {saved}, this is {signature[2:].decode()}")
    return body
