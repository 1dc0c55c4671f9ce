"""Whether OpenSpiel's Leduc hold'em and that of examples/leduc are one game; needs open_spiel.

    python benchmarks/leduc_agreement.py

Over every deal and every action: the value of uniformly random play for seat 0 in chips, and the number of
information states of each seat.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))


def ours() -> tuple[float, tuple[int, int]]:
    import leduc
    from leduc.tree import traverse

    tree = traverse(leduc.make(reward="score"))
    return tree.value, tree.information_states


def openspiel() -> tuple[float, tuple[int, int]]:
    import pyspiel

    known: tuple[set, set] = set(), set()

    def value(state: Any) -> float:
        if state.is_terminal():
            return state.returns()[0]
        if state.is_chance_node():
            return sum(probability * value(state.child(action)) for action, probability in state.chance_outcomes())
        known[state.current_player()].add(state.information_state_string())
        actions = state.legal_actions()
        return sum(value(state.child(action)) for action in actions) / len(actions)

    root = value(pyspiel.load_game("leduc_poker").new_initial_state())
    return root, (len(known[0]), len(known[1]))


def agreement() -> str:
    """One line that begins with `Leduc agrees` or `Leduc DIFFERS`."""
    mine, theirs = ours(), openspiel()
    same = abs(mine[0] - theirs[0]) < 1e-12 and mine[1] == theirs[1]
    version = importlib.metadata.version("open_spiel")
    return (
        f"Leduc {'agrees' if same else 'DIFFERS'}: value of random play {mine[0]:.6f}, OpenSpiel {version} "
        f"{theirs[0]:.6f}; information states {sum(mine[1])}, OpenSpiel {sum(theirs[1])}"
    )


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    try:
        print(agreement())
    except ImportError as error:
        sys.exit(f"{error}: pip install open_spiel")


if __name__ == "__main__":
    main()
