"""The strength ladder: every agent of a ladder against `greedy`, and searches against the same with fewer simulations.

    python benchmarks/strength.py [GAME …] [--deals N] [--jobs J] [--rungs AGENT,…] [--write]

Two players: the same deals from both seats. More: one seat against the same opponent in all others, each deal from
every seat; a fair share is 1 / players. Shares of wins with 95 % intervals over deals; a shared win counts as its
part. Decisions a second: one core, many decisions side by side from all over greedy games, apart from the matches.
`--write` puts the tables into agents/README.md; tables of games that are not played again stay.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from machine import describe
from readme import write

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.measure import Share, paired_interval
from boardgames_agents.search import SearchAgent
from boardgames_agents.tournament import play_pairing
from boardgames_env import Batch, Game

PLAYERS = {"fafaru": 5}  # else the least number
DEALS = {"fungi": 100, "fafaru": 60, "tree_society": 60, "mushroom_kingdom": 24}  # an hour in all
RUNGS = ["random", "monte_carlo:sims=400", "ismcts:sims=100", "ismcts:sims=400", "ismcts:sims=1600"]
AGAINST = "greedy"
BELOW = {"ismcts:sims=400": "ismcts:sims=100"}  # played against each other too
CHUNK = 2  # deals a job
MOST_PLIES = 100  # before a position on which decisions a second are counted


@functools.cache
def game_of(name: str) -> Game:
    return boardgames_env.make(name, PLAYERS.get(name))


def shares_of(name: str, pair: tuple[str, str], first: int, deals: int) -> np.ndarray:
    return play_pairing(game_of(name), pair, deals, seed=1_000_000 + first).shares


def play_all(name: str, pairs: list[tuple[str, str]], deals: int, jobs: int) -> dict[tuple[str, str], Share]:
    """Shares of wins of the first of each pair; the pairs are played side by side in `jobs` processes."""
    chunks = list(itertools.product(pairs, range(0, deals, CHUNK)))
    shares: dict[tuple[str, str], list[np.ndarray]] = {pair: [] for pair in pairs}
    with ProcessPoolExecutor(jobs) as pool:
        done = [pool.submit(shares_of, name, pair, first, min(CHUNK, deals - first)) for pair, first in chunks]
        for (pair, _), job in zip(chunks, done):
            shares[pair].append(job.result())
    return {pair: paired_interval(np.concatenate(parts)) for pair, parts in shares.items()}


def decisions_a_second(game: Game, agent_name: str) -> float:
    """On positions from everywhere in greedy games: row i has been played for i decisions, modulo MOST_PLIES."""
    agent = make_agent(game, agent_name, seed=0)
    size = 64 if isinstance(agent, SearchAgent) else 4096
    batch, greedy, plies = Batch(game, size, seed=7), make_agent(game, "greedy"), np.arange(size) % MOST_PLIES
    for ply in range(MOST_PLIES):
        rows = np.flatnonzero(plies > ply)
        batch.step(greedy.act(batch.turns(rows)), rows)
        batch.reset(batch.over)
    turns = batch.turns()
    agent.act(turns)
    rates = []
    for _ in range(3):
        start = time.perf_counter()
        agent.act(turns)
        rates.append(len(turns.seat) / (time.perf_counter() - start))
    return float(np.median(rates))


def ladder(name: str, rungs: list[str], deals: int, jobs: int) -> str:
    """A table in Markdown."""
    game = game_of(name)
    pairs = [(rung, AGAINST) for rung in rungs] + [(rung, BELOW[rung]) for rung in rungs if rung in BELOW]
    start = time.perf_counter()
    shares = play_all(name, pairs, deals, jobs)
    minutes = (time.perf_counter() - start) / 60
    lines = [
        f"{name}, {game.num_players} players, {deals * game.num_players:,} games a pairing; a fair share is "
        f"{100 / game.num_players:.0f} %; {minutes:.0f} minutes in {jobs} processes",
        "",
        f"| agent | wins against `{AGAINST}` | wins against `sims=100` | decisions a second |",
        "|---|---|---|---|",
    ]
    for rung in [AGAINST, *rungs]:
        against = str(shares[rung, AGAINST]) if rung != AGAINST else "·"
        over = str(shares[rung, BELOW[rung]]) if rung in BELOW else "·"
        lines.append(f"| `{rung}` | {against} | {over} | {decisions_a_second(game, rung):,.0f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(DEALS))
    parser.add_argument("--deals", type=int, help="deals a pairing; default by game")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rungs", default=" ".join(RUNGS), help="agents, separated by spaces")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    machine = describe("numpy", "numba")
    print(machine, flush=True)
    for name in arguments.games:
        for agent in arguments.rungs.split():
            make_agent(game_of(name), agent)
        table = ladder(name, arguments.rungs.split(), arguments.deals or DEALS[name], arguments.jobs)
        print(f"\n{table}", flush=True)
        if arguments.write:
            write(f"strength {name}", table, machine)


if __name__ == "__main__":
    main()
