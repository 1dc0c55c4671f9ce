"""What decides a training run: one dataclass, and what each game changes in it."""

from __future__ import annotations

import dataclasses
import json
import shlex
import typing
from typing import Any

from boardgames_env import Game, make

NOT_CHANGED = ("game", "num_players", "options", "steps", "minutes", "seed")  # there are other ways to set these
PRECISIONS = ("float32", "bfloat16")


@dataclasses.dataclass(frozen=True)
class Settings:
    """Everything that decides a run; written into its folder. `settings_for(game)` gives a game's own."""

    game: str = "fungi"
    num_players: int = 2
    options: dict = dataclasses.field(default_factory=dict)  # of the game; reward="score" pays as the game goes
    steps: int = 20_000_000  # decisions of the learner
    minutes: float = 0.0  # stop after so long in any case; 0: no limit
    seed: int = 0
    # Network
    convolutions: tuple[int, ...] = ()  # channels of 3 × 3 layers over the planes of the board, if the game has any
    trunk: tuple[int, ...] = (256,)  # widths of the layers that policy and value share
    hidden: tuple[int, ...] = (128,)  # and of the layers that each has for itself
    precision: str = "float32"  # or bfloat16: several times faster on processors that multiply in it
    # First, imitation
    imitate: str = "greedy"  # an agent to imitate before self-play; "": none
    imitate_steps: int = 2_000_000  # of its decisions
    imitate_noise: float = 0.1  # share of random moves in its games, so that it is seen in more positions
    imitate_entropy: float = 0.02  # keeps some chance for what it does not do
    imitate_learning_rate: float = 1e-3
    # PPO
    envs: int = 1024  # games side by side
    rollout: int = 32  # decisions of each before an update
    minibatch: int = 4096
    epochs: int = 2
    learning_rate: float = 1e-3  # falls to a tenth over the run
    entropy: float = 0.01
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip: float = 0.2
    # League: who plays the other seats, drawn for each seat and game
    scripted: tuple[str, ...] = ("greedy",)  # agents that take part from the start
    scripted_share: float = 0.3  # of the seats
    snapshot_every: int = 10  # iterations between the past versions that join
    league: int = 8  # past versions kept
    latest_share: float = 0.5  # of the seats of past versions, for the newest; the others' by age and strength
    # Evaluation, on deals that training never sees, each played from every seat
    evaluate_every: int = 25  # iterations
    evaluation_deals: int = 100
    evaluate_against: tuple[str, ...] = ("random", "greedy")  # and always the best version so far
    slow_every: int = 8  # evaluations between those against agents that take their time
    slow_deals: int = 10
    slow_against: tuple[str, ...] = ("ismcts:sims=100",)

    def make_game(self) -> Game:
        """The game that is learnt: reward by score or win as in `options`. ValueError for settings that cannot be."""
        if self.precision not in PRECISIONS:
            raise ValueError(f"precision must be {' or '.join(PRECISIONS)}, got {self.precision!r}")
        low = {"envs": 1, "rollout": 1, "minibatch": 1, "epochs": 1, "steps": 1, "league": 1, "snapshot_every": 1}
        low |= {"evaluate_every": 1, "evaluation_deals": 1, "slow_every": 1, "slow_deals": 1}
        for name, least in low.items():
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}, got {getattr(self, name)}")
        for name in ("scripted_share", "latest_share", "imitate_noise"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be from 0 to 1, got {getattr(self, name)}")
        if min(self.convolutions + self.trunk + self.hidden, default=1) < 1:
            raise ValueError("layers must be at least 1 wide")
        return make(self.game, self.num_players, **self.options)


# What suits a game better than the defaults. Found by trying for some minutes each, not by a search.
FOR_GAME: dict[str, dict[str, Any]] = {
    "fungi": {},
    # One game says little about who plays better: many deals, and company of many kinds.
    "fafaru": {
        "scripted": ("greedy", "liar", "parrot", "bayes"),
        "scripted_share": 0.5,
        "evaluation_deals": 300,
        "slow_deals": 20,
    },
    # Search takes a second a move there.
    "mushroom_kingdom": {"slow_every": 16, "slow_deals": 4},
    "tree_society": {},
}


def settings_for(game: Game, **changes: Any) -> Settings:
    """The settings for a game as it is made, with changes."""
    this = {"game": game.name, "num_players": game.num_players, "options": game.options._asdict()}
    return Settings(**FOR_GAME.get(game.name, {}) | this | changes)


def command(settings: Settings) -> str:
    """The command line that starts a run with these settings."""
    game = settings.make_game()
    usual_game, usual = make(game.name, game.num_players), settings_for(game)
    parts = ["boardgames train", game.name, f"--players {game.num_players}"]
    for name in ("steps", "minutes", "seed"):
        if getattr(settings, name) != getattr(usual, name):
            parts.append(f"--{name} {getattr(settings, name)}")
    for name, value in game.options._asdict().items():
        if value != getattr(usual_game.options, name):
            text = json.dumps(value) if isinstance(value, (tuple, type(None))) else str(value)
            parts.append(f"--set {shlex.quote(f'{name}={text}')}")
    for field in dataclasses.fields(settings):
        value = getattr(settings, field.name)
        if field.name not in NOT_CHANGED and value != getattr(usual, field.name):
            parts.append(f"--with {shlex.quote(f'{field.name}={_text(value)}')}")
    return " ".join(parts)


def _text(value: Any) -> str:
    """A value as `changed` reads it."""
    if isinstance(value, tuple):
        return (" " if value and isinstance(value[0], str) else ",").join(map(str, value))
    return str(value)


def changed(settings: Settings, changes: typing.Sequence[str]) -> Settings:
    """Settings with each `NAME=VALUE` applied; numbers of a tuple are given as 1,2 and names as `one two`.

    Raises ValueError that lists the settings for an unknown one, or says what the value must look like.
    """
    kinds = typing.get_type_hints(Settings)
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals or name not in kinds or name in NOT_CHANGED:
            names = ", ".join(n for n in kinds if n not in NOT_CHANGED)
            raise ValueError(f"unknown training setting {change!r}; the settings are: {names}")
        try:
            value = _parsed(kinds[name], text)
        except ValueError:
            old = getattr(settings, name)
            raise ValueError(f"training setting {name} must be like {old!r}, got {text!r}") from None
        settings = dataclasses.replace(settings, **{name: value})
    return settings


def _parsed(kind: Any, text: str) -> Any:
    if kind == tuple[str, ...]:
        return tuple(text.split())
    if kind == tuple[int, ...]:
        return tuple(int(part) for part in text.split(",") if part)
    return kind(text)
