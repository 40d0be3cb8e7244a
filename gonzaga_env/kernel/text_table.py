"""Tables as lines of text, for terminals and for pages in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from gonzaga_env.kernel.messages import printable

_GAP = "  "
Rows = Sequence[Sequence[str]]
"""Cells by row, the headings first; all rows have the same length."""


def text_table(rows: Rows, names: int = 1, fold: int | None = None) -> Iterator[str]:
    """Yields the lines of a table for a terminal; control characters in its cells are replaced.

    So many columns at the left hold `names`; the others hold numbers, set to the right. Cells
    wider than `fold` take several lines (`folded`).
    """
    cells = [[folded(printable(cell), fold) for cell in row] for row in rows]
    columns = zip(*cells, strict=True)
    widths = [max(len(line) for cell in column for line in cell) for column in columns]
    for number, row in enumerate(cells):
        for line in zip_longest(*row, fillvalue=""):
            padded = zip(line, widths, strict=True)
            texts = [
                text.ljust(width) if column < names else text.rjust(width)
                for column, (text, width) in enumerate(padded)
            ]
            yield _GAP.join(texts).rstrip()
        if number == 0:
            yield _GAP.join("-" * width for width in widths)


def folded(text: str, width: int | None) -> list[str]:
    """Returns a text in lines of a width, broken after / : - _ or a space; None takes one line.

    A piece without a place to break that is longer than a line loses its middle.
    """
    if width is None or len(text) <= width:
        return [text]
    lines = [""]
    for piece in re.findall(r"[^/:_ -]+[/:_ -]*|[/:_ -]+", text):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [shortened(line.rstrip(), width) for line in lines]


def shortened(text: str, width: int) -> str:
    """Returns a text without its middle if it is longer than a width."""
    half = width // 2
    return text if len(text) <= width else f"{text[: width - half - 1]}…{text[-half:]}"


def markdown_table(rows: Rows, names: int = 1) -> Iterator[str]:
    """Yields the lines of the same table in Markdown; cells are taken as Markdown."""
    headings, *others = rows
    rules = ["---" if column < names else "---:" for column in range(len(headings))]
    for row in (headings, rules, *others):
        yield f"| {' | '.join(row)} |"
