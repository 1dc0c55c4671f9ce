"""The history of a game: complete, true to the game, and refused for what was not played."""

import numpy as np
import pytest

import boardgames_env
from boardgames_env import fafaru, replay
from boardgames_env.batch import Batch
from boardgames_env.fafaru import rules
from boardgames_env.fafaru.events import (
    Bet,
    Call,
    CardCount,
    Draw,
    Elimination,
    GameEnd,
    Pearls,
    Play,
    RoundEnd,
    RoundStart,
    Tasting,
)


def random_game(seed, **arguments):
    batch = Batch(boardgames_env.make("fafaru", **arguments), 1, seed)
    actions = []
    while not batch.over[0]:
        action = batch.sample()
        actions.append(int(action[0]))
        batch.step(action)
    return batch, actions


@pytest.mark.parametrize("arguments", [{}, {"num_players": 5}, {"num_players": 8, "mode": "beginner", "claims": False}])
@pytest.mark.parametrize("seed", range(6))
def test_the_history_is_the_game(seed, arguments):
    batch, actions = random_game(seed, **arguments)
    game, n = batch.game, batch.game.num_players
    history = fafaru.events(game, seed, actions)
    end = history[-1]
    assert isinstance(end, GameEnd)
    assert end.pearls == tuple(game.scores(batch.states)[0].tolist())
    assert end.returns == pytest.approx(batch.returns[0].tolist())
    assert sum(isinstance(e, RoundStart) for e in history) == batch.states.rounds[0]
    reasons = [e.reason for e in history if isinstance(e, RoundEnd)]
    assert [reasons.count(name) for name in rules.REASON_NAMES] == batch.states.ended[0].tolist()
    changes = [sum(e.change for e in history if isinstance(e, Pearls) and e.seat == seat) for seat in range(n)]
    assert tuple(changes) == end.pearls
    draws = [e.card for e in history if isinstance(e, Draw)]
    assert len(draws) == rules.deck_size(n, game.options) - batch.states.deck_left[0]
    assert draws.count("URI") <= 1


def test_a_tasting_is_told_card_by_card():
    for seed in range(4):
        _, actions = random_game(seed, num_players=4)
        counted, pile, roles = [], [], None
        for event in fafaru.events(boardgames_env.make("fafaru", 4), seed, actions):
            if isinstance(event, RoundStart):
                assert event.roles.count("fresh") == 2
                pile, roles = [], event.roles
            elif isinstance(event, Play):
                assert event.position == len(pile)
                pile.append(event.card)
            elif isinstance(event, (Bet, Call)):
                assert event.role == roles[event.seat]
            elif isinstance(event, Elimination):
                assert event.role == roles[event.accused]
            elif isinstance(event, CardCount):
                counted.append(event)
            elif isinstance(event, Tasting):
                assert sorted(c.card for c in counted) == sorted(pile)
                assert sum(c.value for c in counted) == event.total == fafaru.count(c.card for c in counted).total
                counted = []


def test_the_beginning_of_a_game_is_enough():
    _, actions = random_game(3)
    game = boardgames_env.make("fafaru")
    whole = fafaru.events(game, 3, actions)
    for length in (0, 1, 10):
        part = fafaru.events(game, 3, actions[:length])
        assert part == whole[: len(part)]


def test_events_refuse_what_was_not_played():
    game = boardgames_env.make("fafaru")
    _, actions = random_game(3)
    with pytest.raises(ValueError, match=r"in place 2 of the list, action 99 is not in 0\.\.63"):
        fafaru.events(game, 3, [*actions[:2], 99])
    with pytest.raises(ValueError, match="not legal"):
        fafaru.events(game, 3, [rules.TAMAA])
    with pytest.raises(ValueError, match="over before action"):
        fafaru.events(game, 3, [*actions, 0])
    with pytest.raises(ValueError, match="no integer"):
        fafaru.events(game, 3, [0.5])
    with pytest.raises(ValueError, match="seed"):
        fafaru.events(game, -1, actions)
    with pytest.raises(ValueError, match="fafaru"):
        fafaru.events(boardgames_env.make("fungi"), 3, actions)


def test_statistics_count_every_round():
    game = boardgames_env.make("fafaru", 5)
    batch, found = Batch(game, 50, seed=4), game.statistics(game)
    while not batch.over.all():
        going = ~batch.over
        before, actions = batch.states[going].copy(), batch.sample()
        batch.step(actions)
        found.watch(before.view(np.recarray), actions[going], batch.states[going])
    assert (found.ended == batch.states.ended.sum(axis=0)).all()
    assert (found.counted == batch.states.counted.sum(axis=0)).all()
    assert found.games == 50
    assert found.wins.sum() == pytest.approx(50)
    assert found.plays[:, 0].sum() == batch.states.claimed.sum()
    assert found.eliminated.sum() == batch.states.ended[:, rules.BY_ELIMINATION].sum()
    headings = {heading for heading, _, _ in found.rows()}
    assert {"rounds", "games", "count of the ma'a", "share of the win", "bets", "eliminated", "lies"} == headings


def test_events_of_a_replay():
    game = boardgames_env.make("fafaru", 3)
    batch, actions = Batch(game, 1, seed=4), []
    while not batch.over.all():
        actions.append(batch.sample())
        batch.step(actions[-1])
    (one,) = replay.record(batch, actions, [["random"] * 3])
    assert fafaru.events(one) == fafaru.events(game, 4, one.actions)
