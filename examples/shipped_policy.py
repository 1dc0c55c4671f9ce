"""Play the trained policy that ships with the library for a game and number of players.

    python examples/shipped_policy.py [GAME] [--players N] [--deals N]

No torch is imported.
"""

import argparse
import json

import numpy as np

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.tournament import play_pairing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="fungi")
    parser.add_argument("--players", type=int)
    parser.add_argument("--deals", type=int, default=100)
    arguments = parser.parse_args()

    game = boardgames_env.make(arguments.game, arguments.players)
    policy = make_agent(game, "policy")  # `policy:PATH` for a file of one's own
    print(f"trained for {policy.summary['steps']:,} decisions; at the end: {json.dumps(policy.summary['result'])}")

    # What it would do at the first decision of some game, and how sure it is.
    turns = boardgames_env.Batch(game, 1, seed=7).turns()
    logits = np.where(turns.mask[0] == 1, policy.logits(turns.matrix)[0], -np.inf)
    chances = np.exp(logits - logits.max())
    chances /= chances.sum()
    for action in np.argsort(-chances)[:3]:
        print(f"  {100 * chances[action]:5.1f} %  {game.action_name(int(action))}")

    for opponent in ("random", "greedy"):
        pairing = play_pairing(game, ("policy", opponent), arguments.deals, seed=2**40)
        print(f"wins {pairing.share} against {opponent}; a fair share is {1 / game.num_players:.0%}")


if __name__ == "__main__":
    main()
