"""One test a numbered rule of RULES.md, on positions built by assignment."""

import numpy as np
import pytest

import boardgames_env
from boardgames_env import fafaru
from boardgames_env.batch import Batch
from boardgames_env.fafaru import cards, rules
from tests.fafaru.positions import Table

# K40. ma'a in play order, aito, before_fly, either, beginner, beginner with an idle gecko
PILES = [
    ("FLY LID", -4, -1, -4, -1, -1),
    ("LID FLY", -1, -4, -4, -1, -1),
    ("LID FLY LID", -3, -3, -4, 0, 0),
    ("FLY LID LID", -3, 0, -3, 0, 0),
    ("FLY FAA LID", -1, -1, -1, -1, -1),
    ("SUN ICE", 0, 0, 0, 1, 1),
    ("ICE SUN ICE", 0, 0, 0, 3, 3),
    ("SUN ICE TIKI", 5, 5, 5, 5, 5),
    ("TIKI TIKI FLY LID", 7, 7, 7, 7, 7),
    ("FLY MOO FLY", 0, 0, 0, 0, -4),
    ("FLY MOO MOO FLY", -4, -4, -4, 0, -4),
    ("FLY MOO MOO TIKI", 4, 4, 4, 4, 2),
    ("FLY MOO TIKI MOO FLY", 0, 0, 0, 4, 0),
    ("MOO FLY LID", 1, 1, 1, 1, -1),
    ("FLY LID MOO", -4, -1, -4, -1, -1),
]
SETTINGS = [
    {},
    {"lid_rule": "before_fly"},
    {"lid_rule": "either"},
    {"mode": "beginner"},
    {"mode": "beginner", "beginner_gecko_eats": False},
]


@pytest.mark.modes
@pytest.mark.parametrize("pile", PILES, ids=lambda pile: pile[0].replace(" ", "-"))
@pytest.mark.parametrize("column", range(5))
def test_K40_piles_of_the_table(pile, column):
    assert fafaru.count(pile[0], **SETTINGS[column]).total == pile[1 + column]


@pytest.mark.parametrize("column", range(5))
def test_K40_a_tasting_counts_as_the_public_function(column):
    for pile in PILES:
        table = Table(**SETTINGS[column]).maa(pile[0])
        table.s.phase, table.s.caller = rules.CALL, rules.NONE
        table.play("call Tama'a")
        while table.s.phase == rules.BET and not table.s.counted.any():
            table.play("fold")
        assert table.s.tasted == pile[1 + column], pile[0]


def test_K40_reasons():
    assert [c[1:] for c in fafaru.count("SUN ICE FAA FLY LID MOO").cards] == [
        (0, "cancelled"),
        (0, "cancelled"),
        (0, ""),
        (-4, "trapped"),
        (0, "trapping"),
        (0, ""),
    ]
    assert [c.reason for c in fafaru.count("MOO MOO FLY MOO FAA SUN TIKI").cards] == [
        *("fighting", "fighting", "eaten", "", "", "frozen", "")
    ]
    assert fafaru.count("MOO FLY LID", fly_between="trapped_first").total == -4
    assert fafaru.count([]) == (0, ())
    assert fafaru.count(["fly", cards.LID]).total == -4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"cards": ["PUAA"]}, "SUN, FLY"),
        ({"cards": [7]}, "got 7"),
        ({"cards": [True]}, "got True"),
        ({"cards": "FLY", "mode": "expert"}, "'aito' or 'beginner'"),
        ({"cards": "FLY", "lid_rule": "both"}, "lid_rule"),
        ({"cards": "FLY", "beginner_gecko_eats": 1}, "beginner_gecko_eats"),
    ],
)
def test_count_refuses(arguments, words):
    with pytest.raises(ValueError, match=words):
        fafaru.count(**arguments)


def test_K1_the_box():
    assert cards.SALADIER_CARDS == 81
    assert cards.DECK == 100
    assert cards.BOX[cards.SALADIER_KINDS :].sum() == 19


@pytest.mark.parametrize("n", range(3, 11))
@pytest.mark.parametrize("soyu", ["always", "never"])
def test_K2_roles(n, soyu):
    roles = Batch(boardgames_env.make("fafaru", n, soyu=soyu), 64).states.role[:, :n]
    fermented = {3: 1, 4: 2, 5: 2, 6: 3, 7: 3}.get(n, 4)
    assert ((roles != cards.FRESH).sum(axis=1) == fermented).all()
    assert ((roles == cards.SOYU).sum(axis=1) == (soyu == "always")).all()


