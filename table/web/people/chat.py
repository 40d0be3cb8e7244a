"""What people at a table say to each other: for those who sit there, from when they came.

Lines are kept beside the game, so no record has them. Each seat counts its lines from its own first
one, and so learns nothing of earlier ones, not even their number.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from gonzaga_env.tabletop.records.log import Viewer

from ...session import SessionError
from ..clients.limits import Rate
from ..requests import MalformedError, shown
from ..rooms.store import Store, StoreError

if TYPE_CHECKING:
    from ..rooms.room import Room

EMOTES = "hello", "well_played", "thanks", "moment", "oops", "good_game"
MAX_LETTERS, MAX_LINES = 200, 200  # of a line, and of those that are kept of a table
RATE, BURST = 0.5, 6.0  # lines of a person a second, and saved up
CLIENT_RATE, CLIENT_BURST = 2.0, 60.0  # of all people of an address


class Chat:
    """The lines of all tables; used from one event loop only."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        """Takes the file of tables, and a steady clock in seconds."""
        self._store = store
        self._spent = Rate(RATE, BURST, clock)
        self._spent_of_clients = Rate(CLIENT_RATE, CLIENT_BURST, clock)

    def restore(self, room: Room) -> None:
        """Reads when everybody came, and how many lines there have been."""
        rows = self._store.rows("SELECT seat, number FROM joined WHERE table_id = ?", room.id)
        room.joined = dict(rows)
        query = "SELECT coalesce(max(number) + 1, 0) FROM chats WHERE table_id = ?"
        ((room.num_lines,),) = self._store.rows(query, room.id)

    def join(self, room: Room, seat: int) -> None:
        """Notes that the person of a seat is there, who reads all lines from now on."""
        if seat not in room.joined and len(room.hashes) > 1:
            room.joined[seat] = room.num_lines
            with suppress(StoreError):  # a full disk must not prevent reading
                values = room.id, seat, room.num_lines
                self._store.run("INSERT OR IGNORE INTO joined VALUES (?, ?, ?)", *values)

    def number(self, room: Room, viewer: Viewer) -> int | None:
        """Returns how many lines there have been for a viewer; None for whom there is no chat."""
        return room.num_lines - room.joined[viewer] if viewer in room.joined else None

    def say(self, room: Room, seat: int, text: Any, emote: Any, client: str) -> None:
        """Adds a line: a text, or one of the emotes.

        Raises:
            MalformedError: it is neither, or too long.
            SessionError: nobody else sits at the table.
            LimitError: the person or the address has said too much recently.
        """
        if (text is None) == (emote is None):
            raise MalformedError("a line has either text or emote")
        if emote is not None and emote not in EMOTES:
            raise MalformedError(f"emote is {shown(emote)}; it takes {', '.join(EMOTES)}")
        line = None if text is None else _checked(text)
        if seat not in room.joined:
            raise SessionError("nobody else sits at this table")
        spent = (self._spent, f"{room.id} {seat}"), (self._spent_of_clients, client)
        for rate, who in spent:
            rate.check(who, "too many lines; wait a moment")
        for rate, who in spent:
            rate.spend(who, 1)
        with self._store.transaction():
            values = room.id, room.num_lines, seat, line, emote
            self._store.run("INSERT INTO chats VALUES (?, ?, ?, ?, ?)", *values)
            old = "DELETE FROM chats WHERE table_id = ? AND number <= ?"
            self._store.run(old, room.id, room.num_lines - MAX_LINES)
        room.num_lines += 1
        room.notify_seats()

    def lines(self, room: Room, seat: int, since: int) -> list[dict[str, Any]]:
        """Returns the lines that a seat may read, from one of its own numbers on."""
        if seat not in room.joined:
            return []
        first = room.joined[seat]
        query = (
            "SELECT number - ?, seat, text, emote FROM chats "
            "WHERE table_id = ? AND number >= ? ORDER BY number"
        )
        rows = self._store.rows(query, first, room.id, first + since)
        return [dict(zip(("number", "seat", "text", "emote"), row, strict=True)) for row in rows]


def _checked(text: Any) -> str:
    """Returns a text in one line, without letters that print nothing or turn the line around."""
    if isinstance(text, str) and len(text) <= MAX_LETTERS:
        line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if line:
            return line
    raise MalformedError(f"text is {shown(text)}; it takes 1 to {MAX_LETTERS} letters")
