"""What can be seen of The Castles of Tuscany, for everything that shows any game."""

from __future__ import annotations

from gonzaga_env.render.games import GamePictures
from gonzaga_env.render.tuscany.blocks import blocks, preview, shown_words, spots
from gonzaga_env.render.tuscany.places import reason
from gonzaga_env.render.tuscany.player import PARTS
from gonzaga_env.render.tuscany.scene import PAGE, edition_scene, game_scene
from gonzaga_env.render.tuscany.text import view_text
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.spec import SPEC
from gonzaga_env.tuscany.view.game_view import GameView
from gonzaga_env.tuscany.view.words import end_words, stage_words


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
