"""Uploaded records, and what analyses have found, in the file of tables."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import Any

from ..rooms.clock import DAY, HOUR
from ..rooms.store import Store

MAX_RECORDS, MAX_RECORDS_EACH = 500, 100  # in all, and of one client
MAX_ANALYSES = 2000  # of some 20 kB each; those unused for longest are dropped
_SHARES = (
    (MAX_RECORDS, "", "this server holds {} records, its limit"),
    (MAX_RECORDS_EACH, " WHERE client = ?", "your address has added {} records here, its share"),
)


class Archive:
    """Records and analyses of finished games; used from one event loop only."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float],
        agreed: Callable[[], float | None],
    ) -> None:
        """Takes the file, a clock in seconds, and the time by which one may delete, if any."""
        self._store, self._clock, self._agreed = store, clock, agreed

    def add(self, digest: str, line: str, client: str) -> str | None:
        """Keeps a record under its digest, once; another makes room if it was unused for a day.

        Returns:
            Why there is no room for it; None if it is kept.
        """
        if self.record(digest) is not None:
            return None
        now = self._clock()
        for most, where, why in _SHARES:
            values = (self._store.digest(client),) if where else ()
            ((number,),) = self._store.rows(f"SELECT count(*) FROM records{where}", *values)
            if number < most:
                continue
            query = f"SELECT id, used FROM records{where} ORDER BY used LIMIT 1"
            ((oldest, used),) = self._store.rows(query, *values)
            if (sure := self._agreed()) is None or used > sure - DAY:
                return f"{why.format(most)}; one that nobody has opened for a day makes room"
            self._drop("id = ?", oldest)
        self._store.run(
            "INSERT INTO records VALUES (?, ?, ?, ?)",
            digest,
            self._store.digest(client),
            now,
            line,
        )
        return None

    def record(self, digest: str) -> str | None:
        """Returns a record as a line of JSON; None if there is none. It counts as used."""
        found = self._store.rows("SELECT content, used FROM records WHERE id = ?", digest)
        if not found:
            return None
        ((line, used),), now = found, self._clock()
        if now - used > HOUR:
            self._store.run("UPDATE records SET used = ? WHERE id = ?", now, digest)
        return str(line)

    def keep(self, digest: str, agent: str, content: dict[str, Any]) -> None:
        """Keeps what an analysis of a record has found, by the agent that was asked."""
        packed = zlib.compress(json.dumps(content, ensure_ascii=False).encode())
        self._store.run(
            "INSERT OR REPLACE INTO analyses VALUES (?, ?, ?, ?)",
            digest,
            agent,
            self._clock(),
            packed,
        )
        self._store.run(
            "DELETE FROM analyses WHERE used < (SELECT min(used) FROM "
            "(SELECT used FROM analyses ORDER BY used DESC LIMIT ?))",
            MAX_ANALYSES,
        )

    def has_found(self, digest: str, agent: str) -> bool:
        """Returns whether an analysis was kept. It counts as used."""
        query = "SELECT used FROM analyses WHERE record = ? AND agent = ?"
        rows, now = self._store.rows(query, digest, agent), self._clock()
        if rows and now - rows[0][0] > HOUR:
            change = "UPDATE analyses SET used = ? WHERE record = ? AND agent = ?"
            self._store.run(change, now, digest, agent)
        return bool(rows)

    def found(self, digest: str, agent: str) -> dict[str, Any]:
        """Returns what was kept of an analysis; nothing if none was."""
        query = "SELECT content FROM analyses WHERE record = ? AND agent = ?"
        rows = self._store.rows(query, digest, agent)
        return json.loads(zlib.decompress(rows[0][0])) if rows else {}

    def drop_unused(self, before: float) -> None:
        """Drops records and analyses last used before a time."""
        self._drop("used < ?", before)
        self._store.run("DELETE FROM analyses WHERE used < ?", before)

    def _drop(self, which: str, value: Any) -> None:
        self._store.run(f"DELETE FROM records WHERE {which}", value)
