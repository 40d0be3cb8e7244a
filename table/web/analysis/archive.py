"""Uploaded records, and what analyses have found, in the file of tables."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import Any

from gonzaga_agents.analysis.analysis import record_digest

from ..rooms.store import Store, StoreError

MAX_RECORDS = 500
MAX_ANALYSES = 2000  # of some 20 kB each


class Archive:
    """Records and analyses of finished games; those unused for longest make room for others."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        """Takes the file, and a clock in seconds."""
        self._store, self._clock = store, clock

    def add(self, digest: str, line: str) -> None:
        """Keeps a record under its digest."""
        self._store.run(
            "INSERT OR REPLACE INTO records VALUES (?, ?, ?)", digest, self._clock(), line
        )
        self._store.run(
            "DELETE FROM records WHERE id NOT IN "
            "(SELECT id FROM records ORDER BY used DESC LIMIT ?)",
            MAX_RECORDS,
        )

    def record(self, digest: str) -> str | None:
        """Returns a record as a line of JSON; None if there is none. It counts as used."""
        found = self._store.rows("SELECT content, used FROM records WHERE id = ?", digest)
        if not found:
            return None
        ((line, used),), now = found, self._clock()
        try:
            intact = record_digest(json.loads(line)) == digest
        except (ValueError, TypeError, RecursionError):
            intact = False
        if not intact:
            raise StoreError(f"the kept record {digest} is damaged")
        if not isinstance(used, int | float) or now - used > 3600:
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
        if rows and (not isinstance(rows[0][0], int | float) or now - rows[0][0] > 3600):
            change = "UPDATE analyses SET used = ? WHERE record = ? AND agent = ?"
            self._store.run(change, now, digest, agent)
        return bool(rows)

    def found(self, digest: str, agent: str) -> dict[str, Any]:
        """Returns what was kept of an analysis; nothing if none was."""
        query = "SELECT content FROM analyses WHERE record = ? AND agent = ?"
        rows = self._store.rows(query, digest, agent)
        try:
            found = json.loads(zlib.decompress(rows[0][0])) if rows else {}
        except (zlib.error, ValueError, TypeError, RecursionError) as error:
            raise StoreError(f"the kept analysis of {digest} is damaged: {error}") from error
        if not isinstance(found, dict):
            raise StoreError(f"the kept analysis of {digest} is damaged")
        return found
