"""One test for every numbered rule of RULES.md, on positions built by assignment, and the examples of the rules."""

import collections
import itertools

import numpy as np
import pytest

from boardgames_env import Batch, make
from boardgames_env.mushroom_kingdom import board, cards, observation
from boardgames_env.mushroom_kingdom.rules import CELL, VERBS
from tests.mushroom_kingdom.table import M, Table

# --- Components and set-up ----------------------------------------------------------------------------------


@pytest.mark.modes
@pytest.mark.parametrize(
    ("players", "side", "counts", "starts"),
    [  # the table of M2
        (2, 6, (6, 12, 18), [(0, 3), (5, 2)]),
        (3, 7, (8, 16, 25), [(0, 3), (5, 6), (5, 0)]),
        (4, 8, (11, 21, 32), [(0, 4), (4, 7), (7, 3), (3, 0)]),
        (5, 9, (14, 27, 40), [(0, 4), (3, 8), (8, 7), (8, 1), (3, 0)]),
        (6, 10, (17, 33, 50), [(0, 2), (0, 7), (5, 9), (9, 7), (9, 2), (4, 0)]),
    ],
)
def test_M1_M2_M3_set_up(players, side, counts, starts):
    game = make("mushroom_kingdom", num_players=players)
    assert game.options.board_size == side
    assert game.num_actions == 19 + side**2 + 4
    states = Batch(game, 3, seed=5).states
    for s in states:
        assert tuple((s.fertility == f).sum() for f in (3, 2, 1)) == counts
        for seat, (row, column) in enumerate(starts):
            cell = row * side + column
            assert (s.holder[cell], s.piece[cell], s.fertility[cell]) == (seat, 1, 2)
        assert (s.piece > 0).sum() == players
        assert (s.reserve == 11).all()
    assert len({s.fertility.tobytes() for s in states}) == 3


def test_M2_every_arrangement_of_the_tiles_is_equally_likely():
    states = Batch(make("mushroom_kingdom"), 20_000).states
    free = states["piece"][0] == 0
    threes = (states["fertility"] == 3).mean(axis=0)[free]
    assert np.abs(threes - 6 / 34).max() < 0.015


@pytest.mark.parametrize("side", board.SIDES)
@pytest.mark.parametrize("players", board.PLAYERS)
def test_M3_start_cells_on_every_board(players, side):
    cells = board.start_cells(players, side)
    ring = board.border(side)
    assert len(set(ring)) == len(ring) == 4 * (side - 1)
    assert len(set(cells)) == players and set(cells) <= set(ring)
    if side != players + 4:
        places = sorted(ring.index(cell) for cell in cells)
        gaps = np.diff([*places, places[0] + len(ring)])
        assert gaps.max() - gaps.min() <= 1


@pytest.mark.modes
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"board_size": 3}, "4..12"),
        ({"board_size": 13}, "4..12"),
        ({"board_size": True}, "4..12"),
        ({"board_size": 6.0}, "4..12"),
        ({"num_players": 1}, "2..6"),
        ({"num_players": 7}, "2..6"),
        ({"num_players": 6, "board_size": 4}, "only 5 cells have"),
        ({"fertility_weights": (0.5, 0.0, 0.5)}, "only 0 cells have"),
        ({"fertility_weights": (0.5, 0.5, 0.5)}, "sum to 1"),
        ({"fertility_weights": (1.5, -0.5, 0.0)}, "sum to 1"),
        ({"fertility_weights": (0.5, 0.5)}, "three shares"),
        ({"fertility_weights": "abc"}, "three shares"),
        ({"fertility_weights": 1}, "three shares"),
        ({"fertility_weights": (float("nan"), 0.5, 0.5)}, "three shares"),
        ({"spores": 0}, "1..60"),
        ({"seasons": 61}, "1..60"),
        ({"move_tiles": "glue"}, "'swap' or 'stack'"),
        ({"captured": "eaten"}, "'reserve' or 'removed'"),
        ({"absorb_edges": 1}, "False or True"),
    ],
)
def test_impossible_options_are_refused_with_the_reason(options, message):
    with pytest.raises(ValueError, match=message) as caught:
        make("mushroom_kingdom", **options)
    assert str(caught.value).startswith("mushroom_kingdom: ")


