"""Which actions the rules allow in one game: what `core.batch.legal` is for batches.

`core.batch.legal` explains what is blocked eagerly and what lazily. One game can afford to store
the conflicts of own rings (`Position.ring_fiefs`), so here all of it is eager.
"""

from __future__ import annotations

from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.constants import ALLIANCE
from gonzaga_env.core.single.position import Position
from gonzaga_env.core.single.tables import PLANS
from gonzaga_env.core.state.state import PLAN


def legal_actions(position: Position) -> int:
    """Returns the legal actions of the seat to act as a set; empty where the game is over."""
    if position.finished:
        return 0
    seat, tables, scenario = position.seat, position.tables, position.scenario
    if position.phase == PLAN:  # R2.1, R3.3, R3.4
        previous = min(position.previous_plan[seat], NUM_PLANS)
        return tables.plan_bits[scenario][previous][position.ring_stock[seat] > 0]
    region, card, _ = PLANS[position.plan[seat]]
    fief = position.fief[seat]
    # R4.1, R4.2; the tables leave out what R4.4 and R4.5 forbid.
    legal = tables.fief_bits[scenario][region][card][fief]
    blocked = position.blocked | position.ring_fiefs[seat]  # R4.3, R5.5
    legal ^= legal & blocked >> fief * tables.per_fief
    legal |= 1 << tables.donate  # R3.7
    if card != ALLIANCE:  # R5.1
        return legal
    weddings = tables.ring_bits[scenario][region][card][min(position.ring_stock[seat], 2)]  # R5.2
    weddings ^= weddings & position.ring_blocked[seat]  # R5.4
    return legal | weddings
