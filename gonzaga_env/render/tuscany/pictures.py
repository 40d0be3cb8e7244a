"""The pictures of The Castles of Tuscany: of a game, of an edition, and of choices."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.kernel.batch import AnyEngine
from gonzaga_env.render.palette import LIGHT, Theme
from gonzaga_env.render.panels import MARGIN, TOP, Considering, value_label
from gonzaga_env.render.pictures import TablePictures
from gonzaga_env.render.shapes import Layer, Paint, Point, Polygon, Scene, Shape, page
from gonzaga_env.render.tuscany.blocks import blocks, preview, reason, shown_words, spots
from gonzaga_env.render.tuscany.pieces import corners, printed_board
from gonzaga_env.render.tuscany.table import (
    HEX_RADIUS,
    PANEL_HEIGHT,
    PANEL_WIDTH,
    PARTS,
    STRIP_HEIGHT,
    TABLE_HEIGHT,
    TABLE_WIDTH,
    player_panel,
    region_places,
    strip,
    table,
)
from gonzaga_env.render.tuscany.text import draw_text
from gonzaga_env.tuscany.board import CELL_NAMES
from gonzaga_env.tuscany.edition import BOARD_NAMES, Edition
from gonzaga_env.tuscany.spec import SPEC
from gonzaga_env.tuscany.view import GameView, end_words, stage_words

_BOARD_WIDTH, _BOARD_HEIGHT = 250.0, 300.0


class TuscanyPictures(TablePictures[Edition, GameView, str]):
    """The pictures of The Castles of Tuscany; places are the names of cells."""

    about_reconstruction = "a reconstruction: not the boards, cards and tiles of the printed game"
    parts, columns, strip_height = PARTS, (2, 2, 2), STRIP_HEIGHT
    stage = staticmethod(stage_words)
    note = staticmethod(end_words)
    text = staticmethod(draw_text)
    table = staticmethod(table)
    player_layers = staticmethod(player_panel)
    strip = staticmethod(strip)
    blocks = staticmethod(blocks)
    spots = staticmethod(spots)
    shown_words = staticmethod(shown_words)
    reason = staticmethod(reason)
    preview = staticmethod(preview)

    def table_size(self, num_players: int) -> Point:
        return TABLE_WIDTH, TABLE_HEIGHT

    def player_size(self, edition: Edition) -> Point:
        return PANEL_WIDTH, PANEL_HEIGHT

    def edition_scene(self, edition: Edition, theme: Theme = LIGHT) -> Scene:
        """Returns the scene of an edition's twelve boards (M2), one letter a row."""
        width, height = 4 * _BOARD_WIDTH + 2 * MARGIN, 3 * _BOARD_HEIGHT + TOP + MARGIN
        paper, frame = page(width, height, theme)
        shapes = [*frame.shapes, *self.head(edition, width, theme)]
        for i, name in enumerate(BOARD_NAMES):
            left = MARGIN + _BOARD_WIDTH * (i % 4) + 34
            top = TOP + _BOARD_HEIGHT * (i // 4) + 12
            shapes += printed_board(edition, name, left, top, HEX_RADIUS, theme)
        name = f"The Castles of Tuscany: boards of {edition.name}"
        return Scene(width, height, name, (paper, Layer(tuple(shapes))))

    def marks(
        self, edition: Edition, view: GameView, considering: Considering[str], theme: Theme
    ) -> Iterator[Shape]:
        """Yields outlines and values of the best choices on the region of the seat to act."""
        seat = view.to_act
        if seat is None or not view.players[seat].layout:
            return
        places = region_places(view.players[seat], self.places(edition, len(view.players))[seat])
        for rank, choice in reversed(considering.best()):
            at = places.centers[CELL_NAMES.index(choice.cells[0])]
            outline = corners(at, 0.96 * HEX_RADIUS)
            yield Polygon(outline, Paint(stroke=theme.on_mark, width=9))
            yield Polygon(outline, Paint(stroke=theme.mark, width=5))
            yield from value_label(
                considering, rank, choice, (at[0], at[1] - 26), 1.6 * HEX_RADIUS, theme
            )

    def covered(self, engine: AnyEngine, view: GameView, action: int) -> tuple[str, ...]:
        verb, _, cell = engine.actions.to_text(action).partition(" ")
        return (cell,) if verb in ("tile", "hexagon") else ()

    def skipped(self, before: GameView, after: GameView) -> bool:
        """Returns whether a decision of the same action follows, such as the payment."""
        return after.decision not in ("main", "marble", "over")

    def tallies(self, view: GameView, seat: int) -> tuple[tuple[str, int], ...]:
        own = view.players[seat]
        return (
            *(("red", own.red), ("green", own.green), ("cards", own.hand_size)),
            *(("stored", len(own.storage)), ("marble", own.marble), ("workers", own.workers)),
        )


PICTURES = TuscanyPictures(SPEC)
