"""The command `python -m gonzaga_env explain`: what an agent considers before a recorded move."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from textwrap import fill, wrap
from typing import Any

import numpy as np

from gonzaga_env.command_line import add_records, examples, file_ending
from gonzaga_env.games import game_spec, record_config, record_frames, record_spec
from gonzaga_env.render.decisions import picture_choices, positions_of
from gonzaga_env.tabletop.agent import Considered, ask_choices, find_agent
from gonzaga_env.tabletop.bounded import printable
from gonzaga_env.tabletop.errors import EditionError, GameError, OptionError, RecordError
from gonzaga_env.tabletop.records import Record, read_record
from gonzaga_env.tabletop.spec import Engine

HELP = "show what an agent considers before a move"
_WIDTH = 80


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser, and the function that runs it."""
    parser.description = (
        "Show what an agent considers before a move of a recorded game: its choices, best first, "
        "and what each is worth to it. The agent is given what the seat to act may know, nothing "
        "else. The move that was played is marked."
    )
    add = parser.add_argument
    add_records(parser)
    add("--game", metavar="N", type=int, required=True, help="a game, from 1")
    add("--move", metavar="M", type=int, required=True, help="a move, from 1, as show counts them")
    add(
        "--agent",
        metavar="AGENT",
        required=True,
        help="a name such as greedy or search, a checkpoint (.zip), a run's folder, module:Class "
        "or file.py:Class",
    )
    add("--top", metavar="K", type=int, default=10, help="choices shown (10)")
    add("--seed", metavar="INT", type=int, default=0, help="decides what the agent draws (0)")
    add(
        "--picture",
        metavar="FILE",
        type=file_ending(".svg", ".png"),
        help="also draw the choices on the map, as SVG or PNG by the file's ending",
    )
    parser.epilog = examples(
        "python -m gonzaga_env explain games.jsonl --game 1 --move 3 --agent search",
    )
    parser.set_defaults(run=explain_move)


def explain_move(options: argparse.Namespace) -> int:
    """Prints what an agent considers before a move, and returns the exit code, 0.

    Raises:
        GameError: there is no such game, move or agent, or the agent has no method `consider`.
    """
    for name, lowest in (("top", 1), ("seed", 0)):
        if getattr(options, name) < lowest:
            raise OptionError(f"{name} is {getattr(options, name)}; it takes {lowest} or more")
    record = read_record(options.file, options.game)
    engine = _position(record, options)
    agent, name = find_agent(options.agent, engine.config)
    found = ask_choices(agent, name, engine, options.seed)
    number = options.move - 1  # of the moves before
    played = engine.config.actions.parse(record["moves"][number]["action"])
    if options.picture is not None:
        told = record_frames(record, options.edition, int(engine.seats[0]))
        view = next(islice(told, number, None)).view
        picture_choices(engine, view, found, name, played).save(options.picture)
    text = [*_situation(engine, record, options), f"played: {engine.describe(played)}", ""]
    text += [*_verdict(engine, found, played, name), ""]
    for line in text:
        print(fill(line, _WIDTH, subsequent_indent="  "))
    for line in _table(engine, found, played, options.top):
        print(line)
    if options.picture is not None:
        print(f"\nwrote {options.picture}")
    return 0


def _position(record: Record, options: argparse.Namespace) -> Any:
    """Returns an engine with the position before a move; all moves up to it are verified."""
    game, moves = f"{options.file}, game {options.game}", record.get("moves")
    if not isinstance(moves, list):
        raise RecordError(f"{game}: not a record: it has no list of moves")
    if not 1 <= options.move <= len(moves):
        known = f"has moves 1 to {len(moves)}" if moves else "has no moves"
        raise RecordError(f"{game} {known}; there is no move {options.move}")
    try:
        states = islice(positions_of(record, options.edition), options.move - 1, None)
        state = next(states)
        next(states, None)  # verifies the move itself
    except EditionError:
        raise
    except GameError as error:
        raise RecordError(f"{game}: {error}") from error
    config = record_config(record, options.edition)
    return record_spec(record).engine.from_state(config, state, autoreset=False)


def _situation(engine: Engine, record: Record, options: argparse.Namespace) -> Iterator[str]:
    """Yields the seat to act, the round, and the scores."""
    spec = game_spec(engine.config.game)
    seat, room = int(engine.seats[0]), spec.part("details")
    last = ", the last" if room is not None and room.is_last_round(engine) else ""
    scenario = f", scenario {record['scenario']}" if "scenario" in record else ""
    yield (
        f"{options.file.name}, game {options.game}, move {options.move}: round {engine.rounds[0]}"
        f"{last}{scenario}, {engine.num_players} players"
    )
    kind = spec.kinds[engine.kinds[0]]
    decides, *more = (f"decides: {kind}",) if room is None else room.situation(engine)
    yield f"seat {seat} ({printable(record['agents'][seat])}) {decides}"
    yield from more
    scores = ", ".join(f"seat {i} {score}" for i, score in enumerate(engine.totals[0]))
    yield f"scores: {scores}"


def _verdict(engine: Engine, found: Considered, played: int, name: str) -> Iterator[str]:
    """Yields what the agent thinks of the move, in words."""
    seat, num_choices = engine.seats[0], len(found.actions)
    choices = "1 choice" if num_choices == 1 else f"{num_choices} choices"
    yield f"{name} considers {choices}, from the observation of seat {seat} alone"
    yield f"values: {found.unit}"
    if played not in found.actions:
        yield "the move played is not among them"
        return
    rank = found.actions.tolist().index(played)
    gap = found.values[0] - found.values[rank]
    less = f"worth {_number(gap, found.values)} less than" if gap else "worth as much as"
    yield f"the move played is number {rank + 1}{f', {less} number 1' if rank else ''}"


def _table(engine: Engine, found: Considered, played: int, top: int) -> Iterator[str]:
    """Yields the first choices as a table, and that of the move played."""
    actions = found.actions.tolist()
    rows = [*range(min(top, len(actions)))]
    if played in actions[top:]:
        rows.append(actions.index(played))
    values = [_number(found.values[row], found.values) for row in rows]
    columns = {"": [f"{row + 1}" for row in rows], "value": values}
    if found.playouts is not None:
        columns["playouts"] = [str(found.playouts[row]) for row in rows]
    widths = {name: max(map(len, [name, *texts])) for name, texts in columns.items()}
    yield "  " + "  ".join(f"{name:>{width}}" for name, width in widths.items()) + "  choice"
    for i, row in enumerate(rows):
        if row > i:
            yield "  ..."
        cells = (f"{texts[i]:>{widths[name]}}" for name, texts in columns.items())
        mark = "> " if actions[row] == played else "  "
        start = f"{mark}{'  '.join(cells)}  "
        text = engine.describe(actions[row])
        yield from wrap(text, _WIDTH, initial_indent=start, subsequent_indent=" " * len(start))


def _number(value: float, values: Any) -> str:
    """Returns a value with as many digits as the largest needs."""
    return f"{value:.{3 if np.abs(values).max() <= 1 else 1}f}"
