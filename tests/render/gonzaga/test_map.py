"""The drawing of a board: valid, complete, and always the same."""

import dataclasses
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.render import shapes
from gonzaga_env.render.gonzaga import map as scene
from gonzaga_env.render.gonzaga import terrain
from gonzaga_env.render.gonzaga.layout import Layout
from gonzaga_env.render.gonzaga.map import board_layout, edition_scene, printed_map
from gonzaga_env.render.gonzaga.terrain import sea_route
from gonzaga_env.render.palette import DARK, LIGHT, Theme
from gonzaga_env.render.shapes import Label, Polygon, Scene, text_width
from gonzaga_env.render.svg import to_svg

ROOT = Path(__file__).parents[3]


def draw_edition(edition: Edition, theme: Theme = LIGHT) -> str:
    return to_svg(edition_scene(edition, theme))


def texts(svg: str) -> list[str]:
    return [e.text or "" for e in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_every_site_is_named_once(europe: Edition) -> None:
    number = Counter(texts(draw_edition(europe)))
    for site in (*europe.cities, *europe.harbors):
        assert number[site.name] == 1
    for symbol in europe.symbols:
        assert number[symbol] == 1
    assert any("reconstruction" in text for text in number)  # R9.1


def test_every_region_and_sea_is_named(europe: Edition) -> None:
    found = texts(draw_edition(europe))
    for name in (*europe.regions.values(), *europe.seas.values()):
        words = name.upper().split()
        assert name.upper() in found or all(word in found for word in words)


def test_the_printed_map_is_not_called_a_reconstruction(europe: Edition) -> None:
    printed = dataclasses.replace(europe, reconstruction=False)
    assert not any("reconstruction" in text for text in texts(draw_edition(printed)))


def test_equal_editions_give_equal_bytes(europe: Edition) -> None:
    first = draw_edition(europe)
    for cached in (scene._map_labels, scene.printed_map, shapes.page):
        cached.cache_clear()
    assert draw_edition(load_edition("europe")) == first


def test_the_names_of_a_map_are_placed_once(europe: Edition) -> None:
    scene.printed_map.cache_clear()
    draw_edition(europe)
    before = scene._map_labels.cache_info()
    draw_edition(europe, DARK)
    after = scene._map_labels.cache_info()
    assert (after.misses, after.hits) == (before.misses, before.hits + 1)
    assert after.maxsize is not None  # caches are bounded
    assert scene.printed_map.cache_info().maxsize is not None


def test_a_layer_is_made_once(europe: Edition) -> None:
    options = europe, board_layout(europe), (900, 900), DARK
    assert printed_map(*options) is printed_map(*options)


def test_inactive_regions_are_faded(europe: Edition) -> None:
    layout = board_layout(europe)
    cells = [
        cell for cell in europe.grid.cells if europe.regions.get(europe.mark(cell)) == "Italia"
    ]
    for theme in (LIGHT, DARK):
        fills = []
        for inactive in ((), ("Italia",)):
            shapes = printed_map(europe, layout, (900, 900), theme, inactive).ground.shapes
            by_corners = {s.points: s.paint.fill for s in shapes if isinstance(s, Polygon)}
            fills.append({by_corners[layout.corners(cell)] for cell in cells})
        assert fills[0] == {theme.regions[list(europe.regions.values()).index("Italia")]}
        assert len(fills[1]) == 1
        assert fills[0] != fills[1]


def test_the_drawing_in_the_documents_is_up_to_date(europe: Edition) -> None:
    """After a change: `python -m gonzaga_env edition draw europe --out docs/img/europe.svg`."""
    assert (ROOT / "docs/img/europe.svg").read_text("utf-8") == draw_edition(europe)


def test_names_are_escaped_and_unknown_symbols_are_shown_by_letter(europe: Edition) -> None:
    roma = next(city for city in europe.cities if city.name == "Roma")
    others = tuple(city for city in europe.cities if city is not roma)
    odd = dataclasses.replace(roma, name="R<&>\"'", group="zebra")
    found = texts(draw_edition(dataclasses.replace(europe, cities=(*others, odd))))
    assert "R<&>\"'" in found
    assert "Z" in found


def test_labels_lie_inside_the_drawing(europe: Edition) -> None:
    drawn = edition_scene(europe)
    for shape in drawn.shapes:
        if isinstance(shape, Label):
            assert 0 < shape.at[0] < drawn.width
            assert 0 < shape.at[1] < drawn.height


def test_sides_are_shared_by_both_hexes(europe: Edition) -> None:
    layout: Layout = board_layout(europe)
    for barrier in europe.barriers:
        for one, other in barrier.edges:
            ends = sorted(layout.side(one, other))
            assert ends == [pytest.approx(end) for end in sorted(layout.side(other, one))]


def test_routes_connect_all_harbors_of_a_sea_over_sea(europe: Edition) -> None:
    for sea in europe.seas.values():
        paths = sea_route(europe, sea)
        harbors = {harbor.at for harbor in europe.harbors if harbor.group == sea}
        assert harbors <= {cell for path in paths for cell in path}
        between = {cell for path in paths for cell in path[1:-1]}
        assert {europe.mark(cell) for cell in between} <= set(europe.seas)


def test_an_empty_scene_is_valid() -> None:
    assert texts(to_svg(Scene(10, 10, "a < b", ()))) == []


@pytest.fixture
def bay(europe: Edition) -> Edition:
    """A small map whose northern harbors have the sea in the south."""
    rows = ("AAAAAA", "AAAAAA", "111111", "1BBB11", "BBBBBB")
    names = {(1, 1): "Alghero", (1, 4): "Bonifacio", (3, 1): "Cagliari", (3, 3): "Olbia"}
    kinds = {"regions": {"A": "Sardegna", "B": "Corsica"}, "seas": {"1": "Mare Magnum"}}
    harbors = tuple(
        dataclasses.replace(europe.harbors[0], at=at, name=name, group="Mare Magnum")
        for at, name in names.items()
    )
    cities = (dataclasses.replace(europe.cities[0], at=(0, 2)),)
    changes = {"cities": cities, "harbors": harbors, "barriers": (), **kinds}
    return dataclasses.replace(europe, marks=tuple(map(tuple, rows)), **changes)


def test_routes_of_a_small_map_cross_no_name_of_a_harbor(bay: Edition) -> None:
    layout, names = board_layout(bay), {harbor.name for harbor in bay.harbors}
    labels = [s for s in edition_scene(bay).shapes if isinstance(s, Label) and s.text in names]
    assert len(labels) == 4
    for route in terrain.routes(bay, layout, LIGHT):
        for (x1, y1), (x2, y2) in pairwise(route.points):
            for part in (0, 0.2, 0.4, 0.6, 0.8, 1):
                x, y = x1 + part * (x2 - x1), y1 + part * (y2 - y1)
                for label in labels:
                    across = abs(x - label.at[0]) < text_width(label.text, label.size) / 2
                    assert not (across and label.at[1] - 0.6 * label.size < y < label.at[1] + 2)


def test_the_legend_of_a_small_map_keeps_its_words_apart(bay: Edition) -> None:
    keys = [s for s in edition_scene(bay).shapes if isinstance(s, Label) and s.anchor == "start"]
    assert len(keys) > 2
    for one, other in pairwise(keys):
        icon = other.at[0] - 2 * other.size  # its left edge
        assert one.at[0] + text_width(one.text, one.size) < icon


def test_names_of_one_row_keep_apart(europe: Edition) -> None:
    sites = {site.name: site.at for site in (*europe.cities, *europe.harbors)}
    labels = [s for s in edition_scene(europe).shapes if isinstance(s, Label) and s.text in sites]
    for one, other in combinations(labels, 2):
        if sites[one.text][0] == sites[other.text][0]:
            widths = text_width(one.text, one.size) + text_width(other.text, other.size)
            assert abs(one.at[0] - other.at[0]) > widths / 2
