"""Play games against their independent references, action by action, on many random games.

    python benchmarks/agreement.py [GAME …] [--count N] [--jobs J]

The suite plays a hundred games a variant; this plays 10,000 a game, spread evenly over all variants (player
counts and options) and policies (random, and partly greedy, which gets further), and compares legal actions, every
seat's observation, returns and scores at every decision.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import boardgames_env
from tests.agreement import POLICIES, all_variants, bridge_of, check_agreement

CHUNK = 50


def work(name: str, variant: dict, games: int, seed: int, policy: str) -> int:
    return check_agreement(bridge_of(name), boardgames_env.make(name, **variant), games, seed, policy)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(boardgames_env.GAMES))
    parser.add_argument("--count", type=int, default=10_000, help="games of each")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for name in arguments.games:
            start = time.perf_counter()
            variants = [variant for game, variant in all_variants() if game == name]
            ways = itertools.cycle(itertools.product(POLICIES, variants))
            jobs, games = [], 0
            while games < arguments.count:
                size = min(CHUNK, arguments.count - games)
                policy, variant = next(ways)
                jobs.append(pool.submit(work, name, variant, size, 1_000_000 + games, policy))
                games += size
            decisions = sum(job.result() for job in jobs)
            print(
                f"{name}: {games:,} games over {len(variants)} variants and {len(POLICIES)} policies agree with the "
                f"reference, {decisions:,} decisions, {time.perf_counter() - start:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
