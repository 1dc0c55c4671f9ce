"""The C kernel that ours is measured against (benchmarks/c_kernel.py) plays the same games."""

import importlib
from pathlib import Path

import pytest

from boardgames_env import jit

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"


@pytest.fixture(scope="module")
def c_kernel():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        module = importlib.import_module("c_kernel")
    if module.compiler() is None:
        pytest.skip("no C compiler, or a machine that is not little-endian")
    return module


@pytest.mark.skipif(jit.DISABLED, reason="uncompiled, thousands of steps take minutes and show nothing more")
@pytest.mark.parametrize("options", [{}, {"reward": "score", "night_doubles_set": True}])
def test_c_and_python_reach_the_same_states(c_kernel, tmp_path, options):
    c_kernel.assert_same_games(c_kernel.build(tmp_path), **options)
