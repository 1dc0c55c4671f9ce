"""The cache of compiled code: used again, never stale, never in the way; threads and forks."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import boardgames_env
from boardgames_env import jit
from tests import tiny

REPOSITORY = Path(__file__).resolve().parent.parent


def run(code, cache, **environment):
    """Run code in a process of its own with this cache folder; returns its output, stderr included."""
    variables = os.environ | {"BOARDGAMES_CACHE_DIR": str(cache), "PYTHONPATH": str(REPOSITORY)} | environment
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        env=variables,
        cwd="/",  # else "" on the path would find this repository first
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


PLAY = """
    from boardgames_env.batch import Batch
    from tests import tiny
    batch = Batch(tiny.make(), 4)
    batch.states.card[:] = [5, 1, 0]
    while not batch.over.all():
        batch.step([1] * 4)
    print("returns", batch.returns[0].tolist())
    stats = getattr(batch._kernels.step_rows, "stats", None)
    print("hits", sum(stats.cache_hits.values()) if stats else "none")
"""


@pytest.fixture(scope="module")
def warm_cache(tmp_path_factory):
    """A cache folder that one process has filled."""
    cache = tmp_path_factory.mktemp("cache")
    output = run(PLAY, cache)
    assert "compiling tiny" in output and "hits 0" in output and "returns [1.0, -1.0]" in output
    return cache


def test_the_next_process_uses_the_cache_and_says_nothing(warm_cache):
    output = run(PLAY, warm_cache)
    assert "compiling" not in output and "hits 1" in output


def test_an_edit_in_any_called_file_is_noticed(warm_cache, tmp_path):
    """Numba's own cache would look at the kernel's file only and play the old rules."""
    copy = tmp_path / "tests"
    shutil.copytree(REPOSITORY / "tests" / "tiny", copy / "tiny")
    (copy / "__init__.py").touch()
    path = f"{tmp_path}{os.pathsep}{REPOSITORY}"
    assert "returns [1.0, -1.0]" in run(PLAY, warm_cache, PYTHONPATH=path)
    values = copy / "tiny" / "values.py"
    values.write_text(values.read_text().replace("10 *", "60 - 10 *"))
    output = run(PLAY, warm_cache, PYTHONPATH=path)
    assert "returns [-1.0, 1.0]" in output and "hits 0" in output


PLAYOUTS = """
    from boardgames_env import Batch, make
    for players in {players}:
        print(players, Batch(make("mushroom_kingdom", players, seasons=3), 4).playout())
