"""What a game brings to be drawn, and the lines of its text that all games share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from textwrap import fill, wrap
from typing import Generic, NamedTuple, ParamSpec, TypeVar

from gonzaga_env.kernel.batch import AnyEngine
from gonzaga_env.kernel.editions import EditionBase, FileEdition
from gonzaga_env.kernel.messages import printable
from gonzaga_env.kernel.sentences import third_person
from gonzaga_env.kernel.spec import GameSpec
from gonzaga_env.kernel.view import Player, View, own_fields, player_name, won_by
from gonzaga_env.render.palette import LIGHT, Theme
from gonzaga_env.render.panels import (
    MARGIN,
    TOP,
    Considering,
    PlaceT,
    ground,
    page_size,
    title,
    with_choices,
)
from gonzaga_env.render.shapes import Label, Layer, Point, Scene, Shape, fitted, page, part_of

_P = ParamSpec("_P")
_ThingT = TypeVar("_ThingT")
EditionT = TypeVar("EditionT", bound=EditionBase)
ViewT = TypeVar("ViewT", bound=View)
FileEditionT = TypeVar("FileEditionT", bound=FileEdition)

TEXT_WIDTH = 84  # letters of a line of words
_WIDTH, _LINE, _SIZE = 900.0, 30.0, 20.0  # of a page of words, of its lines and letters
_STRIP_WIDTH = 640.0
_GAP = 26.0  # between two panels


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
    values: tuple[Hashable, ...]  #: all that the drawing depends on
    lines: tuple[str, ...] = ()  #: what it shows in words, for people who do not see it
    places: tuple[Place, ...] = ()  #: what is told of its pieces where they are pointed at
    below: bool = False  #: whether pages show a common block below the viewer's own ones


@dataclass(frozen=True)
class Spot:
    """A place on a block that stands for actions of the seat to act."""

    block: str  #: the block's name
    seat: int | None  #: whose block it is; None for a common one
    points: tuple[Point, ...]  #: its corners, in the block's pixels
    actions: tuple[str, ...]  #: the texts of the actions, legal or not
    first: bool = False  #: whether a person picks it before what is done with it, such as a die


class GamePictures(Generic[EditionT, ViewT, PlaceT]):
    """The pictures and texts of a game.

    These say in words what a view says; a game overrides what it draws. Places are what choices
    are about on the board, such as hexes.
    """

    panel_size: Point = (640.0, 120.0)  #: width and height of `panel` in pixels
    #: Decisions of a player in each round; None where rounds have no fixed length.
    plies: int | None = None
    #: Whether the board shows the players, too, so that pages need no panels.
    shows_players = False
    #: The parts that bars of points show, in the colours `Theme.sources`.
    parts: tuple[str, ...]

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        if not hasattr(self, "parts"):
            self.parts = spec.sources[: len(LIGHT.sources)]

    def name(self, view: ViewT) -> str:
        """Returns what a picture of a whole game is called, in a word or two."""
        return self.spec.title

    def stage(self, view: ViewT) -> str:
        """Returns round and stage in words."""
        if view.to_act is None:
            return f"the end, after round {view.round}"
        return f"round {view.round}, {player_name(view.players[view.to_act])}: {view.decision}"

    def note(self, view: ViewT) -> str:
        """Returns what is known of the end, in words."""
        return "" if view.to_act is not None else won_by(view.players)

    def played(self, view: ViewT) -> str:
        """Returns what is played, in words."""
        return f"{len(view.players)} players, edition {view.edition}"

    def tallies(self, view: ViewT, seat: int) -> tuple[tuple[str, int], ...]:
        """Returns what is counted of a player, names and numbers."""
        return (("points", view.players[seat].score),)

    def text(
        self, edition: EditionT, view: ViewT, *, color: bool = False, coordinates: bool = False
    ) -> str:
        """Returns the game as text (see `render.draw.draw_text`)."""
        return "\n".join([self.spec.title, *self._words(view)])

    def drawing(self, view: ViewT, theme: Theme) -> Scene | None:
        """Draws what lies on the table, which goes before the words; the browser shows it alone."""
        return None

    def scene(
        self, edition: EditionT, view: ViewT, theme: Theme = LIGHT, show_coordinates: bool = True
    ) -> Scene:
        """Returns the whole picture."""
        size, layers = self._content(view, theme)
        return self._page(view, size, size[0], layers, theme)

    def board(self, edition: EditionT, view: ViewT, theme: Theme = LIGHT) -> Scene:
        """Returns the scene that a page shows beside small panels."""
        return self.drawing(view, theme) or self.scene(edition, view, theme)

    def panel(
        self, edition: EditionT, view: ViewT, seat: int, at: Point, theme: Theme
    ) -> Iterator[Shape]:
        """Yields a player's small panel."""
        player, (left, top) = view.players[seat], at
        yield from ground(view, seat, at, self.panel_size, theme)
        for number, line in enumerate((player_name(player), self._points(player))):
            place = left + 24, top + 46 + 40 * number
            label = Label(line, place, _SIZE, theme.ink, anchor="start")
            yield label.within(self.panel_size[0] - 48)

    def edition_scene(self, edition: EditionT, theme: Theme = LIGHT) -> Scene:
        """Returns the picture of an edition."""
        height, words = TOP + MARGIN, f"edition {edition.name}"
        paper, frame = page(_WIDTH, height, theme)
        shapes = [*frame.shapes, *title(self.spec.title, words, _WIDTH / 2, MARGIN + 46, theme)]
        return Scene(_WIDTH, height, f"{self.spec.title}, {words}", (paper, Layer(tuple(shapes))))

    def choices(
        self, edition: EditionT, view: ViewT, considering: Considering[PlaceT], theme: Theme
    ) -> Scene:
        """Returns the picture of what an agent considers."""
        size, layers = self._content(view, theme)
        scene = self._page(view, page_size(size, considering), size[0], layers, theme)
        return with_choices(scene, size[0], view, considering, self.stage(view), theme)

    def covered(self, engine: AnyEngine, view: ViewT, action: int) -> tuple[PlaceT, ...]:
        """Returns the places of the board that an action is about."""
        return ()

    def marks(
        self, edition: EditionT, view: ViewT, considering: Considering[PlaceT], theme: Theme
    ) -> Iterable[Shape]:
        """Yields marks of the best choices on `board`."""
        return ()

    def skipped(self, before: ViewT, after: ViewT) -> bool:
        """Returns whether a film passes by the second of two views in a row."""
        return False

    def blocks(self, edition: EditionT, view: ViewT) -> Iterator[Block]:
        """Yields what lies on the table for a player in the browser."""
        lines = one_line_each(self.text(edition, view).splitlines())
        yield Block("board", None, self.board, (edition, view), lines)

    def spots(self, view: ViewT) -> Iterable[Spot]:
        """Yields the places on these blocks that can be chosen."""
        return ()

    def shown_words(self, view: ViewT) -> Iterable[tuple[str, Spot]]:
        """Yields words of actions' texts with the places on blocks that show them.

        Pages show pictures in their stead; "'" after a word turns its picture by half a turn.
        """
        return ()

    def reason(self, edition: EditionT, view: ViewT, spot: Spot) -> str:
        """Returns why none of a spot's actions is legal; "" says nothing."""
        return ""

    def preview(self, edition: EditionT, view: ViewT, action: str) -> ViewT | None:
        """Returns the view that an action's text leads to.

        None where that does not follow from the view, or where words alone tell it.
        """
        return None

    def _points(self, player: Player) -> str:
        parts = ", ".join(map("{} {}".format, self.spec.sources, player.scores))
        return f"{player.score} points ({parts})" + (", won" if player.won else "")

    def _words(self, view: ViewT, with_rest: bool = True) -> list[str]:
        """Returns what a view says, in lines; a drawing shows the rest."""
        lines = [f"Now: {self.stage(view)}"]
        if view.last is not None:
            lines.append(f"Last: {player_name(view.players[view.last.seat])}: {view.last.words}")
        lines += [f"{player_name(player)}: {self._points(player)}" for player in view.players]
        if with_rest:
            rest = own_fields(view)
            lines += [f"{name}: {value}" for name, value in rest.items()]
        return [part for line in lines for part in wrap(line, TEXT_WIDTH)]

    def _content(self, view: ViewT, theme: Theme) -> tuple[Point, list[Layer]]:
        """Returns the size of a page, and what is on it below the title."""
        width, layers, top, drawn = _WIDTH, list[Layer](), TOP, self.drawing(view, theme)
        if drawn is not None:
            width = max(_WIDTH, drawn.width + 2 * MARGIN)
            layers += part_of(drawn, -MARGIN, -TOP, drawn.width, drawn.height).layers
            top += drawn.height + MARGIN
        lines, labels = self._words(view, drawn is None), []
        for number, line in enumerate(lines):
            at = MARGIN, top + _LINE * (number + 0.5)
            size = fitted(line, _SIZE, _WIDTH - 2 * MARGIN)
            labels.append(Label(line, at, size, theme.ink, anchor="start"))
        return (width, top + _LINE * len(lines) + MARGIN), [*layers, Layer(tuple(labels))]

    def _page(
        self, view: ViewT, size: Point, width: float, layers: list[Layer], theme: Theme
    ) -> Scene:
        paper, frame = page(*size, theme)
        head = Layer((*frame.shapes, *title(self.spec.title, "", width / 2, MARGIN + 46, theme)))
        return Scene(*size, f"{self.spec.title}: {self.stage(view)}", (paper, head, *layers))


