"""Tables as lines of text, for terminals and for pages in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gonzaga_env.kernel.bounded import printable

_GAP = "  "
Rows = Sequence[Sequence[str]]
"""Cells by row, the headings first; all rows have the same length."""


def text_table(rows: Rows, names: int = 1) -> Iterator[str]:
    """Yields the lines of a table for a terminal; control characters in its cells are replaced.

    Args:
        rows: the headings, then the cells of each row.
        names: how many columns at the left hold texts; the others hold numbers, set to the right.
    """
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for number, row in enumerate(cells):
        texts = zip(row[:names], widths[:names], strict=True)
        numbers = zip(row[names:], widths[names:], strict=True)
        line = [text.ljust(width) for text, width in texts]
        line += [text.rjust(width) for text, width in numbers]
        yield _GAP.join(line).rstrip()
        if number == 0:
            yield _GAP.join("-" * width for width in widths)


def markdown_table(rows: Rows, names: int = 1) -> Iterator[str]:
    """Yields the lines of the same table in Markdown; cells are taken as Markdown.

    Args:
        rows: the headings, then the cells of each row.
        names: how many columns at the left hold texts.
    """
    headings, *others = rows
    rules = ["---" if column < names else "---:" for column in range(len(headings))]
    for row in (headings, rules, *others):
        yield f"| {' | '.join(row)} |"
