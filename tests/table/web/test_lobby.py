"""Tables that wait for people: who finds them, who may sit there, and when they begin or go."""

import asyncio
from typing import Any

import pytest
from gonzaga_table.web.people import lobby
from httpx2 import Response

from tests.table.web.conftest import EDITIONS, TWO_PEOPLE, Person, Server, error_of, play_on


def wait(server: Server, name: str = "Ann", **asked: Any) -> Response:
    """Opens a table that waits for people."""
    content = {**TWO_PEOPLE, "seat": 0, "public": True, "name": name, **asked}
    return server.client.post("/api/lobby", json=content)


def ask(server: Server, one: dict[str, Any], what: str = "", **content: Any) -> Response:
    """Asks for a table that waits, in the name of whoever got this answer."""
    path, headers = f"/api/lobby/{one['id']}", {}
    if "token" in one:
        headers["Authorization"] = f"Bearer {one['token']}"
    if not what:
        return server.client.get(path, headers=headers)
    return server.client.post(f"{path}/{what}", json=content, headers=headers)


def listed(server: Server) -> list[dict[str, Any]]:
    return server.client.get("/api/lobby").json()["waiting"]


@pytest.mark.parametrize("game", EDITIONS)
def test_two_strangers_meet_and_play(server, rng, game) -> None:
    asked = {"edition": EDITIONS[game], "seats": ["human", "human", "greedy"], "num_players": 3}
    ann = wait(server, **asked, anybody=True)
    assert ann.status_code == 201
    ann = ann.json()
    assert (ann["seat"], ann["free"], ann["table"]) == (0, [1], None)
    (seen,) = listed(server)
    assert (seen["game"], seen["names"], seen["seats"][2]) == (game, ["Ann", None, None], "greedy")
    assert "token" not in seen
    bob = wait(server, "Bob", **asked, anybody=True).json()
    assert (bob["id"], bob["seat"], bob["free"]) == (ann["id"], 1, [])
    table = bob["table"]
    assert ask(server, ann).json()["table"] == table
    assert (
        ask(server, {"id": ann["id"]}).json()["table"] is None
    )  # it is known to those who sit there
    assert listed(server) == []
    people = {one["seat"]: Person(server, table, one["token"]) for one in (ann, bob)}
    assert [seat["name"] for seat in people[0].look()["seats"]] == ["Ann", "Bob", "greedy"]
    play_on(people, rng, 3)


def test_strangers_who_want_other_games_do_not_meet(server) -> None:
    ann = wait(server, anybody=True).json()
    rules = {"sea_league": "first_only"}
    others = [
        wait(server, anybody=True, rules=rules),
        wait(server, anybody=True, scenario="Gutenberg"),
    ]
    others.append(wait(server, anybody=True, away=60))
    assert len({ann["id"], *(other.json()["id"] for other in others)}) == 4
    assert error_of(wait(server, away=59)) == (400, "malformed")
    usual = {"rules": {"sea_league": "each_player"}, "away": 300}
    assert wait(server, anybody=True, **usual).json()["id"] == ann["id"]  # it says the same


def test_nothing_of_a_private_table_is_visible(server) -> None:
    wait(server)
    before = server.client.get("/api/lobby").content
    private = wait(server, public=False).json()
    assert server.client.get("/api/lobby").content == before
    assert wait(server, "Bob", anybody=True).json()["id"] != private["id"]
    assert ask(server, {"id": "unknown"}).status_code == 404
    link = {"id": private["id"]}
    assert ask(server, link).json()["names"] == ["Ann", None]
    assert error_of(ask(server, {**link, "token": "guessed"})) == (403, "forbidden")
    joined = ask(server, link, "join", seat=1, name="Cy").json()
    assert joined["table"] is not None


def test_seats_are_taken_once_and_given_back(server) -> None:
    ann = wait(server).json()
    link = {"id": ann["id"]}
    for seat in (0, 7, -1):
        assert ask(server, link, "join", seat=seat, name="Bob").status_code == 403
    for content in ({"seat": "1", "name": "B"}, {"seat": 1}, {"seat": 1, "name": "greedy"}):
        assert ask(server, link, "join", **content).status_code == 400
    assert error_of(ask(server, link, "leave")) == (403, "forbidden")
    assert ask(server, ann, "leave").json()["free"] == [0, 1]
    assert ask(server, ann).status_code == 404
    assert listed(server) == []


