"""What a game brings to be drawn, and the lines of its text that all games share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any, NamedTuple

from gonzaga_env.kernel.bounded import printable
from gonzaga_env.kernel.sentences import third_person
from gonzaga_env.kernel.spec import GameSpec
from gonzaga_env.kernel.view import player_name
from gonzaga_env.render.palette import Theme
from gonzaga_env.render.shapes import Point, Scene, Shape

TEXT_WIDTH = 84  # letters of a line of words


class Place(NamedTuple):
    """A place of a block, and what lies there: its name, its effect, and the rules about it."""

    points: tuple[Point, ...]  #: its corners, in the block's pixels
    words: str


@dataclass(frozen=True)
class Block:
    """A part of the table that is drawn for itself; pages arrange blocks as they have room.

    Blocks with equal values look the same.
    """

    name: str  #: what it shows, in a word or two, such as "region"
    seat: int | None  #: whose it is; None for what is common
    draw: Callable[..., Scene]  #: takes `values` and the theme, and returns the scene
    values: tuple[Any, ...]  #: all that the drawing depends on
    lines: tuple[str, ...] = ()  #: what it shows in words, for people who do not see it
    places: tuple[Place, ...] = ()  #: what is told of its pieces where they are pointed at


@dataclass(frozen=True)
class Spot:
    """A place on a block that stands for actions of the seat to act."""

    block: str  #: the block's name
    seat: int | None  #: whose block it is; None for a common one
    points: tuple[Point, ...]  #: its corners, in the block's pixels
    actions: tuple[str, ...]  #: the texts of the actions, legal or not
    first: bool = False  #: whether a person picks it before what is done with it, such as a die


@dataclass(frozen=True)
class GamePictures:
    """The pictures and texts of a game, as everything that shows games takes them."""

    spec: GameSpec  #: the game
    #: `scene(edition, view, theme, show_coordinates)`, the whole picture.
    scene: Callable[[Any, Any, Theme, bool], Scene]
    #: `choices(edition, view, considering, theme)`, what an agent considers, with
    #: `render.panels.Considering`.
    choices: Callable[[Any, Any, Any, Theme], Scene]
    #: `edition_scene(edition, theme)`, the picture of an edition.
    edition_scene: Callable[[Any, Theme], Scene]
    text: Callable[..., str]  #: `text(edition, view, color=, coordinates=)`, the game as text
    #: `board(edition, view, theme)`, the scene that a page shows beside small panels.
    board: Callable[[Any, Any, Theme], Scene]
    #: `panel(edition, view, seat, at, theme)`, a player's small panel.
    panel: Callable[[Any, Any, int, Point, Theme], Iterator[Shape]]
    panel_size: Point  #: its width and height in pixels
    name: Callable[[Any], str]  #: what a picture of a whole game is called, in a word or two
    stage: Callable[[Any], str]  #: round and stage in words
    note: Callable[[Any], str]  #: what is known of the end, in words
    parts: tuple[str, ...]  #: the parts that bars of points show, in the colours `Theme.sources`
    #: `covered(engine, view, action)`, the places of the board that an action is about.
    covered: Callable[[Any, Any, int], tuple[Any, ...]] = lambda engine, view, action: ()
    #: What is played, in words.
    played: Callable[[Any], str] = lambda view: (
        f"{len(view.players)} players, edition {view.edition}"
    )
    #: Decisions of a player in each round; None where rounds have no fixed length.
    plies: int | None = None
    #: Whether a film passes by the second of two views in a row.
    skipped: Callable[[Any, Any], bool] = lambda before, after: False
    #: `blocks(edition, view)`, what lies on the table for a player in the browser; None shows
    #: `board`.
    blocks: Callable[[Any, Any], Iterator[Block]] | None = None
    #: `spots(view)`, the places on these blocks that can be chosen.
    spots: Callable[[Any], Iterator[Spot]] = lambda view: iter(())
    #: `shown_words(view)`, words of actions' texts with the places on blocks that show them, for
    #: pictures in their stead; "'" after a word turns its picture by half a turn.
    shown_words: Callable[[Any], Iterable[tuple[str, Spot]]] = lambda view: ()
    #: `reason(edition, view, spot)`, why none of a spot's actions is legal; "" says nothing.
    reason: Callable[[Any, Any, Spot], str] = lambda edition, view, spot: ""
    #: `preview(edition, view, action)`, the view that an action's text leads to, if that follows
    #: from the view and words alone don't tell it; else None.
    preview: Callable[[Any, Any, str], Any] = lambda edition, view, action: None
    #: `marks(edition, view, considering, theme)`, which mark the best choices on `board`.
    marks: Callable[[Any, Any, Any, Theme], Iterable[Shape]] = lambda *position: ()
    #: What is counted of a player (of a view's `players`), names and numbers.
    tallies: Callable[[Any], tuple[tuple[str, int], ...]] = lambda player: (
        ("points", player.score),
    )


def one_line_each(texts: Iterable[str]) -> tuple[str, ...]:
    """Returns texts without breaks and runs of spaces, such as those of a terminal."""
    return tuple(" ".join(text.split()) for text in texts)


def colored(text: str, ground: int, *, bold: bool = False, light: bool = False) -> str:
    """Returns a text on one of a terminal's 256 colours, in dark or in light letters."""
    return f"\x1b[0;{'1;' * bold}38;5;{231 if light else 16};48;5;{ground}m{text}\x1b[0m"


def headline(view: Any, lines: Sequence[str], words: Callable[[str, Any], str]) -> str:
    """Returns the first lines of a game as text, with the last move of a game that goes on.

    Args:
        view: the game.
        lines: of any length.
        words: says an action's text in words: `words(text, view)`.
    """
    if view.last is not None and view.to_act is not None:
        name = printable(player_name(view.players[view.last.seat]))
        lines = [*lines, f"{name} {third_person(words(view.last.action, view))}"]
    return "\n".join(fill(line, TEXT_WIDTH, subsequent_indent="  ") for line in lines)


def points_line(view: Any, player: Any, points: str) -> str:
    """Returns name and points of a player; a ">" marks the seat to act."""
    mark = ">" if player.seat == view.to_act else " "
    return f"{mark} {printable(player_name(player))}: {points}"


def points_table(heads: Sequence[str], players: Sequence[Any]) -> str:
    """Returns the final points of all players by source, with what each source is called."""
    names = [printable(player_name(player)) for player in players]
    width, column = max(map(len, heads)), max(12, *(len(name) + 2 for name in names))
    rows = [("points", names)]
    rows += [(head, [player.scores[i] for player in players]) for i, head in enumerate(heads)]
    rows.append(("total", [player.score for player in players]))
    return "\n".join(
        f"{head:<{width}}" + "".join(f"{n:>{column}}" for n in row) for head, row in rows
    )
