"""Shows a tournament: tables for the terminal, and one object for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gonzaga_env.core.options import Rules

from ..evaluation.report import fold_name
from ..evaluation.statistics import CONFIDENCE, Estimate
from .standings import Standings
from .statistics.ratings import Rating
from .tournament import Comparison, Played

#: Version of the JSON object.
FORMAT = 1


def as_json(played: Played, standings: Sequence[Standings]) -> dict[str, Any]:
    """Returns the tables of a tournament as plain data."""
    return {"format": FORMAT, **asdict(played), "standings": [asdict(table) for table in standings]}


def comparisons_as_json(played: Played, found: Sequence[Comparison]) -> dict[str, Any]:
    """Returns sequential tests as plain data."""
    error_rate = round(1 - CONFIDENCE, 9)
    tests = [asdict(comparison) for comparison in found]
    return {"format": FORMAT, **asdict(played), "error_rate": error_rate, "comparisons": tests}


def show(standings: Standings, console: Console) -> None:
    """Prints the table of one number of players."""
    console.print(f"\n[bold]{standings.num_players} players[/bold]\n", highlight=False)
    for section in (_ratings_table(standings), _pairs_table(standings)):
        console.print(section, highlight=False)
        console.print()
    for note in notes(standings):
        console.print(escape(note), highlight=False)


def show_comparison(comparison: Comparison, console: Console) -> None:
    """Prints what a sequential test found."""
    for line in comparison_lines(comparison):
        console.print(escape(line), highlight=False, soft_wrap=True)


def pairs_heading(num_players: int) -> str:
    """Returns what the win shares of pairs are."""
    return "% won against" if num_players == 2 else "% ahead of"


def _table(names: str, *headings: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 0, 0, 1), pad_edge=False)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column(names, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _ratings_table(standings: Standings) -> Table:
    table = _table("agent", "rating", "95% interval", "win share", "score", "games")
    for rank, agent in enumerate(standings.agents, start=1):
        table.add_row(
            str(rank),
            escape(fold_name(agent.name)),
            f"{agent.rating.rating:.0f}",
            rating_interval(agent.rating, agent.name == standings.anchor),
            f"{agent.win_share.mean:.1%}",
            f"{agent.score.mean:.1f}",
            f"{agent.games:,}",
        )
    return table


def _pairs_table(standings: Standings) -> Table:
    ranks = map(str, range(1, len(standings.agents) + 1))
    table = _table(pairs_heading(standings.num_players), *ranks)
    for rank, (agent, row) in enumerate(zip(standings.agents, standings.pairs, strict=True), 1):
        table.add_row(str(rank), escape(fold_name(agent.name)), *map(_coloured, row))
    return table


def _coloured(share: Estimate | None) -> str:
    """Returns a win share in percent, coloured where its interval excludes a half."""
    if share is None:
        return "·"
    text, side = f"{share.mean * 100:.1f}", compared(share)
    return text if not side else f"[{'green' if side > 0 else 'red'}]{text}[/]"


def compared(share: Estimate, fair_share: float = 0.5) -> int:
    """Returns 1 if an interval is above a fair share, -1 if below, 0 if it holds it."""
    if share.low is not None and share.low > fair_share:
        return 1
    return -1 if share.high is not None and share.high < fair_share else 0


def rating_interval(rating: Rating, is_anchor: bool) -> str:
    """Returns an interval as text; an end that no game bounds is left out."""
    if is_anchor:
        return "anchor"
    if rating.low is None and rating.high is None:
        return "unbounded"
    if rating.low is None:
        return f"up to {rating.high:.0f}"
    if rating.high is None:
        return f"{rating.low:.0f} and up"
    return f"{rating.low:.0f} to {rating.high:.0f}"


def notes(standings: Standings) -> list[str]:
    """Returns what to know about a table, one sentence or more each."""
    players = standings.num_players
    kind = "pair" if players == 2 else "table"
    several = "" if players == 2 else "; an agent on several seats shares its victories among them"
    found = [
        f"{standings.tables} {kind}{'s' * (standings.tables > 1)}, {standings.deals} deals in "
        f"{players} seat rotations: {standings.games:,} games, {standings.shared:.1%} of them "
        f"shared victories. A fair win share is {1 / players:.1%}{several}.",
        f"Ratings: {standings.anchor} is at 1000; 400 points are a tenfold strength. In the second "
        "table ties count half.",
    ]
    open_ends = [a.name for a in standings.agents if None in (a.rating.low, a.rating.high)]
    if open_ends:
        found.append(
            f"No game bounds one end of the rating of {_list(open_ends)}: there, only the prior "
            "keeps the rating finite."
        )
    if standings.equal:
        pairs = "; ".join(f"{better} and {worse}" for better, worse in standings.equal)
        found.append(f"Can't be told apart (95%): {pairs}.")
    return found + [f"A cycle: {' beats '.join((*c, c[0]))}." for c in standings.cycles]


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def comparison_lines(comparison: Comparison) -> list[str]:
    """Returns what a sequential test found, in two lines."""
    decision, (first, *others) = comparison.decision, comparison.seats
    against = _list([name if seats == 1 else f"{seats} x {name}" for name, seats in others])
    side = "above" if decision.mean > decision.fair_share else "below"
    verdict = (
        f"{side} the fair {decision.fair_share:.1%}"
        if decision.decided
        else f"not decided: {decision.fair_share:.1%} would be fair"
    )
    return [
        f"{first[0]} against {against}: {verdict} after {decision.deals} deals "
        f"({comparison.games:,} games)",
        f"win share {decision.mean:.1%}, confidence sequence {decision.low:.1%} to "
        f"{decision.high:.1%}; the chance of a wrong verdict is at most {1 - CONFIDENCE:.0%}, "
        "however long it plays",
    ]


def game_line(played: Played) -> str:
    """Returns what was played: edition, scenario, and rules that are not the default."""
    header, usual = played.header, Rules().as_dict()
    reconstruction = ", a reconstruction" if header["reconstruction"] else ""
    scenario = f"scenario {header['scenario']}" if header["scenario"] else "drawn scenarios"
    rules = [f", {name} {value}" for name, value in header["rules"].items() if value != usual[name]]
    return f"Gonzaga ({header['edition']}{reconstruction}), {scenario}{''.join(rules)}."


def played_line(played: Played) -> str:
    """Returns when and with which code the games were played."""
    version = f"gonzaga_env {played.header['versions']['gonzaga_env']}"
    when = [
        session.date + (f" at commit {session.commit}" if session.commit else "")
        for session in played.sessions
    ]
    return f"Played {_list(when)} with {version}, seed {played.header['seed']}." if when else ""


def outdated_lines(played: Played) -> list[str]:
    """Returns a line for each agent whose file has changed since games were played."""
    return [
        f"{spec} has changed since {number:,} games were played, which do not count"
        for spec, number in played.outdated.items()
    ]
