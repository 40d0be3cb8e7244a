"""Shows an evaluation: tables for the terminal, one object for JSON."""

from __future__ import annotations

import io
import re
from dataclasses import asdict
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gonzaga_env.kernel.spec import Config
from gonzaga_env.version import __version__

from .evaluate import AgentSummary, MatchSummary, describe_game, game_text
from .match import GUESSABLE_SEEDS

#: Version of the JSON object.
FORMAT = 2
#: Columns that the tables take. A narrower terminal wraps their lines, so that no figure is lost.
TABLE_WIDTH = 80
_MOST_COLUMNS = 8  # that fit into one line with a name
_NAME_WIDTH = 16  # what the figures leave for the agents' names


def as_json(config: Config, summary: MatchSummary) -> dict[str, Any]:
    """Returns the evaluation as plain data: what was played, then `MatchSummary`'s fields."""
    return {
        "format": FORMAT,
        **describe_game(config),
        **asdict(summary),
        "versions": {"gonzaga_env": __version__},
    }


def show(config: Config, summary: MatchSummary, console: Console) -> None:
    """Prints the evaluation, in two tables so that `TABLE_WIDTH` columns are enough."""
    console.print(_title(config), highlight=False)
    _show_tables(summary, console)


def as_html(summary: MatchSummary) -> str:
    """Returns the tables of an evaluation, without its title, for notebooks."""
    console = Console(file=io.StringIO(), record=True, width=TABLE_WIDTH)
    _show_tables(summary, console)
    # Colours of the page, which may be light or dark: only verdicts have their own.
    page = '<pre style="line-height: 1.25">{code}</pre>'
    return console.export_html(inline_styles=True, code_format=page)


def _show_tables(summary: MatchSummary, console: Console) -> None:
    for section in (_results_table(summary), _sources_table(summary), _notes(summary)):
        console.print()
        console.print(section, highlight=False)


def _title(config: Any) -> str:
    players = f"{config.num_players} players"
    return escape(game_text(describe_game(config), config.edition.name, players))


def wide_console() -> Console:
    """Returns the terminal, taken to be wide enough for the tables."""
    return Console(width=max(Console().width, TABLE_WIDTH))


def new_table(*headings: str, names: int = 0) -> Table:
    """Returns a table without rows: columns of numbers, apart from the one with names.

    Args:
        headings: one for each column.
        names: index of the column of names.
    """
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 0, 0, 1), pad_edge=False)
    for column, heading in enumerate(headings):
        table.add_column(heading, justify="left" if column == names else "right", no_wrap=True)
    return table


def _results_table(summary: MatchSummary) -> Table:
    fair = f"fair {summary.fair_share:.1%}"
    table = new_table("agent", "seats", "score ± 95%", "win share", "95% interval", fair)
    for agent in summary.agents:
        share = agent.win_share
        table.add_row(
            escape(fold_name(agent.name)),
            str(agent.seats),
            agent.score.with_margin(),
            f"{share.mean:.1%}",
            f"{share.low:.1%} to {share.high:.1%}",  # which shares always have
            _verdict(agent, summary.fair_share),
        )
    return table


def _sources_table(summary: MatchSummary) -> Table:
    """Returns the points by source: a row for each agent, or for each source of many."""
    agents = summary.agents
    columns = {name: [f"{a.sources[name]:.1f}" for a in agents] for name in agents[0].sources}
    names = [escape(fold_name(agent.name)) for agent in agents]
    is_wide = len(columns) > _MOST_COLUMNS
    table = new_table("", *names) if is_wide else new_table("agent", *columns)
    for row in zip(names, *columns.values(), strict=True) if not is_wide else ():
        table.add_row(*row)
    for source, cells in columns.items() if is_wide else ():
        table.add_row(source, *cells)
    return table


def fold_name(name: str, width: int = _NAME_WIDTH) -> str:
    """Returns a name in lines of `width`, broken after / : - _ or a space.

    A piece without a place to break that is longer than a line loses its middle.
    """
    lines = [""]
    for piece in re.findall(r"[^/:_ -]+[/:_ -]*|[/:_ -]+", name):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(shorten(line.rstrip(), width) for line in lines)


def shorten(text: str, width: int) -> str:
    """Returns a text without its middle if it is longer than `width`."""
    half = width // 2
    return text if len(text) <= width else f"{text[: width - half - 1]}…{text[-half:]}"


def _verdict(agent: AgentSummary, fair_share: float) -> str:
    """Returns the distance to a fair share, coloured where the interval excludes it."""
    points = f"{(agent.win_share.mean - fair_share) * 100:+.1f}"
    verdicts = {1: "[green]{} above[/]", 0: "{}  even", -1: "[red]{} below[/]"}
    return verdicts[agent.win_share.side_of(fair_share)].format(points)


def _failures(agent: AgentSummary) -> str:
    """Returns a line that says how often a bot failed; "" for other agents."""
    if agent.failures is None:
        return ""
    counts = ", ".join(f"{number} {kind}" for kind, number in sorted(agent.failures.items()))
    return escape(f"\nFailed decisions of {agent.name}: {counts or 'none'}")


def _notes(summary: MatchSummary) -> str:
    rotations, seats = summary.num_players, summary.seat_win_shares
    seed = summary.seed or 0  # shown if it was drawn; one that was given is known
    return (
        f"{summary.deals} deals in {rotations} seat rotations: {summary.games} games, "
        f"{summary.rounds.with_margin()} rounds each\n"
        f"Win share by seat: {', '.join(f'{share.mean:.1%}' for share in seats)}"
        + "".join(map(_failures, summary.agents))
        + (f"\nSeed {seed} repeats the match" if seed >= GUESSABLE_SEEDS else "")
    )
