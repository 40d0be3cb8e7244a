"""The browser table under test, and the two people who play at it."""

from __future__ import annotations

import http.client
import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from gonzaga_env.core.records import replay
from tools.chaos_cases import Case
from tools.chaos_faults import LostError, Program, wait_until


class BrowserTable(Case):
    """A table for two people; what it confirms are the moves that it answered."""

    name = "browser table"

    def __init__(self, folder: Path, log: Path) -> None:
        super().__init__(folder, log)
        self._file, self._rng = folder / "tables.sqlite", Random(1)
        self._path, self._tokens = "", list[str]()
        # Moves that had been made before, seat, action: a sealed one is made after others.
        self._confirmed, self._is_over = list[tuple[int, int, int]](), False

    def start(self, most_bytes: int | None = None) -> Program:
        """Starts a server with the file."""
        given = ["--port", "0", "--data", str(self._file), "--no-open"]
        return Program("gonzaga-play", given, self._log, most_bytes)

    def work(self, program: Program) -> int:
        """Plays to the end of the game, or of the server; then the server is ended."""
        wait_until(lambda: "http://" in program.out or not program.is_running, "starting")
        if not program.is_running:
            return program.wait()
        self._is_over = False
        found = re.search(r"http://127\.0\.0\.1:(\d+)", program.out)
        assert found is not None
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
        try:
            self._play(connection)
        except (OSError, http.client.HTTPException):
            wait_until(lambda: not program.is_running, "ending without an answer")
            return program.wait()
        finally:
            connection.close()
        program.end(signal.SIGTERM)
        program.check_messages(0)
        return 0

    def _play(self, connection: http.client.HTTPConnection) -> None:
        if not self._path:
            asked = {"edition": "europe", "num_players": 2, "seats": ["human", "human"]}
            made = self._ask(connection, "POST", "/api/tables", None, asked)
            if made is None:
                return
            self._path = f"/api/tables/{made['table']}"
            self._tokens = [seat["token"] for seat in made["seats"]]
        for position in self._turns(connection):
            turn, number = position["turn"], position["moves"]
            action = self._rng.choice(turn.get("plans") or turn["placements"])["action"]
            path, seat = f"{self._path}/moves", position["seat"]
            asked = {"move": number, "action": action}
            if self._ask(connection, "POST", path, self._tokens[seat], asked) is None:
                return
            self._confirmed.append((number, seat, action))
        if self._is_over:
            self._check_record(connection)

    def _turns(self, connection: http.client.HTTPConnection) -> Iterator[dict[str, Any]]:
        """Yields the position as the seat to act sees it, until the game is over."""
        while True:
            for token in self._tokens:
                position = self._ask(connection, "GET", self._path, token)
                if position is None:
                    return
                kept = position["moves"] + len(position["sealed"])
                if kept < len(self._confirmed):
                    self._lose(f"{kept} of {len(self._confirmed)} moves")
                self._is_over = position["over"]
                if self._is_over:
                    return
                if position["turn"] is not None:
                    yield position

    def _lose(self, what: str) -> None:
        """Raises LostError, unless the file was damaged: then the moves before that are left."""
        if self.spoiled is None:
            raise LostError(f"the table holds {what}")
        self._confirmed.clear()

    def _ask(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        token: str | None,
        content: Any = None,
    ) -> Any:
        """Returns an answer; None if the server said that it cannot use its file."""
        while True:
            headers = {} if token is None else {"Authorization": f"Bearer {token}"}
            body = None if content is None else json.dumps(content)
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            answer = json.loads(response.read())
            if response.status in (200, 201):
                return answer
            error = answer["error"]
            may_fail = self.when_full is not None or self.spoiled is not None
            if not may_fail or error["code"] not in ("failed", "not_found"):
                raise LostError(f"{method} {path}: {response.status} {error}")
            is_named = str(self._file) in error["message"] or "saved table" in error["message"]
            if "\n" in error["message"] or (error["code"] == "failed" and not is_named):
                raise LostError(f"{method} {path}: the error is not one line with a name: {error}")
            if self.when_full is None:
                return None
            self.when_full()
            self.when_full = None

    def _check_record(self, connection: http.client.HTTPConnection) -> None:
        record = self._ask(connection, "GET", f"{self._path}/record", self._tokens[0])
        game = replay(record)
        for number, seat, action in self._confirmed:
            made = next(move for move in record["moves"][number:] if move["seat"] == seat)
            if game.actions.parse(made["action"]) != action:
                raise LostError(f"seat {seat}'s move after {number} is another one in the record")

    def check(self) -> None:
        """Checks nothing: `work` compares the table with what was confirmed."""

    def check_done(self) -> None:
        """Checks that the game has been played to its end."""
        if not self._is_over and self.spoiled is None:
            raise LostError("the game is not over")

    def newest(self) -> Path | None:
        """Returns the write-ahead log, or the file itself."""
        log = self._file.with_name(f"{self._file.name}-wal")
        return next((path for path in (log, self._file) if path.exists()), None)
