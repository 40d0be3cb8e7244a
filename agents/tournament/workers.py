"""Plays chunks, in this process or in several."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.queues import SimpleQueue

from ..agent import AgentError
from .games import Chunk, Game, Lineup, play_chunk

PlayedChunk = tuple[Chunk, list[Game]]
OnProgress = Callable[[float], None]
Progress = tuple[Lineup, int, float]  # a chunk's lineup and first deal, and its games so far

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_SECONDS = 0.5  # between reports of progress


def play_chunks(
    chunks: Sequence[Chunk], processes: int, on_progress: OnProgress = lambda games: None
) -> Generator[PlayedChunk]:
    """Yields chunks with their games as they end, in any order.

    Closing the iterator, or an interrupt, drops what is being played.

    Args:
        chunks: what to play.
        processes: how many processes play; 1 plays in this one.
        on_progress: called with the number of games played within unfinished chunks.

    Raises:
        AgentError: an agent cannot be built, plays an invalid action, or a process died.
    """
    if processes == 1 or len(chunks) < 2:
        for chunk in chunks:
            yield chunk, play_chunk(chunk, _in_games(on_progress, chunk.num_games))
    else:
        yield from _play_in_pool(chunks, min(processes, len(chunks)), on_progress)


def _in_games(on_progress: OnProgress, num_games: int) -> OnProgress:
    """Returns a function that is told the fraction done, and tells the number of games."""
    return lambda done: on_progress(done * num_games)


def _play_in_pool(
    chunks: Sequence[Chunk], processes: int, on_progress: OnProgress
) -> Generator[PlayedChunk]:
    context = multiprocessing.get_context("spawn")  # torch does not survive a fork
    reports: SimpleQueue[Progress] = context.SimpleQueue()
    so_far: dict[tuple[Lineup, int], float] = {}
    waiting, running = list(reversed(chunks)), dict[Future[list[Game]], Chunk]()
    with _one_thread_each(), _pool(processes, reports) as pool:
        while waiting or running:
            while waiting and len(running) < processes + 1:  # one ahead, so that nobody waits
                chunk = waiting.pop()
                running[pool.submit(_play_and_report, chunk)] = chunk
            ended = wait(running, _SECONDS, FIRST_COMPLETED).done
            while not reports.empty():
                lineup, first, games = reports.get()
                so_far[lineup, first] = games
            for future in ended:
                chunk = running.pop(future)
                so_far[chunk.lineup, chunk.first] = 0.0  # the caller counts its games from here on
                yield chunk, _result(future)
            on_progress(sum(so_far.get((c.lineup, c.first), 0.0) for c in running.values()))


def _result(future: Future[list[Game]]) -> list[Game]:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise AgentError(
            "a process that played games has died (is there enough memory?); "
            "the same command goes on, with fewer --processes"
        ) from error


@contextmanager
def _pool(processes: int, reports: SimpleQueue[Progress]) -> Iterator[ProcessPoolExecutor]:
    """Starts processes, which end at once if the block does not reach its end."""
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, context, _start_worker, (reports,))
    try:
        yield pool
    except BaseException:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_reports: SimpleQueue[Progress] | None = None  # of this worker


def _start_worker(reports: SimpleQueue[Progress]) -> None:
    """Leaves Ctrl-C to the parent, and ends this process when the parent dies."""
    global _reports
    _reports = reports
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play_and_report(chunk: Chunk) -> list[Game]:
    """Plays a chunk in a worker and reports its progress now and then."""
    last = time.monotonic()

    def report(done: float) -> None:
        nonlocal last
        if _reports is not None and time.monotonic() > last + _SECONDS:
            last = time.monotonic()
            _reports.put((chunk.lineup, chunk.first, done * chunk.num_games))

    return play_chunk(chunk, report)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Lets new processes use one thread each: they share the cores already."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
