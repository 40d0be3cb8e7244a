"""The routes of tables: opening one, looking at it, moving, hints, news and the record."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from gonzaga_agents.registry import default_agent
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.view import Viewer
from gonzaga_env.render.palette import Theme

from ..choices import Deciding
from ..session import (
    GameSession,
    SeatPlayer,
    SessionError,
    StaleMoveError,
    agent_seat,
    option_names,
)
from .positions import GAME_PAGES, GamePage, preview_json, table_json
from .protocol import (
    RequestError,
    as_json,
    bearer,
    integer,
    json_answer,
    query_number,
    read_object,
    text_of,
    texts_of,
    theme_in,
    while_connected,
)
from .room import Room
from .rooms import Changes, Rooms

MAX_WAIT = 25.0  # seconds; phones and proxies cut longer requests
_MAX_MOVE = 1000.0
MAX_ACTION = 1e9
_GONE = 499  # the client has left and does not read this answer

#: Returns the special table (a first game or a puzzle) that a request asks for; None for an
#: ordinary table.
FindSpecialTable = Callable[[Request, dict[str, Json]], Awaitable[GameSession | None]]


QUIET_SECONDS = 10.0  # after which an empty event shows that the server is there
#: Returns the position as JSON and its last move's number: from a frame on, or everything for
#: None; with or without the seat's turn.
ReadPosition = Callable[[int | None, bool], Awaitable[tuple[bytes, int]]]


class RoomRoutes:
    """The routes of tables."""

    def __init__(self, rooms: Rooms, special_table: FindSpecialTable) -> None:
        self._rooms, self._changes = rooms, Changes(rooms)
        self._special_table = special_table
        self.routes = [
            Route("/api/tables", self.create, methods=["POST"]),
            Route("/api/tables/{id}", self.look),
            Route("/api/tables/{id}/events", self.events),
            Route("/api/tables/{id}/moves", self.move, methods=["POST"]),
            Route("/api/tables/{id}/name", self.name, methods=["POST"]),
            Route("/api/tables/{id}/undo", self.undo, methods=["POST"]),
            Route("/api/tables/{id}/agent", self.agent, methods=["POST"]),
            Route("/api/tables/{id}/rematch", self.rematch, methods=["POST"]),
            Route("/api/tables/{id}/hint", self.hint),
            Route("/api/tables/{id}/preview", self.preview),
            Route("/api/tables/{id}/refusal", self.refusal),
            Route("/api/tables/{id}/overview", self.overview),
            Route("/api/tables/{id}/record", self.record),
        ]

    async def create(self, request: Request) -> Response:
        asked = await read_object(request)
        table = await self._special_table(request, asked)
        if table is None:
            config = config_of(self._rooms, asked)
            seats = _seats_of(self._rooms, asked, config.num_players)
            # The first table on a map builds what is known of it.
            table = await asyncio.to_thread(GameSession, config, seats)
        room, tokens = await self._rooms.create(table)
        return opened_answer(room, tokens)

    async def look(self, request: Request) -> Response:
        """Shows the position; with `wait`, waits for the next one."""
        room, viewer = self._enter(request)
        if "since" not in request.query_params:
            return await self._position(request, room, viewer, None)
        since = int(query_number(request, "since", 0, _MAX_MOVE))
        seconds = query_number(request, "wait", 0, MAX_WAIT)
        if since > room.session.num_moves and seconds > 0:
            try:
                await while_connected(
                    request.receive, self._rooms.wait(room, viewer, since, seconds)
                )
            except ClientDisconnect:
                return Response(status_code=_GONE)
        return await self._position(request, room, viewer, since)

    async def move(self, request: Request) -> Response:
        """Plays an action for the seat of the token."""
        asked = await read_object(request)
        room, seat = self._sit(request)
        number = integer(asked, "move")
        self._rooms.play(room, seat, number, integer(asked, "action"))
        return await self._position(request, room, seat, number + 1)

    async def events(self, request: Request) -> Response:
        """Sends the position and all that is new from now on."""
        room, viewer = self._enter(request)
        theme, seen = theme_in(request), None
        if "since" in request.query_params:
            since = int(query_number(request, "since", 0, _MAX_MOVE))
            seen = ClientState(since - 1, int(query_number(request, "revision", 0, MAX_ACTION)))

        async def read_position(since: int | None, with_turn: bool) -> tuple[bytes, int]:
            return await self._read_position(room, viewer, theme, since, with_turn)

        return EventStream(self._rooms, room, viewer, seen, read_position)

    async def name(self, request: Request) -> Response:
        """Gives the person of the token another name."""
        asked = await read_object(request)
        room, seat = self._sit(request)
        self._changes.rename(room, seat, text_of(asked, "name"))
        return await self._position(request, room, seat, None)

    async def undo(self, request: Request) -> Response:
        """Asks to take the last own decision back, or answers whoever asks."""
        asked = await read_object(request)
        room, seat = self._sit(request)
        answer, knowing = text_of(asked, "act"), asked.get("knowing") is True
        if answer not in ("ask", "agree", "refuse"):
            raise RequestError(f'act is {short_repr(answer)}; it takes "ask", "agree" or "refuse"')
        self._changes.take_back(room, seat, integer(asked, "move"), answer, knowing=knowing)
        return await self._position(request, room, seat, None)

    async def agent(self, request: Request) -> Response:
        """Lets another agent play for one that has failed, or asks that one again."""
        asked = await read_object(request)
        room, seat = self._sit(request)
        failed, name = integer(asked, "seat"), text_of(asked, "agent")
        await self._rooms.agents.replace(room, failed, name)
        return await self._position(request, room, seat, None)

    async def rematch(self, request: Request) -> Response:
        """Opens another table for all who sit at this one."""
        room, seat = self._sit(request)
        await self._changes.rematch(room)
        return await self._position(request, room, seat, room.session.num_moves)

    async def hint(self, request: Request) -> Response:
        """Asks an agent what it considers for the seat of the token."""
        room, seat = self._sit(request)
        usual = default_agent(room.session.config.game)
        name = request.query_params.get("agent", usual)
        asked = self._rooms.hints.ask(room, seat, name)
        try:
            return json_answer(as_json(await while_connected(request.receive, asked)))
        except ClientDisconnect:
            return Response(status_code=_GONE)

    async def preview(self, request: Request) -> Response:
        """Shows what an action of the seat to act leads to, where words don't tell it."""
        room, seat = self._sit(request)
        table, theme = room.session, theme_in(request)
        turn, action = table.turn(seat), query_number(request, "action", -1, MAX_ACTION)
        if not isinstance(turn, Deciding):
            raise SessionError("previews are for the seat to act, of games shown in blocks")
        return json_answer(
            preview_json(turn, int(action), table.config.edition, table.view(seat), theme)
        )

    async def refusal(self, request: Request) -> Response:
        """Says why the seat of the token may not play something."""
        room, seat = self._sit(request)
        page, asked = _page_of(room.session), request.query_params
        return json_answer(page.refusal_json(room.session, seat, asked))

    async def overview(self, request: Request) -> Response:
        """Says what the pieces on the map add up to."""
        room, viewer = self._enter(request)
        return json_answer(_page_of(room.session).overview_json(room.session, viewer))

    async def record(self, request: Request) -> Response:
        room, _ = self._enter(request)
        line = await self._rooms.frame_cache.record(room)
        name = f"{room.session.config.game}-{room.id}.jsonl"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(line, media_type="application/x-ndjson", headers=headers)

    async def _position(
        self, request: Request, room: Room, viewer: Viewer, since: int | None
    ) -> Response:
        theme = theme_in(request)
        answer, _ = await self._read_position(room, viewer, theme, since)
        return json_answer(answer)

    async def _read_position(
        self, room: Room, viewer: Viewer, theme: Theme, since: int | None, with_turn: bool = True
    ) -> tuple[bytes, int]:
        """Returns an answer with the position, and the number of its last move."""
        asking = room, viewer, theme
        if since is None:
            frames = [await self._rooms.frame_cache.last(*asking)]
            number = room.session.num_moves
        else:
            frames = await self._rooms.frame_cache.page(*asking, since)
            number = since + len(frames) - 1
        edition_id = self._rooms.edition_id(room.session.config.edition)
        kept = partial(self._rooms.frame_cache.cached_text, room, viewer)
        text = table_json(room, edition_id, viewer, since, frames, kept, with_turn=with_turn)
        return text, number

    def _enter(self, request: Request) -> tuple[Room, Viewer]:
        room = self._rooms.get(request.path_params["id"])
        token = bearer(request.headers)
        return room, "public" if token is None else room.seat_of(token)

    def _sit(self, request: Request) -> tuple[Room, int]:
        room, viewer = self._enter(request)
        if not isinstance(viewer, int):
            raise RequestError("this takes the token of a seat", 403)
        return room, viewer


