"""What can be seen of Gonzaga, for everything that shows any game."""

from __future__ import annotations

from gonzaga_env.core.spec import SPEC
from gonzaga_env.core.state import SOURCES
from gonzaga_env.core.view.game_view import GameView
from gonzaga_env.render.games import GamePictures
from gonzaga_env.render.gonzaga.choices import choice_marks, choices_scene, covered
from gonzaga_env.render.gonzaga.map import edition_scene
from gonzaga_env.render.gonzaga.panels import (
    PANEL_HEIGHT,
    PANEL_WIDTH,
    player_panel,
    sites_text,
    stage_text,
)
from gonzaga_env.render.gonzaga.scene import board_scene, game_scene
from gonzaga_env.render.gonzaga.text import view_text


def _played(view: GameView) -> str:
    inactive = f"; inactive: {', '.join(view.inactive)}" if view.inactive else ""
    return f"Scenario {view.scenario}{inactive}"


def _sealed(before: GameView, after: GameView) -> bool:
    """Whether a plan stays sealed: the plans of a round are one picture, that of their reveal."""
    return before.stage == after.stage == "planning" and before.round == after.round


PICTURES = GamePictures(
    spec=SPEC,
    scene=game_scene,
    choices=choices_scene,
    marks=choice_marks,
    covered=covered,
    edition_scene=edition_scene,
    text=view_text,
    board=board_scene,
    panel=player_panel,
    panel_size=(PANEL_WIDTH, PANEL_HEIGHT),
    name=lambda view: view.scenario,
    played=_played,
    stage=stage_text,
    note=sites_text,
    parts=SOURCES,
    plies=2,
    skipped=_sealed,
)
