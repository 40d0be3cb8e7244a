"""What people change at a table beside their moves: names, take-backs, and rematches."""

from __future__ import annotations

from gonzaga_env.kernel.sentences import say

from ...session import GameSession, SeatPlayer, SessionError, StaleMoveError
from ..requests import RequestError
from .room import Room, TakeBack
from .rooms import Rooms


class Changes:
    """Changes of tables; used from one event loop only."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    def rename(self, room: Room, seat: int, name: str) -> None:
        """Gives a person another name.

        Raises:
            OptionError: the name is not a person's (see `Roster.person`).
        """
        room.session.rename(seat, self._rooms.roster.person(name).name)
        self._rooms.save(room)
        room.rewrite()

    def take_back(
        self, room: Room, seat: int, move: int, answer: str, *, knowing: bool = False
    ) -> None:
        """Asks to take the last own decision back, or answers somebody who asks.

        All other people have to agree. Without others, if the decision is still sealed, or within
        the own turn as long as nothing hidden has been shown, it is done at once, unless it would
        take back what another person has done. The one who asked withdraws by refusing.

        Args:
            room: the table.
            seat: who asks or answers.
            move: moves made so far, as the caller knows.
            answer: "ask", "agree" or "refuse".
            knowing: whether one who is alone knows that hidden things have been shown since.

        Raises:
            SessionError: there is nothing to take back or to answer, or the game is over.
            StaleMoveError: the game has moved on.
            RequestError: hidden things have been shown since, and the caller may not know it.
        """
        if room.session.over:
            raise SessionError("the game is over")
        if move != room.session.num_moves:
            raise StaleMoveError(
                say("{n} moves have been made; look again", n=room.session.num_moves)
            )
        if answer == "ask":
            self._ask(room, seat, knowing)
        else:
            self._answer(room, seat, agrees=answer == "agree")

    def _ask(self, room: Room, seat: int, knowing: bool) -> None:
        if room.undo is not None:
            raise SessionError(
                say("seat {n} asks already", n=room.undo.seat, place=room.undo.seat + 1)
            )
        to, sealed = room.session.back_to(seat), seat in room.session.sealed
        reveals = not sealed and room.session.reveals(seat)
        others = tuple(other for other in room.people if other != seat)
        alone = sealed or (room.session.goes_on(seat) and not reveals)
        if others and not (alone and _lost(room.session, to, sealed=sealed).isdisjoint(others)):
            room.undo = TakeBack(seat, to, reveals, others)
            self._rooms.agents.stop(room)
            room.notify()
            return
        if reveals and not knowing:
            raise RequestError("hidden cards have been shown since", 409)
        self._do(room, seat)

    def _answer(self, room: Room, seat: int, *, agrees: bool) -> None:
        undo = room.undo
        if undo is None or seat not in (undo.seat, *undo.asked):
            raise SessionError("nobody waits for this answer")
        if agrees and seat == undo.seat:
            raise SessionError("the others have to agree")
        asked = tuple(other for other in undo.asked if other != seat)
        room.undo = TakeBack(undo.seat, undo.to, undo.reveals, asked) if agrees else None
        if agrees and not asked:
            self._do(room, undo.seat)
        else:
            room.notify()
            self._rooms.agents.start(room)

    def _do(self, room: Room, seat: int) -> None:
        room.undo = None
        self._rooms.agents.stop(room)
        room.session.take_back(seat)
        room.failures.clear()
        for hint in room.hints.values():
            hint.cancel()
        self._rooms.save(room)
        room.rewrite()
        self._rooms.agents.start(room)

    async def rematch(self, room: Room) -> None:
        """Opens another table with the same people and agents, each a seat further on.

        Tokens stay the same. Later requests get the table of the first one.

        Raises:
            SessionError: the game is not over.
            RequestError: there are too many tables.
            GameError: an agent cannot play any more.
        """
        if not room.session.over:
            raise SessionError("the game is not over")
        async with room.lock:
            if room.next is not None:
                return
            table = room.session
            order = [next_seat(seat, len(table.seats)) for seat in range(len(table.seats))]
            seats = [
                SeatPlayer("human", table.seats[old].name)
                if old in room.hashes
                else table.seats[old]
                for old in map(order.index, range(len(order)))
            ]
            hashes = {order[seat]: kept for seat, kept in room.hashes.items()}
            opened = await self._rooms.open(table.config, seats, hashes)
            room.next = opened.id
            self._rooms.save(room)
            room.notify()


def _lost(table: GameSession, to: int, *, sealed: bool) -> set[int]:
    """Returns the seats whose decisions a take-back loses; those sealed with the own one stay."""
    if sealed:
        return {mover for mover, _ in table.moves[to : table.stage]}
    return {*(mover for mover, _ in table.moves[to:]), *table.pending}


def next_seat(seat: int, num_players: int) -> int:
    """Returns the seat that a player has in the rematch: the first one becomes the last."""
    return (seat - 1) % num_players