@pytest.mark.parametrize(("mode", "deck"), [("aito", 100), ("beginner", 81)])
def test_K4_the_deal(mode, deck):
    table = Table(4, mode=mode)
    assert table.s.deck_left == deck - 3 * 4 - 1  # one is drawn
    assert (table.s.hand[:4].sum(axis=1) == 3).all()
    assert not table.s.pearls.any()


def test_K5_the_next_round_begins_after_who_ended_the_round():
    table = Table().hold(0, "FAA FAA FAA").hold(1, "FAA FAA FAA").stack("SUN SUN")
    table.play("accuse seat +3", "accuse seat +2")
    assert (table.s.rounds, table.s.player) == (2, 2)


def test_K6_a_new_round_keeps_hands_and_pearls_and_clears_the_rest():
    table = Table(roles="FFFMS").hold(0, "FAA SUN SUN").drawn("ICE").maa("FLY FLY").pearls(2, 1)
    table.s.accusations[3, 1] = table.s.crab[2] = table.s.centipede[2] = 1
    table.stack("SUN").play("accuse seat +3")
    assert table.s.rounds == 2
    assert table.held(0) == "SUN SUN ICE"
    assert table.s.pearls[:2].tolist() == [3, 2]
    assert not (table.s.accusations.any() or table.s.crab.any() or table.s.centipede.any() or table.s.maa_size)
    assert table.s.hidden[1, cards.FLY] == 2


def test_K7_tamaa_from_the_third_turn_on():
    table = Table(3).hold(1, "SUN SUN SUN").stack("ICE ICE")
    table.s.turns[1] = 1
    table.play("SUN as SUN" if table.s.hand[0, 0] else next(iter(table.legal() - {"accuse seat +1"})))
    assert table.s.phase == rules.PLAY  # the second turn
    table = Table(3)
    table.s.turns[1] = 2
    table.play(next(iter(table.legal())))
    assert table.legal() == {"draw", "call Tama'a"}


def test_K7_with_tamaa_min_turn_1_the_round_needs_a_turn_first():
    table = Table(3, tamaa_min_turn=1)
    assert table.s.phase == rules.PLAY  # the very first turn draws
    table.play(next(iter(table.legal())))
    assert table.legal() == {"draw", "call Tama'a"}


def test_K8_an_action_card_is_carried_out_and_ends_the_turn():
    table = Table(3).hold(0, "SUN SUN SUN").drawn("ICE").stack("TUPA ICE").play("SUN as LID")
    assert (table.s.player, table.s.phase) == (1, rules.CRAB)
    table.play("target seat +0")
    assert (table.s.player, table.s.phase, table.s.drawn) == (2, rules.PLAY, cards.ICE)
    assert table.s.out[cards.TUPA] == 1
    assert table.s.hand[1].sum() == 3


def test_K9_a_card_with_any_claim_or_an_accusation():
    table = Table(3).hold(0, "SUN SUN FAA").drawn("ICE")
    claims = [f"as {code}" for code in cards.CODES[:7]]
    expected = {f"{card} {claim}" for card in ("SUN", "FAA", "ICE") for claim in claims}
    assert table.legal() == expected | {"accuse seat +1", "accuse seat +2"}
    table.play("SUN as TIKI")
    assert table.lies() == "SUN"
    assert table.s.claim[0] == cards.TIKI
    assert table.held(0) == "SUN ICE FAA"


def test_K9_without_claims():
    table = Table(3, claims=False).hold(0, "SUN SUN FAA").drawn("ICE")
    assert table.legal() == {"SUN as SUN", "ICE as ICE", "FAA as FAA", "accuse seat +1", "accuse seat +2"}
    table.play("SUN as SUN")
    assert not table.sees(1).public.log_claim.any()
    assert not table.sees(1).public.claims_game.any()


def test_K10_draws_without_asking_when_there_is_no_choice():
    table = Table(3).hold(0, "SUN SUN SUN").drawn("SUN").stack("MOA PETEA ICE").play("SUN as SUN")
    assert (table.s.player, table.s.phase, table.s.drawn) == (0, rules.PLAY, cards.ICE)


def test_K11_the_last_card_is_played_then_a_final_tamaa_follows():
    table = Table(3, roles="FFS").hold(0, "SUN SUN SUN").drawn("ICE").keep("").play("ICE as ICE")
    assert (table.s.player, table.s.phase, table.s.caller) == (0, rules.BET, rules.NONE)  # K33
    table.play("follow", "fold", "follow")
    assert table.s.over
    assert table.s.pearls[:3].tolist() == [1, 0, 0]
    assert table.batch.returns[0].tolist() == pytest.approx([1, -0.5, -0.5])


