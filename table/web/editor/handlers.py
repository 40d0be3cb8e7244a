"""What the editor's page asks for. It runs in the server's second process (`web.workshop`).

| request | body | answer |
|---|---|---|
| GET /api/editor/look | | `themes`: colours; `icons`: anchor and castle; `shipped`: editions |
| POST /api/editor/shipped | `name` | `model` |
| POST /api/editor/new | `rows`, `columns` | `model` |
| POST /api/editor/open | `files`: name -> text; or a .zip file | `model`, `missing` files |
| POST /api/editor/check | `model` | `faults`, `number`, `warnings`, `symbols`: icons by name |
| POST /api/editor/picture | `model`, `theme` | `svg`; null if the map has no hex to draw |
| POST /api/editor/keep | `model` | what a new game needs of the map (`playing.Playing`) |
| POST /api/editor/generate | | the same of a new map, made here |
| POST /api/editor/save | `model` | `folder`, `zip`: the .zip file in base64 |

Refused requests are answered by 4xx and `{"error": {"code", "message"}}`.
"""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.board.tables import tables_for
from gonzaga_env.core.editions.fault import Fault
from gonzaga_env.core.editions.generating.named import generated_name
from gonzaga_env.core.editions.loading import (
    EMPTY,
    build_edition,
    load_edition,
    parse_file,
    shipped_editions,
)
from gonzaga_env.core.editions.validate import FILES, find_faults, find_warnings
from gonzaga_env.render.draw import draw
from gonzaga_env.render.gonzaga.drawable import drawable
from gonzaga_env.render.gonzaga.marks import symbol_color
from gonzaga_env.render.icons import anchor, castle, symbol
from gonzaga_env.render.palette import DARK, LIGHT, ThemeName
from gonzaga_env.render.shapes import Layer, Scene, Shape
from gonzaga_env.render.svg import to_svg
from gonzaga_env.tabletop.bounded import short_repr

from ..requests import RefusedError, as_object
from .archive import folder_name, read_archive, write_archive
from .model import blank_edition, to_edition, to_model

MAX_BODY = 1 << 20
SEEDS = 10**6  # of new maps
MAX_ACTIONS = 8000  # of a map that the server plays on; a game of it takes as many bytes often
_SIZE, _RADIUS, _UNUSED = 48.0, 20.0, "#8d8478"  # of icons; the colour of unused symbols
MAX_FAULTS = 300  # in an answer; a map of one mark that is undefined may have many
#: Symbols with an icon of their own, offered where an edition has too few.
KNOWN = ("crown", "eagle", "lily", "lion", "rose", "star", "sun", "tower")
Answer = dict[str, Any]


def look(_: Answer) -> Answer:
    """Returns the colours of both themes, the icons of all editions and the shipped editions."""
    return {
        "themes": {"light": asdict(LIGHT), "dark": asdict(DARK)},
        "icons": {"anchor": anchor_icon(), "castle": castle_icon()},
        "shipped": list(shipped_editions()),
    }


def shipped(asked: Answer) -> Answer:
    """Returns the model of a shipped edition; no other file can be named."""
    name = asked.get("name")
    if name not in shipped_editions():
        known = ", ".join(shipped_editions())
        raise RefusedError(f"name is {short_repr(name)}; shipped editions: {known}", "unknown", 404)
    return {"model": to_model(load_edition(str(name)))}


def new(asked: Answer) -> Answer:
    """Returns the model of an empty map."""
    return {"model": to_model(blank_edition(asked.get("rows"), asked.get("columns")))}


def open_files(asked: Answer) -> Answer:
    """Returns the model of an edition's files; a missing file counts as empty."""
    files = asked.get("files")
    known = {f"{file}.toml": file for file in FILES}
    if not isinstance(files, dict) or not files.keys() & known.keys():
        raise RefusedError(f"there is no file of an edition; right are {', '.join(known)}")
    content, faults = dict(EMPTY), []
    for name, file in known.items():
        text = files.get(name)
        if isinstance(text, str | bytes):
            data = text.encode() if isinstance(text, str) else text
            content[file], found = parse_file(file, data)
            faults += found
    if faults:
        raise RefusedError("\n".join(map(str, faults[:20])), "unreadable")
    model = to_model(build_edition(Path("edition"), content))
    to_edition(model)  # refuses what is too large, before the page holds it
    return {"model": model, "missing": [name for name in known if name not in files]}


