"""A game as one viewer may know it: positions, moves and the lines of a log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import count
from typing import Any, Generic, Literal, Self, TypeVar

from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr, shown_name
from gonzaga_env.kernel.sentences import joined, say
from gonzaga_env.kernel.state import StateArrays

ConfigT = TypeVar("ConfigT")
StateT = TypeVar("StateT", bound=StateArrays)
ThingT = TypeVar("ThingT")
ViewT = TypeVar("ViewT", bound="View")

#: Who looks: a seat; "public", who knows only what lies open; or "spectator", who knows everything.
Viewer = int | Literal["public", "spectator"]


@dataclass(frozen=True)
class Move:
    """A move that a viewer knows."""

    seat: int  #: who moved
    action: str  #: the action's text, such as "tile L4"

    @property
    def words(self) -> str:
        """The move as texts show it."""
        return self.action


@dataclass(frozen=True)
class Player:
    """A player of any game, as a viewer may see it; a game adds its own fields."""

    seat: int  #: the seat, from 0
    name: str  #: the name that the caller gave; empty if none
    score: int  #: the points that decide the game
    scores: tuple[int, ...]  #: points by source, in the order of `SOURCES`
    won: bool  #: whether the game is over and the player has won, alone or with others


@dataclass(frozen=True)
class View:
    """A position of any game, as a viewer may see it; a game adds its own fields.

    All values are plain: numbers, texts, tuples and small dataclasses of these. So
    `dataclasses.asdict(view)` can be written as JSON, and equal positions give equal views.
    """

    game: str  #: the game's name
    edition: str  #: the edition's name
    digest: str  #: the edition's digest
    viewer: Viewer  #: who looks
    round: int  #: the running round, from 1
    to_act: int | None  #: the seat to act; None when the game is over
    decision: str  #: what it decides, one of `KINDS`; "over" when the game is over
    players: tuple[Player, ...]  #: by seat
    last: Move | None  #: the last move; None before the first, and where it is not known

    def __repr__(self) -> str:
        return f"<{type(self).__name__} for {self.viewer!r}, round {self.round}, {self.decision}>"


@dataclass(frozen=True)
class LogLine:
    """A line of a game's log."""

    seat: int | None  #: whom it is about; None for the whole table
    #: What happened, such as "draws two cards"; it follows the player's name if there is a seat.
    text: str
    #: The same in plain values, for pages that use words of their own or mark places. `kind` is
    #: the kind of event, such as "round"; the other members depend on it. Empty for text alone.
    event: Mapping[str, Json] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Frame:
    """A position of a game and how it came about."""

    move: int  # moves made so far, from 0
    lines: tuple[LogLine, ...]  # what the last of them brought; empty at the start
    view: View  # the position


#: Returns the lines of the one move between two views of the same viewer.
Lines = Callable[[Any, Any], tuple[LogLine, ...]]


def player_name(player: Player) -> str:
    """Returns the name of a player of a view; one without a name is called by the seat."""
    return player.name or say("player {seat}", seat=player.seat)


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
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


def won_by(players: Sequence[Player]) -> str:
    """Returns who has won, such as "won by Ada and player 2"."""
    return say("won by {names}", names=joined(" and ", _winners(players)))


def _winners(players: Sequence[Player]) -> Iterator[str]:
    return (player_name(player) for player in players if player.won)


def repeated(names: Iterable[ThingT], counts: Iterable[int]) -> Iterator[ThingT]:
    """Yields each thing as often as it counts, in order."""
    for name, number in zip(names, counts, strict=True):
        yield from [name] * number


def gains_words(players: Sequence[Player], gains: Sequence[int]) -> str:
    """Returns what each player gains, such as "Ada +3, Bo +0"."""
    pairs = zip(players, gains, strict=True)
    return joined(", ", (say("{x} +{n}", x=player_name(player), n=gain) for player, gain in pairs))


