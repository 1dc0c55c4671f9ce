"""The policies that ship with the library against `random`, `greedy` and search.

    python benchmarks/policies.py [POLICY …] [--opponents "AGENT …"] [--games N] [--minutes M] [--jobs J] [--write]

One seat is the policy's, all others the opponent's; every deal is played from every seat, on deals that training never
saw. Shares of wins with 95 % intervals over deals. Results go into benchmarks/policies.json, so that long pairings can
be played one by one; `--write` puts all that is there into agents/README.md. What has been played lies in runs/policies
as well: a run that was stopped, by `--minutes` or otherwise, is gone on with by the same command.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import time
from concurrent.futures import ProcessPoolExecutor, wait
from pathlib import Path

import numpy as np
from machine import describe
from readme import write

import boardgames_agents
import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.measure import Share, clustered_interval, paired_interval
from boardgames_agents.policy import SHIPPED, load_policy
from boardgames_agents.tournament import Pairing, play_pairing
from boardgames_agents.training import Settings
from boardgames_agents.training.settings import command
from boardgames_env import Game

OPPONENTS = "random greedy ismcts:sims=400"
RESULTS = Path(__file__).with_name("policies.json")
KEPT = Path("runs") / "policies"  # what has been played, part by part
FIRST_DEAL = 2_000_000
DEALS_A_JOB = 10


def shipped() -> list[str]:
    """GAME-PLAYERS of every policy there is."""
    return sorted(file.stem for file in SHIPPED.glob("*.safetensors"))


def game_of(policy: str) -> Game:
    name, _, players = policy.rpartition("-")
    return boardgames_env.make(name, int(players))


def play(policy: str, opponent: str, first: int, deals: int, kept: Path) -> Pairing:
    """Play some deals, unless an earlier run of the same code has."""
    if kept.exists():
        return pickle.loads(kept.read_bytes())
    pairing = play_pairing(game_of(policy), ("policy", opponent), deals, seed=FIRST_DEAL + first)
    kept.parent.mkdir(parents=True, exist_ok=True)
    half = kept.with_suffix(".half")
    half.write_bytes(pickle.dumps(pairing))
    half.replace(kept)
    return pairing


def measure(policy: str, opponent: str, games: int, jobs: int, minutes: float | None) -> dict:
    """Share of wins, by camp where the game has camps, and what it took. Stops after `minutes`, with what is played."""
    game, start = game_of(policy), time.perf_counter()
    deals = -(-games // game.num_players)
    folder = KEPT / f"{policy} {opponent} {code_of(policy)}"
    with ProcessPoolExecutor(jobs) as pool:
        parts = [
            pool.submit(play, policy, opponent, first, count, folder / f"{first}-{count}")
            for first in range(0, deals, DEALS_A_JOB)
            for count in [min(DEALS_A_JOB, deals - first)]
        ]
        wait(parts, minutes and 60 * minutes)
        pool.shutdown(cancel_futures=True)  # those that have begun are finished
    pairings = [part.result() for part in parts if not part.cancelled()]
    shares, camps = (np.concatenate([getattr(p, name) for p in pairings]) for name in ("shares", "camps"))
    found = {"games": shares.size, "share": paired_interval(shares), "minutes": (time.perf_counter() - start) / 60}
    found |= {"score": float(np.mean([p.score for p in pairings]))}
    if game.camps:
        names = game.camps(boardgames_env.Batch(game, 1).states)[0]
        deal = np.repeat(np.arange(len(shares)), shares.shape[1]).reshape(shares.shape)
        found["camps"] = {
            name: clustered_interval(shares[camps == i], deal[camps == i]) for i, name in enumerate(names)
        }
    return found | {"machine": describe("numpy", "numba")}


def code_of(policy: str) -> str:
    """Tells apart results of other code and of another policy of the same name."""
    packages = [Path(package.__file__).parent for package in (boardgames_env, boardgames_agents)]
    files = [file for package in packages for file in sorted(package.rglob("*.py"))]
    digest = hashlib.sha256()
    for file in [*files, SHIPPED / f"{policy}.safetensors"]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def table(results: dict[str, dict[str, dict]]) -> str:
    """A row a policy in Markdown, a column an opponent."""
    opponents = list(dict.fromkeys(name for found in results.values() for name in found))
    head = [f"against `{name}`" for name in opponents]
    lines = ["| policy | fair share | " + " | ".join(head) + " |", "|---|---|" + "---|" * len(opponents)]
    for policy, found in results.items():
        cells = [_cell(found[name]) if name in found else "·" for name in opponents]
        fair = 100 / int(policy.rpartition("-")[2])
        lines.append(f"| `{policy}` | {fair:.0f} % | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def commands() -> str:
    """The command that made each policy that ships."""
    lines = []
    for policy in shipped():
        _, summary = load_policy(SHIPPED / f"{policy}.safetensors", game_of(policy))
        settings = {k: tuple(v) if isinstance(v, list) else v for k, v in summary["settings"].items()}
        lines.append(command(Settings(**settings)))
    return "\n".join(["```", *lines, "```"])


def _cell(found: dict) -> str:
    text = f"{Share(*found['share'])}, {found['games']:,} games"
    for name, share in found.get("camps", {}).items():
        text += f"; {name} at the end {Share(*share)}"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policies", nargs="*", metavar="POLICY", help="GAME-PLAYERS; default: all that ship")
    parser.add_argument("--games", type=int, default=2000, help="a pairing")
    parser.add_argument("--opponents", default=OPPONENTS, help="agents, separated by spaces")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, help="a pairing; go on with the same command")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    unknown = set(arguments.policies) - set(shipped())
    if unknown:
        raise SystemExit(f"no policy ships for {', '.join(sorted(unknown))}; there are: {', '.join(shipped())}")
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for policy in arguments.policies or shipped():
        for opponent in arguments.opponents.split():
            make_agent(game_of(policy), opponent)
            found = measure(policy, opponent, arguments.games, arguments.jobs, arguments.minutes)
            results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}  # others may measure beside us
            results.setdefault(policy, {})[opponent] = found
            RESULTS.write_text(json.dumps(dict(sorted(results.items())), indent=1) + "\n")
            print(f"{policy} against {opponent}: {_cell(found)}, {found['minutes']:.1f} minutes", flush=True)
    print("\n" + table(results))
    if arguments.write:
        write("policies", table(results), describe("numpy", "numba"))
        write("commands", commands())


if __name__ == "__main__":
    main()
