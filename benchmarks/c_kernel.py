"""How far compiled Python is from the practical limit: Fungi's rollout against the same loop written by hand in C.

    python benchmarks/c_kernel.py [--rows B] [--steps N]

`c_kernel/fungi.c` is built with `cc -O3 -march=native` in a temporary folder, works on the same packed states and draws
from the same streams as `Batch.rollout`, and must reach the same states, byte for byte, before anything is timed. Then
both run in turn, in one process, on one thread; medians of five, in seconds of this thread's processor time.
"""

from __future__ import annotations

import argparse
import ctypes
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from machine import REPEATS, describe

import boardgames_env
from boardgames_env import Batch
from boardgames_env.fungi import cards, rules
from boardgames_env.kernels import STREAM

SOURCE = Path(__file__).resolve().parent / "c_kernel" / "fungi.c"
FLAGS = ["-O3", "-march=native", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
TARGET = 1.5  # times the time of the C kernel, at most

C_TYPES = {"i1": "int8_t", "i2": "int16_t", "u1": "uint8_t", "u8": "uint64_t", "f4": "float", "b1": "uint8_t"}
CARDS = ["BASKET", "BUTTER", "BUTTER_FLAVOUR", "CIDER", "CIDER_FLAVOUR", "FLY_AGARIC", "HAND_KINDS", "KINDS", "MOON"]
CARDS += ["MUSHROOMS", "NIGHT", "NIGHTS", "PAN", "PANS_DEALT"]
RULES = ["AT_THE_FEET", "COOK", "DECAY", "DISCARD", "NEW", "NUM_ACTIONS", "OLD", "PLACE_PAN", "ROW", "SCORE_SCALE"]
RULES += ["SELL", "TAKE", "TAKE_DECAY"]
TABLES = {
    "BOX": cards.BOX,
    "FLAVOUR": cards.FLAVOUR,
    "STICKS": cards.STICKS,
    "COOK_SETS": rules.COOK_SETS,
    "SALES": rules.SALES,
    "FIRST_COOK": rules.FIRST_COOK,
    "FIRST_SALE": rules.FIRST_SALE,
}


def header() -> str:
    """The layouts, constants and tables of the Python sources, in C."""
    game = boardgames_env.make("fungi")
    sizes = {"STATE_BYTES": game.state, "OBSERVATION_BYTES": game.observation, "STREAM_BYTES": STREAM}
    lines = [f"#define {name} {getattr(cards, name)}" for name in CARDS]
    lines += [f"#define {name} {getattr(rules, name)}" for name in RULES]
    lines += [f"#define {name} {dtype.itemsize}" for name, dtype in sizes.items()]
    lines += [_table(name, values) for name, values in TABLES.items()]
    lines += [f"typedef {_struct(dtype)} {name};" for name, dtype in
              (("state", game.state), ("observation", game.observation), ("stream", STREAM))]  # fmt: skip
    return "\n".join(lines) + "\n"


def _table(name: str, values: np.ndarray) -> str:
    small = values.astype(np.int8 if values.ndim == 2 else np.int16)
    assert (small == values).all()
    shape = "".join(f"[{n}]" for n in values.shape)
    text = str(values.tolist()).translate(str.maketrans("[]", "{}"))
    return f"static const {C_TYPES[small.dtype.str[1:]]} {name}{shape} = {text};"


def _struct(dtype: np.dtype) -> str:
    """A packed dtype as a C type: fields in order, with nothing between them."""
    assert dtype.fields is not None
    members = []
    for name, (kind, *_) in dtype.fields.items():
        base, shape = kind.subdtype or (kind, ())
        c_type = _struct(base) if base.fields else C_TYPES[base.str[1:]]
        members.append(f"{c_type} {name}{''.join(f'[{n}]' for n in shape)};")
    return f"struct __attribute__((packed)) {{ {' '.join(members)} }}"


def compiler() -> str | None:
    """The C compiler, by path; None where there is none or the bytes of a word lie the other way round."""
    return shutil.which("cc") if sys.byteorder == "little" else None


def build(folder: Path) -> Callable[[Batch, np.ndarray, np.ndarray, int], int]:
    """Compile the kernel. Returns rollout(batch, obs, masks, steps), which plays on in the batch as its own would."""
    (folder / "fungi.h").write_text(header())
    library = folder / "fungi.so"
    command = [compiler() or "cc", *FLAGS, f"-I{folder}", str(SOURCE), "-o", str(library)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    function = ctypes.CDLL(str(library)).rollout
    function.restype = ctypes.c_int64
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    function.argtypes = [pointer, number, pointer, pointer, pointer, pointer, pointer, number]

    def rollout(batch: Batch, obs: np.ndarray, masks: np.ndarray, steps: int) -> int:
        states, streams, template = batch._records, batch._stream_records, batch._template
        arrays = [template, batch.seeds, streams, obs, masks]
        return function(states.ctypes.data, len(batch), *(a.ctypes.data for a in arrays), steps)

    return rollout


def buffers(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """Memory for the observations and masks of a batch."""
    shape = (len(batch), batch.game.observation.itemsize)
    return np.zeros(shape, np.uint8), np.zeros((len(batch), batch.game.num_actions), np.int8)


def assert_same_games(rollout: Callable, rows: int = 64, steps: int = 400, **options: Any) -> None:
    """Both play the same games: states, seeds, streams and the last observation and mask that were built."""
    ours, theirs = (Batch(boardgames_env.make("fungi", **options), rows, seed=7) for _ in range(2))
    obs, masks = buffers(theirs)
    for count in (1, 2, steps - 4):  # the last decision that is seen lies one step back
        assert ours.rollout(count) == rollout(theirs, obs, masks, count)
        assert ours.states.tobytes() == theirs.states.tobytes(), "the C kernel plays other games"
        assert ours.seeds.tobytes() == theirs.seeds.tobytes()
        assert ours._streams.tobytes() == theirs._streams.tobytes()
    mask, seen = ours.legal(), ours.observe()
    going = ~ours.over  # elsewhere a new game is dealt first
    rollout(theirs, obs, masks, 1)
    assert (masks == mask)[going].all() and (obs == seen)[going].all()


def compare(rollout: Callable, rows: int, steps: int) -> tuple[list[float], list[float]]:
    """Nanoseconds a step of Batch.rollout and of the C kernel, alternated."""
    ours, theirs = (Batch(boardgames_env.make("fungi"), rows) for _ in range(2))
    obs, masks = buffers(theirs)

    def nanoseconds(work: Callable[[], int]) -> float:
        start = time.thread_time()
        work()
        return (time.thread_time() - start) / (rows * steps) * 1e9

    pairs = []
    for _ in range(REPEATS + 1):  # the first to warm up
        own = nanoseconds(lambda: ours.rollout(steps))
        pairs.append((own, nanoseconds(lambda: rollout(theirs, obs, masks, steps))))
    return [own for own, _ in pairs[1:]], [c for _, c in pairs[1:]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=1000)
    arguments = parser.parse_args()
    if compiler() is None:
        sys.exit("no C compiler: `cc` is needed, on a little-endian machine")
    print(describe("numpy", "numba"))
    version = subprocess.run([str(compiler()), "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    print(f"{version}: {' '.join(FLAGS[:2])}")
    with tempfile.TemporaryDirectory() as folder:
        rollout = build(Path(folder))
        for options in ({}, {"reward": "score", "night_doubles_set": True}):
            assert_same_games(rollout, **options)
        print("the same states, seeds, streams, observations and masks, byte for byte")
        ours, theirs = compare(rollout, arguments.rows, arguments.steps)
    for name, times in (("Batch.rollout", ours), ("C by hand", theirs)):
        median, spread = statistics.median(times), f"{min(times):.1f}–{max(times):.1f}"
        print(f"  {name:<14} {median:6.1f} ns a step ({spread}), {1e3 / median:.2f} M/s")
    ratio = statistics.median(own / c for own, c in zip(ours, theirs))
    print(f"  Batch.rollout takes {ratio:.2f} times as long; the target is at most {TARGET}")


if __name__ == "__main__":
    main()
