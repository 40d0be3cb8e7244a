"""Checks an edition against what R1, R4.7 and geometry fix, and lists every fault at once (R9.2).

Only what R1 fixes and what play needs is demanded, nothing that is peculiar to a shipped edition:
the regions, seas, symbols and scenarios may have any names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gonzaga_env.core.edition import Edition
from gonzaga_env.core.editions import validate_board, validate_cards, validate_fiefs

#: Every rule, with the files that it reads.
RULES: tuple[tuple[frozenset[str], Callable[[Edition], Iterator[str]]], ...] = (
    (frozenset({"board"}), validate_board.names),
    (frozenset({"board"}), validate_board.region_names),
    (frozenset({"board"}), validate_board.marks),
    (frozenset({"board"}), validate_board.size),
    (frozenset({"board"}), validate_board.places),
    (frozenset({"board"}), validate_board.coasts),
    (frozenset({"board"}), validate_board.counts),
    (frozenset({"board"}), validate_board.barriers),
    (frozenset({"fiefs"}), validate_fiefs.numbers),
    (frozenset({"fiefs"}), validate_fiefs.pieces),
    (frozenset({"fiefs"}), validate_fiefs.differences),
    (frozenset({"board", "fiefs"}), validate_fiefs.coverage),
    (frozenset({"scenarios"}), validate_cards.scenarios),
    (frozenset({"board", "scenarios"}), validate_cards.flourishing),
    (frozenset({"objectives"}), validate_cards.objectives),
    (frozenset({"board", "objectives"}), validate_cards.objective_cities),
)
FILES = ("board", "fiefs", "scenarios", "objectives")


def find_faults(edition: Edition, readable: Sequence[str] = FILES) -> list[str]:
    """Returns every fault of an edition, each as `file: place: what is wrong; what would be right`.

    Args:
        edition: the edition.
        readable: the files that were read; rules that need another are left out.
    """
    return [fault for files, rule in RULES if files <= set(readable) for fault in rule(edition)]
