"""The web application: its pages and routes, and what tables can be opened with."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import fields
from inspect import cleandoc
from pathlib import Path
from typing import Any, get_args, get_type_hints

from gonzaga_agents.heuristics.linear import NAME as LINEAR
from gonzaga_agents.network.learned import NAME as LEARNED
from gonzaga_agents.search.agent import NAME as SEARCH
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from gonzaga_env.core.config import Rules
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.editions.loading import load_edition, shipped_editions
from gonzaga_env.games import file_edition, game_spec, registered_games
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.errors import GameError, OptionError
from gonzaga_env.kernel.sentences import say
from gonzaga_env.version import __version__

from ..session import option_names
from ..specs import table_spec
from .finished import GameRoutes
from .guard import POLICY, Guard, Password, on_error
from .learn.first_games import FIRST_GAMES
from .learn.routes import LearnRoutes
from .positions import board_json
from .protocol import as_json, json_answer, theme_in
from .rooms import Rooms
from .routes import RoomRoutes
from .rules.page import rules_routes

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


_RULES = re.compile(r" \([A-Z]\d[^()]*\)")
_OPTION = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)  # of a docstring
_LEVELS = {
    **{"random": "novice", "greedy": "beginner", "planner": "club", LINEAR: "expert"},
    LEARNED: "expert",
}


def make_app(
    rooms: Rooms,
    host: str = "127.0.0.1",
    names: Collection[str] = (),
    password: Password | None = None,
) -> Guard:
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
    """The answers that are the same at all tables."""

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
        text = board_json(edition, query.get("scenario") or None, theme)
        return json_answer(text, headers={"Cache-Control": f"private, max-age={_BOARD_SECONDS}"})


async def _on_http_error(request: Request, error: Exception) -> Response:
    """Answers an unknown address: with a page, if a browser opens it."""
    unknown = isinstance(error, HTTPException) and error.status_code == 404
    if unknown and "text/html" in request.headers.get("accept", ""):
        return FileResponse(STATIC / MISSING, 404)
    return await on_error(request, error)


def _page(file: str) -> Callable[[Request], Awaitable[Response]]:

    async def page(request: Request) -> Response:
        return FileResponse(STATIC / file, headers={"Content-Security-Policy": POLICY})

    return page


def find_editions(paths: Sequence[str]) -> dict[str, EditionBase]:
    """Returns the editions of all games and those of some paths, by the ids that pages use."""
    found: dict[str, EditionBase] = {name: load_edition(name) for name in shipped_editions()}
    for game in playable_games():
        edition = game_spec(game).any_config().edition
        if edition not in found.values():
            found[f"{game}/{edition.name}"] = edition  # games may have editions of one name
    for path in paths:
        edition = file_edition(path) or load_edition(path)
        name = path if path in found else Path(path).resolve().name
        if found.setdefault(name, edition) != edition:
            raise OptionError(f"there are two editions named {name!r}; rename one of them")
    return found


def playable_games() -> list[str]:
    return [game_spec(name).name for name in registered_games()]


def options(rooms: Rooms) -> dict[str, object]:
    """Returns what tables can be opened with; what is Gonzaga's stands at the top too."""
    known = {edition.game: edition for edition in reversed([*rooms.editions.values()])}  # the first
    return {
        "version": __version__,
        "editions": [edition_json(name, edition) for name, edition in rooms.editions.items()],
        "agents": rooms.roster.names,
        "num_players": game_spec().players,
        "rules": {"sea_league": ["each_player", "first_only"], "first_check_round": [1, NUM_FIEFS]},
        "default_rules": Rules(),
        "games": [_game(name, known[name], rooms) for name in playable_games() if name in known],
    }


def _game(name: str, edition: EditionBase, rooms: Rooms) -> dict[str, object]:
    spec, parts = game_spec(name), table_spec(name)
    rules, agents = spec.any_config(edition=edition).rules, rooms.roster.names_for(name)
    return {
        "name": name,
        "title": spec.title,
        "first_game": name in FIRST_GAMES,
        "num_players": spec.players,
        "agents": agents,
        "levels": {agent: level_of(agent) for agent in agents},
        "rules": dict(_values(type(rules))),
        "rules_words": _words(type(rules)),
        "default_rules": rules,
        "presets": {name: type(rules).of(name).as_dict() for name in rules.PRESETS},
        "line": parts.line,
        "summary": parts.rules,
        "advice": {kind: say(text) for kind, text in parts.advice.items()},
    }


def _values(rules: Any) -> Iterator[tuple[str, Sequence[object]]]:
    """Yields each option with its values; no values if it takes any integer."""
    hints = get_type_hints(rules)
    for field in fields(rules):
        yield field.name, get_args(hints[field.name])


def _words(rules: Any) -> dict[str, str]:
    """Returns what the options mean, as their class says it, without numbers of rules."""
    found = dict(_OPTION.findall(cleandoc(rules.__doc__ or "")))
    return {
        field.name: _RULES.sub("", " ".join(found.get(field.name, "").split()))
        for field in fields(rules)
    }


def edition_json(name: str, edition: Any) -> dict[str, object]:
    scenarios = edition.scenarios if "scenario" in option_names(edition.game) else ()
    return {
        "id": name,
        "game": edition.game,
        "name": edition.name,
        "reconstruction": edition.reconstruction,
        "scenarios": [
            {"name": s.name, "num_players": s.players, "flourishing": s.flourishing}
            for s in scenarios
        ],
    }


def level_of(agent: str) -> str | None:
    """Returns how strong an agent is, as a word that pages translate; None if unknown."""
    base, _, advisor = agent.partition(":")
    if base.partition("@")[0] == SEARCH:
        return "master" if advisor == LEARNED else "expert"
    return None if advisor else _LEVELS.get(base)
