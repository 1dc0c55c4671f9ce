"""Train on Fungi for about two minutes, then play the result against `random` and `greedy`.

    python examples/demo.py [--minutes M] [--deals N] [--folder runs/demo]

Leaves in the folder: policy.safetensors, curve.png, cross_table.csv, and one game as replay.jsonl.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import boardgames_env
from boardgames_agents import cli, training
from boardgames_agents.tournament import play_pairing, show
from boardgames_env import replay


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--folder", type=Path, default=Path("runs/demo"))
    arguments = parser.parse_args()
    folder = arguments.folder
    if (folder / training.SETTINGS).exists():  # of an earlier demo
        shutil.rmtree(folder)

    print(f"Training on Fungi for {arguments.minutes:g} minutes, against greedy and its own past versions …")
    game = boardgames_env.make("fungi", reward="score")
    settings = training.settings_for(game, minutes=arguments.minutes, imitate_steps=500_000)
    policy = cli.run_training(settings, folder)

    print("\nThe result against the scripted agents, on deals it has not seen:")
    game = boardgames_env.make("fungi")
    trained = f"policy:{policy}"
    results = cli.run_tournament(game, [trained, "greedy", "random"], arguments.deals, seed=2**40)
    show.write_cross(folder / "cross_table.csv", results)

    games: list[replay.Replay] = []
    play_pairing(game, (trained, "greedy"), deals=1, seed=2**40, keep=games.extend)
    (folder / "replay.jsonl").unlink(missing_ok=True)
    replay.write(folder / "replay.jsonl", games[:1])
    print(f"\ncurve: {folder / 'curve.png'}   cross table: {folder / 'cross_table.csv'}")
    print(f"one game, trained against greedy: boardgames replay {folder / 'replay.jsonl'}")
    print(f"play against it yourself:         boardgames play fungi --against {trained}")


if __name__ == "__main__":
    main()
