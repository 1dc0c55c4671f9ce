"""PettingZoo's own classic games, as `env` with its wrappers and as `raw_env`."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator

from libraries.common import LEDUC, Row, aec_play, row, timed

LIBRARY = "PettingZoo classic"
GAMES = {
    "leduc_holdem_v4": LEDUC,
    "texas_holdem_v4": "Limit hold'em",
    "hanabi_v5": "Hanabi, 2 players",
    "connect_four_v3": "Connect four",
}

HOW = """\
`agent_iter`, `last` and `step`, on one core: `env` with the wrappers that its documentation uses, and `raw_env`
without; `random.choice` of the mask's nonzero entries. Ours is played by the same loop. Its hold'em is RLCard's."""


def measure(quick: bool) -> Iterator[Row]:
    warnings.simplefilter("ignore")  # of its own spaces' precision
    for name, title in GAMES.items():
        module = importlib.import_module(f"pettingzoo.classic.{name}")
        for form in ("env", "raw_env"):
            yield row(LIBRARY, title, form, 1, timed(aec_play(getattr(module, form)()), quick))
