"""A table on the server: its game, who may act there, and who waits for news."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from math import inf

from gonzaga_env.tabletop.agent import Considered
from gonzaga_env.tabletop.errors import GameError
from gonzaga_env.tabletop.records.log import Viewer

from ...session import GameSession
from ..clients.limits import Share

SEAT_WAITS = 4  # requests that wait for news of a table, for each seat
SPECTATOR_WAITS = 32  # and of all who watch together
WATCHED_SECONDS = 60.0  # agents pause so long after somebody last looked
PROBLEM_SECONDS = 1.0  # that a request waits where an agent has failed

_serials = count(1)


class ForbiddenError(GameError, PermissionError):
    """The token is missing, wrong or another seat's."""


@dataclass(frozen=True)
class Failure:
    """Why an agent cannot move, and when it is asked again, on the steady clock."""

    why: str
    retry: float


class Room:
    """A table with its tokens and with those who wait for its next move.

    Attributes:
        id: names the table in addresses.
        serial: unique to this object; a table that is read again gets another.
        session: the game.
        failures: of the agents that cannot move, by seat.
        used: when it was last used, in seconds, as the file has it.
        asked: when somebody last asked, on the steady clock.
        client: who opened it or moved last; agents move in this client's turn (`AgentQueue`).
        agents: the task in which agents move.
        hints: the hint that each seat waits for.
    """

    def __init__(
        self,
        id: str,  # noqa: A002
        session: GameSession,
        hashes: Mapping[int, str],
        used: float,
    ) -> None:
        """Takes a game and the hash of each human seat's token."""
        self.id, self.session, self.used = id, session, used
        self.serial, self.asked = next(_serials), 0.0
        self.failures: dict[int, Failure] = {}
        self.client: str | None = None
        self.agents: asyncio.Task[None] | None = None
        self.hints: dict[int, asyncio.Future[Considered]] = {}
        self._hashes = dict(hashes)
        self._news = asyncio.Event()
        self._seated = Share(inf, SEAT_WAITS, "requests that wait for this seat")
        self._watching = Share(inf, SPECTATOR_WAITS, "requests that watch this table")
        self._num_waiting = 0

    @property
    def problem(self) -> str | None:
        """Why an agent cannot move; None if all can."""
        return next((failure.why for failure in self.failures.values()), None)

    def has_failed(self, seat: int, now: float) -> bool:
        """Returns whether a seat's agent has failed and is not asked yet, by the steady clock."""
        return seat in self.failures and now < self.failures[seat].retry

    @property
    def busy(self) -> bool:
        """Whether somebody waits for something here, or agents move."""
        return self.agents is not None or bool(self.hints) or self._num_waiting > 0

    @property
    def has_people(self) -> bool:
        """Whether a person plays here."""
        return bool(self._hashes)

    @property
    def present(self) -> list[int]:
        """The seats whose page is open."""
        return [seat for seat in range(len(self.session.seats)) if self._seated.used(str(seat))]

    @property
    def num_spectators(self) -> int:
        """The number of those who watch."""
        return int(self._watching.used("public"))

    def is_watched(self, now: float) -> bool:
        """Returns whether somebody waits or has just looked, by the steady clock."""
        return self._num_waiting > 0 or now - self.asked < WATCHED_SECONDS

    def seat_of(self, token: str) -> int:
        """Returns the seat of a token.

        Raises:
            ForbiddenError: the token is of no seat of this table.
        """
        given, found = hash_token(token), None
        for seat, kept in self._hashes.items():
            if hmac.compare_digest(given, kept):
                found = seat
        if found is None:
            raise ForbiddenError("the token is of no seat of this table")
        return found

    def notify(self) -> None:
        """Wakes all who wait."""
        self._news.set()
        self._news = asyncio.Event()

    async def wait(self, viewer: Viewer, seconds: float) -> None:
        """Waits for news until the time is up; seats and spectators have limits of their own.

        Raises:
            LimitError: too many requests of the seat, or of spectators, wait here.
        """
        if self.problem is not None:  # there will be no news, but not everybody knows of it yet
            seconds = min(seconds, PROBLEM_SECONDS)
        share = self._watching if viewer == "public" else self._seated
        with share.held(str(viewer)), suppress(TimeoutError):
            self._num_waiting += 1
            try:
                await asyncio.wait_for(self._news.wait(), seconds)
            finally:
                self._num_waiting -= 1


def hash_token(token: str) -> str:
    """Returns what is kept of a token. Tokens are long and random, so no salt is needed."""
    return hashlib.sha256(token.encode()).hexdigest()
