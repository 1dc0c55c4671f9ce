"""Fungi: one test a numbered rule, on positions built by assignment."""

import itertools
from collections import Counter

import numpy as np
import pytest

import boardgames_env
from boardgames_env.batch import Batch
from boardgames_env.fungi import cards
from boardgames_env.fungi.cards import KIND_NAMES
from boardgames_env.game import action_id, action_names
from boardgames_env.testing import _determinized
from tests.fungi.bridge import conserved

GAME = boardgames_env.make("fungi")
KIND = {name: kind for kind, name in enumerate(KIND_NAMES)}


class Position:
    """A game set up by hand: player 0 to act, a dull forest, empty hands, everything else as dealt."""

    def __init__(self, *, hand="", other="", forest="", decay="", game=GAME, **fields):
        self.game = game
        self.batch = Batch(game, 1, seed=1)
        s = self.s = self.batch.states[0]
        s.player = 0
        for name in ("hand", "known", "out", "decay", "decay_left", "baskets"):
            s[name] = 0
        self.hold(0, hand)
        self.hold(1, other)
        self.lay("forest", forest or "honey fungus, tree ear, shiitake, moon, porcini, butter, morel, cider")
        self.lay("decay", decay)
        for name, value in fields.items():
            s[name] = value

    def hold(self, seat, text):
        for kind in listed(text):
            self.s.hand[seat, kind] += 1

    def lay(self, pile, text):
        kinds = listed(text)
        self.s[pile] = 0
        self.s[pile][: len(kinds)] = kinds
        self.s[f"{pile}_left"] = len(kinds)

    def stack(self, text):
        """The next cards of the draw pile, first one first; nothing else lies there."""
        kinds = listed(text)[::-1]
        self.s.deck = 0
        self.s.deck[: len(kinds)] = kinds
        self.s.deck_left = len(kinds)

    def legal(self, *prefixes):
        names = list(action_names(self.game))
        legal = [names[action] for action in np.flatnonzero(self.batch.legal()[0])]
        return {name for name in legal if not prefixes or name.startswith(prefixes)}

    def play(self, *names):
        for name in names:
            self.batch.step([action_id(self.game, name)])
        return self

    def hand(self, seat=0):
        return spelled(self.s.hand[seat])

    def forest(self):
        return ", ".join(KIND_NAMES[kind] for kind in self.s.forest[: self.s.forest_left])

    def decay(self):
        return ", ".join(KIND_NAMES[kind] for kind in self.s.decay[: self.s.decay_left])


def listed(text):
    """`2 shiitake, pan` as kinds."""
    kinds = []
    for part in filter(None, text.split(", ")):
        count, _, name = part.partition(" ")
        if count.isdigit():
            kinds += [KIND[name]] * int(count)
        else:
            kinds.append(KIND[part])
    return kinds


def spelled(counts):
    return {KIND_NAMES[kind]: int(n) for kind, n in enumerate(counts) if n}


# --- Cards and set-up ---------------------------------------------------------------------------------------


def test_F1_check_sums_of_the_printed_table():
    table = cards.MUSHROOM_TABLE
    assert sum(row[1] for row in table) == 49
    assert (cards.FOREST_CARDS, cards.DECK, cards.NIGHTS, len(KIND_NAMES)) == (86, 84, 8, 23)
    day = sum(row[1] * row[3] for row in table)
    night = sum(2 * row[2] * row[3] for row in table)
    assert (day, night, day + night + 3 * 3 + 3 * 5) == (113, 38, 175)


def test_F2_a_night_card_is_two_mushrooms_and_one_card():
    p = Position(hand="2 birch bolete, night birch bolete, butter")
    assert "cook 4 birch bolete with butter" in p.legal() and "cook 5 birch bolete" not in p.legal()
    p.play("cook 4 birch bolete with butter")
    assert p.s.score[0] == 15 and p.s.cooked[0, KIND["birch bolete"]] == 4
    assert Position(hand="2 birch bolete, night birch bolete").play("cook 4 birch bolete").s.score[0] == 12


@pytest.mark.parametrize(
    ("hand", "action", "score"),
    [
        ("2 birch bolete, night birch bolete", "cook 4 birch bolete", 18),
        ("2 birch bolete, night birch bolete, butter", "cook 4 birch bolete with butter", 21),
        ("4 birch bolete, night birch bolete", "cook 4 birch bolete", 12),  # day cards first: no night card
        ("chanterelle, night chanterelle", "cook 3 chanterelle", 16),
        ("3 morel", "cook 3 morel", 18),
    ],
)
def test_F2_option_night_doubles_set(hand, action, score):
    game = boardgames_env.make("fungi", night_doubles_set=True)
    assert Position(hand=hand, game=game).play(action).s.score[0] == score


