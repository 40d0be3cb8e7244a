"""Explains why an action is illegal, by the first rule that it breaks."""

from __future__ import annotations

from gonzaga_env.core.board.actions import NUM_PLANS, PAIR_DIRECTIONS
from gonzaga_env.core.board.edition import Cell, offset_neighbors
from gonzaga_env.core.board.placements import PlacementFault
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.state import PLACE, State, acting_seats, current_fiefs
from gonzaga_env.core.view.refusals import Judge, Refusal, laid
from gonzaga_env.kernel.errors import ActionError, IllegalActionError


def explain_illegal(tables: Tables, state: State, game: int, action: int) -> IllegalActionError:
    """Returns the error for an illegal action of a game: it names seat, action, reason and rule."""
    seat = int(acting_seats(state)[game])
    rule, why = _reason(tables, state.take(slice(game, game + 1)), seat, action)
    fief = int(current_fiefs(state)[game, seat]) + 1
    try:
        text = tables.actions.to_text(action, fief)
    except ActionError:  # a second ring off the map has no text
        text = "two rings"
    return IllegalActionError(
        f"game {game}, seat {seat}: action {action} ({text}) is illegal: {why} ({rule})",
        game=game,
        seat=seat,
        action=action,
        rule=rule,
    )


def _reason(tables: Tables, state: State, seat: int, action: int) -> tuple[str, str]:
    placing = bool(state.phase[0] == PLACE)
    if placing and action < NUM_PLANS:
        return "R3.6", "plans are already revealed; place or donate a fief, or arrange a wedding"
    if not placing and action >= NUM_PLANS:
        return "R3.2", "it is time to plan, not to place"
    refusal = _refusal(tables, state, seat, action, placing)
    return refusal.rule, refusal.text


def _refusal(tables: Tables, state: State, seat: int, action: int, placing: bool) -> Refusal:
    judge = Judge(tables, state, seat, int(state.plan[0, seat]) if placing else action)
    grid, spatial = tables.edition.grid, action - NUM_PLANS
    if not placing:
        refusal = judge.refuse_plan()
    elif action >= tables.actions.ring.start:
        refusal = judge.refuse_rings(_ring_cells(tables, action))
    else:
        rotation, anchor = divmod(spatial, tables.num_hexes)
        cells = laid(judge.fief_shape, rotation, grid.cells[anchor])
        refusal = judge.refuse_fief([cells])
        row = tables.placements.row(judge.fief_shape.number - 1, spatial)
        if refusal is None or tables.placements.fault[row] == PlacementFault.SAME_HEXES:
            refusal = _SAME_HEXES
    assert refusal is not None  # the engines ask about illegal actions only
    return refusal


def _ring_cells(tables: Tables, action: int) -> tuple[Cell, ...]:
    """Returns the hexes of one ring or of two; the second may be off the map."""
    kind, anchor = divmod(action - tables.actions.ring.start, tables.num_hexes)
    first = tables.edition.grid.cells[anchor]
    if kind == 0:
        return (first,)
    return first, offset_neighbors(*first)[PAIR_DIRECTIONS[kind - 1]]


_SAME_HEXES = Refusal(
    "same_hexes", "R4", "a lower rotation covers the same hexes; only that one is legal"
)