def final_lines(players: Sequence[Player], sources: Sequence[str], first: int) -> Iterator[LogLine]:
    """Yields what each player of the last view scores in the end, and who won.

    `sources` names the sources of points, of which those from `first` on are scored in the end.
    """
    for player in players:
        parts = zip(sources[first:], player.scores[first:], strict=True)
        found = [say("{x} +{n}", x=say(name), n=points) for name, points in parts if points]
        event = {"kind": "final", "score": player.score}
        what = joined(", ", found or [say("nothing more")])
        text = say("scores {what}: {n} points", what=what, n=player.score)
        yield LogLine(player.seat, text, event)
    yield victory(players)


def victory(players: Sequence[Player]) -> LogLine:
    """Returns the line that says who won, such as "Ada and Bo share the victory"."""
    won = [player for player in players if player.won]
    template = "{names} wins with {n} points"
    if len(won) > 1:
        template = "{names} share the victory with {n} points"
    names = joined(" and ", _winners(players))
    event = {"kind": "victory", "seats": [player.seat for player in won], "points": won[0].score}
    return LogLine(None, say(template, names=names, n=won[0].score), event)


@dataclass(frozen=True)
class ViewReader(Generic[ConfigT, StateT, ViewT]):
    """One game, and who looks at it. Games derive their reader of views from it."""

    state: StateT  # one game, [1]
    viewer: Viewer
    names: tuple[str, ...]  # the players' names, [P]; empty if there are none
    config: ConfigT

    @classmethod
    def view_game(
        cls,
        config: ConfigT,
        state: StateT,
        game: int = 0,
        viewer: Viewer = "spectator",
        *,
        last: tuple[int, int] | None = None,
        names: Sequence[str] = (),
    ) -> ViewT:
        """Returns one game of a state, a row, as a viewer may see it.

        `last` is seat and action of the last move that all have seen, which a state does not hold;
        None if it is not known. OptionError if there is no such game or viewer, or the number of
        names is wrong.
        """
        return cls.of(config, state, game, viewer, names).view(last)

    @classmethod
    def of(
        cls, config: ConfigT, state: StateT, game: int, viewer: Viewer, names: Sequence[str]
    ) -> Self:
        """Returns the reader of one game of a state (arguments and errors: `view_game`)."""
        num_players, last = state.num_players, state.num_games - 1
        if not is_integer(game) or not 0 <= game <= last:
            raise OptionError(f"game is {short_repr(game)}; the state holds 0 to {last}")
        if isinstance(viewer, str):
            known = viewer in ("public", "spectator")
        else:
            known = is_integer(viewer) and 0 <= viewer < num_players
        if not known:
            raise OptionError(
                f"viewer is {short_repr(viewer)}; it takes a seat from 0 to {num_players - 1}, "
                "'public' or 'spectator'"
            )
        if isinstance(names, str) or not isinstance(names, Sequence):
            raise OptionError(f"names is {short_repr(names)}; it takes a name for each player")
        if names and len(names) != num_players:
            raise OptionError(f"{len(names)} names for {num_players} players")
        one = state.take(slice(int(game), int(game) + 1))
        viewer = viewer if isinstance(viewer, str) else int(viewer)
        return cls(one, viewer, tuple(names), config)

    def view(self, last: tuple[int, int] | None) -> ViewT:
        """Returns the view; `last` is as in `view_game`."""
        raise NotImplementedError

    def knows(self, seat: int) -> bool:
        """Whether the viewer knows what a seat keeps secret: the only gate to hidden things."""
        return self.viewer in ("spectator", seat)

    def name(self, seat: int) -> str:
        """Returns what the caller calls a player; empty if there are no names."""
        return self.names[seat] if self.names else ""


def own_fields(view: View) -> dict[str, Json]:
    """Returns what a game's views have beside those of all games, in plain values by name."""
    shared = {field.name for field in fields(View)}
    own = {name: value for name, value in asdict(view).items() if name not in shared}
    return own | own.pop("shown", {})