@pytest.mark.modes
def test_M1_equal_boards_are_one_game():
    assert make("mushroom_kingdom", board_size=6) is make("mushroom_kingdom")
    assert make("mushroom_kingdom", board_size=np.int64(6), fertility_weights=[1 / 6, 1 / 3, 1 / 2]) is make(
        "mushroom_kingdom", num_players=2, board_size=None
    )


@pytest.mark.modes
@pytest.mark.parametrize("side", board.SIDES)
def test_nothing_is_larger_than_the_board_needs(side):
    game = make("mushroom_kingdom", board_size=side)
    assert game.num_actions == 19 + side**2 + 4
    assert game.state["fertility"].shape == (side**2,)
    assert game.observation["public"]["spores"].shape == (2, side, side)
    fields = observation.board_fields(2, side)
    assert sum(int(np.prod(shape)) for _, shape, _ in fields) == 8 * side**2
    assert game.observation.itemsize == 8 * side**2 + 68


@pytest.mark.modes
def test_M4_cards():
    assert cards.DECK == 40
    assert cards.BOX.tolist() == [8, 8, 8, 8, 2, 2, 2, 2]
    s = Batch(make("mushroom_kingdom"), 1).states[0]
    assert np.bincount(s.deck, minlength=8).tolist() == cards.BOX.tolist() and s.deck_left == 40
    assert not s.hand.any()


@pytest.mark.modes
def test_M5_a_stack_holds_three():
    table = Table(pieces={(0, 0): (0, 3), (5, 5): (1, 1)}).play("sow")
    assert table.cells() == {(0, 1), (1, 0)}


def test_M6_the_first_player_is_random():
    first = Batch(make("mushroom_kingdom", num_players=4), 2000).states["first"]
    assert np.abs(np.bincount(first, minlength=4) - 500).max() < 100


@pytest.mark.modes
def test_M6_the_order_goes_up_from_the_first():
    table = Table(3, pieces={(0, 0): (0, 1), (3, 3): (1, 1), (6, 6): (2, 1)}, hands={i: ["agaric"] for i in range(3)})
    table.s.first = table.s.player = 2
    order = []
    for _ in range(6):
        order.append((int(table.s.season), int(table.s.player)))
        table.skip()
    assert order == [(1, 2), (1, 0), (1, 1), (2, 2), (2, 0), (2, 1)]


# --- A turn -------------------------------------------------------------------------------------------------


@pytest.mark.modes
def test_M10_two_board_actions_then_the_turn_ends_by_itself():
    table = Table(pieces={(0, 0): (0, 1), (5, 5): (1, 1)})
    assert table.legal() == {"sow", "move"}
    table.play("sow", (0, 1))
    assert table.s.player == 0 and table.s.actions_left == 1
    table.play("sow", (0, 1))
    assert table.s.player == 1 and table.s.actions_left == 2


@pytest.mark.modes
def test_M10_with_a_card_the_end_is_asked_for():
    table = Table(pieces={(0, 0): (0, 2), (5, 5): (1, 1)}, hands={0: ["puffball"]})
    assert "end turn" not in table.legal()
    table.play("sow", (0, 1), "sow", (0, 1))
    assert table.legal() == {"play puffball", "end turn"}
    table.play("end turn")
    assert table.s.player == 1


@pytest.mark.modes
def test_M10_the_turn_can_end_when_no_board_action_is_legal():
    # Seat 0 holds one mycelium, has no spore anywhere, and a morel that cannot jump.
    pieces = {(0, 0): (0, M), (5, 5): (1, 1)}
    table = Table(pieces=pieces, hands={0: ["puffball", "morel"]})
    table.s.reserve[0] = 0
    assert table.s.actions_left == 2
    assert table.legal() == {"play puffball", "end turn"}


@pytest.mark.modes
def test_M11_targets_of_sowing():
    pieces = {(2, 2): (0, 2), (2, 3): (0, 3), (0, 0): (0, M), (3, 3): (1, M), (3, 2): (1, 2), (1, 3): (1, 1)}
    table = Table(pieces=pieces)
    table.s.blocked_until[table.at((1, 2))] = 99
    table.s.protected_until[table.at((1, 3))] = 99
    table.play("sow")
    assert table.cells() == {(2, 2), (0, 1), (1, 0), (2, 1), (2, 4), (3, 2)}
    assert table.play((0, 1)).piece((0, 1)) == (0, 1)
    assert table.s.reserve[0] == 12 - 6
    assert table.play("sow", (2, 2)).piece((2, 2)) == (0, 3)


