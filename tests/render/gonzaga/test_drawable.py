"""Pictures of editions with faults."""

import dataclasses
import xml.etree.ElementTree as ET

import pytest

from gonzaga_env.render.draw import draw
from gonzaga_env.render.gonzaga.drawable import drawable
from tests.core.editions.test_validate import BROKEN, spoilt

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
    assert "Ro\ufffdma" in draw(edition).svg
    ET.fromstring(draw(edition).svg)
