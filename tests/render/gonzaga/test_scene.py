"""Games drawn on their map: everything on the table is in the picture, and nothing else."""

import re
import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.board.geometry import offset_neighbors
from gonzaga_env.core.view.game_view import GameView, PlacedFief
from gonzaga_env.render.gonzaga.map import HEX_WIDTH
from gonzaga_env.render.gonzaga.panels import locked_text
from gonzaga_env.render.gonzaga.pieces import draw_fief, draw_mark
from gonzaga_env.render.gonzaga.scene import game_layout, game_scene
from gonzaga_env.render.palette import DARK, LIGHT, Theme
from gonzaga_env.render.shapes import Circle, Label, Line, Polygon, Scene
from gonzaga_env.render.svg import to_svg
from tests.conftest import finished, played

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def texts(scene: Scene) -> Counter[str]:
    return Counter(shape.text for shape in scene.shapes if isinstance(shape, Label))


def words(scene: Scene) -> str:
    """Returns the texts of a scene in drawing order, so that wrapped lines can be searched."""
    return " ".join(shape.text for shape in scene.shapes if isinstance(shape, Label))


@THEMES
def test_every_held_hex_is_covered_by_its_owners_opaque_colour(theme: Theme) -> None:
    engine = played(Engine(3, 4, seed=2), 76)
    layout = game_layout(engine.edition)
    for game in range(3):
        view = engine.view(game)
        scene = game_scene(engine.edition, view, theme)
        owner = {cell: fief.seat for fief in view.fiefs for cell in fief.cells}
        last = {s.points: s.paint for s in scene.shapes if isinstance(s, Polygon)}
        for cell in engine.edition.grid.cells:
            paint = last[layout.corners(cell)]
            assert paint.opacity == 1
            if cell in owner:
                assert paint.fill == theme.players[owner[cell]]
            else:
                assert paint.fill in {*theme.regions, *theme.seas} or view.inactive
        assert len(owner) > 20


@THEMES
def test_every_ring_and_castle_is_drawn(theme: Theme) -> None:
    engine = played(Engine(3, 4, seed=2), 76)
    edition, layout = engine.edition, game_layout(engine.edition)
    for game in range(3):
        view = engine.view(game)
        scene = game_scene(edition, view, theme)
        for ring in view.rings:
            colors = [
                s.paint.stroke
                for s in scene.shapes
                if isinstance(s, Circle) and s.center == layout.mark(ring.cell)
            ]
            assert colors[-1] == theme.players[ring.seat]
        assert len(view.rings) > 3
        sites = {site.at for site in (*edition.cities, *edition.harbors)}
        for fief in view.fiefs:
            shapes = list(draw_fief(layout, fief, theme, sites))
            assert set(shapes) <= set(scene.shapes)
            for cell in edition.grid.cells:
                towers = [s for s in shapes if is_tower(s) and near(s, layout.center(cell))]
                assert len(towers) == (cell in fief.castles)


def is_tower(shape: object) -> bool:
    return isinstance(shape, Polygon) and len(shape.points) == 18


def near(shape: object, at: tuple[float, float]) -> bool:
    """Returns whether the middle of a shape lies in the hex around a point."""
    assert isinstance(shape, Polygon)
    x, y = (sum(values) / len(shape.points) for values in zip(*shape.points, strict=True))
    return (x - at[0]) ** 2 + (y - at[1]) ** 2 < (0.45 * HEX_WIDTH) ** 2


def test_each_player_has_a_charge_of_its_own(europe: Edition) -> None:
    layout, cells = game_layout(europe), ((9, 6), (9, 7), (10, 7))
    outlines = set()
    for seat in range(4):
        shapes = draw_fief(layout, PlacedFief(seat, 1, cells), LIGHT)
        drawn = [s for s in shapes if not isinstance(s, Line)][len(cells) :]
        assert drawn
        outlines.add(tuple((type(s), len(getattr(s, "points", ()))) for s in drawn))
    assert len(outlines) == 4


