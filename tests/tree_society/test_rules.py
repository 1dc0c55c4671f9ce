"""Tree Society, rule by rule, on positions built by assignment. Numbers are those of RULES.md."""

import numpy as np
import pytest

import boardgames_env
from boardgames_env.batch import Batch
from boardgames_env.tree_society import cards, rules
from boardgames_env.tree_society.cards import BUILT_IN, GUILDS
from tests.tree_society.position import PLACES, Position

pytestmark = pytest.mark.modes


def builder(*placed, coins=99, **options):
    """Player 0 builds, with these cards in progress, a full market of writers without effects, and coins."""
    position = Position(**options).building().purse(coins).progress(0, *placed)
    return position


# --- Set-up -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_S1_S3_S4_S5_set_up(players):
    batch = Batch(boardgames_env.make("tree_society", players), 64, seed=3)
    for s in batch.states:
        assert s.kinds.sum() == players + 1
        assert s.fruit_market.sum() == 3
        assert (s.fruits.sum(axis=1) == [3] * players + [0] * (4 - players)).all()
        assert s.fruit_left == 15 * (players + 1) - 3 - 3 * players
        assert (s.market >= 0).all() and s.deck_left == 48 - 6
        assert (s.purse[:players] == 2).all() and (s.chest == 0).all()
        assert s.phase == rules.SELLING
    assert set(batch.states.player) == set(range(players))


def test_S1_five_of_fifteen_carry_a_leaf():
    assert cards.FRUIT_COPIES.tolist() == [10, 5] * 5


def test_S2_four_guilds_at_random():
    batch = Batch(boardgames_env.make("tree_society"), 600, seed=1)
    assert (batch.states.in_play.sum(axis=1) == 4).all()
    sets, counts = np.unique(batch.states.in_play, axis=0, return_counts=True)
    assert len(sets) == 15
    assert ((counts - 40) ** 2 / 40).sum() < 36  # chi-square with 14 degrees of freedom, p = 0.001


def test_S2_guilds_by_name():
    chosen = ("writers", "bankers", "explorers", "botanists")
    s = Batch(boardgames_env.make("tree_society", guilds=chosen), 1).states[0]
    assert {GUILDS[i] for i in np.flatnonzero(s.in_play)} == set(chosen)
    lies = [*s.market, *s.deck[: s.deck_left]]
    assert {BUILT_IN[card].guild for card in lies} == set(chosen)
    assert all(lies.count(card) == 2 for card in set(lies)) and len(lies) == 48


def test_S3_fruit_kinds_at_random():
    batch = Batch(boardgames_env.make("tree_society", 2), 600, seed=2)
    sets, counts = np.unique(batch.states.kinds, axis=0, return_counts=True)
    assert len(sets) == 10
    assert ((counts - 60) ** 2 / 60).sum() < 28  # 9 degrees of freedom, p = 0.001


def test_S5_start_coins():
    assert Batch(boardgames_env.make("tree_society", 3, start_coins=7), 1).states.purse[0].tolist() == [7, 7, 7, 0]
    by_seat = boardgames_env.make("tree_society", 3, start_coins=(1, 2, 3))
    assert Batch(by_seat, 1).states.purse[0].tolist() == [1, 2, 3, 0]


# --- Sell ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sold", "mine", "theirs", "market", "count_market", "coins"),
    [
        ("apple", ["apple"], [], [], False, 1),
        ("apple", ["apple", "apple"], ["apple"], ["apple"], False, 3),
        ("apple", ["apple", "apple with leaf"], ["apple with leaf"], [], False, 3),
        ("apple with leaf", ["apple", "apple with leaf"], ["apple"], [], False, 4),
        ("apple", ["apple", "grape"], ["grape", "cherry"], [], False, 1),
        ("apple", ["apple"], ["apple"], ["apple", "apple with leaf", "grape"], True, 4),
    ],
)
def test_S6_S7_income(sold, mine, theirs, market, count_market, coins):
    p = Position(count_market=count_market).fruits(0, *mine).fruits(1, *theirs).fruit_market(*market)
    assert p.sees()["income"][cards.FRUIT_NAMES.index(sold)] == coins
    p.do(f"sell {sold}")
    assert p.s.purse[0] == coins
    assert len(p.fruits_of(0)) == len(mine) - 1
    assert p.s.sold[0].sum() == 1


def test_S6_one_must_sell_and_only_what_one_has():
    p = Position().fruits(0, "apple", "grape with leaf").fruits(1, "cherry")
    assert p.legal() == {"sell apple", "sell grape with leaf"}


