"""Golden playthroughs: one whole game in words, compared line by line. The diff is the review.

`python -m tests.test_playthroughs` writes them anew. A changed playthrough means that the rules or the observation
changed: bump the game's VERSION and say so in CHANGELOG.md.
"""

from pathlib import Path

import numpy as np
import pytest

import boardgames_env
from boardgames_agents import make_agent
from boardgames_env.batch import Batch
from boardgames_env.game import action_names
from tests.agreement import bridge_of, named_fields

FOLDER = Path(__file__).resolve().parent


def cases():
    return [(game, name) for game in boardgames_env.GAMES for name in bridge_of(game).PLAYTHROUGHS]


class Chance:
    """Random legal actions, drawn its own way: how the agent `random` draws may change, these files shall not."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def act(self, turns):
        draws = self.rng.random(turns.mask.shape, dtype=np.float32)
        return np.where(turns.mask, draws, -1.0).argmax(axis=1)


def playthrough(game_name, name):
    """The text of one game: state, legal actions, observations of all seats and the action at every decision."""
    arguments, seed, agent_name = bridge_of(game_name).PLAYTHROUGHS[name]
    game = boardgames_env.make(game_name, **arguments)
    agent = Chance(seed) if agent_name == "random" else make_agent(game, agent_name)
    batch, names = Batch(game, 1, seed), list(action_names(game))
    lines = [f"{game}, rules version {game.version}, seed {seed}, played by {agent_name}"]
    while not batch.over[0]:
        state = batch.states[0]
        lines += ["", f"--- ply {state.ply}", game.text(state)]
        lines += ["legal: " + "; ".join(names[a] for a in np.flatnonzero(batch.legal()[0]))]
        for seat in range(game.num_players):
            fields = named_fields(game, batch.fields(batch.observe(seat))[0])
            lines += [f"seat {seat} sees: " + " ".join(f"{k}={compact(v)}" for k, v in fields.items())]
        action = agent.act(batch.turns())
        lines += [f"> player {state.player}: {names[action[0]]}"]
        batch.step(action)
    lines += ["", "--- end", game.text(batch.states[0])]
    lines += [f"scores {game.scores(batch.states)[0].tolist()}, returns {batch.returns[0].round(4).tolist()}", ""]
    return "\n".join(lines)


def compact(value):
    """Numbers without spaces; one-hot rows and histograms of small numbers as digits."""
    if isinstance(value, list):
        if all(isinstance(item, int) and item < 10 for item in value):
            return "".join(map(str, value))
        return "[" + ",".join(compact(item) for item in value) + "]"
    return str(value)


@pytest.mark.modes
@pytest.mark.parametrize(("game_name", "name"), cases())
def test_playthrough(game_name, name):
    golden = (FOLDER / game_name / "playthroughs" / f"{name}.txt").read_text().splitlines()
    played = playthrough(game_name, name).splitlines()
    for number, (old, new) in enumerate(zip(golden, played), start=1):
        assert old == new, f"{game_name}/{name}.txt, line {number}: the game is played differently now"
    assert len(golden) == len(played)


if __name__ == "__main__":
    for game_name, name in cases():
        file = FOLDER / game_name / "playthroughs" / f"{name}.txt"
        file.parent.mkdir(exist_ok=True)
        file.write_text(playthrough(game_name, name))
        print(f"wrote {file.relative_to(FOLDER)}")