def test_F3_sticks_are_never_short():
    p = Position(hand="3 porcini", sticks=[100, 0])
    assert p.play("sell 3 porcini").s.sticks[0] == 109


def test_F4_F5_F6_deals():
    batch = Batch(GAME, 2000)
    s = batch.states
    assert (conserved(s) == cards.BOX).all()
    assert (s.forest_left == 8).all() and (s.deck_left == 70).all() and (s.decay_left == 0).all()
    assert (s.pans == 1).all() and (s.sticks == 0).all() and (s.known == 0).all()
    assert (s.hand[:, :, cards.PAN].max()) >= 1
    nights = s.hand[:, :, cards.NIGHT : cards.BUTTER].sum(axis=(1, 2))
    assert (nights == s.out[:, cards.MOON]).all() and (s.night_left == 8 - nights).all()
    kept = s.hand.sum(axis=(1, 2)) + s.baskets.sum(axis=1) + s.out[:, cards.FLY_AGARIC]
    assert (kept == 6).all()
    assert 900 < s.player.sum() < 1100  # F6: 2,000 fair coins stay within these bounds but for one time in 100,000
    dealt = Counter(s.forest[:, 0].tolist())
    assert abs(dealt[KIND["honey fungus"]] / 2000 - 10 / 84) < 0.04


def test_F5_first_cards_by_assignment():
    """Basket to the display, moon replaced by a night card, fly agaric without effect."""
    for seed in range(200):
        batch = Batch(GAME, 1, seed=seed)
        s = batch.states[0]
        assert not s.fly_agarics.any()
        assert s.hand.sum() == 6 - s.baskets.sum() - s.out[cards.FLY_AGARIC]


# --- Actions ------------------------------------------------------------------------------------------------


def test_F7_hand_limit():
    full = "honey fungus, tree ear, shiitake, porcini, morel, butter, cider, pan"
    assert not Position(hand=full).legal("take position")
    assert Position(hand=full, baskets=[1, 0]).legal("take position") == {"take position 1", "take position 2"}
    assert not Position(hand="3 morel, butter", fly_agarics=[[0, 1], [0, 0]]).legal("take position")
    assert Position(hand="3 morel, butter", fly_agarics=[[0, 1], [0, 0]], baskets=[1, 0]).legal("take position")


def test_F8_costs():
    for sticks in range(8):
        legal = Position(sticks=[sticks, 0]).legal("take position")
        assert legal == {f"take position {p}" for p in range(1, 9) if max(0, p - 2) <= sticks}
    p = Position(sticks=[7, 0], forest="2 tree ear, 5 pan, morel").play("take position 8")
    assert p.s.sticks[0] == 1 and p.hand() == {"morel": 1}


def test_F8_basket_and_fly_agaric_with_a_full_hand():
    full = "honey fungus, tree ear, shiitake, porcini, morel, butter, cider, pan"
    forest = "basket, fly agaric, pan, pan, pan, pan, pan, pan"
    assert Position(hand=full, forest=forest).legal("take") == {"take position 1", "take position 2"}
    p = Position(hand=full, forest=forest).play("take position 1")
    assert p.s.baskets[0] == 1 and p.s.player == 1
    assert not Position(hand=full, forest="moon, pan, 6 pan").legal("take")


def test_F8_moon_brings_the_top_night_card():
    p = Position(forest="moon, 7 pan")
    top = KIND_NAMES[p.s.night[p.s.night_left - 1]]
    p.play("take position 1")
    assert p.hand() == {top: 1} and p.s.night_left == Position().s.night_left - 1
    assert p.s.out[cards.MOON] == 1 and not p.s.known.any()


@pytest.mark.parametrize(
    ("decay", "free", "legal"),
    [
        ("", 8, False),
        ("pan", 0, False),
        ("pan", 1, True),
        ("basket, 3 pan", 0, False),
        ("basket, 2 pan", 0, True),
        ("2 basket, 2 pan", 0, True),
        ("moon, basket, pan, pan", 1, True),
        ("moon, basket, pan, fly agaric", 0, True),
        ("4 fly agaric", 0, True),
        ("moon, 3 pan", 3, False),
        ("moon, 3 pan", 4, True),
    ],
)
def test_F9_take_the_decay_pile(decay, free, legal):
    held = ["honey fungus", "tree ear", "lawyer's wig", "shiitake", "hen of the woods", "porcini", "butter", "cider"]
    p = Position(hand=", ".join(held[: 8 - free]), decay=decay)
    assert p.legal("take decay pile") == ({"take decay pile"} if legal else set())


