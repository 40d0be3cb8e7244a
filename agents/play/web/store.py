"""Tables in an SQLite file: a row for each table, and one for each move.

Every move is committed before anybody is told of it. A killed process loses nothing. After a power
cut the last moves may be missing, but nothing before them (write-ahead log, synchronous=NORMAL).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from gonzaga_env.core.errors import GonzagaError

SCHEMA_VERSION = 1
_APPLICATION = 0x476F6E7A  # "Gonz"; says whose file this is
_SCHEMA = """
CREATE TABLE tables (id TEXT PRIMARY KEY, used REAL NOT NULL, content TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE moves (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number INTEGER NOT NULL, seat INTEGER NOT NULL, action INTEGER NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
"""


class StoreError(GonzagaError, ValueError):
    """The file of tables cannot be used; the message names it and says why."""


class Store:
    """The tables of a server.

    One server at a time uses a file; a second one is refused. One thread at a time uses a store,
    which need not be the one that opened it.
    """

    def __init__(self, path: str | Path) -> None:
        """Opens a file, or makes a new one.

        Args:
            path: the file; ":memory:" keeps nothing.

        Raises:
            StoreError: the file cannot be opened, is damaged, is in use, or is no file of tables of
                this version.
        """
        self.path = path
        with self._named():
            self._db = sqlite3.connect(
                path, timeout=1.0, isolation_level=None, check_same_thread=False
            )
        try:
            with self._named():
                self._open()
        except StoreError:
            self._db.close()
            raise

    def _open(self) -> None:
        for pragma in ("locking_mode=EXCLUSIVE", "foreign_keys=ON", "synchronous=NORMAL"):
            self._db.execute(f"PRAGMA {pragma}")
        empty = not self._value("SELECT count(*) FROM sqlite_master")
        application, version = (
            self._value("PRAGMA application_id"),
            self._value("PRAGMA user_version"),
        )
        if not empty and application != _APPLICATION:
            raise StoreError(f"{self.path}: is a database of another program; give another --data")
        if not empty and version != SCHEMA_VERSION:
            raise StoreError(
                f"{self.path}: holds tables of version {version}; this server reads version "
                f"{SCHEMA_VERSION}; give another --data"
            )
        self._db.execute("PRAGMA journal_mode=WAL")
        if empty:
            self._db.executescript(
                f"BEGIN; {_SCHEMA} PRAGMA application_id={_APPLICATION}; "
                f"PRAGMA user_version={SCHEMA_VERSION}; COMMIT;"
            )
        if (found := self._value("PRAGMA quick_check(1)")) != "ok":
            raise StoreError(f"{self.path}: is damaged: {found}; give another --data")

    def add(self, table: str, content: dict[str, Any], now: float) -> None:
        """Adds a table without moves."""
        with self._named():
            self._db.execute(
                "INSERT INTO tables VALUES (?, ?, ?)", (table, now, json.dumps(content))
            )

    def add_move(self, table: str, number: int, seat: int, action: int, now: float) -> None:
        """Adds a move of a table, and notes when the table was last used."""
        with self._named(), self._db:
            self._db.execute("BEGIN")
            self._db.execute("INSERT INTO moves VALUES (?, ?, ?, ?)", (table, number, seat, action))
            self._db.execute("UPDATE tables SET used = ? WHERE id = ?", (now, table))

    def load(self, table: str) -> dict[str, Any] | None:
        """Returns a table's content with the list of its moves; None if there is no such table."""
        with self._named():
            content = self._value("SELECT content FROM tables WHERE id = ?", table)
            if content is None:
                return None
            rows = self._db.execute(
                "SELECT seat, action FROM moves WHERE table_id = ? ORDER BY number", (table,)
            )
            return json.loads(content) | {"moves": [list(row) for row in rows]}

    def count(self) -> int:
        """Returns the number of tables."""
        with self._named():
            return int(self._value("SELECT count(*) FROM tables"))

    def drop_unused(self, before: float) -> int:
        """Drops the tables last used before a time, and returns how many there were."""
        with self._named():
            return self._db.execute("DELETE FROM tables WHERE used < ?", (before,)).rowcount

    def close(self) -> None:
        """Closes the file."""
        with suppress(sqlite3.Error):
            self._db.close()

    def _value(self, query: str, *values: Any) -> Any:
        row = self._db.execute(query, values).fetchone()
        return None if row is None else row[0]

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Turns errors of the database into `StoreError`."""
        try:
            yield
        except sqlite3.OperationalError as error:
            why = "is in use by another server" if "locked" in str(error) else str(error)
            raise StoreError(f"{self.path}: {why}; give another --data") from error
        except (sqlite3.DatabaseError, ValueError) as error:
            if isinstance(error, StoreError):
                raise
            raise StoreError(f"{self.path}: is damaged: {error}; give another --data") from error
