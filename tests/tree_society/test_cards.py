"""Tree Society: every effect, every card of the built-in set, and card sets from files (S30, S31)."""

import json
import re

import pytest

import boardgames_env
from boardgames_env.game import blank_state
from boardgames_env.tree_society import cards, rules
from boardgames_env.tree_society.cards import BUILT_IN, EFFECT_TABLE, GUILDS
from tests.tree_society.bridge import SMALL_SET
from tests.tree_society.position import Position

# --- Effects ------------------------------------------------------------------------------------------------


def reach(effect, *placed, level=1, coins=20, **places):
    """Player 0 reaches the level of a card that costs nothing and has this effect."""
    levels = [effect if i == level else "" for i in (1, 2, 3)]
    blank = [("none", "bankers", 1, (4, 4, 6), (1, 2, 3), "", "", "", 2)]
    card_set = [("test", "writers", 1, (0, 0, 0), (0, 0, 0), *levels), *blank, ("more", *blank[0][1:])]
    p = Position(card_set=card_set).building().purse(coins).fruits(0).fruit_market()
    p.market(top_1="test", **places).progress(0, *placed)
    slot = len(placed) + 1
    p.do("buy top 1")
    for _ in range(level - 1):
        p.do(f"raise card {slot}")
    return p


def test_S30_P():
    assert reach("P+3").s.purse[0] == 23


def test_S30_C():
    p = reach("C+3")
    assert (p.s.purse[0], p.s.chest[0]) == (20, 3)


def test_S30_D():
    p = reach("D-3", ("none", 2))
    assert p.s.discount == 3
    p.do("raise card 1")
    assert p.s.purse[0] == 20 - 3


def test_S30_HALF():
    p = reach("HALF", ("none", 2)).do("raise card 1")
    assert p.s.purse[0] == 20 - 3


def test_S30_D_and_HALF_of_one_level():
    p = reach("HALF, D-1", ("none", 2)).do("raise card 1")
    assert p.s.purse[0] == 20 - 3  # half of 5, rounded up


def test_S30_F():
    p = Position(card_set=[("test", "writers", 1, (0, 0, 0), (0, 0, 0), "F", "", "", 6)]).building()
    p.market(top_1="test").fruits(0).fruit_market("grape", "apple").fruit_deck("orange").do("buy top 1")
    assert p.legal() == {"take grape", "take apple", "decline"}
    p.do("take grape")
    assert p.fruits_of(0) == ["grape"] and p.fruit_market_now() == ["apple", "orange"]


def test_S30_F_needs_a_fruit_in_the_market():
    assert "end build" in reach("F").legal()


def test_S30_S():
    p = Position(card_set=[("test", "writers", 1, (0, 0, 0), (0, 0, 0), "S", "", "", 6)]).building()
    p.market(top_1="test").fruits(0, "grape with leaf", "grape").fruits(1, "grape").do("buy top 1")
    assert p.legal() == {"sell grape", "sell grape with leaf", "decline"}
    p.do("sell grape with leaf")
    assert p.s.purse[0] == 3 + 1 and p.fruits_of(0) == ["grape"]
    assert "use fruit action" not in p.legal()


def test_S30_S_needs_a_fruit():
    assert "end build" in reach("S").legal()


def test_S30_RF():
    p = reach("RF", top_2="none", bottom_2="more").deck("none", "more")
    assert p.legal() == {"clear top 2", "clear bottom 2", "done clearing"}
    p.do("clear bottom 2", "done clearing")
    assert p.discarded() == []  # they became the deck when it was empty
    assert sorted(filter(None, p.market_now())) == ["more", "more", "none", "none"]


@pytest.mark.parametrize(
    ("fruits", "coins"), [([], 0), (["grape", "grape with leaf"], 1), (["grape", "apple", "cherry", "apple"], 3)]
)
def test_S30_T(fruits, coins):
    p = Position(card_set=[("test", "writers", 1, (0, 0, 0), (0, 0, 0), "T", "", "", 6)]).building()
    p.market(top_1="test").fruits(0, *fruits).do("buy top 1")
    assert p.s.purse[0] == coins


