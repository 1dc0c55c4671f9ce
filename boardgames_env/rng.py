"""Random numbers from a game's own stream: splitmix64 over the field `rng` of a record.

`s` is any record with a field `rng` (u8): a game's state, or a row of a batch's sampling streams. Nothing else
in the library draws random numbers for a game, so equal seeds give equal games on every machine.
"""

from __future__ import annotations

import numpy as np

from boardgames_env.jit import jit, plain, wraps_around

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30, _S31, _S32 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_TWO_32 = np.uint64(1 << 32)
_BLOCK = 32  # mask entries that sample_legal counts at a time


@wraps_around
def scramble(x):
    """Bijective mix of a u8: neighbouring seeds give unrelated streams."""
    z = (x ^ (x >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


def scramble_array(x: np.ndarray) -> np.ndarray:
    """`scramble` of every element of a u8 array, for random choices outside the games."""
    return plain(scramble)(x)


@wraps_around
def next64(s):
    """The next 64 random bits (u8)."""
    s.rng = s.rng + _STEP
    return scramble(s.rng)


@wraps_around
def randint(s, n):
    """Uniform integer in 0 … n−1, for 1 ≤ n ≤ 2³². Exactly uniform (Lemire's multiplication with rejection)."""
    bound = np.uint64(n)
    product = (next64(s) >> _S32) * bound
    if (product & _LOW) < bound:
        rejected = (_TWO_32 - bound) % bound
        while (product & _LOW) < rejected:
            product = (next64(s) >> _S32) * bound
    return np.int64(product >> _S32)


@jit
def unit(s):
    """Uniform float in the open interval 0 … 1."""
    return (np.float64(next64(s) >> _S11) + 0.5) * 2.0**-53


@jit
def shuffle(s, cards, n):
    """Shuffle cards[0 … n−1] in place."""
    for i in range(n - 1, 0, -1):
        j = randint(s, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@jit
def sample_legal(s, mask):
    """A uniformly random action among those with mask 1; −1 if there is none (and nothing is drawn)."""
    count = 0
    for i in range(len(mask)):
        count += int(mask[i])
    if count == 0:
        return -1
    left = randint(s, count)
    start = 0
    while start + _BLOCK <= len(mask):  # skip whole blocks: most of a mask is zero
        inside = 0
        for i in range(start, start + _BLOCK):
            inside += int(mask[i])
        if left < inside:
            break
        left -= inside
        start += _BLOCK
    for i in range(start, len(mask)):
        if mask[i]:
            if left == 0:
                return i
            left -= 1
    return -1
