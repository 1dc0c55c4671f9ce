"""What holds in every game: nothing legal leads nowhere, counts agree, and fertility changes only as the rules say."""

import numpy as np
import pytest

from boardgames_agents import make_agent
from boardgames_agents.match import play
from boardgames_env import Batch, make
from boardgames_env.jit import plain
from boardgames_env.mushroom_kingdom import rules
from boardgames_env.mushroom_kingdom.rules import (
    CELL,
    CELL_PHASE,
    DEED,
    DESTROY,
    DIRECTION_PHASE,
    END,
    GROWTH_PHASE,
    PLAY_AGARIC,
    SECOND_PHASE,
    VERB_PHASE,
)
from boardgames_env.mushroom_kingdom.statistics import COLUMNS, EQUAL, GROWTH, Counts, _kernel
from tests.mushroom_kingdom.bridge import VARIANTS
from tests.mushroom_kingdom.table import derived


def variant(number):
    return make("mushroom_kingdom", **VARIANTS[number])


def positions(game, games, seed=0):
    """(states before, actions, states after) at every decision of random games."""
    batch = Batch(game, games, seed)
    while not batch.over.all():
        before, actions = batch.states.copy(), batch.sample()
        batch.step(actions)
        yield before, actions, batch.states


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_derived_fields_agree_with_the_board(number):
    for _, _, states in positions(variant(number), 64):
        held, mycelia, soil, score = derived(states)
        assert (states["held"] == held).all()
        assert (states["mycelia"] == mycelia).all()
        assert (states["soil"] == soil).all()
        assert (states["score"] == score).all()
        assert ((states["piece"] > 0) == (states["holder"] >= 0)).all()
        assert not (states["piece"].astype(bool) & (states["blocked_until"] > 0)).any()
        assert not ((states["piece"] == 0) & (states["protected_until"] > 0)).any()
        assert ((states["fertility"] >= 0) & (states["fertility"] <= 3)).all()
        assert (states["hand"].sum(axis=2) <= 3).all()
        assert ((states["held"] == 0) == (states["eliminated"] == 1)).all()


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_every_decision_has_a_choice(number):
    """One possibility is never asked for."""
    batch = Batch(variant(number), 64)
    while not batch.over.all():
        masks = batch.legal()
        assert (masks.sum(axis=1)[~batch.over] >= 2).all()
        batch.step(batch.sample(masks))


@pytest.mark.modes
@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_legal_verbs_are_those_that_can_be_used(number):
    can_use = plain(rules.can_use)
    for states, _, _ in positions(variant(number), 2, seed=3):
        batch = Batch(variant(number), 2)
        batch.states[:] = states
        for s, mask in zip(batch.states, batch.legal()):
            if not s.over and s.phase == VERB_PHASE:
                one_by_one = [bool(can_use(s, int(s.player), verb)) for verb in range(rules.VERBS)]
                assert mask[: rules.VERBS].astype(bool).tolist() == one_by_one


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_every_legal_verb_and_cell_can_be_carried_through(number):
    game = variant(number)
    legal, decide = plain(rules.legal), plain(rules.decide)
    checked = 0
    for ply, (before, _, _) in enumerate(positions(game, 2, seed=7)):
        if ply % 5:  # a sample: this is plain Python
            continue
        for row in range(len(before)):
            if not before[row].over and before[row].phase == VERB_PHASE:
                checked += _carried_through(game, before[row : row + 1], legal, decide)
    assert checked >= 10


def _carried_through(game, state, legal, decide):
    """Follow every legal verb, without the steps that are done without asking. Returns the number of verbs."""
    cells = game.options.board_size**2

    def choices(s):
        mask = np.zeros(game.num_actions, np.int8)
        legal(s, mask)
        return np.flatnonzero(mask)

    verbs = choices(state[0])
    assert len(verbs) > 0
    for verb in verbs:
        if verb == END or DEED[verb] == PLAY_AGARIC:
            continue
        chosen = state.copy().view(np.recarray)
        decide(chosen[0], int(verb))
        assert chosen[0].phase == CELL_PHASE
        targets = choices(chosen[0])
        assert len(targets) > 0 and ((targets >= CELL) & (targets < CELL + cells)).all()
        for target in targets:
            aimed = chosen.copy().view(np.recarray)
            decide(aimed[0], int(target))
            if aimed[0].phase in (DIRECTION_PHASE, SECOND_PHASE):
                assert len(choices(aimed[0])) > 0
    return len(verbs)


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_fertility_changes_only_as_the_rules_allow(number):
    """M13 (stack) loses what exceeds 3, M16 and M24 take at most 1, M30 gives 1; all else keeps the sum."""
    game = variant(number)
    for before, actions, after in positions(game, 64, seed=3):
        change = after["fertility"].sum(axis=1, dtype=int) - before["fertility"].sum(axis=1, dtype=int)
        for row in np.flatnonzero(change):
            counts = np.zeros(COLUMNS, np.int64)
            _kernel()(before[row : row + 1].copy().view(np.recarray), actions[row : row + 1], counts)
            verb = int(before[row]["verb"])
            paid = DEED[verb] == DESTROY if verb >= 0 else actions[row] < CELL and DEED[actions[row]] == DESTROY
            destroyed = counts[DESTROY : DESTROY + 5].sum() + bool(paid)
            moves = counts[rules.MOVE] + (before[row]["phase"] in (CELL_PHASE, DIRECTION_PHASE)) + counts[5:13].sum()
            least = -counts[EQUAL] - destroyed
            if game.options.move_tiles == "stack":
                least -= 3 * moves
            assert least <= change[row] - counts[GROWTH] <= 0


def test_statistics_count_what_happened():
    game = make("mushroom_kingdom", num_players=2)
    counts, total = Counts(game), np.zeros(COLUMNS, np.int64)
    ended = None
    for before, actions, after in positions(game, 32):
        counts.watch(before, actions, after)
        _kernel()(before.copy().view(np.recarray), np.ascontiguousarray(actions), total)
        ended = after
    assert (counts.counts == total).all() and counts.games == 32
    assert counts.eliminated == ended["eliminated"].sum()
    assert counts.cards_used.sum() == ended["used"].sum()
    whole = ended["season"] == game.options.seasons + 1  # no sole survivor
    assert 24 * whole.sum() <= counts.counts[END] <= 24 * 32
    rows = counts.rows()
    assert all(len(row) == 3 and all(isinstance(text, str) for text in row) for row in rows)


@pytest.mark.parametrize(("arguments", "share"), [({}, 0.97), ({"num_players": 4}, 0.9)])
def test_greedy_beats_random(arguments, share):
    game = make("mushroom_kingdom", **arguments)
    players, games = game.num_players, 200
    batch = Batch(game, games)
    seats = np.ones((games, players), int)
    mine = np.arange(games) % players
    seats[np.arange(games), mine] = 0
    play(batch, [make_agent(game, "greedy"), make_agent(game, "random", seed=1)], seats)
    best = batch.states["score"] == batch.states["score"].max(axis=1, keepdims=True)
    assert (best / best.sum(axis=1, keepdims=True))[np.arange(games), mine].mean() > share


def test_phases_are_all_reached():
    seen = set()
    for number in (0, 1):
        for before, _, _ in positions(variant(number), 256):
            seen |= set(np.unique(before["phase"][~before["over"]]).tolist())
    assert seen == {VERB_PHASE, CELL_PHASE, DIRECTION_PHASE, SECOND_PHASE, GROWTH_PHASE}
