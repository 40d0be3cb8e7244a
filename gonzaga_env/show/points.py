"""The final scores of any game as an HTML table: points by source, the best player first."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_WON = "♛ "


def points_table(
    sources: Sequence[str],
    names: Sequence[str],
    scores: Sequence[Sequence[int]],
    totals: Sequence[int],
    won: Sequence[bool],
    colors: Sequence[str] = (),
) -> str:
    """Returns an HTML table with a column for each player and a row for each source.

    Args:
        sources: the game's sources of points (`GameSpec.sources`), [S].
        names: what the players are called, [P].
        scores: points by source, [P][S].
        totals: what decides the game (`Engine.totals`), [P].
        won: who has won, [P].
        colors: a CSS colour for each source, [S]; none by default.
    """
    seats = sorted(range(len(names)), key=lambda seat: (not won[seat], -totals[seat]))
    head = "".join(_heading(seat, names[seat], won[seat]) for seat in seats)
    swatches = [f'<i style="background:{color}"></i>' for color in colors] or [""] * len(sources)
    rows = [
        _row(swatches[i] + escape(source.replace("_", " ")), [scores[seat][i] for seat in seats])
        for i, source in enumerate(sources)
    ]
    rows.append(_row("total", [totals[seat] for seat in seats]))
    return (
        f"<table><caption>Final scoring</caption><thead><tr><td></td>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _heading(seat: int, name: str, won: bool) -> str:
    text = escape((_WON if won else "") + name)
    return f'<th scope="col"><b style="border-color:var(--player{seat})">{text}</b></th>'


def _row(label: str, points: Sequence[int]) -> str:
    cells = "".join(f"<td>{number}</td>" for number in points)
    return f'<tr><th scope="row">{label}</th>{cells}</tr>'