@pytest.mark.modes
def test_M11_own_protection_does_not_stop_the_owner():
    table = Table(pieces={(2, 2): (0, 1), (5, 5): (1, 1)})
    table.s.protected_until[table.at((2, 2))] = 99
    assert (2, 2) in table.play("sow").cells()


@pytest.mark.modes
def test_M11_edge_start():
    # Nothing next to the own piece can be sown: both neighbours are rival mycelium.
    pieces = {(0, 0): (0, 1), (0, 1): (1, M), (1, 0): (1, M), (5, 5): (1, 1)}
    table = Table(pieces=pieces, board_size=6)
    table.s.blocked_until[table.at((3, 5))] = 99
    table.play("sow")  # a single spore that cannot move: sowing was the only verb, and is chosen already
    border = set(board.border(6)) - {(0, 1), (1, 0), (5, 5), (3, 5)}
    assert table.cells() == border
    table.play((5, 0))
    assert table.piece((5, 0)) == (0, 1)


@pytest.mark.modes
def test_M11_no_edge_start_while_a_dispute_is_possible():
    pieces = {(0, 0): (0, 1), (0, 1): (1, 1), (1, 0): (1, M), (5, 5): (1, 1)}
    table = Table(pieces=pieces, hands={0: ["puffball"]}).play("sow")
    assert table.cells() == {(0, 0), (0, 1)}


@pytest.mark.modes
def test_M12_ferment():
    table = Table(pieces={(0, 0): (0, 3), (0, 2): (0, 2), (4, 4): (0, 1), (5, 5): (1, 1)})
    top = cards.KIND_NAMES[table.s.deck[39]]
    table.play("ferment")
    assert table.cells() == {(0, 0), (0, 2)}
    table.play((0, 0))
    assert table.piece((0, 0)) == (0, 1)
    assert table.s.reserve[0] == 8 and table.s.deck_left == 39
    assert table.s.hand[0, cards.KIND_NAMES.index(top)] == 1
    table.play("ferment")
    assert table.piece((0, 2)) is None


@pytest.mark.modes
@pytest.mark.parametrize("why", ["last piece", "full hand", "no deck"])
def test_M12_ferment_is_refused(why):
    pieces = {(0, 0): (0, 2), (5, 5): (1, 1)}
    if why != "last piece":
        pieces[2, 2] = (0, 1)
    table = Table(pieces=pieces, hands={0: ["agaric"] * (3 if why == "full hand" else 0)})
    if why == "no deck":
        table.s.used[:] = cards.BOX
        table.s.deck[:], table.s.deck_left = 0, 0
    assert "ferment" not in table.legal()
    assert "sow" in table.legal()


@pytest.mark.modes
@pytest.mark.parametrize(
    ("options", "source", "target"),
    [({}, 1, 3), ({"move_tiles": "stack"}, 0, 3), ({"move_tiles": "swap"}, 1, 3)],
)
def test_M13_move(options, source, target):
    pieces = {(2, 2): (0, 1), (2, 3): (1, 1), (5, 5): (1, 1), (4, 4): (0, 2)}
    table = Table(pieces=pieces, tiles={(2, 2): 3, (1, 2): 1}, **options)
    table.s.blocked_until[table.at((3, 2))] = 99
    table.play("move")  # only one spore is alone: the cell is not asked for
    assert table.legal() == {"north", "west"}
    table.play("north")
    assert table.piece((1, 2)) == (0, 1) and table.piece((2, 2)) is None
    assert (table.tile((2, 2)), table.tile((1, 2))) == (source, target)


@pytest.mark.modes
def test_M14_grow_and_the_worked_example_of_a_cell_of_three():
    pieces = {(0, 0): (0, 3), (5, 5): (1, 1)}
    table = Table(pieces=pieces).play("ferment")
    assert table.piece((0, 0)) == (0, 1)
    table = Table(pieces=pieces).play("grow mycelium")
    assert table.piece((0, 0)) == (0, M)
    assert table.s.reserve[0] == 12
    table = Table(pieces={(0, 0): (0, M), (0, 1): (1, 1), (2, 2): (1, 3)})
    table.s.player = 1
    assert (0, 0) not in table.play("sow").cells()


def surrounded(center, piece=1):
    row, column = center
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    pieces = {cell: (0, 1) for cell in around if min(cell) >= 0}
    return {**pieces, center: (1, piece), (5, 5): (1, 1)}