def test_S6_fruits_sold_before_do_not_count():
    p = Position().fruits(0, "cherry", "cherry", "cherry").do("sell cherry")
    assert p.s.purse[0] == 3
    p.do("use fruit action", "sell cherry")
    assert p.s.purse[0] == 3 + 2


def test_S8_apple():
    p = Position().fruits(0, "apple").do("sell apple", "use fruit action")
    assert (p.s.purse[0], p.s.chest[0]) == (1, 2)
    assert "use fruit action" not in p.legal()


def test_S8_cherry_sells_one_more_whose_action_is_not_used():
    p = Position().fruits(0, "cherry", "apple with leaf").do("sell cherry", "use fruit action")
    assert p.legal() == {"sell apple with leaf"}
    p.do("sell apple with leaf")
    assert p.s.purse[0] == 1 + 2
    assert "use fruit action" not in p.legal()


def test_S8_grape():
    p = Position().fruits(0, "grape").market(top_1="W1").purse(0).do("sell grape")
    assert "buy top 1" not in p.legal()
    p.do("use fruit action", "buy top 1")
    assert p.s.purse[0] == 0


def test_S8_blueberry():
    p = Position().fruits(0, "blueberry").fruit_market("grape", "cherry").fruit_deck("orange", "apple")
    p.do("sell blueberry", "use fruit action")
    assert p.legal() == {"take grape", "take cherry"}
    p.do("take cherry")
    assert p.fruits_of(0) == ["cherry"]
    assert p.fruit_market_now() == ["grape", "orange"]
    assert p.s.phase == rules.BUILDING


def test_S8_orange():
    p = Position().fruits(0, "orange").market(top_1="W1", top_2="W2", bottom_2="W3").deck("A1", "A2", "A3", "A4", "A5")
    p.do("sell orange", "use fruit action")
    assert p.legal() == {"clear top 1", "clear top 2", "clear bottom 2", "done clearing"}
    p.do("clear bottom 2")
    assert p.market_now() == ["W1", "W2", None, None, None, None]
    p.do("clear top 1", "done clearing")
    assert p.market_now() == ["A3", "A4", "A5", "A1", "W2", "A2"]
    assert p.discarded() == ["W1", "W3"]


def test_S8_orange_without_a_discard_does_not_refill_the_market():
    p = Position().fruits(0, "orange").market(top_1="W1").deck("A1").do("sell orange", "use fruit action")
    p.do("done clearing")
    assert p.market_now() == ["W1", None, None, None, None, None]


def test_S8_orange_may_discard_the_whole_market():
    p = Position().fruits(0, "orange").market(top_1="W1", top_2="W2").deck("A1").do("sell orange", "use fruit action")
    p.do("clear top 1", "clear top 2")
    assert p.legal() == {"done clearing"} and p.sees()["cleared"] == 2
    p.do("done clearing")
    assert sorted(filter(None, p.market_now())) == ["A1", "W1", "W2"], (
        "the discards are shuffled when the deck is empty"
    )


@pytest.mark.parametrize("fruit", ["cherry", "blueberry", "orange"])
def test_S8_an_action_that_can_do_nothing_is_not_offered(fruit):
    p = Position().fruits(0, fruit).fruit_market().do(f"sell {fruit}")
    assert "use fruit action" not in p.legal()
    assert p.sees()["fruit_action"].sum() == 0


def test_S8_clearing_is_not_usable_while_a_card_has_emptied_the_market():
    p = Position().fruits(0, "orange").purse(9).market(top_1="E1", top_2="W1").deck("A1").do("sell orange")
    p.do("buy top 1")  # E1 opens RF
    assert p.sees()["fruit_action"].tolist() == [0, 0, 0, 0, 1]
    p.do("clear top 2")
    assert p.legal() == {"done clearing"} and p.sees()["fruit_action"].sum() == 0
    p.do("done clearing")
    assert "use fruit action" in p.legal() and p.sees()["fruit_action"].tolist() == [0, 0, 0, 0, 1]


def test_S8_is_optional_lapses_and_waits_until_the_end_of_phase_2():
    p = Position().fruits(0, "apple").purse(9).market(top_1="W1").do("sell apple", "buy top 1", "raise card 1")
    assert "use fruit action" in p.legal()
    p.do("end build")
    assert p.s.fruit_action == 0


# --- Build --------------------------------------------------------------------------------------------------


