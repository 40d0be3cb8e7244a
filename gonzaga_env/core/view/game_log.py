"""The lines of a game's log, as a viewer may know them.

A line is made from two views of the same viewer, so it holds nothing that the views do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from gonzaga_env.core.state import END_SOURCES
from gonzaga_env.core.view.game_view import GameView, PlayerView
from gonzaga_env.kernel.view import LogLine, victory

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
        event = {"kind": "round", "round": after.round, "last": after.last_round}
        lines.append(LogLine(None, f"Round {after.round}{last} begins", event))
    return tuple(lines)


def _move(seat: int, before: GameView, after: GameView) -> LogLine:
    if before.stage == "placing":
        move = after.last
        return LogLine(seat, "moves") if move is None else LogLine(seat, move.words, move.event)
    plan = after.players[seat].plan
    if plan is None or after.viewer not in ("spectator", seat):
        return LogLine(seat, "has planned", {"kind": "plan"})
    return LogLine(seat, f"plans {plan.words}", {"kind": "plan", **asdict(plan)})


def _reveal(view: GameView) -> Iterator[LogLine]:
    """Yields the plans in the turn order, and what puts each before the next (R3.5)."""
    yield LogLine(None, "Plans are open", {"kind": "reveal"})
    for place, seat in enumerate(view.order):
        player = view.players[seat]
        if player.plan is None:
            continue
        by = view.precedence[place] if place < len(view.precedence) else None
        event = {"kind": "order", "place": place + 1, **asdict(player.plan)}
        event |= {"card": player.card, "by": by}
        yield LogLine(seat, f"is {PLACES[place]} with {player.plan.words}", event)


def _end(before: GameView, after: GameView) -> Iterator[LogLine]:
    """Yields the final scoring (R8)."""
    event = {"kind": "over", "rounds": after.round}
    yield LogLine(None, f"The game is over after {after.round} rounds", event)
    for old, new in zip(before.players, after.players, strict=True):
        yield _final(old, new)
    yield victory(after.players)


def _final(old: PlayerView, new: PlayerView) -> LogLine:
    group, objective = (
        after - before
        for before, after in zip(old.scores[END_SOURCES], new.scores[END_SOURCES], strict=True)
    )
    event = {"kind": "final", "score": new.score}
    event |= {"pieces": new.largest_group, "group": group}
    cities = ""
    if new.objective is not None:
        event |= {"cities": new.objective.held, "objective": objective}
        held = _count(new.objective.held, "city", "cities")
        cities = f", {held} of the objective +{objective}"
    pieces = _count(new.largest_group, "connected piece", "connected pieces")
    return LogLine(new.seat, f"has {pieces} +{group}{cities}: {new.score} points", event)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
