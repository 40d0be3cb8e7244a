"""A table on the server: its game, who may act there, and who waits for news."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count

from gonzaga_env.kernel.agent import Considered
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.view import Viewer

from ..session import GameSession
from .protocol import RequestError

MAX_WAITS = 32  # requests that wait for news of a table or stream it: of each seat, and spectators
WATCHED_SECONDS = 60.0  # time after the last request when agents pause
PRESENT_SECONDS = 3.0  # a page that loads again stays present
PRESENCE_SECONDS = 1.0  # between news of who is present: each goes to all who look
PROBLEM_SECONDS = 1.0  # that a request waits where an agent has failed

_serials = count(1)


@dataclass(frozen=True)
class AgentFailure:
    """Why an agent cannot move."""

    why: str  # in one line
    retry: float  # when it is asked again, on the monotonic clock
    times: int = 1  # how often it has failed in a row


@dataclass(frozen=True)
class TakeBack:
    """A request to the other people: to take the own last decision back."""

    seat: int  # who asks
    to: int  # moves that would be left
    reveals: bool  # whether hidden things have been shown since
    asked: tuple[int, ...]  # the people who have not agreed yet


class Room:
    """A table with its tokens and with those who wait for its next move."""

    def __init__(
        self,
        id: str,  # noqa: A002
        session: GameSession,
        token_hashes: Mapping[int, str],
        last_used: float,
    ) -> None:
        self.id, self.session = id, session
        self.serial = next(_serials)  # of this object and its history; not kept in the file
        self.token_hashes = dict(token_hashes)  # of each human seat's token
        self.last_used = last_used  # in seconds, as the file has it
        self.last_request = 0.0  # on the monotonic clock
        self.agents: asyncio.Task[None] | None = None  # in which agents move
        self.failures: dict[int, AgentFailure] = {}  # of the agents that cannot move, by seat
        self.hints: dict[int, asyncio.Future[Considered]] = {}  # that each seat waits for
        self.undo: TakeBack | None = None  # that somebody asks for
        self.next: str | None = None  # the id of the rematch
        self.lock = asyncio.Lock()  # for what takes several steps
        self.news = asyncio.Event()  # set at the next news, and then replaced by another one
        self.ended = False  # waiting requests return: the server stops, or the table is reloaded
        self._present: Counter[Viewer] = Counter()  # open pages
        self._last_presence: tuple[list[int], int] = [], 0  # at the last news of it
        self._presence_timer: asyncio.TimerHandle | None = None
        self._waiting: Counter[Viewer] = Counter()  # requests of each seat, and of spectators

    @property
    def problem(self) -> str | None:
        """Why an agent cannot move; None if all can."""
        return next((failure.why for failure in self.failures.values()), None)

    def has_failed(self, seat: int, now: float) -> bool:
        """Returns whether a seat's agent has failed and is not asked yet."""
        return seat in self.failures and now < self.failures[seat].retry

    @property
    def busy(self) -> bool:
        """Whether somebody waits for something here, or agents move."""
        return self.agents is not None or bool(self.hints) or self._waiting.total() > 0

    @property
    def people(self) -> list[int]:
        return sorted(self.token_hashes)

    @property
    def present(self) -> list[int]:
        """The seats whose page is open."""
        return sorted(viewer for viewer in self._present if isinstance(viewer, int))

    @property
    def num_spectators(self) -> int:
        """The number of pages that watch."""
        return self._present["public"]

    def content(self) -> dict[str, Json]:
        """Returns what is kept of the table apart from its moves, secrets included."""
        table = self.session.as_dict() | {"moves": [], "pending": []}
        tokens = {str(seat): kept for seat, kept in self.token_hashes.items()}
        return {"table": table, "tokens": tokens, "next": self.next}

    def is_watched(self, now: float) -> bool:
        """Returns whether somebody waits or has just looked."""
        return self._waiting.total() > 0 or now - self.last_request < WATCHED_SECONDS

    def seat_of(self, token: str) -> int:
        given, found = hash_token(token), None
        for seat, kept in self.token_hashes.items():
            if hmac.compare_digest(given, kept):
                found = seat
        if found is None:
            raise RequestError("the token is of no seat of this table", 403)
        return found

    def notify(self) -> None:
        self.news.set()
        self.news = asyncio.Event()

    def rewrite(self) -> None:
        """Notes that names or the history have changed, so that answers are made again."""
        self.serial = next(_serials)
        self.notify()

    def end(self) -> None:
        self.ended = True
        self.notify()

    async def wait(self, seconds: float) -> None:
        """Waits for a move or a failure until the time is up."""
        if self.problem is not None:  # there will be no news, but not everybody knows of it yet
            seconds = min(seconds, PROBLEM_SECONDS)
        seen = self.session.num_moves, self.problem
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while (self.session.num_moves, self.problem) == seen and not self.ended:
                    await self.news.wait()

    @contextmanager
    def attended(self, viewer: Viewer) -> Iterator[None]:
        """Counts a request that waits for news; nobody takes anything from another seat."""
        if self._waiting[viewer] >= MAX_WAITS:
            raise RequestError("too many pages show this table; close one of them", 429)
        self._waiting[viewer] += 1
        try:
            yield
        finally:
            self._waiting[viewer] -= 1

    @contextmanager
    def open_page(self, viewer: Viewer) -> Iterator[None]:
        """Counts an open page of a viewer, and notifies the others."""
        self._count(viewer, 1)
        try:
            yield
        finally:
            asyncio.get_running_loop().call_later(PRESENT_SECONDS, self._count, viewer, -1)

    def _count(self, viewer: Viewer, change: int) -> None:
        self._present[viewer] += change
        self._present = +self._present
        if self._presence_timer is None:
            self.notify_presence()

    def notify_presence(self) -> None:
        """Tells who is present if that has changed, and then not again for a while."""
        self._presence_timer, now = None, (self.present, self.num_spectators)
        if now != self._last_presence:
            self._last_presence = now
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(PRESENCE_SECONDS, self.notify_presence)
            self.notify()


def hash_token(token: str) -> str:
    """Returns what is kept of a token. Tokens are long and random, so no salt is needed."""
    return hashlib.sha256(token.encode()).hexdigest()


def is_hash(kept: object) -> bool:
    return isinstance(kept, str) and len(kept) == 64 and kept.isascii()
