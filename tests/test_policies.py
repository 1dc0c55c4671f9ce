"""The policies that ship: each plays its game, is small, and says how it was made."""

from pathlib import Path

import numpy as np
import pytest

import boardgames_env
import leduc
from boardgames_agents import make_agent
from boardgames_agents.policy import SHIPPED, load_policy, shipped_policy
from boardgames_agents.tournament import play_pairing
from boardgames_agents.training import Settings
from boardgames_agents.training.settings import command

README = Path(__file__).resolve().parent.parent / "agents" / "README.md"
WANTED = [
    *("fungi-2", "tree_society-2", "tree_society-3", "tree_society-4"),
    *("mushroom_kingdom-2", "mushroom_kingdom-4", "fafaru-4", "fafaru-5"),
]


def game_of(policy):
    name, _, players = policy.rpartition("-")
    return boardgames_env.make(name, int(players))


def test_all_are_there_and_small():
    sizes = {file.stem: file.stat().st_size for file in SHIPPED.iterdir()}
    assert sorted(sizes) == sorted(WANTED)
    assert max(sizes.values()) <= 2_000_000


@pytest.mark.parametrize("policy", WANTED)
def test_each_plays_its_game_and_beats_random(policy):
    game = game_of(policy)
    pairing = play_pairing(game, ("policy", "random"), 40, seed=2**41)
    assert pairing.share.mean > 1.6 / game.num_players
    drawn = play_pairing(game, ("policy:sample=1", "random"), 20, seed=2**41)
    assert drawn.share.mean > 1.3 / game.num_players


@pytest.mark.parametrize("policy", WANTED)
def test_each_says_how_it_was_made(policy):
    _, summary = load_policy(SHIPPED / f"{policy}.safetensors", game_of(policy))
    assert summary["steps"] >= 5_000_000 and {"steps", "rating", "random", "greedy"} <= set(summary["result"])
    settings = {key: tuple(value) if isinstance(value, list) else value for key, value in summary["settings"].items()}
    line = command(Settings(**settings))
    assert f"\n{line}\n" in README.read_text()


def test_where_none_ships():
    with pytest.raises(ValueError, match="no policy ships for fafaru with 9 players, but for 4, 5; train one"):
        make_agent(boardgames_env.make("fafaru", 9), "policy")
    with pytest.raises(ValueError, match="no policy ships for leduc with 2 players, but for no number of them"):
        make_agent(leduc.make(2), "policy")
    with pytest.raises(ValueError, match=r"has options .*\"seasons\": 12.*, wanted is .*\"seasons\": 2"):
        make_agent(boardgames_env.make("mushroom_kingdom", 2, seasons=2), "policy")


def test_one_decision_in_a_batch_or_alone():
    game = boardgames_env.make("tree_society", 2)
    agent, batch = make_agent(game, "policy"), boardgames_env.Batch(game, 20)
    for _ in range(10):
        batch.step(agent.act(batch.turns()))
    together = agent.act(batch.turns())
    alone = [agent.act(batch.turns([row]))[0] for row in range(20)]
    assert np.mean(together == alone) > 0.9  # sums in another order may tip a close choice
    assert shipped_policy(game).name == "tree_society-2.safetensors"
