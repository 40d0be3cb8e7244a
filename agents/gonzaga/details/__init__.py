"""What only reports about Gonzaga show: plans, placements and donations.

`Historian` steps the games of a match, `details_of` sums up what an agent did, `show_details`
prints it, and `donated` gives the share of the fiefs that were donated. `situation` says what a
seat has to decide.
"""

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.state.state import PLACE, current_fiefs

from .details import details_of, donated
from .history import Historian
from .report import show_details

__all__ = ["Historian", "details_of", "donated", "is_last_round", "show_details", "situation"]


def situation(engine: Engine) -> tuple[str, ...]:
    """Returns what the seat to act of the first game decides, and the plan that it follows."""
    state, seat = engine.state, int(engine.seats[0])
    fief = current_fiefs(state)[0, seat] + 1
    if state.phase[0] != PLACE:
        return (f"plans for fief {fief}",)
    plan, place = engine.actions.to_text(int(state.plan[0, seat])), state.num_acted[0] + 1
    return f"places fief {fief}, as number {place} in the turn order", f"its plan: {plan}"


def is_last_round(engine: Engine) -> bool:
    """Returns whether the first game is known to end with this round (R7.3)."""
    return bool(engine.state.last_round[0])
