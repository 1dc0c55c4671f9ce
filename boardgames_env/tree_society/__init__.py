"""Tree Society: engine building with guild cards, for two to four. The rules are in RULES.md."""

import functools
import os
from typing import Any

from boardgames_env import aec
from boardgames_env.game import Game, game_maker
from boardgames_env.tree_society import cards, observation, rules, text
from boardgames_env.tree_society.rules import OPTIONS, PLAYERS
from boardgames_env.tree_society.statistics import Statistics, scores

__all__ = ["OPTIONS", "PLAYERS", "card_table", "env", "export_cards", "make", "raw_env"]


def build(num_players: int, options: Any) -> Game:
    card_set = rules.card_set_of(options.card_set)
    if options.guilds != rules.RANDOM:
        cards.check_fills_market(card_set, options.guilds, "tree_society: option card_set")
    if isinstance(options.start_coins, tuple) and len(options.start_coins) != num_players:
        given = len(options.start_coins)
        raise ValueError(f"tree_society: option start_coins must be for {num_players} seats, got {given} numbers")
    dtype, high = observation.layout(num_players, card_set)
    return Game(
        name="tree_society",
        version=rules.VERSION,
        num_players=num_players,
        num_actions=rules.NUM_ACTIONS,
        max_plies=rules.MAX_PLIES,
        options=options,
        state=rules.STATE,
        observation=dtype,
        high=high,
        deal=rules.deal,
        legal=rules.legal,
        step=rules.step,
        observe=observation.observe,
        determinize=rules.determinize,
        action_name=text.action_name,
        text=functools.partial(text.text, ids=tuple(card.id for card in card_set)),
        scores=scores,
        score_scale=rules.SCORE_SCALE,
        statistics=Statistics,
    )


def card_table(game: Game) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """(headings, rows) of the guild cards that the game is played with."""
    return cards.COLUMNS, cards.table_rows(rules.card_set_of(game.options.card_set))


def export_cards(game: Game, path: str | os.PathLike) -> None:
    """Write the guild cards to a .toml or .json file that the option `card_set` loads again unchanged."""
    cards.export(path, rules.card_set_of(game.options.card_set))


make = game_maker(PLAYERS, OPTIONS, build)
env, raw_env = aec.makers(make)
