"""Pictures of a game that has no folder here, such as one of another package: its view in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from textwrap import wrap
from typing import Any

from gonzaga_env.render.choices import Considering, page_size, with_choices
from gonzaga_env.render.games import GamePictures, player_name
from gonzaga_env.render.palette import LIGHT, Theme
from gonzaga_env.render.panels import MARGIN, TOP, ground, title
from gonzaga_env.render.shapes import Label, Layer, Point, Scene, Shape, fitted, page
from gonzaga_env.tabletop.spec import GameSpec

_WIDTH, _LINE, _SIZE = 900.0, 30.0, 20.0
_LETTERS = 84  # of a line
_PANEL = 640.0, 120.0
#: What a view says in other words here.
_SAID = {
    *("game", "edition", "digest", "viewer", "round", "seat", "decides", "names"),
    *("scores", "totals", "won", "last"),
}


def plain_pictures(spec: GameSpec) -> GamePictures:
    """Returns pictures that say in words what a view says."""
    return GamePictures(
        spec=spec,
        scene=partial(_scene, spec),
        choices=partial(_choices, spec),
        covered=lambda engine, view, action: (),
        edition_scene=partial(_edition_scene, spec),
        text=partial(_text, spec),
        board=lambda edition, view, theme: _scene(spec, edition, view, theme),
        panel=partial(_panel, spec),
        panel_size=_PANEL,
        name=lambda view: spec.title,
        played=lambda view: f"{len(view.players)} players, edition {view.edition}",
        stage=_stage,
        note=lambda view: "" if view.to_act is not None else f"won by {_winners(view)}",
        parts=spec.sources[: len(LIGHT.sources)],
        plies=None,
        skipped=lambda before, after: False,
    )


def _winners(view: Any) -> str:
    return " and ".join(
        player.name or f"player {player.seat}" for player in view.players if player.won
    )


def _stage(view: Any) -> str:
    if view.to_act is None:
        return f"the end, after round {view.round}"
    return f"round {view.round}, {player_name(view.players[view.to_act])}: {view.decides}"


def _points(spec: GameSpec, player: Any) -> str:
    parts = ", ".join(map("{} {}".format, spec.sources, player.scores))
    return f"{player.score} points ({parts})" + (", won" if player.won else "")


def _lines(spec: GameSpec, view: Any) -> Iterator[str]:
    """Yields what a view says, in lines of any length."""
    yield f"Now: {_stage(view)}"
    if view.last is not None:
        yield f"Last: {player_name(view.players[view.last[0]])}: {view.last[1]}"
    for player in view.players:
        yield f"{player_name(player)}: {_points(spec, player)}"
    rest = {name: value for name, value in asdict(view).items() if name not in _SAID}
    shown = rest.pop("shown", {})
    for name, value in (rest | shown).items():
        yield f"{name}: {value}"


def _wrapped(spec: GameSpec, view: Any) -> list[str]:
    return [part for line in _lines(spec, view) for part in wrap(line, _LETTERS)]


def _text(
    spec: GameSpec, edition: Any, view: Any, *, color: bool = False, coordinates: bool = False
) -> str:
    return "\n".join([spec.title, *_wrapped(spec, view)])


def _size(spec: GameSpec, view: Any) -> Point:
    return _WIDTH, TOP + _LINE * len(_wrapped(spec, view)) + MARGIN


def _scene(
    spec: GameSpec,
    edition: Any,
    view: Any,
    theme: Theme = LIGHT,
    show_coordinates: bool = False,
    size: Point | None = None,
) -> Scene:
    width, height = _size(spec, view) if size is None else size
    paper, frame = page(width, height, theme)
    shapes = [*frame.shapes, *title(spec.title, "", _WIDTH / 2, MARGIN + 46, theme)]
    room = _WIDTH - 2 * MARGIN
    for number, line in enumerate(_wrapped(spec, view)):
        at, size_ = (MARGIN, TOP + _LINE * (number + 0.5)), fitted(line, _SIZE, room)
        shapes.append(Label(line, at, size_, theme.ink, anchor="start"))
    return Scene(width, height, f"{spec.title}: {_stage(view)}", (paper, Layer(tuple(shapes))))


def _choices(
    spec: GameSpec, edition: Any, view: Any, considering: Considering, theme: Theme
) -> Scene:
    size = page_size(_size(spec, view), considering)
    scene = _scene(spec, edition, view, theme, size=size)
    return with_choices(scene, _WIDTH, view, considering, _stage(view), theme)


def _edition_scene(spec: GameSpec, edition: Any, theme: Theme = LIGHT) -> Scene:
    height = TOP + MARGIN
    paper, frame = page(_WIDTH, height, theme)
    words = f"edition {edition.name}"
    shapes = [*frame.shapes, *title(spec.title, words, _WIDTH / 2, MARGIN + 46, theme)]
    return Scene(_WIDTH, height, f"{spec.title}, {words}", (paper, Layer(tuple(shapes))))


def _panel(
    spec: GameSpec, edition: Any, view: Any, seat: int, at: Point, theme: Theme
) -> Iterator[Shape]:
    player, (left, top) = view.players[seat], at
    yield from ground(view, seat, at, _PANEL, theme)
    for number, line in enumerate((player_name(player), _points(spec, player))):
        size = fitted(line, _SIZE, _PANEL[0] - 48)
        yield Label(line, (left + 24, top + 46 + 40 * number), size, theme.ink, anchor="start")