@THEMES
def test_the_last_move_is_marked(theme: Theme) -> None:
    engine, rng = Engine(1, 3, seed=6), np.random.default_rng(6)
    layout, marked, off_map = game_layout(engine.edition), 0, 0
    for _ in range(40):
        engine.step(engine.sample_legal(rng))
        view = engine.view()
        scene = game_scene(engine.edition, view, theme)
        last_move = view.last
        if last_move is None:
            assert "last move none" in words(scene)
            continue
        assert set(draw_mark(layout, last_move.cells, theme)) <= set(scene.shapes)
        assert last_move.words in words(scene)
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
def test_the_panels_say_what_the_view_holds(num_players: int) -> None:
    for steps in (2, num_players + 1, 9 * num_players - 1, 13 * num_players):
        engine = played(Engine(1, num_players, seed=steps), steps)
        view = engine.view()
        check_panels(engine.edition, view)
        check_panels(engine.edition, engine.view(viewer=1))


def check_panels(edition: Edition, view: GameView) -> None:
    found, text = texts(game_scene(edition, view)), words(game_scene(edition, view))
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


def test_bars_show_the_points_by_source() -> None:
    engine = finished(4, 4)
    view = engine.view()
    scene = game_scene(engine.edition, view)
    boxes = [s for s in scene.shapes if isinstance(s, Polygon) and len(s.points) == 4]
    scale = None
    for player in view.players:
        bars = [
            (LIGHT.sources.index(s.paint.fill), s.points[1][0] - s.points[0][0])
            for s in boxes
            if s.paint.fill in LIGHT.sources and s.points[2][1] - s.points[0][1] == 24
        ]
        assert bars
        scored = [
            (i, points) for other in view.players for i, points in enumerate(other.scores) if points
        ]
        assert [i for i, _ in bars] == [i for i, _ in scored]
        scale = scale or bars[0][1] / scored[0][1]
        for (_, width), (_, points) in zip(bars, scored, strict=True):
            assert width == pytest.approx(points * scale)
        assert player.score <= max(p.score for p in view.players)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_end_names_the_winners_and_hides_nothing(num_players: int) -> None:
    engine = finished(num_players, 4)
    view = engine.view(viewer=0)
    text, found = words(game_scene(engine.edition, view)), texts(game_scene(engine.edition, view))
    assert f"Over after {view.round} rounds" in text
    assert found["winner"] == sum(player.won for player in view.players) >= 1
    assert found["hidden"] == found["plan"] == found["locked"] == 0


def test_names_of_players_are_shown_and_escaped() -> None:
    engine = played(Engine(1, 2), 9)
    scene = game_scene(engine.edition, engine.view(names=["<b>&", "x" * 200]))
    assert texts(scene)["Player 0 · <b>&"] == 1
    ET.fromstring(to_svg(scene))


def test_coordinates_can_be_left_out(europe: Edition) -> None:
    view = Engine(1, 3).view()
    layout = game_layout(europe)
    shown = texts(game_scene(europe, view)) - texts(game_scene(europe, view, LIGHT, False))
    for number in range(max(layout.num_rows, layout.num_cols)):
        times = 2 * (number < layout.num_rows) + 2 * (number < layout.num_cols)
        assert shown[str(number)] == times


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
        assert objective is not None
        wanted = {c.name for c in engine.edition.cities if c.group in objective.symbols}
        assert circled(view) == wanted
        assert len(wanted) == 6
    assert circled(engine.view()) == circled(engine.view(viewer="public")) == set()


@THEMES
def test_everything_lies_on_the_page(theme: Theme) -> None:
    for num_players in (2, 3, 4):
        engine = finished(num_players, 4)
        scene = game_scene(engine.edition, engine.view(), theme)
        for shape in scene.shapes:
            points = [shape.at] if isinstance(shape, Label) else getattr(shape, "points", [(1, 1)])
            for x, y in points:
                assert -40 < x < scene.width + 40  # blank hexes around the map reach beyond it
                assert -40 < y < scene.height + 40


@THEMES
def test_the_picture_of_a_game_is_valid_and_always_the_same(theme: Theme) -> None:
    engine = played(Engine(1, 3, seed=5), 60)
    picture = to_svg(game_scene(engine.edition, engine.view(), theme))
    assert picture == to_svg(game_scene(engine.edition, engine.copy().view(), theme))
    assert ET.fromstring(picture).tag.endswith("svg")
    assert not re.search(r"nan|inf\b|None", re.sub(r"<text.*?</text>", "", picture))
