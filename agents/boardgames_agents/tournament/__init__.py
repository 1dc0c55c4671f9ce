"""Tournaments: many agents, the same deals for all, every seat.

`plan.py` says what is played, `play.py` plays a unit of it, `workers.py` spreads units over processes, `folder.py`
keeps the games as they come, `standings.py` counts, `show.py` prints and draws. `pairing.py` is the small form: one
agent against another, in memory.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from boardgames_agents.measure import check_reward
from boardgames_agents.tournament.folder import Folder, Settings
from boardgames_agents.tournament.pairing import Pairing, play_pairing
from boardgames_agents.tournament.plan import STYLES, make_plan
from boardgames_agents.tournament.play import Task
from boardgames_agents.tournament.standings import Results
from boardgames_agents.tournament.workers import play_units
from boardgames_env import Game

__all__ = ["STYLES", "Pairing", "Results", "play_pairing", "play_tournament"]


def play_tournament(
    game: Game,
    agents: Sequence[str],
    deals: int,
    seed: int = 0,
    *,
    style: str = "mixed",
    jobs: int = 1,
    folder: str | Path | None = None,
    resume: bool = False,
    report: Callable[[int, int], Any] | None = None,
) -> Results:
    """Play a tournament to its end and return its results.

    Args:
        deals: for each pair with two players or style "one-against-rest"; in all with "mixed". See `plan.py`.
        jobs: processes. Results are the same for any number.
        folder: where games are kept as they come, and the tables at the end; None: in memory only.
        resume: go on with the tournament in the folder.
        report: called with (games done, games in all).

    Raises ValueError for agents, settings or a folder that will not do, OSError if the folder cannot be written to,
    ChildProcessError if a worker dies; what the folder holds is whole in any case.
    """
    check_reward(game)
    task = Task(game, tuple(agents), make_plan(game, agents, deals, seed, style), seed)
    task.check()
    results = Results(task)
    with contextlib.ExitStack() as stack:
        kept = None
        if folder is not None:
            kept = stack.enter_context(Folder(folder, Settings.of(task, deals, style), resume))
            kept.read_into(results)
        elif resume:
            raise ValueError("to resume a tournament, name its folder")
        if report:
            report(results.games, task.plan.games)
        units = range(results.units, task.plan.units)
        played = stack.enter_context(contextlib.closing(play_units(task, units, jobs)))
        for unit, lines, speeds in played:
            if kept:
                kept.append(lines)
            results.add(unit, lines)
            results.time(speeds)
            if report:
                report(results.games, task.plan.games)
        if kept:
            kept.finish(results)
    return results
