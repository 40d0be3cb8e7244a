"""Writes a tournament as a Markdown page."""

from __future__ import annotations

from collections.abc import Sequence

from ..evaluation.statistics import Estimate
from .report import (
    compared,
    game_line,
    notes,
    outdated_lines,
    pairs_heading,
    played_line,
    rating_interval,
)
from .standings import Standings
from .tournament import Played


def as_markdown(
    played: Played,
    standings: Sequence[Standings],
    command: str,
    figure: str | None = None,
    explanation: str | None = None,
) -> str:
    """Returns a page with the tables of a tournament.

    Args:
        played: what was played.
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
        f"{games:,} games of {game_line(played)} {played_line(played)}",
        f"{about}Made by:",
        "",
        f"    {command}",
    ]
    lines += [f"\n{line}." for line in outdated_lines(played)]
    if figure is not None:
        lines += ["", f"![Ratings and win shares]({figure})"]
    for table in standings:
        lines += ["", *_section(table)]
    return "\n".join(lines) + "\n"


def _section(standings: Standings) -> list[str]:
    return [
        f"## {standings.num_players} players",
        "",
        *_ratings(standings),
        "",
        *_pairs(standings),
        "",
        *[f"- {_escape(note)}" for note in notes(standings)],
    ]


def _ratings(standings: Standings) -> list[str]:
    rows = [
        (
            str(rank),
            _code(agent.name),
            f"{agent.rating.rating:.0f}",
            rating_interval(agent.rating, agent.name == standings.anchor),
            f"{agent.win_share.mean:.1%}",
            f"{agent.score.mean:.1f}",
            f"{agent.games:,}",
        )
        for rank, agent in enumerate(standings.agents, start=1)
    ]
    return _table(("", "agent", "rating", "95% interval", "win share", "score", "games"), rows)


def _pairs(standings: Standings) -> list[str]:
    rows = [
        (str(rank), _code(agent.name), *map(_share, row))
        for rank, (agent, row) in enumerate(zip(standings.agents, standings.pairs, strict=True), 1)
    ]
    ranks = [str(rank) for rank in range(1, len(standings.agents) + 1)]
    return _table(("", pairs_heading(standings.num_players), *ranks), rows)


def _share(share: Estimate | None) -> str:
    """Returns a win share in percent, bold where its interval excludes a half."""
    if share is None:
        return ""
    text = f"{share.mean * 100:.1f}"
    return f"**{text}**" if compared(share) else text


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Returns a table whose columns are numbers, except for the second."""
    rule = ["---" if column == 1 else "---:" for column in range(len(headings))]
    return [f"| {' | '.join(row)} |" for row in (headings, rule, *rows)]


def _code(name: str) -> str:
    return f"`{name.replace('|', chr(92) + '|')}`"


def _escape(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_|<>[]" else char for char in text)
