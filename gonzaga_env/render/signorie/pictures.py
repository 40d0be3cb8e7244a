"""What can be seen of Signorie, for everything that shows any game."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.render.choices import Considering, page_size, with_choices
from gonzaga_env.render.games import GamePictures
from gonzaga_env.render.palette import Theme
from gonzaga_env.render.panels import ground
from gonzaga_env.render.shapes import Point, Scene, Shape
from gonzaga_env.render.signorie.blocks import blocks, spots
from gonzaga_env.render.signorie.player import PARTS, STRIP_HEIGHT, strip
from gonzaga_env.render.signorie.scene import PAGE, edition_scene, game_scene
from gonzaga_env.render.signorie.text import view_text
from gonzaga_env.signorie.editions.edition import Edition
from gonzaga_env.signorie.spec import SPEC
from gonzaga_env.signorie.view.game_view import GameView
from gonzaga_env.signorie.view.words import stage_words

_PANEL = 640.0, STRIP_HEIGHT


def _panel(edition: Edition, view: GameView, seat: int, at: Point, theme: Theme) -> Iterator[Shape]:
    yield from ground(view, seat, at, _PANEL, theme)
    yield from strip(view, seat, at, _PANEL[0], theme)


def _choices(edition: Edition, view: GameView, considering: Considering, theme: Theme) -> Scene:
    board = PAGE.size(edition, len(view.players))
    scene = game_scene(edition, view, theme, True, page_size(board, considering))
    return with_choices(scene, board[0], view, considering, stage_words(view), theme)


def _unfinished(before: GameView, after: GameView) -> bool:
    """Whether a decision follows that belongs to the same die, such as the row of a tile."""
    return after.round == before.round and after.decision not in ("main", "reward", "over")


def _note(view: GameView) -> str:
    if view.to_act is None:
        return "won by " + " and ".join(p.name or f"player {p.seat}" for p in view.players if p.won)
    left = len(view.bonus_tiles) + len(view.vp_tiles) - view.round
    return f"{left} more round{'s' * (left != 1)}" if left else "the last round"


PICTURES = GamePictures(
    spec=SPEC,
    scene=game_scene,
    choices=_choices,
    covered=lambda engine, view, action: (),
    edition_scene=edition_scene,
    text=view_text,
    board=game_scene,
    panel=_panel,
    panel_size=_PANEL,
    name=lambda view: SPEC.title,
    played=lambda view: f"{len(view.players)} players, edition {view.edition}",
    stage=stage_words,
    note=_note,
    parts=PARTS,
    plies=None,
    skipped=_unfinished,
    blocks=blocks,
    spots=spots,
    tallies=lambda player: (("VP", player.score), ("Florins", player.florins)),
)
