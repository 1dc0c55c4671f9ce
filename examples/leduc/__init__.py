"""Leduc hold'em: poker for two with six cards. The rules are in RULES.md.

A game from outside the library, on its public contract alone. With the folder `examples` on Python's path:

    import boardgames_env

    boardgames_env.register("leduc", "leduc")
    game = boardgames_env.make("leduc", reward="score")  # returns in chips
"""

from typing import Any

from boardgames_env import aec
from boardgames_env.game import Game, game_maker
from leduc import observation, rules, text
from leduc.rules import OPTIONS, PLAYERS

__all__ = ["OPTIONS", "PLAYERS", "env", "make", "raw_env"]


def build(num_players: int, options: Any) -> Game:
    return Game(
        name="leduc",
        version=rules.VERSION,
        num_players=num_players,
        num_actions=rules.NUM_ACTIONS,
        max_plies=rules.MAX_PLIES,
        options=options,
        state=rules.STATE,
        observation=observation.OBSERVATION,
        high=observation.HIGH,
        deal=rules.deal,
        legal=rules.legal,
        step=rules.step,
        observe=observation.observe,
        determinize=observation.determinize,
        action_name=text.action_name,
        text=text.text,
        scores=scores,
        score_scale=rules.SCORE_SCALE,
    )


def scores(states: Any) -> Any:
    """Chips won by seat, [B, 2]; 0 until the game is over."""
    return states["won"]


make = game_maker(PLAYERS, OPTIONS, build)
env, raw_env = aec.makers(make)
