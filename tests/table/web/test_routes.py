"""Tables over HTTP: every route, and requests that fail and change nothing."""

from typing import Any

import numpy as np
import pytest
from gonzaga_table.web.protocol import MAX_BODY

from tests.table.web.conftest import EDITIONS, Person, choices, error_of, play_on


def test_options_say_what_a_table_takes(server) -> None:
    options = server.client.get("/api/options").json()
    edition = options["editions"][0]
    assert (edition["id"], edition["reconstruction"]) == ("europe", True)
    assert {"name", "num_players", "flourishing"} == set(edition["scenarios"][0])
    assert options["num_players"] == [2, 3, 4]
    assert {"random", "greedy", "planner", "search"} <= set(options["agents"])
    assert options["default_rules"] == {"sea_league": "each_player", "first_check_round": 6}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_board_has_layers_hexes_and_sites(server, theme) -> None:
    query = f"edition=europe&scenario=Colombo&theme={theme}"
    answer = server.client.get(f"/api/board?{query}")
    board = answer.json()
    assert answer.headers["cache-control"].startswith("private, max-age=")
    assert board["ground"].startswith("<polygon")
    assert len(board["hexes"]) == len({tuple(h["cell"]) for h in board["hexes"]}) > 300
    assert len(board["sites"]) == 48
    assert len(board["crests"]) == 4
    assert len({region["color"] for region in board["regions"]}) == 6
    for region in board["regions"]:
        assert region["outline"].count("M") == region["outline"].count("Z") >= 1
    assert [fief["number"] for fief in board["fiefs"]] == list(range(1, 13))


def test_frames_tell_every_move_in_order(server, rng) -> None:
    table, people = server.open()
    play_on(people, rng, 11)
    everything = people[0].look(since=0)
    assert [frame["move"] for frame in everything["frames"]] == list(range(12))
    assert [frame["move"] for frame in people[0].look(since=9)["frames"]] == [9, 10, 11]
    last = people[0].look()
    assert last["frames"] == everything["frames"][-1:]
    told = [{"move": f["move"], "lines": f["lines"]} for f in everything["frames"][:-1]]
    assert last["log"] == told
    assert last["moves"] == 11
    assert server.public(table).look()["seat"] is None


def test_turns_hold_all_legal_choices(server, rng) -> None:
    table, people = server.open()
    kinds = set()

    def check(position: dict[str, Any]) -> None:
        room = server.rooms.get(table)
        if position["turn"] is not None and room.session.to_act == position["seat"]:
            legal = np.flatnonzero(room.session.question()[1]).tolist()
            assert choices(position["turn"]) == legal
        for choice in (position["turn"] or {}).get("placements", ()):
            kinds.add(choice["kind"])

    play_on(people, rng, seen=check)
    assert kinds == {"fief", "wedding", "donation"}


def test_hints_come_best_first(server, rng) -> None:
    _, people = server.open()
    play_on(people, rng, 2)
    (person,) = [p for p in people.values() if p.look()["turn"]]
    for agent in ("greedy", "search@16"):
        hint = person.get("/hint", agent=agent).json()
        assert hint["agent"] == agent
        assert 1 <= len(hint["choices"]) <= 12
        actions = [choice["action"] for choice in hint["choices"]]
        assert set(actions) <= set(choices(person.look()["turn"]))
        assert all((c["share"] is None) == (agent == "greedy") for c in hint["choices"])


def test_a_long_poll_answers_with_the_next_move(server) -> None:
    _, people = server.open(["human", "greedy"])
    people[0].play_first()
    after = people[0].look(since=2, wait=20)  # greedy plans
    assert after["moves"] >= 2
    assert after["frames"][0]["move"] == 2


def test_a_long_poll_ends_when_its_time_is_up(server) -> None:
    _, people = server.open()
    answer = people[1].look(since=1, wait=1)
    assert (answer["frames"], answer["moves"]) == ([], 0)


def test_a_client_that_lags_is_told_where_the_game_is(server) -> None:
    _, people = server.open()
    assert people[0].look(since=500)["frames"] == []


