"""Files of records: which games a text holds, and how one of them went.

Each function takes what a request asks, or its body, and the editions on offer by id.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from gonzaga_agents.analysis.analysis import record_digest

from gonzaga_env.games import DEFAULT_GAME, game_spec, record_frames
from gonzaga_env.kernel.bounded import parse_json
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.records import MAX_LINE, Record
from gonzaga_env.kernel.view import Frame, told_apart
from gonzaga_env.render.games import game_pictures
from gonzaga_env.show.page import drawn_game, page

from .requests import RequestError, as_object, integer, shown, text_of
from .values import as_json

MAX_TEXT = 256 * 1024  # bytes of a request with records; Python parses it without a pause
MAX_GAMES = 500  # lines that are listed


def check_record(body: bytes, editions: Mapping[str, Any]) -> tuple[str, str]:
    """Verifies the first record of a body's `text`; returns its digest, and the record as one line.

    Raises:
        RequestError: the request is wrong.
        RecordError: the line is not a record, or contradicts the rules.
    """
    record = _parse(next((line for _, line in _lines(_text(as_object(body)))), ""))
    _frames(record, editions)
    line = json.dumps(record, ensure_ascii=False)
    if len(line.encode()) > MAX_LINE:
        raise RecordError(f"the record is longer than {MAX_LINE:,} bytes")
    return record_digest(record), line


def draw_record(line: str, editions: Mapping[str, Any]) -> str:
    """Returns the positions of a verified record, drawn, with their lines, as JSON."""
    record = _parse(line)
    frames, edition = _frames(record, editions), edition_of(record, editions)
    drawn = drawn_game(edition, frames)
    for frame, told in zip(drawn["frames"], frames, strict=True):
        phase = told.view.decision if hasattr(told.view, "stage") else None
        frame |= {"lines": told.lines, "phase": phase}
    return as_json(drawn | _end(record, frames[-1].view))


def _end(record: Record, view: Any) -> dict[str, Any]:
    """Returns who played, and how the game ended."""
    players = [
        {name: getattr(player, name) for name in ("seat", "name", "score", "won")}
        for player in view.players
    ]
    return {
        "game": game_of(record),
        "title": game_spec(game_of(record)).title,
        "scenario": record.get("scenario"),
        "players": players,
        "seats": [move["seat"] for move in record["moves"]],
        "panels": game_pictures(game_of(record)).blocks is None,  # else the board shows players
    }


def game_of(record: Record) -> str:
    """Returns which game a record is of."""
    return str(record.get("game", DEFAULT_GAME))


def _frames(record: Record, editions: Mapping[str, Any]) -> list[Frame]:
    """Returns the positions of a record, which is verified."""
    try:
        return list(record_frames(record, edition_of(record, editions)))
    except (OverflowError, RecursionError) as error:
        raise RecordError(f"the record holds an impossible value: {error}") from error


def _text(asked: dict[str, Any]) -> str:
    return text_of(asked, "text", "the lines of a file of records")


def read_records(body: bytes, editions: Mapping[str, Any]) -> str:
    """Lists the games of a text, or verifies one of them and returns its page; returns JSON.

    It is asked for by `text`, and perhaps `game`: the number of the game that is wanted.

    Raises:
        RequestError: the request is wrong.
        RecordError: the line is not a record, or contradicts the rules.
    """
    asked = as_object(body)
    lines = list(_lines(_text(asked)))
    if "game" not in asked:
        return as_json({"games": [_summary(*line) for line in lines]})
    game = integer(asked, "game")
    if not 1 <= game <= len(lines):
        raise RequestError(f"game is {game}; the text has 1 to {len(lines)}")
    return as_json({"page": _page(_parse(lines[game - 1][1]), editions)})


def _page(record: Record, editions: Mapping[str, Any]) -> str:
    """Returns the page of a game, as `show --out` writes it."""
    return page(edition_of(record, editions), _frames(record, editions), _title(record))


def edition_of(record: Record, editions: Mapping[str, Any]) -> Any:
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
        spec, agents = game_spec(record.get("game", DEFAULT_GAME)), record["agents"]
        if not isinstance(agents, list) or len(agents) not in spec.players:
            raise RecordError(f"agents: {spec.title} takes a list of one name a player")
        title = spec.title
        named = "" if "scenario" in record else f"{title}, "
        return {"line": number, "title": named + _title(record), "error": None}
    except RecordError as error:
        why = str(error)
    except (KeyError, TypeError, ValueError) as error:
        why = f"the line is not a record: {error!r}"
    return {"line": number, "title": f"line {number}", "error": why}


def _title(record: Record) -> str:
    """Returns what a game is called: its scenario if it has one, players and their scores."""
    players = zip(told_apart(record["agents"]), record["scores"]["total"], strict=True)
    scores = ", ".join(f"{name} {score}" for name, score in players)
    scenario = f"{record['scenario']}, " if "scenario" in record else ""
    return f"{scenario}{record['num_players']} players: {scores}"[:200]
