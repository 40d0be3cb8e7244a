"""A server without sockets, and people who play at its tables."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_table.web import apart
from gonzaga_table.web.analysis import analyses
from gonzaga_table.web.app import make_app
from gonzaga_table.web.rooms import thinking
from gonzaga_table.web.rooms.rooms import Rooms
from gonzaga_table.web.rooms.roster import Roster
from gonzaga_table.web.rooms.store import Store
from gonzaga_table.web.workshop import queue
from httpx2 import Response
from starlette.testclient import TestClient

from gonzaga_env.core.editions.loading import load_edition
from tests.table.web.browser import open_page, site  # noqa: F401, fixtures
from tests.table.web.patience import SECONDS, AtUsualPriority

BASE = "http://127.0.0.1"
TWO_PEOPLE = {"edition": "europe", "num_players": 2, "seats": ["human", "human"]}


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the processes of a server in this process run like the tests."""
    for module, name in ((queue, "serve"), (analyses, "serve"), (thinking, "_serve")):
        monkeypatch.setattr(module, name, AtUsualPriority(getattr(module, name)))
    monkeypatch.setattr(apart, "START_SECONDS", SECONDS)
    monkeypatch.setattr(queue, "JOB_SECONDS", SECONDS)


class Clock:
    """A clock that tests set, and one that only goes on."""

    def __init__(self) -> None:
        self.now, self.elapsed = 1000.0, 0.0

    def __call__(self) -> float:
        return self.now

    def steady(self) -> float:
        return self.elapsed

    def go_on(self, seconds: float) -> None:
        self.now += seconds
        self.elapsed += seconds


class Person:
    """Somebody in a browser: the seat of a token, or the public."""

    def __init__(self, client: TestClient, table: str, token: str | None = None) -> None:
        self.client, self.path = client, f"/api/tables/{table}"
        self.headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    def get(self, what: str = "", **query: Any) -> Response:
        return self.client.get(self.path + what, params=query, headers=self.headers)

    def look(self, **query: Any) -> dict[str, Any]:
        answer = self.get(**query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def move(self, **content: Any) -> Response:
        return self.client.post(f"{self.path}/moves", json=content, headers=self.headers)

    def play_first(self) -> None:
        """Plays the first legal action."""
        position = self.look()
        answer = self.move(move=position["moves"], action=choices(position["turn"])[0])
        assert answer.status_code == 200, answer.text


class Server:
    """A server that can be stopped and started again on the same file.

    Attributes:
        editions: those on offer from the next start on.
    """

    def __init__(self, data: str | Path, clock: Clock) -> None:
        self.data, self.clock = data, clock
        self.editions: dict[str, Any] = {"europe": load_edition("europe")}
        self._stack = ExitStack()

    def start(self, *, agents: tuple[str, ...] = (), max_tables: int = 100) -> TestClient:
        store = Store(self.data)
        self.rooms = Rooms(
            store, Roster(agents), self.editions, max_tables, 30, self.clock, self.clock.steady
        )
        self.client = TestClient(make_app(self.rooms), base_url=BASE)
        self._stack.enter_context(self.client)
        return self.client

    @contextmanager
    def running(self, **options: Any) -> Iterator[TestClient]:
        try:
            yield self.start(**options)
        finally:
            self.stop()

    def stop(self) -> None:
        self._stack.close()

    def open(self, seats: list[str], **more: Any) -> tuple[str, dict[int, Person]]:
        """Opens a table, and returns its id with those who sit there."""
        asked = {"edition": "europe", "num_players": len(seats), "seats": seats, **more}
        answer = self.client.post("/api/tables", json=asked)
        assert answer.status_code == 201, answer.text
        table, tokens = answer.json()["table"], answer.json()["seats"]
        return table, {s["seat"]: Person(self.client, table, s["token"]) for s in tokens}


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """What tests that are coroutines run on."""
    return "asyncio"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(clock: Clock, tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "tables.sqlite", clock)
    with server.running():
        yield server


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def choices(turn: dict[str, Any]) -> list[int]:
    """Returns the legal actions of a turn."""
    found = next(turn[key] for key in ("plans", "placements", "choices") if key in turn)
    return [choice["action"] for choice in found]


def play_on(
    people: dict[int, Person],
    rng: np.random.Generator,
    num_moves: int | None = None,
    seen: Callable[[dict[str, Any]], None] = lambda position: None,
) -> dict[str, Any]:
    """Lets people play random legal actions, as many as given or to the end."""
    done, position = 0, {}
    while num_moves is None or done < num_moves:
        for person in people.values():
            position = person.look()
            seen(position)
            if position["over"]:
                return position
            if position["turn"] is not None:
                break
        else:  # agents think
            person.look(since=position["moves"] + 1, wait=20)
            continue
        action = int(rng.choice(choices(position["turn"])))
        answer = person.move(move=position["moves"], action=action)
        assert answer.status_code == 200, answer.text
        seen(answer.json())
        done += 1
    return position
