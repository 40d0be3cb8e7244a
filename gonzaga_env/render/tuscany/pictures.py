"""What can be seen of The Castles of Tuscany, for everything that shows any game."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.render.games import GamePictures
from gonzaga_env.render.palette import Theme
from gonzaga_env.render.shapes import Point, Shape
from gonzaga_env.render.tuscany.blocks import blocks, preview, spots
from gonzaga_env.render.tuscany.player import PARTS, STRIP_HEIGHT, small_panel
from gonzaga_env.render.tuscany.scene import edition_scene, game_scene
from gonzaga_env.render.tuscany.text import view_text
from gonzaga_env.tuscany.editions.edition import Edition
from gonzaga_env.tuscany.spec import SPEC
from gonzaga_env.tuscany.view.game_view import GameView
from gonzaga_env.tuscany.view.words import end_words, stage_words

_PANEL = 640.0, STRIP_HEIGHT


def _panel(edition: Edition, view: GameView, seat: int, at: Point, theme: Theme) -> Iterator[Shape]:
    yield from small_panel(view, seat, at, _PANEL, theme)


def _unfinished(before: GameView, after: GameView) -> bool:
    """Whether a decision follows that belongs to the same action, such as the payment."""
    return after.decision not in ("main", "marble", "over")


PICTURES = GamePictures(
    spec=SPEC,
    scene=game_scene,
    edition_scene=edition_scene,
    text=view_text,
    board=game_scene,
    panel=_panel,
    panel_size=_PANEL,
    name=lambda view: SPEC.title,
    played=lambda view: f"{len(view.players)} players, edition {view.edition}",
    stage=stage_words,
    note=end_words,
    parts=PARTS,
    plies=None,
    skipped=_unfinished,
    blocks=blocks,
    spots=spots,
    preview=preview,
    tallies=lambda player: (("red", player.red), ("green", player.green)),
)
