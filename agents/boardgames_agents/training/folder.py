"""The files of a run, each replaced only by a whole new one."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from boardgames_agents.training.settings import Settings

CHECKPOINT = "checkpoint.pt"
SETTINGS = "settings.json"
POLICY = "policy.safetensors"
CURVE = "curve.csv"
PICTURE = "curve.png"


class TrainingError(RuntimeError):
    """A run that cannot start or go on; the message says why and what is left."""


def start_folder(settings: Settings, folder: Path) -> None:
    """Make the folder of a new run, with its settings. TrainingError if it holds a run already."""
    if (folder / SETTINGS).exists():
        raise TrainingError(f"{folder} already holds a run: continue it with --resume, or choose another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_settings(settings, folder)
    except OSError as error:
        raise TrainingError(f"{folder}: {error.strerror or error}") from error


def write_settings(settings: Settings, folder: Path) -> None:
    text = json.dumps(dataclasses.asdict(settings), indent=2)
    replace(folder / SETTINGS, lambda part: part.write_text(text + "\n"))


def stored_settings(folder: Path) -> Settings:
    """The settings of the run in the folder; TrainingError if there is none, or they are damaged."""
    try:
        stored = json.loads((folder / SETTINGS).read_text())
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in stored.items()}
        return Settings(**values)
    except FileNotFoundError:
        raise TrainingError(f"{folder} holds no run to resume (no {SETTINGS})") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise TrainingError(f"{folder / SETTINGS} is damaged or of another version: {error}") from None


def load_checkpoint(folder: Path) -> dict | None:
    """The state of the run, None if it was cut before the first checkpoint; TrainingError if it is damaged."""
    if not (folder / CHECKPOINT).exists():
        return None
    try:
        return torch.load(folder / CHECKPOINT, weights_only=True)
    except Exception as error:  # whatever unpickling a damaged file raises
        raise TrainingError(f"{folder / CHECKPOINT} is damaged: {error}") from None


def save_checkpoint(folder: Path, state: dict) -> None:
    memory = io.BytesIO()  # torch itself turns a full disk into a RuntimeError of its own
    torch.save(state, memory)
    replace(folder / CHECKPOINT, lambda part: part.write_bytes(memory.getbuffer()))


def replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file beside `path`, flush it to the disk, then put it in its place."""
    part = path.with_name(path.name + ".part")
    try:
        write(part)
        with open(part, "rb") as file:
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


# --- The curve ----------------------------------------------------------------------------------------------

NOT_OPPONENTS = ("steps", "seconds", "rating")


def write_curve(path: Path, curve: list[dict]) -> None:
    """A line an evaluation; shares of wins that were not measured in it are left empty."""
    columns = list(dict.fromkeys(key for row in curve for key in row))

    def write(part: Path) -> None:
        with open(part, "w", newline="") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(curve)

    replace(path, write)


def plot_curve(curve_file: Path, png: Path) -> None:
    """Share of wins over the learner's decisions, one line an opponent, and the rating of each version."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with open(curve_file, newline="") as file:
        rows = list(csv.DictReader(file))
    figure, (above, below) = pyplot.subplots(2, 1, figsize=(7, 6), layout="constrained", sharex=True)
    for name in [key for key in rows[0] if key not in NOT_OPPONENTS]:
        points = [(int(row["steps"]), 100 * float(row[name])) for row in rows if row[name]]
        above.plot(*zip(*points), marker="o", markersize=3, label=f"against {name}")
    above.set(ylabel="share of wins, %", ylim=(0, 101))
    above.legend()
    below.plot([int(row["steps"]) for row in rows], [float(row["rating"]) for row in rows], color="black")
    below.set(xlabel="decisions of the learner", ylabel="rating, Elo")
    for axes in (above, below):
        axes.grid(alpha=0.3)
    figure.savefig(png, dpi=150)
    pyplot.close(figure)
