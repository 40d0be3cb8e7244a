"""What can be seen of Signorie, for everything that shows any game."""

from __future__ import annotations

from gonzaga_env.render.games import GamePictures, Spot
from gonzaga_env.render.signorie.blocks import blocks, spot_of, spots
from gonzaga_env.render.signorie.places import reason
from gonzaga_env.render.signorie.player import PARTS
from gonzaga_env.render.signorie.scene import PAGE, edition_scene, game_scene
from gonzaga_env.render.signorie.text import view_text
from gonzaga_env.signorie.batch.engine import Engine
from gonzaga_env.signorie.spec import SPEC
from gonzaga_env.signorie.view.game_view import GameView
from gonzaga_env.signorie.view.words import stage_words
from gonzaga_env.tabletop.records.log import won_by


def _covered(engine: Engine, view: GameView, action: int) -> tuple[Spot, ...]:
    """Returns the place of the table that an action is about, if it has one."""
    spot = spot_of(view, engine.actions.to_text(action))
    return () if spot is None else (spot,)


def _unfinished(before: GameView, after: GameView) -> bool:
    """Whether a decision follows that belongs to the same die, such as the row of a tile."""
    return after.round == before.round and after.decision not in ("main", "reward", "over")


def _note(view: GameView) -> str:
    if view.to_act is None:
        return won_by(view.players)
    left = len(view.bonus_tiles) + len(view.vp_tiles) - view.round
    return f"{left} more round{'s' * (left != 1)}" if left else "the last round"


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
    note=_note,
    parts=PARTS,
    skipped=_unfinished,
    blocks=blocks,
    spots=spots,
    reason=reason,
    tallies=lambda player: (
        *(("VP", player.score), ("Florins", player.florins)),
        *zip(("males", "females"), player.supply, strict=True),
        *(("in dice", sum(player.dice)), ("helpers", sum(map(sum, player.helpers)))),
    ),
)
