"""The routes of finished games: positions, analysis, and playing on from one of them."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any

from gonzaga_agents.analysis.analysis import BLUNDER, MISTAKE, record_digest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...session import Seat, SessionError, agent_seat, human
from ..requests import (
    MalformedError,
    client_of,
    integer,
    query_number,
    read_object,
    shown,
)
from ..rooms.frames import ByteCache
from ..rooms.rooms import Rooms, UnknownTableError
from ..rooms.store import TooManyError
from ..values import as_json
from ..workshop.process import Job, Reply
from ..workshop.queue import Workshop
from ..workshop.records import MAX_TEXT
from .analyses import Analyses, Finding
from .process import CURVE, Step

MAX_AGENTS = 2  # whose opinions are shown side by side
_CACHED_BYTES = 16 << 20  # of compressed drawings
_DRAWN_SECONDS = 3600  # that a browser keeps them; the address changes with the record
_MAX_VERSION = 1e9


class GameRoutes:
    """The routes of finished games. A game's id is that of its table, or the digest of a record."""

    def __init__(self, rooms: Rooms, workshop: Workshop) -> None:
        """Takes the tables, and where records are verified and drawn."""
        self._rooms, self._workshop = rooms, workshop
        self.analyses = Analyses(rooms.archive, rooms.editions, apart=rooms.roster.apart)
        self._drawn = ByteCache(_CACHED_BYTES)
        self.routes = [
            Route("/api/games", self.add, methods=["POST"]),
            Route("/api/games/{id}", self.look),
            Route("/api/games/{id}/drawn", self.drawn),
            Route("/api/games/{id}/record", self.record),
            Route("/api/games/{id}/analysis", self.analysis),
            Route("/api/games/{id}/tables", self.play_on, methods=["POST"]),
        ]

    async def add(self, request: Request) -> Response:
        """Verifies a record and keeps it; answers its id."""
        reply = await self._workshop.reply(request, "verify", MAX_TEXT)
        if reply.status != 200:
            return _passed(reply)
        found = json.loads(reply.content)
        if (
            why := self._rooms.archive.add(found["id"], found["line"], client_of(request))
        ) is not None:
            raise TooManyError(why)
        return _json(as_json({"id": found["id"]}), 201)

    async def look(self, request: Request) -> Response:
        """Says what game it is, and who can analyse it."""
        digest, line = await self._find(request)
        record = json.loads(line)
        edition = self._edition(record)
        id = request.path_params["id"]  # noqa: A001
        content = {
            "id": id,
            "digest": digest,
            "table": None if id == digest else id,
            "game": edition.game,
            "edition": self._rooms.id_of(edition),
            "moves": len(record["moves"]),
            "agents": self._rooms.roster.names_for(edition.game),
            "grades": {"mistake": MISTAKE, "blunder": BLUNDER},
        }
        return _json(as_json(content))

    async def record(self, request: Request) -> Response:
        """Sends the record."""
        digest, line = await self._find(request)
        headers = {"Content-Disposition": f'attachment; filename="game-{digest}.jsonl"'}
        return Response(line + "\n", media_type="application/x-ndjson", headers=headers)

    async def drawn(self, request: Request) -> Response:
        """Sends all positions, drawn; the browser keeps them."""
        digest, line = await self._find(request)
        if (kept := self._drawn.get(digest)) is None:
            job = Job("draw", as_json({"text": line}).encode(), "", self._sent(line))
            reply = await self._workshop.ask(request, client_of(request), job)
            if reply.status != 200:
                return _passed(reply)
            kept = await asyncio.to_thread(gzip.compress, reply.content, 6)
            self._drawn.add(digest, kept)
        headers = {"Cache-Control": f"private, max-age={_DRAWN_SECONDS}"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(gzip.decompress(kept), media_type="application/json", headers=headers)
        headers["Content-Encoding"] = "gzip"
        return Response(kept, media_type="application/json", headers=headers)

    async def analysis(self, request: Request) -> Response:
        """Sends what is known of the curve and of agents' opinions; more of it is computed."""
        digest, line = await self._find(request)
        names = list(dict.fromkeys(request.query_params.getlist("agent")))
        if len(names) > MAX_AGENTS:
            raise MalformedError(f"there are {len(names)} agents; it takes {MAX_AGENTS} at most")
        agents = [self._rooms.roster.check(name) for name in names]
        client = client_of(request)
        edition = self._sent(line)
        curve, *opinions = (
            self.analyses.find(Step(digest, line, who, edition), client) for who in (CURVE, *agents)
        )
        have = int(query_number(request, "have", 0, _MAX_VERSION))
        found = [curve, *opinions]
        content: dict[str, Any] = {
            "version": sum(one.version for one in found),
            "done": all(one.done for one in found),
            "progress": [_progress(who, one) for who, one in zip(names, opinions, strict=True)],
            "curve": _progress(CURVE, curve),
        }
        if content["version"] != have:
            content |= {"decisions": curve.content.get("decisions", [])}
            content |= {"chances": curve.content.get("rows", [])}
            content |= {"opinions": [one.content for one in opinions]}
        return _json(as_json(content))

    async def play_on(self, request: Request) -> Response:
        """Opens a table that begins with the first moves of a game; one seat is the client's."""
        asked = await read_object(request)
        self._rooms.check_share(client_of(request))
        _, line = await self._find(request)
        record = json.loads(line)
        edition = self._edition(record)
        seat, move = integer(asked, "seat"), integer(asked, "move")
        seats = self._seats(asked, seat, int(record["num_players"]))
        table = await self._workshop.begin(
            request,
            line,
            self._checked_move(record, move),
            seats,
            edition,
            is_sent=self._sent(line) is not None,
        )
        room, tokens = await self._rooms.create(
            table.config, seats, client_of(request), table=table
        )
        told = [{"seat": seat, "token": token} for seat, token in tokens.items()]
        return _json(as_json({"table": room.id, "seats": told}), 201)

    def _edition(self, record: dict[str, Any]) -> Any:
        """Returns the edition of a record.

        Raises:
            UnknownTableError: it is not on offer any more.
        """
        edition = self._rooms.editions.of_digest(record["edition_hash"])
        if edition is None:
            raise UnknownTableError("the game's edition is not on offer any more")
        return edition

    def _sent(self, line: str) -> Any:
        """Returns what other processes need of an edition: all of a map of the editor."""
        edition = self._edition(json.loads(line))
        offered = self._rooms.id_of(edition) in [*self._rooms.editions]
        return None if offered else edition

    def _checked_move(self, record: dict[str, Any], move: int) -> int:
        if not 0 <= move < len(record["moves"]):
            raise MalformedError(
                f"move is {move}; the game goes on from 0 to {len(record['moves']) - 1}"
            )
        return move

    def _seats(self, asked: dict[str, Any], seat: int, num_players: int) -> list[Seat]:
        """Returns who sits where: the client, and agents at the other seats."""
        agents = asked.get("agents")
        if not isinstance(agents, list) or len(agents) != num_players:
            raise MalformedError(f"agents are {shown(agents)}; they take {num_players} names")
        if not 0 <= seat < num_players:
            raise MalformedError(f"seat is {seat}; there are 0 to {num_players - 1}")
        name = asked.get("name", "")
        return [
            human(name) if i == seat else agent_seat(self._rooms.roster.check(agent))
            for i, agent in enumerate(agents)
        ]

    async def _find(self, request: Request) -> tuple[str, str]:
        """Returns digest and line of the record that an address names.

        Raises:
            UnknownTableError: there is no such game.
            SessionError: it is not over.
        """
        id = request.path_params["id"]  # noqa: A001
        if (line := self._rooms.archive.record(id)) is not None:
            return id, line
        room = self._rooms.get(id, client_of(request))
        if not room.session.over:
            raise SessionError("the game is not over; its record would reveal what is secret")
        line = (await self._rooms.frames.record(room)).decode().rstrip("\n")
        return record_digest(json.loads(line)), line

    def close(self) -> None:
        """Ends the process for analyses."""
        self.analyses.close()


def _progress(agent: str, finding: Finding) -> dict[str, Any]:
    return {
        "agent": agent,
        "done": finding.done,
        "progress": round(finding.progress, 3),
        "problem": finding.problem,
    }


def _passed(reply: Reply) -> Response:
    return Response(reply.content, reply.status, media_type="application/json")


def _json(text: str, status: int = 200) -> Response:
    return Response(text, status, media_type="application/json")