def test_F9_worked_examples():
    """A full hand: three cards with one basket are legal; four cards need two baskets."""
    full = "honey fungus, tree ear, shiitake, porcini, morel, butter, cider, pan"
    p = Position(hand=full, decay="tree ear, basket, pan").play("take decay pile")
    assert p.s.baskets[0] == 1 and sum(p.hand().values()) == 10
    assert not Position(hand=full, decay="tree ear, basket, pan, pan").legal("take decay pile")
    assert Position(hand=full, decay="tree ear, basket, basket, pan").legal("take decay pile")


def test_F9_everything_arrives():
    p = Position(hand="3 morel", decay="moon, basket, pan, fly agaric").play("take decay pile")
    assert (p.s.baskets[0], p.s.fly_agarics[0].tolist(), p.s.out[cards.MOON]) == (1, [0, 1], 1)
    assert sum(p.hand().values()) == 5 and p.s.known[0, cards.PAN] == 1 and p.s.known[0].sum() == 1


def test_F10_every_set_that_a_hand_allows_and_no_other():
    hand = {"honey fungus": 8, "night honey fungus": 1, "butter": 2, "cider": 2, "porcini": 2}
    p = Position(hand=", ".join(f"{n} {k}" for k, n in hand.items()), baskets=[5, 0])
    expected = set()
    for size, b, c in itertools.product(range(3, 11), range(3), range(3)):
        if 4 * b + 5 * c <= size:
            extras = [f"{n} {name}" if n > 1 else name for n, name in ((b, "butter"), (c, "cider")) if n]
            expected.add(f"cook {size} honey fungus" + (f" with {' and '.join(extras)}" if extras else ""))
    assert p.legal("cook") == expected


def test_F10_scores_and_spends():
    p = Position(hand="9 honey fungus, butter, cider, morel", baskets=[5, 0])
    p.play("cook 9 honey fungus with butter and cider")
    assert (p.s.score[0], p.hand(), p.s.pans[0]) == (9 + 3 + 5, {"morel": 1}, 0)
    assert spelled(p.s.out) == {"honey fungus": 9, "butter": 1, "cider": 1, "pan": 1}


def test_F10_needs_a_pan_from_the_display_first():
    assert not Position(hand="3 morel", pans=[0, 1]).legal("cook")
    p = Position(hand="3 morel, pan", pans=[0, 1]).play("cook 3 morel")
    assert p.hand() == {} and p.s.out[cards.PAN] == 1
    assert Position(hand="3 morel, pan", pans=[2, 1]).play("cook 3 morel").hand() == {"pan": 1}
    assert not Position(hand="2 morel").legal("cook")


@pytest.mark.parametrize(
    ("hand", "legal"),
    [
        ("shiitake", set()),
        ("night shiitake", {2}),
        ("shiitake, night shiitake", {2, 3}),
        ("3 shiitake, night shiitake", {2, 3, 4, 5}),
        ("3 morel", {2, 3}),
        ("butter, butter, pan", set()),
    ],
)
def test_F11_what_can_be_sold(hand, legal):
    assert {int(name.split()[1]) for name in Position(hand=hand).legal("sell")} == legal


def test_F11_sticks():
    p = Position(hand="shiitake, night shiitake").play("sell 3 shiitake")
    assert p.s.sticks[0] == 6 and p.hand() == {}
    assert Position(hand="3 morel").play("sell 2 morel").s.sticks[0] == 8


@pytest.mark.parametrize(
    ("hand", "action", "left"),
    [
        ("3 shiitake, night shiitake", "sell 2 shiitake", {"shiitake": 1, "night shiitake": 1}),
        ("3 shiitake, night shiitake", "sell 3 shiitake", {"night shiitake": 1}),
        ("3 shiitake, night shiitake", "sell 4 shiitake", {"shiitake": 1}),
        ("3 shiitake, night shiitake", "sell 5 shiitake", {}),
        ("shiitake, night shiitake", "sell 2 shiitake", {"shiitake": 1}),
        ("3 shiitake, night shiitake", "cook 4 shiitake", {"shiitake": 1}),
    ],
)
def test_F11_which_cards_make_up_a_size(hand, action, left):
    assert Position(hand=hand).play(action).hand() == left


