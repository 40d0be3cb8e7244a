"""The rated games of people, in the file of tables. A person is known by the hash of a key only.

| outcome | the game |
|---|---|
| NULL | is in play |
| "played" | was played to its end; `places` has the place of each seat |
| "resigned", "abandoned" | counts as lost: the person gave up, or the table was dropped |
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from gonzaga_agents.statistics.rankings import places_of

from gonzaga_env.tabletop.errors import GameError
from gonzaga_env.tabletop.spec import Config

from ...session import GameSession
from ..rooms.store import Store

MAX_PEOPLE, MAX_PEOPLE_EACH = 10_000, 100  # in all, and by each client
MAX_RESULTS = 1000  # of a person; older ones are dropped


class RatedError(GameError, RuntimeError):
    """A rated game cannot be opened or resigned like this."""


class Result(NamedTuple):
    """A rated game.

    Attributes:
        table: its id.
        game: the game's name.
        num_players: P.
        seat: the person's.
        agents: the spec of each seat's agent, None for the person, [P].
        ended: when it ended, in seconds; None while it is in play.
        outcome: see the table above.
        places: the place of each seat, 0 for winners, [P]; None if it was not played to its end.
        kept: whether its table is still there, 0 or 1.
    """

    table: str
    game: str
    num_players: int
    seat: int
    agents: list[str | None]
    ended: float | None
    outcome: str | None
    places: list[int] | None
    kept: int


def places_at(table: GameSession) -> tuple[int, ...]:
    """Returns the place of each seat at a table whose game is over, [P], 0 for winners."""
    players = table.view("public").players
    totals = [getattr(player, "total", sum(player.scores)) for player in players]
    return places_of(totals, [seat for seat, player in enumerate(players) if player.won])


class Results:
    """The rated games of a server; used from one event loop only."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def check(self, person: str, client: str) -> None:
        """Checks that a person may begin a game.

        Raises:
            RatedError: the person has another one under way, or there are too many people.
        """
        query = "SELECT table_id FROM results WHERE person = ? AND outcome IS NULL"
        if found := self._store.rows(query, person):
            raise RatedError(
                f"your rated game at /table/{found[0][0]} is not over; finish or resign it first"
            )
        if self._store.rows("SELECT 1 FROM people WHERE id = ?", person):
            return
        query = "SELECT count(*), coalesce(sum(client = ?), 0) FROM people"
        ((total, own),) = self._store.rows(query, self._store.digest(client))
        if own >= MAX_PEOPLE_EACH or total >= MAX_PEOPLE:
            raise RatedError("too many people of this address have ratings here; use one of theirs")

    def begin(
        self,
        person: str,
        client: str,
        table: str,
        config: Config,
        agents: Sequence[str | None],
        now: float,
    ) -> None:
        """Notes that a person has begun a rated game, the only seat without an agent."""
        run = self._store.run
        run(
            "INSERT INTO people VALUES (?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET used = excluded.used",
            person,
            self._store.digest(client),
            now,
        )
        run(
            "INSERT INTO results (table_id, person, game, num_players, seat, agents, began) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            *(table, person, config.game, config.num_players),
            *(list(agents).index(None), json.dumps(list(agents)), now),
        )
        run(
            "DELETE FROM results WHERE person = ?1 AND table_id NOT IN "
            "(SELECT table_id FROM results WHERE person = ?1 ORDER BY began DESC LIMIT ?2)",
            person,
            MAX_RESULTS,
        )

    def is_open(self, table: str) -> bool:
        """Returns whether a table's game is rated and in play."""
        query = "SELECT 1 FROM results WHERE table_id = ? AND outcome IS NULL"
        return bool(self._store.rows(query, table))

    def finish(self, table: str, places: Sequence[int], now: float) -> None:
        """Notes the places of a game that was played to its end."""
        self._end(table, "played", json.dumps(list(places)), now)

    def resign(self, table: str, now: float) -> None:
        """Counts a game as lost."""
        self._end(table, "resigned", None, now)

    def _end(self, table: str, outcome: str, places: str | None, now: float) -> None:
        self._store.run(
            "UPDATE results SET outcome = ?, places = ?, ended = ? "
            "WHERE table_id = ? AND outcome IS NULL",
            outcome,
            places,
            now,
            table,
        )

    def cancel(self, table: str) -> None:
        """Deletes a game in play because an agent has failed."""
        self._store.run("DELETE FROM results WHERE table_id = ? AND outcome IS NULL", table)

    def of(self, person: str) -> list[Result]:
        """Returns a person's games in the order in which they ended; those in play come last."""
        rows = self._store.rows(
            "SELECT table_id, game, num_players, seat, agents, ended, outcome, "
            "coalesce(places, 'null'), EXISTS (SELECT 1 FROM tables WHERE id = table_id) "
            "FROM results WHERE person = ? ORDER BY ended IS NULL, ended, began",
            person,
        )
        return [
            Result._make((*row[:4], json.loads(row[4]), *row[5:7], json.loads(row[7]), row[8]))
            for row in rows
        ]

    def forget(self, person: str) -> int:
        """Deletes a person with all games, and returns the number of games."""
        number = len(self._store.rows("SELECT 1 FROM results WHERE person = ?", person))
        self._store.run("DELETE FROM people WHERE id = ?", person)
        return number

    def sweep(self, before: float) -> None:
        """Forgets people who began their last game before a time."""
        self._store.run("DELETE FROM people WHERE used < ?", before)
