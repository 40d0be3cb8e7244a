"""Clients that send slowly, too much, or leave; connections beyond the limit of descriptors (F5).

On 0.6.0 half a header or body stays open for ever, and too many connections write tracebacks.
"""

import json
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace

import pytest

pytest.importorskip("resource", reason="the limits of processes are those of Unix")

from gonzaga_table.web.clients.connections import room_for_connections
from gonzaga_table.web.clients.limits import LIMITS as USUAL_LIMITS
from gonzaga_table.web.command import listen

from gonzaga_env.tabletop.errors import OptionError
from tests.table.web.served import DEADLINE, Served, read_all, request, serving, status

TOO_LONG = {  # bytes, by the address that takes fewer
    **dict.fromkeys(("/api/tables", "/api/puzzles/league/answer"), 20_000),
    **dict.fromkeys(("/api/records", "/api/games"), 5 << 20),
    "/api/editor/check": 2 << 20,
}
LIMITS = {
    "header_seconds": 1.0,
    "body_seconds": 1.0,
    "answer_seconds": 1.0,
    "connections_each": 50,
    "refusal_seconds": 0.0,
}


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Served]:
    folder, bounds = tmp_path_factory.mktemp("server"), {"RLIMIT_AS": 3 << 30}
    with serving(folder, limits=LIMITS, bounds=bounds) as started:
        yield started


@pytest.mark.parametrize(
    "sent",
    [
        b"G",
        b"GET /rules HTTP/1.1\r\nHost: localhost\r\nX-Half",
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n{",
    ],
)
def test_requests_that_never_end_are_cut_off(served, sent) -> None:
    assert status(served.send(sent)) == 408
    assert "127.0.0.1 408 the " in served.log()


def test_the_next_request_of_a_connection_is_timed_too(served) -> None:
    whole = b"GET /api/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with served.connect() as connection:
        connection.sendall(whole + whole[:20])
        assert b"408 Request Timeout" in read_all(connection)


def test_silent_connections_are_closed_without_a_word(served) -> None:
    assert served.send(b"") == b""


def test_whoever_does_not_read_is_cut_off(served) -> None:
    with served.connect() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(1)
        ask = b"GET /api/board?edition=europe HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with suppress(OSError):  # the server stops reading, too
            connection.sendall(ask * 300)
        served.wait_for_log("408 the answer is read too slowly")
    assert served.get("/rules") == 200


def test_bodies_announced_as_too_long_are_refused_unread(served) -> None:
    head = "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n"
    for path, length in TOO_LONG.items():
        with served.connect() as connection:
            connection.sendall(head.format(path, length).encode())
            assert b"413" in connection.recv(4096)


def test_clients_that_leave_in_mid_body_leave_no_traceback(served) -> None:
    """F9; `serving` looks for tracebacks at the end."""
    for path in TOO_LONG:
        with served.connect() as connection:
            connection.sendall(request("POST", path, body=b"x" * 10_000)[:-9_000])
    assert served.get("/rules") == 200


def test_what_is_no_http_leaves_no_traceback(served) -> None:
    assert status(served.send(b"\x1b[31mrubbish\r\n\r\n")) == 400
    with served.connect() as connection:  # more than was announced, while the answer is under way
        connection.sendall(request("GET", "/api/board?edition=europe") + b"rubbish\r\n" * 9)
        read_all(connection)
    assert "\x1b" not in served.log()


GET = "GET /rules HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize(
    ("sent", "refused"),
    [
        (
            "POST /api/nothing HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + "1\r\na\r\n" * 999,
            411,
        ),
        (
            "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            411,
        ),
        (GET + "a:b\r\n" * 101 + "\r\n", 431),
        (GET + f"a:{'b' * 17_000}\r\n\r\n", 431),
        (f"GET /rules?{'&a' * 1000} HTTP/1.1\r\n\r\n", 414),
        (f"GET /static{'/a' * 1000} HTTP/1.1\r\n\r\n", 414),
    ],
)
@pytest.mark.parametrize("before", ["", GET + "\r\n"])
def test_what_takes_long_to_parse_is_refused_unread(served, before, sent, refused) -> None:
    """Also behind a request that is answered first: then all of it is there at once."""
    sent = sent.replace(" HTTP/1.1\r\n", " HTTP/1.1\r\nHost: localhost\r\n", 1)
    assert f"HTTP/1.1 {refused} ".encode() in served.send((before + sent).encode())
    assert f"127.0.0.1 {refused} " in served.log()


def test_long_headers_are_read_up_to_their_limits(served) -> None:
    many = "".join(f"X-{n}: {'b' * 100}\r\n" for n in range(90))
    assert b"HTTP/1.1 200" in served.send(f"{GET}{many}Connection: close\r\n\r\n".encode())


def test_servers_for_one_machine_are_not_forwarded_unawares(served) -> None:
    """Behind a proxy that was not named, the whole world would come from 127.0.0.1."""
    assert served.get("/rules") == 200
    assert served.get("/rules", "X-Forwarded-For: 203.0.113.9") == 403
    assert "start the server with --proxy" in served.log()