@pytest.mark.modes
def test_M15_absorb():
    table = Table(pieces=surrounded((2, 2), 2), tiles={(2, 2): 3})
    table.play("absorb")
    assert table.piece((2, 2)) == (0, 1)
    assert table.s.reserve.tolist() == [7, 11]


@pytest.mark.modes
@pytest.mark.parametrize(
    ("center", "options", "mycelium", "legal"),
    [
        ((2, 2), {}, False, True),
        ((2, 2), {}, True, False),
        ((2, 2), {"absorb_mycelium": True}, True, True),
        ((0, 2), {}, False, False),
        ((0, 2), {"absorb_edges": True}, False, True),
        ((0, 0), {"absorb_edges": True}, False, True),
        ((0, 0), {"absorb_edges": True}, True, False),
        ((0, 0), {"absorb_edges": True, "absorb_mycelium": True}, True, True),
    ],
)
def test_M15_options(center, options, mycelium, legal):
    pieces = surrounded(center)
    if mycelium:
        pieces[center[0] + 1, center[1]] = (0, M)
    assert ("absorb" in Table(pieces=pieces, **options).legal()) == legal


@pytest.mark.modes
def test_M15_not_a_protected_cell_and_not_without_reserve():
    table = Table(pieces=surrounded((2, 2)))
    table.s.protected_until[table.at((2, 2))] = 99
    assert "absorb" not in table.legal()
    table = Table(pieces=surrounded((2, 2)), spores=4)
    assert table.s.reserve[0] == 0 and "absorb" not in table.legal()


DISPUTE = {  # around (2, 2): own spore 3, own mycelium 1, rival spore 2, empty 3
    "pieces": {(2, 2): (1, 2), (1, 2): (0, 1), (2, 1): (0, M), (2, 3): (1, 1), (5, 5): (1, 1)},
    "tiles": {(2, 2): 2, (1, 2): 3, (2, 1): 1, (2, 3): 2, (3, 2): 3},
}


@pytest.mark.modes
def test_M16_the_attacker_is_stronger():
    table = Table(**DISPUTE)
    reserve = table.s.reserve.tolist()
    table.play("sow", (2, 2))  # 4 against 2
    assert table.piece((2, 2)) == (0, 1)
    assert table.s.reserve.tolist() == [reserve[0] - 1, reserve[1] + 2]
    assert table.tile((2, 2)) == 2


@pytest.mark.modes
def test_M16_the_defender_is_stronger():
    table = Table(**DISPUTE)
    table.s.fertility[table.at((1, 2))] = 0
    table.recount()
    before = table.s.reserve.tolist()
    table.play("sow", (2, 2))  # 1 against 2
    assert table.piece((2, 2)) == (1, 2)
    assert table.s.reserve.tolist() == before and table.s.actions_left == 1


@pytest.mark.modes
def test_M16_M18_equal_and_blocked_for_two_laps():
    """Four players, set by place 1 in season 4 (stamp 13): blocked while the stamp is below 21."""
    pieces = {(2, 2): (2, 2), (1, 2): (1, 1), (2, 3): (2, 1), (7, 7): (0, 1), (7, 0): (3, 1)}
    table = Table(4, pieces=pieces, tiles={(2, 2): 2, (1, 2): 3, (2, 3): 3})
    table.s.season, table.s.player = 4, 1
    before = table.s.reserve.tolist()
    table.play("sow", (2, 2))  # 3 against 3
    cell = table.at((2, 2))
    assert table.piece((2, 2)) is None and table.tile((2, 2)) == 1
    assert table.s.reserve.tolist() == [before[0], before[1], before[2] + 2, before[3]]
    assert table.s.blocked_until[cell] == 21
    seen = []
    for _ in range(8):
        table.skip()
        seen.append((int(table.s.season), int(table.s.player), int(table.s.blocked_until[cell]) > 0))
        assert table.seen().public.blocked[0, 2, 2] == 8 - len(seen)
    assert seen[-2:] == [(6, 0, True), (6, 1, False)]


@pytest.mark.modes
def test_M16_fertility_does_not_fall_below_zero():
    pieces = {(2, 2): (1, 1), (2, 1): (0, 1), (2, 3): (1, 1)}
    table = Table(pieces=pieces, tiles={(2, 2): 0}).play("sow", (2, 2))
    assert table.piece((2, 2)) is None and table.tile((2, 2)) == 0


@pytest.mark.modes
def test_M16_dispute_includes_cell():
    table = Table(**DISPUTE, dispute_includes_cell=True).play("sow", (2, 2))  # 4 against 2 + 2
    assert table.piece((2, 2)) is None and table.tile((2, 2)) == 1


