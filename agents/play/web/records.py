"""The routes of records: which games a text holds, and one of them move by move."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gonzaga_env.core.edition import Edition
from gonzaga_env.core.errors import RecordError
from gonzaga_env.core.records import Record
from gonzaga_env.core.story import frames
from gonzaga_env.render.palette import Theme, theme_of

from .answers import as_json, frame_json
from .board import board_address
from .requests import MalformedError, integer, read_object, shown

MAX_TEXT = 4 * 1024 * 1024  # bytes of a file of records
MAX_GAMES = 500  # lines that are listed


class RecordRoutes:
    """The routes of records; games are replayed in a thread of their own, one at a time."""

    def __init__(self, editions: Mapping[str, Edition]) -> None:
        """Takes the editions on offer, by id."""
        self._editions = editions
        self._pool = ThreadPoolExecutor(1, "records")
        self.routes = [Route("/api/records", self.read, methods=["POST"])]

    async def read(self, request: Request) -> Response:
        """Lists the games of a text, or tells one of them."""
        asked = await read_object(request, MAX_TEXT)
        text = asked.get("text")
        if not isinstance(text, str):
            raise MalformedError(f"text is {shown(text)}; it takes the lines of a file of records")
        lines = list(_lines(text))
        if "game" not in asked:
            return _answer(as_json({"games": [_summary(*line) for line in lines]}))
        game = integer(asked, "game")
        if not 1 <= game <= len(lines):
            raise MalformedError(f"game is {game}; the text has 1 to {len(lines)}")
        theme = theme_of(request.query_params.get("theme", "light"))
        loop = asyncio.get_running_loop()
        return _answer(
            await loop.run_in_executor(self._pool, self._told, lines[game - 1][1], theme)
        )

    def _told(self, line: str, theme: Theme) -> str:
        """Returns a game move by move, as JSON.

        Raises:
            RecordError: the line is no record, or contradicts the rules.
        """
        record = _parse(line)
        name, edition = self._edition(record)
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

    def _edition(self, record: Record) -> tuple[str, Edition]:
        """Returns the edition of a record among those on offer; no folder is looked up."""
        for name, edition in self._editions.items():
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
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError("the line is not JSON") from error
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
        why = f"the line is no record: {error!r}"
        return {"line": number, "title": f"line {number}", "error": why}
    return {"line": number, "title": title[:200], "error": None}


def _answer(text: str) -> Response:
    return Response(text, media_type="application/json")
