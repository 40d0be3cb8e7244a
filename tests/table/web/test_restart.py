"""A server that stops, is killed, or finds another program's file."""

import json
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx2
import pytest
from gonzaga_table.web.store import SCHEMA_VERSION, Store, StoreError

from tests.table.web.conftest import EDITIONS, TWO_PEOPLE, Tables, choices, play_on
from tests.table.web.served import DEADLINE, Served, serving


@pytest.mark.parametrize("game", EDITIONS)
def test_a_restart_restores_tables_in_mid_game(server, rng, game) -> None:
    asked = {"edition": EDITIONS[game], "names": ["Ann", "", "Bob"]}
    tables = [server.open(["human", "greedy", "human"], **asked) for _ in "ab"]
    for _, people in tables:
        play_on(people, rng, 9)
        while 1 in people[0].look()["deciding"]:  # the agent
            time.sleep(0.02)
    all_there = [[*people.values(), server.public(table)] for table, people in tables]
    before = [[one.look(since=0) for one in there] for there in all_there]
    server.restart()
    assert not server.rooms._rooms  # they are read when somebody asks
    assert [[one.look(since=0) for one in there] for there in all_there] == before
    assert play_on(tables[0][1], rng, 4)["moves"] >= before[0][0]["moves"]


def test_agents_go_on_after_a_restart(server) -> None:
    """The server stops right after a person's move, when the agents have not answered."""
    _, people = server.open(["human", "greedy", "greedy"])
    people[0].play_first()
    server.restart()
    number = 1
    while not (position := people[0].look(since=number, wait=20))["turn"]:
        number = position["moves"] + 1
    assert position["moves"] >= 3


def test_damaged_moves_are_told_at_their_table_only(server, clock) -> None:
    table, people = server.open()
    _, others = server.open()
    people[0].play_first()
    server.stop()
    with closing(sqlite3.connect(server.data)) as database, database:
        database.execute("UPDATE moves SET action = 41 WHERE table_id = ?", (table,))
        database.execute("UPDATE moves SET seat = 1 WHERE table_id = ?", (table,))
    server.start()
    answer = people[0].get()
    assert answer.status_code == 500
    assert others[0].get().status_code == 200


def test_a_file_that_takes_no_moves_is_named_on_the_terminal_only(server, caplog) -> None:
    _, people = server.open()
    server.rooms.store._db.execute("PRAGMA query_only = 1")
    before = people[0].look()
    answer = people[0].move(action=choices(people[0].look()["turn"])[0], move=0)
    assert answer.status_code == 500
    assert answer.json()["error"]["message"].startswith("the tables cannot be stored")
    assert str(server.data) not in answer.text
    assert f"{server.data}: attempt to write a readonly database" in caplog.text
    server.rooms.store._db.execute("PRAGMA query_only = 0")
    assert people[0].look() == before
    people[0].play_first()


@pytest.mark.parametrize(
    "content", [b"no database at all, but text" * 150, b"SQLite format 3\x00" + b"\xff" * 4000]
)
def test_a_file_that_is_no_database_is_named(tmp_path, content) -> None:
    file = tmp_path / "tables.sqlite"
    file.write_bytes(content)
    with pytest.raises(StoreError, match=re.escape(f"{file}: is damaged")):
        Store(file)
    assert file.read_bytes() == content


def test_other_programs_files_and_versions_are_left_alone(tmp_path) -> None:
    other, later = tmp_path / "other.sqlite", tmp_path / "later.sqlite"
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreError, match="a database of another program"):
        Store(other)
    Store(later).close()
    for version in (1, SCHEMA_VERSION - 1, SCHEMA_VERSION + 1):
        with closing(sqlite3.connect(later)) as database:
            database.execute(f"PRAGMA user_version = {version}")
        with pytest.raises(StoreError, match="version"):
            Store(later)
    with closing(sqlite3.connect(later)) as database:
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        database.execute("CREATE VIEW endless AS SELECT 1")
    with pytest.raises(StoreError, match="holds other tables"):
        Store(later)


def test_one_server_uses_a_file(tmp_path) -> None:
    first = Store(tmp_path / "tables.sqlite")
    first.add("a", {}, 0.0)
    with pytest.raises(StoreError, match="in use by another server"):
        Store(tmp_path / "tables.sqlite")
    first.close()
    second = Store(tmp_path / "tables.sqlite")
    assert second.count() == 1
    second.close()


@contextmanager
def served_tables(folder: Path) -> Iterator[tuple[Served, Tables]]:
    """Yields a server in a process of its own, and its tables."""
    with (
        serving(folder) as served,
        httpx2.Client(base_url=served.address, timeout=DEADLINE) as client,
    ):
        yield served, Tables(client)


def test_a_killed_server_loses_no_confirmed_move(tmp_path, rng) -> None:
    with served_tables(tmp_path) as (served, tables):
        table, people = tables.open(["human", "greedy"])
        play_on(people, rng, 7)
        served.process.kill()
        served.process.wait()
    with closing(Store(tmp_path / "tables.sqlite")) as store:
        moves = store.load(table)["moves"]
    confirmed = people[0].confirmed
    assert {(n, action) for n, (seat, action) in enumerate(moves) if seat == 0} == {*confirmed}
    with served_tables(tmp_path) as (_, people[0].server):
        assert people[0].look(since=0)["moves"] >= confirmed[-1][0] + 1
        play_on(people, rng, 2)


def test_ctrl_c_ends_a_server_that_somebody_waits_for(tmp_path) -> None:
    with serving(tmp_path) as served, httpx2.Client(timeout=DEADLINE) as client:
        made = client.post(f"{served.address}/api/tables", json=TWO_PEOPLE).json()
        path = f"{served.address}/api/tables/{made['table']}?since=1&wait=25"
        with client.stream("GET", f"{served.address}/api/options") as answer:
            json.loads(answer.read())
        waiting = subprocess.Popen(
            [sys.executable, "-c", f"import httpx2; print(httpx2.get({path!r}, timeout=60).text)"],
            stdout=subprocess.PIPE,
            text=True,
        )
        with waiting:
            client.get(f"{path.partition('?')[0]}?since=1&wait=1")
            served.process.send_signal(signal.SIGINT)
            assert served.process.wait(DEADLINE) == 130
            waiting.wait()
        assert served.log() == "gonzaga play: interrupted\n"
