"""Fafaru: hidden roles, bluff and betting for three to ten. The rules are in RULES.md."""

import functools
from typing import Any

from boardgames_env import aec
from boardgames_env.fafaru import observation, rules, text
from boardgames_env.fafaru.cards import FRESH
from boardgames_env.fafaru.events import events
from boardgames_env.fafaru.rules import OPTIONS, PLAYERS
from boardgames_env.fafaru.statistics import CAMPS, Statistics
from boardgames_env.fafaru.tasting import CardValue, Count, count
from boardgames_env.game import Game, game_maker

__all__ = ["OPTIONS", "PLAYERS", "CardValue", "Count", "count", "env", "events", "make", "raw_env"]


def build(num_players: int, options: Any) -> Game:
    if options.target_pearls > options.pearl_cap:
        raise ValueError(
            f"fafaru: target_pearls must be at most pearl_cap, got target_pearls={options.target_pearls} "
            f"and pearl_cap={options.pearl_cap}: the game could not end by pearls"
        )
    dtype, high = observation.layout(num_players, options)
    return Game(
        name="fafaru",
        version=rules.VERSION,
        num_players=num_players,
        num_actions=rules.num_actions(num_players),
        max_plies=rules.max_plies(num_players, options),
        options=options,
        state=rules.STATE,
        observation=dtype,
        high=high,
        deal=rules.deal,
        legal=rules.legal,
        step=rules.step,
        observe=observation.observe,
        determinize=observation.determinize,
        action_name=functools.partial(text.action_name, num_players),
        text=text.text,
        scores=functools.partial(scores, num_players),
        score_scale=rules.SCORE_SCALE,
        statistics=Statistics,
        camps=functools.partial(camps, num_players),
    )


def scores(num_players: int, states: Any) -> Any:
    """Pearls by seat, [B, P]."""
    return states["pearls"][:, :num_players]


def camps(num_players: int, states: Any) -> tuple[tuple[str, ...], Any]:
    """Camp of each seat in the present round; of a finished game, in its last round, since each deals roles anew."""
    return CAMPS, (states["role"][:, :num_players] != FRESH).astype("i1")


make = game_maker(PLAYERS, OPTIONS, build)
env, raw_env = aec.makers(make)
