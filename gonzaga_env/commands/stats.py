"""`gonzaga stats`: sums up recorded games."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro

from gonzaga_env.command_line import parse
from gonzaga_env.intervals import Estimate
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.messages import printable
from gonzaga_env.kernel.records import record_files
from gonzaga_env.kernel.text_table import text_table
from gonzaga_env.kernel.writing import check_writable, write_aside
from gonzaga_env.stats import WON, Group, Mean, Report, Section, Skipped, notes, read_games, sum_up

_LONGEST = 24  # characters of a name


def report_lines(report: Report, width: int) -> Iterator[str]:
    """Yields the lines of a report, tables of at most a width where their columns allow it."""
    games, deals = report.games.total(), len(report.games)
    yield (
        f"{report.spec.title}, {printable(report.edition)}, {report.num_players} players: "
        f"{games:,} game{'s' * (games != 1)} of {deals:,} deal{'s' * (deals != 1)}"
    )
    for section in report.sections:
        yield from ("", *_section_lines(section, width))
    for column in report.columns:
        section = report.sections[0]
        for key, group in _groups(section):
            yield from ("", *_choice_lines(column, section, key, group))
    for note in notes(report):
        yield from ("", f"note: {note}")


def _section_lines(section: Section, width: int) -> Iterator[str]:
    """Yields tables with a row for each mean and a column for each group, as many as fit."""
    groups = _groups(section)
    names = list(dict.fromkeys(name for _, group in groups for name in group.means))
    columns = [
        [_name(key), f"{group.seats.total():,}"]
        + [_text(group.means[name], name) if name in group.means else "" for name in names]
        for key, group in groups
    ]
    first = [f"by {', '.join(section.keys)}" if section.keys else "", "seats of games", *names]
    widest = max(len(cell) for column in columns for cell in column)
    fitting = max(1, (width - max(map(len, first))) // (widest + 2))
    for start in range(0, len(columns), fitting):
        yield from [""] * (start > 0)
        yield from text_table([*zip(first, *columns[start : start + fitting], strict=True)])


def _choice_lines(
    column: str, section: Section, key: tuple[str, ...], group: Group
) -> Iterator[str]:
    """Yields a table with a row for each value of a column of moves."""
    choices = group.choices.get(column, {})
    names = list(dict.fromkeys(name for choice in choices.values() for name in choice.columns))
    where = f", {_name(key)}" if section.keys else ""
    titles = [f"{column}{where}", "times a game", *(name.replace("_", " ") for name in names), WON]
    rows = [
        [
            value,
            _text(group.times(choice), ""),
            *(_text(choice.columns[name], "") if name in choice.columns else "" for name in names),
            _text(choice.won, WON),
        ]
        for value, choice in sorted(choices.items())
    ]
    yield from text_table([titles, *rows])


def _text(mean: Mean, name: str) -> str:
    """Returns "12.3 ± 0.4", or a share with its interval: "53.0% (50.1 to 55.9)"."""
    share = name == WON
    found = mean.interval(share)
    if found is None:
        return ""
    if not share:
        return found.with_margin(2)
    if found.low is None or found.high is None:
        return found.text()
    return f"{found.mean:.1%} ({100 * found.low:.1f} to {100 * found.high:.1f})"


def _groups(section: Section) -> list[tuple[tuple[str, ...], Group]]:
    return sorted(section.groups.items())


def _name(key: tuple[str, ...]) -> str:
    names = [name if len(name) <= _LONGEST else f"{name[: _LONGEST - 3]}..." for name in key]
    return ", ".join(names) or "all"


def as_json(report: Report) -> dict[str, Json]:
    """Returns a report as a JSON object (docs/records.md)."""
    return {
        "game": report.spec.name,
        "edition": report.edition,
        "edition_hash": report.edition_hash,
        "num_players": report.num_players,
        "games": report.games.total(),
        "deals": len(report.games),
        "fair_share": 1 / report.num_players,
        "notes": notes(report),
        "sections": [
            {
                "by": list(section.keys),
                "groups": [
                    {"key": dict(zip(section.keys, key, strict=True)), **_group_json(group, report)}
                    for key, group in _groups(section)
                ],
            }
            for section in report.sections
        ],
    }


def _group_json(group: Group, report: Report) -> dict[str, Json]:
    return {
        "seats": group.seats.total(),
        "deals": len(group.seats),
        "means": {name: _json(mean.interval(name == WON)) for name, mean in group.means.items()},
        "choices": {
            column: {
                value: {
                    "times": _json(group.times(choice).interval()),
                    WON: _json(choice.won.interval(share=True)),
                }
                | {name: _json(mean.interval()) for name, mean in choice.columns.items()}
                for value, choice in sorted(group.choices[column].items())
            }
            for column in report.columns
        },
    }


def _json(found: Estimate | None) -> dict[str, float | None] | None:
    return None if found is None else {"mean": found.mean, "low": found.low, "high": found.high}


_BIAS = (
    "Only finished games are in records. If a run was stopped early, long games are missing; if it "
    "stopped once it was decided, its shares lean towards the winner (docs/records.md)."
)


@dataclass(frozen=True)
class StatsOptions:
    """Sums up recorded games: legal actions, lengths, win shares and points by source.

    With 95 % intervals over deals. Records are not verified; `gonzaga replay` does that.

    Examples:
        gonzaga stats games.jsonl
        gonzaga stats runs/first --by scenario seat --json stats.json
    """

    path: tyro.conf.Positional[Path]
    """A file of records, or a folder with such files (*.jsonl)."""
    by: tuple[str, ...] = ()
    """Divides by scenario, seat or agent, or counts what moves chose, such as plan."""
    json: Path | None = None
    """Writes the statistics to a file, as JSON."""


def main(arguments: Sequence[str]) -> int:
    """Prints statistics, writes what was asked for, and returns the exit code, 0."""
    options = parse(StatsOptions, arguments, "gonzaga stats")
    if options.json is not None:
        check_writable(options.json, record_files(options.path))  # now, before all are read
    skipped = Skipped()
    reports = sum_up(read_games(options.path, skipped), options.by or None)
    width = shutil.get_terminal_size().columns
    notes = [*_skipped_notes(skipped), _BIAS]
    lines = [line for report in reports for line in (*report_lines(report, width), "")]
    lines += [f"note: {note}" for note in notes]
    if options.json is not None:
        content = {"notes": notes, "reports": [as_json(report) for report in reports]}
        write_aside(options.json, json.dumps(content, indent=1) + "\n")
        lines.append(f"wrote {options.json}")
    print(*lines, sep="\n")
    return 0


def _skipped_notes(skipped: Skipped) -> list[str]:
    notes = [
        f"{printable(str(file))}: its last line is incomplete and left out"
        for file in skipped.truncated
    ]
    notes += [f"{printable(str(file))} holds no records" for file in skipped.others]
    if skipped.repeated:
        notes.append(f"{skipped.repeated:,} records occur more than once and count once")
    return notes
