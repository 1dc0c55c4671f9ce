"""A policy network on one observation, compiled: from its bytes to a number for each action.

Most of an observation is zero, and so is much of what ReLU leaves; zeros are passed over. That makes one observation as
cheap as in a product of large matrices, and the sums are made in one order, in float32: a policy plays the same in one
game as in thousands side by side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boardgames_env.jit import bytes_of, eight, jit, scratch_singles
from boardgames_env.rng import unit

BLOCK = 128  # outputs of a layer that are summed up together, in registers


class Layers(NamedTuple):
    """A network as compiled functions take it, and room to work in, so that two threads must not use it at once.

    Every layer is float32[1 + inputs, outputs], the bias first, and they lie one after the other in `weights`; dense
    ones have zeros after their outputs, to make up whole blocks. Inputs are first the bytes that form no planes, then
    those that do, cell by cell; a convolution takes the channels of a cell's neighbourhood, tap by tap.
    """

    inputs: np.ndarray  # int64[O]: which input each byte of an observation is
    scale: np.ndarray  # float32[O]: the inverse of its largest value
    board: np.ndarray  # int64[3]: height and width of the planes, and how many inputs form none
    channels: np.ndarray  # int64[C + 1]: planes, and outputs of each convolution
    widths: np.ndarray  # int64[D + 1]: inputs and outputs of the dense layers
    weights: np.ndarray  # float32
    before: np.ndarray  # float32: what a layer takes
    after: np.ndarray  # float32: what it gives
    nonzero: np.ndarray  # int64: the numbers of its inputs that are not zero
    logits: np.ndarray  # float32[A]: what comes out


@jit
def most_likely(obs, mask, net):
    """The legal action with the highest logit, the first of equal ones."""
    forward(bytes_of(obs), net, net.logits)
    best = -1
    for action in range(len(mask)):
        if mask[action] and (best < 0 or net.logits[action] > net.logits[best]):
            best = action
    return best


@jit
def drawn(obs, mask, net, streams):
    """A legal action drawn from the softmax of the logits."""
    weights, highest = net.logits, net.logits[most_likely(obs, mask, net)]
    total = np.float32(0.0)
    for action in range(len(mask)):
        if mask[action]:
            weights[action] = np.exp(weights[action] - highest)
            total += weights[action]
    left, last = total * unit(streams[0]), -1
    for action in range(len(mask)):
        if mask[action]:
            last = action
            left -= weights[action]
            if left < 0.0:
                break
    return last


@jit
def forward(seen, net, out):
    """A number for each action, into out float32[A], from the bytes of an observation."""
    before, after, weights = net.before, net.after, net.weights
    found = read(seen, net, before)
    for i in range(len(net.channels) - 1):
        inputs, outputs = net.channels[i], net.channels[i + 1]
        convolve(net, before, after, weights, inputs, outputs)
        before, after = after, before
        weights = weights[(1 + 9 * inputs) * outputs :]
    for i in range(len(net.widths) - 1):
        inputs, outputs = net.widths[i], net.widths[i + 1]
        result = after[:outputs]
        if i > 0 or len(net.channels) > 1:
            found = find(before[:inputs], net.nonzero)
        fill(result, weights)
        add_rows(before, net.nonzero[:found], weights[outputs:], result)
        if i < len(net.widths) - 2:
            rectify(result)
        before, after = after, before
        weights = weights[(1 + inputs) * outputs :]
    fill(out, before)


@jit
def read(seen, net, x):
    """Bytes of an observation as inputs x[I]; the numbers of those that are not zero go to net.nonzero."""
    for i in range(len(net.inputs)):
        x[i] = np.float32(0.0)
    found = 0
    whole = len(seen) - len(seen) % 8
    for start in range(0, whole, 8):  # eight bytes at a time: most are zero
        if eight(seen, start) != 0:
            for i in range(start, start + 8):
                found += read_byte(seen, net, x, i, found)
    for i in range(whole, len(seen)):
        found += read_byte(seen, net, x, i, found)
    return found


@jit
def read_byte(seen, net, x, i, found):
    x[net.inputs[i]] = np.float32(seen[i]) * net.scale[i]
    net.nonzero[found] = net.inputs[i]
    return int(seen[i] != 0)


@jit
def find(x, nonzero):
    """The numbers of the values in x that are not zero, into `nonzero`; returns how many."""
    found = 0
    for i in range(len(x)):
        nonzero[found] = i
        found += int(x[i] != 0)
    return found


@jit
def convolve(net, before, after, weights, inputs, outputs):
    """A 3 × 3 convolution with zeros around, and ReLU; what forms no planes comes first and stays as it is."""
    height, width, others = net.board[0], net.board[1], net.board[2]
    fill(after[:others], before)
    for cell in range(height * width):
        out = after[others + cell * outputs :][:outputs]
        fill(out, weights)
        for tap in range(9):
            row, column = cell // width + tap // 3 - 1, cell % width + tap % 3 - 1
            if 0 <= row < height and 0 <= column < width:
                near = before[others + (row * width + column) * inputs :][:inputs]
                found = find(near, net.nonzero)
                add_rows(near, net.nonzero[:found], weights[(1 + tap * inputs) * outputs :], out)
        rectify(out)


@jit
def add_rows(x, rows, weights, out):
    """out[M] += x[i] · row i of weights[N · M], for the numbers i in `rows`, one after the other.

    Slices begin at 0, so that the compiler need not reckon with indices from the end.
    """
    width = len(out)
    whole = width - width % BLOCK
    for start in range(0, whole, BLOCK):
        sums, block = scratch_singles(BLOCK), out[start:]
        for j in range(BLOCK):
            sums[j] = block[j]
        for i in rows:
            factor, row = x[i], weights[i * width + start :]
            for j in range(BLOCK):
                sums[j] += factor * row[j]
        for j in range(BLOCK):
            block[j] = sums[j]
    rest = out[whole:]
    for i in rows:
        factor, row = x[i], weights[i * width + whole :]
        for j in range(len(rest)):
            rest[j] += factor * row[j]


@jit
def fill(out, values):
    """out becomes the first of the values."""
    for i in range(len(out)):
        out[i] = values[i]


@jit
def rectify(x):
    for i in range(len(x)):
        x[i] = max(x[i], np.float32(0.0))


def logits_rows(seen, net, out):
    for i in range(len(seen)):
        forward(seen[i], net, out[i])
