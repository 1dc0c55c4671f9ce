"""Replays: written and read again, and every kind of wrong line named with file and line."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boardgames_env
from boardgames_env import replay
from boardgames_env.batch import Batch
from tests import tiny

GAME = boardgames_env.make("fungi", reward="score")


def some_replays(count=3):
    batch, actions = Batch(GAME, count, seed=20), []
    while not batch.over.all():
        actions.append(batch.sample())
        batch.step(actions[-1])
    return batch, replay.record(batch, actions, [["random", "random"]] * count)


BATCH, REPLAYS = some_replays()
LINE = REPLAYS[0].to_json()
RECORD = json.loads(LINE)


def test_written_and_read_again(tmp_path):
    file = tmp_path / "games.jsonl"
    replay.write(file, REPLAYS[:1])
    replay.write(file, REPLAYS[1:])
    assert list(replay.read(file)) == REPLAYS
    states = list(REPLAYS[1].states())
    assert states[-1].tobytes() == BATCH.states[1].tobytes() and len(states) == len(REPLAYS[1].actions) + 1
    assert list(RECORD) == ["game", "version", "num_players", "options", "seed", "actions", "agents", "returns"]


def changed(**fields):
    return json.dumps(RECORD | fields)


WRONG = {
    "not JSON": ("{", "not a JSON object"),
    "not UTF-8": (b"\xff\xfe", "not a JSON object"),
    "a list": ("[1]", "not a JSON object"),
    "nested too deep": ("[" * 100_000, "not a JSON object"),
    "no seed": (json.dumps({k: v for k, v in RECORD.items() if k != "seed"}), "needs 'seed', of type int"),
    "seed true": (changed(seed=True), "needs 'seed', of type int"),
    "seed negative": (changed(seed=-1), "seed must be an integer in"),
    "unknown game": (changed(game="chess"), "unknown game 'chess'; the games are"),
    "players": (changed(num_players=3), "num_players must be 2"),
    "option": (changed(options={"x": 1}), "unknown option 'x'"),
    "version": (changed(version=99), "recorded under version 99 of the rules, this is version"),
    "action text": (changed(actions=["0"]), "actions must be integers"),
    "action too large": (
        changed(actions=[10**30]),
        r"ply 0: action 1000000000000000000000000000000 is not in 0\.\.220",
    ),
    "action illegal": (
        changed(actions=[7] + RECORD["actions"][1:]),
        r"ply 0: 'take position 8' \(action 7\) is not legal",
    ),
    "cut off": (changed(actions=RECORD["actions"][:-1]), "not over after the last action"),
    "too long": (changed(actions=RECORD["actions"] + [0]), "the game is over after"),
    "far too long": (changed(actions=[0] * 1000), "no game has more than 98 actions"),
    "returns": (changed(returns=[9.0, -9.0]), r"recorded is \[9.0, -9.0\]"),
    "returns text": (changed(returns=["1", "2"]), "returns must be numbers"),
    "agents": (changed(agents=["random"]), "must have 2 entries"),
    "empty line": ("", "not a JSON object"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_lines_are_named(name, tmp_path):
    line, message = WRONG[name]
    file = tmp_path / "games.jsonl"
    line = line if isinstance(line, bytes) else line.encode()
    file.write_bytes(LINE.encode() + b"\n" + line + b"\n")
    with pytest.raises(ValueError, match=rf"games.jsonl, line 2: .*{message}"):
        list(replay.read(file))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_lines_are_refused_or_harmless(data):
    position = data.draw(st.integers(0, len(LINE) - 1))
    text = LINE[:position] + data.draw(st.characters(codec="utf-8")) + LINE[position + 1 :]
    try:
        replay.parse(text).check()
    except ValueError:
        return
    assert json.loads(text).keys() >= RECORD.keys()


def test_games_of_different_lengths_in_one_batch():
    for row, one in enumerate(REPLAYS):
        assert len(one.actions) == BATCH.states.ply[row]
    assert len({len(one.actions) for one in REPLAYS}) > 1


def test_registered_games_have_replays_too():
    boardgames_env.register("tiny", "tests.tiny")
    try:
        batch = Batch(tiny.make(num_players=3), 1, seed=1)
        batch_actions = []
        while not batch.over.all():
            batch_actions.append(np.ones(1, np.int64))
            batch.step(batch_actions[-1])
        (one,) = replay.record(batch, batch_actions, [["a", "b", "c"]])
        assert replay.parse(one.to_json()).check() == one
    finally:
        del boardgames_env.GAMES["tiny"]