def test_a_table_that_waits_takes_what_it_takes(server) -> None:
    wrong = [
        {"seats": ["human", "greedy"]},
        {"seat": 2},
        {"seat": "0"},
        {"seats": ["human", "nobody"]},
        {"num_players": 9, "seats": ["human"] * 9},
        {"num_players": -1},
        {"name": 7},
        {"edition": "atlantis"},
        {"rules": {"x": 1}},
    ]
    for asked in wrong:
        assert wait(server, **asked).status_code in (400, 403), asked
    assert listed(server) == []


def test_whoever_stays_away_loses_the_seat(server, clock) -> None:
    ann, private = wait(server).json(), wait(server, public=False).json()
    clock.go_on(lobby.PUBLIC_SECONDS - 1)
    assert ask(server, ann).status_code == 200
    clock.go_on(lobby.PUBLIC_SECONDS - 1)
    assert len(listed(server)) == 1
    clock.go_on(2.0)
    assert listed(server) == []
    assert ask(server, private).status_code == 200  # a link may be opened tomorrow
    clock.go_on(lobby.LINK_SECONDS + 1)
    assert ask(server, private).status_code == 404
    assert server.rooms.store.rows("SELECT * FROM waiting") == []


def test_a_clock_that_is_set_takes_no_seat(server, clock) -> None:
    """F8: only time that goes by counts."""
    ann = wait(server).json()
    clock.now += 40 * 86400.0
    assert ask(server, ann).status_code == 200


def test_who_waits_survives_a_restart(server) -> None:
    asked = {"num_players": 3, "seats": ["human"] * 3}
    ann = wait(server, **asked).json()
    bob = ask(server, {"id": ann["id"]}, "join", seat=2, name="Bob").json()
    server.restart()
    assert listed(server)[0]["names"] == ["Ann", None, "Bob"]
    cy = ask(server, {"id": ann["id"]}, "join", seat=1, name="Cy").json()
    server.restart()
    assert ask(server, bob).json()["table"] == cy["table"]
    assert Person(server, cy["table"], ann["token"]).look()["seat"] == 0


def test_one_client_does_not_fill_the_lobby(server, clock, monkeypatch) -> None:
    statuses = [wait(server).status_code for _ in range(lobby.MAX_WAITING_EACH + 1)]
    assert statuses == [201] * lobby.MAX_WAITING_EACH + [429]
    clock.go_on(lobby.PUBLIC_SECONDS + 1)
    clock.go_on(100.0)
    monkeypatch.setattr(lobby, "MAX_WAITING", 2)
    assert [wait(server).status_code for _ in range(3)] == [201, 201, 429]


def test_taking_seats_is_limited(server, clock) -> None:
    statuses = []
    for _ in range(int(lobby.BURST) + 2):
        ann = wait(server)
        statuses.append(ann.status_code)
        if ann.status_code == 201:
            ask(server, ann.json(), "leave")
    assert statuses[-1] == 429
    assert statuses.count(201) == int(lobby.BURST)
    clock.go_on(60.0)
    assert wait(server).status_code == 201


def test_a_table_that_cannot_be_opened_keeps_its_seat_free(clock, tmp_path) -> None:
    server = Server(tmp_path / "few.sqlite", clock)
    with server.running(max_tables=10):
        ann = wait(server).json()
        for _ in range(10):  # the least that a server holds for each client
            server.open()
        answer = ask(server, {"id": ann["id"]}, "join", seat=1, name="Bob")
        assert error_of(answer) == (429, "too_many")
        assert listed(server)[0]["free"] == [1]


@pytest.mark.anyio
async def test_the_last_seat_is_taken_by_one(server) -> None:
    ann = wait(server).json()
    places = server.client.app._app.routes
    routes = next(r.endpoint.__self__ for r in places if getattr(r, "path", "") == "/api/lobby")
    one, _ = routes._lobby.get(ann["id"], None)
    joins = (routes._lobby.join(one, 1, name, "192.0.2.1") for name in ("Bob", "Cy"))
    got = await asyncio.gather(*joins, return_exceptions=True)
    assert [isinstance(answer, tuple) for answer in got] == [True, False]
    assert one.names == ["Ann", "Bob"]
