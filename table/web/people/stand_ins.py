"""Agents that play for people: for those whose time is out, and for those who are away.

The seat stays the person's, who takes it back with its token. The decision that was due is the
agent's, so nobody gains time by being late.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...session import SessionError
from ..rooms.store import StoreError
from .pace import Pace, TableClock

if TYPE_CHECKING:
    from ..rooms.room import Room
    from ..rooms.rooms import Rooms

RETURN_SECONDS = 60.0  # that somebody has at least who comes back
RETRY_SECONDS = 10.0  # after which a time-out is stored again that could not be
_SOON = 0.05  # after a time is out, so that it is out by every clock


@dataclass(frozen=True)
class Absence:
    """What people are asked: to let an agent play for somebody who is away.

    Attributes:
        seat: who is away.
        agent: who would play.
        by: who asks.
        asked: the people who have not agreed yet.
    """

    seat: int
    agent: str
    by: int
    asked: tuple[int, ...]


class StandIns:
    """The clocks of all tables and the agents that play for people; from one event loop only."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        # A clock that somebody sets must not end anybody's time: only a restart asks it.
        self._offset = rooms.now() - rooms.steady()
        self._started = self._now()
        self._retry = 0.0  # before it, by the steady clock, nobody is replaced

    def _now(self) -> float:
        return self._rooms.steady() + self._offset

    def begin(self, room: Room, pace: Pace | None, away: float) -> None:
        """Starts the clock of a new table; its first turn begins."""
        room.clock, room.away_seconds = None if pace is None else TableClock(pace), away
        self.follow(room)

    def restore(self, room: Room) -> None:
        """Reads the clock of a table."""
        rows = self._rooms.store.rows("SELECT content FROM clocks WHERE table_id = ?", room.id)
        for (content,) in rows:
            kept = json.loads(content)
            room.clock = None if kept["clock"] is None else TableClock.from_dict(kept["clock"])
            room.away_seconds, room.returning = kept["away"], set(kept["returning"])
        self._watch(room)

    def follow(self, room: Room, played: int | None = None) -> None:
        """Notes who decides now, after the decision of a seat or any other change, and keeps it."""
        if played in room.returning:
            self._give_back(room, played)
        if room.clock is not None:
            room.clock.update(self._deciding(room), room.session.stage, self._now())
        if room.clock is not None or len(room.hashes) > 1:
            clock = None if room.clock is None else room.clock.as_dict()
            kept = {"clock": clock, "away": room.away_seconds, "returning": [*room.returning]}
            self._rooms.store.run("REPLACE INTO clocks VALUES (?, ?)", room.id, json.dumps(kept))
        self._watch(room)

    def see(self, room: Room, seat: int) -> None:
        """Notes that a person has asked for something, who then is not away."""
        room.active[seat] = self._rooms.steady()
        if room.absence is not None and seat == room.absence.seat:
            room.absence = None
            room.notify()

    def check(self, room: Room) -> None:
        """Lets agents play for all whose time is out.

        Raises:
            StoreError: it cannot be stored; it is tried again later.
        """
        if room.clock is None or self._rooms.steady() < self._retry:
            return
        left = room.clock.remaining(self._now(), self._started)
        late = [seat for seat in room.clock.since if not left[seat]]
        try:
            if room.rated and sorted(late) == room.people:
                self._rooms.void(room, "replaced")
            for seat in late:
                if room.rated:
                    self._rooms.give_up(room, seat, "late")
                self._stand_in(room, seat, room.clock.pace.agent)
        except StoreError:
            self._retry = self._rooms.steady() + RETRY_SECONDS
            raise

    def away(self, room: Room) -> list[int]:
        """Returns the seats of people who should decide and have not asked for anything lately.

        In rated games there are none, so that nobody ends a game that another one leads.
        """
        if room.rated:
            return []
        before = self._rooms.steady() - room.away_seconds
        return [seat for seat, since in room.waited.items() if self._seen(room, seat) <= before]

    def _seen(self, room: Room, seat: int) -> float:
        return max(room.waited[seat], room.active.get(seat, 0.0))

    def told(self, room: Room) -> dict[str, Any]:
        """Returns what everybody at a table is told: the clock, and who is away."""
        clock = room.clock
        left = {} if clock is None else clock.remaining(self._now(), self._started)
        return {
            "clock": clock
            and {
                "pace": vars(clock.pace),
                "left": {seat: round(seconds, 1) for seat, seconds in sorted(left.items())},
                "running": sorted(clock.since),
            },
            "away": self.away(room),
            "absence": room.absence,
            "replaced": [seat for seat in sorted(room.hashes) if seat not in room.people],
            "returning": sorted(room.returning),
        }

    def ask(self, room: Room, by: int, act: str, seat: int, agent: str) -> None:
        """Asks for an agent in place of somebody who is away, or answers somebody who asks.

        All other people have to agree, except those who are away themselves.

        Raises:
            SessionError: the seat's person is not away, or nobody waits for this answer.
        """
        absence = room.absence
        if act == "ask":
            away = self.away(room)
            if seat not in away or seat == by or absence is not None:
                raise SessionError(f"seat {seat} is not away, or somebody has asked already")
            others = tuple(one for one in room.people if one not in (by, *away))
            absence = Absence(seat, agent, by, others)
        elif absence is None or by not in (absence.by, *absence.asked):
            raise SessionError("nobody waits for this answer")
        elif act == "refuse":
            room.absence = None
            room.notify()
            return
        else:
            others = tuple(one for one in absence.asked if one != by)
            absence = Absence(absence.seat, absence.agent, absence.by, others)
        room.absence = absence
        if absence.asked:
            room.notify()
        else:
            self._stand_in(room, absence.seat, absence.agent)

    def come_back(self, room: Room, seat: int) -> None:
        """Gives a person the seat back, after the decision that is the agent's.

        Raises:
            SessionError: no agent plays for this person.
        """
        if seat in room.people or room.session.over:
            raise SessionError("no agent plays this seat for you")
        if seat in room.session.deciding and seat not in room.failures:
            room.returning.add(seat)
        else:
            self._give_back(room, seat)
            self._rooms.save(room)
            room.rewrite()
        self.follow(room)
        room.notify()
        self._rooms.agents.start(room)

    def _give_back(self, room: Room, seat: int | None) -> None:
        assert seat is not None
        room.returning.discard(seat)
        room.failures.pop(seat, None)
        room.session.stand_in(seat, None)
        if room.clock is not None:
            room.clock.allow(seat, RETURN_SECONDS)

    def _stand_in(self, room: Room, seat: int, agent: str) -> None:
        room.absence = room.undo = None
        room.returning.discard(seat)
        if (hint := room.hints.get(seat)) is not None:
            hint.cancel()
        room.session.stand_in(seat, agent)
        self._rooms.save(room)
        self.follow(room)
        room.rewrite()
        self._rooms.agents.start(room)

    def _deciding(self, room: Room) -> list[int]:
        return [seat for seat in room.session.deciding if seat in room.people]

    def _watch(self, room: Room) -> None:
        """Notes who should decide, and wakes when a time is out or somebody counts as away."""
        steady, deciding = self._rooms.steady(), self._deciding(room)
        room.waited = {seat: room.waited.get(seat, steady) for seat in deciding}
        if room.alarm is not None:
            room.alarm.cancel()
            room.alarm = None
        seconds = [self._seen(room, seat) + room.away_seconds - steady for seat in deciding]
        seconds = [one for one in seconds if one > 0] if len(room.people) > 1 else []
        if room.clock is not None:
            left = room.clock.remaining(self._now(), self._started)
            seconds += [left[seat] for seat in room.clock.since]
        if seconds and not room.ended:
            with suppress(RuntimeError):  # outside the event loop nobody listens
                loop = asyncio.get_running_loop()
                delay = max(min(seconds), self._retry - steady) + _SOON
                room.alarm = loop.call_later(delay, self._ring, room)

    def _ring(self, room: Room) -> None:
        with suppress(StoreError):  # the table is read from the file again
            self.check(room)
            room.notify()
            self._watch(room)