def test_S30_ADV():
    p = reach("ADV<=4", ("none", 1), ("none", 2))
    assert p.legal() == {"advance card 1", "decline"}, "level 3 costs 6, and the card itself does not count"
    p.do("advance card 1")
    assert p.cards_of(0) == [("none", 2), ("none", 2), ("test", 1)] and p.s.purse[0] == 20


def test_S30_ADV_goes_by_the_printed_cost():
    p = Position(card_set=SMALL_SET).building().purse(9).progress(0, ("axe", 1), ("elm", 2))  # elm: 9 for level 3
    p.s.discount = 5
    p.do("raise card 1")
    assert "advance card 2" in p.legal()
    p = reach("D-3, ADV<=5", ("none", 2))
    assert "end build" in p.legal(), "level 3 costs 6 in print"


def test_S30_ADV_completes_and_offers_the_effect():
    p = Position().building().purse(9).progress(0, ("E3", 1), ("M1", 1)).fruits(0, "grape")
    p.do("raise card 1")
    assert p.legal() == {"advance card 2", "decline"}
    p.do("advance card 2")
    assert p.legal() == {"sell grape", "decline"}


def test_S30_X():
    p = reach("X+3", ("none", 2), ("none", 1))
    assert p.legal() == {"scrap card 1", "scrap card 2", "decline"}
    p.do("scrap card 1")
    assert p.cards_of(0) == [("none", 1), ("test", 1)] and p.discarded() == ["none"]
    assert (p.s.purse[0], p.s.chest[0]) == (20, 3)


@pytest.mark.parametrize("effect", ["X+3", "ADV<=9"])
def test_S30_X_and_ADV_need_another_card(effect):
    assert "end build" in reach(effect).legal()


def test_S30_L1():
    p = reach("w:L1-2", top_2="none").do("buy top 2")
    assert p.s.purse[0] == 20 - 2


def test_S30_B1():
    p = reach("w:B1-2", top_2="none").do("buy top 2")
    assert p.s.purse[0] == 20 - 4, "not the first build of this turn"
    p = Position().building().purse(9).progress(0, ("A4", 1), ("W1", 1)).do("raise card 2")
    assert p.s.purse[0] == 9 - 4
    p.purse(9).do("raise card 2")
    assert p.s.purse[0] == 9 - 6


def test_S30_KEEP():
    p = reach("w:KEEP+2").fruit_market("apple").do("end build", "take apple")
    assert p.s.purse[0] == 4


def test_S30_SALE():
    p = Position().completed(0, "M5").fruits(0, "cherry", "cherry with leaf").do("sell cherry")
    assert p.s.purse[0] == 3
    p.do("use fruit action", "sell cherry with leaf")
    assert p.s.purse[0] == 3 + 3


@pytest.mark.parametrize(
    ("effect", "points"),
    [("E:done", 3), ("E:coins", 4), ("E:writers", 4), ("E:guilds", 2), ("E:sold", 1), ("E:fruit", 2)],
)
def test_S30_end_effects(effect, points):
    p = Position(
        card_set=[
            ("test", "writers", 1, (0, 0, 0), (0, 0, 0), "", "", effect, 6),
            ("writer", "writers", 1, (0, 0, 0), (0, 0, 0), "", "", ""),
            ("banker", "bankers", 1, (0, 0, 0), (0, 0, 0), "", "", ""),
        ]
    )
    p.building().progress(0, ("test", 2)).completed(0, "writer", "banker").purse(9).fruits(0, "grape", "apple")
    p.s.sold[0, 0] = 5
    assert p.score() == 0
    p.do("raise card 1")
    assert p.score() == points


# --- The built-in cards -------------------------------------------------------------------------------------

TOTALS = {  # of each guild: banners, costs and points of all levels, added up from the rules page
    "architects": (11, 95, 55),
    "bankers": (11, 94, 50),
    "writers": (11, 109, 77),
    "merchants": (11, 94, 53),
    "botanists": (11, 92, 47),
    "explorers": (11, 90, 54),
}


def test_S31_totals():
    assert len(BUILT_IN) == 36 and all(card.copies == 2 for card in BUILT_IN)
    totals = {
        guild: tuple(
            sum(figure)
            for figure in zip(*((c.banners, sum(c.costs), sum(c.points)) for c in BUILT_IN if c.guild == guild))
        )
        for guild in GUILDS
    }
    assert totals == TOTALS


