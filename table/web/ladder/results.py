"""The rated games of people, in the file of tables. A person is known by the hash of a key only.

Several people at a table have a row each.

| outcome | the game |
|---|---|
| NULL | is in play |
| "played" | was played to its end; `places` has the place of each seat |
| "resigned", "late" | counts as lost: the person gave up, or had no time left |
| "abandoned" | counts as lost: the table of one person was dropped |
| "conceded" | counts as won: the only other player gave up or had no time left |
| "failed" | does not count: an agent failed |
| "replaced" | does not count: of several others one gave up or was late, or all people were late |
| "left" | does not count: the table of several people was dropped |
| "address" | does not count: two seats were played from one address |
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gonzaga_agents.statistics.rankings import places_of

from gonzaga_env.tabletop.errors import GameError
from gonzaga_env.tabletop.spec import Config

from ...session import GameSession
from ..rooms.store import Store
from .ratings import rating_of

MAX_PEOPLE, MAX_PEOPLE_EACH = 10_000, 100  # in all, and by each client
MAX_RESULTS = 1000  # of a person; older ones are dropped
MAX_ADDRESSES = 8  # that are known of a seat


class RatedError(GameError, RuntimeError):
    """A rated game cannot be opened or resigned like this."""


class RatedPerson(NamedTuple):
    """Somebody who plays for a rating.

    Attributes:
        key: the hash of the person's key.
        address: the digest of the client.
    """

    key: str
    address: str


class Result(NamedTuple):
    """A rated game.

    Attributes:
        table: its id.
        game: the game's name.
        num_players: P.
        seat: the person's.
        agents: the spec of each seat's agent, None for the person, and of other people their
            ratings when the game began, [P].
        ended: when it ended, in seconds; None while it is in play.
        outcome: see the table above.
        places: the place of each seat, 0 for winners, [P]; None if it was not played to its end.
        kept: whether its table is still there, 0 or 1.
    """

    table: str
    game: str
    num_players: int
    seat: int
    agents: list[str | float | None]
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

    def check(self, person: RatedPerson) -> None:
        """Checks that a person may begin a game.

        Raises:
            RatedError: the person has another one under way, or there are too many people.
        """
        if table := self.under_way(person):
            raise RatedError(
                f"your rated game at /table/{table} is not over; finish or resign it first"
            )
        if self._store.rows("SELECT 1 FROM people WHERE id = ?", person.key):
            return
        query = "SELECT count(*), coalesce(sum(client = ?), 0) FROM people"
        ((total, own),) = self._store.rows(query, person.address)
        if own >= MAX_PEOPLE_EACH or total >= MAX_PEOPLE:
            raise RatedError("too many people of this address have ratings here; use one of theirs")

    def under_way(self, person: RatedPerson) -> str | None:
        """Returns the table of a person's game in play; None if there is none."""
        query = "SELECT table_id FROM results WHERE person = ? AND outcome IS NULL"
        return next((table for (table,) in self._store.rows(query, person.key)), None)

    def begin(
        self,
        people: Mapping[int, RatedPerson],
        table: str,
        config: Config,
        agents: Sequence[str | None],
        now: float,
    ) -> None:
        """Notes that people have begun a rated game, those of all seats without an agent."""
        kind = config.game, config.num_players
        ratings = dict[int, Any]()
        for seat, person in people.items() if len(people) > 1 else ():
            ended = [result for result in self.of(person.key) if result.outcome is not None]
            ratings[seat] = rating_of(ended, *kind)["curve"][-1][1]
        run = self._store.run
        for seat, person in people.items():
            run(
                "INSERT INTO people VALUES (?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET used = excluded.used",
                *(*person, now),
            )
            others = [None if i == seat else ratings.get(i, name) for i, name in enumerate(agents)]
            run(
                "INSERT INTO results (table_id, person, game, num_players, seat, agents, began, "
                "num_people, addresses) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                *(table, person.key, *kind, seat, json.dumps(others), now),
                *(len(people), person.address),
            )
            run(
                "DELETE FROM results WHERE person = ? AND table_id NOT IN "
                "(SELECT table_id FROM results WHERE person = ? ORDER BY began DESC LIMIT ?)",
                *(person.key, person.key, MAX_RESULTS),
            )

    def is_open(self, table: str) -> bool:
        """Returns whether a table's game is rated and in play."""
        query = "SELECT 1 FROM results WHERE table_id = ? AND outcome IS NULL"
        return bool(self._store.rows(query, table))

    def finish(self, table: str, places: Sequence[int], now: float) -> None:
        """Notes the places of a game that was played to its end."""
        self._end(table, "played", json.dumps(list(places)), now)

    def give_up(self, table: str, seat: int, outcome: str, now: float) -> None:
        """Counts a game as lost for a seat: of two players the other has won."""
        self._store.run(
            "UPDATE results SET ended = ?, outcome = CASE WHEN seat = ? THEN ? "
            "WHEN num_players = 2 THEN 'conceded' ELSE 'replaced' END "
            "WHERE table_id = ? AND outcome IS NULL",
            *(now, seat, outcome, table),
        )

    def void(self, table: str, why: str, now: float) -> None:
        """Notes that a game does not count, and why."""
        self._end(table, why, None, now)

    def moves_alone(self, table: str, seat: int, address: str) -> bool:
        """Returns whether no other seat has used the address of a move, and notes the address."""
        query = (
            "SELECT seat, addresses FROM results "
            "WHERE table_id = ? AND outcome IS NULL AND num_people > 1"
        )
        known = {one: used.split() for one, used in self._store.rows(query, table)}
        own = known.pop(seat, [address])
        if address not in own:
            self._store.run(
                "UPDATE results SET addresses = ? WHERE table_id = ? AND seat = ?",
                *(" ".join([*own, address][-MAX_ADDRESSES:]), table, seat),
            )
        return not any(address in used for used in known.values())

    def _end(self, table: str, outcome: str, places: str | None, now: float) -> None:
        self._store.run(
            "UPDATE results SET outcome = ?, places = ?, ended = ? "
            "WHERE table_id = ? AND outcome IS NULL",
            outcome,
            places,
            now,
            table,
        )

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
