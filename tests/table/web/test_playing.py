"""Maps that are played on straight from the editor."""

import json
import re
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import is_dataclass
from typing import Any

import numpy as np
import pytest
from gonzaga_table.web.editor import handlers
from gonzaga_table.web.editor.model import to_edition, to_model
from gonzaga_table.web.rooms import editions as kept
from gonzaga_table.web.rooms import rooms as rooms_module
from httpx2 import Response

from gonzaga_env.core.board.tables import tables_for
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.core.records import replay
from gonzaga_env.core.single.tables import game_tables_for
from tests.table.web.conftest import DAY, OFFERED, Server, error_of, play_on


@pytest.fixture
def model() -> dict[str, Any]:
    return {**to_model(load_edition("europe")), "name": "My map"}


def keep(server: Server, model: Any) -> Response:
    return server.client.post("/api/editor/keep", json={"model": model})


def kept_id(server: Server, model: Any) -> str:
    answer = keep(server, model)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])


def test_a_map_is_played_on_at_once_and_after_a_restart(model, server, rng) -> None:
    for none in (None, 3, [], {}, {"name": "x"}):
        assert keep(server, none).status_code == 422
    assert server.client.post("/api/editor/keep", content=b"{").status_code == 400
    for unknown in ({"id": "edited/0"}, {}):
        assert server.client.get("/api/edition", params=unknown).status_code == 400
    name = kept_id(server, model)
    assert name.startswith("edited/")
    assert server.client.get("/api/edition", params={"id": name}).json()["name"] == "My map"
    _, people = server.open(["human", "random"], edition=name)
    position = people[0].look()
    assert position["edition"] == name
    assert server.client.get(position["board"]).status_code == 200
    people[0].play_first()
    server.restart()
    assert people[0].look()["edition"] == name
    assert play_on(people, rng)["over"]
    assert people[0].get("/record").status_code == 200


def test_a_map_is_kept_once_and_a_shipped_one_not_at_all(model, server) -> None:
    rooms, same = server.rooms, json.loads(json.dumps(model))
    assert rooms.keep_edition(model, "c") == rooms.keep_edition(same, "d")
    assert len(rooms.editions.kept()) == 1
    assert rooms.keep_edition(to_model(load_edition("europe")), "c") == "europe"
    assert set(rooms.editions) == set(OFFERED)  # maps of strangers are not listed
    assert "My map" not in server.client.get("/api/options").text


def test_a_new_map_is_made_for_a_game_and_its_record_names_it(server, rng) -> None:
    answer = server.client.post("/api/editor/generate", json={})
    assert answer.status_code == 200, answer.text
    name, title = answer.json()["id"], answer.json()["name"]
    assert re.fullmatch(r"generated:grow-\d+", name)
    assert title == name.replace("generated:", "Map ")
    assert load_edition(name).digest == server.rooms.editions[name].digest
    assert name not in server.client.get("/api/options").text
    _, people = server.open(["human", "planner"], edition=name)
    assert people[0].look()["edition"] == name
    people[0].play_first()
    server.restart()
    assert people[0].look()["edition"] == name
    assert server.client.get(people[0].look()["board"]).status_code == 200
    assert play_on(people, rng)["over"]
    record = json.loads(people[0].get("/record").text)
    assert record["edition"] == name
    assert replay(record).state.finished.all()


def test_policies_play_on_new_maps_and_not_on_other_unknown_ones(model, server) -> None:
    server.client.post("/api/editor/generate", json={})
    (name,) = server.rooms.editions.kept()
    seats = ["human", "learned"]
    assert server.ask(seats=seats, edition=name).status_code == 201
    model["barrier"].pop()
    refused = server.ask(seats=seats, edition=kept_id(server, model))
    assert "made for" in refused.json()["error"]["message"]


def test_a_map_that_nobody_made_here_is_unknown(server) -> None:
    """To make one takes a job of its own, which is limited."""
    asked = server.client.get("/api/board", params={"edition": "generated:grow-18"})
    assert error_of(asked)[0] == 400
    assert server.ask(edition="generated:grow-18").status_code == 400


def test_maps_with_faults_are_refused_with_the_first(model) -> None:
    model["city"].pop()
    with pytest.raises(handlers.RefusedError, match="the map can't be played on yet") as refused:
        handlers.keep({"model": model})
    assert (refused.value.code, refused.value.status) == ("faults", 422)


