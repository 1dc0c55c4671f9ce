"""What holds for every game, player count and option: the contract, and agreement with the reference."""

from pathlib import Path

import pytest

import boardgames_env
from boardgames_env import jit
from boardgames_env.testing import check_game
from tests.agreement import POLICIES, all_variants, bridge_of, check_agreement, variant_id

REFERENCE_GAMES = 8  # for each variant and policy; benchmarks/agreement.py plays 10,000
REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.mark.modes
@pytest.mark.parametrize(("name", "variant"), all_variants(), ids=variant_id)
def test_contract(name, variant):
    games = 2 if jit.DISABLED else 6  # plain Python is hundreds of times slower
    check_game(boardgames_env.make(name, **variant), games=games, conserved=bridge_of(name).conserved)


@pytest.mark.parametrize(("name", "variant"), all_variants(), ids=variant_id)
def test_contract_over_many_games(name, variant):
    check_game(boardgames_env.make(name, **variant), games=64, seed=100, conserved=bridge_of(name).conserved)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("name", "variant"), all_variants(), ids=variant_id)
def test_agrees_with_the_reference(name, variant, policy):
    check_agreement(bridge_of(name), boardgames_env.make(name, **variant), REFERENCE_GAMES, policy=policy)


@pytest.mark.parametrize("name", boardgames_env.GAMES)
def test_every_player_count_has_a_variant(name):
    module = boardgames_env.game.game_module(name)
    counts = {variant.get("num_players", module.PLAYERS[0]) for variant in bridge_of(name).VARIANTS}
    assert counts == set(module.PLAYERS)


@pytest.mark.parametrize("name", boardgames_env.GAMES)
def test_every_game_is_complete(name):
    """A new game is not finished before it has rules in words, playthroughs, a reference and a README row."""
    folder = REPOSITORY / "boardgames_env" / name
    for file in ("__init__.py", "rules.py", "observation.py", "text.py", "RULES.md"):
        assert (folder / file).is_file(), f"{folder / file} is missing"
    assert (REPOSITORY / "tests" / name / "reference.py").is_file()
    bridge = bridge_of(name)
    assert bridge.PLAYTHROUGHS
    for playthrough in bridge.PLAYTHROUGHS:
        assert (REPOSITORY / "tests" / name / "playthroughs" / f"{playthrough}.txt").is_file()
    assert f"(boardgames_env/{name}/RULES.md)" in (REPOSITORY / "README.md").read_text()