def test_S9_buy():
    p = builder(coins=6).market(top_1="W1", bottom_3="W3").deck("A1").do("buy bottom 3")
    assert p.cards_of(0) == [("W3", 1)] and p.s.purse[0] == 1
    assert p.market_now()[5] is None, "the market is refilled in phase 3 only"
    assert "buy top 1" not in p.legal(), "it costs 3"


def test_S9_needs_a_free_marker():
    p = builder(("A5", 1), ("B5", 1), ("W1", 1)).market(top_1="W2")
    assert "buy top 1" not in p.legal()
    p.do("discard card 2", "buy top 1")
    assert p.cards_of(0) == [("A5", 1), ("W2", 1), ("W1", 1)]


def test_S9_at_most_twelve_purchases_a_turn():
    p = builder().market(top_1="W1")
    p.s.buys = rules.MOST_BUYS - 1
    p.do("buy top 1").market(top_1="W1")
    assert "buy top 1" not in p.legal()


def test_S10_raise_and_complete():
    p = builder(("W1", 1), coins=11)
    p.do("raise card 1")
    assert p.cards_of(0) == [("W1", 2)] and p.s.purse[0] == 6
    p.do("raise card 1")
    assert p.cards_of(0) == [] and p.s.purse[0] == 0
    assert p.completed_of(0) == ["W1"] and p.s.banners[0] == 1


def test_S11_lasting_effects_of_a_level_end_when_the_marker_leaves_it():
    p = builder(("M5", 1)).fruits(0, "cherry", "cherry").fruits(1, "cherry")
    assert p.s.lasting[0, cards.SALE] == 0
    p.do("raise card 1")
    assert p.s.lasting[0, cards.SALE] == 1
    p.do("raise card 1")
    assert p.s.lasting[0, cards.SALE] == 1, "level 3 lasts for the rest of the game"
    p = builder(("M2", 2)).do("raise card 1")
    assert p.s.lasting[0, cards.SALE] == 0
    p = builder(("M2", 2)).do("discard card 1")
    assert p.s.lasting[0, cards.SALE] == 0


def test_S11_an_effect_with_a_choice_may_be_declined():
    p = builder(("T1", 1)).fruit_market("grape").fruits(0).do("raise card 1")
    assert p.legal() == {"take grape", "decline"}
    p.do("decline")
    assert p.fruits_of(0) == [] and "end build" in p.legal()


def test_S11_effects_are_carried_out_in_the_order_printed_and_nested_ones_first():
    small = [
        ("one", "writers", 1, (0, 0, 0), (0, 0, 0), "ADV<=5, F", "", "", 6),
        ("two", "writers", 1, (0, 5, 5), (0, 0, 0), "", "S, C+1", "", 6),
    ]
    p = builder(("two", 1), card_set=small).market(top_1="one").fruits(0, "apple").fruit_market("grape")
    p.do("buy top 1")
    assert p.legal() == {"advance card 1", "decline"}
    assert p.sees()["pending"].tolist() == [1, 0, 0, 1, 0]
    p.do("advance card 1")
    assert p.legal() == {"sell apple", "decline"} and p.s.chest[0] == 0
    p.do("sell apple")
    assert p.legal() == {"take grape", "decline"} and p.s.chest[0] == 1
    p.do("take grape")
    assert "end build" in p.legal()


def test_S12_discard():
    p = builder(("W1", 2), ("A2", 1), coins=5).do("discard card 1")
    assert p.cards_of(0) == [("A2", 1)] and p.discarded() == ["W1"] and p.s.purse[0] == 5
    assert p.score() == 0


@pytest.mark.parametrize(
    ("cost", "minus", "half", "lasting", "first", "paid"),
    [
        (8, 0, False, 0, True, 8),
        (8, 3, False, 0, True, 5),  # discounts add up
        (8, 3, True, 0, True, 3),  # then half of 5, rounded up
        (8, 0, True, 0, True, 4),
        (9, 0, True, 0, True, 5),
        (8, 9, False, 0, True, 0),  # never below 0
        (8, 9, True, 0, True, 0),
        (8, 1, False, 1, True, 6),  # the first build is cheaper, too
        (8, 1, False, 1, False, 7),
        (8, 2, True, 1, True, 3),  # half of 5
        (8, 1, True, 1, True, 3),
    ],
)
def test_S13_discounts(cost, minus, half, lasting, first, paid):
    p = builder(("W2", 2), coins=20)  # its level 3 costs 8
    assert BUILT_IN[p.ids.index("W2")].costs[2] == 8
    if cost == 9:
        p = builder(("W6", 1), coins=20)
    p.s.discount, p.s.half, p.s.builds = minus, half, not first
    p.s.lasting[0, cards.FIRST_BUILD] = lasting
    assert p.sees()["raise_price"][0] == paid
    p.do("raise card 1")
    assert p.s.purse[0] == 20 - paid
    assert (p.s.discount, p.s.half) == (0, 0), "discounts are for one level"


