"""Rated games: who may play them, what counts, and what is kept of people."""

import sqlite3
import time
from contextlib import closing
from typing import Any

import pytest
from gonzaga_table.web.ladder import ratings, results
from gonzaga_table.web.rooms import store
from httpx2 import Response

from tests.table.web.conftest import DAY, Person, Server, play_on

KEY, OTHER = "k" * 32, "o" * 32


def ask(server: Server, **more: Any) -> Response:
    return server.ask(**{"seats": ["human", "random"], "rated": KEY, **more})


def begin(server: Server, key: str = KEY) -> Person:
    return server.seated(ask(server, rated=key))[1][0]


def look(server: Server, key: str = KEY) -> dict[str, Any]:
    answer = server.client.post("/api/ladder", json={"key": key})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_rated_game_is_played_and_counts(server, rng) -> None:
    assert look(server) == {"ratings": [], "games": []}
    person = begin(server)
    assert person.look()["rated"]
    (going,) = look(server)["games"]
    assert (going["outcome"], going["agents"], going["seat"]) == (None, [None, "random"], 0)
    position = play_on({0: person}, rng)
    totals = [sum(player["scores"]) for player in position["frames"][-1]["view"]["players"]]
    found = look(server)
    (game,) = found["games"]
    assert (game["outcome"], game["kept"]) == ("played", 1)
    assert (game["places"][0] < game["places"][1]) == (totals[0] > totals[1])
    (rating,) = found["ratings"]
    assert (rating["game"], rating["num_players"], rating["num_games"]) == ("gonzaga", 2, 1)
    assert [point[0] for point in rating["curve"]] == [0, 1]
    assert look(server, OTHER)["games"] == []
    begin(server)  # the next one


def test_the_result_is_in_the_file_with_the_last_move(server, rng) -> None:
    person = begin(server)
    play_on({0: person}, rng)
    server.restart()
    assert look(server)["games"][0]["outcome"] == "played"
    assert not person.look()["rated"]


def test_a_rated_game_has_no_hints_and_nothing_is_taken_back(server) -> None:
    person = begin(server)
    assert person.get("/hint", agent="greedy").status_code == 403
    person.play_first()
    moves = person.look()["moves"]
    assert person.post("undo", move=moves, act="ask").status_code == 403
    assert person.look()["rated"]
    server.restart()
    assert person.look()["rated"]
    assert person.get("/hint", agent="greedy").status_code == 403


def test_who_resigns_loses_and_may_play_on(server, rng) -> None:
    person = begin(server)
    assert server.client.post(f"{person.path}/resign", json={}).status_code == 403
    assert not person.post("resign").json()["rated"]
    assert person.post("resign").status_code == 409
    assert look(server)["games"][0]["outcome"] == "resigned"
    (rating,) = look(server)["ratings"]
    assert rating["curve"][1][1] < rating["curve"][0][1]  # lost to the weakest
    play_on({0: person}, rng)
    assert look(server)["games"][0]["outcome"] == "resigned"
    assert begin(server).look()["rated"]


def test_one_rated_game_at_a_time(server) -> None:
    person = begin(server)
    answer = ask(server)
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "rated"
    assert person.path.removeprefix("/api/tables/") in answer.json()["error"]["message"]
    begin(server, OTHER)
    person.post("resign")
    begin(server)


def test_a_table_that_is_dropped_is_a_lost_game(server, clock) -> None:
    room = server.rooms.get(begin(server).path.rpartition("/")[2], "c")
    while room.busy:  # the agent's early plan, which would be a use of the table
        time.sleep(0.01)
    for _ in range(3):  # the clock has to agree with itself for a while
        clock.go_on(20 * DAY)
        server.rooms.sweep()
    (game,) = look(server)["games"]
    assert (game["outcome"], game["kept"], game["places"]) == ("abandoned", 0, None)
    begin(server)


