"""SVG text: valid, the same for equal scenes, and kept for as long as layers are."""

import xml.etree.ElementTree as ET

from gonzaga_env.render.shapes import (
    Circle,
    Label,
    Layer,
    Line,
    Paint,
    Polygon,
    Scene,
    part_of,
)
from gonzaga_env.render.svg import to_svg

SHAPES = (
    Polygon(((0, 0), (5, 0), (0.004, 5.25)), Paint(fill="#ffffff", opacity=0.5)),
    Line(((0, 0), (-0.001, 3)), Paint(stroke="#000000", width=2, dash=(1, 2.5))),
    Circle((1 / 3, 2), 4, Paint(stroke="#123456")),
    Label("a < b & \"c\" 'd'\0", (1, 2), 12, "#000000", halo="#ffffff", bold=True, angle=20),
)


def test_every_shape_has_its_element() -> None:
    root = ET.fromstring(to_svg(Scene(10, 20.5, "<title>", (Layer(SHAPES),))))
    tags = [element.tag.split("}")[1] for element in root]
    assert tags == ["title", "polygon", "polyline", "circle", "text"]
    assert root.attrib["viewBox"] == "0 0 10 20.5"
    assert root[0].text == "<title>"
    assert root[1].attrib["points"] == "0,0 5,0 0,5.25"
    assert root[2].attrib["points"] == "0,0 0,3"  # never "-0"
    assert root[3].attrib["cx"] == "0.33"
    assert root[4].text == "a < b & \"c\" 'd'\ufffd"
    assert root[4].attrib["transform"] == "rotate(20 1 2)"


def test_a_part_of_a_scene_has_what_reaches_into_it_and_texts_that_fit() -> None:
    paint = Paint(fill="#000000")
    whole = Scene(
        100,
        100,
        "",
        (
            Layer(
                (
                    Circle((20, 20), 5, paint),
                    Circle((70, 20), 5, paint),
                    Polygon(((0, 0), (90, 0), (90, 90)), paint),
                    Label("in", (30, 30), 6, "#000000"),
                    Label("runs out of the part", (48, 30), 6, "#000000"),
                )
            ),
        ),
    )
    part = part_of(whole, 10, 10, 50, 50)
    assert (part.width, part.height) == (40, 40)
    assert part.shapes == (
        Circle((10, 10), 5, paint),
        Polygon(((-10, -10), (80, -10), (80, 80)), paint),
        Label("in", (20, 20), 6, "#000000"),
    )