CHOICES = {  # what `test_S31_every_card` is offered then
    "F": {"take orange", "decline"},
    "S": {"sell apple", "sell grape", "decline"},
    "RF": {"clear top 1", "done clearing"},
    "X": {"scrap card 1", "decline"},
    "ADV": {"advance card 1", "decline"},
}
END_POINTS = {"E:done": 1, "E:coins": 4, "E:writers": 2, "E:guilds": 1, "E:sold": 0, "E:fruit": 2}
LASTING = ["L1", "B1", "KEEP", "SALE"]


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("card", BUILT_IN, ids=lambda card: card.id)
def test_S31_every_card(card, level):
    """Cost, points, banners and effects when a card reaches a level, with M1 on level 1 beside it."""
    p = Position().building().purse(50).fruits(0, "apple", "grape").fruit_market("orange").market(top_1="W2")
    p.s.builds = 1
    if level == 1:
        p.progress(0, ("M1", 1)).market(bottom_2=card.id).do("buy bottom 2")
    else:
        p.progress(0, ("M1", 1), (card.id, level - 1)).do("raise card 2")

    purse, chest, discount, half, lasting, points = 50 - card.costs[level - 1], 0, 0, 0, [0] * 4, 0
    for effect in filter(None, card.effects[level - 1].split(", ")):
        prefix, name, _, number = re.fullmatch("(w:|p:)?(E:[a-z]+|L1|B1|[A-Z]+)([-+]|<=)?([0-9]*)", effect).groups()
        n = int(number or 0)
        if name in CHOICES:
            assert p.legal() == CHOICES[name]
            p.do("done clearing" if name == "RF" else "decline")
        purse += {"P": n, "T": 2}.get(name, 0)
        chest += {"C": n}.get(name, 0)
        discount += {"D": n}.get(name, 0)
        half += name == "HALF"
        points += END_POINTS.get(name, 0)
        if prefix:
            lasting[LASTING.index(name)] += n
    assert "end build" in p.legal()
    assert (p.s.purse[0], p.s.chest[0], p.s.discount, p.s.half) == (purse, chest, discount, half)
    assert p.s.lasting[0].tolist() == lasting, "those of the level before have ended"
    assert p.score() == card.points[level - 1] + points
    assert p.cards_of(0) == [("M1", 1)] + [(card.id, level)] * (level < 3)
    assert p.completed_of(0) == [card.id] * (level == 3)
    assert p.s.banners[0] == card.banners * (level == 3)
    assert p.s.done[0].tolist() == [(level == 3) * (guild == card.guild) for guild in GUILDS]


# --- Card sets from files (S30) -----------------------------------------------------------------------------


@pytest.mark.parametrize("code", range(1, cards.EFFECTS + 1))
def test_every_effect_is_read_as_it_is_written(code):
    for level in (1, 3):
        for n in (1, 7, 50) if EFFECT_TABLE[code - 1][0].endswith("n") else (1,):
            if code >= cards.END and level < 3:
                continue
            assert cards.parse_effects(cards.effect_text(code, n, level), level) == [(code, n)]


@pytest.mark.parametrize("card_set", [BUILT_IN, SMALL_SET], ids=["built-in", "small"])
@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_S30_an_exported_set_loads_unchanged(tmp_path, card_set, suffix):
    file = tmp_path / f"cards{suffix}"
    cards.export(file, card_set)
    assert cards.load(file) == card_set
    assert (cards.codes(cards.load(file)) == cards.codes(card_set)).all()


def test_S30_the_built_in_set_from_a_file_is_the_same_game(tmp_path):
    cards.export(tmp_path / "cards.toml")
    game = boardgames_env.make("tree_society", card_set=tmp_path / "cards.toml")
    assert game is boardgames_env.make("tree_society")


def test_S30_a_game_does_not_change_with_its_file(tmp_path):
    file = tmp_path / "cards.json"
    cards.export(file, SMALL_SET)
    game = boardgames_env.make("tree_society", card_set=str(file))
    cards.export(file, BUILT_IN)
    assert game.options.card_set == SMALL_SET
    assert (blank_state(game).card_set[0] == cards.codes(SMALL_SET)).all()
    assert boardgames_env.make("tree_society", card_set=str(file)) is not game


