"""Agreement with the reference where random play seldom gets: mycelium, absorption, destruction, full hands."""

import pytest

from boardgames_env import make
from tests.agreement import check_agreement, variant_id
from tests.mushroom_kingdom import bridge


@pytest.mark.parametrize("variant", bridge.VARIANTS, ids=variant_id)
def test_agrees_with_the_reference_on_rare_verbs(variant):
    game = make("mushroom_kingdom", **variant)
    check_agreement(bridge, game, 40, seed=1000, policy=bridge.PreferRare(game))


def test_twos_are_no_more_than_the_threes_leave():
    """M2: rounding halves up would make 13 + 13 tiles of the 25."""
    game = make("mushroom_kingdom", board_size=5, fertility_weights=(0.5, 0.5, 0))
    check_agreement(bridge, game, 2)
