"""Draws the picture of docs/solve.md from its data, docs/img/exploitability.csv.

python docs/solve_pictures.py
"""

from __future__ import annotations

import csv
import math
from pathlib import Path

from gonzaga_env.render.charts import WIDTH
from gonzaga_env.render.draw import Picture
from gonzaga_env.render.palette import LIGHT, nth
from gonzaga_env.render.shapes import Circle, Label, Layer, Line, Paint, Scene, Shape, page

FOLDER = Path(__file__).parent / "img"
DATA, NAME = FOLDER / "exploitability.csv", "exploitability.svg"
TITLE = "Who wins more is hardly less exploitable"
_TOP, _ROW, _LEFT, _RADIUS, _TEXT, _STEP = 150.0, 24.0, 400.0, 6.0, 15.0, 5.0


def read_points() -> list[tuple[str, str, float, float]]:
    """Returns edition, agent, win share in percent and exploitability in points of each dot."""
    with DATA.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [
        (row["edition"], row["agent"], float(row["win_share"]), float(row["exploitability"]))
        for row in rows
    ]


def picture() -> Picture:
    """Returns the picture: a row for each agent, best first; a block of rows for each edition."""
    points = read_points()
    editions = list(dict.fromkeys(edition for edition, *_ in points))
    most = _STEP * math.ceil(max(loss for *_, loss in points) / _STEP)
    bottom = _TOP + _ROW * (len(points) + 2 * len(editions) - 1)
    scale = (WIDTH - 50 - _LEFT) / most
    shapes: list[Shape] = [
        Label(TITLE, (38, 58), 26, LIGHT.frame, bold=True, anchor="start"),
        Label("win share", (_LEFT - 20, _TOP - 34), _TEXT, LIGHT.muted, italic=True, anchor="end"),
        Label("exploitability, points", (_LEFT, _TOP - 34), _TEXT, LIGHT.muted, anchor="start"),
    ]
    for i in range(round(most / _STEP) + 1):
        x = _LEFT + scale * _STEP * i
        thin = Paint(stroke=LIGHT.line if i else LIGHT.muted, width=1)
        shapes.append(Line(((x, _TOP - 12), (x, bottom)), thin))
        shapes.append(Label(f"{_STEP * i:g}", (x, bottom + 22), _TEXT, LIGHT.muted))
    y = _TOP
    for i, name in enumerate(editions):
        shapes.append(Label(name, (50, y + 5), _TEXT, LIGHT.ink, bold=True, anchor="start"))
        for _, agent, share, loss in sorted((p for p in points if p[0] == name), key=_worst_last):
            y += _ROW
            end, paint = _LEFT + scale * loss, Paint(stroke=nth(LIGHT.players, i), width=2)
            shapes.append(Label(agent, (66, y + 5), _TEXT, LIGHT.ink, anchor="start"))
            shapes.append(
                Label(f"{share:.1f} %", (_LEFT - 20, y + 5), _TEXT, LIGHT.ink, anchor="end")
            )
            shapes.append(Line(((_LEFT, y), (end, y)), paint))
            shapes.append(Circle((end, y), _RADIUS, Paint(fill=nth(LIGHT.players, i))))
        y += 2 * _ROW
    paper, frame = page(WIDTH, bottom + 50, LIGHT)
    return Picture(Scene(WIDTH, bottom + 50, TITLE, (paper, frame, Layer(tuple(shapes)))))


def _worst_last(point: tuple[str, str, float, float]) -> float:
    return -point[2]


if __name__ == "__main__":
    picture().save(FOLDER / NAME)
    print(f"wrote {FOLDER / NAME}")