def test_K12_the_pig():
    table = Table(3).hold(0, "SUN SUN SUN").drawn("SUN").maa("FLY MOO ICE LID", author=2).stack("PUAA FLY")
    table.play("SUN as SUN")
    assert table.sees(1).private.maa.argmax(axis=1)[:3].tolist() == [cards.SUN, cards.LID, cards.ICE]
    assert len(table.legal()) == 6
    table.play("order 2 3 1")
    assert table.lies() == "FLY MOO SUN ICE LID"
    for seat, known in ((0, 0), (1, 3), (2, 2)):
        assert table.sees(seat).private.maa.sum() == known
    assert table.sees(0).private.maa_mixed[cards.SUN] == 1
    assert table.sees(2).private.maa_mixed.sum() == 2
    assert table.sees(2).public.scrambled[:5].tolist() == [1, 1, 1, 0, 0]
    assert table.sees(0).private.log_card[0].argmax() == cards.SUN  # one's own play stays known


@pytest.mark.parametrize(("cards_before", "orders"), [("", 1), ("FLY", 2), ("FLY MOO", 6), ("FLY MOO ICE", 6)])
def test_K12_only_the_permutations_of_what_is_there(cards_before, orders):
    table = Table(3).hold(0, "SUN SUN SUN").drawn("SUN").maa(cards_before).stack("PUAA").play("SUN as SUN")
    assert len(table.legal()) == orders
    table.play("order 1 2 3")
    assert table.s.zones == (orders > 1)  # a single card cannot have moved


def test_K12_nothing_to_look_at():
    table = Table(3).hold(0, "FAA SUN SUN").drawn("SUN").stack("PUAA ICE").play("accuse seat +1")
    assert (table.s.player, table.s.phase) == (2, rules.PLAY)


def test_K13_the_rooster():
    orders = set()
    for seed in range(60):
        table = Table(3).hold(0, "SUN SUN SUN").drawn("SUN").maa("FLY MOO").stack("MOA ICE")
        table.s.rng = seed
        table.play("SUN as SUN")
        orders.add(table.lies())
    assert len(orders) == 6
    assert table.sees(1).private.maa.sum() == 0
    assert table.sees(1).private.maa_mixed.tolist() == [0, 1, 1, 0, 0, 0, 0]


def test_K14_crab_and_centipede():
    table = Table(3).hold(0, "SUN SUN SUN").hold(2, "FAA FAA SUN").drawn("SUN").stack("TUPA ICE")
    table.s.accusations[0, 1] = 1
    table.play("SUN as SUN", "target seat +2")
    assert table.s.crab[0] == 1
    assert table.s.accusations[0, 1] == 1
    assert "accuse seat +1" not in table.legal()
    assert "accuse seat +2" in table.legal()
    table = Table(3).hold(0, "SUN SUN SUN").hold(2, "FAA FAA SUN").drawn("SUN").stack("VERI ICE")
    table.play("SUN as SUN", "target seat +0")
    assert table.s.centipede[1] == 1
    assert "accuse seat +2" in table.legal()


def test_K15_the_tropicbird():
    table = Table(3).hold(0, "SUN SUN SUN").hold(1, "ICE ICE ICE").hold(2, "LID LID LID").drawn("MOO")
    table.stack("PETEA FLY").play("MOO as MOO")
    assert [table.held(seat) for seat in range(3)] == ["LID LID LID", "SUN SUN SUN", "ICE ICE ICE"]
    assert table.sees(1).private.given[0].tolist() == [0, 0, 0, 3, 0, 0, 0]
    assert table.sees(0).private.given[0].tolist() == [3, 0, 0, 0, 0, 0, 0]
    assert not table.sees(0).private.given[1].any()
    table.play("ICE as ICE")  # until it is played from
    assert not table.sees(1).private.given.any()


def test_K15_a_hand_that_goes_on_is_known_to_all_who_held_it():
    table = Table(4).hold(0, "SUN SUN SUN").hold(1, "ICE ICE ICE").drawn("MOO").stack("PETEA PETEA FLY")
    table.play("MOO as MOO")
    assert table.held(2) == "SUN SUN SUN"
    assert table.sees(0).private.given[1].tolist() == [3, 0, 0, 0, 0, 0, 0]
    assert table.sees(1).private.given[0].tolist() == [3, 0, 0, 0, 0, 0, 0]
    assert not table.sees(3).private.given[2].any()


