"""Leduc hold'em: one test a numbered rule, the reference, and the numbers that other implementations give."""

import ast
from collections import Counter

import numpy as np
import pytest

import boardgames_env
import leduc
from boardgames_env import Batch, jit
from boardgames_env.game import action_id
from boardgames_env.testing import _determinized, check_game
from leduc import rules, text
from leduc.tree import traverse
from tests.agreement import check_agreement, named_fields
from tests.leduc import EXAMPLES, reference

GAME = leduc.make(reward="score")
CARD = {text.card_name(card): card for card in range(rules.CARDS)}

# OpenSpiel's game `leduc_poker` under uniformly random play, as `python benchmarks/leduc_agreement.py` computes it
# wherever OpenSpiel is installed; these were printed with open_spiel 2.0.2.
OPENSPIEL_VALUE = -0.078125
OPENSPIEL_INFORMATION_STATES = (468, 468)


class Table:
    """A game with stacked cards, and what has been played in it."""

    def __init__(self, mine="king of spades", other="queen of hearts", board="jack of spades", game=GAME):
        self.game, self.batch = game, Batch(game, 1)
        self.batch.states["card"] = [CARD[mine], CARD[other], CARD[board]]

    def play(self, names):
        for name in names.split():
            self.batch.step([action_id(self.game, name)])
        return self

    @property
    def legal(self):
        return {self.game.action_name(action) for action in np.flatnonzero(self.batch.legal()[0])}

    @property
    def state(self):
        return self.batch.states[0]

    @property
    def returns(self):
        return self.batch.returns[0].tolist()

    def sees(self, seat):
        return named_fields(self.game, self.batch.fields(self.batch.observe(seat))[0])


@pytest.mark.modes
@pytest.mark.parametrize("reward", ["win", "score"])
def test_contract(reward):
    games = 4 if jit.DISABLED else 64
    check_game(leduc.make(reward=reward), games=games, conserved=lambda states: states["card"])


class Bridge:
    @staticmethod
    def make_reference(game, s):
        names = [text.card_name(card) for card in s.card]
        return reference.Reference(names[:2], names[2], game.options.reward)

    @staticmethod
    def reference_observation(ref, seat):
        return ref.observation(seat)

    @staticmethod
    def reference_scores(ref):
        return ref.chips()


@pytest.mark.parametrize("reward", ["win", "score"])
def test_agrees_with_the_reference(reward):
    assert check_agreement(Bridge, leduc.make(reward=reward), 2000) > 6000


@pytest.mark.modes
def test_agrees_with_openspiel():
    """Over every deal and every action: what random play is worth, and how much each seat can tell apart."""
    tree = traverse(GAME)
    assert tree.value == pytest.approx(OPENSPIEL_VALUE, abs=1e-12)
    assert tree.information_states == OPENSPIEL_INFORMATION_STATES
    assert tree.plies == rules.MAX_PLIES == GAME.max_plies


def test_registered_from_outside(monkeypatch):
    monkeypatch.setitem(boardgames_env.GAMES, "leduc", "leduc")
    boardgames_env.register("leduc", "leduc")  # again does no harm
    assert boardgames_env.make("leduc", reward="score") is GAME
    env = boardgames_env.env("leduc")
    env.reset(seed=1)
    assert env.observe("player_0")["observation"].shape == (46,)
    assert env.unwrapped.game.options.reward == "win"


def test_uses_the_public_contract_alone():
    allowed = {"boardgames_env", "boardgames_env.game", "boardgames_env.jit", "boardgames_env.rng", "numpy"}
    for file in (EXAMPLES / "leduc").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                modules = [node.module]
                assert not any(alias.name.startswith("_") for alias in node.names), file
            for module in modules:
                ours = module.split(".")[0] == "leduc" or module in ("typing", "itertools")
                assert ours or module in allowed, f"{file.name} imports {module}"


# --- One test a rule ----------------------------------------------------------------------------------------


@pytest.mark.modes
def test_L1_six_cards_in_three_ranks():
    assert len(CARD) == 6
    assert Counter(name.split()[0] for name in CARD) == {"jack": 2, "queen": 2, "king": 2}


def test_L2_all_deals_are_equally_likely():
    assert len({tuple(deal) for deal in rules.DEALS.tolist()}) == 120
    batch = Batch(GAME, 60_000)
    assert (batch.states["stake"] == 1).all()
    deals = Counter(map(tuple, batch.states["card"].tolist()))
    assert len(deals) == 120
    assert min(deals.values()) > 400 and max(deals.values()) < 600  # 500 expected, standard deviation 22


@pytest.mark.modes
def test_L3_seat_0_opens_both_rounds():
    table = Table()
    players = [int(table.state.player)]
    for name in ("call", "raise", "call", "call"):
        players.append(int(table.play(name).state.player))
    assert players == [0, 1, 0, 0, 1]


