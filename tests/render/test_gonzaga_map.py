"""The drawing of a board: valid, complete, always the same; names in their places, and faults."""

import dataclasses
import math
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from gonzaga_env.core.edition import Edition
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.render import shapes
from gonzaga_env.render.draw import draw
from gonzaga_env.render.gonzaga import map as scene
from gonzaga_env.render.gonzaga.map import board_layout, edition_scene, printed_map
from gonzaga_env.render.gonzaga.pictures import drawable
from gonzaga_env.render.gonzaga.pieces import LabelPlacer
from gonzaga_env.render.palette import DARK, LIGHT, Theme
from gonzaga_env.render.shapes import Polygon
from gonzaga_env.render.svg import to_svg
from tests.core.test_validate import BROKEN, spoilt
from tests.render.scenes import texts

ROOT = Path(__file__).parents[2]


def drawn(edition: Edition, theme: Theme = LIGHT) -> str:
    return to_svg(edition_scene(edition, theme))


def test_the_printed_map_is_not_called_a_reconstruction(europe) -> None:
    printed = dataclasses.replace(europe, reconstruction=False)
    assert not any("reconstruction" in text for text in texts(edition_scene(printed)))


def test_equal_editions_give_equal_bytes(europe) -> None:
    first = drawn(europe)
    for cached in (scene._map_labels, scene.printed_map, shapes.page):
        cached.cache_clear()
    assert drawn(load_edition("europe")) == first


def test_the_names_of_a_map_are_placed_once(europe) -> None:
    scene.printed_map.cache_clear()
    drawn(europe)
    before = scene._map_labels.cache_info()
    drawn(europe, DARK)
    after = scene._map_labels.cache_info()
    assert (after.misses, after.hits) == (before.misses, before.hits + 1)
    assert after.maxsize is not None  # caches are bounded
    assert scene.printed_map.cache_info().maxsize is not None


def test_a_layer_is_made_once(europe) -> None:
    options = europe, board_layout(europe), (900, 900), DARK
    assert printed_map(*options) is printed_map(*options)


def test_inactive_regions_are_faded(europe) -> None:
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


def test_the_drawing_in_the_documents_is_up_to_date(europe) -> None:
    """All names, routes and sides of the shipped map are in it.

    After a change: `gonzaga edition draw europe --out docs/img/europe.svg`.
    """
    assert (ROOT / "docs/img/europe.svg").read_text("utf-8") == drawn(europe)


def test_names_are_escaped_and_unknown_symbols_are_shown_by_letter(europe) -> None:
    roma = next(city for city in europe.cities if city.name == "Roma")
    others = tuple(city for city in europe.cities if city is not roma)
    odd = dataclasses.replace(roma, name="R<&>\"'", group="zebra")
    found = texts(edition_scene(dataclasses.replace(europe, cities=(*others, odd))))
    assert "R<&>\"'" in found
    assert "Z" in found


# The places of names: the best there are, found without trying everything to the end


def test_names_avoid_what_is_taken(europe) -> None:
    layout = board_layout(europe)
    placer = LabelPlacer(europe, layout, [])
    (first,) = placer.place("I", "Italia", scene._REGION_STYLE)
    (second,) = placer.place("I", "Italia", scene._REGION_STYLE)
    assert first.at != second.at
    x, y = first.at
    placer.take((x - 60, y - 60, x + 60, y + 60))
    (third,) = placer.place("I", "Italia", scene._REGION_STYLE)
    assert math.dist(first.at, third.at) > 60
    assert (placer.place("I", "two words", scene._SEA_STYLE)[0]).text in ("TWO WORDS", "TWO")


# Editions with faults


SPOIL = {name: spoil for name, spoil, _ in BROKEN}
#: Faults that a drawing might stumble on, by what they have in common.
FAULTS = {
    "map": ["blank name", "seven regions", "unknown mark", "two meanings"],
    "sites": ["site off map", "harbor at sea", "unknown sea", "far harbor", "nine symbols"],
    "sides": ["no edges", "edge off map", "no side", "edge twice"],
    "fiefs": ["no cells", "castle nowhere", "negative castle", "eleven"],
}


@pytest.mark.parametrize("names", FAULTS.values(), ids=FAULTS)
def test_a_broken_edition_can_be_drawn(names) -> None:
    found = drawable(spoilt(*(SPOIL[name] for name in names)))
    assert found is not None
    assert "Mantova" in "".join(ET.fromstring(draw(found).svg).itertext())


@pytest.mark.parametrize("name", ["huge map", "no map"])
def test_a_map_without_hexes_or_with_too_many_has_no_picture(name) -> None:
    assert drawable(spoilt(SPOIL[name])) is None


def test_a_valid_edition_stays_the_same(europe) -> None:
    assert drawable(europe) == europe


def test_odd_names_make_valid_pictures(europe) -> None:
    city, *others = europe.cities
    odd = dataclasses.replace(city, name="Ro\0ma")
    regions = {**europe.regions, "H": "", "I": "Long" * 100}
    edition = dataclasses.replace(europe, cities=(odd, *others), regions=regions)
    svg = draw(edition).svg
    assert "Ro\ufffdma" in svg
    ET.fromstring(svg)
