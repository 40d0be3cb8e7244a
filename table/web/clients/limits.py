"""Limits on clients: what each one, and all together, may use concurrently and over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from time import monotonic

from gonzaga_env.tabletop.bounded import MIB
from gonzaga_env.tabletop.errors import GameError

MAX_CLIENTS = 10_000  # that a rate remembers


@dataclass(frozen=True)
class Limits:
    """The limits of a server. A client is an address, of IPv6 a network (`requests.client_of`).

    Thirty people behind one address stay within those of one client.

    Attributes:
        connections: open concurrently; fewer where the system allows fewer open files.
        connections_each: of them of one client; a browser opens six.
        header_seconds: in which a request's header must be complete.
        body_seconds: in each of which a body must bring `body_rate` times as many bytes, or end.
        body_rate: bytes a second, sent or read.
        answer_seconds: in each of which a client must read `body_rate` times as many bytes of a
            long answer, or all that is left.
        bodies: bytes of large bodies (files, maps) that are read or processed concurrently.
        bodies_each: of them of one client.
        requests_each: concurrent ones of one client, including those that wait for news.
        request_rate: requests a second of one client, in the long run.
        request_burst: requests that it may save up for.
        byte_rate: bytes of answers a second for one client, in the long run.
        byte_burst: bytes that it may save up for.
        refusal_seconds: by which the refusal of a request over the rate is delayed, so that asking
            faster uses up the client's connections, not the server's time.
    """

    connections: int = 2000
    connections_each: int = 256
    header_seconds: float = 10.0
    body_seconds: float = 10.0
    body_rate: int = 16_000
    answer_seconds: float = 60.0
    bodies: int = 32 * MIB
    bodies_each: int = 8 * MIB
    requests_each: int = 256
    request_rate: float = 200.0
    request_burst: float = 1000.0
    byte_rate: float = 4.0 * MIB
    byte_burst: float = 128.0 * MIB
    refusal_seconds: float = 1.0


LIMITS = Limits()


class LimitError(GameError, RuntimeError):
    """A client asks for more than its share, or all together for more than there is.

    Attributes:
        seconds: after which asking again makes sense.
    """

    def __init__(self, message: str, seconds: float = 1.0) -> None:
        super().__init__(message)
        self.seconds = seconds


class Rate:
    """How much each client may use over time: a token bucket for each."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        """Takes the amount regained a second, the most that is saved up, and a clock in seconds."""
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left: dict[str, tuple[float, float]] = {}  # what was left, and when

    def wait(self, client: str) -> float:
        """Returns the seconds until a client may use more; 0 if it may now."""
        left = self._now(client)[0]
        return 0.0 if left > 0 else max(-left / self._rate, 1.0 / self._rate)

    def check(self, client: str, why: str) -> None:
        """Raises a LimitError, which says why, if a client may not use more now."""
        if seconds := self.wait(client):
            raise LimitError(why, seconds)

    def spend(self, client: str, amount: float) -> None:
        """Counts what a client has used, even if it is more than was left."""
        left, now = self._now(client)
        self._left.pop(client, None)  # the last used are the last to be forgotten
        self._left[client] = (left - amount, now)
        if len(self._left) > MAX_CLIENTS:
            del self._left[next(iter(self._left))]

    def _now(self, client: str) -> tuple[float, float]:
        now = self._clock()
        left, then = self._left.get(client, (self._burst, now))
        return min(self._burst, left + (now - then) * self._rate), now


class Share:
    """How much is in use: in all, and by each client."""

    def __init__(self, most: float, each: float, what: str) -> None:
        """Takes the most in all and for each client, and what messages call it."""
        self._most, self._each, self._what = most, each, what
        self._used: Counter[str] = Counter()
        self._total = 0

    @property
    def full(self) -> bool:
        """Whether nothing is left in all."""
        return self._total >= self._most

    def used(self, client: str) -> float:
        """Returns how much a client uses."""
        return self._used[client]

    def largest(self) -> str:
        """Returns the client that uses the most."""
        return max(self._used, key=self._used.__getitem__)

    def take(self, client: str, amount: int = 1) -> None:
        """Takes an amount, until `give_back`.

        Raises:
            LimitError: too much is in use.
        """
        if self._used[client] + amount > self._each:
            raise LimitError(f"too many {self._what} of this address at once; try again soon")
        if self._total + amount > self._most:
            raise LimitError(f"too many {self._what} at once; try again soon")
        self._used[client] += amount
        self._total += amount

    def give_back(self, client: str, amount: int = 1) -> None:
        """Gives an amount back."""
        self._used[client] -= amount
        self._total -= amount
        if not self._used[client]:
            del self._used[client]

    @contextmanager
    def held(self, client: str, amount: int = 1) -> Iterator[None]:
        """Takes an amount for as long as the context lasts (errors as `take`)."""
        self.take(client, amount)
        try:
            yield
        finally:
            self.give_back(client, amount)


class Clients:
    """What the clients of a server use: requests, bytes of answers, large bodies.

    Attributes:
        limits: what they may use.
        bodies: the bytes of large bodies that are being read or processed.
    """

    def __init__(self, limits: Limits = LIMITS, clock: Callable[[], float] = monotonic) -> None:
        """Takes the limits, and a clock in seconds."""
        self.limits = limits
        self.bodies = Share(limits.bodies, limits.bodies_each, "large requests")
        self._requests = Share(inf, limits.requests_each, "requests")
        self._rate = Rate(limits.request_rate, limits.request_burst, clock)
        self._bytes = Rate(limits.byte_rate, limits.byte_burst, clock)

    def enter(self, client: str) -> None:
        """Begins a request, until `leave`.

        Raises:
            LimitError: the client has too many under way.
        """
        self._requests.take(client)

    def leave(self, client: str) -> None:
        """Ends a request."""
        self._requests.give_back(client)

    def send(self, client: str, num_bytes: int) -> float:
        """Counts bytes of an answer; returns the seconds until the client may be sent more."""
        self._bytes.spend(client, num_bytes)
        return self._bytes.wait(client)

    def count(self, client: str) -> None:
        """Counts a request.

        Raises:
            LimitError: the client has used up what it may ask for or be sent.
        """
        self._rate.check(client, "too many requests of this address; ask less often")
        self._bytes.check(client, "this address was sent too much; ask again later")
        self._rate.spend(client, 1)
