"""Finished games: records from tables and files, their positions and analysis, and playing on.

The functions that read records run in a thread. They take what a request asks, or its body, and the
editions on offer by id.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gonzaga_agents.analysis.analysis import BLUNDER, MISTAKE, record_digest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gonzaga_env.games import game_spec, named_game, record_frames, record_spec
from gonzaga_env.kernel.bounded import Json, parse_json
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.records import MAX_LINE, Record
from gonzaga_env.kernel.view import Frame, View, distinct_names
from gonzaga_env.render.games import game_pictures
from gonzaga_env.show.page import drawn_game, page

from ..session import GameSession, SeatPlayer, SessionError, agent_seat
from .analysis import CURVE, Analyses, AnalysisRequest, Finding, identity_of
from .positions import ByteCache
from .protocol import (
    RequestError,
    as_json,
    as_object,
    integer,
    json_answer,
    query_number,
    read_body,
    read_object,
    text_of,
)
from .rooms import Rooms
from .routes import opened_answer

MAX_AGENTS = 2  # whose opinions are shown side by side
_CACHED_BYTES = 16 << 20  # of compressed drawings, and as many of analyses
_KNOWN = 1024  # games whose heads are kept, each some hundred bytes
_DRAWN_SECONDS = 3600  # that a browser keeps them; the address changes with the record
_MAX_VERSION = 1e9


MAX_TEXT = 256 * 1024  # bytes of a request with records; Python parses it without a pause
MAX_GAMES = 500  # lines that are listed


class _Head(NamedTuple):
    """The cached summary of a record."""

    digest: str  # of the record
    edition: str  # the digest of its edition
    num_players: int  # P
    num_moves: int  # its moves


class GameRoutes:
    """The routes of finished games. A game's id is that of its table, or the digest of a record."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._turn = asyncio.Lock()  # files of records are read one at a time
        self.analyses = Analyses(rooms.archive, in_processes=rooms.roster.in_processes)
        self._drawn, self._analysed = ByteCache(_CACHED_BYTES), ByteCache(_CACHED_BYTES)
        self._heads: dict[Hashable, _Head] = {}  # the most recently asked last
        self.routes = [
            Route("/api/records", self.read, methods=["POST"]),
            Route("/api/games", self.add, methods=["POST"]),
            Route("/api/games/{id}", self.look),
            Route("/api/games/{id}/drawn", self.drawn),
            Route("/api/games/{id}/record", self.record),
            Route("/api/games/{id}/analysis", self.analysis),
            Route("/api/games/{id}/tables", self.play_on, methods=["POST"]),
        ]

    async def read(self, request: Request) -> Response:
        """Lists the games of a file of records, or shows one of them."""
        body = await read_body(request, MAX_TEXT)
        async with self._turn:
            return json_answer(await asyncio.to_thread(read_records, body, self._rooms.editions))

    async def add(self, request: Request) -> Response:
        """Verifies a record and keeps it; answers its id."""
        body = await read_body(request, MAX_TEXT)
        async with self._turn:
            digest, line = await asyncio.to_thread(check_record, body, self._rooms.editions)
        self._rooms.archive.add(digest, line)
        return json_answer(as_json({"id": digest}), 201)

    async def look(self, request: Request) -> Response:
        """Says what game it is, and who can analyse it."""
        head, _ = await self._find(request)
        digest, edition = head.digest, self._rooms.edition_of(head.edition)
        id = request.path_params["id"]  # noqa: A001
        content = {
            "id": id,
            "digest": digest,
            "table": None if id == digest else id,
            "game": edition.game,
            "edition": self._rooms.edition_id(edition),
            "moves": head.num_moves,
            "agents": self._rooms.roster.names_for(edition.game),
            "grades": {"mistake": MISTAKE, "blunder": BLUNDER},
        }
        return json_answer(as_json(content))

    async def record(self, request: Request) -> Response:
        head, line = await self._find(request)
        headers = {"Content-Disposition": f'attachment; filename="game-{head.digest}.jsonl"'}
        return Response(line + "\n", media_type="application/x-ndjson", headers=headers)

    async def drawn(self, request: Request) -> Response:
        """Sends all positions, drawn; the browser keeps them."""
        head, line = await self._find(request)
        if (kept := self._drawn.get(head.digest)) is None:
            async with self._turn:
                drawn = await asyncio.to_thread(draw_record, line, self._rooms.editions)
            kept = await asyncio.to_thread(gzip.compress, drawn.encode(), 6)
            self._drawn.add(head.digest, kept)
        headers = {"Cache-Control": f"private, max-age={_DRAWN_SECONDS}"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return json_answer(gzip.decompress(kept), headers=headers)
        headers["Content-Encoding"] = "gzip"
        return json_answer(kept, headers=headers)

    async def analysis(self, request: Request) -> Response:
        """Sends what is known of the curve and of agents' opinions; more of it is computed."""
        head, line = await self._find(request)
        names = list(dict.fromkeys(request.query_params.getlist("agent")))
        if len(names) > MAX_AGENTS:
            raise RequestError(f"there are {len(names)} agents; it takes {MAX_AGENTS} at most")
        agents = [self._rooms.roster.check(name) for name in names]
        edition = self._rooms.edition_of(head.edition)
        asked = [
            AnalysisRequest(head.digest, line, who, edition, identity_of(who))
            for who in (CURVE, *agents)
        ]
        found = [self.analyses.find(one) for one in asked]
        have = int(query_number(request, "have", 0, _MAX_VERSION))
        content = {
            "version": sum(one.version for one in found),
            "done": all(one.done for one in found),
            "progress": [_progress(*one) for one in zip(names, found[1:], strict=True)],
            "curve": _progress(CURVE, found[0]),
        }
        answer = as_json(content).encode()
        if content["version"] != have:
            answer = answer[:-1] + b"," + self._content(asked, found)[1:]
        return json_answer(answer)

    def _content(self, asked: Sequence[AnalysisRequest], found: Sequence[Finding]) -> bytes:
        """Returns all that is known of analyses of a game; it is made once for all who ask."""
        versions = (
            (request.identity, one.version, one.progress)
            for request, one in zip(asked, found, strict=True)
        )
        key = asked[0].digest, *versions
        if (kept := self._analysed.get(key)) is None:
            curve, *opinions = map(self.analyses.content, asked, found)
            chances = {"decisions": curve.get("decisions", []), "chances": curve.get("rows", [])}
            kept = as_json(chances | {"opinions": opinions}).encode()
            self._analysed.add(key, kept)
        return kept

    async def play_on(self, request: Request) -> Response:
        """Opens a table that begins with the first moves of a game; one seat is the client's."""
        asked = await read_object(request)
        head, line = await self._find(request)
        seat, move = integer(asked, "seat"), integer(asked, "move")
        if not 0 <= move < head.num_moves:
            raise RequestError(f"move is {move}; play can continue from 0 to {head.num_moves - 1}")
        seats, edition = self._seats(asked, seat, head.num_players), head.edition
        table = await asyncio.to_thread(
            GameSession.from_record, json.loads(line), move, seats, self._rooms.edition_of(edition)
        )
        room, tokens = await self._rooms.create(table)
        return opened_answer(room, tokens)

    def _seats(self, asked: dict[str, Json], seat: int, num_players: int) -> list[SeatPlayer]:
        agents = asked.get("agents")
        if not isinstance(agents, list) or len(agents) != num_players:
            raise RequestError(f"agents are {short_repr(agents)}; they take {num_players} names")
        if not 0 <= seat < num_players:
            raise RequestError(f"seat is {seat}; valid: 0 to {num_players - 1}")
        name = asked.get("name", "")
        return [
            self._rooms.roster.person(name)
            if i == seat
            else agent_seat(self._rooms.roster.check(agent))
            for i, agent in enumerate(agents)
        ]

    async def _find(self, request: Request) -> tuple[_Head, str]:
        id = request.path_params["id"]  # noqa: A001
        if (line := self._rooms.archive.record(id)) is not None:
            return self._head(id, line), line
        room = self._rooms.get(id)
        if not room.session.over:
            raise SessionError("the game is not over; its record would reveal what is secret")
        line = (await self._rooms.frame_cache.record(room)).decode().rstrip("\n")
        return self._head(room.serial, line), line

    def _head(self, key: Hashable, line: str) -> _Head:
        if (head := self._heads.pop(key, None)) is None:
            record = json.loads(line)
            digest, edition = record_digest(record), record["edition_hash"]
            head = _Head(digest, edition, int(record["num_players"]), len(record["moves"]))
        self._heads[key] = head
        if len(self._heads) > _KNOWN:
            del self._heads[next(iter(self._heads))]
        return head

    def close(self) -> None:
        self.analyses.close()


def _progress(agent: str, finding: Finding) -> dict[str, Json]:
    return {
        "agent": agent,
        "done": finding.done,
        "progress": round(finding.progress, 3),
        "problem": finding.problem,
    }


def check_record(body: bytes, editions: Mapping[str, EditionBase]) -> tuple[str, str]:
    """Returns digest and line of the first record of a body's `text`, which is verified."""
    record = _parse(next((line for _, line in _lines(_text(as_object(body)))), ""))
    _frames(record, editions)
    line = json.dumps(record, ensure_ascii=False)
    if len(line.encode()) > MAX_LINE:
        raise RecordError(f"the record is longer than {MAX_LINE:,} bytes")
    return record_digest(record), line


def draw_record(line: str, editions: Mapping[str, EditionBase]) -> str:
    """Returns the positions of a verified record, drawn, with their lines, as JSON."""
    record = _parse(line)
    frames, edition = _frames(record, editions), edition_of(record, editions)
    drawn = drawn_game(edition, frames)
    for drawing, frame in zip(drawn["frames"], frames, strict=True):
        phase = frame.view.decision if hasattr(frame.view, "stage") else None
        drawing |= {"lines": frame.lines, "phase": phase}
    return as_json(drawn | _end(record, frames[-1].view))


def _end(record: Record, view: View) -> dict[str, Json]:
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
        "panels": not game_pictures(game_of(record)).shows_players,
    }


