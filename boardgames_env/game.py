"""The Game contract: what a game is to everything else in the library.

A game is a `Game`: two dtypes and a handful of functions over one *state record*. The functions `deal`, `legal`,
`step`, `observe` and `determinize` are compiled (`jit.py`), change the record in place and depend on nothing else.
The environment, the batch, the agents, the search and the pictures know games only through this file.

Identities, checked for every game by `testing.check_game`:

* a game is over, or the seat to act has a legal action; it is over within `max_plies`;
* `observe(s, seat)` and, for the seat to act, `legal` are byte-identical before and after `determinize(s, seat)`,
  and what `determinize` makes does not depend on what the seat cannot know;
* returns are zero-sum; the reward of a step is the difference of returns.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from boardgames_env.jit import jit

MAX_PLAYERS = 10

HEADER = [  # the first fields of every game's state
    ("rng", "u8"),  # the game's own random stream (rng.py)
    ("returns", "f4", MAX_PLAYERS),  # total reward so far, by seat
    ("ply", "i2"),  # decisions made so far; `step` counts them
    ("num_players", "i1"),
    ("player", "i1"),  # seat to act; meaningless once over
    ("over", "?"),
]


class ActionError(ValueError, AssertionError):
    """An action that is out of range, of the wrong type or not legal.

    An AssertionError too, because that is what PettingZoo's own wrappers raise.
    """


class Game(NamedTuple):
    """One game with its number of players and options settled. `s` is a state record.

    Games have no other attributes: what depends on one game only belongs into its folder.
    """

    name: str
    version: int  # of the rules: a replay of another version is refused
    num_players: int
    num_actions: int
    max_plies: int  # no game takes more decisions
    options: Any  # NamedTuple of the values chosen
    state: np.dtype  # HEADER, then the options as small ints, then the game's own fields; packed
    observation: np.dtype  # ("private", …), ("public", …); every leaf uint8; seats relative to the observer
    high: np.ndarray  # uint8[O]: the largest value of every observation byte (the smallest is 0)
    deal: Callable  # deal(s)               rng, num_players and options are set, all else is zero
    legal: Callable  # legal(s, mask)        mask is all zero on entry
    step: Callable  # step(s, action)       action is legal: that is not checked here
    observe: Callable  # observe(s, seat, obs) obs is all zero on entry
    determinize: Callable  # determinize(s, seat)  resample all that the seat cannot know, and rng
    action_name: Callable  # action_name(action) -> str; plain Python, all names distinct
    text: Callable  # text(s, seat=None) -> str, the board for one seat; None shows everything
    scores: Callable  # scores(states) -> float[B, P], the game's own points
    score_scale: float = 0.0  # what a point of lead returns with reward="score"; 0 if the game has no such option
    picture: Callable | None = None  # picture(s, seat=None) -> SVG str
    template: Any = None  # one state with num_players and options set, all else zero; set by `game_maker`
    module: str = ""  # that the game's `make` is found in; set by `game_maker`
    statistics: Callable | None = None  # statistics(game) -> Statistics, what `simulate` reports beside the common
    camps: Callable | None = None  # camps(states) -> (names, int8[B, P]), the camp of each seat as the states have it

    def __reduce__(self):
        """Pickle as what `make` was called with, and what has been replaced since (compiled code pickles badly)."""
        made = importlib.import_module(self.module).make(self.num_players, **self.options._asdict())
        changes = {name: value for name, value in self._asdict().items() if value is not getattr(made, name)}
        return _remake, (self.module, self.num_players, self.options._asdict(), changes)

    def __eq__(self, other):
        return self is other

    def __ne__(self, other):
        return self is not other

    def __hash__(self):
        return id(self)

    def __repr__(self):
        options = "".join(f", {k}={v!r}" for k, v in self.options._asdict().items())
        return f"make({self.name!r}, num_players={self.num_players}{options})"


class Statistics(Protocol):
    """Counts what happens in many games; it sees the truth. For `boardgames simulate`."""

    def watch(self, before: np.recarray, actions: np.ndarray, after: np.recarray) -> None:
        """A step of the games that were not over: states [B] before it, actions [B], states after it."""
        ...

    def rows(self) -> list[tuple[str, str, str]]:
        """What to print: (heading, label, value)."""
        ...


def _remake(module: str, num_players: int, options: dict, changes: dict) -> Game:
    game = importlib.import_module(module).make(num_players, **options)
    return game._replace(**changes) if changes else game


# --- The games by name --------------------------------------------------------------------------------------

# A game is a module with `make(num_players=…, **options) -> Game`, `PLAYERS` (a range) and `OPTIONS`.
GAMES: dict[str, str] = {
    "fungi": "boardgames_env.fungi",
    "fafaru": "boardgames_env.fafaru",
    "mushroom_kingdom": "boardgames_env.mushroom_kingdom",
    "tree_society": "boardgames_env.tree_society",
}


def register(name: str, module: str) -> None:
    """Make a game from elsewhere available by name; `module` is its import path."""
    if name in GAMES and GAMES[name] != module:
        raise ValueError(f"the game {name!r} is already registered, by {GAMES[name]}")
    GAMES[name] = module


def game_module(name: str) -> Any:
    """The module of a game, imported at first use. `tree-society` means `tree_society`.

    Raises ValueError for an unknown name; the message lists the games.
    """
    key = str(name).replace("-", "_")
    if key not in GAMES:
        raise ValueError(f"unknown game {name!r}; the games are: {', '.join(sorted(GAMES))}")
    return importlib.import_module(GAMES[key])


def make(name: str, num_players: int | None = None, **options: Any) -> Game:
    """The game of that name. Equal arguments give the same object.

    Raises ValueError for an unknown name or option, or a value out of range; the message lists what is valid.
    """
    module = game_module(name)
    if num_players is None:
        return module.make(**options)
    return module.make(num_players=num_players, **options)


@dataclasses.dataclass(frozen=True)
class Option:
    """One option of a game: what may be chosen and what it means.

    An option that is not a choice from a list is a class of the game's own with `default`, `help`, `dtype`, `clean`,
    `parse`, `code` and `describe`.
    """

    default: Any
    choices: Sequence  # the values allowed; a `range` for numbers
    help: str

    dtype: ClassVar[Any] = "i2"  # of its field in the state; may be (kind, shape)

    def clean(self, value: Any) -> Any:
        """The value, hashable. Raises ValueError with what is allowed. 1 does not pass for True, nor True for 1."""
        if isinstance(value, np.generic):
            value = value.item()
        for choice in self.choices:
            if type(value) is type(choice) and value == choice:
                return value
        raise ValueError(f"must be {self.describe()}")

    def code(self, value: Any) -> Any:
        """What stands for a clean value in the state: a number itself, else its place in `choices`."""
        return value if isinstance(self.choices, range) else list(self.choices).index(value)

    def parse(self, text: str) -> Any:
        """The value that a text on the command line means. Raises ValueError with what is allowed."""
        for choice in self.choices:
            if str(choice).lower() == text.lower():
                return choice
        raise ValueError(f"must be {self.describe()}, got {text!r}")

    def describe(self) -> str:
        if isinstance(self.choices, range):
            return f"{self.choices[0]}..{self.choices[-1]}"
        return " or ".join(repr(choice) for choice in self.choices)


def game_maker(players: range, options: Mapping[str, Any], build: Callable[[int, Any], Game]) -> Callable:
    """The `make` of a game: checks its arguments, then calls `build(num_players, options)` once for each set.

    `build` itself refuses options that contradict each other or the number of players, with a ValueError. The name
    of the game in messages is the last part of the module of `build`.
    """
    name = build.__module__.rsplit(".", 1)[-1]
    record = namedtuple("Options", options)  # type: ignore[misc]

    @functools.cache
    def built(num_players: int, chosen: Any) -> Game:
        game = build(num_players, chosen)
        if game.template is not None:  # `build` has asked `make` for the same game with the options spelled out
            return game
        template = np.zeros(1, game.state).view(np.recarray)
        template["num_players"] = num_players
        for key, option in options.items():
            template[key] = option.code(getattr(chosen, key))
        return game._replace(template=template, module=build.__module__)

    def make(num_players: int = players[0], **chosen: Any) -> Game:
        if isinstance(num_players, bool) or not isinstance(num_players, (int, np.integer)):
            raise ValueError(f"{name}: num_players must be an integer, got {num_players!r}")
        if num_players not in players:
            allowed = f"{players[0]}..{players[-1]}" if len(players) > 1 else f"{players[0]}"
            raise ValueError(f"{name}: num_players must be {allowed}, got {num_players}")
        values = {key: option.default for key, option in options.items()}
        for key, value in chosen.items():
            if key not in options:
                raise ValueError(f"{name}: unknown option {key!r}; the options are: {', '.join(options)}")
            try:
                values[key] = options[key].clean(value)
            except ValueError as error:
                got = "" if "got " in str(error) else f", got {value!r}"
                raise ValueError(f"{name}: option {key} {error}{got}") from None
        return built(int(num_players), record(**values))

    make.__doc__ = f"{name}: `num_players` {players[0]}..{players[-1]} and options as in `OPTIONS`; ValueError if not."
    return make


# --- Helpers for writing a game -----------------------------------------------------------------------------


def state_dtype(options: Mapping[str, Any], fields: list) -> np.dtype:
    """HEADER, the options as small ints, the game's fields; packed, so that equal states have equal bytes.

    Integers must be signed: in compiled code an unsigned and a signed one make a float, and 0 − 1 a huge number.
    """
    for name, kind, *_ in fields:
        if np.dtype(kind).kind not in "if":  # nor bool: Numba has no arrays of them in records
            raise ValueError(f"state field {name!r} must be a signed integer or float, got {kind!r}")
        if hasattr(np.record, name):  # `s.round` would be NumPy's method wherever nothing is compiled
            raise ValueError(f"state field {name!r} needs another name: NumPy's records have a method of that name")
    settings = [(name, *(o.dtype if isinstance(o.dtype, tuple) else (o.dtype,))) for name, o in options.items()]
    return np.dtype(HEADER + settings + fields)


def observation_layout(private: list, public: list) -> tuple[np.dtype, np.ndarray]:
    """dtype and upper bounds of an observation from rows of (name, shape, largest value or array of them)."""
    parts = {"private": private, "public": public}
    dtype = np.dtype([(part, [(name, "u1", shape) for name, shape, _ in rows]) for part, rows in parts.items()])
    high = np.zeros(1, dtype)
    for part, rows in parts.items():
        for name, _, largest in rows:
            high[part][name][0] = largest
    return dtype, high.view(np.uint8)


@functools.cache
def action_names(game: Game) -> dict[str, int]:
    """All actions by name, in order."""
    return {game.action_name(action): action for action in range(game.num_actions)}


def action_id(game: Game, name: str) -> int:
    """The action of that name. Raises ValueError with names that come near."""
    names = action_names(game)
    if name not in names:
        import difflib

        near = difflib.get_close_matches(name, names, n=3) or list(names)[:3]
        raise ValueError(f"{game.name}: unknown action {name!r}; for example: {', '.join(map(repr, near))}")
    return names[name]


@jit
def pay_win(s, won):
    """Set the returns of a finished game: `won[seat]` is 1 for the winners, who share the win.

    A sole winner gets +1, the others −1/(n−1) each; if all share, everybody gets 0.
    """
    n = int(s.num_players)
    winners = 0
    for seat in range(n):
        winners += int(won[seat])
    for seat in range(n):
        s.returns[seat] = (n * int(won[seat]) / winners - 1.0) / (n - 1)


@jit
def pay_score(s, score, scale):
    """Set the returns so far: `scale` × (own score − mean score of the others)."""
    n = int(s.num_players)
    total = 0
    for seat in range(n):
        total += int(score[seat])
    for seat in range(n):
        own = int(score[seat])
        s.returns[seat] = scale * (own - (total - own) / (n - 1))
