"""Files of records: which games a text holds, and the page of one of them.

It runs in the server's second process (`process`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gonzaga_env.games import DEFAULT_GAME, game_spec, record_frames
from gonzaga_env.show.page import page
from gonzaga_env.tabletop.bounded import parse_json
from gonzaga_env.tabletop.errors import RecordError
from gonzaga_env.tabletop.records import Record

from ..requests import MalformedError, integer, shown
from ..values import as_json

MAX_TEXT = 4 * 1024 * 1024  # bytes of a file of records
MAX_GAMES = 500  # lines that are listed


def read_records(asked: dict[str, Any], editions: Mapping[str, Any]) -> str:
    """Lists the games of a text, or verifies one of them and returns its page; returns JSON.

    Args:
        asked: `text`, and perhaps `game`: the number of the game that is wanted.
        editions: the editions on offer, by id.

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
    return as_json({"page": _page(_parse(lines[game - 1][1]), editions)})


def _page(record: Record, editions: Mapping[str, Any]) -> str:
    """Returns the page of a game, as `show --html` writes it."""
    edition = _edition(record, editions)
    try:
        frames = record_frames(record, edition)
        return page(edition, list(frames), _title(record))
    except (OverflowError, RecursionError) as error:
        raise RecordError(f"the record holds an impossible value: {error}") from error


def _edition(record: Record, editions: Mapping[str, Any]) -> Any:
    """Returns the edition of a record among those on offer; no folder is looked up."""
    for edition in editions.values():
        if edition.digest == record.get("edition_hash"):
            return edition
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
        title = game_spec(record.get("game", DEFAULT_GAME)).title
        named = "" if "scenario" in record else f"{title}, "
        return {"line": number, "title": named + _title(record), "error": None}
    except RecordError as error:
        why = str(error)
    except (KeyError, TypeError, ValueError) as error:
        why = f"the line is not a record: {error!r}"
    return {"line": number, "title": f"line {number}", "error": why}


def _title(record: Record) -> str:
    """Returns what a game is called: its scenario if it has one, players and their scores."""
    players = zip(record["agents"], record["scores"]["total"], strict=True)
    scores = ", ".join(f"{name} {score}" for name, score in players)
    scenario = f"{record['scenario']}, " if "scenario" in record else ""
    return f"{scenario}{record['num_players']} players: {scores}"[:200]
