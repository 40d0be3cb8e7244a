"""Plays units on an executor, and says how far the work is.

Matches, tournaments, gonzaga-bench, data sets, curves and values cut what they play into units. A
unit's result depends on its fields alone, so it may be played anywhere and in any order, and what a
file holds already is not played again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import Any, Protocol, TypeVar

from gonzaga_env.tabletop.agent import AgentError

from ..common.processes import WorkerDiedError, WorkerError
from .local import ThisProcess
from .work import Executor, Report, Work

OnProgress = Callable[[float, int], None]
"""Called with the number of games that are done, and with that of all games."""


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


def ignore(done: float, total: int) -> None:
    """Ignores how much is done."""


def play_units(
    units: Sequence[U],
    executor: Executor | None = None,
    on_progress: OnProgress = ignore,
    *,
    done: int = 0,
    shared: Sequence[Any] = (),
    name: str = "plays games",
) -> Generator[tuple[U, Any]]:
    """Yields units with their results as they end, in any order.

    Closing the generator, or an interrupt, drops what is being played.

    Args:
        units: what to play.
        executor: where; None plays in this process, in order.
        on_progress: called with the progress, in games.
        done: games that were played before.
        shared: large objects that units refer to (see `Work.shared`); each may occur repeatedly.
        name: what a worker does, as messages say it.

    Raises:
        AgentError: an agent cannot be built, plays an invalid action or fails, or a worker died
            with each attempt at a unit.
        ClusterError: the cluster that the executor uses has failed.
    """
    total = done + sum(unit.num_games for unit in units)
    work: Work[U, Any] = Work(_play, tuple({id(each): each for each in shared}.values()), name)
    on_progress(done, total)
    running = (ThisProcess() if executor is None else executor).run(
        work, units, lambda games: on_progress(done + games, total)
    )
    try:
        with closing(running) as playing:
            for unit, result in playing:
                yield unit, result
                done += unit.num_games
                on_progress(done, total)
    except WorkerDiedError as error:
        raise AgentError(f"{error} (is there enough memory?); use fewer --workers") from error
    except WorkerError as error:
        raise AgentError(str(error)) from error


def _play(unit: Unit, report: Report) -> Any:
    """Plays a unit and reports the number of games that are done."""
    return unit.play(lambda done: report(done * unit.num_games))
