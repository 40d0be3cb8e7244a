"""What only reports about Gonzaga show: plans, placements and donations.

`Historian` steps the games of a match, `details_of` sums up what an agent did, `show_details`
prints it, and `donated` gives the share of the fiefs that were donated. `situation` says what a
seat has to decide.
"""

from .details import details_of, donated
from .history import Historian
from .report import show_details
from .situation import is_last_round, situation

__all__ = ["Historian", "details_of", "donated", "is_last_round", "show_details", "situation"]
