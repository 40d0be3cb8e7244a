"""The whole table in one thread and one process, as a browser runs it."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, wait
from contextlib import closing
from pathlib import Path
from typing import Any

import gonzaga_table.web.app
import pytest
from gonzaga_table.browser.serving import Server, below, is_text
from gonzaga_table.browser.stand_ins import (
    Connection,
    DirectExecutor,
    OperationalError,
    sqlite_module,
)
from gonzaga_table.web import store
from gonzaga_table.web.store import Store, StoreError

from tests.table.browser.one_page import Database

PAGE = Path(__file__).with_name("one_page.py")


class Heard:
    """Keeps an answer."""

    def __init__(self) -> None:
        self.status, self.headers, self.content, self.ended = 0, "", list[bytes](), False

    def start(self, status: int, headers: str) -> None:
        self.status, self.headers = status, headers

    def send(self, content: bytes) -> None:
        self.content.append(content)

    def end(self) -> None:
        self.ended = True


def test_a_person_plays_against_an_agent_without_threads_and_processes() -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", str(PAGE)], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "lobby": 200,
        "address": True,
        "table": 201,
        "events": [True, True],
        "moved": [200, 200],
        "hint": 200,
        "threads": 1,
    }


async def _late(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    assert (await receive())["body"] == b"asked"
    assert (await receive())["type"] == "http.disconnect"
    await send({"type": "http.response.body", "body": b"too late"})


async def _broken(scope: Any, receive: Any, send: Any) -> None:
    raise KeyError("a bug")


@pytest.mark.parametrize("app", [_late, _broken])
def test_answers_end_whatever_happens(app) -> None:
    async def ask() -> Heard:
        server, heard = Server("/at/7", app), Heard()
        asking = asyncio.ensure_future(server.answer(1, "GET", "/", "[]", b"asked", heard))
        await asyncio.sleep(0)
        server.leave(1)
        server.leave(2)  # which nobody has asked
        await asyncio.wait([asking])
        asking.exception()
        return heard

    heard = asyncio.run(ask())
    assert heard.ended
    assert heard.content == []


def test_parts_of_a_page_are_joined_before_addresses_move() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        kind = [(b"content-type", scope["path"][1:].encode()), (b"content-length", b"9")]
        await send({"type": "http.response.start", "status": 200, "headers": kind})
        for part in (b'"/sta', b"tic/", b"\xc3", b'\xa4"'):
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    def ask(kind: str) -> Heard:
        heard = Heard()
        asyncio.run(Server("/at/7", app).answer(1, "GET", f"/{kind}", "[]", b"", heard))
        return heard

    page, picture = ask("text/html"), ask("image/png")
    assert page.content == ['"/at/7/static/ä"'.encode()]
    assert json.loads(page.headers) == [["content-type", "text/html"]]
    assert b"".join(picture.content) == '"/static/ä"'.encode()


def test_work_for_a_thread_is_done_at_once() -> None:
    executor: Executor = DirectExecutor(1, "name")
    done = executor.submit(divmod, 7, 2)
    assert wait([done], timeout=0).done == {done}
    assert done.result() == (3, 1)
    with pytest.raises(ZeroDivisionError):
        executor.submit(divmod, 1, 0).result()


# Tables in SQLite as browsers have it, against Python's own module


@pytest.fixture
def tables(monkeypatch) -> Iterator[Store]:
    monkeypatch.setattr(store, "sqlite3", sqlite_module(Database))
    with closing(Store(":memory:")) as opened:
        yield opened


def test_tables_are_kept_and_dropped(tables) -> None:
    tables.add("a", {"table": {"name": "Mantova"}}, 10.0)
    tables.add_moves("a", 0, [(0, 7), (1, 8)], {1: 3}, 12.0, over=True)
    found = tables.load("a")
    assert found["table"] == {"name": "Mantova"}
    assert found["moves"] == [[0, 7], [1, 8]]
    assert found["pending"] == [[1, 3]]
    assert found["used"] == 12
    assert tables.count() == 1
    assert tables.dispensable(12.0, 1.0, 1.0, 1.0) == "a"  # its game is over
    tables.drop("a")
    assert tables.load("a") is None
    tables.close()


def test_a_transaction_that_fails_leaves_nothing(tables) -> None:
    tables.add("a", {}, 10.0)

    def add_two() -> None:
        with tables.transaction():
            tables.add("b", {}, 10.0)
            tables.add("a", {}, 10.0)

    with pytest.raises(StoreError, match="UNIQUE"):
        add_two()
    assert tables.count() == 1
    with tables.transaction(), tables.transaction():
        tables.add("b", {}, 10.0)
    assert tables.count() == 2


def test_a_cursor_gives_rows_once() -> None:
    with closing(Connection(Database())) as connection:
        connection.execute("CREATE TABLE numbers (value INTEGER)")
        connection.executemany("INSERT INTO numbers VALUES (?)", [(1,), (2,), (3,)])
        found = connection.execute("SELECT value FROM numbers")
        assert found.fetchone() == (1,)
        assert list(found) == [(2,), (3,)]
        assert found.fetchone() is None
        assert found.fetchall() == []
        with pytest.raises(OperationalError, match="syntax"):
            connection.execute("SELEC 1")


# Addresses below a path


STATIC = Path(gonzaga_table.web.app.__file__).parent / "static"
# Texts that look like addresses and are none: a separator, and the end of a regular expression.
NOT_ADDRESSES = (r'\.(split|join)\("/"\)', r'replaceAll\("[+/]", "."\)')


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ('<a href="/">', '<a href="/at/7/">'),
        ('<script src="/static/a.js">', '<script src="/at/7/static/a.js">'),
        ("location.assign(`/table/${id}`)", "location.assign(`/at/7/table/${id}`)"),
        ("`${location.origin}/table/${id}`", "`${location.origin}/at/7/table/${id}`"),
        ("location.assign(`/?${query}`)", "location.assign(`/at/7/?${query}`)"),
        ('replaceState(form, "", "/")', 'replaceState(form, "", "/at/7/")'),
        ('{"board": "/api/board?edition=a"}', '{"board": "/at/7/api/board?edition=a"}'),
        ("url(/static/font.woff2)", "url(/at/7/static/font.woff2)"),
        ('path.split("/").at(-1)', 'path.split("/").at(-1)'),
        ('import "../table/api.js"', 'import "../table/api.js"'),
        ("https://example.org/table/x", "https://example.org/table/x"),
    ],
)
def test_addresses_move_below_a_path(text, moved) -> None:
    assert below("/at/7", text.encode()).decode() == moved


def test_no_address_of_the_tables_files_is_missed() -> None:
    files = [path for path in STATIC.rglob("*") if path.suffix in (".js", ".html", ".css")]
    assert len(files) > 100
    for path in files:
        if "vendor" not in path.parts:
            moved = below("/at/7", path.read_bytes()).decode()
            for known in NOT_ADDRESSES:
                moved = re.sub(known, "", moved)
            left = re.findall(r"""["'`(]/(?!at/7/)(?:["'`?]|[a-z]+[/"'`?#$]).*""", moved)
            assert left == [], path


def test_pictures_and_fonts_are_no_texts() -> None:
    assert is_text("text/html; charset=utf-8")
    assert is_text("application/json")
    assert not is_text("image/png")
    assert not is_text("")
