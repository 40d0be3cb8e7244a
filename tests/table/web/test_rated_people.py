"""Rated games among people: who agrees, what counts, and what nobody gains by."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from gonzaga_table.web.ladder import results
from gonzaga_table.web.rooms import store
from httpx2 import Response
from starlette.testclient import TestClient

from tests.table.web.conftest import (
    BASE,
    DAY,
    TWO_PEOPLE,
    Person,
    Server,
    Tables,
    error_of,
    play_on,
)

ANN, BOB, CY = (letter * 32 for letter in "abc")
MOVE = {"per": "move", "seconds": 600}
THREE = {"num_players": 3, "seats": ["human"] * 3}


def at(server: Server, number: int) -> Tables:
    """Returns the server as a client of another address asks it."""
    client = TestClient(server.client.app, base_url=BASE, client=(f"192.0.2.{number}", 5))
    client.portal = server.client.portal  # the same event loop
    return Tables(client)


def wait(server: Server, key: str | None = ANN, number: int = 1, **asked: Any) -> Response:
    content = {**TWO_PEOPLE, "seat": 0, "public": True, "name": "Ann", "pace": MOVE, "rated": key}
    return at(server, number).client.post("/api/lobby", json={**content, **asked})


def join(server: Server, id: str, key: str | None, number: int, seat: int = 1) -> Response:  # noqa: A002
    content = {"seat": seat, "name": f"Guest {seat}", "rated": key}
    return at(server, number).client.post(f"/api/lobby/{id}/join", json=content)


def begin(server: Server, *keys: str, **asked: Any) -> list[Person]:
    """Lets people with these keys begin a rated game, each at an own address."""
    answers = [wait(server, keys[0], **asked)]
    for seat, key in enumerate(keys[1:], 1):
        answers.append(join(server, answers[0].json()["id"], key, seat + 1, seat))
    assert [answer.status_code for answer in answers] == [201, *[200] * (len(keys) - 1)]
    table = answers[-1].json()["table"]
    tokens = [answer.json()["token"] for answer in answers]
    return [Person(at(server, i + 1), table, token) for i, token in enumerate(tokens)]


def games(server: Server, key: str) -> list[dict[str, Any]]:
    return server.client.post("/api/ladder", json={"key": key}).json()["games"]


def outcomes(server: Server, *keys: str) -> list[str | None]:
    """Returns how the last game of each ended."""
    return [games(server, key)[0]["outcome"] for key in keys]


def rating(server: Server, key: str) -> tuple[int, float]:
    """Returns the number of games that count, and the rating after them."""
    (found,) = server.client.post("/api/ladder", json={"key": key}).json()["ratings"]
    return found["num_games"], found["curve"][-1][1]


def test_a_rated_game_of_two_people_counts_for_both(server, rng) -> None:
    people = begin(server, ANN, BOB)
    assert people[0].look()["rated"]
    assert (games(server, ANN)[0]["agents"], games(server, ANN)[0]["seat"]) == ([None, 1000.0], 0)
    assert games(server, BOB)[0]["agents"] == [1000.0, None]
    assert people[0].get("/hint", agent="greedy").status_code == 403
    server.restart()
    people = [
        Person(at(server, i + 1), one.path.rpartition("/")[2], token(one))
        for i, one in enumerate(people)
    ]
    assert people[1].look()["rated"]
    play_on(dict(enumerate(people)), rng)
    assert outcomes(server, ANN, BOB) == ["played", "played"]
    places = games(server, ANN)[0]["places"]
    assert places == games(server, BOB)[0]["places"]
    (number, ann), (_, bob) = rating(server, ANN), rating(server, BOB)
    assert number == 1
    assert (ann > bob) == (places[0] < places[1])
    begin(server, ANN, BOB)
    assert games(server, ANN)[0]["agents"] == [None, bob]


def token(person: Person) -> str:
    return person.headers["Authorization"].removeprefix("Bearer ")


def test_all_who_join_have_to_agree(server) -> None:
    one = wait(server).json()
    (listed,) = server.client.get("/api/lobby").json()["waiting"]
    assert listed["rated"]
    assert ANN not in str(one)
    server.restart()
    answer = join(server, one["id"], None, 2)
    assert error_of(answer) == (409, "rated")
    assert "has to agree" in answer.json()["error"]["message"]
    assert join(server, one["id"], "short", 2).status_code == 400
    assert join(server, one["id"], BOB, 2).json()["table"] is not None
    plain = wait(server, None, 3).json()["id"]
    assert error_of(join(server, plain, CY, 4)) == (409, "rated")


@pytest.mark.parametrize(("key", "number"), [(ANN, 2), (BOB, 1)], ids=["key", "address"])
def test_nobody_plays_against_oneself(key, number, server) -> None:
    one = wait(server).json()
    answer = join(server, one["id"], key, number)
    assert error_of(answer) == (409, "rated")
    assert "sits there already" in answer.json()["error"]["message"]
    assert wait(server, key, number, anybody=True).json()["id"] != one["id"]
    assert wait(server, CY, 3, anybody=True).json()["id"] == one["id"]


def test_two_seats_that_move_from_one_address_do_not_count(server) -> None:
    ann, bob = begin(server, ANN, BOB)
    ann.play_first()
    assert outcomes(server, ANN, BOB) == [None, None]
    ann.server = bob.server  # goes over to Bob's
    position = (ann if ann.look()["turn"] else bob).look()
    mover = ann if position["seat"] == 0 else bob
    if mover is bob:  # who moves at home, which is no harm
        bob.play_first()
        assert outcomes(server, ANN) == [None]
    while ann.look()["turn"] is None:
        bob.play_first()
    ann.play_first()
    assert outcomes(server, ANN, BOB) == ["address", "address"]
    assert rating(server, ANN)[0] == 0
    assert not ann.look()["rated"]


def test_an_address_is_known_after_a_restart(server) -> None:
    ann, _ = begin(server, ANN, BOB)
    server.restart()
    table = ann.path.rpartition("/")[2]
    Person(at(server, 2), table, token(ann)).play_first()
    assert outcomes(server, ANN, BOB) == ["address", "address"]


def test_of_two_the_one_who_resigns_loses(server) -> None:
    _, bob = begin(server, ANN, BOB)
    assert not bob.post("resign").json()["rated"]
    assert outcomes(server, ANN, BOB) == ["conceded", "resigned"]
    assert rating(server, ANN)[1] > 1000.0 > rating(server, BOB)[1]
    begin(server, ANN, BOB)


def test_of_three_the_one_who_resigns_loses_alone(server) -> None:
    people = begin(server, ANN, BOB, CY, **THREE)
    people[2].post("resign")
    assert outcomes(server, ANN, BOB, CY) == ["replaced", "replaced", "resigned"]
    assert [rating(server, key)[0] for key in (ANN, BOB, CY)] == [0, 0, 1]


def test_nobody_voids_a_lost_game_by_letting_the_clock_run(server, clock) -> None:
    ann, bob = begin(server, ANN, BOB)
    ann.play_first()
    clock.go_on(601.0)
    assert ann.look()["replaced"] == [1]
    assert outcomes(server, ANN, BOB) == ["conceded", "late"]
    assert bob.post("return").status_code == 200
    assert not bob.look()["rated"]
    ann, _ = begin(server, ANN, BOB)
    clock.go_on(601.0)
    assert ann.look()["replaced"] == [0, 1]
    assert outcomes(server, ANN, BOB) == ["replaced", "replaced"]


def test_of_three_the_first_who_is_late_loses(server, clock) -> None:
    people = begin(server, ANN, BOB, CY, **THREE)
    people[0].play_first()
    clock.go_on(601.0)
    assert people[0].look()["replaced"] == [1, 2]
    assert outcomes(server, ANN, BOB, CY) == ["replaced", "late", "replaced"]


def test_nobody_is_replaced_while_away(server, clock) -> None:
    ann, _ = begin(server, ANN, BOB, away=60)
    ann.play_first()
    clock.go_on(61.0)
    assert ann.look()["away"] == []
    answer = ann.post("absent", act="ask", seat=1, agent="greedy")
    assert error_of(answer) == (403, "forbidden")
    assert outcomes(server, ANN, BOB) == [None, None]


def test_an_agent_that_fails_twice_ends_the_rating(own, mine, monkeypatch) -> None:
    from gonzaga_table.web.people import lobby

    monkeypatch.setattr(lobby, "check_rated", lambda *game: None)  # the agent has no rating
    asked = {"num_players": 3, "seats": ["human", "human", mine("Failing")]}
    ann, _ = begin(own, ANN, BOB, **asked)
    while not (failed := ann.look(since=99, wait=1)["failed"]):
        pass
    assert failed == [2]
    assert ann.post("agent", seat=2, agent="greedy").status_code == 403  # it keeps its agents
    assert outcomes(own, ANN, BOB) == [None, None]
    own.clock.go_on(61.0)
    while outcomes(own, ANN) == [None]:
        ann.look(since=99, wait=1)
    assert outcomes(own, ANN, BOB) == ["failed", "failed"]
    assert not ann.look()["rated"]


def test_a_table_that_is_dropped_does_not_count(server, clock) -> None:
    begin(server, ANN, BOB)
    for _ in range(3):
        clock.go_on(20 * DAY)
        server.rooms.sweep()
    assert outcomes(server, ANN, BOB) == ["left", "left"]
    begin(server, ANN, BOB)


@pytest.mark.parametrize("in_memory", [True, False])
def test_whoever_is_forgotten_resigns(in_memory, server) -> None:
    begin(server, ANN, BOB)
    if not in_memory:
        server.restart()
    assert server.client.post("/api/ladder/forget", json={"key": BOB}).json() == {"forgotten": 1}
    assert games(server, BOB) == []
    assert outcomes(server, ANN) == ["conceded"]
    begin(server, ANN, BOB)


def test_one_rated_game_at_a_time(server) -> None:
    waiting = wait(server).json()
    begin(server, ANN, BOB)
    again = wait(server)
    assert error_of(again) == (409, "rated")
    assert "/table/" in again.json()["error"]["message"]
    answer = join(server, waiting["id"], CY, 3)  # Ann's seat is free again
    assert (answer.status_code, answer.json()["names"]) == (200, [None, "Guest 1"])
    assert answer.json()["table"] is None


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"pace": None}, 400),
        ({"rules": {"sea_league": "first_only"}}, 409),
        ({"scenario": "Bona Sforza"}, 409),
        ({"num_players": 3, "seats": ["human", "human", "search@16"]}, 409),
        ({"rated": "short"}, 400),
        ({"rated": ["k"]}, 400),
    ],
)
def test_only_usual_games_with_a_clock_are_rated(asked, status, server) -> None:
    assert wait(server, **asked).status_code == status
    assert server.client.get("/api/lobby").json()["waiting"] == []


def test_people_of_an_address_are_bounded(server, monkeypatch) -> None:
    monkeypatch.setattr(results, "MAX_PEOPLE_EACH", 1)
    begin(server, ANN, BOB)
    answer = wait(server, CY, 2)
    assert error_of(answer) == (409, "rated")
    assert "too many people" in answer.json()["error"]["message"]


def test_the_file_holds_neither_keys_nor_addresses(server, tmp_path) -> None:
    begin(server, ANN, BOB)
    wait(server, CY, 3)
    server.stop()
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("tables.sqlite*"))
    assert not any(text.encode() in kept for text in (ANN, BOB, CY, "192.0.2."))


def version_10(patch: Callable[..., None], file: Any) -> None:
    """Writes a file of version 10 with one game that is over and one in play."""
    steps = {number: text for number, text in store._STEPS.items() if number <= 10}
    patch(store, "_STEPS", steps)
    patch(store, "SCHEMA_VERSION", 10)
    store.Store(file).close()
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("INSERT INTO tables (id, used, content) VALUES ('going', 50.0, '{}')")
        database.execute("INSERT INTO people VALUES (?, 'x', 5.0)", [results_key(ANN)])
        for row in (("over", 9.0, "played", "[0, 1]"), ("going", None, None, None)):
            database.execute(
                "INSERT INTO results VALUES "
                "(?, ?, 'gonzaga', 2, 0, '[null, \"greedy\"]', 5.0, ?, ?, ?)",
                (row[0], results_key(ANN), *row[1:]),
            )


def results_key(key: str) -> str:
    from gonzaga_table.web.rooms.room import hash_token

    return hash_token(key)


def test_results_of_version_10_stay(tmp_path, clock, monkeypatch) -> None:
    file = tmp_path / "tables.sqlite"
    with monkeypatch.context() as patch:
        version_10(patch.setattr, file)
    server = Server(file, clock)
    with server.running():
        going, over = games(server, ANN)
        assert (over["table"], over["outcome"], over["places"]) == ("over", "played", [0, 1])
        assert (going["table"], going["outcome"]) == ("going", None)
        assert rating(server, ANN)[0] == 1
        assert error_of(wait(server)) == (409, "rated")
        server.rooms.store.drop(["going"])
        assert [one["outcome"] for one in games(server, ANN)] == ["abandoned", "played"]
        begin(server, ANN, BOB)
