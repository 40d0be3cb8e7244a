"""Hosts, origins and headers."""

import asyncio
from typing import Any

import pytest
from gonzaga_table.web import app
from gonzaga_table.web.guard import Guard
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.table.web.asking import scope_of
from tests.table.web.conftest import BASE, error_of


def site(host: str, *names: str) -> Guard:
    async def hello(request: Request) -> PlainTextResponse:
        return PlainTextResponse("hello")

    return Guard(Starlette(routes=[Route("/", hello, methods=["GET", "POST"])]), host, names)


def status(guard: Guard, host: str, **headers: str) -> int:
    client = TestClient(guard, base_url="http://127.0.0.1")
    return client.get("/", headers={"Host": host, **headers}).status_code


HERE = "localhost:8000"
FOREIGN = ("evil.example", "localhost.evil.example", "192.168.1.5", "", "127.0.0.1.nip.io", "a b")
NO_ADDRESSES = (
    *("[", "[::1", "]", "a[b]", "a@localhost", "localhost/x?y#z", "localhost:99999999"),
    *("localhost:", "localhost:x", "l" * 256, "[" + ":" * 46 + "]"),
)
NO_ORIGINS = ("http://[", "http://[::1", "[", "http://localhost:x")


@pytest.mark.parametrize(
    ("served", "hosts", "origins", "statuses"),
    [
        ("127.0.0.1", ("localhost", HERE, "127.0.0.1:1", "[::1]:8000"), (), {200}),
        # A foreign name that points at this machine is how pages elsewhere would read it.
        ("127.0.0.1", FOREIGN, (), {403}),
        ("0.0.0.0", NO_ADDRESSES, (), {400, 403}),  # F9: 500 and a traceback on 0.6.0
        ("127.0.0.1", ("localhost",), NO_ORIGINS, {403}),
        ("0.0.0.0", ("192.168.1.5:8000", "[fe80::1]:8000", "table.local", "localhost"), (), {200}),
        ("0.0.0.0", ("evil.example",), (), {403}),
        ("0.0.0.0", ("TABLE.LOCAL:80",), ("http://table.local:80",), {200}),
        ("127.0.0.1", (HERE,), ("http://localhost:8000",), {200}),
        ("127.0.0.1", (HERE,), ("http://evil.example", "null", "http://localhost:9000"), {403}),
    ],
)
def test_hosts_and_origins_are_this_machines_or_given(served, hosts, origins, statuses) -> None:
    guard = site(served, "Table.local")
    for host in hosts:
        for headers in [{"Origin": origin} for origin in origins] or [{}]:
            assert status(guard, host, **headers) in statuses, (host, headers)


@pytest.fixture
def paths(server) -> list[str]:
    table, _ = server.open()
    return [
        "/api/options",
        f"/api/tables/{table}",
        "/api/nothing",
        "/static/favicon.svg",
        "/rules",
        "/record",
    ]


def test_every_answer_has_security_headers(server, paths) -> None:
    for path in paths:
        headers = server.client.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "script-src" not in headers["content-security-policy"]  # 'self' alone
        assert headers["x-content-type-options"] == "nosniff"
        if path.startswith("/api/"):
            assert headers["cache-control"] == "no-store"


def test_failures_have_them_too(server, monkeypatch) -> None:
    monkeypatch.setattr(app, "theme_in", lambda request: 1 // 0)
    client = TestClient(server.client.app, base_url=BASE, raise_server_exceptions=False)
    answer = client.get("/api/board?edition=europe")
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "failed"
    assert "default-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.anyio
async def test_requests_that_the_end_of_the_server_cancels_are_answered() -> None:
    """Otherwise the server's last words are a traceback."""
    sent: list[Any] = []

    async def never(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    scope = scope_of("GET", "/", [(b"host", b"localhost")])
    task = asyncio.create_task(Guard(never, "127.0.0.1")(scope, never, send))
    await asyncio.sleep(0)
    task.cancel()
    await task
    assert sent[0]["status"] == 503


def test_addresses_are_exact(server) -> None:
    """A redirect would repeat the header Host."""
    for path in ("/rules/", "/api/options/", "/static"):
        answer = server.client.get(path, follow_redirects=False)
        assert answer.status_code == 404
        assert "location" not in answer.headers


def test_pages_are_served_and_nothing_beside_them(server) -> None:
    for path in ("/", "/table/abc", "/record", "/rules", "/learn", "/puzzle/league"):
        answer = server.client.get(path)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/html")
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/nowhere"):
        assert server.client.get(path).status_code == 404


def test_an_unknown_address_is_a_page_for_browsers_alone(server) -> None:
    for path in ("/nowhere", "/tables/x", "/api/nothing", "/static/nothing.js"):
        answer = server.client.get(path, headers={"Accept": "text/html,*/*;q=0.8"})
        assert answer.status_code == 404
        assert answer.headers["content-type"].startswith("text/html")
        assert "There is no such page" in answer.text
        assert "script-src" not in answer.headers["content-security-policy"]
        answer = server.client.get(path)
        assert error_of(answer) == (404, "not_found")


def test_a_server_without_a_password_is_not_opened_by_a_proxy() -> None:
    assert status(site("127.0.0.1"), HERE, **{"X-Forwarded-For": "203.0.113.9"}) == 403
