"""Compact drawings: fewer elements, each shape once, and nothing comes to lie under what it hid."""

import re
import xml.etree.ElementTree as ET

from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.shapes import Circle, Label, Line, Paint, Polygon, Shape, rectangle
from gonzaga_env.render.svg import compact_elements
from tests.render.scenes import play

RED, BLUE = Paint(fill="#ff0000"), Paint(fill="#0000ff", stroke="#000000", width=2)


def drawn(*shapes: Shape) -> list[ET.Element]:
    return [*ET.fromstring(f"<svg>{compact_elements(shapes)}</svg>")]


def test_equal_shapes_apart_become_one_path() -> None:
    near, far = (Polygon(rectangle(x, 0, 10, 10), RED) for x in (0, 20))
    (path,) = drawn(near, far)
    assert path.attrib == {"d": "M0,0 10,0 10,10 0,10ZM20,0 30,0 30,10 20,10Z", "fill": "#ff0000"}
    circles = Circle((5, 5), 3, BLUE), Circle((25, 5), 3, BLUE)
    hill, dots = drawn(near, circles[0], far, circles[1])
    assert hill.attrib["d"] == path.attrib["d"]
    assert dots.attrib["d"].count("M") == 2
    assert dots.attrib["d"].startswith("M8,5a3,3 0 0 1 -6,0a3,3 0 0 1 6,0Z")
    (lines,) = drawn(*(Line(((x, 0), (x, 9)), Paint(stroke="#000000")) for x in (0, 5)))
    assert lines.attrib["stroke-linecap"] == "round"


def test_shapes_that_meet_keep_their_order() -> None:
    below, above = Polygon(rectangle(0, 0, 10, 10), RED), Polygon(rectangle(5, 5, 9, 9), RED)
    between = Circle((7, 7), 3, BLUE)
    assert [one.tag for one in drawn(below, between, above)] == ["polygon", "circle", "polygon"]
    assert [one.tag for one in drawn(below, above)] == ["polygon", "polygon"]
    pale = Paint(fill="#ff0000", opacity=0.5)
    assert len(drawn(*(Polygon(rectangle(x, 0, 5, 5), pale) for x in (0, 20)))) == 2


def test_single_letters_have_a_place_each() -> None:
    label = Label("<", (1, 2), 12, "#000000"), Label("4", (30, 2.5), 12, "#000000")
    (both,) = drawn(*label)
    assert (both.attrib["x"], both.attrib["y"], both.text) == ("1 30", "2 2.5", "<4")
    others = Label("12", (60, 2), 12, "#000000"), Label("5", (90, 2), 13, "#000000")
    assert sorted(str(one.text) for one in drawn(*label, *others)) == ["12", "5", "<4"]


def test_blocks_lose_no_shape() -> None:
    for game in ("signorie", "tuscany"):
        table, _ = play(game, 4, 1, 200)
        for block in game_pictures(game).blocks(table.edition, table.view(0)):
            shapes = block.draw(*block.values, LIGHT).shapes
            found = drawn(*shapes)
            paths = sum(one.attrib["d"].count("M") for one in found if one.tag == "path")
            texts = [one for one in found if one.tag == "text"]
            letters = sum(len(one.attrib["x"].split()) for one in texts)
            assert paths + letters + sum(one.tag not in ("path", "text") for one in found) == len(
                shapes
            )
            labels = [shape.text for shape in shapes if isinstance(shape, Label)]
            shown = "".join(one.text or "" for one in texts)
            assert sorted(re.sub(r"\s", "", shown)) == sorted(re.sub(r"\s", "", "".join(labels)))
            assert len(found) < len(shapes)
