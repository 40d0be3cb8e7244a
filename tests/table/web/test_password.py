"""The password: what a server on a network asks for."""

import json
import os
from collections.abc import Iterator

import pytest
from gonzaga_table.web import guard
from gonzaga_table.web.guard import Password, random_password, read_password
from starlette.testclient import TestClient

from gonzaga_env.core import OptionError
from tests.table.web.conftest import TWO_PEOPLE, Server
from tests.table.web.served import Served, request, serving, status

RIGHT = {"Authorization": "Bearer correct-horse"}


@pytest.fixture
def client(clock, tmp_path, monkeypatch) -> Iterator[TestClient]:
    monkeypatch.setattr(guard, "WRONG_SECONDS", 0.0)
    with Server(tmp_path / "a", clock).running(password=Password("correct-horse")) as made:
        yield made


def statuses(client: TestClient, headers: dict[str, str]) -> list[int]:
    return [
        client.post("/api/tables", json=TWO_PEOPLE, headers=headers).status_code,
        client.post("/api/records", json={"text": ""}, headers=headers).status_code,
        client.post("/api/games", json={"text": "{}"}, headers=headers).status_code,
        client.post("/api/games/x/tables", json={}, headers=headers).status_code,
    ]


def test_what_costs_work_takes_the_password(client) -> None:
    assert statuses(client, {}) == [401] * 4
    assert statuses(client, {"Authorization": "Bearer wrong"}) == [401] * 4
    assert statuses(client, RIGHT) == [201, 200, 400, 404]
    assert client.post("/api/tables", json=TWO_PEOPLE).json()["error"]["code"] == "password"


def test_routes_are_closed_unless_they_are_named(clock, tmp_path, monkeypatch) -> None:
    """Whatever an address ends with: a route's pattern may match a line break there."""
    monkeypatch.setattr(guard, "WRONG_SECONDS", 0.0)
    server = Server(tmp_path / "a", clock)
    with server.running(password=Password("correct-horse")) as client:
        closed = set()
        for route in client.app._app.routes:
            path = route.path.format(id="x", game="gonzaga", name="x")
            for headers in ({}, {"Authorization": "Bearer wrong"}):
                for method in ("GET", "POST"):
                    answer = client.request(method, path, headers=headers, json=TWO_PEOPLE)
                    if answer.status_code == 401 and "password" in answer.text:
                        closed.add(route.path)
        assert closed == {"/api/tables", "/api/records", "/api/games", "/api/games/{id}/tables"}
        for path in ("tables", "records", "games", "games/x/tables"):
            for end in ("%0A", "%0D", "%00", "%7F", "/", "%2F", ".", "%20", ";", "%C2%85"):
                answer = client.post(f"/api/{path}{end}", json={**TWO_PEOPLE, "text": ""})
                assert answer.status_code in (401, 404), (path, end)
                headers = RIGHT if end in ("%0A", "%00") else {}
                answer = client.post(f"/api/{path}{end}", json=TWO_PEOPLE, headers=headers)
                assert answer.status_code in (401, 404), (path, end)
        assert client.get("/api/new-route").status_code == 401
        assert server.rooms.store.count() == 0


def test_links_to_tables_and_pages_take_none(client) -> None:
    made = client.post("/api/tables", json=TWO_PEOPLE, headers=RIGHT).json()
    path, seat = f"/api/tables/{made['table']}", made["seats"][0]
    token = {"Authorization": f"Bearer {seat['token']}"}
    assert client.get(path).status_code == 200
    turn = client.get(path, headers=token).json()["turn"]
    move = {"move": 0, "action": turn["plans"][0]["action"]}
    assert client.post(f"{path}/moves", json=move, headers=token).status_code == 200
    for free in ("/", "/record", "/rules", "/api/options", "/api/board?edition=europe"):
        assert client.get(free).status_code == 200


def test_passwords_are_read_from_files_that_are_ones_own(tmp_path) -> None:
    file = tmp_path / "password"
    file.write_text(f"{random_password()}\n")
    file.chmod(0o600)
    assert read_password(file) == file.read_text().strip()
    for content in ("short", "", "two lines\nof text", "has a blank", "ünïcödé-word", "x" * 201):
        file.write_text(content)
        with pytest.raises(OptionError, match="password"):
            read_password(file)


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_files_that_others_may_read_hold_no_password(tmp_path) -> None:
    file = tmp_path / "password"
    file.write_text("correct-horse\n")
    file.chmod(0o640)
    with pytest.raises(OptionError, match="chmod 600"):
        read_password(file)


def open_table(served: Served, *headers: str) -> int:
    body = json.dumps(TWO_PEOPLE).encode()
    return status(served.send(request("POST", "/api/tables", *headers, body=body)))


def test_a_server_for_the_network_makes_a_password(tmp_path) -> None:
    with serving(tmp_path, "--host", "0.0.0.0") as served:
        password = served.line.split("/#password=")[1].split()[0]
        assert len(password) == 16
        assert open_table(served) == 401
        assert open_table(served, f"Authorization: Bearer {password}") == 201


def test_the_page_takes_the_password_of_its_address_or_asks(tmp_path, open_page) -> None:
    file = tmp_path / "password"
    file.write_text("correct-horse\n")
    file.chmod(0o600)
    with serving(tmp_path, "--password-file", str(file)) as served:
        page = open_page(quiet=True)
        page.goto(f"{served.address}/#password=correct-horse")
        page.wait_for_function("location.hash === ''")
        page.click("#first-game")
        page.wait_for_url("**/table/*")
        other = open_page(quiet=True)
        other.goto(f"{served.address}/#password=wrong")
        other.click("#first-game")
        other.wait_for_selector("dialog >> text=That password is wrong.")
        other.fill("dialog input", "correct-horse")
        other.click("dialog button")
        other.wait_for_url("**/table/*")
