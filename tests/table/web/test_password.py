"""The lobby's password and the proxies that are believed: what a server on a network asks for."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace

import pytest
from gonzaga_table.web.clients.limits import LIMITS, Clients
from gonzaga_table.web.clients.password import Password, random_password, read_password
from starlette.testclient import TestClient

from gonzaga_env.core import OptionError
from tests.table.web.conftest import TWO_PEOPLE, Server
from tests.table.web.served import Served, request, serving, status

FORWARDED = "X-Forwarded-For: 203.0.113.9"
RIGHT = {"Authorization": "Bearer correct-horse"}


@pytest.fixture
def client(clock, tmp_path) -> Iterator[TestClient]:
    clients = Clients(replace(LIMITS, refusal_seconds=0.0))
    password = Password("correct-horse", clock=lambda: 0.0)
    with Server(tmp_path / "a", clock).running(clients=clients, password=password) as made:
        yield made


def lobby(client: TestClient, headers: dict[str, str]) -> list[int]:
    return [
        client.post("/api/tables", json=TWO_PEOPLE, headers=headers).status_code,
        client.post("/api/records", json={"text": ""}, headers=headers).status_code,
        client.get("/api/editor/look", headers=headers).status_code,
    ]


def test_the_lobby_takes_the_password(client) -> None:
    assert lobby(client, {}) == [401, 401, 401]
    assert lobby(client, {"Authorization": "Bearer wrong"}) == [401, 401, 401]
    assert lobby(client, RIGHT) == [201, 200, 200]
    error = client.post("/api/tables", json=TWO_PEOPLE).json()["error"]
    assert error == {"code": "password", "message": "the password of the lobby is missing"}


def test_links_to_tables_and_pages_take_none(client) -> None:
    made = client.post("/api/tables", json=TWO_PEOPLE, headers=RIGHT).json()
    path, seat = f"/api/tables/{made['table']}", made["seats"][0]
    token = {"Authorization": f"Bearer {seat['token']}"}
    assert client.get(path).status_code == 200
    turn = client.get(path, headers=token).json()["turn"]
    move = {"move": 0, "action": turn["plans"][0]["action"]}
    assert client.post(f"{path}/moves", json=move, headers=token).status_code == 200
    for free in ("/", "/editor", "/record", "/rules", "/api/options", "/api/board?edition=europe"):
        assert client.get(free).status_code == 200


def test_guesses_are_limited(client) -> None:
    """Then even the right one is refused for a while: its refusal tells nothing."""
    wrong = {"Authorization": "Bearer wrong"}
    found = [client.get("/api/editor/look", headers=wrong).status_code for _ in range(12)]
    assert found == [401] * 10 + [429] * 2
    refused = client.post("/api/tables", json=TWO_PEOPLE, headers=RIGHT)
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) >= 1


def test_passwords_are_read_from_files_that_are_ones_own(tmp_path) -> None:
    file = tmp_path / "password"
    file.write_text(f"{random_password()}\n")
    file.chmod(0o600)
    assert read_password(file) == file.read_text().strip()
    for content in ("short", "", "two lines\nof text", "has a blank", "ünïcödé-word", "x" * 201):
        file.write_text(content)
        with pytest.raises(OptionError, match=r"password (is one line|has no spaces)"):
            read_password(file)


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_files_that_others_may_read_hold_no_password(tmp_path) -> None:
    file = tmp_path / "password"
    file.write_text("correct-horse\n")
    file.chmod(0o640)
    with pytest.raises(OptionError, match="others may read or write this file; run chmod 600"):
        read_password(file)


def open_table(served: Served, *headers: str) -> int:
    body = json.dumps(TWO_PEOPLE).encode()
    return status(served.send(request("POST", "/api/tables", *headers, body=body)))


def test_a_server_for_the_network_makes_a_password(tmp_path) -> None:
    """On 0.6.0 anybody may open tables."""
    with serving(tmp_path, "--host", "0.0.0.0") as served:
        password = served.line.split("/#password=")[1].split()[0]
        assert len(password) == 16
        assert open_table(served) == 401
        assert open_table(served, f"Authorization: Bearer {password}") == 201


def test_a_server_without_a_password_says_so_and_believes_no_proxy(tmp_path) -> None:
    """On 0.6.0 everybody on this machine may claim any address."""
    with serving(tmp_path, "--host", "0.0.0.0", "--no-password") as served:
        assert "password" not in served.line
        assert open_table(served) == 201
        assert served.get("/rules", FORWARDED, "Host: evil.example") == 403
        assert "gonzaga-play: 127.0.0.1 403 this server does not answer" in served.log()


@pytest.fixture(scope="module")
def proxied(tmp_path_factory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("server")
    password = folder / "password"
    password.write_text("correct-horse\n")
    password.chmod(0o600)
    with serving(folder, "--password-file", str(password), "--proxy", "127.0.0.1") as served:
        yield served


def test_named_proxies_are_believed(proxied) -> None:
    assert proxied.get("/rules", FORWARDED, "Host: evil.example") == 403
    assert "gonzaga-play: 203.0.113.9 403 this server does not answer" in proxied.log()


def test_the_page_takes_the_password_of_its_address_or_asks(proxied, open_page) -> None:
    address = proxied.address
    page = open_page(quiet=True)
    page.goto(f"{address}/#password=correct-horse")
    page.wait_for_function("location.hash === ''")
    page.click("#first-game")
    page.wait_for_url("**/table/*")
    other = open_page(quiet=True)
    other.goto(f"{address}/#password=wrong")
    other.click("#first-game")
    other.wait_for_selector("dialog >> text=That password is wrong.")
    other.fill("dialog input", "correct-horse")
    other.click("dialog button")
    other.wait_for_url("**/table/*")
