"""The pictures of Signorie: of a game, of an edition, and of choices."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.kernel.batch import AnyEngine
from gonzaga_env.kernel.sentences import say
from gonzaga_env.kernel.view import won_by
from gonzaga_env.render.palette import LIGHT, Theme
from gonzaga_env.render.panels import INSET, MARGIN, TOP, Considering, part_title, value_label
from gonzaga_env.render.pictures import Spot, TablePictures
from gonzaga_env.render.shapes import (
    Label,
    Layer,
    Paint,
    Point,
    Polygon,
    Scene,
    Shape,
    box,
    page,
    translated,
)
from gonzaga_env.render.signorie import player_board, table
from gonzaga_env.render.signorie.blocks import blocks, in_block, reason, spot_of, spots
from gonzaga_env.render.signorie.pieces import effect
from gonzaga_env.render.signorie.player_board import PARTS
from gonzaga_env.render.signorie.text import draw_text
from gonzaga_env.signorie.constants import NUM_COLORS
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.spec import SPEC
from gonzaga_env.signorie.view import GameView, RowView, stage_words


class SignoriePictures(TablePictures[Edition, GameView, Spot]):
    """The pictures of Signorie; places are spots of blocks."""

    about_reconstruction = "a reconstruction: most values are not those of the printed game"
    parts, columns, strip_height = PARTS, (1, 2, 2), player_board.STRIP_HEIGHT
    stage = staticmethod(stage_words)
    text = staticmethod(draw_text)
    player_layers = staticmethod(player_board.player_panel)
    player_size = staticmethod(player_board.panel_size)
    strip = staticmethod(player_board.strip)
    blocks = staticmethod(blocks)
    spots = staticmethod(spots)
    reason = staticmethod(reason)
    table = staticmethod(table.table)

    def table_size(self, num_players: int) -> Point:
        return table.TABLE_SIZE

    def note(self, view: GameView) -> str:
        if view.to_act is None:
            return won_by(view.players)
        left = len(view.bonus_tiles) + len(view.vp_tiles) - view.round
        if not left:
            return say("the last round")
        return say("{n} more rounds" if left != 1 else "{n} more round", n=left)

    def edition_scene(self, edition: Edition, theme: Theme = LIGHT) -> Scene:
        """Returns the scene of what an edition prints: columns, careers, tiles, rows of shields."""
        top, inner = TOP + 6, player_board.PANEL_WIDTH + 2 * MARGIN
        columns = player_board.columns_height(edition.num_helper_slots)
        board = MARGIN, top - player_board.column_place(0, (0, 0))[1]
        height = top + columns + 2 * 92 + 4 * 132 + 56
        paper, frame = page(round(inner), round(height), theme)
        shapes = [*frame.shapes, *self.head(edition, inner, theme)]
        for color in range(NUM_COLORS):
            free = (False,) * edition.num_helper_slots
            shapes += player_board.column(
                edition, color, 0, 0, free, player_board.column_place(color, board), theme
            )
        nobody = ((0,) * edition.num_career_slots,) * len(edition.careers)
        shapes += player_board.careers(edition, 0, nobody, board, theme)
        y = top + columns + 40
        for name, first, names in (
            ("assignments", edition.first_assignment, edition.assignments),
            ("bonus tiles", edition.first_bonus, edition.bonus_tiles),
        ):
            shapes += _tiles(edition, name, first, names, y, theme)
            y += 92
        for i, name in enumerate(edition.boards):
            shapes.append(part_title(f"board {name}", (MARGIN, y + 132 * i), theme))
            for k, career in enumerate(player_board.row_names(edition)):
                wanted = zip(edition.houses, edition.shields[i][k], strict=True)
                houses = tuple(house for house, number in wanted for _ in range(number))
                at = MARGIN + 480 * (k % 2), y + 132 * i + 6 + 56 * (k // 2)
                shapes += player_board.shields(
                    edition, career, RowView(houses, houses, 0, 0), at, theme
                )
        title = f"Signorie: what {edition.name} prints"
        return Scene(round(inner), round(height), title, (paper, Layer(tuple(shapes))))

    def marks(
        self, edition: Edition, view: GameView, considering: Considering[Spot], theme: Theme
    ) -> Iterator[Shape]:
        """Yields outlines and values of the best choices, each at its own place."""
        if view.to_act is None:
            return
        left, top = self.places(edition, len(view.players))[view.to_act]
        room = self.size(edition, len(view.players))[1] - TOP - MARGIN
        tables = {part.name: at for part, at in table.part_places(view, (MARGIN, TOP), room)}
        for rank, choice in reversed(considering.best()):
            spot = choice.cells[0]
            if spot.seat is None:
                at = tables[spot.block]
                points = translated(in_block(spot.points), at)
            else:
                at = left + INSET, top + player_board.STRIP_HEIGHT
                points = translated(in_block(spot.points), at)
            yield Polygon(points, Paint(stroke=theme.on_mark, width=9))
            yield Polygon(points, Paint(stroke=theme.mark, width=5))
            (x0, y0), (x1, _) = points[0], points[1]
            yield from value_label(considering, rank, choice, ((x0 + x1) / 2, y0), 68, theme)

    def covered(self, engine: AnyEngine, view: GameView, action: int) -> tuple[Spot, ...]:
        """Returns the place of the table that an action is about, if it has one."""
        spot = spot_of(view, engine.actions.to_text(action))
        return () if spot is None else (spot,)

    def skipped(self, before: GameView, after: GameView) -> bool:
        """Returns whether a decision of the same die follows, such as the row of a tile."""
        return after.round == before.round and after.decision not in ("main", "reward", "over")

    def tallies(self, view: GameView, seat: int) -> tuple[tuple[str, int], ...]:
        own = view.players[seat]
        return (
            *(("VP", own.score), ("Florins", own.florins)),
            *zip(("males", "females"), own.supply, strict=True),
            *(("in dice", sum(own.dice)), ("helpers", sum(map(sum, own.helpers)))),
        )


def _tiles(
    edition: Edition, name: str, first: int, names: tuple[str, ...], y: float, theme: Theme
) -> Iterator[Shape]:
    yield part_title(name, (MARGIN, y), theme)
    step = player_board.PANEL_WIDTH / len(names)
    for i, tile in enumerate(names):
        x = MARGIN + step * i
        yield box(x, y + 10, x + step - 6, y + 64, Paint(fill=theme.panel, stroke=theme.line))
        yield from effect(edition, first + i, (x + step / 2, y + 29), 14, step - 16, theme)
        yield Label(tile, (x + step / 2, y + 58), 13, theme.muted).within(step - 12)


PICTURES = SignoriePictures(SPEC)
