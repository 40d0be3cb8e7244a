"""Plays a little at a table as a browser's page does, and prints what it was answered."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from typing import Any

from gonzaga_table.browser.stand_ins import install


class Database:
    """What a script makes of sql.js, by Python's own SQLite."""

    def __init__(self) -> None:
        self._opened = sqlite3.connect(":memory:", isolation_level=None)
        self.script = self._opened.executescript
        self.close = self._opened.close

    def all(self, statement: str, values: Any) -> list[Any]:
        return self._opened.execute(statement, values).fetchall()


class Page:
    """Asks the server, and keeps its answers."""

    def __init__(self, server: Any) -> None:
        self.server, self.number = server, 0

    async def ask(
        self, method: str, target: str, content: Any = None, token: str | None = None
    ) -> Any:
        self.number += 1
        heard = Heard(self.server, self.number, stream="/events" in target)
        headers = [] if token is None else [["authorization", f"Bearer {token}"]]
        headers += [["content-type", "application/json"], ["origin", "https://example.org"]]
        body = b"" if content is None else json.dumps(content).encode()
        await self.server.answer(self.number, method, target, json.dumps(headers), body, heard)
        return heard


class Heard:
    """Keeps an answer; of a stream, its first part."""

    def __init__(self, server: Any, number: int, stream: bool) -> None:
        self._leave = (lambda: server.leave(number)) if stream else (lambda: None)
        self.status, self.text = 0, ""

    def start(self, status: int, headers: str) -> None:
        self.status = status

    def send(self, content: bytes) -> None:
        self.text += content.decode()
        self._leave()

    def end(self) -> None:
        pass


async def play() -> dict[str, Any]:
    from gonzaga_table.browser.serving import Server

    page = Page(Server("/docs/at/7"))
    lobby = await page.ask("GET", "/")
    asked = {"edition": "europe", "num_players": 2, "seats": ["human", "learned"]}
    made = await page.ask("POST", "/api/tables", asked)
    found = json.loads(made.text)
    table, token = f"/api/tables/{found['table']}", found["seats"][0]["token"]
    moved, events = [], []
    hint = await page.ask("GET", f"{table}/hint?agent=planner", token=token)
    for _ in range(2):
        news = await page.ask("GET", f"{table}/events?theme=light", token=token)
        events.append(news.text.startswith("data: {"))
        while True:  # until the agent has planned or placed
            position = json.loads((await page.ask("GET", table, token=token)).text)
            if position["turn"] is not None:
                break
            await asyncio.sleep(0)
        move = {"move": position["moves"], "action": _first(position["turn"])}
        moved.append((await page.ask("POST", f"{table}/moves", move, token)).status)
    return {
        "lobby": lobby.status,
        "address": 'src="/docs/at/7/static/lobby/main.js"' in lobby.text,
        "table": made.status,
        "events": events,
        "moved": moved,
        "hint": hint.status,
        "threads": threading.active_count(),
    }


def _first(turn: Any) -> int:
    """Returns the first action that a turn names."""
    if isinstance(turn, dict):
        if isinstance(turn.get("action"), int):
            return int(turn["action"])
        turn = list(turn.values())
    if isinstance(turn, list):
        for part in turn:
            if (found := _first(part)) >= 0:
                return found
    return -1


if __name__ == "__main__":
    install(Database)
    print(json.dumps(asyncio.run(play())))
