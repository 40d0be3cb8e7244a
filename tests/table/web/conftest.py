"""A server without sockets, and people who play at its tables."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gonzaga_table.web.agents import Roster, agent_of
from gonzaga_table.web.app import find_editions, make_app
from gonzaga_table.web.rooms import Rooms
from gonzaga_table.web.store import Store
from httpx2 import Response
from starlette.testclient import TestClient

from gonzaga_env.core import GameConfig
from tests.table.web.browser import begin, open_page, site  # noqa: F401, fixtures

BASE = "http://127.0.0.1"
OFFERED = find_editions([])
EDITIONS = {edition.game: name for name, edition in reversed(OFFERED.items())}  # the first of each
DAY = 86400.0
OWN_AGENTS = "First", "Failing", "Illegal", "Shapeless", "Once", "Picky", "Cheat", "Gated"
TWO_PEOPLE = {"edition": "europe", "num_players": 2, "seats": ["human", "human"]}


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
    """Somebody in a browser: the seat of a token, or the public.

    Attributes:
        confirmed: number and action of the moves that the server has confirmed.
    """

    def __init__(self, server: "Tables", table: str, token: str | None = None) -> None:
        self.server, self.path = server, f"/api/tables/{table}"
        self.confirmed: list[tuple[int, int]] = []
        self.headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    def get(self, what: str = "", **query: Any) -> Response:
        return self.server.client.get(self.path + what, params=query, headers=self.headers)

    def post(self, what: str, **content: Any) -> Response:
        path = f"{self.path}/{what}"
        return self.server.client.post(path, json=content, headers=self.headers)

    def look(self, **query: Any) -> dict[str, Any]:
        answer = self.get(**query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def move(self, **content: Any) -> Response:
        answer = self.post("moves", **content)
        if answer.status_code == 200:
            self.confirmed.append((content["move"], content["action"]))
        return answer

    def play_first(self) -> None:
        """Plays the first legal action."""
        position = self.look()
        answer = self.move(move=position["moves"], action=choices(position["turn"])[0])
        assert answer.status_code == 200, answer.text


class Tables:
    """The tables of a server that a client asks."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def ask(self, **asked: Any) -> Response:
        """Asks for a table: of two people, unless something else is asked for."""
        return self.client.post("/api/tables", json={**TWO_PEOPLE, **asked})

    def open(
        self, seats: Sequence[str] = ("human", "human"), **more: Any
    ) -> tuple[str, dict[int, Person]]:
        """Opens a table, and returns its id with those who sit there."""
        return self.seated(self.ask(num_players=len(seats), seats=seats, **more))

    def seated(self, answer: Response) -> tuple[str, dict[int, Person]]:
        """Returns the id of a table that was opened, with those who sit there."""
        assert answer.status_code == 201, answer.text
        table, tokens = answer.json()["table"], answer.json()["seats"]
        return table, {s["seat"]: Person(self, table, s["token"]) for s in tokens}

    def public(self, table: str) -> Person:
        return Person(self, table)


class Server(Tables):
    """A server that can be stopped and started again on the same file.

    Attributes:
        editions: those on offer from the next start on, at first all that are shipped.
    """

    def __init__(self, data: str | Path, clock: Clock) -> None:
        self.data, self.clock = data, clock
        self.editions = find_editions([])
        self._stack = ExitStack()

    def start(self, *, agents: tuple[str, ...] = (), **guards: Any) -> TestClient:
        store = Store(self.data)
        self.rooms = Rooms(store, Roster(agents), self.editions, self.clock, self.clock.steady)
        self.client = TestClient(make_app(self.rooms, **guards), base_url=BASE)
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

    def restart(self) -> None:
        self.stop()
        self.start()


def error_of(answer: Response) -> tuple[int, str]:
    """Returns status and code of an answer that refuses something."""
    return answer.status_code, answer.json()["error"]["code"]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """What tests that are coroutines run on."""
    return "asyncio"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(clock, tmp_path) -> Iterator[Server]:
    server = Server(tmp_path / "tables.sqlite", clock)
    with server.running():
        yield server


@pytest.fixture
def mine(tmp_path) -> Callable[[str], str]:
    """Returns a function that names an agent of a test's own copy of `own_agents.py`."""
    file = shutil.copy(Path(__file__).with_name("own_agents.py"), tmp_path / "mine.py")
    return lambda name: f"{file}:{name}"


@pytest.fixture
def own(mine, clock, tmp_path) -> Iterator[Server]:
    """A server that offers these agents."""
    server = Server(tmp_path / "own.sqlite", clock)
    with server.running(agents=tuple(map(mine, OWN_AGENTS))):
        yield server


def module_of(name: str, num_players: int = 2) -> SimpleNamespace:
    """Returns the module of one of these agents, as the server has it."""
    agent = agent_of(name, GameConfig(num_players, None))
    return SimpleNamespace(**type(agent).act.__globals__)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def choices(turn: dict[str, Any]) -> list[int]:
    """Returns the legal actions of a turn."""
    found = next(turn[key] for key in ("plans", "placements", "choices") if key in turn)
    return [choice["action"] for choice in found]


def whose_turn(
    people: dict[int, Person], seen: Callable[[dict[str, Any]], None] = lambda position: None
) -> tuple[Person, dict[str, Any]]:
    """Returns one of those who are to move, or anybody once the game is over, and the position."""
    while True:
        looks = []
        for person in people.values():
            looks.append(person.look())
            seen(looks[-1])
            if looks[-1]["over"] or looks[-1]["turn"] is not None:
                return person, looks[-1]
        person.look(since=looks[0]["moves"] + 1, wait=20)  # an agent thinks, or has just moved


def play_on(
    people: dict[int, Person],
    rng: np.random.Generator,
    num_moves: int | None = None,
    seen: Callable[[dict[str, Any]], None] = lambda position: None,
) -> dict[str, Any]:
    """Lets people play random legal actions, as many as given or to the end."""
    done, position = 0, {}
    while num_moves is None or done < num_moves:
        person, position = whose_turn(people, seen)
        if position["over"]:
            return position
        action = int(rng.choice(choices(position["turn"])))
        answer = person.move(move=position["moves"], action=action)
        assert answer.status_code == 200, answer.text
        seen(answer.json())
        done += 1
    return position
