"""Pictures of a game with no page of its own: its view in words, and a drawing if it has one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from textwrap import wrap
from typing import Any

from gonzaga_env.kernel.spec import GameSpec
from gonzaga_env.kernel.view import View, own_fields, player_name, won_by
from gonzaga_env.render.palette import LIGHT, Theme
from gonzaga_env.render.panels import (
    MARGIN,
    TOP,
    Considering,
    ground,
    page_size,
    title,
    with_choices,
)
from gonzaga_env.render.pictures import GamePictures
from gonzaga_env.render.shapes import Label, Layer, Point, Scene, Shape, fitted, page, part_of

_WIDTH, _LINE, _SIZE = 900.0, 30.0, 20.0
_LETTERS = 84  # of a line
_ROOM = _WIDTH - 2 * MARGIN  # of a line
_PANEL = 640.0, 120.0
#: Draws what lies on the table: `drawing(view, theme)`.
Drawing = Callable[[Any, Theme], Scene]


def plain_pictures(spec: GameSpec, drawing: Drawing | None = None, **changes: Any) -> GamePictures:
    """Returns pictures that say in words what a view says.

    Args:
        spec: the game.
        drawing: draws what lies on the table, which then goes before the words; the browser shows
            it alone.
        changes: attributes of `GamePictures` that are other ones, such as `blocks`.
    """
    plain = _Plain(spec, drawing)
    pictures = GamePictures(
        spec=spec,
        scene=plain.scene,
        choices=plain.choices,
        edition_scene=plain.edition_scene,
        text=plain.text,
        board=lambda edition, view, theme: (drawing or partial(plain.scene, edition))(view, theme),
        panel=plain.panel,
        panel_size=_PANEL,
        name=lambda view: spec.title,
        stage=_stage,
        note=lambda view: "" if view.to_act is not None else won_by(view.players),
        parts=spec.sources[: len(LIGHT.sources)],
    )
    return replace(pictures, **changes)


def _stage(view: View) -> str:
    if view.to_act is None:
        return f"the end, after round {view.round}"
    return f"round {view.round}, {player_name(view.players[view.to_act])}: {view.decision}"


@dataclass(frozen=True)
class _Plain:
    spec: GameSpec
    drawing: Drawing | None

    def points(self, player: Any) -> str:
        parts = ", ".join(map("{} {}".format, self.spec.sources, player.scores))
        return f"{player.score} points ({parts})" + (", won" if player.won else "")

    def lines(self, view: Any, with_rest: bool) -> Iterator[str]:
        """Yields what a view says, in lines of any length; a drawing shows the rest."""
        yield f"Now: {_stage(view)}"
        if view.last is not None:
            yield f"Last: {player_name(view.players[view.last.seat])}: {view.last.words}"
        for player in view.players:
            yield f"{player_name(player)}: {self.points(player)}"
        for name, value in own_fields(view).items() if with_rest else ():
            yield f"{name}: {value}"

    def wrapped(self, view: Any, with_rest: bool = True) -> list[str]:
        return [part for line in self.lines(view, with_rest) for part in wrap(line, _LETTERS)]

    def text(
        self, edition: Any, view: Any, *, color: bool = False, coordinates: bool = False
    ) -> str:
        return "\n".join([self.spec.title, *self.wrapped(view)])

    def content(self, view: Any, theme: Theme) -> tuple[Point, list[Layer]]:
        """Returns the size of a page, and what is on it below the title."""
        size, layers, top = (_WIDTH, 0.0), list[Layer](), TOP
        if self.drawing is not None:
            drawn = self.drawing(view, theme)
            size = max(_WIDTH, drawn.width + 2 * MARGIN), drawn.height + MARGIN
            layers += part_of(drawn, -MARGIN, -TOP, drawn.width, drawn.height).layers
            top += size[1]
        lines = self.wrapped(view, self.drawing is None)
        labels = []
        for number, line in enumerate(lines):
            at, letters = (MARGIN, top + _LINE * (number + 0.5)), fitted(line, _SIZE, _ROOM)
            labels.append(Label(line, at, letters, theme.ink, anchor="start"))
        return (size[0], top + _LINE * len(lines) + MARGIN), [*layers, Layer(tuple(labels))]

    def page(
        self, view: Any, size: Point, width: float, layers: list[Layer], theme: Theme
    ) -> Scene:
        paper, frame = page(*size, theme)
        head = Layer((*frame.shapes, *title(self.spec.title, "", width / 2, MARGIN + 46, theme)))
        return Scene(*size, f"{self.spec.title}: {_stage(view)}", (paper, head, *layers))

    def scene(
        self, edition: Any, view: Any, theme: Theme = LIGHT, show_coordinates: bool = False
    ) -> Scene:
        size, layers = self.content(view, theme)
        return self.page(view, size, size[0], layers, theme)

    def choices(self, edition: Any, view: Any, considering: Considering, theme: Theme) -> Scene:
        size, layers = self.content(view, theme)
        scene = self.page(view, page_size(size, considering), size[0], layers, theme)
        return with_choices(scene, size[0], view, considering, _stage(view), theme)

    def edition_scene(self, edition: Any, theme: Theme = LIGHT) -> Scene:
        height, words = TOP + MARGIN, f"edition {edition.name}"
        paper, frame = page(_WIDTH, height, theme)
        shapes = [*frame.shapes, *title(self.spec.title, words, _WIDTH / 2, MARGIN + 46, theme)]
        return Scene(_WIDTH, height, f"{self.spec.title}, {words}", (paper, Layer(tuple(shapes))))

    def panel(self, edition: Any, view: Any, seat: int, at: Point, theme: Theme) -> Iterator[Shape]:
        player, (left, top) = view.players[seat], at
        yield from ground(view, seat, at, _PANEL, theme)
        for number, line in enumerate((player_name(player), self.points(player))):
            place = left + 24, top + 46 + 40 * number
            yield Label(line, place, _SIZE, theme.ink, anchor="start").within(_PANEL[0] - 48)