def test_F12_place_a_pan():
    assert not Position(hand="morel").legal("place")
    p = Position(hand="2 pan, morel").play("place pan")
    assert p.hand() == {"pan": 1, "morel": 1} and p.s.pans[0] == 2 and not p.s.out.any()


# --- Fly agarics --------------------------------------------------------------------------------------------


def test_F13_discards_down_to_the_limit_card_by_card():
    p = Position(hand="3 morel, 2 night porcini, butter", forest="fly agaric, 7 pan")
    p.play("take position 1")
    assert p.s.player == 0 and p.legal() == {"discard morel", "discard night porcini", "discard butter"}
    assert p.batch.fields(p.batch.observe(0))[0].public.discarding == 1
    p.play("discard morel")
    assert p.s.player == 0 and sum(p.hand().values()) == 5
    p.play("discard night porcini")
    assert p.s.player == 1 and p.s.decay_left == 1
    assert p.hand() == {"morel": 2, "night porcini": 1, "butter": 1}
    assert spelled(p.s.out) == {"morel": 1, "night porcini": 1}


def test_F13_nothing_is_discarded_at_the_limit():
    p = Position(hand="3 morel, butter", forest="fly agaric, 7 pan").play("take position 1")
    assert p.s.player == 1 and sum(p.hand().values()) == 4


def test_F13_leaves_at_the_end_of_the_next_turn():
    p = Position(forest="fly agaric, tree ear, shiitake, porcini, morel, honey fungus, 2 pan")
    p.play("take position 1")
    assert p.s.fly_agarics[0].tolist() == [0, 1]
    p.play("take position 1")
    assert p.s.fly_agarics[0].tolist() == [0, 1] and p.s.out[cards.FLY_AGARIC] == 0
    p.play("take position 1")
    assert p.s.fly_agarics[0].tolist() == [0, 0] and p.s.out[cards.FLY_AGARIC] == 1


def test_F14_fly_agarics_do_not_add_up_and_keep_their_clocks():
    p = Position(hand="3 morel, butter", forest="fly agaric, 7 pan", fly_agarics=[[0, 1], [0, 0]])
    p.play("take position 1")
    assert p.s.player == 1 and p.s.fly_agarics[0].tolist() == [0, 1] and p.s.out[cards.FLY_AGARIC] == 1


# --- Between turns ------------------------------------------------------------------------------------------

STUCK = "honey fungus, tree ear, lawyer's wig, shiitake, hen of the woods, porcini, butter, cider"


def test_F15_a_player_without_a_legal_action_is_skipped():
    p = Position(hand="2 morel", other=STUCK, forest="8 tree ear", fly_agarics=[[0, 0], [0, 0]])
    p.stack("8 tree ear")
    p.play("sell 2 morel")
    assert p.s.player == 0 and p.decay() == "tree ear", "one forest step, for the action of player 0 only"


def test_F15_a_skipped_player_can_act_again_when_something_fits():
    p = Position(hand="4 morel", other=STUCK, forest="8 tree ear")
    p.stack("basket, tree ear")
    p.play("sell 2 morel")
    assert p.s.player == 0 and p.forest().endswith("basket")
    p.s.sticks[1] = 9
    p.play("sell 2 morel")
    assert p.s.player == 1 and p.legal() == {"take position 7"}


def about_to_be_stuck(forest):
    """Player 0 takes a chanterelle and then has eight different cards, as player 1 has already."""
    p = Position(hand=STUCK.replace(", cider", ""), other=STUCK, forest="chanterelle, " + forest)
    p.stack("")
    return p.play("take position 1")


def test_F15_when_both_are_stuck_the_forest_moves_until_somebody_can_act():
    p = about_to_be_stuck("3 tree ear, basket, 3 tree ear")
    assert p.decay() == "tree ear, tree ear", "one move for the turn, one because the basket would have cost a stick"
    assert p.s.player == 1 and p.legal() == {"take position 2"} and p.s.ply == 1


def test_F15_when_both_are_stuck_for_good_the_game_ends():
    p = about_to_be_stuck("6 tree ear")
    assert p.s.over and p.s.forest_left == 0 and p.s.ply == 1
    assert p.decay() == "tree ear, tree ear" and p.s.out[KIND["tree ear"]] == 4


