"""Explains why an action is illegal, by the first rule that it breaks."""

from __future__ import annotations

from gonzaga_env.core.batch.legal import acting_seats
from gonzaga_env.core.board.actions import NO_PLAN, NUM_PLANS, plan_cards
from gonzaga_env.core.board.notation import ACTION_CARD_NAMES
from gonzaga_env.core.board.placements import PlacementFault
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import ALLIANCE, HARBORS, INACTIVE_CARD
from gonzaga_env.core.state.state import PLACE, State, current_fiefs
from gonzaga_env.tabletop.errors import ActionError, IllegalActionError

_GEOMETRY = {
    PlacementFault.OFF_MAP: ("R4.3", "one of its hexes is off the map"),
    PlacementFault.CASTLE_ON_WATER: ("R4.4", "a castle is on water; castles must be on land"),
    PlacementFault.BARRIER: ("R4.5", "two of its adjacent hexes are separated by a barrier"),
    PlacementFault.SAME_HEXES: (
        "R4",
        "a lower rotation covers the same hexes; only that one is legal",
    ),
}


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
    if not placing:
        return _plan_reason(tables, state, seat, action)
    if action < tables.actions.fief.stop:
        return _fief_reason(tables, state, seat, action)
    return _ring_reason(tables, state, seat, action)


def _plan_reason(tables: Tables, state: State, seat: int, action: int) -> tuple[str, str]:
    region, card, privilege = plan_cards(action)
    name, flourishing = tables.actions.region_names[region], tables.flourishing[state.scenario[0]]
    if region != INACTIVE_CARD and not flourishing[region]:
        return (
            "R2.1",
            f"{name} is inactive; its card is not in the game",
        )
    previous = int(state.previous_plan[0, seat])
    if previous != NO_PLAN:
        old_region, old_card, old_privilege = plan_cards(previous)
        if region == old_region:
            return (
                "R3.3",
                f"the card {name} was played in the last round",
            )
        if card == old_card:
            return "R3.3", f"the card {ACTION_CARD_NAMES[card]} was played in the last round"
        if privilege and old_privilege:
            return "R3.3", "King's Privilege was played in the last round"
    return "R3.4", "King's Privilege costs a ring, and no ring is left"


def _fief_reason(tables: Tables, state: State, seat: int, action: int) -> tuple[str, str]:
    region, card, _ = plan_cards(int(state.plan[0, seat]))
    row = tables.placements.row(current_fiefs(state)[0, seat], action - NUM_PLANS)
    fault = PlacementFault(int(tables.placements.fault[row]))
    if fault != PlacementFault.NONE:
        return _GEOMETRY[fault]
    covers = tables.placements.bits[row]
    if (covers & state.fiefs[0]).any():
        return "R4.3", "one of its hexes holds a fief"
    if (covers & state.rings[0, seat]).any():
        return "R4.3", "one of its hexes holds an own ring"
    cities, harbors = int(tables.num_cities[row]), int(tables.num_harbors[row])
    covered = f"it covers {cities} cities and {harbors} harbors"
    if card == HARBORS and (cities or not harbors):
        return "R4.2", f"action A needs at least one harbor and no city; {covered}"
    if card == ALLIANCE and not (cities and harbors):
        return "R4.2", f"action C needs at least one city and one harbor; {covered}"
    if harbors and card not in (HARBORS, ALLIANCE):
        return "R4.2", f"action B allows no harbor; {covered}"
    return (
        "R4.1",
        f"none of its hexes is in the planned region ({tables.actions.region_names[region]})",
    )


def _ring_reason(tables: Tables, state: State, seat: int, action: int) -> tuple[str, str]:
    region, card, _ = plan_cards(int(state.plan[0, seat]))
    if card != ALLIANCE:
        return "R5.1", f"a wedding needs action C; {ACTION_CARD_NAMES[card]} is planned"
    num_rings, stock = 1 + (action >= tables.actions.rings.start), int(state.ring_stock[0, seat])
    if stock < num_rings:
        return "R5.1", f"rings needed: {num_rings}, left: {stock}"
    row = tables.placements.row(current_fiefs(state)[0, seat], action - NUM_PLANS)
    if tables.placements.fault[row] == PlacementFault.OFF_MAP:
        return "R5.2", "the second ring is off the map"
    covers = tables.placements.bits[row]
    if (covers & state.fiefs[0, seat]).any():
        return "R5.4", "one of its hexes holds an own fief"
    if (covers & state.rings[0]).any():
        return "R5.4", "one of its hexes already holds a ring"
    return (
        "R5.2",
        f"no ring is in the planned region ({tables.actions.region_names[region]})",
    )