@pytest.mark.modes
@pytest.mark.parametrize("equal", [False, True])
def test_M17_captured_spores_leave_the_game(equal):
    table = Table(**DISPUTE, captured="removed")
    if equal:
        table.s.fertility[table.at((1, 2))] = 1
        table.recount()
    before = table.s.reserve.astype(int)
    table.play("sow", (2, 2))
    assert (table.s.reserve - before).tolist() == [-1, 0]
    assert table.piece((2, 2)) == (None if equal else (0, 1))


@pytest.mark.modes
def test_M18_timers_pass_over_an_eliminated_seat():
    """Set by place 2 of three in season 1 (stamp 2) for two seasons: over when place 2 begins season 3, stamp 8."""
    pieces = {(0, 0): (0, 2), (6, 6): (2, 2)}
    table = Table(3, pieces=pieces, hands={2: ["puffball"]})
    table.s.eliminated[1] = 1
    table.s.player = 2
    table.play("play puffball")
    assert table.s.protected_until[table.at((6, 6))] == 8
    turns = []
    for _ in range(4):
        table.skip()
        turns.append((int(table.s.season), int(table.s.player), bool(table.s.protected_until[table.at((6, 6))])))
    assert turns == [(2, 0, True), (2, 2, True), (3, 0, True), (3, 2, False)]


# --- Cards --------------------------------------------------------------------------------------------------


@pytest.mark.modes
@pytest.mark.parametrize(("card", "points"), [("agaric", 3), ("strengthened agaric", 4)])
def test_M20_agaric(card, points):
    table = Table(pieces={(0, 0): (0, 1), (5, 5): (1, 1)}, hands={0: [card]}).play(f"play {card}")
    assert table.s.actions_left == points and table.s.player == 0
    assert table.s.used.sum() == 1 and not table.s.hand.any()  # M25


@pytest.mark.modes
def test_M20_agaric_when_the_points_are_used_up():
    table = Table(pieces={(0, 0): (0, 1), (5, 5): (1, 1)}, hands={0: ["agaric"]})
    table.play("sow", (0, 1), "sow", (1, 0))
    assert table.legal() == {"play agaric", "end turn"}
    assert table.play("play agaric").s.actions_left == 1


@pytest.mark.modes
@pytest.mark.parametrize(("card", "steps"), [("morel", 2), ("strengthened morel", 3)])
@pytest.mark.parametrize("move_tiles", ["swap", "stack"])
def test_M21_morel(card, steps, move_tiles):
    pieces = {(2, 2): (0, 1), (2, 3): (1, M), (2, 4): (1, 1) if steps == 3 else (0, 2), (5, 5): (1, 1)}
    if steps == 2:
        del pieces[2, 4]
    table = Table(pieces=pieces, tiles={(2, 2): 2}, hands={0: [card, "agaric"]}, move_tiles=move_tiles)
    table.play(f"play {card}")
    expected = {"north", "east", "south", "west"} if steps == 2 else {"east", "south"}
    assert table.legal() == expected
    table.play("east")
    target = (2, 2 + steps)
    assert table.piece(target) == (0, 1) and table.piece((2, 2)) is None
    assert (table.tile((2, 2)), table.tile(target)) == ((1, 2) if move_tiles == "swap" else (0, 3))
    assert table.s.actions_left == 2


@pytest.mark.modes
def test_M22_polypore():
    pieces = {(0, 0): (0, 1), (2, 2): (1, 2), (3, 3): (1, M), (4, 4): (1, 1), (5, 5): (1, 3)}
    table = Table(pieces=pieces, hands={0: ["polypore"]})
    table.s.protected_until[table.at((5, 5))] = 99
    table.play("play polypore")
    assert table.cells() == {(2, 2), (4, 4)}
    table.play((2, 2))
    assert table.piece((2, 2)) == (1, 1) and table.s.reserve[1] == 7 and table.s.actions_left == 2


@pytest.mark.modes
def test_M22_strengthened_polypore_takes_a_second_spore():
    pieces = {(0, 0): (0, 1), (2, 2): (1, 2), (4, 4): (1, 1), (5, 5): (1, M)}
    table = Table(pieces=pieces, hands={0: ["strengthened polypore"]}).play("play strengthened polypore", (2, 2))
    assert table.seen().public.phase.tolist() == [0, 0, 0, 1, 0]
    assert table.cells() == {(2, 2), (4, 4)}
    table.play((2, 2))
    assert table.piece((2, 2)) is None and table.s.reserve[1] == 11


