"""A real server in a thread, and pages in Chromium."""

import socket
import threading
from collections.abc import Callable, Iterator
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from tests.table.web.driver import start_game, wait_for_turn

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SETTINGS = '{"speed": "at once", "coach": false, "quick": false}'


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of a server, whose deals are the same in every run."""
    uvicorn = pytest.importorskip("uvicorn", reason='needs uvicorn: pip install ".[web]"')
    pytest.importorskip("starlette", reason='needs starlette: pip install ".[web]"')
    from gonzaga_table import session
    from gonzaga_table.web.agents import Roster
    from gonzaga_table.web.app import find_editions, make_app
    from gonzaga_table.web.rooms import Rooms
    from gonzaga_table.web.server import _Server as Server
    from gonzaga_table.web.store import Store

    servers: list[Any] = []
    started = threading.Event()
    numbers = count(1)
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))

    def serve() -> None:
        rooms = Rooms(Store(":memory:"), Roster(()), find_editions([]))
        config = uvicorn.Config(make_app(rooms), log_level="error", ws="none")
        servers.append(Server(config, rooms))
        started.set()
        servers[0].run(sockets=[listening])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "secrets", SimpleNamespace(randbits=lambda bits: next(numbers)))
        thread = threading.Thread(target=serve)
        thread.start()
        started.wait()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        servers[0].should_exit = True
        thread.join()
    listening.close()


@pytest.fixture
def begin(site: str, open_page: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function that opens a page at a table of its own, at the first turn."""

    def begin_(*seats: str, **options: Any) -> Any:
        page = open_page(**options)
        start_game(page, site, ["you", *seats])
        wait_for_turn(page)
        return page

    return begin_


@pytest.fixture
def open_page(chromium) -> Iterator[Callable[..., Any]]:
    """Opens pages in contexts of their own; errors on them fail the test.

    A page shows moves at once and has no coach, unless `settings` says otherwise.
    """
    contexts, errors = [], []

    def open_(*, settings: str = SETTINGS, quiet: bool = False, **options: Any) -> Any:
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        context.set_default_timeout(60_000)
        keep = f"localStorage['gonzaga.settings'] ??= JSON.stringify({settings})"
        context.add_init_script(f"if (origin !== 'null') {keep}")  # a sandboxed frame has none
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        if not quiet:
            page.on("console", lambda said: said.type == "error" and errors.append(str(said.text)))
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not errors, errors