def test_S13_level_1_discounts_are_for_purchases_only():
    p = builder(("A2", 1), ("W1", 1), coins=20).market(top_1="W3").do("buy top 1")
    assert p.s.purse[0] == 20 - 4
    p.do("raise card 2")
    assert p.s.purse[0] == 16 - 5


def test_S13_all_discounts_of_one_purchase_together():
    p = builder(("A2", 1), ("A4", 1), coins=20).market(top_1="W6")  # 6, less 1 for level 1, 1 for the first build
    p.s.discount, p.s.half = 1, 1
    p.do("buy top 1")
    assert p.s.purse[0] == 20 - 2  # half of 3, rounded up


def test_S13_a_free_level_neither_uses_discounts_nor_is_the_first_build():
    p = builder(("E4", 1), ("A1", 1), ("A4", 1), coins=20)
    p.do("raise card 1")  # 5, less 1
    p.s.discount, p.s.builds = 3, 0
    p.do("advance card 2")
    assert (p.s.discount, p.s.builds, p.s.purse[0]) == (3 + 2, 0, 16)  # A1 at level 2 gives 2 more


def test_S13_discounts_lapse_at_the_end_of_building():
    p = builder(("A1", 1)).fruit_market("apple").do("raise card 1")
    assert p.s.discount == 2
    p.do("end build")
    assert p.s.discount == 0


# --- Rest ---------------------------------------------------------------------------------------------------


def test_S14_take_a_fruit():
    p = Position().building().fruit_market("grape", "cherry with leaf", "cherry").fruit_deck("apple", "orange")
    p.do("end build")
    assert p.legal() == {"take grape", "take cherry", "take cherry with leaf"}
    p.fruits(0).do("take cherry with leaf")
    assert p.fruits_of(0) == ["cherry with leaf"]
    assert p.fruit_market_now() == ["apple", "cherry", "grape"]
    assert p.s.player == 1


@pytest.mark.parametrize(("purse", "chest", "keep", "after"), [(9, 0, 0, 2), (1, 4, 0, 5), (9, 4, 0, 6), (9, 4, 2, 8)])
def test_S14_purse_and_chest(purse, chest, keep, after):
    p = Position().building().purse(purse)
    p.s.chest[0], p.s.lasting[0, cards.KEEP] = chest, keep
    p.do("end build", "take apple")
    assert (p.s.purse[0], p.s.chest[0]) == (after, 0)


def test_S15_cards_slide_down_then_the_bottom_row_is_refilled_from_the_left():
    p = Position().building().market(top_1="W1", top_3="W3", bottom_2="W4", bottom_3="W5")
    p.deck("A1", "A2", "A3").do("end build", "take apple")
    #                         W1 fell into bottom 1; W3 lies above W5 and stays
    assert p.market_now() == ["A1", "A2", "W3", "W1", "W4", "W5"]
    assert p.s.deck_left == 1


def test_S15_an_empty_column_is_refilled_at_the_bottom_first():
    p = Position().building().market(top_1="W1", bottom_1="W4").deck("A1", "A2", "A3", "A4")
    p.do("end build", "take apple")
    assert p.market_now() == ["W1", "A3", "A4", "W4", "A1", "A2"]


def test_S15_the_discards_become_the_deck():
    p = Position().building().deck("A1").discards("W1", "W1", "W2").do("end build", "take apple")
    market = p.market_now()
    assert market[3] == "A1" and market[1:3] == [None, None]
    assert sorted([market[0], *market[4:]]) == ["W1", "W1", "W2"]
    assert p.discarded() == [] and p.s.deck_left == 0 and not p.s.deck.any()


def test_S15_without_any_card_places_stay_empty():
    p = Position().building().market(top_2="W1").do("end build", "take apple")
    assert p.market_now() == [None, None, None, None, "W1", None]


# --- End ----------------------------------------------------------------------------------------------------