def check(asked: Answer) -> Answer:
    """Returns all faults and warnings (R9.2) with their places, and the icons of the symbols."""
    edition = to_edition(asked.get("model"))
    faults, warnings = find_faults(edition), find_warnings(edition)
    return {
        "faults": _shown(faults),
        "number": len(faults),
        "warnings": _shown(warnings),
        "symbols": symbol_icons(edition),
    }


def _shown(faults: Sequence[Fault]) -> list[Answer]:
    return [{"text": str(fault), **asdict(fault)} for fault in faults[:MAX_FAULTS]]


def picture(asked: Answer) -> Answer:
    """Returns the map as `gonzaga_env.draw` draws it, without what a drawing cannot show."""
    edition = drawable(to_edition(asked.get("model")))
    if edition is None:
        return {"svg": None}
    theme: ThemeName = "dark" if asked.get("theme") == "dark" else "light"
    return {"svg": draw(edition, theme=theme).svg}


def save(asked: Answer) -> Answer:
    """Returns the folder's name and its files."""
    edition = to_edition(asked.get("model"))
    archive = b64encode(write_archive(edition)).decode()
    return {"folder": folder_name(edition.name), "zip": archive}


def keep(asked: Answer) -> Answer:
    """Returns the model of a map that can be played on, as `to_model` writes it.

    Raises:
        RefusedError: it has faults, or is too large.
    """
    edition = to_edition(asked.get("model"))
    if faults := find_faults(edition):
        raise RefusedError(f"the map can't be played on yet; {faults[0]}", "faults")
    if (size := tables_for(edition).actions.size) > MAX_ACTIONS:
        raise RefusedError(
            f"the map is too large to play on: it has {size} actions, of {MAX_ACTIONS} at most",
            "too_large",
        )
    return {"model": to_model(edition)}


def generate_map(asked: Answer) -> Answer:
    """Returns a new map, which no body asks for: its name, such as "generated:grow-17", and model.

    The name makes the same map elsewhere, so records of its games are replayed by it.
    """
    name = generated_name("grow", secrets.randbelow(SEEDS))
    return {"id": name, "model": to_model(load_edition(name))}


def as_asked(body: bytes, kind: str) -> Answer:
    """Returns the JSON object in a body, or the files of a .zip file.

    Raises:
        MalformedError, RefusedError: the body is neither of them.
    """
    return {"files": read_archive(body)} if kind == "application/zip" else as_object(body)


def symbol_icons(edition: Edition) -> dict[str, str]:
    """Returns an SVG text for each symbol of the cities and each known one, grey if unused."""
    used = {name: symbol_color(edition, name) for name in edition.symbols}
    colors = {**dict.fromkeys(KNOWN, _UNUSED), **used}
    middle = (_SIZE / 2, _SIZE / 2)
    return {
        name: _svg(name, symbol(name, middle, _RADIUS, color))
        for name, color in sorted(colors.items())
    }


def anchor_icon() -> str:
    """Returns the SVG text of a harbor's mark."""
    return _svg("harbor", anchor((_SIZE / 2, _SIZE / 2), 0.92 * _RADIUS))


def castle_icon() -> str:
    """Returns the SVG text of a fief's castle."""
    drawn = castle((_SIZE / 2, _SIZE / 2), _RADIUS, LIGHT.castle, LIGHT.legend_line)
    return _svg("castle", drawn)


def _svg(title: str, shapes: Iterable[Shape]) -> str:
    return to_svg(Scene(_SIZE, _SIZE, title, (Layer(tuple(shapes)),)))


#: By the last part of their addresses; the first is asked for by GET.
TASKS: dict[str, Callable[[Answer], Answer]] = {
    "look": look,
    "shipped": shipped,
    "new": new,
    "open": open_files,
    "check": check,
    "picture": picture,
    "save": save,
    "keep": keep,
    "generate": generate_map,
}
