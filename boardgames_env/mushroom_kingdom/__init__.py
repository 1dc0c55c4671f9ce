"""Mushroom Kingdom: area control with spores, mycelium and mushroom cards, for two to six. The rules: RULES.md."""

import functools
from typing import Any

from boardgames_env import aec
from boardgames_env.game import Game, game_maker
from boardgames_env.mushroom_kingdom import observation, rules, text
from boardgames_env.mushroom_kingdom.board import PLAYERS, start_cells
from boardgames_env.mushroom_kingdom.rules import OPTIONS
from boardgames_env.mushroom_kingdom.statistics import Counts

__all__ = ["OPTIONS", "PLAYERS", "env", "make", "raw_env"]


def build(num_players: int, options: Any) -> Game:
    if options.board_size is None:  # M1: the same object as with the number itself
        return make(num_players, **options._replace(board_size=num_players + 4)._asdict())
    side = options.board_size
    refuse_impossible(num_players, options)
    dtype, high = observation.layout(num_players, side, options.seasons, options.spores)
    return Game(
        name="mushroom_kingdom",
        version=rules.VERSION,
        num_players=num_players,
        num_actions=rules.num_actions(side),
        max_plies=rules.max_plies(num_players, side, options.seasons),
        options=options,
        state=rules.state_of(num_players, side),
        observation=dtype,
        high=high,
        deal=rules.deal,
        legal=rules.legal,
        step=rules.step,
        observe=observation.observe,
        determinize=observation.determinize,
        action_name=functools.partial(text.action_name, side),
        text=text.text,
        scores=scores,
        score_scale=rules.SCORE_SCALE,
        statistics=Counts,
    )


def refuse_impossible(num_players: int, options: Any) -> None:
    """Raises ValueError, with the reason, for a board on which the game cannot begin."""
    side = options.board_size
    starts = len(set(start_cells(num_players, side)))
    if starts < num_players:
        raise ValueError(
            f"mushroom_kingdom: a board of {side} × {side} has {starts} start cells for {num_players} players"
        )
    _, twos = rules.tiles(side * side, rules.OPTIONS["fertility_weights"].code(options.fertility_weights))
    if twos < num_players:
        raise ValueError(
            f"mushroom_kingdom: the start cells of {num_players} players have fertility 2, and with board_size={side} "
            f"and fertility_weights={options.fertility_weights} only {twos} cells have"
        )


def scores(states: Any) -> Any:
    """Points by seat, [B, P]."""
    return states["score"]


make = game_maker(PLAYERS, OPTIONS, build)
env, raw_env = aec.makers(make)
