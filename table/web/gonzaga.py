"""Answers for Gonzaga's page: why something is refused, and what pieces add up to."""

from __future__ import annotations

import re

from starlette.requests import Request

from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.board.edition import Cell
from gonzaga_env.core.board.geometry import NUM_ROTATIONS
from gonzaga_env.core.view.refusals import Judge, laid, ways_to_cover
from gonzaga_env.games import DEFAULT_GAME
from gonzaga_env.tabletop.records.log import Viewer

from ..gonzaga.overview import overview
from ..session import GameSession, SessionError
from .requests import MalformedError, shown
from .values import as_json

_CELL = re.compile(r"(-?[0-9]{1,3}),(-?[0-9]{1,3})")  # row and column, of the map or beside it


def overview_json(table: GameSession, viewer: Viewer) -> str:
    """Returns groups, objective and harbors as a viewer may know them (`Overview`).

    Raises:
        SessionError: the game is another one.
    """
    _check_game(table)
    return as_json(overview(table.config.edition, table.view(viewer)))


def refusal_json(table: GameSession, seat: int, request: Request) -> str:
    """Returns why a seat may not play something, or null if it may.

    The request names a `plan` by its action, or leaves out the plan that is made; and hexes: a
    fief's `rotation` and where its first cell is (`at`), or one or two hexes of a `ring`. Before
    plans are revealed, a request without a plan ignores the cards.

    Raises:
        MalformedError: it names something else.
        SessionError: the game is over, or another one.
    """
    _check_game(table)
    if table.over:
        raise SessionError("the game is over")
    query, made = request.query_params, int(table.state.plan[0, seat])
    plan = _number(query.get("plan", str(made)), "plan", NUM_PLANS, made)
    judge = Judge(table.config.tables, table.state, seat, plan)
    refusal = judge.refuse_plan() if "plan" in query else None
    if refusal is None and "ring" in query:
        refusal = judge.refuse_rings(_ring_cells(query.getlist("ring")))
    elif refusal is None and "at" in query:
        rotation = _number(query.get("rotation", ""), "rotation", NUM_ROTATIONS)
        cells = laid(judge.fief_shape, rotation, _cell(query["at"]))
        refusal = judge.refuse_fief([cells, *ways_to_cover(judge.fief_shape, cells)])
    return as_json({"refusal": None if refusal is None else refusal.event})


def _check_game(table: GameSession) -> None:
    if table.config.game != DEFAULT_GAME:
        raise SessionError("only tables of Gonzaga answer this")


def _ring_cells(texts: list[str]) -> tuple[Cell, ...]:
    if len(texts) > 2:
        raise MalformedError(f"ring is given {len(texts)} times; a wedding takes one or two")
    return tuple(_cell(text) for text in texts)


def _cell(text: str) -> Cell:
    match = _CELL.fullmatch(text)
    if match is None:
        raise MalformedError(f"a hex is {shown(text)}; it takes row and column, such as 12,7")
    return int(match[1]), int(match[2])


def _number(text: str, name: str, size: int, *more: int) -> int:
    """Returns a number below `size`, or one of a few others."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1
    if number not in (*range(size), *more):
        raise MalformedError(f"{name} is {shown(text)}; it takes 0 to {size - 1}")
    return number
