"""Work on units, how both are sent to workers, and the interface of executors."""

from __future__ import annotations

import io
import pickle
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, NamedTuple, Self, TypeVar

from gonzaga_env.tabletop.errors import GameError, OptionError

from ..common.processes import WorkerDiedError, WorkerError, describe

U = TypeVar("U")
R = TypeVar("R")
Report = Callable[[float], None]
"""Takes how much of a unit, or of all running ones, is done, in the caller's own measure."""
OnLost = Callable[[str], None]
"""Takes a line about a worker that died; its unit is done again."""

_MOST_LOSSES = 3  # workers that a unit may kill


def nothing(done: float) -> None:
    """Ignores how much is done."""


def print_loss(message: str) -> None:
    """Prints a line about a lost worker on stderr."""
    print(f"warning: {message}", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Work(Generic[U, R]):
    """The function to run on each unit."""

    # `function(unit, report) -> result`; of a module that workers can import, not of `__main__`.
    # The result depends on the unit alone, and must pickle. It may call `report` now and then with
    # how much of the unit is done
    function: Callable[[U, Report], R]
    # large objects that units refer to, such as the games' configurations. Each worker gets them
    # once; within units they are named by their digest
    shared: tuple[Any, ...] = ()
    name: str = "works"  # what a worker does, as messages say it


class Executor(ABC):
    """Runs units of work; a context manager that ends its workers."""

    # the most units that are done at the same time; None uses all CPUs that there are
    workers: int | None

    @abstractmethod
    def run(
        self, work: Work[U, R], units: Sequence[U], on_progress: Report = nothing
    ) -> Generator[tuple[U, R]]:
        """Yields units with their results as they end, in any order.

        Closing the generator, or an interrupt, drops what is being done. Workers stay for the
        next run.

        Args:
            work: what is done.
            units: with what; small, since each one is sent to a worker.
            on_progress: called with the sum of what unfinished units have reported.

        Raises:
            GameError: what a unit raised; other errors become a WorkerError.
            WorkerDiedError: a unit has lost three workers.
        """

    def close(self) -> None:  # noqa: B027  an executor without workers has none to end
        """Ends the workers; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Packed(NamedTuple):
    """Work as it is sent."""

    digest: str  # of the rest
    function: bytes  # pickled
    shared: dict[str, bytes]  # pickled, by digest


class Packer:
    """Sends work, and units that refer to what it shares."""

    def __init__(self, work: Work[Any, Any]) -> None:
        """Packs the work.

        Raises:
            OptionError: something that it shares cannot be sent.
        """
        try:
            function, shared = pickle.dumps(work.function), list(map(pickle.dumps, work.shared))
        except Exception as error:  # each class has its own way to fail
            reason = f"{error}".partition("\n")[0]
            raise OptionError(f"can't be sent to workers: {reason}; use one process") from error
        digests = list(map(_digest, shared))
        self._names = dict(zip(map(id, work.shared), digests, strict=True))
        self.work = Packed(
            _digest(b"".join([function, *shared])),
            function,
            dict(zip(digests, shared, strict=True)),
        )

    def pack(self, unit: Any) -> bytes:
        """Returns a unit as bytes, in which shared objects are named by their digest."""
        buffer = io.BytesIO()
        pickler = _Pickler(buffer, pickle.HIGHEST_PROTOCOL)
        pickler.names = self._names
        pickler.dump(unit)
        return buffer.getvalue()


class _Pickler(pickle.Pickler):
    names: dict[int, str]

    def persistent_id(self, value: Any) -> str | None:
        return self.names.get(id(value))


class _Unpickler(pickle.Unpickler):
    shared: dict[str, Any]

    def persistent_load(self, name: str) -> Any:
        return self.shared[name]


class FailedUnit(NamedTuple):
    """A worker's answer for a unit that raised."""

    error: GameError


_last: tuple[str, Any, dict[str, Any]] = "", None, {}
"""The work that this worker does: its digest, the function and what its units share."""


def do_unit(work: Packed, unit: bytes, report: Report = nothing) -> Any:
    """Runs a unit in a worker; returns its result, or `FailedUnit` with its error."""
    global _last
    try:
        if _last[0] != work.digest:
            shared = {name: pickle.loads(data) for name, data in work.shared.items()}
            _last = work.digest, pickle.loads(work.function), shared
        _, function, shared = _last
        unpickler = _Unpickler(io.BytesIO(unit))
        unpickler.shared = shared
        return function(unpickler.load(), report)
    except Exception as error:
        return FailedUnit(_portable(error))


def _portable(error: Exception) -> GameError:
    """Returns an error that can be sent; a traceback of an unexpected one is printed here."""
    text = describe(error)
    if isinstance(error, GameError):
        with suppress(Exception):  # one whose constructor takes more than its message
            pickle.loads(pickle.dumps(error))
            return error
    return WorkerError(text)


class Task:
    """A unit that a worker runs.

    Attributes:
        unit: what the caller gave.
        data: the unit as it is sent.
        done: what it has reported.
    """

    def __init__(self, unit: Any, data: bytes) -> None:
        self.unit, self.data, self.done, self._losses = unit, data, 0.0, 0

    def lose(self, reason: str, on_lost: OnLost, is_to_blame: bool = True) -> None:
        """Reports that its worker was lost.

        Raises:
            WorkerDiedError: it has lost too many, so that it may be what kills them.
        """
        self.done, self._losses = 0.0, self._losses + is_to_blame
        if self._losses == _MOST_LOSSES:
            raise WorkerDiedError(f"{reason}; so did {_MOST_LOSSES - 1} before with the same work")
        on_lost(f"{reason}; its work is done again")


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Returns a digest of this project's code and editions as they are installed here."""
    found = sha256()
    for package in ("gonzaga_env", "gonzaga_agents"):
        folder = Path(str(files(package)))
        for path in sorted(each for each in folder.rglob("*") if each.suffix in (".py", ".toml")):
            found.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return found.hexdigest()


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()
