"""`draw_choices`, `draw_scores` and `draw_values`: pictures for understanding agents and games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from gonzaga_env.games import game_spec, record_config, record_frames, record_spec
from gonzaga_env.kernel.agent import (
    PROBABILITY,
    Agent,
    Considered,
    ask_choices,
    ask_values,
    find_agent,
)
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.editions import EditionBase, EditionSource
from gonzaga_env.kernel.engine import EngineBase
from gonzaga_env.kernel.errors import OptionError, RecordError
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.spec import Config, Engine
from gonzaga_env.kernel.state import StateArrays
from gonzaga_env.kernel.view import View, player_name
from gonzaga_env.render.draw import Picture, view_of

if TYPE_CHECKING:
    from gonzaga_env.render.palette import ThemeName


def draw_choices(
    what: object,
    agent: str | Agent,
    path: str | Path | None = None,
    *,
    config: Config | None = None,
    game: int | None = None,
    move: int | None = None,
    names: Sequence[str] = (),
    theme: ThemeName = "light",
    seed: int = 0,
) -> Picture:
    """Draws what an agent considers in the place of the seat to act.

    The agent gets only what that seat may know, and the picture shows no more. Beside it are the
    best choices as bars; the best of those that lie on the board are marked there. On Gonzaga's
    map each hex bears heat: the probability that the agent covers it, or the value of the best
    choice that does; plans heat the hexes of their region.

    Example::

        draw_choices(engine, "greedy"), draw_choices(record, agent, "move.svg", move=34)

    Args:
        what: an `Engine`, a `Game`, an environment of this package, a record with `move`, or a
            `State` with `config`.
        agent: an agent with a method `consider` or `evaluate`, or a name, a checkpoint or a class
            as for `gonzaga_agents.make_agent`.
        path: a file to write the picture to (".svg" or ".png"); None writes none.
        config: what a state is of; of a record, the edition, if not the one named in it.
        game: which of several games; None for the first.
        move: of a record, the number of the move before which to ask, from 0.
        names: the players' names; of a record, those of its agents are the default.
        theme: "light" or "dark".
        seed: decides what the agent draws.

    Raises:
        OptionError: nothing that the agent can be asked about, the game is over, the agent cannot
            say, or an invalid option.
        RecordError: the record is wrong.
        GameError: there is no such agent or edition, or Pillow is missing for PNG.
        OSError: the file cannot be written.
    """
    engine = _one_game(what, config, game, move)
    if engine.state.finished[0]:
        raise OptionError("the game is over; there is nothing to consider")
    asked, name = find_agent(agent, engine.config)
    answer = ask_choices(asked, name, engine, seed)
    played = None
    if isinstance(what, dict):
        played = engine.actions.parse(what["moves"][move]["action"])
    _, view = view_of(what, config, game, move, int(engine.seats[0]), names)
    return _saved(picture_choices(engine, view, answer, name, played, theme), path)


def picture_choices(
    engine: Engine,
    view: View,
    answer: Considered,
    name: str,
    played: int | None = None,
    theme: ThemeName = "light",
) -> Picture:
    from gonzaga_env.render.games import game_pictures
    from gonzaga_env.render.palette import theme_of
    from gonzaga_env.render.panels import Choice, Considering

    pictures = game_pictures(engine.config.game)
    actions, values = answer.actions.tolist(), answer.values.tolist()
    spent = [None] * len(actions) if answer.playouts is None else answer.playouts.tolist()
    places = (pictures.covered(engine, view, action) for action in actions)
    choices = tuple(
        Choice(engine.describe(action), value, cells, action == played, runs)
        for action, value, cells, runs in zip(actions, values, places, spent, strict=True)
    )
    considering = Considering(name, answer.unit, choices, answer.unit == PROBABILITY)
    edition = engine.config.edition
    return Picture(pictures.choices(edition, view, considering, theme_of(theme)))


def draw_scores(
    record: Record,
    path: str | Path | None = None,
    *,
    edition: EditionSource | None = None,
    names: Sequence[str] = (),
    theme: ThemeName = "light",
) -> Picture:
    """Draws the points of each player by move, with a grid line for each round.

    Args:
        record: a record, which is verified.
        path: a file to write the picture to (".svg" or ".png"); None writes none.
        edition: the edition; None for that of the record.
        names: the players' names; those of the record's agents by default.
        theme: "light" or "dark".

    Raises:
        RecordError: the record is wrong.
        EditionError: the edition cannot be found or has faults.
        OptionError: an invalid option.
        MissingPackageError: PNG without Pillow; the message says what to install.
        OSError: the file cannot be written.
    """
    views = [frame.view for frame in record_frames(record, edition, "public", names)]
    series = [[view.players[seat].score for view in views] for seat in range(len(views[0].players))]
    return _saved(_curves(record, views[-1], series, "Scores", "points", theme), path)


def draw_values(
    record: Record,
    agent: str | Agent,
    path: str | Path | None = None,
    *,
    edition: EditionSource | None = None,
    names: Sequence[str] = (),
    theme: ThemeName = "light",
    seed: int = 0,
) -> Picture:
    """Draws what the positions of a game are worth to an agent, by move.

    Before every move, the agent is asked in the place of the seat to act, with what that seat may
    know. So each player's curve has a value at each of its own moves.

    Args:
        record: a record, which is verified.
        agent: an agent with a method `evaluate` or `consider`, or a name as for `draw_choices`.
        path: a file to write the picture to (".svg" or ".png"); None writes none.
        edition: the edition; None for that of the record.
        names: the players' names; those of the record's agents by default.
        theme: "light" or "dark".
        seed: decides what the agent draws.

    Raises:
        RecordError: the record is wrong.
        OptionError: the agent cannot say, or an invalid option.
        GameError: there is no such agent or edition, or Pillow is missing for PNG.
        OSError: the file cannot be written.
    """
    last = [frame.view for frame in record_frames(record, edition, "public", names)][-1]
    config, spec = record_config(record, edition), record_spec(record)
    engines = [
        spec.engine.from_state(config, state, autoreset=False)
        for state in spec.records.positions(record, edition)
    ]
    asked, name = find_agent(agent, config)
    values, unit, bounds = ask_values(asked, name, engines, seed)
    series = [[math.nan] * len(engines) for _ in last.players]
    for number, (engine, value) in enumerate(zip(engines, values, strict=True)):
        series[engine.seats[0]][number] = value
    # Agents without `evaluate` value a position by its best choice.
    what = "the position" if callable(getattr(asked, "evaluate", None)) else "the best choice"
    title = f"What {what} is worth to {name}"
    return _saved(_curves(record, last, series, title, unit, theme, bounds), path)


def _curves(
    record: Record,
    view: View,
    series: Sequence[Sequence[float]],
    title: str,
    unit: str,
    theme: ThemeName,
    bounds: tuple[float, float] | None = None,
) -> Picture:
    from gonzaga_env.render.charts import curves_scene
    from gonzaga_env.render.games import game_pictures
    from gonzaga_env.render.palette import theme_of

    pictures = game_pictures(record_spec(record).name)
    names = [player_name(player) for player in view.players]
    title, colors = f"{title} · {pictures.name(view)}", theme_of(theme)
    x_step = None if pictures.plies is None else pictures.plies * len(names)
    return Picture(
        curves_scene(series, names, colors, title=title, y_title=unit, x_step=x_step, bounds=bounds)
    )


def _saved(picture: Picture, path: str | Path | None) -> Picture:
    if path is not None:
        picture.save(path)
    return picture


def _one_game(what: object, config: Config | None, game: int | None, move: int | None) -> Engine:
    """Returns an engine with the one game that an agent is asked about."""
    if isinstance(what, dict):
        return _from_record(what, None if config is None else config.edition, move)
    if isinstance(what, StateArrays):
        if config is None:
            raise OptionError("a State does not hold its edition; pass config=GameConfig(...)")
        state = what
    else:
        source = getattr(what, "unwrapped", what)
        held = source if isinstance(source, EngineBase) else None
        held = held or getattr(source, "engine", None) or getattr(source, "game", None)
        if not isinstance(held, EngineBase):
            raise OptionError(
                f"an agent cannot be asked about {type(what).__name__}; it takes an Engine, a "
                "Game, an environment, a record with move, or a State with config"
            )
        state, config = held.state, held.config  # type: ignore[attr-defined]  # both engines'
    row = 0 if game is None else game
    if not is_integer(row) or not 0 <= row < state.num_games:
        raise OptionError(f"game is {game!r}; valid: 0 to {state.num_games - 1}")
    assert config is not None
    one = state.take(slice(int(row), int(row) + 1))
    return game_spec(config.game).engine.from_state(config, one, autoreset=False)


def _from_record(record: Record, edition: EditionBase | None, move: int | None) -> Engine:
    if not isinstance(record.get("moves"), list):
        raise RecordError("not a record: it has no list of moves")
    number = len(record["moves"])
    if move is None or not is_integer(move) or not 0 <= move < number:
        raise OptionError(f"move is {move!r}; this record takes 0 to {number - 1}")
    spec = record_spec(record)
    state = next(islice(spec.records.positions(record, edition), int(move), None))
    return spec.engine.from_state(record_config(record, edition), state, autoreset=False)
