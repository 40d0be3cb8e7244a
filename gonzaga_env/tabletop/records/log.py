"""A game move by move, as one viewer may know it: positions and the lines of a log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.state import StateArrays

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


def check_view(state: StateArrays, game: Any, viewer: Any, names: Any) -> None:
    """Raises OptionError unless there is such a game and viewer, with a name a player or none."""
    num_players = state.num_players
    if not is_integer(game) or not 0 <= game < state.num_games:
        raise OptionError(f"game is {game!r}; the state holds 0 to {state.num_games - 1}")
    is_seat = is_integer(viewer) and 0 <= viewer < num_players
    if not is_seat and (not isinstance(viewer, str) or viewer not in ("public", "spectator")):
        raise OptionError(
            f"viewer is {viewer!r}; it takes a seat from 0 to {num_players - 1}, 'public' or "
            f"'spectator'"
        )
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise OptionError(f"names is {names!r}; it takes a name for each player")
    if names and len(names) != num_players:
        raise OptionError(f"{len(names)} names for {num_players} players")
