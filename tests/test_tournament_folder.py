"""Tournaments in a folder: stopped in every way and gone on with, in several processes, refused where they must be."""

import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import boardgames_env
from boardgames_agents.policy import Layer, Network, save_policy
from boardgames_agents.tournament import play_tournament, workers
from boardgames_agents.tournament.plan import UNIT
from boardgames_env import replay

ROOT = Path(__file__).resolve().parent.parent
GAME = boardgames_env.make("fungi")
AGENTS = ["greedy", "random"]
DEALS = 40  # two units and a half
FILES = ("tournament.json", "games.jsonl", "table.csv", "cross.csv", "table.json", "plot.png")


def hold(folder, resume=False, deals=DEALS, **more):
    return play_tournament(GAME, AGENTS, deals, seed=7, folder=folder, resume=resume, **more)


def contents(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of an undisturbed tournament."""
    folder = tmp_path_factory.mktemp("tournament") / "whole"
    hold(folder)
    return folder


def test_every_game_is_a_replay(whole):
    games = list(replay.read(whole / "games.jsonl"))
    assert len(games) == 2 * DEALS and [one.seed for one in games[:4]] == [7, 7, 8, 8]
    assert [one.agents for one in games[:2]] == [["greedy", "random"], ["random", "greedy"]]
    lines = [json.loads(line) for line in (whole / "games.jsonl").read_text().splitlines()]
    assert [line["table"] for line in lines[:4]] == [0, 0, 1, 1] and "camps" not in lines[0]
    assert lines[0]["scores"] == [float(score) for score in list(games[0].states())[-1]["score"]]
    table = json.loads((whole / "table.json").read_text())
    assert table["settings"] == json.loads((whole / "tournament.json").read_text())
    assert table["standings"][0]["agent"] == "greedy" and table["standings"][0]["games"] == 2 * DEALS


def test_any_number_of_processes_gives_the_same_files(whole, tmp_path):
    hold(tmp_path / "two", jobs=2)
    assert contents(tmp_path / "two") == contents(whole)


@pytest.mark.parametrize("left", [0, 1, 0.3, 0.42, 0.5, 0.77, 0.99, -1, 1.0])
def test_what_was_cut_off_anywhere_is_played_again(left, whole, tmp_path):
    """A share of the file, or a number of bytes: the last line may be torn, the last unit incomplete."""
    folder = tmp_path / "cut"
    folder.mkdir()
    games = (whole / "games.jsonl").read_bytes()
    cut = int(left * len(games)) if isinstance(left, float) else left % len(games)
    (folder / "tournament.json").write_bytes((whole / "tournament.json").read_bytes())
    (folder / "games.jsonl").write_bytes(games[:cut])
    seen = []

    def look(done, total):
        lines = (folder / "games.jsonl").read_bytes()
        seen.append(done)
        assert lines.count(b"\n") == done and games.startswith(lines), "nothing else is left in the file"

    results = hold(folder, resume=True, report=look)
    assert contents(folder) == contents(whole) and results.games == seen[-1] == 2 * DEALS


def test_a_start_that_was_killed_at_once(whole, tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "lock").write_text("1\n")
    (folder / "tournament.json.part").write_text("{")
    with pytest.raises(ValueError, match=r"holds no tournament.json to resume: start the tournament without --resume"):
        hold(folder, resume=True)
    hold(folder)
    assert contents(folder) == contents(whole)


# --- Refusals -----------------------------------------------------------------------------------------------


def test_a_folder_is_not_written_to_twice(whole, tmp_path):
    with pytest.raises(ValueError, match="whole holds a tournament already: go on with --resume, or choose another"):
        hold(whole)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="holds other files, or choose another"):
        hold(tmp_path)
    with pytest.raises(ValueError, match=r"nowhere holds no tournament\.json"):
        hold(tmp_path / "nowhere", resume=True)
    assert not (tmp_path / "nowhere").exists()


OTHERS = {
    "agents": ({"agents": ["random", "greedy"]}, r"agents there is \['greedy', 'random'\], here \['random', "),
    "deals": ({"deals": 41}, "deals there is 40, here 41"),
    "seed": ({"seed": 8}, "seed there is 7, here 8"),
    "option": (
        {"game": boardgames_env.make("fungi", night_doubles_set=True)},
        "option night_doubles_set there is False, here True",
    ),
    "rules": ({"game": GAME._replace(version=99)}, f"version there is {GAME.version}, here 99"),
    "game": (
        {"game": boardgames_env.make("fafaru", 3)},
        "game there is 'fungi', here 'fafaru'; .*_players there is 2, here",
    ),
}


@pytest.mark.parametrize("what", OTHERS)
def test_another_tournament_is_not_gone_on_with(what, whole):
    changes, message = OTHERS[what]
    wanted = {"game": GAME, "agents": AGENTS, "deals": DEALS, "seed": 7} | changes
    before = contents(whole)
    with pytest.raises(ValueError, match=f"whole holds another tournament: .*{message}"):
        play_tournament(**wanted, folder=whole, resume=True)
    assert contents(whole) == before


def test_another_version_of_the_package_is_refused(whole, monkeypatch):
    version = re.escape(boardgames_env.__version__)
    monkeypatch.setattr(boardgames_env, "__version__", "99.0")
    with pytest.raises(ValueError, match=rf"package there is '{version}', here '99\.0'"):
        hold(whole, resume=True)


@pytest.mark.parametrize("text", ["", "[]", "{", "\xff"])
def test_damaged_settings_are_named(text, tmp_path):
    (tmp_path / "tournament.json").write_text(text, encoding="latin-1")
    with pytest.raises(ValueError, match=r"tournament\.json is damaged"):
        hold(tmp_path, resume=True)


def test_games_that_do_not_belong_are_named(whole, tmp_path):
    (tmp_path / "tournament.json").write_bytes((whole / "tournament.json").read_bytes())
    lines = (whole / "games.jsonl").read_bytes().splitlines(keepends=True)
    games = tmp_path / "games.jsonl"
    for change, message in (
        (
            lines[:4] + [lines[9]] + lines[5:],
            "line 5: this should be a game of fungi at table 2, seed 9, greedy, random",
        ),
        (lines[:4] + [b"{}\n"] + lines[5:], "line 5: this should be"),
        (lines[:4] + [b"\xff\n"] + lines[5:], "line 5: this should be"),
        (lines + lines[:1], f"there are games beyond the last, line {2 * DEALS}"),
    ):
        games.write_bytes(b"".join(change))
        with pytest.raises(ValueError, match=rf"games.jsonl.*{message}"):
            hold(tmp_path, resume=True)
        assert games.read_bytes() == b"".join(change), "nothing was changed"


def test_two_tournaments_do_not_write_into_one_folder(tmp_path):
    def another(done, total):
        with pytest.raises(ValueError, match=rf"process {os.getpid()} is writing into .*run: wait for it, or stop it"):
            hold(tmp_path / "run", resume=True)
        seen.append(done)

    seen = []
    hold(tmp_path / "run", report=another)
    assert seen == [0, 2 * UNIT, 4 * UNIT, 2 * DEALS]
    hold(tmp_path / "run", resume=True)


# --- Stopped ------------------------------------------------------------------------------------------------

MANY = 800
COMMAND = """
import signal, sys
from boardgames_agents import cli
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start background jobs with SIGINT ignored
    cli.main()
"""


def start(folder, *more, before=""):
    arguments = ("tournament", "fungi", *AGENTS, "--seed", "7", "--deals", str(MANY), "--folder", folder, *more)
    return subprocess.Popen(
        [sys.executable, "-c", before + COMMAND, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"COLUMNS": "200"},
    )


def until(condition, seconds=120):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.01)


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def runs(pid):
    """Whether the process is there and has not ended (a zombie waits for whoever inherits it)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tournament") / "long"
    hold(folder, deals=MANY)
    return folder


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are listed in /proc")
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_stopped_in_the_middle_and_gone_on_with(sign, jobs, long, tmp_path):
    folder = tmp_path / "run"
    process = start(folder, "--jobs", str(jobs))
    games = folder / "games.jsonl"
    until(lambda: process.poll() is not None or (games.exists() and games.stat().st_size > 100_000))
    started = children(process.pid) if process.poll() is None else []
    if sign == signal.SIGKILL:
        process.kill()
    else:
        os.killpg(process.pid, sign)  # as a terminal does
    output, errors = process.communicate(timeout=60)
    if sign == signal.SIGINT:
        assert process.returncode == 130 and f"go on with --resume (the games are in {folder})" in output, errors
        assert errors == ""
    until(lambda: not any(map(runs, started)), 30)
    assert 0 < games.stat().st_size < (long / "games.jsonl").stat().st_size, "it was stopped in the middle"
    hold(folder, resume=True, deals=MANY)
    assert contents(folder) == contents(long)


def test_a_worker_that_dies_is_reported(long, tmp_path):
    def kill_one():
        until(multiprocessing.active_children)
        multiprocessing.active_children()[0].kill()

    killer = threading.Thread(target=kill_one)
    killer.start()
    with pytest.raises(ChildProcessError, match=r"worker process \d+ died \(killed by signal 9\) over unit .*--resume"):
        hold(tmp_path / "run", deals=MANY, jobs=2)
    killer.join()
    assert not multiprocessing.active_children()
    hold(tmp_path / "run", deals=MANY, resume=True, jobs=2)
    assert contents(tmp_path / "run") == contents(long)


def busy_worker():
    """What a worker does that thinks for long."""
    threading.Thread(target=workers._die_with_parent, daemon=True).start()
    time.sleep(600)


PARENT = """
import multiprocessing
from tests.test_tournament_folder import busy_worker
if __name__ == "__main__":
    process = multiprocessing.get_context("spawn").Process(target=busy_worker)
    process.start()
    print(process.pid, flush=True)
    process.join()
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are listed in /proc")
def test_a_busy_worker_dies_with_its_parent():
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        worker = int(parent.stdout.readline())
        time.sleep(0.5)
        assert runs(worker)
        parent.kill()
    until(lambda: not runs(worker), 60)


def test_what_an_agent_raises_in_a_worker_arrives(tmp_path):
    file = tmp_path / "policy.safetensors"
    shape = GAME.num_actions, GAME.observation.itemsize
    save_policy(file, GAME, Network([], [Layer(np.zeros(shape, np.float32), np.zeros(shape[0], np.float32))]), {})
    with pytest.raises(ValueError, match="there is no policy file"):
        play_tournament(GAME, ["random", f"policy:{file}"], 40, jobs=2, report=lambda *_: file.unlink(missing_ok=True))
    assert not multiprocessing.active_children()


FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
"""


def test_a_full_disk_leaves_an_intact_folder(long, tmp_path):
    pytest.importorskip("resource")
    folder = tmp_path / "run"
    process = start(folder, before=FULL.format(limit=100_000))
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1 and "Traceback" not in errors
    assert re.search("File too large; the games until then are kept: make room and --resume.*games.jsonl", errors)
    games, wanted = (folder / "games.jsonl").read_bytes(), (long / "games.jsonl").read_bytes()
    assert wanted.startswith(games) and games.count(b"\n") % (2 * UNIT) == 0 and len(games) > 50_000
    hold(folder, resume=True, deals=MANY)
    assert contents(folder) == contents(long)


def test_tables_that_cannot_be_written(long, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("boardgames_agents.tournament.show.write_cross", full)
    with pytest.raises(OSError, match=r"No space left on device; all games are kept: make room, and --resume writes"):
        hold(tmp_path / "run")
    monkeypatch.undo()
    assert hold(tmp_path / "run", resume=True).games == 2 * DEALS