"""


def test_what_another_process_compiled_for_other_players_is_not_mixed_up(tmp_path):
    """Numba names functions and records by counts that start anew in every process."""
    alone = run(PLAYOUTS.format(players=[4]), tmp_path)
    (four,) = [line for line in alone.splitlines() if line.startswith("4 ")]
    assert four in run(PLAYOUTS.format(players=[2, 4]), tmp_path)


def test_debug_flags_have_caches_of_their_own(warm_cache):
    assert "hits 0" in run(PLAY, warm_cache, NUMBA_BOUNDSCHECK="1")
    assert "hits 1" in run(PLAY, warm_cache)


def test_without_compilation_the_same_source_runs(tmp_path):
    output = run(PLAY, tmp_path / "none", NUMBA_DISABLE_JIT="1")
    assert "returns [1.0, -1.0]" in output and "hits none" in output and not (tmp_path / "none").exists()


@pytest.mark.parametrize("damage", ["truncated", "garbage"])
def test_damaged_files_cost_a_compilation_only(warm_cache, tmp_path, damage):
    cache = tmp_path / "cache"
    shutil.copytree(warm_cache, cache)
    files = [f for f in cache.rglob("*") if f.suffix in (".nbi", ".nbc")]
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2] if damage == "truncated" else b"garbage" * 9)
    assert "returns [1.0, -1.0]" in run(PLAY, cache)
    assert "hits 1" in run(PLAY, cache)


def test_a_cache_that_cannot_be_written_costs_speed_only(tmp_path):
    (tmp_path / "file").touch()
    assert "returns [1.0, -1.0]" in run(PLAY, tmp_path / "file" / "cache")


def test_a_full_disk_costs_speed_only(tmp_path):
    limited = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    limited += "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
    assert "returns [1.0, -1.0]" in run(limited + textwrap.dedent(PLAY), tmp_path)


def test_old_caches_are_pruned(tmp_path):
    for i in range(12):
        (tmp_path / f"old{i}").mkdir()
        os.utime(tmp_path / f"old{i}", (i, i))
    folder = jit._prepared.__wrapped__(tmp_path / "new")
    left = {f.name for f in tmp_path.iterdir()}
    assert folder.name in left and len(left) == jit.KEPT_FOLDERS and "old11" in left and "old0" not in left


def test_numba_configuration_is_left_as_it_was():
    import numba

    before = numba.config.CACHE_DIR
    jit.kernel(_template, "test-config")
    assert before == numba.config.CACHE_DIR


def _template():
    return 1


def test_functions_that_close_over_values_are_not_cached():
    """No source file shows the value, so the cache could not tell two of them apart."""
    value = 3

    def function():
        return value

    assert jit._cache_folder([function]) is None


def test_fork_after_use_and_use_from_threads(warm_cache):
    """OpenMP would abort the child; a pool of threads that the parent made would hang in it."""
    output = run(
        """
        import os
        import threading
        from boardgames_env.batch import Batch
        from tests import tiny

        def play(seed):
            batch = Batch(tiny.make(), 5000, seed=seed, threads=2)
            while not batch.over.all():
                batch.step(batch.sample())
            return batch.states.tobytes()

        expected = play(1)
        child = os.fork()
        if child == 0:
            os._exit(0 if play(1) == expected else 3)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

        results = {}
        threads = [threading.Thread(target=lambda i=i: results.update({i: play(i % 2)})) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results[0] == results[2] and results[1] == results[3] == expected
        print("alike")
        """,
        warm_cache,
        PYTHONWARNINGS="ignore::DeprecationWarning",
    )
    assert "alike" in output


@jit.jit
def with_an_array(numbers):
    return int((np.full(len(numbers), -1) * numbers).sum())


@jit.jit
def without(numbers):
    return -int(numbers[0]) - int(numbers[1])


once = None  # bound by jit.bind


def doubled(numbers):
    return 2 * once(numbers)


def tripled(numbers):
    return 3 * doubled(numbers)


@pytest.mark.parametrize(("once", "counts"), [(with_an_array, True), (without, False)])
def test_kernels_count_references_only_where_something_allocates(once, counts):
    """However deep it lies; and who says `allocates=False` wrongly pays in speed alone."""
    kernel = jit.kernel(tripled, once.__name__, allocates=False, doubled=jit.bind(doubled, once=once))
    assert kernel(np.array([4, 3])) == -42
    if not jit.DISABLED:
        assert kernel.counts == counts


def test_copy_moves_one_row_and_nothing_beside_it():
    def copy_row(target, source):
        jit.copy(target[1], source[2])

    target, source = np.zeros((3, 11), np.uint8), np.arange(-20, 13, dtype=np.int8).reshape(3, 11)
    jit.kernel(copy_row, "copy")(target, source)
    assert (target[1] == source[2].view(np.uint8)).all() and not target[[0, 2]].any()


def test_kernel_names_tell_games_apart():
    one = jit._identity({"step": tiny.step, "deal": tiny.deal})
    assert one == jit._identity({"deal": tiny.deal, "step": tiny.step})
    assert one != jit._identity({"step": tiny.deal, "deal": tiny.step})
    assert re.fullmatch("[0-9a-f]{12}", one)


@pytest.mark.parametrize("name", [n for n, m in boardgames_env.GAMES.items() if m.startswith("boardgames_env.")])
def test_every_game_runs_from_the_cache(name):
    """What compiles and runs can still crash the next process, which loads it (recursion does)."""
    code = f"""
    from boardgames_env import Batch, make
    batch = Batch(make({name!r}), 4)
    batch.turns().sample(2)
    batch.step(batch.sample())
    print("ended", batch.rollout(500) > 0, batch.playout().shape)
    """
    for _ in range(2):
        output = run(code, jit.cache_root())
    assert "ended True (4,)" in output and "compiling" not in output
