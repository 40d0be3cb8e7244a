"""Checks an edition against what R1, R4.7 and geometry fix, and lists every fault (R9.2).

The checks require what R1 fixes and what play needs, and nothing specific to a shipped edition:
regions, seas, symbols and scenarios may have any names. Where the rulebooks are silent, an edition
that differs from the shipped one's customs gets warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.editions import validate_board, validate_cards, validate_fiefs
from gonzaga_env.core.editions.fault import Fault

#: Every check, with the files that it reads.
CHECKS: tuple[tuple[frozenset[str], Callable[[Edition], Iterator[Fault]]], ...] = (
    (frozenset({"board"}), validate_board.names),
    (frozenset({"board"}), validate_board.region_names),
    (frozenset({"board"}), validate_board.marks),
    (frozenset({"board"}), validate_board.size),
    (frozenset({"board"}), validate_board.play_size),
    (frozenset({"board"}), validate_board.places),
    (frozenset({"board"}), validate_board.coasts),
    (frozenset({"board"}), validate_board.counts),
    (frozenset({"board"}), validate_board.barriers),
    (frozenset({"board", "fiefs"}), validate_fiefs.numbers),
    (frozenset({"fiefs"}), validate_fiefs.pieces),
    (frozenset({"board", "fiefs"}), validate_fiefs.coverage),
    (frozenset({"board", "scenarios"}), validate_cards.scenarios),
    (frozenset({"board", "scenarios"}), validate_cards.flourishing),
    (frozenset({"board", "scenarios", "objectives"}), validate_cards.objectives),
    (frozenset({"board", "objectives"}), validate_cards.objective_symbols),
)
#: What no rulebook says (see docs/edition.md): an edition that differs gets a warning, but for a
#: small one.
CUSTOMS: tuple[tuple[frozenset[str], Callable[[Edition], Iterator[Fault]]], ...] = (
    (frozenset({"board"}), validate_board.inner_barriers),
    (frozenset({"fiefs"}), validate_fiefs.sizes),
    (frozenset({"fiefs"}), validate_fiefs.differences),
    (frozenset({"board", "scenarios"}), validate_cards.usual_flourishing),
    (frozenset({"board", "objectives"}), validate_cards.objective_cities),
)
FILES = ("board", "fiefs", "scenarios", "objectives")


def find_faults(edition: Edition, readable: Sequence[str] = FILES) -> list[Fault]:
    """Returns every fault of an edition."""
    return [fault for files, check in CHECKS if files <= set(readable) for fault in check(edition)]


def find_warnings(edition: Edition) -> list[Fault]:
    """Returns every warning of an edition; where it has faults, these come first."""
    checks = () if edition.is_small else CUSTOMS
    return [warning for _, check in checks for warning in check(edition)]
