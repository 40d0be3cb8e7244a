"""Stands in for what browsers lack: threads, processes, SQLite and TLS.

`install` runs before anything of the table is imported. Work meant for a thread or process runs
immediately, in the only thread; the page has its own thread, so it stays responsive.
"""

from __future__ import annotations

import concurrent.futures
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from types import ModuleType
from typing import Any

from . import database


class DirectExecutor(Executor):
    """Runs each function as it is submitted."""

    def __init__(self, *args: object, **options: object) -> None:
        """Takes the arguments of `ThreadPoolExecutor`, which mean nothing here."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Returns a future that is done."""
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except BaseException as error:  # the caller gets it from the future
            done.set_exception(error)
        return done


class DirectWorker:
    """Answers messages as a worker process does (see `gonzaga_agents.common.processes.Worker`).

    A worker's function answers in an endless loop, so the function that makes each answer is taken
    from its module: see `_answerer`.
    """

    def __init__(self, serve: Callable[..., None], *arguments: Any, **limits: Any) -> None:
        """Takes a worker's function and its arguments; limits mean nothing here."""
        self._answer = _answerer(serve, *arguments)
        self.is_alive = True

    def receive(self, seconds: float | None = None) -> Any:
        """Returns the message by which a worker says that it runs."""
        return "ready"

    def ask(self, message: Any, seconds: float | None = None) -> Any:
        """Returns the answer to a message."""
        return self._answer(message)

    def stop(self) -> None:
        """Ends it."""
        self.is_alive = False


def _answerer(serve: Callable[..., None], editions: Any) -> Callable[[Any], Any]:
    """Returns what answers one message as a worker's function does."""
    module = sys.modules[serve.__module__]
    if hasattr(module, "Analyst"):  # web.analysis.process
        return module.Analyst(editions).ask
    return lambda job: module.answer(job, editions)  # web.workshop.process


async def run_sync(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Runs a function here instead of in a thread (see `anyio.to_thread.run_sync`)."""
    return function(*args)


def install(open_database: Callable[[], database.Database]) -> None:
    """Puts the stand-ins in place."""
    sys.modules["sqlite3"] = sqlite_module(open_database)
    with suppress(ImportError):
        import ssl  # noqa: F401  # some versions of Pyodide have it
    sys.modules.setdefault("ssl", _Tls("ssl"))
    concurrent.futures.ThreadPoolExecutor = DirectExecutor  # type: ignore[assignment,misc]
    import anyio.to_thread
    import gonzaga_agents.common.processes as processes

    anyio.to_thread.run_sync = run_sync  # type: ignore[assignment]
    vars(processes)["Worker"] = DirectWorker


class _Tls(ModuleType):
    """The names of the module `ssl` that anyio mentions: classes that are never instantiated."""

    def __getattr__(self, name: str) -> type[Exception]:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception,), {})


def sqlite_module(open_database: Callable[[], database.Database]) -> ModuleType:
    """Returns the module `sqlite3`, which opens the page's database whatever file is named."""
    module: Any = ModuleType("sqlite3")
    for error in (database.Error, database.DatabaseError, database.OperationalError):
        setattr(module, error.__name__, error)
    module.Connection, module.Cursor = database.Connection, database.Cursor
    module.connect = lambda *args, **options: database.Connection(open_database())
    return module
