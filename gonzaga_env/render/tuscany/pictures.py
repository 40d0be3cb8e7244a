"""What can be seen of The Castles of Tuscany, for everything that shows any game."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.render.palette import LIGHT, Theme
from gonzaga_env.render.panels import MARGIN, TOP, Considering, TablePage, value_label
from gonzaga_env.render.pictures import GamePictures
from gonzaga_env.render.shapes import Layer, Paint, Polygon, Scene, Shape, page
from gonzaga_env.render.tuscany.blocks import blocks, preview, reason, shown_words, spots
from gonzaga_env.render.tuscany.pieces import corners, printed_board
from gonzaga_env.render.tuscany.table import (
    HEX_RADIUS,
    PANEL_HEIGHT,
    PANEL_WIDTH,
    PARTS,
    STRIP_HEIGHT,
    TABLE_WIDTH,
    player_panel,
    region_places,
    strip,
    table,
    table_height,
)
from gonzaga_env.render.tuscany.text import view_text
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.board import CELL_NAMES
from gonzaga_env.tuscany.edition import BOARD_NAMES, Edition
from gonzaga_env.tuscany.spec import SPEC
from gonzaga_env.tuscany.view import GameView, end_words, stage_words

_BOARD_WIDTH, _BOARD_HEIGHT = 250.0, 300.0


def choice_marks(
    edition: Edition, view: GameView, considering: Considering, theme: Theme
) -> Iterator[Shape]:
    """Yields outlines and values of the best choices on the region of the seat to act."""
    seat = view.to_act
    if seat is None or not view.players[seat].layout:
        return
    places = region_places(view.players[seat], PAGE.places(None, len(view.players))[seat])
    for rank, choice in reversed(considering.best()):
        at = places.centers[CELL_NAMES.index(choice.cells[0])]
        outline = corners(at, 0.96 * HEX_RADIUS)
        yield Polygon(outline, Paint(stroke=theme.on_mark, width=9))
        yield Polygon(outline, Paint(stroke=theme.mark, width=5))
        yield from value_label(
            considering, rank, choice, (at[0], at[1] - 26), 1.6 * HEX_RADIUS, theme
        )


PAGE = TablePage(
    name="The Castles of Tuscany",
    note="a reconstruction: not the boards, cards and tiles of the printed game",
    stage=stage_words,
    table=table,
    table_size=lambda num_players: (TABLE_WIDTH, table_height(num_players)),
    panel=player_panel,
    panel_size=lambda edition: (PANEL_WIDTH, PANEL_HEIGHT),
    columns=(1, 1, 2),
    strip=strip,
    strip_height=STRIP_HEIGHT,
    marks=choice_marks,
)
game_scene = PAGE.scene


def edition_scene(edition: Edition, theme: Theme = LIGHT) -> Scene:
    """Returns the scene of an edition's twelve boards (M2), one letter a row."""
    width, height = 4 * _BOARD_WIDTH + 2 * MARGIN, 3 * _BOARD_HEIGHT + TOP + MARGIN
    paper, frame = page(width, height, theme)
    shapes = [*frame.shapes, *PAGE.head(edition, width, theme)]
    for i, name in enumerate(BOARD_NAMES):
        left = MARGIN + _BOARD_WIDTH * (i % 4) + 34
        top = TOP + _BOARD_HEIGHT * (i // 4) + 12
        shapes += printed_board(edition, name, left, top, HEX_RADIUS, theme)
    name = f"The Castles of Tuscany: boards of {edition.name}"
    return Scene(width, height, name, (paper, Layer(tuple(shapes))))


def _covered(engine: Engine, view: GameView, action: int) -> tuple[str, ...]:
    """Returns the cell that an action covers."""
    verb, _, cell = engine.actions.to_text(action).partition(" ")
    return (cell,) if verb in ("tile", "hexagon") else ()


def _unfinished(before: GameView, after: GameView) -> bool:
    """Whether a decision follows that belongs to the same action, such as the payment."""
    return after.decision not in ("main", "marble", "over")


PICTURES = GamePictures(
    spec=SPEC,
    scene=game_scene,
    choices=PAGE.choices,
    marks=PAGE.marks,
    covered=_covered,
    edition_scene=edition_scene,
    text=view_text,
    board=game_scene,
    panel=PAGE.small_panel,
    panel_size=PAGE.small_size,
    name=lambda view: SPEC.title,
    stage=stage_words,
    note=end_words,
    parts=PARTS,
    skipped=_unfinished,
    blocks=blocks,
    spots=spots,
    shown_words=shown_words,
    reason=reason,
    preview=preview,
    tallies=lambda player: (
        *(("red", player.red), ("green", player.green), ("cards", player.hand_size)),
        *(("stored", len(player.storage)), ("marble", player.marble), ("workers", player.workers)),
    ),
)
