"""The C kernel that ours is measured against (benchmarks/c_kernel.py) plays the same games."""

import c_kernel
import pytest

from boardgames_env import jit


@pytest.mark.skipif(c_kernel.compiler() is None, reason="no C compiler, or a machine that is not little-endian")
@pytest.mark.skipif(jit.DISABLED, reason="uncompiled, thousands of steps take minutes and show nothing more")
@pytest.mark.parametrize("options", [{}, {"reward": "score", "night_doubles_set": True}])
def test_c_and_python_reach_the_same_states(tmp_path, options):
    c_kernel.assert_same_games(c_kernel.build(tmp_path), **options)
