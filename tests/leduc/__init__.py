"""Leduc hold'em, the worked example of a game from outside: it lies in examples/, which is no part of the package."""

import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
if str(EXAMPLES) not in sys.path:
    sys.path.insert(0, str(EXAMPLES))