TUSCANY = {"edition": EDITIONS["tuscany"]}
BAD_TABLES: list[tuple[Any, str]] = [
    ({}, "edition is None"),
    ({"edition": "atlantis"}, "edition is 'atlantis'; known: europe"),
    ({"edition": "../europe"}, "known: europe"),
    ({"num_players": 5}, "num_players is 5"),
    ({"num_players": "2"}, "num_players is '2'"),
    ({"scenario": "Nero"}, "no scenario 'Nero'"),
    ({"scenario": 3}, "scenario is 3"),
    ({"rules": {"dragons": 1}}, "rules hold 'dragons'"),
    ({"rules": [1]}, "rules is [1]"),
    ({"rules": {"first_check_round": 0}}, "first_check_round is 0"),
    ({"seats": ["human"]}, "seats are"),
    ({"seats": ["human", 1]}, "seats are"),
    ({"seats": ["human", "os:system"]}, "there is no agent 'os:system' here"),
    ({"names": ["x" * 41, ""]}, "up to 40 printable characters"),
    ({"names": ["\x1b[2J", ""]}, "printable"),
    ({"names": "Ann"}, "names are"),
    ({**TUSCANY, "scenario": "Colombo"}, "scenario is 'Colombo'; The Castles of Tuscany has none"),
    ({**TUSCANY, "rules": {"max_laps": 0}}, "max_laps is 0; it takes 1 to 200"),
    ({**TUSCANY, "rules": {"sea_league": "first_only"}}, "rules hold 'sea_league'"),
    ({**TUSCANY, "num_players": 5}, "num_players is 5"),
]


@pytest.mark.parametrize(("wrong", "message"), BAD_TABLES)
def test_tables_that_cannot_be_are_refused(server, wrong, message) -> None:
    right = {"edition": "europe", "num_players": 2, "seats": ["human", "greedy"]}
    answer = server.client.post("/api/tables", json={**right, **wrong} if wrong else {})
    assert answer.status_code == 400
    assert message in answer.json()["error"]["message"]
    assert "\n" not in answer.json()["error"]["message"]
    assert server.rooms.store.count() == 0


def test_failing_requests_change_nothing(server, rng) -> None:
    table, people = server.open()
    play_on(people, rng, 7)
    acting = next(p for p in people.values() if p.look()["turn"])
    waiting = next(p for p in people.values() if not p.look()["turn"])
    public, stranger = server.public(table), Person(server, table, "guessed")
    position = acting.look()
    number, legal = position["moves"], choices(position["turn"])
    illegal = next(a for a in range(10_000) if a not in legal)
    before = [p.get().content for p in (*people.values(), public)]
    moves = f"{acting.path}/moves"

    def post(content: bytes) -> Any:
        return server.client.post(moves, content=content, headers=acting.headers)

    expected = [
        (acting.move(move=number, action=illegal), 400, "illegal"),
        (acting.move(move=number, action=10**9), 400, "illegal"),
        (acting.move(move=number, action=-1), 400, "illegal"),
        (acting.move(move=number, action="1"), 400, "malformed"),
        (acting.move(move=number, action=True), 400, "malformed"),
        (acting.move(action=legal[0]), 400, "malformed"),
        (acting.move(move=number - 1, action=legal[0]), 409, "stale"),
        (acting.move(move=number + 1, action=legal[0]), 409, "stale"),
        (waiting.move(move=number, action=legal[0]), 403, "forbidden"),
        (public.move(move=number, action=legal[0]), 403, "forbidden"),
        (stranger.move(move=number, action=legal[0]), 403, "forbidden"),
        (stranger.get(), 403, "forbidden"),
        (public.get("/hint", agent="greedy"), 403, "forbidden"),
        (waiting.get("/hint", agent="greedy"), 403, "forbidden"),
        (acting.get("/hint", agent="os:system"), 400, "illegal"),
        (acting.get("/record"), 403, "forbidden"),
        (acting.get(since="x"), 400, "malformed"),
        (acting.get(since=1, wait=-1), 400, "malformed"),
        (acting.get(theme="pink"), 400, "malformed"),
        (server.public("nowhere").get(), 404, "not_found"),
        (server.public("nowhere").move(move=0, action=0), 404, "not_found"),
        (server.client.get(acting.path, headers={"Authorization": "x"}), 400, "malformed"),
        (server.client.get("/api/board?edition=atlantis"), 400, "malformed"),
        (server.client.get("/api/board?edition=europe&scenario=Nero"), 400, "malformed"),
        (server.client.get("/api/nothing"), 404, "not_found"),
        (server.client.delete(acting.path), 405, "malformed"),
        (post(b"{"), 400, "malformed"),
        (post(b"\xff\xfe"), 400, "malformed"),
        (post(b"[" * 100_00), 400, "malformed"),
        (post(b"[1]"), 400, "malformed"),
        (post(b'{"move": NaN, "action": 1}'), 400, "malformed"),
        (post(b'{"move": 1' + b"0" * 5000 + b"}"), 400, "malformed"),
        (post(b" " * (MAX_BODY + 1)), 413, "too_large"),
    ]
    for answer, status, code in expected:
        assert answer.status_code == status, answer.text
        assert answer.json()["error"]["code"] == code
        assert answer.json()["error"]["message"]
    assert [p.get().content for p in (*people.values(), public)] == before
    assert acting.move(move=number, action=legal[0]).status_code == 200


