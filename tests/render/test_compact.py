"""Compact drawings: fewer elements, each shape once, and nothing comes to lie under what it hid."""

import re
import xml.etree.ElementTree as ET

from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.shapes import Label, Paint, Shape
from gonzaga_env.render.svg import compact_elements
from tests.render.scenes import play

RED, BLUE = Paint(fill="#ff0000"), Paint(fill="#0000ff", stroke="#000000", width=2)


def drawn(*shapes: Shape) -> list[ET.Element]:
    return [*ET.fromstring(f"<svg>{compact_elements(shapes)}</svg>")]


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
