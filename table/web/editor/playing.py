"""Plays on maps directly from the editor, and on new ones."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..games import edition_json
from ..requests import MalformedError, client_of, shown
from ..rooms.rooms import Rooms
from ..values import as_json, json_answer
from ..workshop.queue import GENERATE, KEEP, Workshop
from .handlers import MAX_BODY


class Playing:
    """The routes by which a map is kept, and looked up for a new game.

    | request | body | answer |
    |---|---|---|
    | POST /api/editor/keep | `model` | the edition as /api/options lists it |
    | POST /api/editor/generate | | the same of a new map, which is made and kept |
    | GET /api/edition?id= | | the same of any edition |
    """

    def __init__(self, rooms: Rooms, workshop: Workshop) -> None:
        self._rooms, self._workshop = rooms, workshop
        self.routes = [
            Route("/api/editor/keep", self.keep, methods=["POST"]),
            Route("/api/editor/generate", self.generate, methods=["POST"]),
            Route("/api/edition", self.look),
        ]

    async def keep(self, request: Request) -> Response:
        """Checks a map apart, and keeps it if it can be played on."""
        return await self._keep(request, KEEP)

    async def generate(self, request: Request) -> Response:
        """Makes a new map apart, and keeps it."""
        return await self._keep(request, GENERATE)

    async def _keep(self, request: Request, task: str) -> Response:
        """Keeps the map that a task answers with."""
        reply = await self._workshop.reply(request, task, MAX_BODY)
        if reply.status != 200:
            return json_answer(reply.content, reply.status)
        found = json.loads(reply.content)
        kept = self._rooms.keep_edition(found["model"], client_of(request), found.get("id"))
        return self._answer(kept)

    async def look(self, request: Request) -> Response:
        """Says what a table on an edition may be opened with."""
        asked = request.query_params.get("id", "")
        if asked not in self._rooms.editions:
            raise MalformedError(f"id is {shown(asked)}; there is no such edition, or no more")
        return self._answer(asked)

    def _answer(self, id: str) -> Response:  # noqa: A002
        return json_answer(as_json(edition_json(id, self._rooms.editions[id])))