def test_K16_the_dog():
    table = Table(roles="FFFMS").hold(0, "SUN SUN SUN").drawn("SUN").pearls(2, 2, 2, 2, 2).stack("URI SUN")
    table.s.centipede[3] = 1
    table.play("SUN as SUN")
    assert table.s.pearls[:5].tolist() == [1, 1, 1, 2, 2]
    assert (table.s.rounds, table.s.player) == (2, 2)
    assert table.s.ended.tolist() == [0, 0, 1, 0]


def test_K16_without_the_soyu_nobody_is_spared():
    table = Table(roles="FFFMM", soyu="never").hold(0, "SUN SUN SUN").drawn("SUN").pearls(2, 2, 2, 2, 0)
    table.stack("URI SUN").play("SUN as SUN")
    assert table.s.pearls[:5].tolist() == [1, 1, 1, 1, 0]


@pytest.mark.parametrize(("floor", "cap", "before", "after"), [(0, 7, 0, 0), (-2, 7, 0, -1), (0, 3, 3, 3)])
def test_K3_pearls_are_clamped(floor, cap, before, after):
    table = Table(roles="FFFMS", pearl_floor=floor, pearl_cap=cap, target_pearls=cap)
    table.hold(0, "FAA SUN SUN").pearls(before)
    table.s.accusations[3 if before == cap else 1, 2] = 1
    table.play("accuse seat +3" if before == cap else "accuse seat +1")
    assert table.s.pearls[0] == after


def test_K20_elimination():
    """B (fresh) eliminated by A and D: A −1, D +1."""
    table = Table(roles="FFFMS").pearls(2, 2, 2, 2, 2).hold(0, "FAA SUN SUN")
    table.s.accusations[1, 3] = 1
    table.play("accuse seat +1")
    assert table.s.pearls[:5].tolist() == [1, 2, 2, 3, 2]
    assert table.s.ended.tolist() == [0, 1, 0, 0]


def test_K20_the_same_accuser_counts_once():
    table = Table(roles="FFFMS").hold(0, "FAA SUN SUN")
    table.s.accusations[3, 0] = 1
    table.play("accuse seat +3")
    assert table.s.pearls[0] == 1
    table = Table(roles="FFFMS", same_accuser_twice=False).hold(0, "FAA SUN SUN")
    table.s.accusations[3, 0] = 1
    assert "accuse seat +3" not in table.legal()


# Pearls of the page: A B C fresh, D E fermented, E the Soyu. (count, who has a centipede, pearls before and after)
TASTINGS = [
    ("TIKI SUN", None, [2, 2, 2, 2, 2], [3, 2, 3, 1, 2]),
    ("", None, [2, 2, 2, 2, 2], [1, 2, 1, 1, 2]),
    ("TIKI SUN", 0, [2, 2, 2, 2, 2], [2, 2, 3, 1, 2]),
    ("FLY", None, [2, 2, 2, 2, 2], [1, 2, 1, 3, 2]),
]


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize(("maa", "centipede", "before", "after"), TASTINGS)
def test_K21_tamaa(maa, centipede, before, after, simultaneous):
    table = Table(roles="FFFMS", simultaneous_bets=simultaneous).maa(maa).pearls(*before)
    table._lay(int(table.s.drawn))
    table.s.drawn, table.s.phase = rules.NONE, rules.CALL
    if centipede is not None:
        table.s.centipede[centipede] = 1
    table.play("call Tama'a", "fold", "follow", "follow")
    assert table.s.revealed[:5].tolist() == ([1, 0, 0, 0, 0] if simultaneous else [1, 0, 1, 1, 0])
    table.play("fold")
    assert table.s.pearls[:5].tolist() == after
    assert table.s.player == 1  # K5: after the caller


def test_K21_a_follower_with_a_centipede_is_not_asked():
    table = Table(3)
    table.s.centipede[1] = 1
    table._lay(int(table.s.drawn))
    table.s.drawn, table.s.phase = rules.NONE, rules.CALL
    table.play("call Tama'a")
    assert (table.s.player, table.legal()) == (2, {"follow", "fold"})


@pytest.mark.parametrize("stake", range(4))
def test_K21_caller_stake(stake):
    table = Table(3, roles="FFS", caller_stake=stake).maa("TIKI")
    table._lay(int(table.s.drawn))
    table.s.drawn, table.s.phase = rules.NONE, rules.CALL
    table.play("call Tama'a", "follow", "fold")
    assert table.s.pearls[:3].tolist() == [stake, 1, 0]


