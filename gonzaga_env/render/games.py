"""What can be seen of each game, by the game's name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from gonzaga_env.games import game_spec
from gonzaga_env.render.palette import Theme
from gonzaga_env.render.shapes import Point, Scene, Shape
from gonzaga_env.tabletop.spec import GameSpec


@dataclass(frozen=True)
class Block:
    """A part of the table that is drawn for itself; pages arrange blocks as they have room.

    Blocks with equal values look the same.

    Attributes:
        name: what it shows, in a word or two, such as "region".
        seat: whose it is; None for what is common.
        draw: takes `values` and the theme, and returns the scene.
        values: all that the drawing depends on.
        lines: what it shows in words, for people who do not see it.
    """

    name: str
    seat: int | None
    draw: Callable[..., Scene]
    values: tuple[Any, ...]
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Spot:
    """A place on a block that stands for actions of the seat to act.

    Attributes:
        block: the block's name.
        seat: whose block it is; None for a common one.
        points: its corners, in the block's pixels.
        actions: the texts of the actions, legal or not.
    """

    block: str
    seat: int | None
    points: tuple[Point, ...]
    actions: tuple[str, ...]


@dataclass(frozen=True)
class GamePictures:
    """The pictures and texts of a game, as everything that shows games takes them.

    The views of a game have `viewer`, `round`, `to_act` (None when it is over), `last` and
    `players` with `seat`, `name`, `score`, `scores` and `won`.

    Attributes:
        spec: the game.
        scene: the whole picture: `scene(edition, view, theme, show_coordinates)`.
        choices: what an agent considers: `choices(edition, view, considering, theme)`, with
            `render.choices.Considering`.
        marks: marks the best choices on `board`: `marks(edition, view, considering, theme)`.
        covered: the places of the board that an action is about: `covered(engine, view, action)`.
        edition_scene: the picture of an edition: `edition_scene(edition, theme)`.
        text: the game as text: `text(edition, view, color=, coordinates=)`.
        board: the scene that a page shows beside small panels: `board(edition, view, theme)`.
        panel: a player's small panel: `panel(edition, view, seat, at, theme)`.
        panel_size: its width and height in pixels.
        name: what a picture of a whole game is called, in a word or two.
        played: what is played, in words.
        stage: round and stage in words.
        note: what is known of the end, in words.
        parts: the parts that bars of points show, in the colours `Theme.sources`.
        plies: decisions of a player in each round; None where rounds have no fixed length.
        skipped: whether a film passes by the second of two views in a row.
        blocks: `blocks(edition, view)`, what lies on the table for a player in the browser; None
            shows `board`.
        spots: `spots(view)`, the places on these blocks that can be chosen.
        preview: `preview(edition, view, action)`, the view that an action's text leads to, if that
            follows from the view and words alone don't tell it; else None.
        tallies: what is counted of a player (of a view's `players`): names and numbers.
    """

    spec: GameSpec
    scene: Callable[[Any, Any, Theme, bool], Scene]
    choices: Callable[[Any, Any, Any, Theme], Scene]
    edition_scene: Callable[[Any, Theme], Scene]
    text: Callable[..., str]
    board: Callable[[Any, Any, Theme], Scene]
    panel: Callable[[Any, Any, int, Point, Theme], Iterator[Shape]]
    panel_size: Point
    name: Callable[[Any], str]
    stage: Callable[[Any], str]
    note: Callable[[Any], str]
    parts: tuple[str, ...]
    covered: Callable[[Any, Any, int], tuple[Any, ...]] = lambda engine, view, action: ()
    played: Callable[[Any], str] = lambda view: (
        f"{len(view.players)} players, edition {view.edition}"
    )
    plies: int | None = None
    skipped: Callable[[Any, Any], bool] = lambda before, after: False
    blocks: Callable[[Any, Any], Iterator[Block]] | None = None
    spots: Callable[[Any], Iterator[Spot]] = lambda view: iter(())
    preview: Callable[[Any, Any, str], Any] = lambda edition, view, action: None
    marks: Callable[[Any, Any, Any, Theme], Iterator[Shape]] = lambda *position: iter(())
    tallies: Callable[[Any], tuple[tuple[str, int], ...]] = lambda player: (
        ("points", player.score),
    )


def game_pictures(game: str) -> GamePictures:
    """Returns the pictures of a game by its name; a game without any is shown in words.

    Raises:
        OptionError: there is no such game, or nothing where it says its pictures are.
    """
    spec = game_spec(game)
    drawn: GamePictures | None = spec.part("pictures")
    if drawn is None:
        from gonzaga_env.render.plain import plain_pictures  # which takes names from here

        drawn = plain_pictures(spec)
    return drawn


def one_line_each(texts: Iterable[str]) -> tuple[str, ...]:
    """Returns texts without breaks and runs of spaces, such as those of a terminal."""
    return tuple(" ".join(text.split()) for text in texts)


def player_name(player: Any) -> str:
    """Returns what a player is called: the seat, and the name if there is one."""
    return f"player {player.seat}" + (f" · {player.name}" if player.name else "")
