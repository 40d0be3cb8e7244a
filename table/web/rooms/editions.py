"""The editions that tables are played on: those on offer, and maps that are kept.

A map of the editor is kept in the file of tables by the digest of its content, and named
`edited/DIGEST`; nobody finds it without that name. A map that was made for a table has the name
that makes it everywhere, `generated:grow-SEED`. Either is dropped a day later if no table is played
on it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.board.tables import tables_for
from gonzaga_env.core.editions.generating.named import is_generated

from ..editor.model import to_edition
from ..requests import MalformedError, shown
from .store import Store, TooManyError

KEPT = "edited/"  # what the ids of kept maps begin with
MAX_KEPT, MAX_KEPT_EACH = 40, 8  # in all, and of each client; see `memory_of` for their games
MAX_CONTENT = 512 * 1024  # characters of a map
UNUSED_SECONDS = 86400.0  # until a map without tables is dropped
_DIGITS = 16  # of a digest in an id
_UNUSED = (
    "NOT EXISTS (SELECT 1 FROM tables WHERE "
    "json_extract(tables.content, '$.table.digest') = editions.digest)"
)


def memory_of(edition: Any) -> int:
    """Returns the bytes that games on an edition take in a process, beside each game's own.

    Those of Gonzaga have tables of the conflicts of every placement, whose size grows with the
    square of the hexes: 9 MB for 316 hexes, 45 MB for 795, which are the most that a map has. The
    other games' editions take too little to count.
    """
    if not isinstance(edition, Edition):
        return 0
    num_hexes = len(edition.grid)
    return 60 * num_hexes**2 + 9_000 * num_hexes


class Editions(Mapping[str, Any]):
    """All editions by id; only those on offer are listed."""

    def __init__(self, offered: Mapping[str, Any], store: Store) -> None:
        self._offered, self._store = dict(offered), store
        self._kept: dict[str, Edition] = {}

    def __getitem__(self, id: str) -> Any:  # noqa: A002
        """Returns an edition on offer, or a map that is kept."""
        if id in self._offered:
            return self._offered[id]
        if id not in self._kept:
            found = self._store.rows("SELECT content FROM editions WHERE id = ?", id)
            if not found:
                raise KeyError(id)
            self._kept[id] = to_edition(json.loads(found[0][0]), id)
        return self._kept[id]

    def __iter__(self) -> Iterator[str]:
        """Yields the ids of the editions on offer."""
        return iter(self._offered)

    def __len__(self) -> int:
        """Returns the number of editions on offer."""
        return len(self._offered)

    def asked(self, id: Any) -> Any:  # noqa: A002
        """Returns the edition that a request names.

        Raises:
            MalformedError: there is no such edition.
        """
        if not isinstance(id, str) or id not in self:
            raise MalformedError(f"edition is {shown(id)}; there are {', '.join(self)}")
        return self[id]

    def kept(self) -> list[str]:
        """Returns the ids of the maps that are kept."""
        return [row[0] for row in self._store.rows("SELECT id FROM editions")]

    def of_digest(self, digest: str) -> Any:
        """Returns the edition of a digest, or None."""
        for edition in self._offered.values():
            if edition.digest == digest:
                return edition
        for (id,) in self._store.rows("SELECT id FROM editions WHERE digest = ?", digest):  # noqa: A001
            if (found := self.get(id)) is not None and found.digest == digest:
                return found
        return None

    def id_of(self, edition: Any) -> str:
        """Returns what the server calls an edition."""
        offered = (name for name, known in self._offered.items() if known == edition)
        label = str(getattr(edition, "label", ""))
        return next(offered, label if is_generated(label) else _id(edition.digest))

    def keep(self, model: dict[str, Any], client: str, now: float, name: str | None = None) -> str:
        """Keeps a map that has no faults, and returns its id.

        Args:
            model: the map.
            client: whose it is.
            now: the time.
            name: of a generated map; None for one of the editor.

        Raises:
            TooManyError: too many maps are kept, in all or of this client, and are played on.
        """
        content = json.dumps(model)
        edition = to_edition(model) if name is None else to_edition(model, name)
        id, who = self.id_of(edition), self._store.digest(client)  # noqa: A001
        if len(content) > MAX_CONTENT:
            raise TooManyError(f"the map is longer than {MAX_CONTENT} characters")
        if id in self._offered:
            return id
        with self._store.transaction():
            if id not in self:
                self._make_room("client = ?", who, MAX_KEPT_EACH, "your address plays on")
                self._make_room("? != ''", who, MAX_KEPT, "this server plays on")
            self._store.run(
                "INSERT INTO editions VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET kept = excluded.kept",
                *(id, edition.digest, who, now, content),
            )
        return id

    def _make_room(self, whose: str, client: str, most: int, who: str) -> None:
        """Drops the oldest map without tables if there are too many."""
        ((number,),) = self._store.rows(f"SELECT count(*) FROM editions WHERE {whose}", client)
        if number < most:
            return
        query = f"SELECT id FROM editions WHERE {whose} AND {_UNUSED} ORDER BY kept LIMIT 1"
        found = self._store.rows(query, client)
        if not found:
            raise TooManyError(
                f"{who} {number} edited or new maps, its limit; unused tables are deleted"
            )
        self._drop(found[0][0])

    def _drop(self, id: str) -> None:  # noqa: A002
        self._store.run("DELETE FROM editions WHERE id = ?", id)
        self._kept.pop(id, None)

    def sweep(self, now: float) -> None:
        """Drops maps on which nobody plays."""
        query = f"SELECT id FROM editions WHERE kept < ? AND {_UNUSED}"
        for (id,) in self._store.rows(query, now - UNUSED_SECONDS):  # noqa: A001
            self._drop(id)

    async def prepare(self, edition: Any) -> None:
        """Builds what a game on a map needs; that takes about a second, the first time."""
        if isinstance(edition, Edition):
            await asyncio.to_thread(tables_for, edition)


def _id(digest: str) -> str:
    return f"{KEPT}{digest[:_DIGITS]}"
