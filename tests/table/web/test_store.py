"""The file of tables: who may read it, versions, and what is deleted by which clock."""

import json
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from gonzaga_table.session import GameSession, human
from gonzaga_table.web.rooms.room import hash_token
from gonzaga_table.web.rooms.rooms import MIN_SHARE
from gonzaga_table.web.rooms.store import SCHEMA_VERSION, Store, StoreError
from starlette.testclient import TestClient

from gonzaga_env.core import GameConfig
from tests.table.web.asking import play_out
from tests.table.web.conftest import DAY, TWO_PEOPLE, Person, Server, choices

#: The file as 0.6.0 makes it.
VERSION_1 = """
CREATE TABLE tables (id TEXT PRIMARY KEY, used REAL NOT NULL, content TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE moves (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number INTEGER NOT NULL, seat INTEGER NOT NULL, action INTEGER NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
PRAGMA application_id=1198485114;
PRAGMA user_version=1;
"""


def make_version_1(file: Path, tables: dict[str, GameSession], used: float) -> None:
    """Writes a file of 0.6.0; everybody's token is "token"."""
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript(f"PRAGMA journal_mode=WAL; {VERSION_1}")
        for name, table in tables.items():
            seats = {str(seat): hash_token(f"token {seat}") for seat in range(2)}
            content = {"table": {**table.as_dict(), "moves": []}, "tokens": seats}
            database.execute(
                "INSERT INTO tables VALUES (?, ?, ?)", (name, used, json.dumps(content))
            )
            for number, move in enumerate(table.moves):
                database.execute("INSERT INTO moves VALUES (?, ?, ?, ?)", (name, number, *move))


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def two_people(seed: int) -> GameSession:
    return GameSession(GameConfig(2), [human("Ann"), human("Bob")], seed)


def test_a_file_of_the_version_before_goes_on(clock, tmp_path) -> None:
    rng = np.random.default_rng(1)
    begun, over = two_people(1), two_people(2)
    begun.play(0, 0, begun.turn(0).choices[0].action)
    play_out(over, rng)
    make_version_1(tmp_path / "old.sqlite", {"begun": begun, "over": over}, clock.now)
    server = Server(tmp_path / "old.sqlite", clock)
    for number in (1, 2):  # upgraded, and read again as it is
        server.start()
        ann, bob = (Person(server, "begun", f"token {seat}") for seat in range(2))
        position = (ann, bob)[number % 2].look()
        assert position["moves"] == number
        assert server.rooms.count() == 2
        action = choices(position["turn"])[0]
        assert (ann, bob)[number % 2].move(move=number, action=action).status_code == 200
        assert Person(server, "over", "token 1").get("/record").status_code == 200
        assert ann.post("chat", emote="hello").json() == {"chat": number}
        server.stop()
    with closing(sqlite3.connect(tmp_path / "old.sqlite")) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)


def test_an_upgrade_that_fails_changes_nothing(tmp_path) -> None:
    file = tmp_path / "old.sqlite"
    make_version_1(file, {"a": two_people(1)}, 0.0)
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE salt (value TEXT)")
        before = list(database.iterdump())
    with pytest.raises(StoreError):
        Store(file)
    with closing(sqlite3.connect(file)) as database:
        assert list(database.iterdump()) == before
        assert database.execute("PRAGMA user_version").fetchone() == (1,)


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
def test_the_file_is_its_owners_alone(tmp_path, monkeypatch) -> None:
    """F10: 0.6.0 makes it 0644, and it holds the seeds of all games."""
    file, seen = tmp_path / "tables.sqlite", []
    connect = sqlite3.connect

    def connecting(path: Path, **options: object) -> sqlite3.Connection:
        seen.append(mode(path))  # before SQLite writes its first byte
        return connect(path, **options)

    monkeypatch.setattr(sqlite3, "connect", connecting)
    before = os.umask(0o022)
    try:
        store = Store(file)
        store.add("a", {}, "client", 0.0)
        found = {name.name: mode(name) for name in tmp_path.iterdir()}
    finally:
        os.umask(before)
    store.close()
    assert seen == [0o600]
    assert set(found.values()) == {0o600}
    assert found.keys() >= {"tables.sqlite", "tables.sqlite-wal"}


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
def test_files_of_before_are_made_private_and_those_of_others_left(tmp_path) -> None:
    """F10"""
    file, other = tmp_path / "tables.sqlite", tmp_path / "other.sqlite"
    make_version_1(file, {}, 0.0)
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    file.chmod(0o644)
    other.chmod(0o644)
    Store(file).close()
    assert mode(file) == 0o600
    with pytest.raises(StoreError):
        Store(other)
    assert mode(other) == 0o644