def game_of(record: Record) -> str:
    return named_game(record)


def _frames(record: Record, editions: Mapping[str, EditionBase]) -> list[Frame]:
    try:
        return list(record_frames(record, edition_of(record, editions)))
    except (OverflowError, RecursionError) as error:
        raise RecordError(f"the record holds an impossible value: {error}") from error


def _text(asked: dict[str, Json]) -> str:
    return text_of(asked, "text", "the lines of a file of records")


def read_records(body: bytes, editions: Mapping[str, EditionBase]) -> str:
    """Lists the games of a text, or verifies one of them and returns its page; returns JSON.

    It is asked for by `text`, and perhaps `game`: the number of the game that is wanted.
    """
    asked = as_object(body)
    lines = list(_lines(_text(asked)))
    if "game" not in asked:
        return as_json({"games": [_summary(*line) for line in lines]})
    game = integer(asked, "game")
    if not 1 <= game <= len(lines):
        raise RequestError(f"game is {game}; the text has 1 to {len(lines)}")
    record = _parse(lines[game - 1][1])
    frames = _frames(record, editions)
    return as_json({"page": page(edition_of(record, editions), frames, _title(record))})


def edition_of(record: Record, editions: Mapping[str, EditionBase]) -> EditionBase:
    """Returns the edition of a record among those on offer; no folder is looked up."""
    for edition in editions.values():
        if edition.digest == record.get("edition_hash"):
            return edition
    raise RecordError(
        f"the record's edition {short_repr(record.get('edition'))} is not on offer; start the "
        "server with --edition"
    )


def _lines(text: str) -> Iterator[tuple[int, str]]:
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


def _summary(number: int, line: str) -> dict[str, Json]:
    """Returns what the list says of a game; its moves are checked when it is opened."""
    try:
        record = _parse(line)
        spec, agents = record_spec(record), record["agents"]
        if not isinstance(agents, list) or len(agents) not in spec.players:
            raise RecordError(f"agents: {spec.title} takes a list of one name a player")
        title = spec.title
        named = "" if "scenario" in record else f"{title}, "
        return {"line": number, "title": named + _title(record), "error": None}
    except RecordError as error:
        why = str(error)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        why = f"the line is not a record: {error!r}"
    return {"line": number, "title": f"line {number}", "error": why}


def _title(record: Record) -> str:
    """Returns what a game is called: its scenario if it has one, players and their scores."""
    players = zip(distinct_names(record["agents"]), record["scores"]["total"], strict=True)
    scores = ", ".join(f"{name} {score}" for name, score in players)
    scenario = f"{record['scenario']}, " if "scenario" in record else ""
    return f"{scenario}{record['num_players']} players: {scores}"[:200]
