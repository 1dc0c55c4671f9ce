"""Every Python snippet of the documentation and every example runs, with warnings as errors."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
DOCUMENTS = ["README.md", "agents/README.md"]


def snippets():
    found = []
    for document in DOCUMENTS:
        blocks = re.findall(r"```python\n(.*?)```", (REPOSITORY / document).read_text(), re.DOTALL)
        found += [pytest.param(block, id=f"{document}-{i}") for i, block in enumerate(blocks)]
    return found


def run(*arguments, cwd):
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"COLUMNS": "120"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("code", snippets())
def test_snippet(code, tmp_path):
    run("-W", "error", "-c", code, cwd=tmp_path)


def test_demo(tmp_path):
    """Shortened; twice, since a second `make demo` must work too."""
    demo = REPOSITORY / "examples" / "demo.py"
    for _ in range(2):
        output = run(demo, "--minutes", "0.1", "--deals", "20", cwd=tmp_path)
    folder = tmp_path / "runs" / "demo"
    names = {file.name for file in folder.iterdir()}
    assert {"policy.safetensors", "curve.png", "cross_table.csv", "replay.jsonl"} <= names
    assert "Cross table" in output and "boardgames play fungi" in output
    assert len((folder / "replay.jsonl").read_text().splitlines()) == 1


def test_add_a_game(tmp_path):
    output = run("-W", "error", REPOSITORY / "examples" / "add_a_game.py", cwd=tmp_path)
    assert "The game is over." in output and "chips a game" in output


# With arguments that shorten them, and what they print.
SHORT = {
    "train_sb3.py": (["--steps", "20000", "--opponents", "random"], "wins against greedy: "),
    "train_aec.py": (["--games", "150"], "after 150 games of self-play it wins "),
    "custom_agent.py": ([], "alone against four greedy it wins "),
    "shipped_policy.py": (["mushroom_kingdom", "--deals", "20"], " against greedy; a fair share is 50%"),
}


@pytest.mark.parametrize("script", SHORT)
def test_example(script, tmp_path):
    arguments, wanted = SHORT[script]
    assert wanted in run("-W", "error", REPOSITORY / "examples" / script, *arguments, cwd=tmp_path)


def test_every_example_is_known():
    """An example without a test is not run by anybody."""
    assert {file.name for file in (REPOSITORY / "examples").glob("*.py")} == {"add_a_game.py", "demo.py", *SHORT}


def test_training_takes_less_than_sixty_lines():
    assert len((REPOSITORY / "examples" / "train_sb3.py").read_text().splitlines()) < 60


@pytest.mark.parametrize(
    "script",
    [
        "throughput.py",
        "training.py",
        "agreement.py",
        "peers.py",
        "leduc_agreement.py",
        "policies.py",
        "fafaru_beliefs.py",
    ],
)
def test_benchmarks_start(script):
    assert "usage" in run(REPOSITORY / "benchmarks" / script, "--help", cwd=REPOSITORY)