@pytest.mark.modes
def test_M22_the_second_spore_lapses_if_there_is_none():
    pieces = {(0, 0): (0, 2), (2, 2): (1, 1), (5, 5): (1, M)}
    table = Table(pieces=pieces, hands={0: ["strengthened polypore"]}).play("play strengthened polypore")
    assert table.piece((2, 2)) is None and table.s.player == 0
    assert table.cells() == {(0, 0), (0, 1), (1, 0)}  # sowing was the only verb, and is chosen already


@pytest.mark.modes
@pytest.mark.parametrize(("card", "seasons"), [("puffball", 2), ("strengthened puffball", 3)])
def test_M23_puffball(card, seasons):
    pieces = {(2, 2): (0, 1), (0, 0): (0, M), (2, 3): (1, 1), (5, 5): (1, 1)}
    table = Table(pieces=pieces, hands={0: [card], 1: ["polypore", "strengthened morel"]})
    table.play(f"play {card}")
    assert table.cells() == {(2, 2), (0, 0)}
    table.play((2, 2))
    assert table.s.protected_until[table.at((2, 2))] == 2 * seasons
    assert table.seen().public.protected[0, 2, 2] == 2 * seasons
    table.skip()
    assert "play polypore" not in table.legal() and "destroy with strengthened morel" in table.legal()
    assert (2, 2) not in table.play("sow").cells()


@pytest.mark.modes
def test_M23_lapses_when_the_cell_is_vacated_but_not_with_mycelium():
    table = Table(pieces={(2, 2): (0, 1), (0, 0): (0, 3), (5, 5): (1, 1)})
    table.s.protected_until[[table.at((2, 2)), table.at((0, 0))]] = 99
    table.play("move", "north", "grow mycelium")
    assert table.s.protected_until[table.at((2, 2))] == 0
    assert table.s.protected_until[table.at((0, 0))] == 99


@pytest.mark.modes
def test_M23_a_shorter_protection_does_not_cut_a_longer():
    table = Table(pieces={(2, 2): (0, 1), (5, 5): (1, 1)}, hands={0: ["strengthened puffball", "puffball"]})
    table.play("play strengthened puffball", "play puffball")
    assert table.s.protected_until[table.at((2, 2))] == 6


@pytest.mark.modes
@pytest.mark.parametrize("family", ["agaric", "morel", "polypore", "puffball"])
def test_M24_destroy_with_a_strengthened_card(family):
    pieces = {(2, 2): (0, 2), (0, 0): (1, M), (4, 4): (1, M), (5, 5): (1, 1)}
    table = Table(pieces=pieces, tiles={(4, 4): 3}, hands={0: [f"strengthened {family}", family]})
    table.s.protected_until[table.at((0, 0))] = 99
    table.play(f"destroy with strengthened {family}")
    assert table.piece((4, 4)) is None and table.tile((4, 4)) == 2
    assert table.piece((0, 0)) == (1, M)
    assert table.s.hand[0].sum() == 1 and table.s.used[cards.STRONG + cards.KIND_NAMES.index(family)] == 1


@pytest.mark.modes
def test_M24_destroy_with_three_ordinary_cards():
    pieces = {(2, 2): (0, 2), (0, 0): (1, M), (4, 4): (1, M), (5, 5): (1, 1)}
    table = Table(pieces=pieces, tiles={(0, 0): 0}, hands={0: ["agaric", "agaric", "morel"]})
    table.play("destroy with three ordinary cards", (0, 0))
    assert table.piece((0, 0)) is None and table.tile((0, 0)) == 0
    assert not table.s.hand.any() and table.s.used.sum() == 3
    for hand in (["agaric", "agaric"], ["agaric", "agaric", "strengthened morel"]):
        assert "destroy with three ordinary cards" not in Table(pieces=pieces, hands={0: hand}).legal()


# --- Seasons and end ----------------------------------------------------------------------------------------


def before_growth(**options):
    """Season 3, the last place is about to move; two cells of seat 1 and one of seat 0 have fertility 3."""
    pieces = {(0, 0): (1, 1), (3, 3): (1, M), (5, 0): (0, 2)}
    table = Table(pieces=pieces, tiles={(0, 0): 3, (3, 3): 3, (5, 0): 3, (1, 1): 3}, **options)
    table.s.season, table.s.player = 3, 1
    return table