def opened_answer(room: Room, tokens: Mapping[int, str]) -> Response:
    """Returns the answer to a request that has opened a table, with the token of each person."""
    seats = [{"seat": seat, "token": token} for seat, token in tokens.items()]
    return json_answer(as_json({"table": room.id, "seats": seats}), 201)


def config_of(rooms: Rooms, asked: dict[str, Json]) -> Config:
    """Returns what is to be played; the edition says which game."""
    edition, rules, scenario = (asked.get(k) for k in ("edition", "rules", "scenario"))
    found = rooms.edition(edition)
    if scenario is not None and not isinstance(scenario, str):
        raise RequestError(f"scenario is {short_repr(scenario)}; it takes a name or null")
    game = game_spec(found.game)
    named = {} if scenario is None else {"scenario": scenario}
    if named and "scenario" not in option_names(game.name):
        raise RequestError(f"scenario is {short_repr(scenario)}; {game.title} has none")
    players, options = integer(asked, "num_players"), {} if rules is None else rules
    return game.config(num_players=players, edition=found, rules=options, **named)


def _seats_of(rooms: Rooms, asked: dict[str, Json], num_players: int) -> list[SeatPlayer]:
    kinds = texts_of(asked, "seats", num_players)
    names = texts_of(asked, "names", num_players, [""] * num_players)
    return [
        rooms.roster.person(name) if kind == "human" else agent_seat(rooms.roster.check(kind), name)
        for kind, name in zip(kinds, names, strict=True)
    ]


