"""Rates, shares, and the log of what is refused; the budget of bodies that are not over (F5)."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from gonzaga_table.web import guard
from gonzaga_table.web.clients.limits import (
    LIMITS,
    MAX_CLIENTS,
    Clients,
    LimitError,
    Limits,
    Rate,
    Share,
)
from gonzaga_table.web.clients.protocol import bounded_protocol
from gonzaga_table.web.clients.refusals import LINES_AT_ONCE, MAX_LINE, BoundedHandler, log_refusal
from gonzaga_table.web.requests import client_key
from gonzaga_table.web.workshop import process, queue
from gonzaga_table.web.workshop.queue import Workshop
from starlette.applications import Starlette
from starlette.testclient import TestClient
from uvicorn import Config
from uvicorn.server import ServerState

from gonzaga_env.tabletop.errors import GameError
from tests.table.web.asking import scope_of, soon
from tests.table.web.conftest import BASE, Clock


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("testclient", "unknown"),
        ("", "unknown"),
    ],
)
def test_clients_are_addresses_or_networks(host, key) -> None:
    assert client_key(host) == key


def test_a_rate_comes_back_with_time(clock) -> None:
    rate = Rate(2.0, 3.0, clock)
    for _ in range(3):
        assert rate.wait("a") == 0
        rate.spend("a", 1)
    assert rate.wait("a") > 0
    assert rate.wait("b") == 0  # another's is its own
    clock.now += 0.5
    assert rate.wait("a") == 0
    rate.spend("a", 10)  # debts are paid first
    assert rate.wait("a") == pytest.approx(4.5)
    clock.now += 1000
    rate.spend("a", 3)  # no more is saved up than that
    assert rate.wait("a") > 0


def test_rates_forget_whom_they_have_not_seen_for_longest(clock) -> None:
    rate = Rate(1.0, 1.0, clock)
    for number in range(MAX_CLIENTS + 10):
        rate.spend(str(number), 1)
    assert len(rate._left) == MAX_CLIENTS
    assert rate.wait("0") == 0
    assert rate.wait("10") > 0


def test_shares_are_bounded_in_all_and_for_each() -> None:
    share = Share(5, 3, "things")
    with share.held("a", 3):
        with pytest.raises(LimitError, match="too many things of this address at once"):
            share.take("a")
        with share.held("b", 2), pytest.raises(LimitError, match="too many things at once"):
            share.take("c")
        share.take("c")
        share.give_back("c")
    assert not share._used


@pytest.fixture
def log(clock, capsys) -> Iterator[BoundedHandler]:
    handler = BoundedHandler("gonzaga-play", clock)
    logger = logging.getLogger("gonzaga_table.web")
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)


def test_refusals_are_lines_of_bounded_number_and_length(log, clock, capsys) -> None:
    log_refusal("192.0.2.7", 403, "no\x1b[31m\u202ename" + "x" * 1000 + "\nsecond line")
    line = capsys.readouterr().err
    assert line.startswith("gonzaga-play: 192.0.2.7 403 no\\x1b[31m\\u202ename")
    assert line.endswith("...\n")
    assert line.isascii()
    assert len(line) < MAX_LINE + 40
    for _ in range(1000):
        log_refusal("192.0.2.7", 429, "too many requests")
    assert len(capsys.readouterr().err.splitlines()) == LINES_AT_ONCE - 1
    log.tell_dropped()
    assert capsys.readouterr().err == ""  # no room for that either
    clock.now += 1
    log.tell_dropped()
    assert capsys.readouterr().err == "gonzaga-play: ... and 981 more\n"


def asked(app: Any, path: str = "/rules", **more: Any) -> Any:
    return TestClient(app, base_url=BASE).get(path, **more)


async def hello(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


def guarded(clock: Clock, **limits: float) -> guard.Guard:
    changed = replace(LIMITS, refusal_seconds=0.0, **limits)
    return guard.Guard(hello, "127.0.0.1", clients=Clients(changed, clock))


def test_requests_over_the_rate_are_refused_until_later(clock) -> None:
    app = guarded(clock, request_rate=0.5, request_burst=3.0)
    assert [asked(app).status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    answer = asked(app)
    assert answer.headers["retry-after"] == "2"
    assert answer.json()["error"]["code"] == "too_many"
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    clock.now += 2
    assert [asked(app).status_code for _ in range(2)] == [200, 429]


def test_bytes_of_answers_are_counted(clock) -> None:
    app = guarded(clock, byte_rate=1.0, byte_burst=9.0)
    assert [asked(app).status_code for _ in range(3)] == [200, 200, 429]
    clock.now += 200  # the refusal's bytes, too
    assert asked(app).status_code == 200


def test_thirty_people_behind_one_address_stay_within_the_limits() -> None:
    """Each opens a page of fifty files at once, then moves, looks and waits every two seconds."""
    assert LIMITS.request_burst + LIMITS.request_rate >= 30 * 40
    assert LIMITS.request_rate > 30 * 3 / 2
    assert LIMITS.byte_rate > 30 * 3 * 50_000 / 2
    assert min(LIMITS.connections_each, LIMITS.requests_each) >= 30 * 6


# The second process


class _Transport(asyncio.Transport):
    """A connection whose client reads as the test says."""

    unsent, is_aborted, is_closed = 0, False, False

    def write(self, data: Any) -> None:
        pass

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def abort(self) -> None:
        self.is_aborted = True


@pytest.mark.parametrize(("bytes_a_second", "is_cut_off"), [(0, True), (50, True), (150, False)])
def test_long_answers_may_be_read_slowly_but_not_too_slowly(bytes_a_second, is_cut_off) -> None:
    config = Config(Starlette(), log_config=None)

    async def read_for_a_minute() -> bool:
        limits, transport = Limits(answer_seconds=10.0, body_rate=100), _Transport()
        protocol = bounded_protocol(limits)(config, ServerState(), {})
        protocol.connection_made(transport)
        start = protocol.loop.time()
        protocol._awaited = None  # an answer is under way
        for second in range(60):
            transport.unsent = 9000 - bytes_a_second * second
            protocol.check(start + second)
        return transport.is_aborted

    assert asyncio.run(read_for_a_minute()) == is_cut_off


def test_a_silent_stream_is_not_cut_off() -> None:
    """It is no idle connection, nor is there anything that its client ought to read."""

    async def stream(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b":\n\n", "more_body": True})
        await asyncio.Event().wait()

    async def listen_for_an_hour() -> bool:
        config = Config(stream, log_config=None, interface="asgi3")
        config.load()
        transport, state = _Transport(), ServerState()
        protocol = bounded_protocol(LIMITS)(config, state, {})
        protocol.connection_made(transport)
        protocol.data_received(b"GET /api/tables/x/events HTTP/1.1\r\nHost: x\r\n\r\n")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert protocol.answering
        for second in range(0, 3600, 10):
            protocol.check(protocol.loop.time() + second)
        for task in state.tasks:
            task.cancel()
        return transport.is_aborted or transport.is_closed

    assert not asyncio.run(listen_for_an_hour())


def workshop(**limits: Any) -> Workshop:
    return Workshop({}, Clients(replace(LIMITS, **limits)))


def site(shop: Workshop) -> Starlette:
    return Starlette(routes=shop.routes, exception_handlers={GameError: guard.on_error})


async def post(app: Any, path: str, client: str, *parts: bytes) -> tuple[int, asyncio.Task[None]]:
    """Sends the parts of a body that goes on; returns the status, 0 while there is none."""
    started: list[int] = []
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]

    async def receive() -> Any:
        if messages:
            return messages.pop(0)
        return await asyncio.Event().wait()

    async def send(message: Any) -> None:
        started.append(message.get("status", 0))

    task = asyncio.create_task(app(scope_of("POST", path, client), receive, send))
    await soon()
    return (started or [0])[0], task


@pytest.mark.anyio
async def test_unfinished_bodies_count_until_they_end() -> None:
    """F5: 150 unfinished bodies of 4 MB were 897 MB."""
    app = site(workshop(bodies=20 << 20, bodies_each=9 << 20))
    first = [await post(app, "/api/records", "192.0.2.7", b"{") for _ in range(4)]
    assert [status for status, _ in first] == [0, 0, 429, 429]
    others = [await post(app, "/api/records", "192.0.2.8", b"{") for _ in range(2)]
    assert [status for status, _ in others] == [0, 0]
    third = await post(app, "/api/records", "192.0.2.9", b"{")
    assert (await post(app, "/api/records", "192.0.2.9", b"{"))[0] == 429  # the total's
    waiting = [task for _, task in (*first, *others, third)]
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    again, task = await post(app, "/api/records", "192.0.2.9", b"{")
    assert again == 0
    task.cancel()


def test_chunked_bodies_count_as_the_longest_that_is_read() -> None:
    app = site(workshop(bodies_each=1000))
    answer = TestClient(app).post("/api/records", content=b"x" * 2000)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")


@pytest.mark.anyio
async def test_few_jobs_of_a_client_wait() -> None:
    shop = workshop()
    async with shop._turn:  # somebody else's job is being done
        body = b'{"rows": 3, "columns": 3}'
        tasks = [
            asyncio.create_task(shop.ask(_Request(), "192.0.2.7", process.Job("new", body, "")))
            for _ in range(9)
        ]
        done, waiting = await asyncio.wait(tasks, timeout=0.1)
        assert len(waiting) == queue._WAITING_EACH
        for task in done:
            with pytest.raises(LimitError, match="too many maps and records of this address"):
                task.result()
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


class _Request:
    async def is_disconnected(self) -> bool:
        return False


def hostile(channel: Any, editions: Any) -> None:
    """Serves jobs that take too much of everything."""

    def take_memory(asked: Any) -> str:
        process.CPU_SECONDS = 0  # of the next job, and the second that is begun
        return bytes(4 << 30).decode()

    process.lower_priority = lambda steps: None  # or it waits for other work
    process.EDITOR_TASKS["new"] = take_memory
    process.EDITOR_TASKS["check"] = lambda asked: [None for _ in iter(int, 1)]
    process.EDITOR_TASKS["save"] = lambda asked: 1 // 0
    process.serve(channel, editions)


def test_jobs_that_take_too_much_end_and_others_go_on(monkeypatch) -> None:
    """F1: on 0.6.0 they take the memory and the time of the server itself."""
    monkeypatch.setattr(queue, "serve", hostile)
    shop = workshop()
    client = TestClient(site(shop))
    for name, status, text in (
        ("new", 413, "more memory than there is for it"),
        ("check", 413, "took too much time or memory"),
        ("save", 500, "the server failed"),
        ("shipped", 200, "Europe"),
    ):
        answer = client.post(f"/api/editor/{name}", json={"name": "europe"})
        assert (answer.status_code, text in answer.text) == (status, True), answer.text
    shop.close()
