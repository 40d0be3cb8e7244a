"""A game move by move, as one viewer may know it: positions and the lines of a log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal, TypeVar

from gonzaga_env.kernel.bounded import Json, shown_name
from gonzaga_env.kernel.sentences import joined, say

ThingT = TypeVar("ThingT")

#: Who looks: a seat; "public", who knows only what lies open; or "spectator", who knows everything.
Viewer = int | Literal["public", "spectator"]


class View:
    """What a viewer knows of a game, as each game has its own."""

    digest: str  #: the edition's digest


@dataclass(frozen=True)
class LogLine:
    """A line of a game's log."""

    seat: int | None  #: whom it is about; None for the whole table
    #: What happened, such as "draws two cards"; it follows the player's name if there is a seat.
    text: str
    #: The same in plain values, so that a page can say it in its own words and find what it is
    #: about. `kind` says what happened, such as "round"; the other members depend on it. Empty
    #: where a game tells text alone.
    event: Mapping[str, Json] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Frame:
    """A position of a game and how it came about."""

    move: int  # moves made so far, from 0
    lines: tuple[LogLine, ...]  # what the last of them brought; empty at the start
    view: Any  # the position, a view of the game


#: Returns the lines of the one move between two views of the same viewer.
Lines = Callable[[Any, Any], tuple[LogLine, ...]]


def called(player: Any) -> str:
    """Returns the name of a player of a view; one without a name is called by the seat."""
    return player.name or say("player {seat}", seat=player.seat)


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Returns names as they are shown; equal ones are numbered, as "greedy 1" and "greedy 2"."""
    names, found = [*map(shown_name, names)], list[str]()
    times, taken = Counter(names), set(names)
    numbers = {name: count(1) for name in times}
    for name in names:
        if name and times[name] > 1:
            numbered = (f"{name} {number}" for number in numbers[name])
            name = next(one for one in numbered if one not in taken)
            taken.add(name)
        found.append(name)
    return tuple(found)


def won_by(players: Sequence[Any]) -> str:
    """Returns who has won, such as "won by Ada and player 2"."""
    return say("won by {names}", names=joined(" and ", _winners(players)))


def _winners(players: Sequence[Any]) -> Iterator[str]:
    return (called(player) for player in players if player.won)


def repeated(names: Iterable[ThingT], counts: Iterable[int]) -> Iterator[ThingT]:
    """Yields each thing as often as it counts, in order."""
    for name, number in zip(names, counts, strict=True):
        yield from [name] * number


def gains_words(players: Sequence[Any], gains: Sequence[int]) -> str:
    """Returns what each player gains, such as "Ada +3, Bo +0"."""
    pairs = zip(players, gains, strict=True)
    return joined(", ", (say("{x} +{n}", x=called(player), n=gain) for player, gain in pairs))


def final_lines(players: Sequence[Any], sources: Sequence[str], first: int) -> Iterator[LogLine]:
    """Yields what each player scores in the end, and who won.

    Args:
        players: those of the last view.
        sources: names of the sources of points.
        first: the first of them that is scored in the end.
    """
    for player in players:
        parts = zip(sources[first:], player.scores[first:], strict=True)
        found = [say("{x} +{n}", x=say(name), n=points) for name, points in parts if points]
        event = {"kind": "final", "score": player.score}
        what = joined(", ", found or [say("nothing more")])
        text = say("scores {what}: {n} points", what=what, n=player.score)
        yield LogLine(player.seat, text, event)
    yield victory(players)


def victory(players: Sequence[Any]) -> LogLine:
    """Returns the line that says who won, such as "Ada and Bo share the victory"."""
    won = [player for player in players if player.won]
    template = "{names} wins with {n} points"
    if len(won) > 1:
        template = "{names} share the victory with {n} points"
    names = joined(" and ", _winners(players))
    event = {"kind": "victory", "seats": [player.seat for player in won], "points": won[0].score}
    return LogLine(None, say(template, names=names, n=won[0].score), event)
