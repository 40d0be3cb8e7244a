"""The file of tables: who may read it, and which table makes room for another."""

import json
import os
import sqlite3
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_table.web import rooms
from gonzaga_table.web.analysis import identity_of
from gonzaga_table.web.store import Store

from gonzaga_env.core import Engine
from tests.core.test_records import record_games
from tests.table.web.conftest import DAY, Person, Server, error_of


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
def test_the_file_is_its_owners_alone(tmp_path, monkeypatch) -> None:
    """It holds the seeds of all games."""
    file, seen = tmp_path / "tables.sqlite", []
    connect = sqlite3.connect

    def connecting(path: Path, **options: object) -> sqlite3.Connection:
        seen.append(mode(path))  # before SQLite writes its first byte
        return connect(path, **options)

    monkeypatch.setattr(sqlite3, "connect", connecting)
    before = os.umask(0o022)
    try:
        store = Store(file)
        store.add("a", {}, 0.0)
        found = {name.name: mode(name) for name in tmp_path.iterdir()}
    finally:
        os.umask(before)
    store.close()
    assert seen == [0o600]
    assert set(found.values()) == {0o600}
    assert found.keys() >= {"tables.sqlite", "tables.sqlite-wal"}


WRONG = [None, True, 10**30, 1.5, "x\n", [], {}, [[0, "x"]]]


def damaged(value: Any) -> Iterator[Any]:
    """Yields copies of a JSON value in which something is missing or wrong."""
    yield from WRONG
    if isinstance(value, list) and value:
        yield value[:-1]
        for one in damaged(value[-1]):
            yield [*value[:-1], one]
    if isinstance(value, dict):
        for key in value:
            yield {name: kept for name, kept in value.items() if name != key}
            for one in damaged(value[key]):
                yield {**value, key: one}


def assert_told(server: Server, person: Person, caplog: Any) -> bool:
    """Asks for a table that may be damaged; returns whether it was refused in one line."""
    server.rooms._forget([person.path.rpartition("/")[2]])
    caplog.clear()
    answers = [person.get(since=0), person.get(), server.client.get(person.path)]  # else it raises
    for answer in answers:
        assert answer.status_code in (200, 403, 404, 500), answer.text
        if answer.status_code == 500:
            assert error_of(answer) == (500, "failed")
    lines = [line for line in caplog.messages if "damaged" in line]
    assert not any("\n" in line or len(line) > 300 for line in lines)
    return answers[0].status_code == 500 and len(lines) == 3


def test_a_damaged_table_is_refused_in_one_line(server, caplog) -> None:
    table, people = server.open(["human", "greedy"])
    person = people[0]
    person.play_first()
    while person.look()["turn"] is None:
        pass
    person.post("undo", move=person.look()["moves"], act="ask", knowing=True)
    person.play_first()
    while person.look()["moves"] < 2:
        pass
    room = server.rooms.get(table)
    server.rooms.agents.stop(room)
    store = server.rooms.store
    ((content,),) = store.rows("SELECT content FROM tables WHERE id = ?", table)
    refused = 0
    for wrong in damaged(json.loads(content)):
        store.run("UPDATE tables SET content = ? WHERE id = ?", json.dumps(wrong), table)
        refused += assert_told(server, person, caplog)
    assert refused > 80
    for wrong in (b"\xff", "", "{", "[" * 100_000, 7, b"\x00"):
        store.run("UPDATE tables SET content = ? WHERE id = ?", wrong, table)
        assert assert_told(server, person, caplog)
    store.run("UPDATE tables SET content = ? WHERE id = ?", content, table)
    assert person.look()["moves"] == room.session.num_moves
    for what in ("used = 'x'", "used = x'ff'"):
        store.run(f"UPDATE tables SET {what} WHERE id = ?", table)
        assert assert_told(server, person, caplog)
    store.run("UPDATE tables SET used = 1000 WHERE id = ?", table)
    wrongs = ("seat = 'x'", "seat = 7", "action = 'x'", "action = x'ff'", "action = -1")
    for what in (*wrongs, "action = 1.5", "action = 9999999", "number = 77", "number = -1"):
        rows = store.rows("SELECT * FROM moves WHERE table_id = ?", table)
        store.run(f"UPDATE moves SET {what} WHERE number = 0 AND table_id = ?", table)
        assert assert_told(server, person, caplog), what
        store.run("DELETE FROM moves WHERE table_id = ?", table)
        for row in rows:
            store.run("INSERT INTO moves VALUES (?, ?, ?, ?)", *row)
    assert person.look()["moves"] == room.session.num_moves


