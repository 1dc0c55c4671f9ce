"""Random numbers: the published generator, and exact uniformity of what is drawn from it."""

import itertools

import numpy as np
import pytest

from boardgames_env import rng
from boardgames_env.jit import jit
from boardgames_env.kernels import STREAM

pytestmark = pytest.mark.modes
CHI2_1_IN_A_MILLION = {5: 35.9, 6: 38.3, 23: 72.3}  # by degrees of freedom


def stream(state):
    streams = np.zeros(1, STREAM).view(np.recarray)
    streams.rng = state
    return streams


@jit
def draw_many(streams, n, out):
    for i in range(len(out)):
        out[i] = rng.randint(streams[0], n)


@jit
def next_many(streams, out):
    for i in range(len(out)):
        out[i] = rng.next64(streams[0])


@jit
def shuffle_once(streams, cards):
    rng.shuffle(streams[0], cards, len(cards))


@jit
def sample_many(streams, mask, out):
    for i in range(len(out)):
        out[i] = rng.sample_legal(streams[0], mask)


def test_splitmix64_reference_values():
    """The first numbers for seed 1234567 of the published C code (Vigna, splitmix64.c)."""
    out = np.zeros(3, np.uint64)
    next_many(stream(1234567), out)
    assert out.tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_scramble_array_is_scramble():
    numbers = np.arange(5, dtype=np.uint64) * np.uint64(2**60 + 7)
    with np.errstate(over="ignore"):
        assert rng.scramble_array(numbers).tolist() == [int(rng.scramble(x)) for x in numbers]


@pytest.mark.parametrize("n", [1, 2, 6, 2**32])
def test_randint_stays_in_range(n):
    out = np.zeros(2000, np.int64)
    draw_many(stream(5), n, out)
    assert out.min() >= 0 and out.max() < n


def test_randint_is_uniform():
    out = np.zeros(6000, np.int64)
    draw_many(stream(6), 6, out)
    counts = np.bincount(out, minlength=6)
    assert ((counts - 1000) ** 2 / 1000).sum() < CHI2_1_IN_A_MILLION[5]


def test_shuffle_gives_every_order_equally_often():
    streams, orders = stream(7), list(itertools.permutations(range(4)))
    counts = dict.fromkeys(orders, 0)
    for _ in range(2400):
        cards = np.arange(4)
        shuffle_once(streams, cards)
        counts[tuple(cards.tolist())] += 1
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < CHI2_1_IN_A_MILLION[23]


@pytest.mark.parametrize("legal", [[0], [220], [3, 31, 32, 63, 64, 200, 220], list(range(221))])
def test_sample_legal_draws_legal_actions_uniformly(legal):
    mask = np.zeros(221, np.int8)
    mask[legal] = 1
    out = np.zeros(700, np.int64)
    sample_many(stream(8), mask, out)
    assert set(out.tolist()) <= set(legal)
    if len(legal) == 7:
        counts = np.array([(out == action).sum() for action in legal])
        assert ((counts - 100) ** 2 / 100).sum() < CHI2_1_IN_A_MILLION[6]


def test_sample_legal_of_nothing_draws_nothing():
    streams, out = stream(9), np.zeros(1, np.int64)
    sample_many(streams, np.zeros(5, np.int8), out)
    assert out[0] == -1 and streams.rng[0] == 9


@jit
def draw_one(streams, n):
    return rng.randint(streams[0], n)


@pytest.mark.parametrize("length", [1, 7, 8, 9, 16, 31, 64, 100])
def test_sample_legal_takes_the_kth_legal_action(length):
    """The k-th for the draw k, whatever the length of the mask: games that are replayed by seed rest on it."""
    generator, out = np.random.default_rng(length), np.zeros(1, np.int64)
    for seed in range(60):
        mask = (generator.random(length) < generator.choice([0.1, 0.5, 1.0])).astype(np.int8)
        sample_many(stream(seed), mask, out)
        legal = np.flatnonzero(mask)
        assert out[0] == (legal[draw_one(stream(seed), len(legal))] if len(legal) else -1)
