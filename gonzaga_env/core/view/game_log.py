"""A game move by move, as a viewer may know it: views and lines of a log.

A line is made from two views of the same viewer, so it holds nothing that the views do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.records import Record, engine_from_record, positions
from gonzaga_env.core.state.state import END_SOURCES, State
from gonzaga_env.core.view.game_view import GameView, PlayerView
from gonzaga_env.core.view.read import view_game
from gonzaga_env.tabletop.records.log import Frame, LogLine, Viewer, view_frames

PLACES = ("1st", "2nd", "3rd", "4th")


def record_frames(
    record: Record,
    edition: str | Path | Edition | None = None,
    viewer: Viewer = "spectator",
    names: Sequence[str] = (),
) -> Iterator[Frame]:
    """Yields the positions of a recorded game, the deal first, and verifies the record.

    Args:
        record: a record, as from `Recorder` or `read_records`.
        edition: the edition; None for that of the record.
        viewer: a seat, "public" or "spectator".
        names: the players' names; by default those of the record's agents.

    Yields:
        M + 1 frames for M moves.

    Raises:
        RecordError: something is missing, unknown or different; the frames before it have been
            yielded.
        EditionError: the edition cannot be found or has faults.
        OptionError: there is no such viewer, or the number of names is wrong.
    """
    return view_frames(_views(record, edition, viewer, names), log_lines)


def _views(
    record: Record,
    edition: str | Path | Edition | None,
    viewer: Viewer,
    names: Sequence[str],
) -> Iterator[GameView]:
    """Yields the views before all moves, and that after the last."""
    tables = last = None
    for number, state in enumerate(_states(record, edition)):
        if tables is None:  # the record has proved to be one
            tables = engine_from_record(record, edition).tables
        else:
            move = record["moves"][number - 1]
            action = tables.actions.parse(move["action"])
            last = last if action < NUM_PLANS else (int(move["seat"]), action)
        yield view_game(tables, state, 0, viewer, last=last, names=names or record["agents"])


def _states(record: Record, edition: str | Path | Edition | None) -> Iterator[State]:
    """Yields the states before all moves, and that after the last."""
    engine = yield from positions(record, edition)
    yield engine.state


def log_lines(before: GameView, after: GameView) -> tuple[LogLine, ...]:
    """Returns the lines of the one move between two views of the same viewer."""
    if before.to_act is None:
        return ()
    lines = [_move(before.to_act, before, after)]
    if before.stage == "planning" and after.stage == "placing":
        lines += _reveal(after)
    elif after.stage == "over":
        lines += _end(before, after)
    elif after.round > before.round:
        last = ", the last," if after.last_round else ""
        lines.append(LogLine(None, f"Round {after.round}{last} begins"))
    return tuple(lines)


def _move(seat: int, before: GameView, after: GameView) -> LogLine:
    if before.stage == "placing":
        return LogLine(seat, "moves" if after.last is None else after.last.words)
    plan = after.players[seat].plan
    known = plan is not None and after.viewer in ("spectator", seat)
    return LogLine(seat, f"plans {plan.words}" if plan is not None and known else "has planned")


def _reveal(view: GameView) -> Iterator[LogLine]:
    yield LogLine(None, "Plans are open")
    for place, seat in zip(PLACES, view.order, strict=False):
        plan = view.players[seat].plan
        if plan is not None:
            yield LogLine(seat, f"is {place} with {plan.words}")


def _end(before: GameView, after: GameView) -> Iterator[LogLine]:
    """Yields the final scoring (R8)."""
    yield LogLine(None, f"The game is over after {after.round} rounds")
    for old, new in zip(before.players, after.players, strict=True):
        yield LogLine(new.seat, _final(old, new))
    won = [player.seat for player in after.players if player.won]
    verb = "wins" if len(won) == 1 else "share the victory"
    names = " and ".join(_name(after.players[seat]) for seat in won)
    yield LogLine(None, f"{names} {verb} with {after.players[won[0]].score} points")


def _final(old: PlayerView, new: PlayerView) -> str:
    group, objective = (
        after - before
        for before, after in zip(old.scores[END_SOURCES], new.scores[END_SOURCES], strict=True)
    )
    cities = ""
    if new.objective is not None:
        held = _count(new.objective.held, "city", "cities")
        cities = f", {held} of the objective +{objective}"
    pieces = _count(new.largest_group, "connected piece", "connected pieces")
    return f"has {pieces} +{group}{cities}: {new.score} points"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _name(player: PlayerView) -> str:
    return player.name or f"Player {player.seat}"
