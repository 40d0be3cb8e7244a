"""The whole table in one thread and one process, as a browser runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import Executor, wait
from pathlib import Path
from typing import Any

import pytest
from gonzaga_table.browser.serving import Server
from gonzaga_table.browser.stand_ins import DirectExecutor, DirectWorker
from gonzaga_table.web.analysis.process import AnalysisFailure, AnalysisRequest
from gonzaga_table.web.analysis.process import serve as serve_analyses
from gonzaga_table.web.workshop.process import Job, serve

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
        "draft": 200,
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
    import asyncio

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
    import asyncio

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


def test_work_for_a_process_is_done_here() -> None:
    worker = DirectWorker(serve, {}, name="the process", memory=1)
    assert worker.receive(60.0) == "ready"
    assert worker.ask(Job("new", b'{"rows": 6, "columns": 6}', "application/json")).status == 200
    assert worker.ask(Job("new", b"[", "application/json")).status == 400
    analyses = DirectWorker(serve_analyses, {})
    assert isinstance(analyses.ask(AnalysisRequest("a", "{}", "")), AnalysisFailure)
    worker.stop()
    assert not worker.is_alive
