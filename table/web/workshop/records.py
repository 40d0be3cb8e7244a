"""Files of records: which games a text holds, and one of them move by move.

It runs in the server's second process (`process`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.records import Record
from gonzaga_env.core.view.story import frames
from gonzaga_env.render.palette import Theme
from gonzaga_env.tabletop.bounded import parse_json
from gonzaga_env.tabletop.errors import RecordError

from ..answers import as_json, frame_json
from ..board import board_address
from ..requests import MalformedError, integer, shown

MAX_TEXT = 4 * 1024 * 1024  # bytes of a file of records
MAX_GAMES = 500  # lines that are listed


def read_records(asked: dict[str, Any], editions: Mapping[str, Edition], theme: Theme) -> str:
    """Lists the games of a text, or returns one of them, as JSON.

    Args:
        asked: `text`, and perhaps `game`: the number of the game that is wanted.
        editions: the editions on offer, by id.
        theme: the colours of the pieces.

    Raises:
        MalformedError: the request is wrong.
        RecordError: the line is not a record, or contradicts the rules.
    """
    text = asked.get("text")
    if not isinstance(text, str):
        raise MalformedError(f"text is {shown(text)}; it takes the lines of a file of records")
    lines = list(_lines(text))
    if "game" not in asked:
        return as_json({"games": [_summary(*line) for line in lines]})
    game = integer(asked, "game")
    if not 1 <= game <= len(lines):
        raise MalformedError(f"game is {game}; the text has 1 to {len(lines)}")
    return _told(_parse(lines[game - 1][1]), editions, theme)


def _told(record: Record, editions: Mapping[str, Edition], theme: Theme) -> str:
    """Returns a game move by move, as JSON."""
    name, edition = _edition(record, editions)
    try:
        told = list(frames(record, edition))
    except (OverflowError, RecursionError) as error:
        raise RecordError(f"the record holds an impossible value: {error}") from error
    view = told[-1].view
    head = {
        "edition": name,
        "board": board_address(name, edition, view.scenario),
        "seats": [{"seat": p.seat, "kind": "agent", "name": p.name} for p in view.players],
        "scores": record["scores"],
        "winners": record["winners"],
    }
    texts = ",".join(frame_json(edition, frame, theme) for frame in told)
    return f'{as_json(head)[:-1]},"frames":[{texts}]}}'


def _edition(record: Record, editions: Mapping[str, Edition]) -> tuple[str, Edition]:
    """Returns the edition of a record among those on offer; no folder is looked up."""
    for name, edition in editions.items():
        if edition.digest == record.get("edition_hash"):
            return name, edition
    raise RecordError(
        f"the record's edition {shown(record.get('edition'))} is not on offer; start the "
        "server with --edition"
    )


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yields number and text of the first lines that are not empty."""
    found = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and found < MAX_GAMES:
            found += 1
            yield number, line


def _parse(line: str) -> Record:
    try:
        record = parse_json(line)
    except ValueError as error:
        raise RecordError(f"the line {error}") from error
    if not isinstance(record, dict):
        raise RecordError("a record is a JSON object")
    return record


def _summary(number: int, line: str) -> dict[str, Any]:
    """Returns what the list says of a game; its moves are checked when it is opened."""
    try:
        record = _parse(line)
        players = zip(record["agents"], record["scores"]["total"], strict=True)
        scores = ", ".join(f"{name} {score}" for name, score in players)
        title = f"{record['scenario']}, {record['num_players']} players: {scores}"
    except RecordError as error:
        return {"line": number, "title": f"line {number}", "error": str(error)}
    except (KeyError, TypeError, ValueError) as error:
        why = f"the line is not a record: {error!r}"
        return {"line": number, "title": f"line {number}", "error": why}
    return {"line": number, "title": title[:200], "error": None}