def test_the_file_names_no_client(tmp_path) -> None:
    store = Store(tmp_path / "a.sqlite")
    for number in range(40):
        store.add(str(number), {}, f"192.0.2.{number % 2}", 0.0)
    assert (store.count("192.0.2.0"), store.count("192.0.2.1"), store.count()) == (20, 20, 40)
    store.close()
    assert b"192.0.2" not in (tmp_path / "a.sqlite").read_bytes()


def test_a_clock_that_is_ahead_for_a_while_deletes_nothing(server, clock) -> None:
    """F8: on 0.6.0, one reading of a clock 31 days ahead deletes all tables."""
    tables = [server.open()[0] for _ in range(3)]
    clock.go_on(7200.0)
    clock.now += 31 * DAY
    server.rooms.sweep()
    server.ask()  # sweeps too
    clock.now -= 31 * DAY
    clock.go_on(7200.0)
    server.rooms.sweep()
    assert all(server.public(table).get().status_code == 200 for table in tables)


def test_a_server_deletes_nothing_in_its_first_hour(server, clock) -> None:
    """F8: it may have started while the clock was wrong."""
    table, _ = server.open()
    clock.now += 31 * DAY
    server.restart()
    for _ in range(5):
        clock.go_on(600.0)
        server.rooms.sweep()
    assert server.rooms.count() == 1
    clock.go_on(601.0)
    server.rooms.sweep()
    assert server.rooms.count() == 0
    assert server.public(table).get().status_code == 404


def test_a_clock_that_was_behind_does_not_make_tables_look_unused(server, clock) -> None:
    clock.now += 400 * DAY
    _, people = server.open()
    clock.now -= 390 * DAY
    people[0].play_first()
    clock.now += 390 * DAY
    for _ in range(3):
        clock.go_on(DAY)
        server.rooms.sweep()
    assert people[0].get().status_code == 200


def test_looking_keeps_a_table(server, clock) -> None:
    """F8: on 0.6.0, a table that is looked at daily but not played goes after 30 days."""
    looked, _ = server.open()
    forgotten, _ = server.open()
    for _ in range(35):
        clock.go_on(DAY)
        server.rooms.sweep()
        assert server.public(looked).get().status_code == 200
    assert server.public(forgotten).get().status_code == 404


def test_looking_is_noted_once_an_hour(server, clock, monkeypatch) -> None:
    _, people = server.open()
    noted = []
    monkeypatch.setattr(Store, "note", lambda self, table, now, over: noted.append(now))
    for _ in range(12):
        clock.go_on(600.0)
        people[0].look()
    assert len(noted) == 2


def test_one_client_does_not_fill_the_server(server) -> None:
    """F5: on 0.6.0, one client may open all tables that there are."""
    statuses = [server.ask().status_code for _ in range(25)]
    assert statuses == [201] * 20 + [429] * 5  # of 100
    message = server.ask().json()["error"]["message"]
    assert "20 tables here, its share" in message
    assert "\n" not in message
    other = TestClient(server.client.app, base_url="http://127.0.0.1", client=("198.51.100.7", 1))
    assert other.post("/api/tables", json=TWO_PEOPLE).status_code == 201