def at_the_end(seat, *completed, turns, **options):
    """`seat` is to take its fruit, with these cards completed, after so many turns."""
    p = Position(**options).completed(seat, *completed).fruit_market("apple", "apple", "apple")
    for other in range(p.game.num_players):
        p.fruits(other, "apple")
    p.s.player, p.s.turns, p.s.phase = seat, turns, rules.RESTING
    return p


def test_S16_six_banners_end_the_game_after_the_round():
    p = at_the_end(0, "W6", "A6", turns=4).do("take apple")
    assert p.s.last_round and not p.s.over and p.s.player == 1
    p.do("sell apple", "end build", "take apple")
    assert p.s.over


def test_S16_at_once_if_the_round_is_over():
    p = at_the_end(1, "W6", "A6", turns=5).do("take apple")
    assert p.s.over


def test_S16_five_banners_do_not():
    p = at_the_end(1, "W6", "A3", turns=5).do("take apple")
    assert not p.s.over and not p.s.last_round


def test_S16_banners_count_at_the_end_of_the_turn():
    p = at_the_end(0, "W6", "A3", turns=4, finish_round=False).progress(0, ("W1", 2)).purse(9).building()
    p.do("raise card 1")
    assert p.s.banners[0] == 6 and not p.s.last_round
    p.do("end build", "take apple")
    assert p.s.over


def test_S16_option_finish_round_off():
    p = at_the_end(0, "W6", "A6", turns=4, finish_round=False).do("take apple")
    assert p.s.over


def test_S17_no_fruit_to_take():
    p = Position().fruits(0, "apple").fruits(1, "grape").fruit_market().purse(5).do("sell apple", "end build")
    assert p.s.last_round and p.s.player == 1 and p.s.purse[0] == 2, "the rest of phase 3 is played"
    p.do("sell grape", "end build")
    assert p.s.over


def test_S17_the_market_is_used_up_first():
    p = Position().fruits(1, "grape").fruit_market("apple").do("sell apple", "end build", "take apple")
    assert not p.s.last_round and p.s.player == 1


@pytest.mark.parametrize(
    ("completed", "progress", "points"),
    [
        ([], [], 0),
        (["W1"], [], 6),
        (["W1", "W6"], [], 20),
        (["W1"], [("W3", 1)], 6 + 2),
        ([], [("W3", 2), ("W6", 1)], 4 + 3),  # not cumulative
        (["A5"], [], 4 + 1),
        (["A5", "W1", "A5"], [], 4 + 3 + 6 + 4 + 3),  # each of two cards scores its effect
        (["W4"], [], 5 + 2),
        (["W4", "W1", "W2", "A1"], [], 5 + 6 + 6 + 6 + 3),
        (["W5"], [("B1", 2)], 6 + 1 + 1),  # guilds among completed cards only
        (["W5", "B1", "B2", "M1"], [], 6 + 3 + 3 + 3 + 3),
    ],
)
def test_S18_score(completed, progress, points):
    p = Position().completed(0, *completed).progress(0, *progress)
    assert p.score() == points
    assert p.sees()["score"][0] == points


@pytest.mark.parametrize(("coins", "points"), [(0, 0), (1, 0), (2, 1), (7, 3), (8, 4), (20, 4)])
def test_S18_end_coins(coins, points):
    assert Position().completed(0, "B5").purse(coins).score() == 5 + points


@pytest.mark.parametrize(("sold", "points"), [(0, 0), (3, 0), (4, 1), (11, 2), (20, 5)])
def test_S18_end_sold(sold, points):
    p = Position().completed(0, "M4")
    p.s.sold[0, :2] = sold - sold // 2, sold // 2
    assert p.score() == 4 + points


@pytest.mark.parametrize(("fruits", "points"), [(0, 0), (3, 3), (4, 4), (6, 4)])
def test_S18_end_fruit(fruits, points):
    assert Position().completed(0, "T4").fruits(0, *["grape"] * fruits).score() == 3 + points


@pytest.mark.parametrize(
    ("mine", "theirs", "coins", "returns"),
    [
        (["W1"], ["A1"], (0, 0), (1, -1)),  # 6 points to 3
        (["A1"], ["W1"], (9, 0), (-1, 1)),
        (["W1"], ["A1", "B1"], (0, 0), (-1, 1)),  # 6 each, two cards to one
        (["A1", "B1"], ["W1"], (0, 2), (1, -1)),
        (["W1"], ["W2"], (1, 0), (1, -1)),  # then coins
        (["W1"], ["W2"], (0, 1), (-1, 1)),
        (["W1"], ["W2"], (1, 1), (0, 0)),  # then shared
    ],
)
def test_S18_winner_and_ties(mine, theirs, coins, returns):
    p = at_the_end(1, *theirs, turns=5).completed(0, *mine).purse(*coins)
    p.s.last_round = 1
    p.do("take apple")
    assert p.s.over and tuple(p.s.returns[:2]) == returns