def test_damaged_records_and_analyses_are_refused_in_one_line(server, caplog) -> None:
    line = json.dumps(record_games(Engine(1, 2, seed=5), 1)[0])
    game = server.client.post("/api/games", json={"text": line}).json()["id"]
    path, store = f"/api/games/{game}", server.rooms.store
    server.rooms.archive.keep(game, identity_of("greedy"), {"decisions": []})
    for content in (b"\xff", b"7", zlib.compress(b"[]"), zlib.compress(b"{"), 7, "x"):
        store.run("UPDATE analyses SET used = 'x', content = ?", content)
        answer = server.client.get(f"{path}/analysis?agent=greedy")
        assert error_of(answer) == (500, "failed")
        assert "damaged" in caplog.messages[-1]
    assert server.client.get(path).status_code == 200
    store.run("UPDATE records SET used = 'x'")
    assert server.client.get(path).status_code == 200
    for content in (b"\xff", "", "7", "{}", "[" * 9000, line.replace("2", "3"), 7):
        store.run("UPDATE records SET content = ?", content)
        for what in ("", "/drawn", "/record", "/analysis"):
            assert error_of(server.client.get(path + what)) == (500, "failed"), (content, what)
            assert "damaged" in caplog.messages[-1]


def open_played(server: Server) -> str:
    """Opens a table where one person has moved."""
    table, people = server.open()
    people[0].play_first()
    return table


def finish(server: Server, table: str) -> None:
    """Plays a table to its end, each move stored."""
    room, rng = server.rooms.get(table), np.random.default_rng(1)

    async def play() -> None:
        while not room.session.over:
            action = int(rng.choice(np.flatnonzero(room.session.question()[1])))
            server.rooms.play(room, room.session.to_act, room.session.num_moves, action)

    server.client.portal.call(play)


@pytest.fixture
def full(server, clock, monkeypatch) -> list[str]:
    """The tables of a server that takes no more, a minute apart; persons have moved at each."""
    monkeypatch.setattr(rooms, "MAX_TABLES", 5)
    tables = []
    for _ in range(5):
        tables.append(open_played(server))
        clock.go_on(60.0)
    return tables


def gone(server: Server, tables: list[str]) -> list[str]:
    return [table for table in tables if server.public(table).get().status_code == 404]


def test_tables_where_people_play_make_no_room(server, clock, full) -> None:
    clock.go_on(DAY)
    answer = server.ask()
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_many")
    assert "\n" not in answer.json()["error"]["message"]
    assert gone(server, full) == []


def test_a_finished_table_makes_room_the_one_unused_for_longest_first(server, full) -> None:
    for number in (3, 2):
        finish(server, full[number])
        server.clock.go_on(60.0)
    assert [server.ask().status_code for _ in range(3)] == [201, 201, 429]
    assert gone(server, full) == full[2:4]


def test_a_table_without_a_move_makes_room_after_an_hour(server, clock, monkeypatch) -> None:
    monkeypatch.setattr(rooms, "MAX_TABLES", 2)
    first, _ = server.open()
    assert (server.ask().status_code, server.ask().status_code) == (201, 429)
    clock.go_on(3601.0)
    server.public(first).look()  # somebody waits there
    assert server.ask().status_code == 201
    assert gone(server, [first]) == []


@pytest.mark.parametrize(("moves", "days"), [(0, 1.1), (1, 2.1), (60, 31)])
def test_a_table_makes_room_the_sooner_the_fewer_moves_people_made(
    server, clock, full, moves, days
) -> None:
    for _ in range(moves):
        server.rooms.store.note(full[0], server.rooms.wall_clock(), over=False, by_person=True)
    clock.go_on(days * DAY)
    for table in full[1:]:
        server.public(table).look()
    assert [server.ask().status_code for _ in range(2)] == [201, 429]
    assert gone(server, full) == full[:1]