@pytest.mark.modes
def test_M30_growth_in_the_order_of_places_by_ascending_cell():
    table = before_growth()
    table.skip()
    assert table.s.player == 0 and table.seen().public.phase.tolist() == [0, 0, 0, 0, 1]
    assert table.seen().public.chosen[0, 5, 0] == 1
    assert table.legal() == {"north", "east"}
    table.play("north")
    assert table.tile((4, 0)) == 2 and table.s.player == 1
    table.play("east")  # from (0, 0)
    assert table.tile((0, 1)) == 2 and table.s.season == 3
    table.play("west")
    assert table.tile((3, 2)) == 2
    assert table.s.season == 4 and table.s.player == 0
    assert not table.s.ripe.any()


@pytest.mark.modes
def test_M30_one_neighbour_is_not_asked_for_and_none_is_skipped():
    tiles = dict.fromkeys(itertools.product(range(6), range(6)), 3)
    tiles[1, 0] = 1
    table = Table(pieces={(0, 0): (0, 2), (5, 5): (1, 2)}, tiles=tiles)
    table.s.season, table.s.player = 3, 1
    table.play("sow", (5, 5)).play("grow mycelium")
    assert table.tile((1, 0)) == 2
    assert table.s.season == 4


@pytest.mark.modes
def test_M30_a_cell_that_becomes_three_during_the_growth_does_not_give():
    table = Table(pieces={(0, 0): (0, 2), (0, 1): (0, M), (5, 5): (1, 2)}, tiles={(0, 0): 3, (0, 1): 2})
    table.s.season, table.s.player = 3, 1
    table.skip()
    table.play("east")
    assert table.tile((0, 1)) == 3 and table.s.season == 4


@pytest.mark.modes
@pytest.mark.parametrize("season", [1, 2, 4, 5])
def test_M30_the_forest_grows_after_every_third_season_only(season):
    table = before_growth()
    table.s.season = season
    table.skip()
    assert table.s.season == season + 1 and table.seen().public.phase.tolist() == [1, 0, 0, 0, 0]


@pytest.mark.modes
def test_M30_the_game_ends_after_the_growth_of_the_last_season():
    table = before_growth(seasons=3)
    table.skip()
    assert not table.s.over
    table.play("north", "east", "west")
    assert table.s.over and table.seen().public.seasons_left == 0
    assert table.s.score.tolist() == [1, 3]
    assert table.batch.returns[0].tolist() == [-1, 1]


@pytest.mark.modes
def test_M31_elimination():
    pieces = {(2, 2): (1, 1), (2, 1): (0, 1), (6, 6): (2, 1)}
    table = Table(3, pieces=pieces, hands={1: ["morel", "agaric"]})
    table.play("sow", (2, 2))
    assert table.s.eliminated.tolist() == [0, 1, 0] and not table.s.over
    assert not table.s.hand[1].any()
    assert table.s.lost.tolist() == [1, 1, 0, 0, 0, 0, 0, 0]
    assert table.s.score[1] == 0 and table.s.reserve[1] == 12
    table.play("sow", (2, 2))
    assert table.s.player == 2


@pytest.mark.modes
@pytest.mark.parametrize("reward", ["win", "score"])
def test_M31_a_sole_survivor_wins_at_once(reward):
    table = Table(pieces={(2, 2): (1, 1), (2, 1): (0, 1)}, hands={1: ["morel"]}, reward=reward)
    table.play("sow", (2, 2))
    assert table.s.over and table.s.score.tolist() == [2, 0]
    assert table.batch.returns[0].tolist() == ([1, -1] if reward == "win" else [2 / 16, -2 / 16])


@pytest.mark.modes
def test_M32_worked_example_of_the_score():
    """7 spore cells, 3 mycelia, 2 cards, fertility 23: 17 points."""
    cells = list(itertools.product(range(2), range(5)))
    pieces = {cell: (0, 1 + i % 2 if i < 7 else M) for i, cell in enumerate(cells)} | {(5, 5): (1, 1)}
    tiles = {cell: 3 if i < 6 else 2 if i == 6 else 1 for i, cell in enumerate(cells)}
    table = Table(pieces=pieces, tiles=tiles, hands={0: ["agaric", "morel"]})
    assert table.s.soil[0] == 23
    assert table.s.score.tolist() == [17, 1]


