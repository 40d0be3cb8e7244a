"""Starts the server in Pyodide; only there can this be imported."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Sequence
from typing import Any

from pyodide.ffi import to_js  # type: ignore[import-not-found]

from .stand_ins import install


class _Database:
    """A database of sql.js (see `stand_ins.Database`)."""

    def __init__(self, opened: Any) -> None:
        self._opened = opened

    def all(self, statement: str, values: Sequence[Any]) -> list[list[Any]]:
        rows = self._opened.all(statement, to_js(values)).to_py()
        return [[bytes(v) if isinstance(v, memoryview) else v for v in row] for row in rows]

    def script(self, statements: str) -> None:
        self._opened.script(statements)

    def close(self) -> None:
        self._opened.close()


class _Answer:
    """Sends an answer to a script's object of three functions."""

    def __init__(self, answer: Any) -> None:
        self.start, self.end, self._send = answer.start, answer.end, answer.send

    def send(self, content: bytes) -> None:
        self._send(to_js(content))


class Door:
    """The interface for the page's worker."""

    def __init__(self, path: str, open_database: Any) -> None:
        install(lambda: _Database(open_database()))
        from .serving import Server  # imports the modules that the stand-ins replace

        self._server, self._tasks = Server(path), set[asyncio.Task[None]]()

    def ask(
        self, number: int, method: str, target: str, headers: str, body: Any, answer: Any
    ) -> None:
        """Begins to answer a request (see `Server.answer`)."""
        answering = self._server.answer(
            number, method, target, headers, body.to_bytes(), _Answer(answer)
        )
        task = asyncio.ensure_future(answering)
        self._tasks.add(task)  # the event loop keeps no reference
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            traceback.print_exception(error)  # the browser's console shows it

    def leave(self, number: int) -> None:
        """See `Server.leave`."""
        self._server.leave(number)
