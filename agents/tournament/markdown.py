"""Writes a tournament as a Markdown page."""

from __future__ import annotations

from collections.abc import Sequence

from ..statistics.estimates import Estimate
from .report import (
    EVEN,
    Row,
    game_line,
    notes,
    outdated_lines,
    pair_rows,
    played_line,
    rating_rows,
    seed_line,
)
from .standings import Standings
from .tournament import Provenance


def as_markdown(
    provenance: Provenance,
    standings: Sequence[Standings],
    command: str,
    figure: str | None = None,
    explanation: str | None = None,
) -> str:
    """Returns a page with the tables of a tournament.

    Args:
        provenance: what was played, when, and with which code.
        standings: a table for each number of players.
        command: what makes the page.
        figure: the figure's address; None shows none.
        explanation: the address of a page that explains the tables; None links to none.
    """
    games = sum(table.games for table in standings)
    about = f"[How it is played and rated]({explanation}). " if explanation else ""
    lines = [
        "# Leaderboard",
        "",
        f"{games:,} games of {game_line(provenance)} {played_line(provenance)} "
        f"{seed_line(provenance)}",
        f"{about}Made by:",
        "",
        f"    {command}",
    ]
    lines += [f"\n{line}." for line in outdated_lines(provenance)]
    if figure is not None:
        lines += ["", f"![Ratings and win shares]({figure})"]
    for table in standings:
        lines += ["", *_section(table)]
    return "\n".join(lines) + "\n"


def _section(standings: Standings) -> list[str]:
    return [
        f"## {standings.num_players} players",
        "",
        *_table(*rating_rows(standings, _code)),
        "",
        *_table(*pair_rows(standings, _code, _share)),
        "",
        *[f"- {_escape(note)}" for note in notes(standings)],
    ]


def _share(share: Estimate | None) -> str:
    """Returns a win share in percent, bold where its interval excludes a half."""
    if share is None:
        return ""
    text = f"{share.mean * 100:.1f}"
    return f"**{text}**" if share.side_of(EVEN) else text


def _table(headings: Row, *rows: Row) -> list[str]:
    """Returns a table whose columns are numbers, except for the second."""
    rule = ["---" if column == 1 else "---:" for column in range(len(headings))]
    return [f"| {' | '.join(row)} |" for row in (headings, rule, *rows)]


def _code(name: str) -> str:
    return f"`{name.replace('|', chr(92) + '|')}`"


def _escape(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_|<>[]" else char for char in text)