def _page_of(table: GameSession) -> GamePage:
    if (page := GAME_PAGES.get(table.config.game)) is None:
        raise SessionError("only tables of games with a page of their own answer this")
    return page


class ClientState(NamedTuple):
    """The moves and the revision of the table that a page has seen."""

    moves: int
    revision: int


class EventStream(Response):
    """Sends the news of a table until the client leaves or the table is read again.

    Each event holds an answer as `table_json` makes it. `turn` is left out while it stays the same.
    After a change of names or of the history, an event holds the whole position.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        rooms: Rooms,
        room: Room,
        viewer: Viewer,
        seen: ClientState | None,
        read_position: ReadPosition,
    ) -> None:
        super().__init__(headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._rooms, self._room, self._viewer = rooms, room, viewer
        self._seen, self._read_position = seen, read_position
        self._turn: tuple[int, int, bool] | None = None  # which turn was sent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the news (errors as `Room.attended`, before anything is sent)."""
        with self._room.attended(self._viewer), self._room.open_page(self._viewer):
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            with suppress(ClientDisconnect):
                await while_connected(receive, self._send_news(send))

    async def _send_news(self, send: Send) -> None:
        room = self._room
        while not room.ended:
            news = room.news
            with suppress(StaleMoveError):  # the history has changed in between
                whole = await self._send_position(send)
                if not whole or news.is_set():
                    continue
                await self._wait(news, send)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _wait(self, news: asyncio.Event, send: Send) -> None:
        """Waits for news; now and then sends a sign of life and notes that the page is open."""
        while not news.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(QUIET_SECONDS):
                    await news.wait()
            if not news.is_set():
                await _send(send, b":\n\n")
                self._rooms.look_at(self._room)

    async def _send_position(self, send: Send) -> bool:
        """Sends what is new; returns whether that was all."""
        table, seen = self._room.session, self._seen
        if seen is not None and (seen.revision != table.revision or seen.moves > table.num_moves):
            seen = None
        mine = self._viewer in table.deciding and self._viewer in self._room.people
        turn = table.revision, table.stage, mine
        text, number = await self._read_position(
            None if seen is None else seen.moves + 1, turn != self._turn
        )
        await _send(send, b"data: " + text + b"\n\n")
        self._seen, self._turn = ClientState(number, turn[0]), turn
        return number == table.num_moves


async def _send(send: Send, text: bytes) -> None:
    await send({"type": "http.response.body", "body": text, "more_body": True})