class TablePictures(GamePictures[FileEditionT, ViewT, PlaceT]):
    """Pages with a table at the left, and panels of the players in columns at the right."""

    shows_players = True
    about_reconstruction: str  # what is said below the title of a reconstruction
    columns: tuple[int, int, int]  # of panels, by the number of players from 2 on
    strip_height: float  # of `strip`

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(spec)
        self.panel_size = _STRIP_WIDTH, self.strip_height

    def table(
        self, edition: FileEditionT, view: ViewT, at: Point, height: float, theme: Theme
    ) -> Iterable[Layer]:
        raise NotImplementedError

    def table_size(self, num_players: int) -> Point:
        """Returns the table's width, and its height at least."""
        raise NotImplementedError

    def player_layers(
        self,
        edition: FileEditionT,
        view: ViewT,
        seat: int,
        at: Point,
        theme: Theme,
        show_coordinates: bool = True,
    ) -> Iterable[Layer]:
        """Yields the layers of a player's panel, of `player_size`."""
        raise NotImplementedError

    def player_size(self, edition: FileEditionT) -> Point:
        raise NotImplementedError

    def strip(
        self, view: ViewT, seat: int, at: Point, width: float, theme: Theme
    ) -> Iterable[Shape]:
        raise NotImplementedError

    def scene(
        self,
        edition: FileEditionT,
        view: ViewT,
        theme: Theme = LIGHT,
        show_coordinates: bool = True,
        size: tuple[int, int] | None = None,
    ) -> Scene:
        """Returns the whole picture, on a larger page if one is given."""
        width, height = self.size(edition, len(view.players))
        size = size or (width, height)
        paper, frame = page(*size, theme)
        layers = [paper, Layer((*frame.shapes, *self.head(edition, width, theme)))]
        layers += self.table(edition, view, (MARGIN, TOP), height - TOP - MARGIN, theme)
        for seat, at in enumerate(self.places(edition, len(view.players))):
            layers += self.player_layers(edition, view, seat, at, theme, show_coordinates)
        name = f"{self.spec.title}: {edition.name}. {self.stage(view)}"
        return Scene(*size, name, tuple(layers))

    def choices(
        self, edition: FileEditionT, view: ViewT, considering: Considering[PlaceT], theme: Theme
    ) -> Scene:
        """Returns the picture of what an agent considers, with marks for the choices."""
        board = self.size(edition, len(view.players))
        scene = self.scene(edition, view, theme, size=page_size(board, considering))
        marks = Layer(tuple(self.marks(edition, view, considering, theme)))
        marked = replace(scene, layers=(*scene.layers, marks))
        return with_choices(marked, board[0], view, considering, self.stage(view), theme)

    def panel(
        self, edition: FileEditionT, view: ViewT, seat: int, at: Point, theme: Theme
    ) -> Iterator[Shape]:
        yield from ground(view, seat, at, self.panel_size, theme)
        yield from self.strip(view, seat, at, _STRIP_WIDTH, theme)

    def size(self, edition: FileEditionT, num_players: int) -> tuple[int, int]:
        """Returns width and height of `scene` in pixels."""
        places, (width, height) = self.places(edition, num_players), self.player_size(edition)
        bottom = max(places[-1][1] + height, TOP + self.table_size(num_players)[1])
        return round(max(x for x, _ in places) + width + MARGIN), round(bottom + MARGIN)

    def places(self, edition: FileEditionT, num_players: int) -> list[Point]:
        """Returns the left upper corners of the panels, which reach down as far as the table."""
        columns = self.columns[num_players - 2]
        rows, (width, height) = -(-num_players // columns), self.player_size(edition)
        left, room = self.table_size(num_players)
        gap = max(_GAP, (room - rows * height) / max(1, rows - 1))
        x, y = MARGIN + left + 2 * _GAP, TOP - 6
        return [
            (x + seat % columns * (width + _GAP), y + seat // columns * (height + gap))
            for seat in range(num_players)
        ]

    def head(self, edition: FileEditionT, width: float, theme: Theme) -> Iterator[Shape]:
        """Yields the title of a page of that width, with a note for a reconstruction."""
        note = self.about_reconstruction if edition.reconstruction else ""
        words = f"{self.spec.title} · {edition.name}"
        yield from title(words, note, width / 2, MARGIN + 42, theme)


def cached_tuple(yields: Callable[_P, Iterator[_ThingT]]) -> Callable[_P, tuple[_ThingT, ...]]:
    """Decorates what yields the same things for equal arguments: they are kept as a tuple."""

    @lru_cache(maxsize=256)
    def cached(*args: Hashable) -> tuple[_ThingT, ...]:
        return tuple(yields(*args))  # type: ignore[call-arg, arg-type]

    return cached  # type: ignore[return-value]


def one_line_each(texts: Iterable[str]) -> tuple[str, ...]:
    """Returns texts without breaks and runs of spaces, such as those of a terminal."""
    return tuple(" ".join(text.split()) for text in texts)


def colored(text: str, ground: int, *, bold: bool = False) -> str:
    """Returns a text on one of a terminal's 256 colours, in dark letters."""
    return f"\x1b[0;{'1;' * bold}38;5;16;48;5;{ground}m{text}\x1b[0m"


def headline(view: ViewT, lines: Sequence[str], words: Callable[[str, ViewT], str]) -> str:
    """Returns the first lines of a game as text, with the last move of a game that goes on."""
    if view.last is not None and view.to_act is not None:
        name = printable(player_name(view.players[view.last.seat]))
        lines = [*lines, f"{name} {third_person(words(view.last.action, view))}"]
    return "\n".join(fill(line, TEXT_WIDTH, subsequent_indent="  ") for line in lines)


def points_line(view: View, player: Player, points: str) -> str:
    """Returns name and points of a player; a ">" marks the seat to act."""
    return (
        f"{'>' if player.seat == view.to_act else ' '} {printable(player_name(player))}: {points}"
    )


def points_table(heads: Sequence[str], players: Sequence[Player]) -> str:
    """Returns a table of all players' final points by source; `heads` names the sources."""
    names = [printable(player_name(player)) for player in players]
    width, column = max(map(len, heads)), max(12, *(len(name) + 2 for name in names))
    rows: list[tuple[str, Sequence[object]]] = [("points", names)]
    rows += [(head, [player.scores[i] for player in players]) for i, head in enumerate(heads)]
    rows.append(("total", [player.score for player in players]))
    return "\n".join(
        f"{head:<{width}}" + "".join(f"{n:>{column}}" for n in row) for head, row in rows
    )