def test_maps_that_are_too_large_to_play_on_are_refused(model, monkeypatch) -> None:
    monkeypatch.setattr(handlers, "MAX_ACTIONS", 3000)
    with pytest.raises(handlers.RefusedError, match="it has 3203 actions"):
        handlers.keep({"model": model})


def test_maps_are_bounded_and_those_without_tables_make_room(model, server, monkeypatch) -> None:
    monkeypatch.setattr(kept, "MAX_KEPT_EACH", 2)
    rooms = server.rooms
    first, second = (rooms.keep_edition({**model, "name": f"map {i}"}, "c") for i in range(2))
    server.open(["human", "random"], edition=first)
    third = rooms.keep_edition({**model, "name": "third"}, "c")
    assert sorted(rooms.editions.kept()) == sorted([first, third])
    server.open(["human", "random"], edition=third)
    with pytest.raises(kept.TooManyError, match="your address plays on 2 edited or new maps"):
        rooms.keep_edition({**model, "name": "fourth"}, "c")
    rooms.keep_edition({**model, "name": "fourth"}, "somebody else")
    assert second not in rooms.editions


def test_tables_stay_in_memory_while_there_is_room_for_their_maps(
    model, server, monkeypatch
) -> None:
    """In 0.11 each map took up to 40 MB for ever."""
    size = kept.memory_of(server.editions["europe"])
    monkeypatch.setattr(rooms_module, "MAP_BYTES", 2 * size)
    names = [server.rooms.keep_edition({**model, "name": f"map {i}"}, "c") for i in range(3)]
    tables = [server.open(edition=name)[0] for name in names]
    assert [*server.rooms._rooms] == tables[1:]
    server.public(tables[1]).look()
    server.public(tables[0]).look()  # read from the file again
    assert [*server.rooms._rooms] == [tables[1], tables[0]]
    with ExitStack() as waiting:
        for room in server.rooms._rooms.values():
            waiting.enter_context(room.attended("public"))
        for answer in (server.ask(edition=names[2]), server.public(tables[2]).get()):
            assert error_of(answer) == (429, "too_many")
            assert "large maps" in answer.json()["error"]["message"]
        server.open()  # what the server offers is never refused
    assert server.public(tables[2]).get().status_code == 200


@pytest.mark.parametrize("more", [0, pytest.param(479, marks=pytest.mark.nightly)])
def test_the_memory_of_a_map_is_known_roughly(model, more) -> None:
    width = len(model["map"][0])
    sea, rest = list("4" * width), more % width
    model["map"] += [sea] * (more // width) + [[*"4" * rest, *"." * (width - rest)]] * (rest > 0)
    edition = to_edition(model)
    assert len(edition.grid) == 316 + more
    tables = tables_for(edition)
    measured = held(tables) + held(game_tables_for(tables))
    assert measured / 1.5 < kept.memory_of(edition) < 1.5 * measured


def held(value: Any) -> int:
    """Returns the bytes of arrays, integers and bytes that something holds."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, int | bytes | str):
        return sys.getsizeof(value)
    content = vars(value).values() if is_dataclass(value) else value
    return sum(map(held, content)) if isinstance(content, Iterable) else 0


def test_maps_go_with_their_tables(model, server, clock) -> None:
    name = server.rooms.keep_edition(model, "c")
    server.open(["human", "random"], edition=name)
    clock.go_on(2 * DAY)
    server.rooms.sweep()
    assert name in server.rooms.editions
    for _ in range(3):
        clock.go_on(20 * DAY)
        server.rooms.sweep()
    assert name not in server.rooms.editions


def test_names_of_a_map_are_text(model, server) -> None:
    """The page puts the drawing of the board into the document."""
    hostile = '<img src=x onerror="alert(1)">'
    for key in ("city", "harbor"):
        model[key][0]["name"] = hostile + key
    model["regions"] = [[mark, f"{name}<script>"] for mark, name in model["regions"]]
    for scenario in model["scenario"]:
        scenario["flourishing"] = [f"{name}<script>" for name in scenario["flourishing"]]
    name = server.rooms.keep_edition(model, "c")
    _, people = server.open(["human", "random"], edition=name)
    board = server.client.get(people[0].look()["board"]).json()
    drawn = json.dumps([board[layer] for layer in ("ground", "marks", "names")])
    assert "&lt;img src" in drawn
    assert "<img" not in drawn
    assert "<script" not in drawn


def test_a_map_cannot_be_rated(model, server) -> None:
    name = server.rooms.keep_edition(model, "c")
    asked = {"edition": name, "seats": ["human", "random"], "rated": "k" * 32}
    assert server.ask(**asked).status_code == 409