def test_K21_simultaneous_bets_stay_hidden():
    table = Table(4, simultaneous_bets=True)
    table._lay(int(table.s.drawn))
    table.s.drawn, table.s.phase = rules.NONE, rules.CALL
    table.play("call Tama'a", "follow")
    assert table.sees(1).private.own_bet.tolist() == [1, 0]
    assert table.sees(2).public.bets.tolist() == [[0, 0], [0, 0], [1, 0], [0, 0]]  # the caller's
    assert not table.sees(2).public.revealed[3].any()


def test_K22_counted_cards_are_public_and_others_stay_hidden():
    table = Table(3).maa("TIKI")
    table._lay(int(table.s.drawn))
    table.s.drawn, table.s.phase = rules.NONE, rules.CALL
    table.play("call Tama'a", "fold", "fold")
    assert table.s.out[cards.TIKI] == 1
    table = Table(3).maa("TIKI").hold(0, "FAA SUN SUN")
    table.s.accusations[2, 1] = 1
    table.play("accuse seat +2")
    assert table.s.out[cards.TIKI] == 0
    assert [table.sees(seat).private.discarded[cards.TIKI] for seat in range(3)] == [0, 1, 0]


def test_K30_target_pearls_end_the_game_and_K31_ties_share():
    table = Table(roles="FFFMS", target_pearls=4).pearls(3, 4, 0, 0, 0).hold(0, "FAA SUN SUN")
    table.s.accusations[3, 2] = 1
    table.play("accuse seat +3")
    assert table.s.over
    assert table.s.pearls[:5].tolist() == [4, 4, 1, 0, 0]
    assert table.batch.returns[0].tolist() == pytest.approx([0.375, 0.375, -0.25, -0.25, -0.25])


@pytest.mark.parametrize("ending", ["accusation", "dog"])
def test_K33_no_final_tamaa_after_another_end(ending):
    table = Table(3, roles="FFS").hold(0, "FAA SUN SUN").drawn("SUN")
    table.s.accusations[2, 1] = 1
    if ending == "dog":
        table.keep("URI").play("SUN as SUN")
    else:
        table.keep("").play("accuse seat +2")
    assert table.s.over
    assert table.s.ended.tolist() == [0, ending != "dog", ending == "dog", 0]


def test_reward_score():
    table = Table(3, roles="FFS", reward="score").hold(0, "FAA SUN SUN")
    table.s.accusations[2, 1] = 1
    table.play("accuse seat +2")
    assert table.batch.returns[0].tolist() == pytest.approx([0.0625, 0.0625, -0.125])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_players": 2}, "3..10"),
        ({"caller_stake": 4}, "0..3"),
        ({"caller_stake": -1}, "0..3"),
        ({"target_pearls": 8}, "at most pearl_cap"),
        ({"pearl_cap": 5}, "at most pearl_cap"),
        ({"target_pearls": 0}, "1..20"),
        ({"pearl_floor": 1}, "-20..0"),
        ({"tamaa_min_turn": 0}, "1..20"),
        ({"mode": "expert"}, "'aito' or 'beginner'"),
        ({"claims": 0}, "False or True"),
        ({"soyu": True}, "'always' or 'never'"),
        ({"lid_rule": "both"}, "after_fly"),
        ({"gecko": True}, "unknown option"),
    ],
)
def test_options_are_refused_with_the_reason(options, words):
    with pytest.raises(ValueError, match=words):
        boardgames_env.make("fafaru", **options)


@pytest.mark.parametrize("n", range(3, 11))
def test_actions(n):
    game = boardgames_env.make("fafaru", n)
    assert game.num_actions == 58 + 2 * n
    assert [game.action_name(a) for a in (0, 1, 2, 9)] == ["draw", "call Tama'a", "SUN as SUN", "FLY as SUN"]
    assert game.action_name(51) == "accuse seat +1"
    assert game.action_name(game.num_actions - 1) == "fold"


def test_random_play_is_as_the_page_says():
    batch = Batch(boardgames_env.make("fafaru", 5), 5000)
    plies = batch.playout()
    below, zero, above = batch.states.counted.sum(axis=0) / batch.states.counted.sum()
    assert np.allclose([above, zero, below], [0.51, 0.11, 0.38], atol=0.015)
    assert plies.max() < 260
    assert (batch.states.deck_left == 0).mean() > 0.99
