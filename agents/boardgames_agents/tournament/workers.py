"""Units over several processes, handed out one by one and given back in order.

Workers are spawned, not forked: the threads and compiled code of this process stay out of them. Each has a pipe of its
own, so that one that dies is noticed by the end of its pipe, and they notice by it, or by a watching thread while they
are busy, that this process has died.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from typing import Any

from boardgames_agents.tournament.play import Speed, Task, UnitPlayer

Played = tuple[int, bytes, list[Speed]]  # unit, lines, speed of each agent


def play_units(task: Task, units: Sequence[int], jobs: int = 1) -> Generator[Played]:
    """Play the units, in at most `jobs` processes, and yield them in order.

    Raises what an agent raises, and ChildProcessError if a worker dies. Workers are gone when this ends.
    """
    if jobs < 1:
        raise ValueError(f"jobs must be at least 1, got {jobs}")
    if jobs == 1 or len(units) <= 1:
        yield from _here(task, units)
        return
    workers = _start(task, min(jobs, len(units)))
    try:
        yield from _in_order(_as_they_come(workers, units), units)
    finally:
        for worker in workers:
            worker.stop()


def _here(task: Task, units: Sequence[int]) -> Iterator[Played]:
    if units:  # agents may take a while to make
        player = UnitPlayer(task)
        for unit in units:
            yield unit, *player.play(unit)


def _in_order(played: Iterator[Played], units: Sequence[int]) -> Iterator[Played]:
    waiting: dict[int, Played] = {}
    wanted = iter(units)
    unit = next(wanted)
    for one in played:
        waiting[one[0]] = one
        while unit in waiting:
            yield waiting.pop(unit)
            unit = next(wanted, -1)


def _as_they_come(workers: list[_Worker], units: Sequence[int]) -> Iterator[Played]:
    left = list(reversed(units))
    busy: dict[Any, _Worker] = {}
    for worker in workers:
        worker.ask(left.pop())
        busy[worker.pipe] = worker
    while busy:
        for pipe in multiprocessing.connection.wait(list(busy)):
            worker = busy.pop(pipe)
            answer = worker.answer()
            if left:
                worker.ask(left.pop())
                busy[worker.pipe] = worker
            yield answer


class _Worker:
    """A process and this end of its pipe."""

    def __init__(self, task: Task):
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other, task), daemon=True)
        self.process.start()
        other.close()  # so that the pipe ends when the worker does
        self.unit = -1

    def ask(self, unit: int) -> None:
        self.unit = unit
        with contextlib.suppress(BrokenPipeError):  # `answer` says what has happened
            self.pipe.send(unit)

    def answer(self) -> Any:
        try:
            answer = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            self.process.join(5)
            raise ChildProcessError(
                f"worker process {self.process.pid} died ({_how(self.process.exitcode)}) over unit {self.unit}; "
                "games kept in a folder are whole: go on with --resume"
            ) from None
        if isinstance(answer, Exception):
            raise answer
        return self.unit, *answer

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _how(code: int | None) -> str:
    return f"killed by signal {-code}" if code is not None and code < 0 else f"exit code {code}"


def _start(task: Task, count: int) -> list[_Worker]:
    with _no_interrupts():
        return [_Worker(task) for _ in range(count)]


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes started here ignore ctrl-c, which a terminal sends to all: this one stops them in good order."""
    if threading.current_thread() is not threading.main_thread():  # only there can signals be set
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(pipe: Any, task: Task) -> None:
    """A worker: answers each unit until the pipe ends."""
    threading.Thread(target=_die_with_parent, daemon=True).start()
    player = None
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            unit = pipe.recv()
            try:
                player = player or UnitPlayer(task)
                answer: Any = player.play(unit)
            except Exception as error:
                answer = _sendable(error)
            pipe.send(answer)


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _sendable(error: Exception) -> Exception:
    """The error, or what it says if it cannot be pickled."""
    try:
        return pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
