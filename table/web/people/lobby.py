"""Tables that wait for people: listed for everybody, or known to those who have the link.

A table begins once each of its seats is taken. Whoever takes a seat gets a token, which then is the
token of that seat at the table. People who wait ask again and again; whoever stays away loses the
seat, and a table where nobody waits any more is forgotten.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from gonzaga_env.tabletop.errors import GameError
from gonzaga_env.tabletop.spec import Config

from ...session import SeatPlayer, SessionError, agent_seat
from ..clients.limits import Rate
from ..ladder.results import RatedError, RatedPerson
from ..ladder.routes import check_rated
from ..requests import MalformedError
from ..rooms.clock import DAY, HOUR
from ..rooms.room import ForbiddenError, hash_token
from ..rooms.rooms import Rooms, UnknownTableError
from ..rooms.store import TooManyError
from .pace import Pace, away_of, pace_of

MAX_WAITING, MAX_WAITING_EACH = 200, 5  # tables in all, and opened by each client
PUBLIC_SECONDS, LINK_SECONDS = 180.0, DAY  # that people may stay away
KEPT_SECONDS = HOUR  # that a table which has begun is told to those who waited
RATE, BURST = 0.2, 20.0  # seats that a client takes a second, and saved up


@dataclass
class Waiting:
    """A table that waits for people.

    Attributes:
        id: names it.
        client: a digest of who opened it.
        made: when, in seconds.
        public: whether everybody finds it.
        game: the game's name.
        asked: what is played, as `config` took it.
        seats: of each seat "human" or the agent's spec, [P].
        names: of each seat the person's name; None while it is free or an agent's, [P].
        hashes: of each seat that of the person's token; None likewise, [P].
        table: the id of the table, once it has begun.
        persons: of each seat the person, where the game is rated, [P].
        seen: when the person of each seat last asked, on the steady clock.
        opening: whether the table is being opened now.
    """

    id: str
    client: str
    made: float
    public: bool
    game: str
    asked: dict[str, Any]
    seats: list[str]
    names: list[str | None]
    hashes: list[str | None]
    table: str | None = None
    persons: list[RatedPerson | None] = field(default_factory=list)
    seen: dict[int, float] = field(default_factory=dict)
    opening: bool = False

    def __post_init__(self) -> None:
        """Reads people as JSON has them, or as a file of before lacks them."""
        kept = self.persons or [None] * len(self.seats)
        self.persons = [one and RatedPerson(*one) for one in kept]

    def suits(self, person: RatedPerson | None) -> bool:
        """Returns whether nobody here has a person's key or address."""
        others = [one for one in self.persons if one is not None]
        return person is None or not any(
            person.key == one.key or person.address == one.address for one in others
        )

    @property
    def free(self) -> list[int]:
        """The seats that wait for a person."""
        pairs = enumerate(zip(self.seats, self.names, strict=True))
        return [seat for seat, (kind, name) in pairs if kind == "human" and name is None]

    @property
    def kind(self) -> Any:
        """What people have to want alike to meet here."""
        return self.game, json.dumps(self.asked, sort_keys=True), self.seats

    def seat_of(self, token: str | None) -> int | None:
        """Returns the seat of a token; None for none.

        Raises:
            ForbiddenError: the token is of no seat here, or of one that was lost meanwhile.
        """
        if token is None:
            return None
        given = hash_token(token)
        for seat, kept in enumerate(self.hashes):
            if kept is not None and hmac.compare_digest(given, kept):
                return seat
        raise ForbiddenError("the token is of no seat that waits here; take a seat again")

    def as_json(self, seat: int | None = None) -> dict[str, Any]:
        """Returns what people see of it; only those who sit there learn where it has begun."""
        told = {name: getattr(self, name) for name in ("id", "public", "game", "seats", "names")}
        return {
            **told,
            **self.asked,
            "free": self.free,
            "seat": seat,
            "table": None if seat is None else self.table,
        }


