"""The file of tables: who may read it, and which table makes room for another."""

import os
import sqlite3
import stat
from pathlib import Path

import numpy as np
import pytest
from gonzaga_table.web.rooms import rooms as module
from gonzaga_table.web.rooms.store import Store

from tests.table.web.conftest import DAY, Server


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
    monkeypatch.setattr(module, "MAX_TABLES", 5)
    tables = []
    for _ in range(5):
        tables.append(open_played(server))
        clock.go_on(60.0)
    return tables


def gone(server: Server, tables: list[str]) -> list[str]:
    return [table for table in tables if server.public(table).get().status_code == 404]


def test_tables_where_people_play_make_no_room(server, clock, full) -> None:
    clock.go_on(20 * DAY)
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
    monkeypatch.setattr(module, "MAX_TABLES", 2)
    first, _ = server.open()
    assert (server.ask().status_code, server.ask().status_code) == (201, 429)
    clock.go_on(3601.0)
    server.public(first).look()  # somebody waits there
    assert server.ask().status_code == 201
    assert gone(server, [first]) == []


def test_a_table_that_nobody_has_looked_at_for_a_month_makes_room(server, clock, full) -> None:
    clock.go_on(31 * DAY)
    for table in full[1:]:
        server.public(table).look()
    assert [server.ask().status_code for _ in range(2)] == [201, 429]
    assert gone(server, full) == full[:1]
