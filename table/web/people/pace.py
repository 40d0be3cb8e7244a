"""The clock of a table: how long people may think, and who plays on when their time is out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from ..requests import MalformedError, integer, shown

DAY = 86400
LIMITS = {"move": (10, 14 * DAY), "game": (60, 4 * 3600)}  # seconds, the fewest and the most
MAX_INCREMENT = 300
AWAY_SECONDS, MIN_AWAY = 300, 60  # without a request, after which others may ask for an agent
STAND_INS = "planner", "greedy"
GRACE_SECONDS = 60.0  # that everybody has after a restart of the server, at least


@dataclass(frozen=True)
class Pace:
    """How long people may think.

    Attributes:
        per: whether the seconds are for each move or for the whole game.
        seconds: so many; days are seconds as well.
        increment: seconds more for each further decision, of games.
        agent: who plays on for somebody whose time is out.
    """

    per: Literal["move", "game"]
    seconds: int
    increment: int = 0
    agent: str = "greedy"


def pace_of(asked: dict[str, Any], agents: Collection[str]) -> Pace | None:
    """Returns the pace that a request asks for; None for none.

    Args:
        asked: the request.
        agents: those on offer for the game.

    Raises:
        MalformedError: it is something else.
    """
    pace = asked.get("pace")
    if pace is None:
        return None
    if not isinstance(pace, dict) or pace.get("per") not in [*LIMITS]:
        raise MalformedError(f'pace is {shown(pace)}; it takes null or {{"per": "move" or "game"}}')
    per, seconds, increment = pace["per"], integer(pace, "seconds"), pace.get("increment", 0)
    agent, (least, most) = pace.get("agent", "greedy"), LIMITS[per]
    if not least <= seconds <= most:
        raise MalformedError(f"seconds is {shown(seconds)}; a {per} takes {least} to {most}")
    highest = MAX_INCREMENT if per == "game" else 0
    if type(increment) is not int or not 0 <= increment <= highest:
        raise MalformedError(f"increment is {shown(increment)}; a {per} takes 0 to {highest}")
    return Pace(per, seconds, increment, stand_in_of(agent, agents))


def away_of(asked: dict[str, Any]) -> float:
    """Returns the seconds after which a person counts as away, as a request asks for them.

    Raises:
        MalformedError: it is something else.
    """
    away = AWAY_SECONDS if asked.get("away") is None else asked["away"]
    if type(away) is not int or not MIN_AWAY <= away <= DAY:
        raise MalformedError(f"away is {shown(away)}; it takes {MIN_AWAY} to {DAY} seconds")
    return float(away)


def stand_in_of(agent: Any, agents: Collection[str]) -> str:
    """Returns the agent that shall play for a person.

    Raises:
        MalformedError: it is none of those that may.
    """
    offered = [name for name in STAND_INS if name in agents]
    if agent not in offered:
        raise MalformedError(f"agent is {shown(agent)}; it takes {' or '.join(offered)}")
    return str(agent)


@dataclass
class TableClock:
    """The clock of a table. It is told the time, and who decides; sealed decisions stop it.

    A decision that is made again, after it was taken back, gets no new time.

    Attributes:
        pace: how long people may think.
        left: the seconds that each seat has left, or had when its clock last began to run.
        since: when the clock of each deciding seat began to run.
        granted: the last stage of the game for which each seat got time.
    """

    pace: Pace
    left: dict[int, float] = field(default_factory=dict)
    since: dict[int, float] = field(default_factory=dict)
    granted: dict[int, int] = field(default_factory=dict)

    def update(self, deciding: Collection[int], stage: int, now: float) -> None:
        """Lets the clocks of those who decide run, and stops all others."""
        for seat in list(self.since):
            if seat not in deciding or stage > self.granted[seat]:
                self.left[seat] -= max(0.0, now - self.since.pop(seat))
        for seat in deciding:
            if stage > self.granted.get(seat, -1):
                self._grant(seat, stage)
            self.since.setdefault(seat, now)

    def _grant(self, seat: int, stage: int) -> None:
        if self.pace.per == "move" or seat not in self.left:
            self.left[seat] = float(self.pace.seconds)
        else:
            self.left[seat] = max(0.0, self.left[seat]) + self.pace.increment
        self.granted[seat] = stage

    def allow(self, seat: int, seconds: float) -> None:
        """Gives a seat so many seconds at least, whose clock does not run."""
        if seat not in self.since:
            self.left[seat] = max(seconds, self.left.get(seat, float(self.pace.seconds)))

    def renew(self) -> None:
        """Gives all new time for their next decision, where it is counted by moves."""
        if self.pace.per == "move":
            self.since.clear()
            self.granted.clear()

    def remaining(self, now: float, started: float) -> dict[int, float]:
        """Returns the seconds that each seat has, after a server's start some more."""
        found = dict(self.left)
        for seat, since in self.since.items():
            ends = max(since + self.left[seat], started + min(GRACE_SECONDS, self.pace.seconds))
            found[seat] = min(self.left[seat], ends - now) if now > since else self.left[seat]
        return {seat: max(0.0, seconds) for seat, seconds in found.items()}

    def as_dict(self) -> dict[str, Any]:
        """Returns the clock as it is kept."""
        return asdict(self)

    @classmethod
    def from_dict(cls, kept: dict[str, Any]) -> TableClock:
        """Returns the clock of `as_dict`, from JSON."""
        by_seat = (
            {int(seat): value for seat, value in kept[name].items()}
            for name in ("left", "since", "granted")
        )
        return cls(Pace(**kept["pace"]), *by_seat)
