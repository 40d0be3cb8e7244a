"""Nothing that a table sends depends on what is hidden from the one who asks."""

import pytest
from gonzaga_table import session
from gonzaga_table.web.room import Room
from httpx2 import Response
from starlette.testclient import TestClient

from tests.marks import nightly
from tests.table.twins import Viewer, twin_of
from tests.table.web.conftest import Person, choices, play_on


def answers(client: TestClient, person: Person, number: int) -> list[bytes]:
    """Returns all that somebody can make the server say without moving."""
    asked = [person.get(), person.get(theme="dark"), person.get(since=number)]
    asked += [person.get("/hint", agent="greedy"), person.get("/record")]
    asked.append(person.move(move=number, action=99_999))
    asked += [person.move(move=number - 2, action=0), person.move(move=number, action=None)]
    if number % 8 == 3:
        asked += pages(person, number)
        asked += [person.get("/overview"), person.get("/refusal", rotation=1, at="9,9")]
        asked += [person.get("/refusal", plan=plan, ring=["9,9", "9,10"]) for plan in (2, 23)]
    if number % 8 in (2, 7):  # a placement is to be taken back: asked, and withdrawn
        asked += [person.post("undo", move=number, act=act) for act in ("ask", "refuse")]
    if "turn" in asked[0].json() and asked[0].json()["turn"]:
        legal = set(choices(asked[0].json()["turn"]))
        illegal = next(action for action in range(50, 9_000) if action not in legal)
        asked.append(person.move(move=number, action=illegal))
    return [answer.content for answer in asked]


def pages(person: Person, number: int) -> list[Response]:
    """Returns the answers that tell a game from its start."""
    found: list[Response] = []
    told = 0
    while told <= number:
        found.append(person.get(since=told))
        told += len(found[-1].json()["frames"])
    return found


@pytest.mark.parametrize(("players", "num_viewers"), [(2, 1), *nightly((3, 1), (2, 3))])
def test_what_is_hidden_changes_no_answer(server, rng, monkeypatch, players, num_viewers) -> None:
    """A whole game of people: they and the public get a twin at every move.

    In CI, one of them in turn does at every third move, among them those in mid-plan.
    """
    monkeypatch.setattr(session.secrets, "randbits", lambda bits: 1)  # one deal: no chance
    table, people = server.open(["human"] * players)
    viewers: dict[Viewer, Person] = {**people, "public": server.public(table)}
    real = server.rooms.get(table)
    num_moves, changed, num_pending = 0, set[str](), 0
    while True:
        is_checked = num_viewers > 1 or num_moves % 3 == 1 or real.session.over
        for offset in range(num_viewers if is_checked else 0):
            viewer, person = [*viewers.items()][(num_moves + offset) % len(viewers)]
            twin = twin_of(real.session, viewer, rng)
            told = answers(server.client, person, num_moves)
            server.rooms._rooms[table] = Room(table, twin, real.token_hashes, real.last_used)
            told_by_twin = answers(server.client, person, num_moves)
            server.rooms._rooms[table] = real
            if real.session.over:  # then the record tells all
                told.pop(4)
                told_by_twin.pop(4)
            assert told_by_twin == told, (num_moves, viewer)
            changed |= {
                name
                for name, array in real.session.state.arrays().items()
                if (getattr(twin.state, name) != array).any()
            }
        if real.session.over:
            break
        play_on(dict(reversed(people.items())) if rng.integers(2) else people, rng, 1)
        num_moves = real.session.num_moves
        num_pending += bool(real.session.pending)
    assert num_pending >= 3  # the second seat has planned first
    assert {"deck", "objective", "plan"} <= changed
    assert changed <= {"deck", "objective", "plan", "scores"}  # scores: objectives, at the end


def test_a_finished_table_of_strangers_tells_all(server, rng) -> None:
    table, people = server.open()
    play_on(people, rng)
    view = server.public(table).look()["frames"][-1]["view"]
    assert all(player["objective"] for player in view["players"])
