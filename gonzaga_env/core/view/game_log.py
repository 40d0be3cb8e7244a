"""The lines of a game's log, as a viewer may know them.

A line is made from two views of the same viewer, so it holds nothing that the views do not.
"""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.core.state.state import END_SOURCES
from gonzaga_env.core.view.game_view import GameView, PlayerView
from gonzaga_env.tabletop.records.log import LogLine, victory

PLACES = ("1st", "2nd", "3rd", "4th")


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
    yield victory(after.players)


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
