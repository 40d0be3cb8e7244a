"""The queue for the server's second process: one job at a time, clients in turn."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from time import monotonic
from typing import Any
from weakref import WeakValueDictionary

from gonzaga_agents.common.processes import WorkerError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from gonzaga_env.tabletop.bounded import MIB

from ...session import GameSession, SeatPlayer
from ..apart import ProcessApart
from ..clients.limits import Clients, Rate, Share
from ..clients.refusals import log_refusal
from ..editor.handlers import MAX_BODY
from ..editor.handlers import TASKS as EDITOR_TASKS
from ..requests import MalformedError, TooLargeError, announced_length, client_of, read_body
from ..values import as_json, json_answer
from .process import BEGIN, Job, Reply, serve
from .records import MAX_TEXT

MEMORY = 1024 * MIB  # of the process: its address space
JOB_SECONDS = 60.0  # of one job; its processor time is shorter (`process.LONG_SECONDS`)
IDLE_SECONDS = 60.0  # after which the process ends
KEEP, GENERATE = "keep", "generate"  # tasks whose answers the server keeps (`editor.playing`)
_WAITING, _WAITING_EACH = 24, 6  # jobs in all, and of one client
_WORK_RATE, _WORK_BURST = 0.25, 60.0  # seconds of work a second of one client, and saved up
_LOGGER = logging.getLogger("gonzaga_table.web")


class Workshop:
    """Runs jobs in a process that starts when it is needed and ends when it is idle.

    A job that takes too much time or memory ends the process; the next job starts a new one.

    Attributes:
        routes: those of the editor and of records.
    """

    def __init__(self, editions: Mapping[str, Any], clients: Clients) -> None:
        self._clients = clients
        self._waiting = Share(_WAITING, _WAITING_EACH, "maps and records")
        self._work = Rate(_WORK_RATE, _WORK_BURST)
        self._thread = ThreadPoolExecutor(1, "workshop")
        self._process = ProcessApart(
            serve, dict(editions), name="the process for maps and records", memory=MEMORY
        )
        self._idle: asyncio.TimerHandle | None = None
        # A client's job waits for its previous one before it queues for the process.
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._turn = asyncio.Lock()
        self.routes = [
            Route("/api/records", self._endpoint("records", MAX_TEXT), methods=["POST"]),
            Route("/api/editor/look", self._endpoint("look", 0)),
            *(
                Route(f"/api/editor/{task}", self._endpoint(task, MAX_BODY), methods=["POST"])
                for task in EDITOR_TASKS
                if task not in ("look", KEEP, GENERATE)
            ),
        ]

    def _endpoint(self, task: str, most: int) -> Callable[[Request], Awaitable[Response]]:
        """Returns an endpoint that runs a task on a body of at most `most` bytes."""

        async def endpoint(request: Request) -> Response:
            reply = await self.reply(request, task, most)
            return json_answer(reply.content, reply.status)

        return endpoint

    async def reply(self, request: Request, task: str, most: int) -> Reply:
        """Runs a task on the body of a request, of at most `most` bytes (errors as `ask`)."""
        client = client_of(request)
        length = min(announced_length(request, most), most)
        with self._clients.bodies.held(client, length):
            body = await read_body(request, most) if request.method == "POST" else b"{}"
            kind = request.headers.get("content-type", "")
            return await self.ask(request, client, Job(task, body, kind))

    async def ask(self, request: Request, client: str, job: Job) -> Reply:
        """Returns the answer to a job.

        Raises:
            LimitError: too many wait, or the client has used up its share of the work.
            TooLargeError: it took too much time or memory.
            WorkerError: the process cannot be started.
        """
        with self._waiting.held(client):
            turn = self._turns.setdefault(client, asyncio.Lock())
            async with turn, self._turn:
                if await request.is_disconnected():
                    return Reply(400, b"")  # the client has left
                self._work.check(client, "too much work for this address; try again later")
                reply = await self._timed(client, job)
        if reply.status >= 500:
            _LOGGER.error("%s: %s", job.task, reply.reason)
        elif reply.reason is not None:
            log_refusal(client, reply.status, reply.reason)
        return reply

    async def begin(
        self,
        request: Request,
        line: str,
        num_moves: int,
        seats: Sequence[SeatPlayer],
        edition: Any,
        *,
        is_sent: bool = False,
    ) -> GameSession:
        """Returns a table that begins with the first moves of a record, which are played apart.

        Raises:
            MalformedError: the record contradicts the rules.
            ClientDisconnect: the client has left.
            GameError: as for `ask`.
        """
        asked = {"text": line, "moves": num_moves, "seats": [asdict(seat) for seat in seats]}
        job = Job(BEGIN, as_json(asked).encode(), "", edition if is_sent else None)
        reply = await self.ask(request, client_of(request), job)
        if reply.status == 200:
            return GameSession.unpacked(reply.content, edition)
        if reply.reason is None:
            raise ClientDisconnect
        raise (WorkerError if reply.status >= 500 else MalformedError)(reply.reason)

    async def _timed(self, client: str, job: Job) -> Reply:
        """Runs a job, and charges its seconds to the client."""
        loop, began = asyncio.get_running_loop(), monotonic()
        if self._idle is not None:
            self._idle.cancel()
        try:
            return await loop.run_in_executor(self._thread, self._do, job)
        finally:
            self._work.spend(client, monotonic() - began)
            self._idle = loop.call_later(IDLE_SECONDS, self._thread.submit, self._process.close)

    def _do(self, job: Job) -> Reply:
        """Runs a job, in the only thread that talks to the process."""
        try:
            reply: Reply = self._process.ask(job, JOB_SECONDS)
        except WorkerError as error:
            raise TooLargeError("this took too much time or memory, and was ended") from error
        return reply

    def close(self) -> None:
        """Ends the process."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._idle is not None:
            self._idle.cancel()
        self._process.close()