def open_played(server: Server) -> str:
    """Opens a table where one person has moved."""
    table, people = server.open()
    people[0].play_first()
    return table


def finish(server: Server, table: str) -> None:
    """Plays a table to its end, each move stored."""
    room, rng = server.rooms.get(table, "testclient"), np.random.default_rng(1)

    async def play() -> None:
        while not room.session.over:
            action = int(rng.choice(np.flatnonzero(room.session.question()[1])))
            server.rooms.play(room, room.session.to_act, room.session.num_moves, action)

    server.client.portal.call(play)


def test_a_finished_table_makes_room_for_its_client(server, clock) -> None:
    tables = [open_played(server) for _ in range(20)]
    for table in tables[3:5]:
        finish(server, table)
        clock.go_on(60.0)
    assert server.ask().status_code == 429  # used today
    clock.go_on(DAY + 3600.0)
    server.public(tables[3]).look()  # somebody looks at the older one
    assert server.ask().status_code == 201
    assert server.ask().status_code == 429
    gone = [t for t in tables if server.public(t).get().status_code == 404]
    assert gone == [tables[4]]


def test_counting_the_tables_of_a_client_reads_no_games(tmp_path) -> None:
    """Every request for a table is counted, also one that is refused."""
    with closing(Store(tmp_path / "tables.sqlite")) as store:
        for query in (
            "SELECT count(*) FROM tables WHERE client = 'x'",
            "SELECT id FROM tables WHERE client LIKE '%' AND (NOT played AND used < 1 OR over)",
            "SELECT id FROM tables WHERE used < 1 ORDER BY used LIMIT 5",
        ):
            ((*_, plan),) = store.rows(f"EXPLAIN QUERY PLAN {query}")[:1]
            assert "USING COVERING INDEX tables_of_clients" in plan, query


def test_a_full_server_drops_finished_tables_before_it_refuses(clock, tmp_path) -> None:
    server = Server(tmp_path / "few.sqlite", clock)
    with server.running(max_tables=MIN_SHARE - 1):
        tables = [open_played(server) for _ in range(MIN_SHARE - 1)]
        finish(server, tables[2])
        clock.go_on(DAY + 3600.0)
        clock.now += DAY  # whatever the clock says for a moment
        clock.now -= DAY
        assert server.ask().status_code == 201
        assert (server.ask().status_code, server.rooms.count()) == (429, MIN_SHARE - 1)
        assert server.public(tables[2]).get().status_code == 404


def test_unplayed_tables_make_room_before_anything_else(server, clock) -> None:
    """F5: on 0.6.0, a few clients fill the server for a month with tables that nobody plays at."""
    tables = [open_played(server) for _ in range(17)]
    tables += [server.open()[0] for _ in range(3)]
    finish(server, tables[0])
    for _ in range(3):
        clock.go_on(3600.0)
        server.public(tables[17]).look()  # somebody comes back to it
    assert [server.ask().status_code for _ in range(3)] == [201, 201, 429]
    clock.go_on(40 * 3600.0)
    for table in tables[:18]:
        server.public(table).look()
    statuses = [server.ask().status_code for _ in range(3)]
    assert statuses == [201, 201, 429]  # the two new ones, which nobody looked at
    gone = [t for t in tables if server.public(t).get().status_code == 404]
    assert gone == tables[18:]


def test_unplayed_tables_stay_while_the_clock_is_doubtful(server, clock) -> None:
    """F8"""
    for _ in range(20):
        server.open()
    clock.now += DAY
    assert server.ask().status_code == 429
    clock.now -= DAY
    clock.go_on(7201.0)
    assert server.ask().status_code == 201


def test_a_game_of_people_never_makes_room(server, clock) -> None:
    for _ in range(20):
        open_played(server)
    clock.go_on(20 * DAY)
    assert server.ask().status_code == 429
