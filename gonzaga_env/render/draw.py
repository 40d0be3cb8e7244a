"""`gonzaga_env.draw`, the one public door to pictures, and `draw_text`, a game in words.

The drawing code is loaded with the first picture: it would be a sixth of the time that
`import gonzaga_env` takes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.games import game_spec, record_config, record_frames
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.batch import BatchEngine
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.errors import MissingPackageError, OptionError
from gonzaga_env.kernel.notebooks import SvgReprMixin
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.state import StateArrays
from gonzaga_env.kernel.view import View, Viewer
from gonzaga_env.kernel.writing import write_aside

if TYPE_CHECKING:
    from gonzaga_env.render.games import AnyPictures
    from gonzaga_env.render.palette import ThemeName
    from gonzaga_env.render.shapes import Scene


@dataclass(frozen=True)
class Picture:
    """A picture: notebooks show it, `save` writes it."""

    scene: Scene  #: its shapes

    @property
    def svg(self) -> str:
        """The picture as a complete SVG document; equal pictures give equal texts."""
        from gonzaga_env.render.svg import to_svg

        return to_svg(self.scene)

    def to_array(self, width: int | None = None) -> NDArray[np.uint8]:
        """Returns the picture as pixels [height, width, 3], a new array each time.

        Args:
            width: pixels, 100 to 4000; None for the width that the SVG has. The height follows; it
                is even, as video encoders ask.

        Raises:
            OptionError: the width is out of range.
            MissingPackageError: Pillow is missing; the message says what to install.
        """
        return _raster().to_array(self.scene, width)

    def save(self, path: str | Path, width: int | None = None) -> None:
        """Writes the picture to a file, completely or not at all.

        Args:
            path: the file; its ending decides the format: ".svg" or ".png".
            width: of a PNG, as for `to_array`.

        Raises:
            OptionError: another ending, or the width is out of range or given for SVG.
            MissingPackageError: PNG without Pillow; the message says what to install.
            OSError: the file cannot be written.
        """
        ending = Path(path).suffix.lower()
        if ending == ".png":
            write_aside(path, _raster().to_png(self.scene, width))
            return
        if ending != ".svg":
            raise OptionError(f"{path}: a picture's file ends in .svg or .png")
        if width is not None:
            raise OptionError(f"width is {width!r}; SVG has no pixels, so it takes None")
        write_aside(path, self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture {self.scene.width} x {self.scene.height}, {self.scene.title}>"


def _raster() -> ModuleType:
    """Returns the module that draws pixels, the only one that needs Pillow."""
    try:
        from gonzaga_env.render import raster
    except ModuleNotFoundError as error:
        if error.name != "PIL":
            raise
        raise MissingPackageError(_PILLOW_HINT, name=error.name) from error
    return raster


_PILLOW_HINT = 'Pillow is not installed; run: pip install "gonzaga-env[render]", or use SVG'


def draw(
    what: object,
    path: str | Path | None = None,
    *,
    config: Config | None = None,
    game: int | None = None,
    move: int | None = None,
    viewer: Viewer | None = None,
    names: Sequence[str] = (),
    theme: ThemeName = "light",
    coordinates: bool = True,
) -> Picture:
    """Draws what an edition prints, or a game with the players' panels.

    A picture holds only what its viewer may know. Of an environment, the default viewer is the
    learner, or the agent to act where there is no learner; of everything else, "spectator", who
    knows everything.

    Example::

        draw("europe"), draw(engine, game=3), draw(env, "game.svg"), draw(record, move=40)

    Args:
        what: an edition, or the name or folder of one of Gonzaga; an `Engine` or a `Game`, an
            environment of this package, wrapped or not; a record of a game; or a `State` or a
            `GameView` with `config`.
        path: a file to write the picture to (".svg" or ".png"); None writes none.
        config: what a state or a view is of; of a record, the edition, if not the one named in it.
        game: which of several games; None for the first.
        move: of a record, how many moves to play, from 0; None for all.
        viewer: a seat; "public", who knows only what lies open; "spectator"; None for the default.
        names: the players' names; of a record, those of its agents are the default.
        theme: "light" or "dark".
        coordinates: whether a game's map has the numbers of rows and columns, or a region the names
            of its cells.

    Raises:
        OptionError: nothing that can be drawn, or an invalid option.
        EditionError: the edition cannot be found or has faults.
        RecordError: the record is wrong.
        StateError: the state is of another game, or contradicts itself.
        MissingPackageError: PNG without Pillow; the message says what to install.
        OSError: the file cannot be written.
    """
    from gonzaga_env.render.palette import theme_of

    colors = theme_of(theme)
    if isinstance(what, str | Path):
        what = load_edition(what)
    if isinstance(what, EditionBase):
        picture = Picture(_pictures(what).edition_scene(what, colors))
    else:
        edition, view = view_of(what, config, game, move, viewer, names)
        picture = Picture(_pictures(edition).scene(edition, view, colors, coordinates))
    if path is not None:
        picture.save(path)
    return picture


def _pictures(edition: EditionBase) -> AnyPictures:
    from gonzaga_env.render.games import game_pictures

    return game_pictures(edition.game)


def view_of(
    what: object,
    config: Config | None,
    game: int | None,
    move: int | None,
    viewer: Viewer | None,
    names: Sequence[str],
) -> tuple[EditionBase, View]:
    """Returns the edition and the view to draw (arguments and errors: `draw`)."""
    who: Viewer = "spectator" if viewer is None else viewer
    if isinstance(what, dict):
        _refuse("a record", game=game)
        return _view_record(what, None if config is None else config.edition, move, who, names)
    _refuse(type(what).__name__, move=move)
    if isinstance(what, StateArrays):
        config = _checked(what, config)
        engine = game_spec(config.game).engine.from_state(config, what, copy=False)
        return engine.edition, engine.view(game or 0, who, names=names)
    if isinstance(what, View):
        _refuse("a GameView", game=game, viewer=viewer)
        edition = _checked(what, config).edition
        if edition.digest != what.digest:
            raise OptionError(f"the view is of another edition than the config's, {edition!r}")
        return edition, what
    return _view_playing(what, game, viewer, names)


def _view_playing(
    what: object, game: int | None, viewer: Viewer | None, names: Sequence[str]
) -> tuple[EditionBase, View]:
    """Returns edition and view of an engine, a game or an environment, which choose the viewer."""
    source = getattr(what, "unwrapped", what)
    edition = getattr(source, "edition", None)
    if not isinstance(edition, EditionBase) or not hasattr(source, "view"):
        raise OptionError(
            f"{type(what).__name__} cannot be drawn; draw takes an edition, an Engine, a Game, an "
            f"environment, a record, or a State or GameView with config"
        )
    options: dict[str, object] = {} if viewer is None else {"viewer": viewer}
    if isinstance(source, BatchEngine) or hasattr(source, "engine"):
        options["game"] = game or 0
    else:
        _refuse(type(source).__name__, game=game)
    return edition, source.view(names=names, **options)


def _view_record(
    record: Record,
    edition: EditionBase | None,
    move: int | None,
    viewer: Viewer,
    names: Sequence[str],
) -> tuple[EditionBase, View]:
    frames = record_frames(record, edition, viewer, names)
    if move is None:
        (frame,) = deque(frames, maxlen=1)
    else:
        number = len(record.get("moves", ()))
        if not is_integer(move) or not 0 <= move <= number:
            raise OptionError(f"move is {move!r}; this record takes 0 to {number}")
        frame = next(islice(frames, int(move), None))
    return record_config(record, edition).edition, frame.view


def _checked(what: object, config: Config | None) -> Config:
    if config is None or not isinstance(getattr(config, "edition", None), EditionBase):
        raise OptionError(
            f"a {type(what).__name__} does not hold its edition; pass config=GameConfig(...)"
        )
    return config


def _refuse(what: str, **options: object) -> None:
    for name, value in options.items():
        if value is not None:
            raise OptionError(f"{name} is {value!r}; {what} takes none")


SvgReprMixin.draw_svg = lambda what: draw(what).svg


def draw_text(
    edition: EditionBase, view: View, *, color: bool = False, coordinates: bool = False
) -> str:
    """Returns a game as text: the board, scores and holdings, as far as the viewer knows them.

    Without its escape sequences, coloured text is the same as plain text.

    Args:
        edition: the edition that is played.
        view: the game, as its viewer may see it.
        color: whether boards and pieces have their colours, as escape sequences of terminals.
        coordinates: whether hexes can be told by their names, or rows and columns by their numbers.
    """
    from gonzaga_env.render.games import game_pictures  # the drawing code, see `draw`

    return game_pictures(edition.game).text(edition, view, color=color, coordinates=coordinates)
