"""A game as one self-contained page for browsers.

The drawing of each position is kept as lists of indices into a table of SVG elements, since most
elements stay the same from move to move. Both themes share the table: colours are variables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.messages import printable
from gonzaga_env.kernel.view import Frame, View
from gonzaga_env.render.charts import HEIGHT as CURVES_HEIGHT
from gonzaga_env.render.charts import WIDTH as CURVES_WIDTH
from gonzaga_env.render.charts import curve_axes, curves_scene
from gonzaga_env.render.games import AnyPictures, game_pictures
from gonzaga_env.render.palette import DARK, LIGHT, Theme
from gonzaga_env.render.shapes import Layer
from gonzaga_env.render.svg import FONT, layer_svg
from gonzaga_env.text.base import shown_name

_COLOR = re.compile("#[0-9a-f]{6}")
_WON = "♛ "
_EDGE = 8.0  # around a panel, for the frame of the player to act
_WIDE = 1.5  # width by height of a board that takes the page's width
_PAGE_COLORS = ("paper", "frame", "ink", "muted", "panel", "line", "mark", "on_mark")


class _Drawings:
    """Layers as lists of indices into a table of elements; their colours are CSS variables."""

    def __init__(self) -> None:
        self.elements: dict[str, int] = {}
        self.layers: dict[tuple[int, ...], int] = {}
        self._colors: dict[tuple[str, str], str] = {}
        self._known: dict[tuple[Layer, Layer], int] = {}

    def add(self, light: Layer, dark: Layer) -> int:
        """Returns the index of a layer, which both themes draw alike but for its colours."""
        if (light, dark) not in self._known:
            text = self.themed(layer_svg(light), layer_svg(dark))
            known = self.elements
            numbers = tuple(known.setdefault(e, len(known)) for e in text.split("\n") if e)
            self._known[light, dark] = self.layers.setdefault(numbers, len(self.layers))
        return self._known[light, dark]

    def themed(self, light: str, dark: str) -> str:
        """Returns a text with colours of the light theme as variables, given that of the dark."""
        others = iter(_COLOR.findall(dark))
        return _COLOR.sub(lambda found: self._variable(found[0], next(others)), light)

    def _variable(self, light: str, dark: str) -> str:
        number = len(self._colors)
        return f"var(--{self._colors.setdefault((light, dark), f'c{number}')})"

    def tables(self) -> dict[str, Json]:
        return {"layers": list(self.layers), "elements": list(self.elements)}

    def styles(self) -> dict[str, str]:
        named = {name: (getattr(LIGHT, name), getattr(DARK, name)) for name in _PAGE_COLORS}
        players = zip(LIGHT.players, DARK.players, strict=True)
        named |= {f"player{seat}": pair for seat, pair in enumerate(players)}
        named |= {name: pair for pair, name in self._colors.items()}
        return {
            theme: ";".join(f"--{name}:{pair[i]}" for name, pair in named.items())
            for i, theme in enumerate(("light", "dark"))
        }


@dataclass(frozen=True)
class Curves:
    """A curve for each player, from 0 to 1, drawn in place of the scores."""

    title: str  # what they show
    unit: str  # what their values count
    series: Sequence[Sequence[float]]  # the values after every number of moves, [P][M + 1]


def page(
    edition: EditionBase,
    frames: Sequence[Frame],
    title: str,
    move: int = 0,
    curves: Curves | None = None,
) -> str:
    """Returns a game as an HTML document that starts with a position; `curves` go below the log.

    Nothing but what the viewer of the frames may know is in the page.
    """
    drawings, pictures = _Drawings(), game_pictures(edition.game)
    last = frames[-1].view
    data = {
        "frames": [_frame(pictures, edition, frame, drawings) for frame in frames],
        "start": move,
        "names": _names(last),
        "rounds": [frame.view.round for frame in frames],
        "chart": _chart(pictures, frames, drawings, curves),
        **drawings.tables(),
    }
    board = pictures.board(edition, last, LIGHT)
    known = {"public": "what lies open", "spectator": "everything is shown"}
    seen = known.get(str(last.viewer), f"as player {last.viewer} sees it")
    texts = {
        "title": escape(f"{pictures.spec.title}: {printable(title)}"),
        "game": escape(f"{pictures.played(last)}; {seen}"),
        "key": "".join(
            f'<li><i style="background:{color}"></i>{source}</li>'
            for source, color in zip(pictures.parts, _source_colors(drawings), strict=False)
        ),
        "shape": "wide" if board.width > _WIDE * board.height else "",
        "board": f"0 0 {board.width:.0f} {board.height:.0f}",
        "panels": _panels(pictures, len(last.players)),
        "final": _final(pictures, last, drawings) if last.to_act is None else "",
        "chart": f"0 0 {CURVES_WIDTH:.0f} {CURVES_HEIGHT:.0f}",
        "curves": "Scores" if curves is None else escape(curves.title),
        "last": str(len(frames) - 1),
        "font": FONT,
        **drawings.styles(),
        "style": _static("page.css"),
        "script": f"\n{_static('page.js')}\n",
        # "<" would end the script element in "</script>".
        "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }
    document = _filled(_static("page.html"), {name: texts[name] for name in ("style", "script")})
    return _filled(document, texts)


def drawn_game(edition: EditionBase, frames: Sequence[Frame]) -> dict[str, Json]:
    """Returns the drawings of a game as plain values, for pages that arrange them themselves.

    These are "frames" with layers of the board and of each player's panel, stage and note in words,
    and round; "elements" and "layers", in which they are looked up; "styles", the values of the
    colours' CSS variables in each theme; and the sizes of "board" and "panel".
    """
    drawings, pictures = _Drawings(), game_pictures(edition.game)
    last = frames[-1].view
    board = pictures.board(edition, last, LIGHT)
    return {
        "frames": [
            {**_frame(pictures, edition, frame, drawings), "round": frame.view.round}
            for frame in frames
        ],
        "played": pictures.played(last),
        "board": [board.width, board.height],
        "panel": [side + 2 * _EDGE for side in pictures.panel_size],
        "styles": drawings.styles(),
        **drawings.tables(),
    }


def _filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values.get(found[1], found[0]), text)


def _static(name: str) -> str:
    return files("gonzaga_env.show").joinpath("static", name).read_text("utf-8")


def _frame(
    pictures: AnyPictures, edition: EditionBase, frame: Frame, drawings: _Drawings
) -> dict[str, Json]:
    view = frame.view
    board = zip(*(pictures.board(edition, view, t).layers for t in (LIGHT, DARK)), strict=True)

    def panel(seat: int, theme: Theme) -> Layer:
        return Layer(tuple(pictures.panel(edition, view, seat, (_EDGE, _EDGE), theme)))

    seats = range(len(view.players))
    return {
        "board": [drawings.add(*layers) for layers in board if layers[0].shapes],
        "panels": [drawings.add(panel(seat, LIGHT), panel(seat, DARK)) for seat in seats],
        "stage": pictures.stage(view),
        "sites": pictures.note(view),
        "lines": [[line.seat, printable(line.text)] for line in frame.lines],
    }


def _chart(
    pictures: AnyPictures, frames: Sequence[Frame], drawings: _Drawings, curves: Curves | None
) -> dict[str, Json]:
    """Returns the curves, by default those of the scores, and where their moves lie."""
    seats = range(len(frames[0].view.players))
    names = _names(frames[0].view)
    if curves is None:
        series = [[frame.view.players[seat].score for frame in frames] for seat in seats]
        curves = Curves("Scores", "points", series)
        bounds = None
    else:
        bounds = 0.0, 1.0
    x_step = None if pictures.plies is None else pictures.plies * len(seats)
    light, dark = (
        curves_scene(
            curves.series,
            names,
            theme,
            title=curves.title,
            y_title=curves.unit,
            x_step=x_step,
            bounds=bounds,
        )
        for theme in (LIGHT, DARK)
    )
    axes = curve_axes(curves.series, names, bounds)
    return {
        "layers": [drawings.add(*pair) for pair in zip(light.layers, dark.layers, strict=True)],
        "axes": [axes.left, axes.top, axes.right, axes.bottom, len(frames) - 1],
    }


def _final(pictures: AnyPictures, view: View, drawings: _Drawings) -> str:
    """Returns the table of the final points; rows have colours where bars show every source."""
    players, sources = view.players, pictures.spec.sources
    names = _names(view)
    seats = sorted(
        range(len(names)), key=lambda seat: (not players[seat].won, -players[seat].score)
    )
    head = "".join(
        f'<th scope="col"><b style="border-color:var(--player{seat})">'
        f"{escape(_WON * players[seat].won + names[seat])}</b></th>"
        for seat in seats
    )
    colors = _source_colors(drawings) if sources == pictures.parts else []
    swatches = [f'<i style="background:{color}"></i>' for color in colors] or [""] * len(sources)
    rows = [
        _row(swatch + escape(source.replace("_", " ")), [players[seat].scores[i] for seat in seats])
        for i, (swatch, source) in enumerate(zip(swatches, sources, strict=False))
    ]
    rows.append(_row("total", [players[seat].score for seat in seats]))
    return (
        f"<table><caption>Final scoring</caption><thead><tr><td></td>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _source_colors(drawings: _Drawings) -> list[str]:
    return list(map(drawings.themed, LIGHT.sources, DARK.sources))


def _panels(pictures: AnyPictures, num_players: int) -> str:
    width, height = (side + 2 * _EDGE for side in pictures.panel_size)
    one = f'<svg class="panel" viewBox="0 0 {width:.0f} {height:.0f}" role="img"></svg>'
    return one * num_players


def _names(view: View) -> list[str]:
    words = map(shown_name, view.players)
    return [text[:1].upper() + text[1:] for text in words]


def _row(label: str, points: Sequence[int]) -> str:
    cells = "".join(f"<td>{number}</td>" for number in points)
    return f'<tr><th scope="row">{label}</th>{cells}</tr>'
