"""Fungi, also published as Morels: card drafting and set collection for two. The rules are in RULES.md."""

from typing import Any

from boardgames_env import aec
from boardgames_env.fungi import observation, rules, text
from boardgames_env.fungi.rules import OPTIONS, PLAYERS
from boardgames_env.game import Game, game_maker

__all__ = ["OPTIONS", "PLAYERS", "env", "make", "raw_env"]


def build(num_players: int, options: Any) -> Game:
    return Game(
        name="fungi",
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
    """Flavour by seat, [B, 2]."""
    return states["score"]


make = game_maker(PLAYERS, OPTIONS, build)
env, raw_env = aec.makers(make)
