"""Shows a tournament: tables for the terminal, a page in Markdown, and one object for JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.kernel.text_table import markdown_table

from .evaluate import game_text
from .pairs import Mix
from .standings import Standings
from .statistics import CONFIDENCE, Estimate
from .summary import fold_name, new_table
from .tournament import Comparison, Provenance

#: Version of the JSON object.
FORMAT = 1
EVEN = 0.5  # the win share of equals within a pair
_SHOWN = 0.005  # a weight that is not 0 % in a note

Row = tuple[str, ...]


def as_json(provenance: Provenance, standings: Sequence[Standings]) -> dict[str, Any]:
    """Returns the tables of a tournament as plain data, with ratings as tables show them."""
    tables = [asdict(table) for table in standings]
    for table, plain in zip(standings, tables, strict=True):
        for agent, values in zip(table.agents, plain["agents"], strict=True):
            values["rating"]["text"] = agent.rating.text
    return {
        "format": FORMAT,
        **asdict(provenance),
        "standings": tables,
    }


def comparisons_as_json(provenance: Provenance, found: Sequence[Comparison]) -> dict[str, Any]:
    """Returns sequential tests as plain data."""
    error_rate = round(1 - CONFIDENCE, 9)
    tests = [asdict(comparison) for comparison in found]
    return {"format": FORMAT, **asdict(provenance), "error_rate": error_rate, "comparisons": tests}


def show(standings: Standings, console: Console) -> None:
    """Prints the table of one number of players."""
    console.print(f"\n[bold]{standings.num_players} players[/bold]\n", highlight=False)
    for rows in (rating_rows(standings, _folded), pair_rows(standings, _folded, _coloured)):
        console.print(_table(*rows), highlight=False)
        console.print()
    for note in notes(standings):
        console.print(escape(note), highlight=False)


def pairs_heading(num_players: int) -> str:
    """Returns what the win shares of pairs are."""
    return "% won against" if num_players == 2 else "% ahead of"


def rating_rows(standings: Standings, show_name: Callable[[str], str]) -> list[Row]:
    """Returns headings and rows of the ratings, with names as `show_name` writes them."""
    headings = ("", "agent", "rating", "95% interval", "win share", "score", "games")
    rows = (
        (
            str(rank),
            show_name(agent.name),
            agent.rating.text,
            "anchor" if agent.name == standings.anchor else agent.rating.interval,
            f"{agent.win_share.mean:.1%}",
            f"{agent.score.mean:.1f}",
            f"{agent.games:,}",
        )
        for rank, agent in enumerate(standings.agents, start=1)
    )
    return [headings, *rows]


def pair_rows(
    standings: Standings,
    show_name: Callable[[str], str],
    show_share: Callable[[Estimate | None], str],
) -> list[Row]:
    """Returns headings and rows of the matrix of win shares."""
    ranks = [str(rank) for rank in range(1, len(standings.agents) + 1)]
    rows = zip(ranks, standings.agents, standings.pairs, strict=True)
    return [
        ("", pairs_heading(standings.num_players), *ranks),
        *((rank, show_name(agent.name), *map(show_share, row)) for rank, agent, row in rows),
    ]


def _table(headings: Row, *rows: Row) -> Table:
    table = new_table(*headings, names=1)
    for row in rows:
        table.add_row(*row)
    return table


def _folded(name: str) -> str:
    return escape(fold_name(name))


def _coloured(share: Estimate | None) -> str:
    """Returns a win share in percent, coloured where its interval excludes a half."""
    if share is None:
        return "·"
    text = f"{share.mean * 100:.1f}"
    colours = {1: "green", 0: "default", -1: "red"}
    return f"[{colours[share.side_of(EVEN)]}]{text}[/]"


def notes(standings: Standings) -> list[str]:
    """Returns what to know about a table, one sentence or more each."""
    players = standings.num_players
    kind = "pair" if players == 2 else "table"
    several = "" if players == 2 else "; an agent on several seats shares its victories among them"
    found = [
        f"{standings.tables} {kind}{'s' * (standings.tables > 1)}, {standings.deals} deals in "
        f"{players} seat rotations: {standings.games:,} games, {standings.shared:.1%} of them "
        f"shared victories. A fair win share is {1 / players:.1%}{several}.",
        f"Ratings: {standings.anchor} is at 1000; of two agents at a table, one rated 400 higher "
        "wins ten times as often. In the second table ties count half.",
    ]
    if open_ends := [a.name for a in standings.agents if None in (a.rating.low, a.rating.high)]:
        found.append(
            f"No game bounds the rating of {_list(open_ends)} on one side; the other end of its "
            "95% interval is shown."
        )
    if standings.equal:
        pairs = "; ".join(f"{better} and {worse}" for better, worse in standings.equal)
        found.append(f"Can't be told apart (95%): {pairs}.")
    found += [f"A cycle: {' beats '.join((*c, c[0]))}." for c in standings.cycles]
    return found if standings.mix is None else [*found, _mix_note(standings, standings.mix)]


def _mix_note(standings: Standings, mix: Mix) -> str:
    """Returns the mix that no agent beats, and what the others win against it."""
    names = [agent.name for agent in standings.agents]
    parts = [f"{name} {w:.0%}" for name, w in zip(names, mix.weights, strict=True) if w >= _SHOWN]
    others = [
        f"{name} {share:.1%}"
        for name, share, weight in zip(names, mix.shares, mix.weights, strict=True)
        if weight < _SHOWN
    ]
    note = f"The mix that no agent beats: {_list(parts)}."
    return f"{note} Won against it: {_list(others)}." if others else note


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


def game_line(provenance: Provenance) -> str:
    """Returns what was played: edition, scenario, and rules that are not the default."""
    header = provenance.header
    spec = game_spec(header.get("game", DEFAULT_GAME))
    usual = spec.any_config().rules.as_dict()
    rules = [f", {name} {value}" for name, value in header["rules"].items() if value != usual[name]]
    return f"{game_text(header, header['edition'])}{''.join(rules)}."


def played_line(provenance: Provenance) -> str:
    """Returns when and with which code the games were played."""
    version = f"gonzaga_env {provenance.header['versions']['gonzaga_env']}"
    when = [
        session.date + (f" at commit {session.commit}" if session.commit else "")
        for session in provenance.sessions
    ]
    return f"Played {_list(when)} with {version}." if when else ""


def outdated_lines(provenance: Provenance) -> list[str]:
    """Returns a line for each agent whose file has changed since games were played."""
    return [
        f"{spec} has changed since {number:,} games were played, which do not count"
        for spec, number in provenance.outdated.items()
    ]


def as_markdown(
    provenance: Provenance,
    standings: Sequence[Standings],
    command: str,
    figure: str | None = None,
) -> str:
    """Returns a page with the tables of a tournament.

    Args:
        provenance: what was played, when, and with which code.
        standings: a table for each number of players.
        command: what makes the page.
        figure: the figure's address; None shows none.
    """
    games = sum(table.games for table in standings)
    lines = [
        f"# {game_spec(provenance.header.get('game', DEFAULT_GAME)).title}",
        "",
        f"{games:,} games of {game_line(provenance)} {played_line(provenance)} "
        f"Seed {provenance.header['seed']}. Made by:",
        "",
        f"    {command}",
    ]
    lines += [f"\n{line}." for line in outdated_lines(provenance)]
    if figure is not None:
        lines += ["", f"![Ratings]({figure})"]
    for table in standings:
        lines += ["", f"## {table.num_players} players", ""]
        lines += [*markdown_table(rating_rows(table, _code), 2), ""]
        lines += [*markdown_table(pair_rows(table, _code, _page_share), 2), ""]
        lines += [f"- {_escape(note)}" for note in notes(table)]
    return "\n".join(lines) + "\n"


def _page_share(share: Estimate | None) -> str:
    """Returns a win share in percent, bold where its interval excludes a half."""
    if share is None:
        return ""
    text = f"{share.mean * 100:.1f}"
    return f"**{text}**" if share.side_of(EVEN) else text


def _code(name: str) -> str:
    return f"`{name.replace('|', chr(92) + '|')}`"


def _escape(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_|<>[]" else char for char in text)
