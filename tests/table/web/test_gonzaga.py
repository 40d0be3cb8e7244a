"""Answers for Gonzaga's page: refusals and the overview, and requests that are malformed."""

import pytest

from tests.table.web.conftest import error_of, play_on


def test_a_seat_is_told_why_not(server) -> None:
    _, people = server.open()
    plan = next(p for p in people[0].look()["turn"]["plans"] if p["card"] == "B")
    off = people[0].get("/refusal", rotation=0, at="-3,0").json()["refusal"]
    assert (off["kind"], off["rule"]) == ("off_map", "R4.3")
    assert all(row < 0 for row, _ in off["hexes"])
    ring = people[0].get("/refusal", plan=plan["action"], ring="9,9").json()["refusal"]
    assert (ring["kind"], ring["card"], ring["rule"]) == ("no_alliance", "B", "R5.1")
    assert people[0].get("/refusal", plan=plan["action"]).json() == {"refusal": None}


def test_every_spot_of_a_turn_is_not_refused(server) -> None:
    _, people = server.open()
    turn = people[1].look()["turn"] or people[0].look()["turn"]
    person = people[1] if people[1].look()["turn"] else people[0]
    for group in turn["spots"][:6]:
        plan = next(
            p["action"]
            for p in turn["plans"]
            if p["card"] == group["card"] and p["region"] in group["regions"]
        )
        rotation, row, column, _ = group["spots"][0]
        answer = person.get("/refusal", plan=plan, rotation=rotation, at=f"{row},{column}")
        assert answer.json() == {"refusal": None}


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
