"""The web application: its routes, pages and static files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from gonzaga_env.kernel.errors import GameError

from .analysis.routes import GameRoutes
from .answers import own_page
from .games import options, playable_games
from .guard import POLICY, Guard, on_error
from .learn.routes import LearnRoutes
from .password import Password
from .picture import look
from .requests import theme_in
from .rooms.rooms import Rooms
from .rooms.routes import RoomRoutes
from .rules.page import rules_routes
from .values import as_json, json_answer

STATIC = Path(__file__).parent / "static"
PAGES = {
    "/": "index.html",
    "/table/{id}": "table.html",
    "/game/{id}": "game.html",
    "/record": "record.html",
    "/learn": "learn/index.html",
    "/puzzle/{id}": "table.html",
}
MISSING = "missing.html"
_BOARD_SECONDS = 86400  # a board's address changes with its content


def make_app(
    rooms: Rooms,
    host: str = "127.0.0.1",
    names: Collection[str] = (),
    password: Password | None = None,
) -> Guard:
    """Returns the application, behind its guard.

    Args:
        rooms: the tables; they are closed with the application.
        host: the address that it is served on.
        names: further names that it answers to.
        password: what opening tables takes; None if everybody may.
    """
    games = GameRoutes(rooms)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        games.close()
        rooms.close()

    site, learn = _Site(rooms), LearnRoutes(rooms)
    app = Starlette(
        routes=[
            Route("/api/options", site.options),
            Route("/api/board", site.board),
            *RoomRoutes(rooms, learn.table).routes,
            *learn.routes,
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
    return Guard(app, host, names, password)


class _Site:
    """What is the same at all tables."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._options = as_json(options(rooms))

    async def options(self, request: Request) -> Response:
        """Says what a table may be opened with."""
        return json_answer(self._options)

    async def board(self, request: Request) -> Response:
        """Sends what stays the same of a board."""
        query = request.query_params
        edition, theme = self._rooms.edition(query.get("edition")), theme_in(request)
        if (page := own_page(edition.game)) is None:
            text = as_json(look(edition, theme))
        else:
            text = as_json(page.board(edition, query.get("scenario") or None, theme))
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
        return FileResponse(STATIC / file, headers={"Content-Security-Policy": POLICY})

    return page
