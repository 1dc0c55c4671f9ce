"""benchmarks/peers.py without the peers: one that is missing, fails or crashes is reported, and the others go on."""

import json

import peers
import pytest
from libraries import ours
from libraries.common import LEDUC, Row, timed

import boardgames_env

ROW = "Row('Fake', 'Chess', 'step', 1, 100.0, 90.0, 110.0)"
MODULES = {
    "sound": f"yield {ROW}\n    yield {ROW}",
    "raising": f"yield {ROW}\n    raise ValueError('no such game')",
    "not_importing": "import a_library_that_nobody_has\n    yield",
    "crashing": f"yield {ROW}\n    import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
    "leaving": "import os; os._exit(3)\n    yield",
}
PROBLEMS = {
    "sound": (2, ""),
    "raising": (1, "failed: ValueError: no such game"),
    "not_importing": (0, "failed: ModuleNotFoundError: No module named 'a_library_that_nobody_has'"),
    "crashing": (1, "failed: killed by SIGSEGV"),
    "leaving": (0, "failed: exit status 3"),
    "missing": (
        0,
        "skipped: a-package-that-nobody-has not installed (pip install -r benchmarks/requirements-peers.txt)",
    ),
}


@pytest.fixture
def fakes(tmp_path, monkeypatch):
    """Peers that do all that can go wrong."""
    for name, body in MODULES.items():
        source = f"from libraries.common import Row\nHOW = 'so'\ndef measure(quick):\n    {body}\n"
        (tmp_path / f"fake_{name}.py").write_text(source)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    found = {name: peers.Peer(f"fake_{name}", ("numpy",)) for name in MODULES}
    found["missing"] = peers.Peer("libraries.pgx", ("numpy", "a-package-that-nobody-has"))
    monkeypatch.setattr(peers, "PEERS", found)
    return found


def test_broken_peers_are_reported_and_the_others_go_on(fakes, tmp_path, capsys):
    outcomes = peers.compare({**fakes, "sound_again": fakes["sound"]}, quick=True)
    assert {o.name: (len(o.rows), o.problem) for o in outcomes} == {**PROBLEMS, "sound_again": (2, "")}
    printed = capsys.readouterr().out
    for _, problem in PROBLEMS.values():
        assert problem in printed

    peers.write(tmp_path, "a machine", "Leduc agrees", outcomes[:-1])
    page = (tmp_path / "RESULTS.md").read_text()
    for _, problem in PROBLEMS.values():
        assert problem in page
    assert "| Fake | Chess | step | 1 | 100.0  (90.0 –110.0 ) |" in page
    assert "not idle" not in peers.idleness(0.3)
    assert "load 5.4 before the run" in peers.idleness(5.4)
    listed = json.loads((tmp_path / "peers.json").read_text())
    assert [len(library["rows"]) for library in listed["libraries"]] == [2, 1, 0, 1, 0, 0]
    assert (tmp_path / "peers.png").read_bytes().startswith(b"\x89PNG")


def leduc(library, form, rate, cores=1):
    return Row(library, LEDUC, form, cores, rate, rate, rate)


def test_ratios_take_the_fastest_form_and_say_what_is_met(monkeypatch):
    monkeypatch.setattr(peers.os, "cpu_count", lambda: 2)
    rows = [
        leduc("boardgames-env", "fused batch", 30e6),
        leduc("boardgames-env", "fused batch", 60e6, cores=2),
        leduc("Pgx", "auto resetting, batch of 64", 1e6, cores=2),
        leduc("Pgx", "by the game, batch of 64", 5e6, cores=2),
        leduc("RLCard", "step by step", 0.2e6),
        Row("RLCard", "Uno", "step by step", 1, 9e6, 9e6, 9e6),
    ]
    table = "\n".join(peers.ratios(rows))
    assert "| Pgx, by the game, batch of 64, 2 cores | 5.00 M" in table and "| 12.0 | ≥ 10: met |" in table
    assert "| Pgx, auto resetting, batch of 64, 2 cores | 1.00 M" in table and "| 60.0 |  |" in table
    assert "| 150.0 | ≥ 200: MISSED |" in table
    assert "OpenSpiel" not in table


def test_every_peer_says_how_and_states_what_it_needs():
    requirements = [line for line in peers.REQUIREMENTS.read_text().splitlines() if not line.startswith("#")]
    assert all(line.count("==") == 1 for line in requirements)
    constraints = (peers.REQUIREMENTS.parent.parent / "constraints.txt").read_text()
    pinned = [line.split("==")[0] for line in [*requirements, *constraints.splitlines()]]
    for name, peer in peers.PEERS.items():
        assert peers.how(name).strip()
        for package in peer.needs:
            assert package.lower() in map(str.lower, pinned), f"{package} is not pinned"


def test_ours_is_measured_in_every_form(monkeypatch):
    import leduc

    monkeypatch.setitem(boardgames_env.GAMES, "leduc", "leduc")
    rows = list(ours.of_game(leduc.make(reward="score"), {"leduc env": 1.5}, quick=True))
    assert {row.form for row in rows} == {"fused batch", "batch, calls", "env", "raw_env"}
    assert [row.compile_seconds for row in rows if row.form == "env"] == [1.5]
    assert all(row.is_leduc and 0 < row.least <= row.median <= row.greatest for row in rows)


def test_timed_counts_what_was_done():
    calls = []

    def play(steps):
        calls.append(steps)
        return sum(1 for _ in range(steps))

    assert timed(play, quick=True).median > 1e4
    assert len(set(calls[-6:])) == 1  # the warm-up and the five repeats do the same work
