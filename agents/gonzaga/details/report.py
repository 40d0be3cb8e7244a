"""Shows the details of an evaluation as tables for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gonzaga_env.core.state.state import SOURCES

from ...evaluation.report import fold_name, new_table
from ...evaluation.summary import AgentSummary, MatchSummary
from .details import Details, Usage

_AGENTS_A_TABLE = 3  # as many as fit into `report.TABLE_WIDTH` columns
_NAME_WIDTH = 13
_STOPPED = {
    "blocked": "donated: blocked by earlier seats",
    "no_place": "donated: no place at the reveal",
    "by_choice": "donated by choice",
    "best_taken": "best placement taken earlier",
    "points_taken": "points taken earlier",
}

Cells = tuple[str, ...]  # what one agent has in one row
_EMPTY: Cells = ("", "")
Rows = Callable[[Details], Mapping[str, Cells]]


def show_details(summary: MatchSummary, console: Console) -> None:
    """Prints where the agents' points come from, what stops their plans, and how they lose."""
    for title, second, rows in _SECTIONS:
        console.print(f"\n{title}", highlight=False)
        for i, agents in enumerate(_by_table(summary.agents)):
            if i > 0:
                console.print()
            console.print(_table(agents, second, rows), highlight=False)


def _by_table(agents: Sequence[AgentSummary]) -> Iterator[Sequence[AgentSummary]]:
    """Yields the agents of each table, about as many in each."""
    num_tables = -(-len(agents) // _AGENTS_A_TABLE)
    size = -(-len(agents) // num_tables)
    for start in range(0, len(agents), size):
        yield agents[start : start + size]


def _table(agents: Sequence[AgentSummary], second: str | None, rows: Rows) -> Table:
    """Returns a table with one column for each agent, or two where the second has a heading."""
    headings = [""]
    for agent in agents:
        headings.append(escape(fold_name(agent.name, _NAME_WIDTH)))
        headings += [] if second is None else [second]
    table = new_table(*headings)
    found = [rows(agent.details) for agent in agents if agent.details is not None]
    for label in dict.fromkeys(label for cells in found for label in cells):
        texts = [text for cells in found for text in cells[label]]
        if any(texts):
            table.add_row(label, *texts)
    return table


def _usages(usages: Mapping[str, Usage]) -> Mapping[str, Cells]:
    return {name: _usage(usage) for name, usage in usages.items()}


def _usage(usage: Usage) -> Cells:
    if usage.points_each is None:
        return _EMPTY
    return usage.points.with_margin(), f"{usage.times.mean:.2f}"


def _actions(details: Details) -> Mapping[str, Cells]:
    return {**_usages(details.actions), "+ privilege": _usage(details.privilege)}


def _rounds(details: Details) -> Mapping[str, Cells]:
    return {
        f"round {number}": _EMPTY
        if usage.points_each is None
        else (usage.points_each.with_margin(), f"{usage.times.mean:.0%}")
        for number, usage in enumerate(details.rounds, start=1)
    }


def _stopped(details: Details) -> Mapping[str, Cells]:
    return {label: (getattr(details, name).with_margin(2),) for name, label in _STOPPED.items()}


def _losses(details: Details) -> Mapping[str, Cells]:
    losses = details.losses
    if losses.points is None:
        return dict.fromkeys(("in all", *SOURCES), _EMPTY)
    return {"in all": (losses.points.with_margin(), "")} | {
        source: (deficit.points.with_margin(), f"{deficit.largest.mean:.0%}")
        for source, deficit in losses.sources.items()
    }


_SECTIONS: tuple[tuple[str, str | None, Rows], ...] = (
    (
        "Points a game by region card, and how often it is played a game",
        "times",
        lambda details: _usages(details.regions),
    ),
    ("Points a game by action card, and how often it is played a game", "times", _actions),
    (
        "Points a game by what is placed, and how often a game",
        "times",
        lambda details: _usages(details.moves),
    ),
    ("Points of a round, and how many games reach it", "games", _rounds),
    ("What stops plans, per game", None, _stopped),
    (
        "Points behind the winner in lost games, and how often the largest gap is there",
        "largest",
        _losses,
    ),
)