@pytest.mark.modes
@pytest.mark.parametrize(
    ("played", "stakes"),
    [
        ("call", [1, 1]),
        ("raise", [3, 1]),
        ("raise call", [3, 3]),
        ("raise raise", [3, 5]),
        ("raise raise call", [5, 5]),
        ("call raise raise call", [5, 5]),
        ("call call raise", [5, 1]),
        ("call call raise raise call", [9, 9]),
        ("raise raise call raise raise", [9, 13]),
    ],
)
def test_L4_what_calls_and_raises_pay(played, stakes):
    assert Table().play(played).state.stake.tolist() == stakes


@pytest.mark.modes
@pytest.mark.parametrize("played", ["raise raise", "call raise raise", "call call raise raise"])
def test_L5_two_raises_a_round(played):
    assert Table().play(played).legal == {"fold", "call"}


def test_L5_the_second_round_counts_anew():
    assert "raise" in Table().play("raise raise call").legal


@pytest.mark.modes
@pytest.mark.parametrize(
    ("played", "returns"),
    [("raise fold", [1, -1]), ("raise raise fold", [-3, 3]), ("raise call call raise fold", [-3, 3])],
)
def test_L6_a_fold_gives_the_pot_away(played, returns):
    table = Table(mine="jack of hearts", board="jack of spades").play(played)
    assert table.state.over and table.returns == returns


@pytest.mark.parametrize("played", ["", "call", "call call", "call call call", "raise call"])
def test_L6_no_fold_without_a_raise(played):
    assert Table().play(played).legal == {"call", "raise"}


@pytest.mark.modes
@pytest.mark.parametrize(
    ("played", "ended"),
    [("call", 0), ("call call", 1), ("raise", 0), ("raise call", 1), ("call raise", 0), ("call raise call", 1)],
)
def test_L7_when_a_round_ends(played, ended):
    assert Table().play(played).state.street == ended


@pytest.mark.modes
def test_L8_the_board_is_turned_after_the_first_round():
    table = Table()
    for seat in range(2):
        assert not any(table.sees(seat)["board"])
    table.play("raise call")
    for seat in range(2):
        assert table.sees(seat)["board"].index(1) == CARD["jack of spades"]


@pytest.mark.modes
@pytest.mark.parametrize(
    ("mine", "other", "board", "returns"),
    [
        ("king of spades", "queen of spades", "jack of spades", [1, -1]),
        ("jack of spades", "queen of spades", "king of spades", [-1, 1]),
        ("jack of spades", "king of spades", "jack of hearts", [1, -1]),  # a pair beats a king
        ("king of spades", "queen of hearts", "queen of spades", [-1, 1]),
        ("queen of spades", "queen of hearts", "king of hearts", [0, 0]),
        ("jack of hearts", "jack of spades", "king of hearts", [0, 0]),
    ],
)
def test_L9_the_showdown(mine, other, board, returns):
    table = Table(mine, other, board).play("call call call call")
    assert table.state.over and table.returns == returns
    assert table.sees(0)["shown"].index(1) == CARD[other]
    assert table.sees(1)["shown"].index(1) == CARD[mine]


@pytest.mark.modes
def test_L10_returns_are_the_win_or_chips():
    line = "raise raise call raise raise call"  # all that can be bet
    assert Table().play(line).returns == [13, -13]
    won = Table(game=leduc.make()).play(line)
    assert won.returns == [1, -1]
    assert GAME.scores(won.batch.states).tolist() == [[13, -13]]
    shared = Table(mine="queen of spades", game=leduc.make()).play(line)
    assert shared.returns == [0, 0]


@pytest.mark.modes
def test_L11_a_fold_shows_nothing():
    table = Table().play("raise fold")
    for seat in range(2):
        assert not any(table.sees(seat)["shown"]) and not any(table.sees(seat)["board"])
        assert GAME.text(table.state, seat).count("hidden") == 2
    assert "hidden" not in GAME.text(table.state)


def test_L11_the_table_in_words():
    assert GAME.text(Table().play("raise call call").state, 1).splitlines() == [
        "Leduc hold'em. You are player 1. Player 1 to act.",
        "Player 0: hidden, 3 in the pot",
        "Player 1: queen of hearts, 3 in the pot",
        "Board: jack of spades",
        "First round: raise, call",
        "Second round: call",
    ]


@pytest.mark.parametrize(("played", "expected"), [("call", 20), ("call call", 4), ("raise fold", 20)])
def test_L12_every_deal_that_fits_is_equally_likely(played, expected):
    line = [action_id(GAME, name) for name in played.split()]
    batch = Batch(GAME, 4000)
    batch.states["card"] = Table().state.card
    for action in line:
        batch.step(np.full(batch.size, action))
    drawn = Counter(map(tuple, _determinized(batch, 0, 7).states["card"].tolist()))
    assert len(drawn) == expected
    assert {cards[0] for cards in drawn} == {CARD["king of spades"]}
    assert max(drawn.values()) < 1.5 * 4000 / expected
