"""Leduc hold'em, the worked example of a game from outside: it lies in examples/, which is no part of the package."""

from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
