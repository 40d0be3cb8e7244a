"""Tables in SQLite as browsers have it, against Python's own module."""

from __future__ import annotations

import pytest
from gonzaga_table.browser.database import Connection, OperationalError
from gonzaga_table.browser.stand_ins import sqlite_module
from gonzaga_table.web.rooms import store
from gonzaga_table.web.rooms.store import Store, StoreError

from tests.table.browser.one_page import Database


@pytest.fixture
def tables(monkeypatch) -> Store:
    monkeypatch.setattr(store, "sqlite3", sqlite_module(Database))
    return Store(":memory:")


def test_tables_are_kept_and_dropped(tables) -> None:
    tables.add("a", {"table": {"name": "Mantova"}}, "client", 10.0)
    tables.add_moves("a", 0, [(0, 7), (1, 8)], {1: 3}, 12.0, over=True)
    found = tables.load("a")
    assert found["table"] == {"name": "Mantova"}
    assert found["moves"] == [[0, 7], [1, 8]]
    assert found["pending"] == [[1, 3]]
    assert found["used"] == 12
    assert tables.count("client") == 1
    assert tables.unused(before=13.0, number=5) == ["a"]
    tables.drop(["a"])
    assert tables.load("a") is None
    tables.close()


def test_a_transaction_that_fails_leaves_nothing(tables) -> None:
    tables.add("a", {}, "client", 10.0)

    def add_two() -> None:
        with tables.transaction():
            tables.add("b", {}, "client", 10.0)
            tables.add("a", {}, "client", 10.0)

    with pytest.raises(StoreError, match="UNIQUE"):
        add_two()
    assert tables.count() == 1
    with tables.transaction(), tables.transaction():
        tables.add("b", {}, "client", 10.0)
    assert tables.count() == 2


def test_a_cursor_gives_rows_once() -> None:
    connection = Connection(Database())
    connection.execute("CREATE TABLE numbers (value INTEGER)")
    connection.executemany("INSERT INTO numbers VALUES (?)", [(1,), (2,), (3,)])
    found = connection.execute("SELECT value FROM numbers")
    assert found.fetchone() == (1,)
    assert list(found) == [(2,), (3,)]
    assert found.fetchone() is None
    assert found.fetchall() == []
    with pytest.raises(OperationalError, match="syntax"):
        connection.execute("SELEC 1")