def test_F15_no_fly_agaric_clock_without_a_turn():
    p = Position(hand="4 morel", other=STUCK, forest="8 tree ear", baskets=[0, 2], fly_agarics=[[0, 0], [0, 1]])
    p.stack("8 tree ear")
    p.play("sell 2 morel")
    assert p.s.player == 0 and p.s.fly_agarics[1].tolist() == [0, 1], "player 1 was skipped"


def test_F16_the_forest_moves():
    p = Position(hand="2 morel", forest="honey fungus, tree ear, shiitake, 5 pan")
    p.stack("cider, basket, moon")
    p.play("sell 2 morel")
    assert p.forest() == "tree ear, shiitake" + ", pan" * 5 + ", cider" and p.decay() == "honey fungus"
    p.play("take position 2")
    assert p.forest() == "pan, pan, pan, pan, pan, cider, basket, moon" and p.decay() == "honey fungus, tree ear"
    p.play("take position 1")
    assert p.forest() == "pan, pan, pan, cider, basket, moon", "the draw pile is empty"


def test_F16_the_nearest_card_goes_if_the_one_at_the_feet_was_taken():
    p = Position(forest="honey fungus, tree ear, shiitake, 5 pan").play("take position 1")
    assert p.decay() == "tree ear" and p.hand() == {"honey fungus": 1}


def test_F16_the_fifth_card_discards_four():
    p = Position(forest="tree ear, 7 pan", hand="2 morel", decay="honey fungus, moon, basket, cider").play(
        "sell 2 morel"
    )
    assert p.decay() == "tree ear"
    assert spelled(p.s.out) == {"morel": 2, "honey fungus": 1, "moon": 1, "basket": 1, "cider": 1}


def test_F17_taking_the_last_card_ends_the_game_at_once():
    p = Position(hand="3 morel, 2 butter", forest="fly agaric")
    p.stack("")
    p.play("take position 1")
    assert p.s.over and p.s.fly_agarics[0].tolist() == [1, 0] and sum(p.hand().values()) == 5 and p.s.decay_left == 0


def test_F17_the_last_card_to_the_decay_pile_ends_the_game():
    p = Position(hand="2 morel", forest="tree ear")
    p.stack("")
    p.play("sell 2 morel")
    assert p.s.over and p.decay() == "tree ear" and p.s.forest_left == 0


def test_F17_turns_and_idle_forest_moves_number_39_to_78():
    batch = Batch(GAME, 500, seed=9)
    moves = np.zeros(500, int)
    while not batch.over.all():
        before = batch.states.copy()
        batch.step(batch.sample())
        gone = before["deck_left"] + before["forest_left"] - batch.states.deck_left - batch.states.forest_left
        moves += (gone + 1) // 2  # a turn takes one or two cards, idle moves one each
    assert moves.min() >= 39 and moves.max() <= 78
    assert batch.states.ply.max() <= GAME.max_plies == 98


@pytest.mark.parametrize(
    ("score", "cooked", "returns"),
    [
        ([10, 9], [3, 9], [1, -1]),
        ([9, 10], [9, 3], [-1, 1]),
        ([9, 9], [3, 4], [-1, 1]),  # F19
        ([9, 9], [4, 3], [1, -1]),
        ([9, 9], [4, 4], [0, 0]),
    ],
)
def test_F18_F19_who_wins(score, cooked, returns):
    for reward, factor in (("win", None), ("score", 1 / 32)):
        p = Position(forest="tree ear", game=boardgames_env.make("fungi", reward=reward), score=score)
        p.s.cooked[:, 0] = cooked
        p.stack("")
        p.play("take position 1")
        lead = (score[0] - score[1]) / 32
        assert p.batch.returns[0].tolist() == (returns if factor is None else [lead, -lead])


def test_F18_score_rewards_are_paid_at_once():
    p = Position(hand="4 porcini, butter", game=boardgames_env.make("fungi", reward="score"))
    rewards = p.batch.step([action_id(p.game, "cook 4 porcini with butter")])
    assert rewards[0].tolist() == [15 / 32, -15 / 32]


# --- Knowledge ----------------------------------------------------------------------------------------------


def test_F20_what_is_known_of_a_hand():
    p = Position(hand="shiitake", forest="shiitake, 7 pan")
    p.play("take position 1")
    assert spelled(p.s.known[0]) == {"shiitake": 1}
    p.s.player = 0
    p.play("sell 2 shiitake")
    assert spelled(p.s.known[0]) == {}
    p = Position(hand="3 tree ear", known=np.zeros((2, 20)))
    p.s.known[0, KIND["tree ear"]] = 2
    p.play("sell 2 tree ear")
    assert spelled(p.s.known[0]) == {} and p.hand() == {"tree ear": 1}


