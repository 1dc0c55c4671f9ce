"""boardgames-env itself: single environments, the batch call by call, the batch in one compiled call."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from libraries.common import LEDUC, Row, aec_play, row, seconds, timed

LIBRARY = "boardgames-env"
PLAYERS = {"fafaru": 5}  # where not the fewest
ROWS = 8192

HOW = """\
`fused` is one compiled call for many steps of all rows (`Batch.rollout`); `calls` goes through `legal`, `observe`,
`sample` and `step`, which checks the actions, and `reset`; both with one and with all threads. Each step builds the
observation of the seat to act and the mask in memory and draws the action from a stream of the row's own; finished
games start anew. `env` and `raw_env` are PettingZoo environments, played by the same loop as PettingZoo's own."""


def measure(quick: bool) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as cache:  # so that everything is compiled, and the time that takes is seen
        os.environ["BOARDGAMES_CACHE_DIR"] = cache
        sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
        import boardgames_env

        boardgames_env.register("leduc", "leduc")
        for name in ("leduc", *[name for name in boardgames_env.GAMES if name != "leduc"]):
            options = {"reward": "score"} if name == "leduc" else {}
            yield from of_game(boardgames_env.make(name, PLAYERS.get(name), **options), quick)


def of_game(game, quick: bool) -> Iterator[Row]:
    import boardgames_env

    title = game.name.replace("_", " ").title() + f", {game.num_players} players"
    title = LEDUC if game.name == "leduc" else title
    options = game.options._asdict()
    everything = os.cpu_count() or 1
    for play, form in ((fused, "fused batch"), (calls, "batch, calls")):
        for threads in sorted({1, everything}):
            batch = boardgames_env.Batch(game, ROWS, threads=threads)
            compiled = seconds(lambda play=play, batch=batch: play(batch)(1))
            yield row(LIBRARY, title, form, threads, timed(play(batch), quick), compile_seconds=compiled)
    for make, form in ((boardgames_env.env, "env"), (boardgames_env.raw_env, "raw_env")):
        env = make(game.name, game.num_players, **options)
        compiled = seconds(lambda env=env: aec_play(env)(1))
        yield row(LIBRARY, title, form, 1, timed(aec_play(env), quick), compile_seconds=compiled)


def fused(batch):
    def play(steps: int) -> int:
        each = max(1, steps // batch.size)
        batch.rollout(each)
        return each * batch.size

    return play


def calls(batch):
    mask, obs = batch.legal(), batch.observe()

    def play(steps: int) -> int:
        each = max(1, steps // batch.size)
        for _ in range(each):
            batch.legal(out=mask)
            batch.observe(out=obs)
            batch.step(batch.sample(mask))
            if batch.over.any():
                batch.reset(batch.over)
        return each * batch.size

    return play
