"""The web application: its routes, pages and static files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from gonzaga_env.tabletop.errors import GameError

from .analysis.routes import GameRoutes
from .answers import own_page
from .clients.limits import Clients
from .clients.password import Password
from .editor.playing import Playing
from .games import options, playable_games
from .guard import POLICY, Guard, on_error
from .ladder.routes import LadderRoutes
from .learn.routes import LearnRoutes
from .people.routes import LobbyRoutes
from .picture import look
from .requests import theme_in
from .rooms.rooms import Rooms
from .rooms.routes import RoomRoutes
from .rooms.store import StoreError
from .rules.page import rules_routes
from .values import as_json, json_answer
from .workshop.queue import Workshop

STATIC = Path(__file__).parent / "static"
PAGES = {
    "/": "index.html",
    "/table/{id}": "table.html",
    "/game/{id}": "game.html",
    "/record": "record.html",
    "/editor": "editor/index.html",
    "/ladder": "ladder.html",
    "/learn": "learn/index.html",
    "/puzzle/{id}": "table.html",
}
MISSING = "missing.html"
_SWEEP_SECONDS = 600
_BOARD_SECONDS = 86400  # a board's address changes with its content


def make_app(
    rooms: Rooms,
    host: str = "127.0.0.1",
    names: Collection[str] = (),
    clients: Clients | None = None,
    password: Password | None = None,
    takes_forwarded: bool = True,
) -> Guard:
    """Returns the application, behind its guard.

    Args:
        rooms: the tables; they are closed with the application.
        host: the address that it is served on.
        names: further names that it answers to.
        clients: what its clients use; None for the usual limits.
        password: the lobby's; None if everybody may use it.
        takes_forwarded: whether requests may come through a proxy.
    """
    clients = Clients() if clients is None else clients
    workshop = Workshop(rooms.editions, clients)
    games = GameRoutes(rooms, workshop)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        sweeping = asyncio.create_task(_sweep(rooms))
        yield
        sweeping.cancel()
        games.close()
        workshop.close()
        rooms.close()

    site, learn = _Site(rooms), LearnRoutes(rooms, workshop)
    app = Starlette(
        routes=[
            Route("/api/options", site.options),
            Route("/api/board", site.board),
            *RoomRoutes(rooms, learn.table).routes,
            *LobbyRoutes(rooms).routes,
            *learn.routes,
            *LadderRoutes(rooms).routes,
            *Playing(rooms, workshop).routes,
            *workshop.routes,
            *games.routes,
            *rules_routes(tuple(playable_games())),
            *(Route(path, _page(file)) for path, file in PAGES.items()),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        exception_handlers={
            GameError: on_error,
            HTTPException: _on_http_error,
            ClientDisconnect: on_error,
            Exception: on_error,  # the server's log gets these too
        },
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # addresses are exact
    return Guard(app, host, names, clients, password, takes_forwarded)


async def _sweep(rooms: Rooms) -> None:
    """Drops unused tables now and then."""
    while True:
        with suppress(StoreError):  # moving or opening a table reports it
            rooms.sweep()
        await asyncio.sleep(_SWEEP_SECONDS)


class _Site:
    """What is the same at all tables."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._options = as_json(options(rooms))
        self._drawing = asyncio.Lock()

    async def options(self, request: Request) -> Response:
        """Says what a table may be opened with."""
        return json_answer(self._options)

    async def board(self, request: Request) -> Response:
        """Sends what stays the same of a board."""
        query = request.query_params
        edition, theme = self._rooms.editions.asked(query.get("edition")), theme_in(request)
        scenario = query.get("scenario") or None
        if (page := own_page(edition.game)) is None:
            text = as_json(look(edition, theme))
        elif query["edition"] in list(self._rooms.editions):
            text = as_json(page.board(edition, scenario, theme))
        else:  # somebody's map: drawing it takes longer than a move may wait
            async with self._drawing:
                text = as_json(await asyncio.to_thread(page.board, edition, scenario, theme))
        return json_answer(text, headers={"Cache-Control": f"private, max-age={_BOARD_SECONDS}"})


async def _on_http_error(request: Request, error: Exception) -> Response:
    """Answers an unknown address: with a page, if a browser opens it."""
    unknown = isinstance(error, HTTPException) and error.status_code == 404
    if unknown and "text/html" in request.headers.get("accept", ""):
        return FileResponse(STATIC / MISSING, 404)
    return await on_error(request, error)


def _page(file: str) -> Any:
    """Returns what sends a page."""

    async def page(request: Request) -> Response:
        path = STATIC / file
        if not path.is_file():
            raise HTTPException(404, f"there is no page {file}")
        return FileResponse(path, headers={"Content-Security-Policy": POLICY})

    return page
