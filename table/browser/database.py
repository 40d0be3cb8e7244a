"""What the table needs of the module `sqlite3`, over SQLite in WebAssembly (sql.js).

Pyodide's own `sqlite3` is not part of its npm package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, Self


class OperationalError(Exception):
    """A statement cannot be run: the one error of this database."""


class Database(Protocol):
    """An open database: `all` runs one statement, `script` several, without results."""

    def all(self, statement: str, values: Sequence[Any]) -> list[list[Any]]:
        """Returns all rows; any error is raised as an `Exception`."""
        ...

    def script(self, statements: str) -> None:
        """Runs statements; any error is raised as an `Exception`."""
        ...

    def close(self) -> None:
        """Frees it."""
        ...


class Cursor:
    """The rows that a statement has found."""

    def __init__(self, rows: Sequence[Sequence[Any]]) -> None:
        self._rows = iter([tuple(row) for row in rows])

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Yields the rows that are left."""
        return self._rows

    def fetchone(self) -> tuple[Any, ...] | None:
        """Returns the next row; None after the last."""
        return next(self._rows, None)

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Returns the rows that are left."""
        return list(self._rows)


class Connection:
    """A connection without implicit transactions, as with `isolation_level=None`.

    As a context it commits, or rolls back after an error.

    Attributes:
        in_transaction: whether a transaction is open.
    """

    def __init__(self, database: Database) -> None:
        self._database, self.in_transaction = database, False

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Cursor:
        """Runs a statement."""
        found = self._run(lambda: self._database.all(statement, list(values)))
        word = statement.split(maxsplit=1)[0].upper()
        if word in ("BEGIN", "COMMIT", "ROLLBACK"):
            self.in_transaction = word == "BEGIN"
        return Cursor(found)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Runs a statement once for each row."""
        for row in rows:
            self.execute(statement, row)

    def executescript(self, statements: str) -> None:
        """Runs statements that end only their own transaction."""
        self._run(lambda: self._database.script(statements))

    def close(self) -> None:
        """Closes the database."""
        self._database.close()

    def __enter__(self) -> Self:
        """Returns the connection; a transaction begins with `execute("BEGIN")`."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Commits the transaction if there was no error."""
        if self.in_transaction:
            self.execute("COMMIT" if kind is None else "ROLLBACK")

    @staticmethod
    def _run(run: Callable[[], Any]) -> Any:
        try:
            return run()
        except Exception as error:  # whatever the database raises
            raise OperationalError(str(error)) from error
