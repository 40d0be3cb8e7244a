"""Stands in for what browsers lack: threads, SQLite and TLS.

`install` runs before anything of the table is imported. Work meant for a thread runs immediately,
in the only thread; the page has its own thread, so it stays responsive. SQLite in WebAssembly
(sql.js) takes the place of the module `sqlite3`, which is not part of Pyodide's npm package.
"""

from __future__ import annotations

import concurrent.futures
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from types import ModuleType
from typing import Any, Protocol, Self, TypeVar

Row = Sequence[object]
T = TypeVar("T")


class DirectExecutor(Executor):
    """Runs each function as it is submitted."""

    def __init__(self, *args: object, **options: object) -> None:
        """Takes the arguments of `ThreadPoolExecutor`, which mean nothing here."""

    def submit(self, fn: Callable[..., T], /, *args: object, **kwargs: object) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except BaseException as error:  # the caller gets it from the future
            done.set_exception(error)
        return done


async def run_sync(function: Callable[..., T], *args: object, **options: object) -> T:
    """Runs a function here instead of in a thread (see `anyio.to_thread.run_sync`)."""
    return function(*args)


def install(open_database: Callable[[], Database]) -> None:
    sys.modules["sqlite3"] = sqlite_module(open_database)
    with suppress(ImportError):
        import ssl  # noqa: F401  # some versions of Pyodide have it
    sys.modules.setdefault("ssl", _Tls("ssl"))
    concurrent.futures.ThreadPoolExecutor = DirectExecutor  # type: ignore[assignment,misc]
    import anyio.to_thread

    anyio.to_thread.run_sync = run_sync  # type: ignore[assignment]


class _Tls(ModuleType):
    """The names of the module `ssl` that anyio mentions: classes that are never instantiated."""

    def __getattr__(self, name: str) -> type[Exception]:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception,), {})


def sqlite_module(open_database: Callable[[], Database]) -> ModuleType:
    """Returns the module `sqlite3`, which opens the page's database whatever file is named."""
    module: Any = ModuleType("sqlite3")
    module.Error = module.DatabaseError = module.OperationalError = OperationalError
    module.Connection, module.Cursor = Connection, Cursor
    module.connect = lambda *args, **options: Connection(open_database())
    return module


class OperationalError(Exception):
    """A statement cannot be run: the one error of this database."""


class Database(Protocol):
    """An open database: `all` runs one statement, `script` several, without results."""

    def all(self, statement: str, values: Row) -> list[list[object]]:
        """Returns all rows; any error is raised as an `Exception`."""
        ...

    def script(self, statements: str) -> None:
        """Runs statements; any error is raised as an `Exception`."""
        ...

    def close(self) -> None: ...


class Cursor:
    """The rows that a statement has found."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = iter([tuple(row) for row in rows])

    def __iter__(self) -> Iterator[tuple[object, ...]]:
        return self._rows

    def fetchone(self) -> tuple[object, ...] | None:
        """Returns the next row; None after the last."""
        return next(self._rows, None)

    def fetchall(self) -> list[tuple[object, ...]]:
        return list(self._rows)


class Connection:
    """A connection without implicit transactions, as with `isolation_level=None`.

    As a context it commits, or rolls back after an error.
    """

    def __init__(self, database: Database) -> None:
        self._database, self.in_transaction = database, False

    def execute(self, statement: str, values: Row = ()) -> Cursor:
        found = self._run(lambda: self._database.all(statement, list(values)))
        word = statement.split(maxsplit=1)[0].upper()
        if word in ("BEGIN", "COMMIT", "ROLLBACK"):
            self.in_transaction = word == "BEGIN"
        return Cursor(found)

    def executemany(self, statement: str, rows: Iterable[Row]) -> None:
        for row in rows:
            self.execute(statement, row)

    def executescript(self, statements: str) -> None:
        """Runs statements that end only their own transaction."""
        self._run(lambda: self._database.script(statements))

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        """Returns the connection; a transaction begins with `execute("BEGIN")`."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if self.in_transaction:
            self.execute("COMMIT" if kind is None else "ROLLBACK")

    @staticmethod
    def _run(run: Callable[[], T]) -> T:
        try:
            return run()
        except Exception as error:  # whatever the database raises
            raise OperationalError(str(error)) from error
