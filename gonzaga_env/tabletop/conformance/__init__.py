"""What every game must hold; the tests of each game call it."""

from gonzaga_env.tabletop.conformance.suite import (
    CHECKS,
    Check,
    ConformanceError,
    check_both_engines,
    check_copies,
    check_decisions,
    check_game,
    check_hidden,
    check_independence,
    check_layouts,
    check_records,
    check_refusals,
    check_resets,
    check_views,
)

__all__ = [
    "CHECKS",
    "Check",
    "ConformanceError",
    "check_both_engines",
    "check_copies",
    "check_decisions",
    "check_game",
    "check_hidden",
    "check_independence",
    "check_layouts",
    "check_records",
    "check_refusals",
    "check_resets",
    "check_views",
]
