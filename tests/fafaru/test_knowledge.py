"""K50 and K51: what a seat knows, that nothing else shows, and that imagined worlds are uniform over what fits."""

from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest

import boardgames_env
from boardgames_env.batch import Batch
from boardgames_env.fafaru import cards, observation, rules
from boardgames_env.fafaru.cards import CODES, FAA, FLY, ICE, LID, MOO, SALADIER_KINDS, SUN, TUPA
from boardgames_env.jit import jit
from boardgames_env.testing import check_game
from tests.fafaru.positions import Table

SAMPLES = 60_000


def determinized(batch, seat, first_seed=0):
    other = batch.copy()
    seats = np.full(len(batch), seat, np.int64)
    seeds = np.arange(len(batch), dtype=np.uint64) + np.uint64(first_seed)
    other._kernels.determinize_rows(other._records, seats, seeds)
    return other


def worlds(table, seat, *fields):
    """How often each combination of these fields came out."""
    many = Batch(table.game, SAMPLES)
    many.states[:] = table.s
    states = determinized(many, seat).states
    columns = np.concatenate([states[f].reshape(SAMPLES, -1).astype(np.int8) for f in fields], axis=1)
    rows, counts = np.unique(columns, axis=0, return_counts=True)
    return {tuple(row.tolist()): int(count) for row, count in zip(rows, counts)}


def projected(table, changes):
    """The same fields of the state in which `changes` (field, index, value) hold."""
    s = table.batch.states.copy()[0]
    for field, index, value in changes:
        s[field][index] = value
    return s


def as_key(s, fields):
    return tuple(np.concatenate([np.asarray(s[f]).reshape(-1).astype(np.int8) for f in fields]).tolist())


def check_frequencies(sampled, expected):
    """Chi-squared against exact weights; every world that is possible may come out, and no other."""
    assert set(sampled) <= set(expected)
    total = sum(expected.values())
    wanted = {world: SAMPLES * weight / total for world, weight in expected.items()}
    chi2 = sum((sampled.get(world, 0) - want) ** 2 / want for world, want in wanted.items())
    freedom = len(wanted) - 1
    assert abs(chi2 - freedom) < 5 * np.sqrt(2 * freedom) + 5, (chi2, freedom)


def histogram(kinds):
    return np.bincount(kinds, minlength=SALADIER_KINDS)


def tiny():
    """Three seats; hands, two cards of the draw pile and a crab, and a ma'a of four, played by seats 0 1 2 1.

    Seat 0 knows the hand of seat 1 since a petea. A rooster has mixed the first three cards: of these seat 0 knows its
    own FLY. The unseen cards are ICE LID LID FAA SUN MOO: three in the hand of seat 2, two in the ma'a, …
    """
    table = Table(3, roles="FMF")
    table.hold(0, "SUN SUN ICE").hold(1, "FLY FLY FAA").hold(2, "ICE LID FAA").drawn("SUN")
    table.maa("FLY LID SUN MOO").keep("LID TUPA SUN")
    s = table.s
    s.author[:4] = s.played[:4] = 0
    s.author[:4] = (0, 1, 2, 1)
    s.played[:4] = (FLY, LID, SUN, MOO)
    s.maa[:4] = (LID, SUN, FLY, MOO)
    s.told[:4] = s.placed[:4] = (1 << 0, 1 << 1, 1 << 2, 1 << 1)
    s.placed[:3] = 0
    s.zone[:3] = 1
    s.zones = 1
    for p in range(3):
        s.mixed[s.author[p], 0, s.played[p]] += 1
    s.handed[1] = 1 << 0
    return table


