"""Hostile requests on every route that there is: each gets a 4xx, and nothing changes.

The routes are those of the application, so a new one is attacked without being named here.
"""

import json
import random
from collections.abc import Iterator

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.marks import nightly
from tests.table.web.conftest import Person, Server

TEXTS = [
    *("", "0", "-1", "1e9", "NaN", "null", "true", "None", "../../etc/passwd", "%00", "a" * 1500),
    *(
        "'; DROP TABLE tables; --",
        "<script>alert(1)</script>",
        "é" * 40,
        "\uff11",
        "europe/../",
        "edited/",
    ),
    *("edited/' OR 1=1", "k" * 32, "\u202e", "[]", "{}", "9" * 400),
]
VALUES = [
    *(None, True, -1, 0, 10**9, 10**400, 1.5, "", [], {}, [[]], {"a": 1}, "a" * 5000, "\ud800"),
    *(["human"] * 9, [None, None], ["human", "random"], "europe", "k" * 32, [0] * 2000),
]
NAMES = [
    *("edition", "num_players", "seats", "names", "rules", "scenario", "rated", "key", "move"),
    *(
        "action",
        "act",
        "knowing",
        "name",
        "agent",
        "seat",
        "text",
        "game",
        "model",
        "files",
        "record",
    ),
    *("moves", "position", "rows", "columns", "theme", "first_game", "prefix", "agents", "choice"),
]
BODIES = [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 9000, b'{"a":' * 3000, b"{}{}", b" " * 99]


@pytest.fixture
def attacked(clock, tmp_path) -> Iterator[tuple[TestClient, list[Route], Person]]:
    """A server, its routes, and a person at a table."""
    server = Server(tmp_path / "a", clock)
    with server.running() as client:
        routes = [route for route in client.app._app.routes if isinstance(route, Route)]
        yield client, routes, server.open()[1][0]


def body(rng: random.Random) -> bytes:
    """Returns a body that no route takes: names that are known with values that are wrong."""
    if rng.random() < 0.3:
        return rng.choice(BODIES)
    content = {name: rng.choice(VALUES) for name in rng.sample(NAMES, 6)}
    return json.dumps(content).encode("utf-8", "surrogatepass")


def send(client: TestClient, route: Route, rng: random.Random, person: Person) -> int:
    """Sends a hostile request, and returns the status of the answer."""
    known = person.path.rpartition("/")[2]
    streams = "events" in route.path  # of a known table it would not end
    path = route.path
    for name in route.param_convertors:
        found = rng.choice(TEXTS) if streams or rng.random() < 0.5 else known
        path = path.replace(f"{{{name}}}", found.replace("/", "%2F") or "x")
    query = {name: rng.choice(TEXTS) for name in rng.sample(("since", "theme", "id", *NAMES), 3)}
    headers = {"Authorization": f"Bearer {rng.choice(TEXTS[:6])}x"} if rng.random() < 0.3 else {}
    if rng.random() < 0.4:
        headers = dict(person.headers)
    method = sorted(route.methods or {"GET"})[-1]
    content = body(rng) if method == "POST" else None
    return client.request(method, path, params=query, headers=headers, content=content).status_code


@pytest.mark.parametrize("number", [4, *nightly(200)])
def test_every_route_refuses_what_is_hostile(attacked, number) -> None:
    rng = random.Random(number)
    client, routes, person = attacked
    before = person.look()
    api = [route for route in routes if route.path.startswith("/api/")]
    assert len(api) > 20
    for route in api:
        if "/name" in route.path:
            continue
        got = [send(client, route, rng, person) for _ in range(number)]
        assert all(status < 500 for status in got), (route.path, got)
    assert person.look()["moves"] == before["moves"]
    assert person.look()["seats"] == before["seats"]
