"""Plays jobs: in this process, or by an executor (see `executors`)."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor, Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from typing import Protocol, TypeVar

from gonzaga_env.kernel.errors import GameError
from gonzaga_env.progress import OnProgress

from ..executors import attempt
from ..processes import WorkerError

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
OnFraction = Callable[[float], None]
"""Called now and then with about which fraction is done, 0 to 1."""


def ignore(*done: float) -> None:
    """Ignores progress."""


class Job(Protocol[R_co]):
    """Games that are played together, and kept together."""

    @property
    def num_games(self) -> int: ...

    def play(self, on_progress: OnFraction) -> R_co: ...


def play_jobs(
    jobs: Sequence[Job[R]],
    executor: Executor | None = None,
    on_progress: OnProgress = ignore,
    *,
    done: int = 0,
) -> Generator[tuple[int, R]]:
    """Yields the index and the result of each job as it ends, in any order.

    Closing the generator drops what has not begun. Progress counts games, with those `done` before.
    Raises a job's GameError, or WorkerError where a worker died or the cluster failed; another call
    may play what is missing.
    """
    total = done + sum(job.num_games for job in jobs)
    on_progress(done, total)
    if executor is None:
        played = _play_here(jobs, on_progress, done, total)
    else:
        played = _play_elsewhere(jobs, executor)
    with closing(played):
        for index, result in played:
            yield index, result
            done += jobs[index].num_games
            on_progress(done, total)


def _play_here(
    jobs: Sequence[Job[R]], on_progress: OnProgress, done: int, total: int
) -> Generator[tuple[int, R]]:
    for index, job in enumerate(jobs):

        def on_fraction(part: float, before: int = done, num_games: int = job.num_games) -> None:
            on_progress(before + part * num_games, total)

        yield index, job.play(on_fraction)
        done += job.num_games


def _play_elsewhere(jobs: Sequence[Job[R]], executor: Executor) -> Generator[tuple[int, R]]:
    futures = dict[Future[R], int]()
    try:
        for index, job in enumerate(jobs):
            futures[executor.submit(attempt, job.play, ignore)] = index
        for future in as_completed(futures):
            yield futures[future], future.result()
    except GameError:
        raise
    except BrokenProcessPool as error:
        raise WorkerError(
            "a process that plays games died (is there enough memory?); use fewer --workers"
        ) from error
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        reason = f"{error}".partition("\n")[0]
        raise WorkerError(f"can't be sent to workers: {reason}; use one process") from error
    finally:
        for future in futures:
            future.cancel()