def test_S18_shared_by_two_of_three():
    p = at_the_end(2, "W1", turns=5, num_players=3).completed(0, "W2")
    p.s.last_round = 1
    p.do("take apple")
    assert p.s.returns[:3].tolist() == [0.25, -0.5, 0.25]


def test_S18_reward_score():
    p = Position(3, reward="score").building().purse(9).progress(0, ("W1", 1)).do("raise card 1")
    assert p.s.returns[:3].tolist() == [3 / 32, -1.5 / 32, -1.5 / 32]


def test_S19_without_fruit_phase_1_is_skipped():
    p = Position().building().fruits(1).do("end build", "take apple")
    assert p.s.player == 1 and "end build" in p.legal()
    assert "use fruit action" not in p.legal()


# --- Who knows what -----------------------------------------------------------------------------------------


def test_S20_both_decks_are_reshuffled_uniformly():
    p = Position().deck("A1", "A1", "W1", "W2").fruit_deck("apple", "apple", "grape", "apple with leaf")
    states = p.batch.turns().sample(4000, seed=5)
    for deck in ("deck", "fruit_deck"):
        orders, counts = np.unique(states[deck][:, :4], axis=0, return_counts=True)
        assert len(orders) == 12
        expected = 4000 / 12
        assert ((counts - expected) ** 2 / expected).sum() < 32  # 11 degrees of freedom, p = 0.001
        assert not states[deck][:, 4:].any()


def test_S20_everything_else_is_open():
    p = Position().progress(1, ("W1", 2)).completed(1, "A5").purse(3, 4).discards("B1").deck("A1", "A2")
    mine, theirs = p.sees(0), p.sees(1)
    assert mine["purse"].tolist() == [3, 4] and theirs["purse"].tolist() == [4, 3]
    assert mine["score"].tolist() == [0, 3 + 4 + 1]
    assert mine["progress_costs"][1, 0].tolist() == [3, 5, 6] and mine["level"][1, 0].tolist() == [0, 1]
    assert mine["discards"][p.ids.index("B1")] == 1
    assert np.flatnonzero(mine["deck"]).tolist() == [0, 1]
    assert mine["acting"].tolist() == [1, 0] and theirs["acting"].tolist() == [0, 1]


# --- What is summed up in the state -------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_sums_in_the_state_are_those_of_the_cards(players):
    from boardgames_agents import make_agent

    game = boardgames_env.make("tree_society", players)
    batch, agent = Batch(game, 6, seed=11), make_agent(game, "greedy")
    while not batch.over.all():
        actions = batch.sample()
        rows = np.flatnonzero(~batch.over)
        clever = rows[rows % 2 == 0]
        if len(clever):
            actions[clever] = agent.act(batch.turns(clever))
        batch.step(actions)
        for s in batch.states:
            _check_sums(s)


def _check_sums(s):
    for seat in range(s.num_players):
        completed = [BUILT_IN[card] for card in range(len(BUILT_IN)) for _ in range(s.completed[seat, card])]
        assert s.done[seat].tolist() == [sum(card.guild == guild for card in completed) for guild in GUILDS]
        assert s.banners[seat] == sum(card.banners for card in completed)
        assert s.points[seat] == sum(card.points[2] for card in completed)
        shown = [card.level_3 for card in completed]
        for card, level in zip(s.progress[seat], s.level[seat]):
            assert (card == rules.EMPTY) == (level == 0)
            if level:
                shown.append(BUILT_IN[card].effects[level - 1])
        for column, (notation, _) in enumerate(cards.LASTING_TABLE):
            name = notation[:-1]
            printed = [e[2:] for text in shown for e in text.split(", ") if e[:2] in ("w:", "p:")]
            assert s.lasting[seat, column] == sum(int(e[len(name) :]) for e in printed if e.startswith(name))
        for column, (notation, _) in enumerate(cards.END_TABLE):
            assert s.ends[seat, column] == sum(card.level_3 == notation for card in completed)


def test_places_are_named():
    names = list(boardgames_env.game.action_names(Position().game))
    assert [name.removeprefix("buy ") for name in names[rules.BUY : rules.RAISE]] == PLACES
