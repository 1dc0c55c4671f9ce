"""Random numbers from a game's own stream: splitmix64 over the field `rng` of a record.

`s` is any record with a field `rng` (u8): a game's state, or a row of a batch's sampling streams. Nothing else
in the library draws random numbers for a game, so equal seeds give equal games on every machine.
"""

from __future__ import annotations

import numpy as np

from boardgames_env.jit import eight, jit, plain, wraps_around

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S7, _S11, _S27, _S30, _S31, _S32, _S56 = (np.uint64(n) for n in (7, 11, 27, 30, 31, 32, 56))
_LOW = np.uint64(0xFFFFFFFF)
_TWO_32 = np.uint64(1 << 32)
_EACH = np.uint64(0x0101010101010101)  # times this: byte j becomes the sum of the bytes 0 … j
_TOPS = np.uint64(0x8080808080808080)  # the highest bit of each byte


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


@wraps_around
def sample_legal(s, mask):
    """A uniformly random action among those with mask 1; −1 if there is none (and nothing is drawn)."""
    whole = len(mask) // 8 * 8
    count = np.int64(0)
    for start in range(0, whole, 8):  # eight entries at a time: most of a mask is zero
        count += np.int64((eight(mask, start) * _EACH) >> _S56)
    for i in range(whole, len(mask)):
        count += int(mask[i])
    if count == 0:
        return -1
    left = randint(s, count)
    for start in range(0, whole, 8):
        sums = eight(mask, start) * _EACH  # byte j: how many of the entries 0 … j are 1
        inside = np.int64(sums >> _S56)
        if left < inside:
            return start + count_up_to(sums, left)
        left -= inside
    for i in range(whole, len(mask)):
        if mask[i]:
            if left == 0:
                return i
            left -= 1
    return -1


@wraps_around
def count_up_to(sums, most):
    """How many of the eight bytes, all below 128, are at most `most`: no branch, for it would be a coin toss."""
    at_most = (((np.uint64(most) * _EACH) | _TOPS) - sums) & _TOPS
    return np.int64(((at_most >> _S7) * _EACH) >> _S56)