def test_half_a_character_in_a_record_is_a_fault_of_its_line(served) -> None:
    """F9: 500 and a traceback on 0.6.0."""
    record = {"agents": ["\ud800", "b"], "scores": {"total": [1, 2]}, "num_players": 2}
    body = json.dumps({"text": json.dumps({**record, "scenario": "Colombo"})}).encode()
    answer = served.send(request("POST", "/api/records", body=body))
    assert status(answer) == 200
    assert b"half a character" in answer
    halves = json.dumps({"text": json.dumps({**record, "scenario": "\ud800"})}).encode()
    assert status(served.send(request("POST", "/api/records", body=halves))) == 200
    assert status(served.send(request("POST", "/api/records", body=b'{"text": "\\ud800"}'))) == 400


def test_a_client_has_a_share_of_the_connections(served) -> None:
    refusal, until = "429 too many connections of this address", time.monotonic() + DEADLINE
    while refusal not in served.log():  # on a slow machine the first are cut off before the last
        assert time.monotonic() < until
        with ExitStack() as stack:
            for _ in range(60):
                connection = stack.enter_context(served.connect())
                with suppress(ConnectionError):
                    connection.sendall(b"G")
            time.sleep(0.1)
    served.wait_for_log("408")


def test_connections_stay_below_the_descriptors(tmp_path) -> None:
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


def test_too_few_descriptors_are_named(monkeypatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda which: (24, 24))
    monkeypatch.setattr("resource.setrlimit", lambda which, limits: None)
    with pytest.raises(OptionError, match="24 open files are too few; raise the limit"):
        room_for_connections(2000)


@pytest.mark.skipif(sys.platform != "linux", reason="others have one address of this machine")
def test_the_client_with_the_most_connections_makes_room() -> None:
    """Otherwise two addresses could keep everybody else out."""
    with closing(listen("127.0.0.1", 0)) as listening, ExitStack() as stack:
        listening.limit(replace(USUAL_LIMITS, connections=4))

        def connect(client: str) -> tuple[socket.socket, socket.socket]:
            theirs = socket.create_connection(listening.getsockname(), DEADLINE, (client, 0))
            stack.enter_context(theirs)
            return theirs, stack.enter_context(listening.accept()[0])

        first, second, third, fourth = [connect("127.0.0.2") for _ in range(4)]
        for theirs, ours in (first, third):  # so the others are idle for longest
            theirs.sendall(b"a")
            ours.recv(1)
        listening.answering = {second[1].fileno()}  # a stream, which may be silent for a while
        connect("127.0.0.3")
        assert fourth[0].recv(1) == b""
        fourth[1].close()
        connect("127.0.0.3")
        listening.setblocking(False)
        with pytest.raises(BlockingIOError):  # now both have two
            connect("127.0.0.3")
        third[1].close()
        connect("127.0.0.2")


@pytest.mark.parametrize(("host", "proxy"), [("127.0.0.1", "127.0.0.1"), ("::1", "::1")])
def test_people_behind_a_proxy_do_not_share_one_clients_connections(host, proxy) -> None:
    """An IPv6 proxy counts as itself, not as its network."""
    with ExitStack() as stack:
        try:
            listening = stack.enter_context(closing(listen(host, 0)))
        except OSError:
            pytest.skip(f"this machine has no {host}")
        listening.limit(replace(USUAL_LIMITS, connections_each=2), [proxy])
        listening.settimeout(DEADLINE)
        for _ in range(3):
            theirs = socket.create_connection(listening.getsockname()[:2], DEADLINE)
            stack.enter_context(theirs)
            stack.enter_context(listening.accept()[0])


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere IPv6 sockets may serve IPv6 alone")
def test_an_ipv6_server_believes_its_ipv4_proxy(tmp_path) -> None:
    forwarded = "X-Forwarded-For: 203.0.113.9"
    try:
        listen("::", 0).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    with serving(tmp_path, "--host", "::", "--no-password", "--proxy", "127.0.0.1") as served:
        assert served.get("/rules", forwarded, "Host: evil.example") == 403
        served.wait_for_log("203.0.113.9 403 this server does not answer")


def test_hostile_maps_neither_fill_the_memory_nor_stop_the_pages(served) -> None:
    """F1: on 0.6.0 the first request takes 11.7 GB, and the others block the pages."""
    long, short = (json.dumps({"files": {"board.toml": "a." * n + "a=1"}}) for n in (60_000, 3_500))
    with ExitStack() as stack:
        for text in [long, *[short] * 40]:
            connection = stack.enter_context(served.connect())
            connection.sendall(request("POST", "/api/editor/open", body=text.encode()))
            if text is long:
                assert 400 <= status(read_all(connection)) < 500
        assert served.get("/rules") == 200
        assert served.get("/static/icon.svg") == 200