@pytest.mark.modes
def test_M32_ties_share_the_win():
    pieces = {(0, 0): (0, 1), (3, 3): (1, 1), (6, 6): (2, 2)}
    table = Table(3, pieces=pieces, seasons=1, hands={0: ["agaric"], 1: ["agaric"]})
    table.s.player = 2
    table.skip()
    assert table.s.over and table.s.score.tolist() == [2, 2, 1]
    assert table.batch.returns[0].tolist() == [0.25, 0.25, -0.5]


@pytest.mark.modes
def test_the_trap_of_the_rules():
    """Reserve empty, lone spores only: moves alone remain."""
    table = Table(pieces={(0, 0): (0, 1), (3, 3): (0, 1), (5, 5): (1, 1)}, spores=2)
    assert table.s.reserve[0] == 0
    assert table.legal() == {"move"}
    assert table.play("move").cells() == {(0, 0), (3, 3)}


# --- Who knows what -----------------------------------------------------------------------------------------


@pytest.mark.modes
def test_M40_what_is_hidden_does_not_show():
    table = Table(3, pieces={(0, 0): (0, 1), (3, 3): (1, 1), (6, 6): (2, 1)}, hands={1: ["morel", "agaric"]})
    before = [table.batch.observe(seat).copy() for seat in range(3)]
    words = [table.game.text(table.s, seat) for seat in range(3)]
    table.give({1: ["strengthened puffball", "polypore"]})
    for seat in (0, 2):
        assert (table.batch.observe(seat) == before[seat]).all()
        assert table.game.text(table.s, seat) == words[seat]
    assert (table.batch.observe(1) != before[1]).any()
    assert "strengthened puffball" in table.game.text(table.s, 1)


def test_M40_determinize_draws_every_arrangement_equally_often():
    """Against full enumeration of a tiny pack: four cards unseen, two in a rival's hand, one in another's, one left."""
    table = Table(3, pieces={(0, 0): (0, 1), (3, 3): (1, 1), (6, 6): (2, 1)})
    unseen = [0, 0, 1, 6]
    table.s.used[:] = cards.BOX - np.bincount(unseen, minlength=8)
    table.s.hand[1, [0, 1]] = 1
    table.s.hand[2, 0] = 1
    table.s.deck[:], table.s.deck_left = 0, 1
    table.s.deck[0] = 6
    expected = collections.Counter()
    for a, b, c, d in itertools.permutations(unseen):
        expected[tuple(sorted((a, b))), c, d] += 1
    many = np.repeat(table.batch.states, 24_000).view(np.recarray)
    table.batch._kernels.determinize_rows(many, np.zeros(len(many), np.int64), np.arange(len(many), dtype=np.uint64))
    found = collections.Counter()
    for s in many:
        hands = [tuple(np.repeat(np.arange(8), s.hand[seat]).tolist()) for seat in (1, 2)]
        found[hands[0], hands[1][0], int(s.deck[0])] += 1
    assert found.keys() == expected.keys()
    for key, count in expected.items():
        assert abs(found[key] - 1000 * count) < 6 * np.sqrt(1000 * count), key


# --- Actions ------------------------------------------------------------------------------------------------


@pytest.mark.modes
def test_actions_are_named_in_the_order_of_the_rules():
    game = make("mushroom_kingdom")
    names = [game.action_name(a) for a in range(game.num_actions)]
    assert VERBS == 19 and names[0] == "sow" and names[18] == "end turn"
    assert names[5:9] == ["play morel", "play polypore", "play puffball", "play agaric"]
    assert names[9] == "play strengthened morel" and names[17] == "destroy with three ordinary cards"
    assert names[CELL + 3] == "cell 0,3" and names[-4:] == ["north", "east", "south", "west"]


@pytest.mark.modes
def test_planes_are_a_view_of_the_observation():
    game = make("mushroom_kingdom", num_players=3, board_size=5)
    batch = Batch(game, 2)
    obs = batch.observe()
    planes = observation.board_planes(game, obs)
    assert planes.shape == (2, 10, 5, 5) and planes.base is not None and len(observation.plane_names(game)) == 10
    fields = batch.fields(obs).public
    assert (planes[:, 0] == fields.fertility[:, 0]).all()
    assert (planes[:, 1:4] == fields.spores).all()
    assert (planes[:, 9] == fields.chosen[:, 0]).all()
    assert observation.plane_names(game)[1:3] == ["spores of seat 0", "spores of seat 1"]
