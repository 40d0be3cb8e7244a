"""A game move by move, as one viewer may know it: positions and the lines of a log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

#: Who looks: a seat; "public", who knows only what lies open; or "spectator", who knows everything.
Viewer = int | Literal["public", "spectator"]


class View:
    """What a viewer knows of a game, as each game has its own.

    Attributes:
        digest: the edition's digest.
    """

    digest: str


@dataclass(frozen=True)
class LogLine:
    """A line of a game's log.

    Attributes:
        seat: whom it is about; None for the whole table.
        text: what happened, such as "draws two cards"; it follows the player's name if there is
            a seat.
    """

    seat: int | None
    text: str


@dataclass(frozen=True)
class Frame:
    """A position of a game and how it came about.

    Attributes:
        move: moves made so far, from 0.
        lines: what the last of them brought; empty at the start.
        view: the position, a view of the game.
    """

    move: int
    lines: tuple[LogLine, ...]
    view: Any


def view_frames(
    views: Iterable[Any], lines: Callable[[Any, Any], tuple[LogLine, ...]]
) -> Iterator[Frame]:
    """Yields frames of the views of one viewer, the deal first.

    Args:
        views: the view before the first move, and that after each.
        lines: returns the lines of the one move between two views.
    """
    before = None
    for number, view in enumerate(views):
        yield Frame(number, () if before is None else lines(before, view), view)
        before = view