class Lobby:
    """The tables that wait for people; used from one event loop only."""

    def __init__(self, rooms: Rooms, config: Callable[[dict[str, Any]], Config]) -> None:
        """Takes the tables of the server, and what returns a game as a request asks for it."""
        self._rooms, self._config = rooms, config
        self._spent = Rate(RATE, BURST, rooms.steady)
        rows = rooms.store.rows("SELECT content FROM waiting ORDER BY made")
        found = [Waiting(**json.loads(content)) for (content,) in rows]
        self._waiting = {one.id: one for one in found}
        for one in found:
            self._see(one)

    def listed(self) -> list[dict[str, Any]]:
        """Returns the tables that everybody may join, the oldest first."""
        self.sweep()
        return [one.as_json() for one in self._waiting.values() if one.public and one.free]

    def get(self, id: str, token: str | None) -> tuple[Waiting, int | None]:  # noqa: A002
        """Returns a table that waits or has just begun, and the seat of the token.

        Raises:
            UnknownTableError: there is none.
            ForbiddenError: the token is of no seat there.
        """
        self.sweep()
        if id not in self._waiting:
            raise UnknownTableError("no such table waits; nobody was there any more")
        one = self._waiting[id]
        seat = one.seat_of(token)
        if seat is not None and one.table is None:
            one.seen[seat] = self._rooms.steady()
        return one, seat

    async def open(
        self,
        asked: dict[str, Any],
        kinds: list[str],
        seat: int,
        name: str,
        client: str,
        *,
        public: bool,
        anybody: bool = False,
        rated: RatedPerson | None = None,
    ) -> tuple[Waiting, int, str]:
        """Lets somebody wait for others, and returns the table with their seat and its token.

        Args:
            asked: what is played.
            kinds: of each seat "human" or an agent's spec.
            seat: where the one who opens it sits.
            name: that person's name.
            client: who opens it.
            public: whether everybody finds it.
            anybody: whether to join the first table that waits for the same game instead.
            rated: the person, if the game shall be rated, which all who join have to want.

        Raises:
            TooManyError: too many tables wait, in all or of this client.
            LimitError: the client has taken too many seats recently.
            RatedError: the game cannot be rated, or the person cannot begin a rated one.
            SessionError: the seat is no person's, or there is nobody to wait for.
            GameError: the game or an agent is not on offer.
        """
        config, person = self._config(asked), self._rooms.roster.person(name)
        pace = self._pace(asked, config)
        for kind in kinds:
            if kind != "human":
                self._rooms.roster.check(kind)
        if not 0 <= seat < len(kinds) or kinds[seat] != "human" or kinds.count("human") < 2:
            raise SessionError("an open table has a seat for you and one for somebody else")
        if rated is not None:
            check_rated(config, [None if kind == "human" else kind for kind in kinds])
            if pace is None:
                raise MalformedError("a rated game of people has a clock")
        new = Waiting(
            secrets.token_urlsafe(9),
            self._rooms.store.digest(client),
            self._rooms.now(),
            public,
            config.game,
            {
                **asked,
                "rules": config.rules.as_dict(),
                "away": int(away_of(asked)),
                "rated": rated is not None,
            },  # equal if they say the same
            kinds,
            [None] * len(kinds),
            [None] * len(kinds),
        )
        self.sweep()
        if anybody:
            for one in self._waiting.values():
                fits = one.kind == new.kind and one.suits(rated)
                if one.public and one.free and not one.opening and fits:
                    return one, *await self.join(one, one.free[0], person.name, client, rated)
        self._rooms.check_share(client)
        self._check_number(new.client)
        token = self._sit(new, seat, person.name, client, rated)
        self._waiting[new.id] = new
        self._save(new)
        return new, seat, token

    async def join(
        self, one: Waiting, seat: int, name: str, client: str, rated: RatedPerson | None = None
    ) -> tuple[int, str]:
        """Takes a free seat, and returns it with its token; the last one begins the game.

        At a table of a rated game, whoever has begun another one meanwhile loses the seat.

        Raises:
            RatedError: the game is rated and the person does not want that, or cannot begin one.
            SessionError: the seat is not free.
            LimitError: the client has taken too many seats recently.
            TooManyError: the table can't be opened for this client.
            GameError: what is played is not on offer any more.
        """
        if seat not in one.free or one.opening:
            raise SessionError("somebody else has just taken this seat")
        token = self._sit(one, seat, self._rooms.roster.person(name).name, client, rated)
        for other, person in enumerate(one.persons):
            if person is not None and self._rooms.results.under_way(person):
                self._stand(one, other)
        if not one.free:
            try:
                await self._begin(one, client)
            except GameError:
                self._stand(one, seat)
                raise
        self._save(one)
        return seat, token

    def leave(self, one: Waiting, seat: int) -> None:
        """Gives a seat back; without anybody left the table is forgotten."""
        if one.table is None and not one.opening:
            self._stand(one, seat)
            self._save(one)

    async def _begin(self, one: Waiting, client: str) -> None:
        one.opening = True
        try:
            seats = [
                SeatPlayer("human", name) if name is not None else agent_seat(kind)
                for kind, name in zip(one.seats, one.names, strict=True)
            ]
            hashes = {seat: kept for seat, kept in enumerate(one.hashes) if kept is not None}
            config = self._config(one.asked)
            pace = self._pace(one.asked, config)
            away = away_of(one.asked)
            rated = {seat: person for seat, person in enumerate(one.persons) if person is not None}
            room = await self._rooms.open(
                config, seats, hashes, client, rated or None, pace=pace, away=away
            )
        finally:
            one.opening = False
        for seat in hashes:  # whose people are here already
            self._rooms.chat.join(room, seat)
        one.table, one.made, one.persons = room.id, self._rooms.now(), [None] * len(seats)
        self._see(one)

    def _pace(self, asked: dict[str, Any], config: Config) -> Pace | None:
        return pace_of(asked, self._rooms.roster.names_for(config.game))

    def _sit(
        self, one: Waiting, seat: int, name: str, client: str, rated: RatedPerson | None
    ) -> str:
        self._spent.check(client, "too many seats taken by this address; try again soon")
        self._spent.spend(client, 1)
        if rated is None and one.asked.get("rated"):
            raise RatedError("this game is rated; whoever sits down has to agree")
        if rated is not None:
            if not one.asked.get("rated"):
                raise RatedError("this game is not rated")
            if not one.suits(rated):
                raise RatedError("somebody with your key or your address sits there already")
            self._rooms.results.check(rated)
        token = secrets.token_urlsafe(24)
        one.persons[seat] = rated
        one.names[seat], one.hashes[seat] = name, hash_token(token)
        one.seen[seat] = self._rooms.steady()
        return token

    def _stand(self, one: Waiting, seat: int) -> None:
        one.names[seat] = one.hashes[seat] = one.persons[seat] = None
        one.seen.pop(seat, None)

    def _see(self, one: Waiting) -> None:
        """Counts all who sit there as seen now."""
        now = self._rooms.steady()
        one.seen = {seat: now for seat, kept in enumerate(one.hashes) if kept is not None}

    def _check_number(self, client: str) -> None:
        waiting = [one for one in self._waiting.values() if one.table is None]
        if sum(one.client == client for one in waiting) >= MAX_WAITING_EACH:
            raise TooManyError("your address lets enough tables wait; leave one of them first")
        if len(waiting) >= MAX_WAITING:
            raise TooManyError(f"{MAX_WAITING} tables wait here, the limit; join one of them")

    def _save(self, one: Waiting) -> None:
        """Writes a table to the file; one where nobody waits is dropped."""
        run = self._rooms.store.run
        if not any(one.hashes):
            self._waiting.pop(one.id, None)
            run("DELETE FROM waiting WHERE id = ?", one.id)
            return
        content = asdict(one) | {"seen": {}, "opening": False}
        run("REPLACE INTO waiting VALUES (?, ?, ?)", one.id, one.made, json.dumps(content))

    def sweep(self) -> None:
        """Takes seats from people who have stayed away, and forgets what has begun long ago."""
        now = self._rooms.steady()
        for one in list(self._waiting.values()):
            if one.opening:
                continue
            began = one.table is not None
            most = KEPT_SECONDS if began else PUBLIC_SECONDS if one.public else LINK_SECONDS
            gone = [seat for seat, seen in one.seen.items() if now - seen > most]
            for seat in gone:
                self._stand(one, seat)
            if gone:
                self._save(one)