def tiny_worlds(table, fields):
    """Every placing of the seven unseen saladier cards, weighted by the orders of zone and draw pile."""
    unseen = [int(kind) for kind in np.repeat(np.arange(7), unseen_kinds(table))]
    assert len(unseen) == 8
    expected = Counter()
    for order, weight in Counter(permutations(unseen)).items():
        hand, zone, top, deck = order[:3], order[3:5], order[5], order[6:]
        for fly in range(3):  # where seat 0's card lies among the three that were mixed
            maa = [*zone[:fly], FLY, *zone[fly:], top]
            for plays in (zone, zone[::-1]):  # who of seats 1 and 2 brought which
                for crab in range(3):
                    pile = [*deck[:crab], TUPA, *deck[crab:]]
                    changes = [("hand", 2, histogram(hand)), ("maa", slice(4), maa), ("deck", slice(3), pile)]
                    changes += [("played", slice(4), [FLY, *plays, top])]
                    expected[as_key(projected(table, changes), fields)] += weight
    return expected


def unseen_kinds(table):
    """By kind: what seat 0 has not seen in `tiny`."""
    s = table.s
    seen = s.out[:7] + s.hand[0] + s.hand[1] + s.mixed[0, 0]
    seen[s.drawn] += 1
    return cards.BOX[:7] - seen


@pytest.mark.parametrize("fields", [("hand", "deck"), ("maa", "played"), ("hand", "maa")])
def test_K51_cards_are_uniform_over_all_that_fits(fields):
    table = tiny()
    check_frequencies(worlds(table, 0, *fields), tiny_worlds(table, fields))


def test_K51_hidden_discards():
    """Seat 0 knows its own and one of the two others that lie face down; the rest is in the hands and the pile."""
    table = Table(3, roles="FMF", mode="beginner").hold(0, "SUN SUN ICE").hold(1, "FLY FAA FAA").hold(2, "ICE LID FAA")
    table.drawn("SUN").keep("LID")
    s = table.s
    for seat, kind in ((0, ICE), (1, MOO), (2, LID)):
        s.out[kind] -= 1
        s.hidden[seat, kind] += 1
    s.extra[0, MOO] = 1
    unseen = [FLY, FAA, FAA, ICE, LID, FAA, LID, LID]
    expected = Counter()
    for order, weight in Counter(permutations(unseen)).items():
        for mine, theirs in ((MOO, order[6]), (order[6], MOO)):
            changes = [("hand", 1, histogram(order[:3])), ("hand", 2, histogram(order[3:6]))]
            changes += [("hidden", 1, histogram([mine])), ("hidden", 2, histogram([theirs])), ("deck", 0, order[7])]
            expected[as_key(projected(table, changes), ("hand", "hidden", "deck"))] += weight
    check_frequencies(worlds(table, 0, "hand", "hidden", "deck"), expected)


ROLE_CASES = [  # players, own role, {seat: roles that the evidence allows}, revealed seats
    (5, "F", {}, ""),
    (5, "S", {}, ""),
    (6, "F", {1: "F", 2: "MS"}, "3"),
    (7, "M", {1: "FM", 2: "FM", 3: "S"}, ""),
    (8, "F", {1: "FM", 2: "FM", 3: "FM", 4: "FM"}, ""),
]


