"""Clients that send slowly, too much, or leave; connections beyond the limit of descriptors (F5).

On 0.6.0 half a header or body stays open for ever, and too many connections write tracebacks.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="the limits of processes are those of Unix")

from tests.agents.play.web.served import DEADLINE, Served, read_all, request, serving, status

LIMITS = {
    "header_seconds": 0.5,
    "body_seconds": 0.5,
    "answer_seconds": 1.0,
    "connections_each": 30,
    "refusal_seconds": 0.0,
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("server"), limits=LIMITS) as started:
        yield started


@pytest.mark.parametrize(
    "sent",
    [
        b"G",
        b"GET /rules HTTP/1.1\r\nHost: localhost\r\nX-Half",
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n{",
        b"POST /api/records HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1",
    ],
)
def test_requests_that_never_end_are_cut_off(served: Served, sent: bytes) -> None:
    assert status(served.send(sent)) == 408
    assert "127.0.0.1 408 the " in served.log()


def test_the_next_request_of_a_connection_is_timed_too(served: Served) -> None:
    whole = b"GET /api/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with served.connect() as connection:
        connection.sendall(whole + whole[:20])
        assert b"408 Request Timeout" in read_all(connection)


def test_silent_connections_are_closed_without_a_word(served: Served) -> None:
    assert served.send(b"") == b""


def test_whoever_does_not_read_is_cut_off(served: Served) -> None:
    with served.connect() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(1)
        ask = b"GET /api/board?edition=europe HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with suppress(OSError):  # the server stops reading, too
            connection.sendall(ask * 300)
        served.wait_for_log("408 the answer is read too slowly")
    assert served.get("/rules") == 200


def test_bodies_announced_as_too_long_are_refused_unread(served: Served) -> None:
    head = "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n"
    for path, length in (
        ("/api/tables", 20_000),
        ("/api/records", 5 << 20),
        ("/api/editor/check", 2 << 20),
    ):
        with served.connect() as connection:
            connection.sendall(head.format(path, length).encode())
            assert b"413" in connection.recv(4096)


def test_clients_that_leave_in_mid_body_leave_no_traceback(served: Served) -> None:
    """F9; `serving` looks for tracebacks at the end."""
    for path in ("/api/tables", "/api/records", "/api/editor/open"):
        with served.connect() as connection:
            connection.sendall(request("POST", path, body=b"x" * 10_000)[:-9_000])
    assert served.get("/rules") == 200


def test_what_is_no_http_leaves_no_traceback(served: Served) -> None:
    assert status(served.send(b"\x1b[31mrubbish\r\n\r\n")) == 400
    with served.connect() as connection:  # refused before its body is found to be wrong
        chunks = "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"
        connection.sendall(f"POST /api/none HTTP/1.1\r\nHost: localhost\r\n{chunks}".encode())
        assert b"404" in connection.recv(4096)
        connection.sendall(b"rubbish\r\n")
        read_all(connection)
    assert "\x1b" not in served.log()


def test_half_a_character_in_a_record_is_a_fault_of_its_line(served: Served) -> None:
    """F9: 500 and a traceback on 0.6.0."""
    record = {"agents": ["\ud800", "b"], "scores": {"total": [1, 2]}, "num_players": 2}
    body = json.dumps({"text": json.dumps({**record, "scenario": "Colombo"})}).encode()
    answer = served.send(request("POST", "/api/records", body=body))
    assert status(answer) == 200
    assert b"half a character" in answer
    assert status(served.send(request("POST", "/api/records", body=b'{"text": "\\ud800"}'))) == 400


def test_a_client_has_a_share_of_the_connections(served: Served) -> None:
    with ExitStack() as stack:
        for _ in range(40):
            connection = stack.enter_context(served.connect())
            connection.sendall(b"G")
        served.wait_for_log("429 too many connections of this address")
    served.wait_for_log("408")


def test_connections_stay_below_the_descriptors(tmp_path: Path) -> None:
    """80 connections at 40 descriptors: on 0.6.0 26,562 tracebacks in seconds."""
    with serving(tmp_path, bounds={"RLIMIT_NOFILE": 40}) as served:
        with ExitStack() as stack:
            open_ones = [stack.enter_context(served.connect()) for _ in range(80)]
            answers = []
            for connection in open_ones:
                try:
                    connection.sendall(b"GET /rules HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    answers.append(connection.recv(12))
                except ConnectionError:
                    answers.append(b"")
            assert 4 <= answers.count(b"HTTP/1.1 200") < 40
            assert answers.count(b"HTTP/1.1 200") + answers.count(b"") == 80
        until = time.monotonic() + DEADLINE
        while served.get("/rules") != 200:  # the others' ends are still to be noticed
            assert time.monotonic() < until
        assert "429 too many connections" in served.log()


def test_too_few_descriptors_are_named(tmp_path: Path) -> None:
    with (
        pytest.raises(AssertionError, match=r"open files are too few; raise the limit"),
        serving(tmp_path, bounds={"RLIMIT_NOFILE": 24}),
    ):
        pass


def test_hostile_maps_neither_fill_the_memory_nor_stop_the_pages(tmp_path: Path) -> None:
    """F1: on 0.6.0 the first request takes 11.7 GB, and the others block the pages."""
    long, short = (json.dumps({"files": {"board.toml": "a." * n + "a=1"}}) for n in (60_000, 3_500))
    with serving(tmp_path, bounds={"RLIMIT_AS": 3 << 30}) as served, ExitStack() as stack:
        for text in [long, *[short] * 40]:
            connection = stack.enter_context(served.connect())
            connection.sendall(request("POST", "/api/editor/open", body=text.encode()))
            if text is long:
                assert 400 <= status(read_all(connection)) < 500
        assert served.get("/rules") == 200
        assert served.get("/static/icon.svg") == 200
