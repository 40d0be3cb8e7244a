"""Games drawn on their map: everything on the table is in the picture, and nothing else."""

from collections import Counter

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.edition import Edition, offset_neighbors
from gonzaga_env.core.view import GameView, ScoredMove
from gonzaga_env.render.gonzaga.pieces import draw_mark
from gonzaga_env.render.gonzaga.table import (
    game_layout,
    game_scene,
    locked_text,
    plan_text,
)
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.shapes import Circle, Line
from tests.conftest import finished, played
from tests.render.scenes import THEMES, texts


def words(edition: Edition, view: GameView) -> str:
    """Returns the texts of a picture in drawing order, so that wrapped lines can be searched."""
    return " ".join(texts(game_scene(edition, view)))


@THEMES
def test_the_last_move_is_marked(theme) -> None:
    engine, rng = Engine(1, 3, seed=6), np.random.default_rng(6)
    layout, marked, off_map = game_layout(engine.edition), 0, 0
    for _ in range(40):
        engine.step(engine.sample_legal(rng))
        view = engine.view()
        scene = game_scene(engine.edition, view, theme)
        last_move = view.last
        if last_move is None:
            assert "last move none" in " ".join(texts(scene))
            continue
        assert set(draw_mark(layout, last_move.cells, theme)) <= set(scene.shapes)
        assert last_move.words in " ".join(texts(scene))
        sides = [
            (cell, other)
            for cell in last_move.cells
            for other in offset_neighbors(*cell)
            if other not in last_move.cells
        ]
        lines = list(draw_mark(layout, last_move.cells, theme))
        drawn = sum(len(s.points) - 1 for s in lines if isinstance(s, Line))
        assert drawn == 2 * len(sides)
        marked += bool(last_move.cells)
        off_map += not last_move.cells
    assert marked > 20
    assert off_map > 0


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_panels_say_what_the_view_holds(num_players) -> None:
    for steps in (2, num_players + 1, 9 * num_players - 1, 13 * num_players):
        engine = played(Engine(1, num_players, seed=steps), steps)
        view = engine.view()
        check_panels(engine.edition, view)
        check_panels(engine.edition, engine.view(viewer=1))


def check_panels(edition: Edition, view: GameView) -> None:
    found, text = Counter(texts(game_scene(edition, view))), words(edition, view)
    assert found[view.scenario] == 1
    assert f"Round {view.round}" in text
    assert f"{view.open_sites} flourishing sites open" in text
    for region in view.inactive:
        assert region in text
    scores = Counter(str(p.score) for p in view.players)
    for player in view.players:
        assert found[f"Player {player.seat}"] == 1
        assert found[str(player.score)] >= scores[str(player.score)]
        assert found[f"fief {player.fief} · card {player.card}"] == 1
        assert found[locked_text(player)] >= 1
        if player.plan is not None:
            assert player.plan.words in text
        if player.leagues:
            assert ", ".join(player.leagues) in text
        if player.objective is not None:
            assert found[f"{player.objective.held} of 6"] >= 1
    assert found["hidden"] == sum(p.objective is None for p in view.players)
    if view.order:
        for place, note in enumerate(("1st", "2nd", "3rd", "4th")[: len(view.order)]):
            assert found[note] == 1, place


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_end_names_the_winners_and_hides_nothing(num_players) -> None:
    engine = finished(num_players, 4)
    view = engine.view(viewer=0)
    text, found = words(engine.edition, view), Counter(texts(game_scene(engine.edition, view)))
    assert f"Over after {view.round} rounds" in text
    assert found["winner"] == sum(player.won for player in view.players) >= 1
    assert found["hidden"] == found["plan"] == found["locked"] == 0


def test_own_objective_is_marked_on_the_map_for_its_seat_only() -> None:
    engine = played(Engine(1, 3, seed=1), 7)
    layout = game_layout(engine.edition)

    def circled(view: GameView) -> set[str]:
        dashed = {
            s.center
            for s in game_scene(engine.edition, view).shapes
            if isinstance(s, Circle) and s.paint.dash and s.paint.stroke == LIGHT.mark
        }
        return {c.name for c in engine.edition.cities if layout.mark(c.at) in dashed}

    for seat in range(3):
        view = engine.view(viewer=seat)
        objective = view.players[seat].objective
        wanted = {c.name for c in engine.edition.cities if c.group in objective.symbols}
        assert circled(view) == wanted
        assert len(wanted) == 6
    assert circled(engine.view()) == circled(engine.view(viewer="public")) == set()


def test_plans_are_told_as_far_as_they_are_known() -> None:
    engine = played(Engine(1, 3, seed=1), 1)
    own, public = engine.view(viewer=0), engine.view(viewer="public")
    plan = own.players[0].plan
    assert plan_text(own.players[0], own) == f"{plan.words}, sealed"
    assert plan_text(public.players[0], public) == "sealed"
    assert plan_text(public.players[1], public) == "not yet"
    placing = played(engine, 2).view(viewer="public")
    assert plan_text(placing.players[0], placing) == plan.words


def test_moves_are_told_with_sites_leagues_and_points() -> None:
    placed = ScoredMove(1, "ring 3,4", ((3, 4),), ("Roma",), ("Mare Balticum",), 13)
    assert placed.words == "ring 3,4: Roma, sea league of Mare Balticum, +13"
    assert ScoredMove(0, "donate", (), (), (), 3).words == "donate, +3"
