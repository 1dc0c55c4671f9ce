"""Fit what plays, accusations and bets tell of hidden roles and cards in Fafaru.

    python benchmarks/fafaru_beliefs.py [--games N] [--write]

Games of 3 to 7 players, half of them among `greedy`, half among `greedy` and the personalities; of a quarter of the
decisions the true state and `OTHERS` determinizations. `--write` puts the weights into
agents/boardgames_agents/greedy/fafaru_weights.py. Prints how well the true state is told from the others, on games that
were not fitted to: nats, and how often it is the most plausible.
"""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path

import numpy as np
import torch
from machine import describe

import boardgames_env
from boardgames_agents import greedy, make_agent
from boardgames_agents.greedy import fafaru_beliefs as beliefs
from boardgames_env import Batch, Game
from boardgames_env.jit import jit, records

PLAYERS = range(3, 8)
COMPANY = ["greedy", "greedy", "liar", "parrot", "honest", "accuser"]
OTHERS = 12
SHARE = 0.25  # of the decisions
PENALTY = 1e-5  # on the squares of the weights
TARGET = Path(greedy.__file__).with_name("fafaru_weights.py")


@jit
def tally_all(states, seats, found):
    for i in range(len(states)):
        beliefs.tally(states[i], seats[i], found[i])


def counts(states: np.ndarray, seats: np.ndarray) -> np.ndarray:
    found = np.zeros((len(states), beliefs.SIZE), np.int64)
    tally_all(records(states), seats, found)
    return found


def examples(game: Game, games: int, rng: np.random.Generator) -> np.ndarray:
    """float32[N, 1 + OTHERS, SIZE]: counts in the true state, then in the determinizations."""
    agents = [make_agent(game, name, i) for i, name in enumerate(COMPANY)]
    company = rng.integers(len(agents), size=(games, game.num_players))
    company[::2] = 0
    batch = Batch(game, games, int(rng.integers(2**40)))
    parts = []
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        actions, who = np.empty(len(rows), np.int64), company[rows, batch.player[rows]]
        for i, agent in enumerate(agents):
            mine = np.flatnonzero(who == i)
            if len(mine):
                actions[mine] = agent.act(batch.turns(rows[mine]))
        chosen = rows[rng.random(len(rows)) < SHARE]
        if len(chosen):
            turns = batch.turns(chosen)
            others = counts(turns.sample(OTHERS, int(rng.integers(2**40))), np.repeat(turns.seat, OTHERS))
            true = counts(batch.states[chosen], turns.seat)
            both = [true[:, None], others.reshape(len(chosen), OTHERS, -1)]
            parts.append(np.concatenate(both, axis=1, dtype=np.float32))
        batch.step(actions, rows)
    return np.concatenate(parts)


def fit(found: torch.Tensor) -> torch.Tensor:
    weights = torch.zeros(beliefs.SIZE, requires_grad=True)
    optimizer = torch.optim.Adam([weights], 0.05)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 30)
    for _ in range(30):
        for rows in torch.randperm(len(found)).split(4096):
            loss = surprise(found[rows] @ weights) + PENALTY * (weights**2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        schedule.step()
    return weights.detach()


def surprise(plausible: torch.Tensor) -> torch.Tensor:
    """Mean negative log probability of the true state, the first of each row."""
    return torch.nn.functional.cross_entropy(plausible, torch.zeros(len(plausible), dtype=torch.long))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="with each number of players")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    print(describe("numpy", "numba", "torch"), flush=True)
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    games = [boardgames_env.make("fafaru", n) for n in PLAYERS]
    found = torch.as_tensor(np.concatenate([examples(game, arguments.games, rng) for game in games]))
    tests = torch.as_tensor(np.concatenate([examples(game, max(1, arguments.games // 5), rng) for game in games]))
    weights = fit(found)
    plausible = tests @ weights
    hits = (plausible.argmax(1) == 0).float().mean()
    print(
        f"{len(found):,} decisions: the true state among {OTHERS} others costs {surprise(plausible):.2f} nats "
        f"(without weights {np.log(1 + OTHERS):.2f}), and is the most plausible in {100 * hits:.0f} %"
    )
    if arguments.write:
        write(weights)


def write(weights: torch.Tensor) -> None:
    numbers = textwrap.fill(", ".join(f"{w:.2f}" for w in weights.tolist()), 116)
    TARGET.write_text(
        '"""Written by benchmarks/fafaru_beliefs.py; what each number belongs to is in fafaru_beliefs.py."""\n\n'
        f"import numpy as np\n\n# fmt: off\nWEIGHTS = np.array([\n{textwrap.indent(numbers, '    ')}\n])\n"
    )


if __name__ == "__main__":
    main()
