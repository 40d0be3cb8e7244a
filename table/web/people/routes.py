"""The routes of the lobby: tables that wait for people.

| request | body | answer |
|---|---|---|
| GET /api/lobby | | `waiting`: the tables that everybody may join |
| POST /api/lobby | as for a table, `seat`, `name`, `public`, `anybody` | the table, and `token` |
| GET /api/lobby/ID | | the table; with a token, `table` says where it has begun |
| POST /api/lobby/ID/join | `seat`, `name`, `rated` | the table, and `token` |
| POST /api/lobby/ID/leave | | the table as it is then |

Taking a seat of a table whose link one has needs no password. With `rated`, the person's key,
the game is rated, and all who join have to send theirs.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..ladder.routes import rated_person
from ..requests import bearer, client_of, integer, read_object, text_of, texts_of
from ..rooms.room import ForbiddenError
from ..rooms.rooms import Rooms
from ..rooms.routes import config_of
from ..values import as_json, json_answer
from .lobby import Lobby, Waiting


class LobbyRoutes:
    """The routes of the lobby."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms, self._lobby = rooms, Lobby(rooms, partial(config_of, rooms))
        self.routes = [
            Route("/api/lobby", self.list),
            Route("/api/lobby", self.open, methods=["POST"]),
            Route("/api/lobby/{id}", self.look),
            Route("/api/lobby/{id}/join", self.join, methods=["POST"]),
            Route("/api/lobby/{id}/leave", self.leave, methods=["POST"]),
        ]

    async def list(self, request: Request) -> Response:
        """Lists the tables that everybody may join."""
        return json_answer(as_json({"waiting": self._lobby.listed()}))

    async def open(self, request: Request) -> Response:
        """Lets somebody wait, or sit down where somebody waits for the same game."""
        asked = await read_object(request)
        players = integer(asked, "num_players")
        kinds = texts_of(asked, "seats", min(max(players, 0), 9))
        names = "edition", "num_players", "scenario", "rules", "pace", "away"
        one, seat, token = await self._lobby.open(
            {name: asked.get(name) for name in names},
            kinds,
            integer(asked, "seat"),
            text_of(asked, "name"),
            client_of(request),
            public=asked.get("public") is True or asked.get("anybody") is True,
            anybody=asked.get("anybody") is True,
            rated=rated_person(self._rooms, request, asked),
        )
        return _answer(one, seat, token, 201)

    async def look(self, request: Request) -> Response:
        """Shows a table that waits, and notes that somebody there still does."""
        return _answer(*self._lobby.get(request.path_params["id"], bearer(request.headers)))

    async def join(self, request: Request) -> Response:
        """Takes a seat."""
        asked = await read_object(request)
        one, _ = self._lobby.get(request.path_params["id"], None)
        seat, name = integer(asked, "seat"), text_of(asked, "name")
        rated = rated_person(self._rooms, request, asked)
        taken = await self._lobby.join(one, seat, name, client_of(request), rated)
        return _answer(one, *taken)

    async def leave(self, request: Request) -> Response:
        """Gives a seat back."""
        one, seat = self._lobby.get(request.path_params["id"], bearer(request.headers))
        if seat is None:
            raise ForbiddenError("this takes the token of a seat")
        self._lobby.leave(one, seat)
        return _answer(one, None)


def _answer(one: Waiting, seat: int | None, token: str | None = None, status: int = 200) -> Any:
    content = one.as_json(seat) | ({} if token is None else {"token": token})
    return json_answer(as_json(content), status)
