"""Plays units: in this process, in a pool of processes, or on a Ray cluster."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor, Future, as_completed
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from functools import partial
from typing import Any, Protocol, TypeVar

from gonzaga_env.tabletop.errors import GameError

from ..common.processes import WorkerError, begin_worker, describe, spawning

OnProgress = Callable[[float, int], None]
"""Called with the number of games that are done, and with that of all games."""
Report = Callable[[float], None]
"""Takes about which fraction of a unit is done, 0 to 1."""


class Unit(Protocol):
    """Games that are played together, and kept together."""

    @property
    def num_games(self) -> int:
        """How many games there are."""
        ...

    def play(self, on_progress: Report) -> Any:
        """Returns what they give; reports about which fraction is done, 0 to 1, now and then."""
        ...


U = TypeVar("U", bound=Unit)


def nothing(done: float) -> None:
    """Ignores how much is done."""


def ignore(done: float, total: int) -> None:
    """Ignores how much is done."""


class ProcessPool(ProcessPoolExecutor):
    """Processes of this machine, with one thread each."""

    def __init__(self, workers: int) -> None:
        """Starts nothing yet: processes start when there is work for them."""
        import multiprocessing

        context = multiprocessing.get_context("spawn")
        with spawning():  # its queues start a process, too
            super().__init__(workers, context, initializer=begin_worker)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Has a function called in a process."""
        with spawning():
            return super().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes at once, whatever they do."""
        for process in [*(getattr(self, "_processes", None) or {}).values()]:
            process.kill()
        super().shutdown(wait, cancel_futures=True)


def play_units(
    units: Sequence[U],
    executor: Executor | None = None,
    on_progress: OnProgress = ignore,
    *,
    done: int = 0,
) -> Generator[tuple[U, Any]]:
    """Yields units with their results as they end, in any order.

    Closing the generator drops what has not begun.

    Args:
        units: what to play.
        executor: where (see `open_executor`); None plays in this process, in order.
        on_progress: called with the progress, in games.
        done: games that were played before.

    Raises:
        GameError: an agent cannot be built, plays an invalid action or fails.
        WorkerError: a worker died, or the cluster failed; another call may play what is missing.
    """
    total = done + sum(unit.num_games for unit in units)
    on_progress(done, total)
    if executor is None:
        for unit in units:
            yield unit, unit.play(partial(_report_part, on_progress, done, unit.num_games, total))
            done += unit.num_games
            on_progress(done, total)
        return
    futures = dict[Future[Any], U]()
    try:
        for unit in units:
            futures[executor.submit(play_unit, unit)] = unit
        for future in as_completed(futures):
            unit = futures[future]
            yield unit, future.result()
            done += unit.num_games
            on_progress(done, total)
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


def _report_part(
    on_progress: OnProgress, done: float, num_games: int, total: int, part: float
) -> None:
    on_progress(done + part * num_games, total)


def play_unit(unit: Unit) -> Any:
    """Returns what a unit gives: what workers call.

    Raises:
        GameError: of a kind that can be sent to another process.
    """
    try:
        return unit.play(nothing)
    except Exception as error:
        text = describe(error)
        if isinstance(error, GameError):
            try:
                pickle.loads(pickle.dumps(error))
            except Exception:  # its constructor takes more than its message
                raise WorkerError(text) from None
            raise
        raise WorkerError(text) from None
