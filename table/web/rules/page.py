"""The pages of rules: numbers become anchors and links, and pictures are drawn.

A text is HTML with three shorthands. `[R3.4]` says that the sentence before states rule R3.4: it
becomes the rule's anchor. Any other number becomes a link to its anchor. `<picture name="league"
alt="...">` becomes a picture of the game, in light and in dark.
"""

from __future__ import annotations

import asyncio
import re
from functools import cache, lru_cache
from html import escape
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gonzaga_env.games import DEFAULT_GAME, game_names, game_spec
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.render.palette import theme_of
from gonzaga_env.render.svg import to_svg

from ...specs import table_spec
from ..protocol import RequestError
from .pictures import PICTURES

TEXTS = Path(__file__).parent / "texts"
TEMPLATE = Path(__file__).parent.parent / "static" / "rules.html"
LANGUAGES = sorted(path.stem for path in TEMPLATE.parent.glob("words/*.json"))
_SECONDS = 3600  # for which a browser keeps a picture
_STATED = re.compile(r" ?\[([RTS]\d+\.\d+)\]")
_NAMED = re.compile(r"(?<![\w#.\"])([RTS]\d+(?:\.\d+)?)(?![\w\"])")
_PICTURE = re.compile(r'<picture name="([\w-]+)" alt="([^"]*)"(?: class="([\w-]+)")?>')
_TITLE = re.compile(r"<h1>(.+?)</h1>")
_HEADING = re.compile(r'<h2 id="([^"]+)">(.+?)</h2>')
_GAME = '<a href="/rules/{}"{} translate="no">{}</a>'
_CONTENT = '<li><a href="#{}">{}</a></li>'


def rules_routes(games: tuple[str, ...]) -> list[Route]:
    pages = _Pages(games)
    return [
        Route("/rules", pages.send_page),
        Route("/rules/{game}", pages.send_page),
        Route("/rules/{game}/{name}.svg", pages.send_picture),
    ]


class _Pages:
    """Answers for the rules of some games."""

    def __init__(self, games: tuple[str, ...]) -> None:
        self._games = games

    async def send_page(self, request: Request) -> Response:
        """Sends the rules of a game, in English where there is no translation."""
        game = request.path_params.get("game", DEFAULT_GAME)
        language = request.query_params.get("language", "en")
        if language not in LANGUAGES:
            raise RequestError(f"language is {short_repr(language)}; known: {', '.join(LANGUAGES)}")
        self._check(game)
        return HTMLResponse(await asyncio.to_thread(rules_page, game, language, self._games))

    async def send_picture(self, request: Request) -> Response:
        """Sends a picture, which is drawn when it is first asked for."""
        game, name = request.path_params["game"], request.path_params["name"]
        theme = request.query_params.get("theme", "light")
        theme_of(theme)
        self._check(game)
        if name not in PICTURES.get(game, {}):
            raise HTTPException(404, f"there is no picture {short_repr(name)}")
        text = await asyncio.to_thread(picture, game, name, theme)
        headers = {"Cache-Control": f"private, max-age={_SECONDS}"}
        return Response(text, media_type="image/svg+xml", headers=headers)

    def _check(self, game: str) -> None:
        if game not in self._games:
            raise HTTPException(404, f"there are no rules of {short_repr(game)}")


@lru_cache(maxsize=256)
def picture(game: str, name: str, theme: str) -> str:
    return to_svg(PICTURES[game][name](theme_of(theme)))


@cache
def rules_page(game: str, language: str = "en", games: tuple[str, ...] = game_names()) -> str:
    """Returns the page of a game's rules; without a text, it is the table's summary."""
    language = language if language in _languages(game) else "en"
    text = _linked(_text(game, language))
    parts = {
        "title": _TITLE.findall(text)[0],
        "language": language,
        "languages": " ".join(_languages(game)),
        "games": "".join(
            _GAME.format(
                name, ' aria-current="page"' * (name == game), escape(game_spec(name).title)
            )
            for name in games
        ),
        "contents": "".join(_CONTENT.format(*found) for found in _HEADING.findall(text)),
        "text": _PICTURE.sub(lambda found: _images(game, *found.groups()), text),
    }
    page = TEMPLATE.read_text(encoding="utf-8")
    return re.sub(r"\$(\w+)\$", lambda found: parts[found[1]], page)


def _text(game: str, language: str) -> str:
    path = TEXTS / language / f"{game}.html"
    if path.is_file():
        return path.read_text(encoding="utf-8")
    parts = (f"<p>{escape(part)}</p>" for part in table_spec(game).rules.split("\n\n"))
    return "\n".join((f"<h1>{escape(game_spec(game).title)}</h1>", *parts))


def _languages(game: str) -> list[str]:
    return [code for code in LANGUAGES if (TEXTS / code / f"{game}.html").is_file()]


def _linked(text: str) -> str:
    text = _STATED.sub(r' <a class="rule" id="\1" href="#\1">\1</a>', text)
    anchors = {*re.findall(r'id="([^"]+)"', text)}

    def link(found: re.Match[str]) -> str:
        name = found[0]
        return f'<a href="#{name}">{name}</a>' if name in anchors else name

    parts = re.split(r"(<h2.*?</h2>|<a .*?</a>|<[^>]*>)", text, flags=re.DOTALL)
    return "".join(part if i % 2 else _NAMED.sub(link, part) for i, part in enumerate(parts))


def _images(game: str, name: str, alt: str, style: str | None) -> str:
    """Returns the elements of a picture: one for each theme, of which the page shows one."""
    width, height = re.findall(r'(?:width|height)="([\d.]+)"', picture(game, name, "light"))[:2]
    size = f'width="{float(width):.0f}" height="{float(height):.0f}"'
    return "".join(
        f'<img class="on-{theme} {style or ""}" alt="{alt}" {size} loading="lazy" '
        f'src="/rules/{game}/{name}.svg?theme={theme}" />'
        for theme in ("light", "dark")
    )
