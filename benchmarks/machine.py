"""What the other benchmarks share: the machine in words, medians with their spread, a batch played call by call."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

REPEATS = 5


class Measured(NamedTuple):
    """Median of `REPEATS` rates, with the least and the greatest."""

    median: float
    least: float
    greatest: float

    def __str__(self) -> str:
        return f"{_short(self.median)} ({_short(self.least)}–{_short(self.greatest)})"


def _short(rate: float) -> str:
    for limit, letter in ((1e6, " M"), (1e3, " k")):
        if rate >= limit:
            return f"{rate / limit:.2f}{letter}"
    return f"{rate:.1f} "


def rate(work: Callable[[], int], repeats: int = REPEATS) -> Measured:
    """How many of what `work` counts are done a second; called once more before, to warm up."""
    work()
    rates = []
    for _ in range(repeats):
        start = time.perf_counter()
        done = work()
        rates.append(done / (time.perf_counter() - start))
    return Measured(statistics.median(rates), min(rates), max(rates))


def by_calls(batch: Any) -> Callable[[int], int]:
    """What plays n steps in every row of a batch through separate calls, with all checks; returns how many in all."""
    mask, obs = batch.legal(), batch.observe()

    def play(steps: int) -> int:
        for _ in range(steps):
            batch.legal(out=mask)
            batch.observe(out=obs)
            batch.step(batch.sample(mask))
            if batch.over.any():
                batch.reset(batch.over)
        return steps * batch.size

    return play


def describe(*packages: str) -> str:
    """One line: processor, cores, load, versions, commit."""
    versions = "".join(f", {name} {importlib.metadata.version(name)}" for name in packages)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return (
        f"{_processor()}, {os.cpu_count()} cores, load {load:.1f}; Python {platform.python_version()}"
        f"{versions}; commit {_commit()}"
    )


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _commit() -> str:
    folder = Path(__file__).resolve().parent
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty"], cwd=folder, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()