def test_S30_options_survive_json():
    game = boardgames_env.make("tree_society", card_set=SMALL_SET, guilds="random", start_coins=(1, 2))
    again = boardgames_env.make("tree_society", **json.loads(json.dumps(game.options._asdict())))
    assert again is game


def test_S30_cards_of_other_sets_are_played():
    p = Position(card_set=SMALL_SET).building().market(top_1="yew").do("buy top 1")
    assert p.legal() == {"sell apple", "decline"}, "the market is empty: nothing to clear"
    assert p.game.text(p.s).count("yew") == 1


GOOD = {
    "id": "A1",
    "guild": "writers",
    "banners": 1,
    "costs": [1, 2, 3],
    "points": [0, 0, 1],
    "level_1": "",
    "level_2": "",
    "level_3": "",
    "copies": 6,
}


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("id", "", "short name"),
        ("id", 7, "short name"),
        ("guild", "thieves", "one of architects"),
        ("guild", ["writers"], "one of architects"),
        ("banners", 0, "1..3"),
        ("banners", 4, "1..3"),
        ("banners", -1, "not be negative"),
        ("banners", True, "whole number"),
        ("banners", 1.0, "whole number"),
        ("costs", [1, -2, 3], "not be negative"),
        ("costs", [1, 2], "3 numbers"),
        ("costs", "1/2/3", "3 numbers"),
        ("costs", [1, 2, 51], "0..50"),
        ("points", [0, 0, -1], "not be negative"),
        ("points", 3, "3 numbers"),
        ("points", [0, None, 1], "whole number"),
        ("level_1", "FLY", "unknown effect 'FLY'; the effects are: P+n, C+n, D-n, HALF"),
        ("level_1", "P+", "unknown effect"),
        ("level_1", "P+0", "1..50"),
        ("level_1", "P+51", "1..50"),
        ("level_1", "P-1", "unknown effect"),
        ("level_1", "L1-1", "unknown effect"),  # w: is missing
        ("level_1", "w:P+1", "unknown effect"),
        ("level_1", "p:L1-1", "p: for level 3"),
        ("level_3", "w:L1-1", "p: for level 3"),
        ("level_2", "E:done", "for level 3"),
        ("level_1", "P+1, C+1, D-1", "at most 2"),
        ("level_1", "P+1, P+2", "twice"),
        ("level_1", "P+1,", "unknown effect ''"),
        ("level_1", None, "as text"),
        ("copies", 0, "1..24"),
        ("copies", 25, "1..24"),
        ("colour", "red", "unknown; the fields are: id, guild"),
    ],
)
def test_S30_a_wrong_field_is_named(tmp_path, field, value, says):
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps({"cards": [GOOD, GOOD | {"id": "bad"} | {field: value}]}))
    with pytest.raises(ValueError) as error:
        boardgames_env.make("tree_society", card_set=file)
    card = "'bad'" if field != "id" else "2"
    assert f"{file}, card {card}, field {field!r}" in str(error.value)
    assert says in str(error.value)


@pytest.mark.parametrize("field", [field for field in GOOD if field != "copies"])
def test_S30_a_missing_field_is_named(field):
    row = {key: value for key, value in GOOD.items() if key != field}
    with pytest.raises(ValueError, match=f"mine, card .*, field '{field}': is missing"):
        cards.make_card_set([row], "mine")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.toml", "cards = [", "is not valid TOML"),
        ("a.json", "{", "is not valid JSON"),
        ("a.json", "[" * 100_000, "is not valid JSON"),
        ("a.json", "[]", "must hold one list, 'cards'"),
        ("a.toml", "cards = 3", "must hold one list, 'cards'"),
        ("a.toml", "cards = []\nmore = 1", "must hold one list, 'cards'"),
        ("a.toml", "cards = [3]", "card 1: must be a table"),
        ("a.toml", "cards = []", "to fill the market, got 0"),
        ("a.txt", "", "named .toml or .json"),
        ("a.json", "\udcff", "is not valid JSON"),
    ],
)
def test_S30_a_damaged_file_is_refused(tmp_path, name, content, says):
    file = tmp_path / name
    file.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(ValueError) as error:
        cards.load(file)
    assert says in str(error.value) and str(file) in str(error.value)


def test_S30_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match=r"nowhere\.toml: cannot be read"):
        boardgames_env.make("tree_society", card_set=tmp_path / "nowhere.toml")


