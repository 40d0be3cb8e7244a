"""What people change at a table beside their moves: names, take-backs, and rematches."""

from __future__ import annotations

from ...session import SeatPlayer, SessionError, StaleMoveError
from ..clients.limits import Rate
from .room import Room, TakeBack
from .rooms import Rooms

RATE, BURST = 0.2, 20.0  # names and take-backs of a client a second, and saved up


class RevealedError(SessionError):
    """Hidden things have been shown since; asking again takes the decision back anyway."""


class Changes:
    """Changes of tables; used from one event loop only."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms, self._spent = rooms, Rate(RATE, BURST)

    def rename(self, room: Room, seat: int, name: str, client: str) -> None:
        """Gives a person another name.

        Raises:
            OptionError: the name is not a person's (see `Roster.person`).
            LimitError: the client has made too many changes recently.
        """
        self.count(client)
        room.session.rename(seat, self._rooms.roster.person(name).name)
        self._rooms.save(room)
        room.rewrite()

    def count(self, client: str) -> None:
        """Counts a change, for which positions are made again."""
        self._spent.check(client, "too many changes of this address; try again soon")
        self._spent.spend(client, 1)

    def take_back(
        self, room: Room, seat: int, move: int, answer: str, client: str, *, knowing: bool = False
    ) -> None:
        """Asks to take the last own decision back, or answers somebody who asks.

        All other people have to agree. Without others, if the decision is still sealed, or within
        the own turn as long as nothing hidden has been shown, it is done at once. The one who asked
        withdraws by refusing.

        Args:
            room: the table.
            seat: who asks or answers.
            move: moves made so far, as the caller knows.
            answer: "ask", "agree" or "refuse".
            client: who asks.
            knowing: whether one who is alone knows that hidden things have been shown since.

        Raises:
            SessionError: there is nothing to take back or to answer, or the game is rated or over.
            StaleMoveError: the game has moved on.
            LimitError: the client has made too many changes recently.
            RevealedError: hidden things have been shown since, and the caller may not know it.
        """
        room.check_plays(seat)
        if room.rated:
            raise SessionError("in a rated game nothing is taken back")
        if room.session.over:
            raise SessionError("the game is over")
        if move != room.session.num_moves:
            raise StaleMoveError(f"{room.session.num_moves} moves have been made; look again")
        if answer == "ask":
            self.count(client)
            self._ask(room, seat, knowing)
        else:
            self._answer(room, seat, agrees=answer == "agree")

    def _ask(self, room: Room, seat: int, knowing: bool) -> None:
        if room.undo is not None:
            raise SessionError(f"seat {room.undo.seat} asks already")
        to, sealed = room.session.back_to(seat), seat in room.session.sealed
        reveals = not sealed and room.session.reveals(seat)
        others = tuple(other for other in room.people if other != seat)
        alone = sealed or (room.session.goes_on(seat) and not reveals)
        if others and not alone:
            room.undo = TakeBack(seat, to, reveals, others)
            self._rooms.agents.stop(room)
            room.notify()
            return
        if reveals and not knowing:
            raise RevealedError("hidden cards have been shown since; the log will tell all of it")
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
            if room.clock is not None:
                room.clock.renew()
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
        self._rooms.stand_ins.follow(room)
        room.rewrite()
        self._rooms.agents.start(room)

    async def rematch(self, room: Room, client: str) -> None:
        """Opens another table with the same people and agents, each a seat further on.

        Tokens stay the same. Later requests get the table of the first one.

        Raises:
            SessionError: the game is not over.
            TooManyError: there are too many tables, in all or of this client.
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
            pace = None if room.clock is None else room.clock.pace
            opened = await self._rooms.open(
                table.config, seats, hashes, client, pace=pace, away=room.away_seconds
            )
            for seat in room.joined:
                self._rooms.chat.join(opened, order[seat])
            room.next = opened.id
            self._rooms.save(room)
            room.notify()


def next_seat(seat: int, num_players: int) -> int:
    """Returns the seat that a player has in the rematch: the first one becomes the last."""
    return (seat - 1) % num_players