@pytest.mark.parametrize(("n", "own", "clues", "revealed"), ROLE_CASES)
def test_K51_roles_are_uniform_over_all_that_fits(n, own, clues, revealed):
    letters = "FMS"
    fermented = int(cards.FERMENTED_ROLES[n])
    pack = sorted("F" * (n - fermented) + "M" * (fermented - 1) + "S")
    fitting = [r for r in product(letters, repeat=n) if sorted(r) == pack and r[0] == own]
    fitting = [r for r in fitting if all(r[seat] in allowed for seat, allowed in clues.items())]
    truth = fitting[len(fitting) // 2]
    table = Table(n, roles="".join(truth))
    for seat, allowed in clues.items():
        table.s.clue[seat] = sum(1 << letters.index(role) for role in allowed)
    for seat in map(int, revealed):
        table.s.revealed[seat] = 1
    fitting = [r for r in fitting if all(r[int(seat)] == truth[int(seat)] for seat in revealed)]
    expected = {tuple(letters.index(x) for x in r) + (0,) * (10 - n): 1 for r in fitting}
    check_frequencies(worlds(table, 0, "role"), expected)


def test_K51_hidden_bets():
    table = Table(4, simultaneous_bets=True)
    table._lay(int(table.s.drawn))
    table.s.drawn, table.s.phase = rules.NONE, rules.CALL
    table.play("call Tama'a", "follow", "fold")
    blank = (0,) * 6
    expected = {(1, *pair, 0, *blank): 1 for pair in product((1, 2), repeat=2)}
    check_frequencies(worlds(table, 0, "bet"), expected)
    check_frequencies(worlds(table, 1, "bet"), {(1, 1, other, 0, *blank): 1 for other in (1, 2)})


# --- What the end of a game tells ---------------------------------------------------------------------------


def possible_roles(table, seat):
    return {role[1:] for role in ((0, *key) for key in worlds(table, seat, "role"))}


def test_K50_accusers_camps_show_at_the_end_of_the_game():
    table = Table(roles="FFFMS", target_pearls=1).hold(0, "FAA SUN SUN")
    table.s.accusations[3, 1] = 1
    table.play("accuse seat +3")
    assert table.s.over
    roles = possible_roles(table, 2)
    assert {r[0] for r in roles} == {r[1] for r in roles} == {cards.FRESH}
    assert {r[3] for r in roles} == {cards.FERMENTED}


def test_K50_a_pearl_kept_shows_the_soyu_at_the_end_of_the_game():
    table = Table(roles="FFFMS").hold(0, "SUN SUN SUN").drawn("SUN").pearls(1, 1, 0, 1, 1).keep("URI")
    table.play("SUN as SUN")
    assert table.s.over
    assert {r[4] for r in possible_roles(table, 0)} == {cards.SOYU}
    table = Table(roles="FFFMS").hold(0, "SUN SUN SUN").drawn("SUN").pearls(1, 1, 0, 1, 0).keep("URI")
    table.play("SUN as SUN")
    assert {r[4] for r in possible_roles(table, 0)} == {cards.FRESH, cards.FERMENTED, cards.SOYU}
    assert {r[3] for r in possible_roles(table, 0)} == {cards.FRESH, cards.FERMENTED}


def test_K50_evidence_lapses_with_the_round():
    table = Table(roles="FFFMS").hold(0, "SUN SUN SUN").drawn("SUN").pearls(1, 1, 1, 1, 1).stack("URI SUN")
    table.play("SUN as SUN")
    assert table.s.rounds == 2
    table.s.role[:5] = (0, 0, 0, 1, 2)
    assert {r[4] for r in possible_roles(table, 0)} == {0, 1, 2}


# --- The ma'a -----------------------------------------------------------------------------------------------


def put_something(table):
    """A turn in which some card is put into the ma'a."""
    if table.s.phase == rules.CALL:
        table.play("draw")
    table.play(min(action for action in table.legal() if " as " in action))


def test_K50_zones_join_and_keep_apart():
    """Pigs over positions 2–4, 7–9 and 8–10: two zones; seat 2, whose cards they are, keeps a multiset of each."""
    table = Table(3).hold(0, "SUN SUN SUN").drawn("SUN").maa("FLY MOO ICE LID", author=2)
    table.stack("PUAA LID LID FAA FAA FAA PUAA ICE PUAA ICE").play("SUN as SUN", "order 3 2 1")
    for _ in range(5):
        put_something(table)
    if table.s.phase == rules.CALL:
        table.play("draw")
    table.play("order 2 1 3")
    assert table.s.zone[:11].tolist() == [0, 0, 1, 1, 1, 0, 0, 2, 2, 2, 0]
    put_something(table)
    table.play("draw", "order 1 2 3")
    assert table.s.zone[:12].tolist() == [0, 0, 1, 1, 1, 0, 0, 2, 2, 2, 2, 0]
    assert table.s.mixed[2, 0].tolist() == histogram([ICE, LID]).tolist()


@pytest.mark.parametrize(
    ("lies", "remembered"),
    [((MOO, LID, FLY, FLY), 0), ((FLY, MOO, LID, FLY), 0), ((FLY, FLY, MOO, LID), 1)],
)
def test_K50_a_card_seen_again_is_not_counted_twice(lies, remembered):
    """Seat 1's FLY is somewhere in the zone. The pig shows it a FLY: for all it knows, its own."""
    table = Table(3).hold(0, "SUN SUN SUN").drawn("SUN").maa("FLY MOO FLY LID", author=2).stack("PUAA")
    s = table.s
    s.author[0], s.told[0] = 1, 1 << 1
    s.placed[:4], s.zone[:4], s.zones = 0, 1, 1
    s.mixed[1, 0] = histogram([FLY])
    s.mixed[2, 0] = histogram([MOO, FLY, LID])
    s.maa[:4] = lies
    table.play("SUN as SUN")
    assert table.sees(1).private.maa.sum() == 3
    assert table.sees(1).private.maa_mixed[FLY] == remembered


@pytest.mark.parametrize("n", [3, 6])
def test_K50_what_a_seat_remembers_is_there(n):
    """Over random games: memories are bounded by the truth, and one's own cards are always among them."""
    batch = Batch(boardgames_env.make("fafaru", n), 150, seed=5)
    scrambled = 0
    while not batch.over.all():
        batch.step(batch.sample())
        for s in batch.states:
            m, zones = int(s.maa_size), int(s.zones)
            for seat in range(n) if zones else ():
                scrambled += 1
                placed = (s.placed[:m] >> seat) & 1 == 1
                for z in range(1, zones + 1):
                    inside = s.zone[:m] == z
                    known = histogram(s.maa[:m][inside & placed]) + s.mixed[seat, z - 1]
                    assert (s.mixed[seat, z - 1] <= histogram(s.maa[:m][inside & ~placed])).all()
                    told = (s.told[:m] >> seat) & 1 == 1
                    assert (known >= histogram(s.played[:m][inside & told])).all()
                    assert (histogram(s.maa[:m][inside]) == histogram(s.played[:m][inside])).all()
            assert (s.played[:m][s.zone[:m] == 0] == s.maa[:m][s.zone[:m] == 0]).all()
            others = s.hidden.sum(axis=0) - s.hidden[:n]
            assert ((s.extra[:n] >= 0) & (s.extra[:n] <= others)).all()
    assert scrambled > 1000


def test_K50_imagined_worlds_are_legal_positions():
    """Play goes on from them to the end, and what is conserved is."""
    from tests.fafaru.bridge import conserved

    batch = Batch(boardgames_env.make("fafaru", 4), 200, seed=9)
    for ply in range(60):
        batch.step(batch.sample())
        for seat in range(4) if ply % 10 == 0 else ():
            other = determinized(batch, seat, ply)
            assert (conserved(other.states) == conserved(batch.states)).all()
            other.playout()
            assert (conserved(other.states) == conserved(batch.states)).all()


# --- Leaks --------------------------------------------------------------------------------------------------


def test_error_messages_show_nothing_that_the_seat_cannot_know():
    batch = Batch(boardgames_env.make("fafaru", 4), 64, seed=2)
    for ply in range(80):
        if batch.over.any():
            batch.reset(batch.over.copy())
        seats = batch.player.astype(np.int64)
        other = batch.copy()
        other._kernels.determinize_rows(other._records, seats, np.arange(64, dtype=np.uint64) + np.uint64(ply))
        wrong = np.random.default_rng(ply).integers(-2, batch.game.num_actions + 2, 64)
        assert other._illegal(np.arange(64), wrong) == batch._illegal(np.arange(64), wrong)
        batch.step(batch.sample())


@jit
def leaky_observe(s, seat, obs):
    observation.observe(s, seat, obs)
    n = int(s.num_players)
    obs.public.crab[1] = s.role[(seat + 1) % n] > 0


def test_a_planted_leak_is_caught():
    game = boardgames_env.make("fafaru", 3)
    with pytest.raises(AssertionError, match="observation shows something"):
        check_game(game._replace(observe=leaky_observe), games=8)


def test_a_planted_leak_in_the_text_is_caught():
    game = boardgames_env.make("fafaru", 3)
    leaky = game._replace(text=lambda s, seat=None: game.text(s, seat) + CODES[s.deck[s.deck_left - 1]])
    with pytest.raises(AssertionError, match="text shows something"):
        check_game(leaky, games=8)