def test_S30_sets_too_small_for_the_market_are_refused():
    with pytest.raises(ValueError, match="must have 6 cards to fill the market, got 5"):
        cards.make_card_set([GOOD | {"copies": 5}])
    spread = [GOOD | {"id": guild, "guild": guild, "copies": 1} for guild in GUILDS]
    with pytest.raises(ValueError, match="every choice of 4 of its guilds must have 6 cards"):
        cards.make_card_set(spread)
    chosen = ("architects", "writers", "botanists", "explorers")
    with pytest.raises(ValueError, match="the guilds architects, writers, botanists, explorers must have 6 cards"):
        boardgames_env.make("tree_society", card_set=[GOOD | {"guild": "bankers"}], guilds=chosen)


def test_S30_sets_too_large_are_refused():
    with pytest.raises(ValueError, match="at most 72 designs"):
        cards.make_card_set([GOOD | {"id": f"c{i}", "guild": GUILDS[i % 6], "copies": 1} for i in range(73)])
    with pytest.raises(ValueError, match="at most 24 cards, got 30 writers"):
        cards.make_card_set([GOOD | {"id": f"c{i}"} for i in range(5)])
    with pytest.raises(ValueError, match="field 'id': must be unique"):
        cards.make_card_set([GOOD, GOOD])
    largest = [GOOD | {"id": f"c{i}", "guild": GUILDS[i % 6], "copies": 2} for i in range(72)]
    assert len(cards.make_card_set(largest)) == 72


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"guilds": "writers"}, "4 different ones"),
        ({"guilds": ("writers",) * 4}, "4 different ones"),
        ({"guilds": 7}, "4 different ones"),
        ({"guilds": ("writers", "bankers", "thieves", "explorers")}, "4 different ones"),
        ({"start_coins": -1}, "0..50"),
        ({"start_coins": True}, "0..50"),
        ({"start_coins": "2"}, "0..50"),
        ({"start_coins": (1, 2, 3)}, "must be for 2 seats, got 3 numbers"),
        ({"start_coins": ()}, "0..50"),
        ({"card_set": 7}, "must be a list of cards, got int"),
        ({"card_set": "cards"}, "named .toml or .json"),
        ({"count_market": 1}, "False or True"),
    ],
)
def test_wrong_options_are_refused(options, says):
    with pytest.raises(ValueError, match=r"^tree_society: ") as error:
        boardgames_env.make("tree_society", **options)
    assert says in str(error.value)


def test_guilds_by_name_in_any_order_and_as_text():
    game = boardgames_env.make("tree_society", guilds=["explorers", "writers", "bankers", "merchants"])
    assert game is boardgames_env.make("tree_society", guilds="bankers,writers, merchants,explorers")
    assert game.options.guilds == ("bankers", "writers", "merchants", "explorers")


def test_the_table_can_be_printed():
    rows = cards.table_rows()
    assert len(rows) == 36 and all(len(row) == len(cards.COLUMNS) for row in rows)
    assert rows[2] == ("A3", "architects", "2", "3/5/8", "1/3/6", "D-1", "HALF", "", "2")


def test_statistics_agree_with_the_rules():
    from boardgames_env.jit import plain
    from boardgames_env.tree_society.statistics import winners
    from tests.tree_society.bridge import VARIANTS

    for variant in VARIANTS:
        game = boardgames_env.make("tree_society", **variant)
        batch = boardgames_env.Batch(game, 12, seed=4)
        statistics = game.statistics(game)
        while not batch.over.all():
            before, actions, going = batch.states.copy(), batch.sample(), ~batch.over
            batch.step(actions)
            statistics.watch(before[going], actions[going], batch.states[going])
        points = game.scores(batch.states)
        for row, s in enumerate(batch.states):
            assert points[row].tolist() == [plain(rules.score)(s, seat) for seat in range(game.num_players)]
        if game.options.reward == "win":
            assert (winners(batch.states) == (batch.returns == batch.returns.max(axis=1, keepdims=True))).all()
        rows = statistics.rows()
        assert all(len(row) == 3 and all(isinstance(text, str) for text in row) for row in rows)
        assert [label for heading, label, _ in rows if heading == "cards"] == [
            card.id for card in rules.card_set_of(game.options.card_set)
        ]
