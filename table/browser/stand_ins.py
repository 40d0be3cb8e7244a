"""Stands in for what browsers lack: threads, SQLite and TLS.

`install` runs before anything of the table is imported. Work meant for a thread runs immediately,
in the only thread; the page has its own thread, so it stays responsive.
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

    anyio.to_thread.run_sync = run_sync  # type: ignore[assignment]


class _Tls(ModuleType):
    """The names of the module `ssl` that anyio mentions: classes that are never instantiated."""

    def __getattr__(self, name: str) -> type[Exception]:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception,), {})


def sqlite_module(open_database: Callable[[], database.Database]) -> ModuleType:
    """Returns the module `sqlite3`, which opens the page's database whatever file is named."""
    module: Any = ModuleType("sqlite3")
    module.Error = module.DatabaseError = module.OperationalError = database.OperationalError
    module.Connection, module.Cursor = database.Connection, database.Cursor
    module.connect = lambda *args, **options: database.Connection(open_database())
    return module