def test_F20_a_placed_pan_is_no_longer_known():
    p = Position(hand="2 pan")
    p.s.known[0, cards.PAN] = 1
    p.play("place pan")
    assert not p.s.known.any() and p.hand() == {"pan": 1}


def test_F20_observation_of_both_seats():
    p = Position(hand="2 morel, night tree ear", other="pan, night porcini, cider", sticks=[3, 4], score=[300, 7])
    p.s.known[1, cards.PAN] = 1
    mine, theirs = (p.batch.fields(p.batch.observe(seat))[0] for seat in (0, 1))
    assert spelled(mine.private.hand) == p.hand(0) and spelled(theirs.private.hand) == p.hand(1)
    assert mine.public.known[1].sum() == 1 and theirs.public.known[0].sum() == 1
    assert mine.public.sticks.tolist() == [3, 4] and theirs.public.sticks.tolist() == [4, 3]
    assert mine.public.score.tolist() == [255, 7], "flavour beyond 255 shows as 255"
    assert (mine.public.acting, theirs.public.acting) == (1, 0)
    assert mine.public.night_cards.tolist() == [1, 1] and mine.public.hand_size.tolist() == [3, 3]


def test_F21_determinization_is_uniform_over_what_fits():
    """On a tiny rest of the box every arrangement of the unseen cards comes up as often as it should."""
    p = Position(hand="morel", other="shiitake, porcini, night tree ear", forest="pan")
    s = p.s
    s.known[1, KIND["porcini"]] = 1
    p.stack("shiitake, basket, 2 honey fungus")
    s.night, s.night_left = 0, 1
    s.night[0] = KIND["night porcini"]
    s.out = 0
    s.out = cards.BOX - conserved(p.batch.states)[0]
    assert (conserved(p.batch.states) == cards.BOX).all()
    # Unseen are 2 shiitake, 2 honey fungus and a basket, two night cards. One day card and one night card are hidden
    # in the hand; baskets cannot be in a hand. Day: shiitake or honey fungus, 2 of 4 each. Night: one of two.
    many = Batch(GAME, 24_000)
    many.states[:] = s
    drawn = _determinized(many, 0, 77).states
    assert (conserved(drawn) == cards.BOX).all()
    hidden = Counter(tuple(sorted(spelled(h - k).items())) for h, k in zip(drawn.hand[:, 1], drawn.known[:, 1]))
    decks = Counter(tuple(deck[:4].tolist()) for deck in drawn.deck)
    nights = Counter(drawn.night[:, 0].tolist())
    assert len(hidden) == 4 and all(abs(count - 6000) < 400 for count in hidden.values())
    assert all(abs(count - 12000) < 500 for count in nights.values()) and len(nights) == 2
    # Given the hidden card, the four left lie in any order: with shiitake hidden, S B H H in 12 orders, else S S B H.
    assert len(decks) == 24 and all(abs(count - 1000) < 200 for count in decks.values())
    assert (drawn.rng != s.rng).all()


# --- Actions by name ----------------------------------------------------------------------------------------


def test_actions_are_221_in_the_blocks_of_the_rules():
    verbs = Counter(name.split()[0] for name in action_names(GAME))
    assert GAME.num_actions == 221
    assert verbs == {"take": 9, "cook": 135, "sell": 56, "place": 1, "discard": 20}
    names = list(action_names(GAME))
    assert names[:9] == [f"take position {p}" for p in range(1, 9)] + ["take decay pile"]
    assert "cook 5 shiitake with cider" in names and "cook 12 honey fungus with 3 butter" in names
    assert "cook 12 honey fungus with 2 cider" in names and "cook 9 honey fungus with butter and cider" in names
    assert names[200] == "place pan" and names[201] == "discard honey fungus" and names[220] == "discard pan"


def test_text_shows_a_seat_what_it_knows():
    p = Position(hand="2 morel", other="pan, cider, night tree ear", decay="moon")
    p.s.known[1, cards.PAN] = 1
    text = GAME.text(p.s, 0)
    assert "2 morel" in text and "pan, 1 unknown, 1 unknown night" in text and "decay pile: moon" in text
    assert "night tree ear" not in text and "Draw pile, next" not in text
    assert "night tree ear" in GAME.text(p.s)
    assert "position 8  6 sticks  cider" in text and "position 2  free" in text