def test_each_seat_has_a_token_of_its_own_and_only_hashes_are_kept(server) -> None:
    _, people = server.open(["human", "human", "random"])
    tokens = {p.headers["Authorization"].removeprefix("Bearer ") for p in people.values()}
    assert len(tokens) == 2
    assert min(map(len, tokens)) >= 32
    assert not any(token.encode() in server.data.read_bytes() for token in tokens)
    other, _ = server.open()
    assert Person(server, other, tokens.pop()).get().status_code == 403


# Gonzaga's own: refusals and the overview


def test_a_seat_is_told_why_not(server) -> None:
    _, people = server.open()
    plan = next(p for p in people[0].look()["turn"]["plans"] if p["card"] == "B")
    off = people[0].get("/refusal", rotation=0, at="-3,0").json()["refusal"]
    assert (off["kind"], off["rule"]) == ("off_map", "R4.3")
    assert all(row < 0 for row, _ in off["hexes"])
    ring = people[0].get("/refusal", plan=plan["action"], ring="9,9").json()["refusal"]
    assert (ring["kind"], ring["card"], ring["rule"]) == ("no_alliance", "B", "R5.1")
    assert people[0].get("/refusal", plan=plan["action"]).json() == {"refusal": None}


@pytest.mark.parametrize(
    "query",
    [
        {"rotation": 6, "at": "1,1"},
        {"rotation": "", "at": "1,1"},
        {"at": "1,1"},
        {"rotation": 0, "at": "1"},
        {"rotation": 0, "at": "1,1,1"},
        {"rotation": 0, "at": "99999,1"},
        {"rotation": 0, "at": "\u0661,1"},
        {"ring": ["1,1", "1,2", "1,3"]},
        {"ring": ""},
        {"ring": "a,b"},
        {"plan": 42},
        {"plan": -1},
        {"plan": "9" * 900},
        {"plan": "\u0661"},
    ],
)
def test_malformed_questions_are_refused(server, query) -> None:
    _, people = server.open()
    answer = people[0].get("/refusal", **query)
    assert error_of(answer) == (400, "malformed")
    assert len(answer.json()["error"]["message"]) < 200


def test_refusals_are_for_seats_of_games_that_last(server, rng) -> None:
    table, people = server.open()
    assert server.public(table).get("/refusal", ring="1,1").status_code == 403
    play_on(people, rng)
    answer = people[0].get("/refusal", ring="1,1")
    assert (answer.status_code, "the game is over" in answer.text) == (403, True)


def test_everybody_sees_the_overview_and_only_own_objectives(server, rng) -> None:
    table, people = server.open()
    play_on(people, rng, 8)
    public = server.public(table).get("/overview").json()
    assert public["objective"] == []
    assert {group["seat"] for group in public["groups"]} <= {0, 1}
    assert len(public["seas"]) == 6
    mine = people[0].get("/overview").json()
    assert len(mine["objective"]) == 6
    assert mine["seas"] == public["seas"]