def test_a_game_whose_agent_has_failed_does_not_count(server) -> None:
    person = begin(server)
    room = server.rooms.get(person.path.rpartition("/")[2], "c")
    room.failures[1] = object()  # type: ignore[assignment]
    server.rooms.resign(room, 0)
    (game,) = look(server)["games"]
    assert (game["outcome"], look(server)["ratings"][0]["num_games"]) == ("failed", 0)


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"seats": ["human", "human"]}, "exactly one person"),
        ({"seats": ["random", "random"]}, "exactly one person"),
        ({"seats": ["human", "search@16"]}, "agent search@16 has no rating"),
        ({"rules": {"sea_league": "first_only"}}, "the usual rules"),
        ({"scenario": "Bona Sforza"}, "a drawn scenario"),
    ],
)
def test_only_games_like_those_of_the_leaderboard_are_rated(more, named, server) -> None:
    answer = ask(server, **more)
    assert answer.status_code == 409, answer.text
    assert named in answer.json()["error"]["message"]
    assert look(server)["games"] == []


@pytest.mark.parametrize(
    "key", [None, 5, "", "k" * 31, "k" * 33, "k" * 31 + "é", "k" * 31 + "\n", [KEY]]
)
def test_keys_are_keys(key, server) -> None:
    for path in ("/api/ladder", "/api/ladder/forget"):
        assert server.client.post(path, json={"key": key}).status_code == 400
    if key is not None:
        assert ask(server, rated=key).status_code == 400


def test_people_are_forgotten_when_they_ask(server) -> None:
    person = begin(server)
    answer = server.client.post("/api/ladder/forget", json={"key": KEY})
    assert answer.json() == {"forgotten": 1}
    assert look(server) == {"ratings": [], "games": []}
    position = person.look()
    assert (position["over"], position["rated"]) == (False, False)  # the table stays
    assert person.post("resign").status_code == 409
    assert server.client.post("/api/ladder/forget", json={"key": KEY}).json() == {"forgotten": 0}


def test_people_who_play_no_more_are_forgotten(server, clock) -> None:
    begin(server).post("resign")
    for _ in range(3):
        clock.go_on(200 * DAY)
        server.rooms.sweep()
    assert look(server)["games"] == []


def test_the_file_holds_no_key_and_no_address(server, tmp_path) -> None:
    begin(server)
    server.stop()
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("tables.sqlite*"))
    assert KEY.encode() not in kept
    assert b"testclient" not in kept
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as file:
        assert len(file.execute("SELECT id FROM people").fetchone()[0]) == 64


def test_people_and_results_are_bounded(server, monkeypatch) -> None:
    monkeypatch.setattr(results, "MAX_PEOPLE_EACH", 2)
    monkeypatch.setattr(results, "MAX_RESULTS", 3)
    begin(server, OTHER)
    for _ in range(4):
        begin(server).post("resign")
        server.clock.now += 1
    assert len(look(server)["games"]) == 3
    answer = ask(server, rated="n" * 32)
    assert answer.status_code == 409
    assert "too many people" in answer.json()["error"]["message"]


def test_agents_that_left_the_leaderboard_do_not_count(server, monkeypatch) -> None:
    begin(server).post("resign")
    monkeypatch.setattr(ratings, "published_ratings", lambda *game: {})
    found = look(server)
    assert len(found["games"]) == 1
    assert found["ratings"][0]["num_games"] == 0


def test_a_file_of_before_gets_its_ladder(tmp_path, clock, monkeypatch) -> None:
    """Version 2 is that of 0.9.0."""
    with monkeypatch.context() as patch:
        patch.setattr(store, "SCHEMA_VERSION", 2)
        patch.setattr(store, "_STEPS", {number: store._STEPS[number] for number in (1, 2)})
        store.Store(tmp_path / "tables.sqlite").close()
    server = Server(tmp_path / "tables.sqlite", clock)
    with server.running():
        assert begin(server).look()["rated"]
