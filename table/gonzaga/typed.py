"""Reads what a player types: a plan, or a placement, wedding or donation."""

from __future__ import annotations

import re

from gonzaga_env.core.board.notation import DONATE

from ..terminal.deciding import InputError
from .choices import PlacementChoice, Placing, PlanChoice, Planning

_PLAN = re.compile(r"(.*?)\s*\b([abc])(\s*\+.*|\s+p\w*)?", re.IGNORECASE)
_FIEF = re.compile(r"(?:fief\s+)?(?:\d+\s+)?r?([0-5])\s*(?:@|\s)\s*(\d+)\s*[,\s]\s*(\d+)")
_RINGS = re.compile(r"rings?\s+(\d+)\s*[,\s]\s*(\d+)(?:\s+(\d+)\s*[,\s]\s*(\d+))?")


def read_plan(text: str, turn: Planning) -> PlanChoice:
    """Returns the plan that was typed, such as "francia b", "fra B" or "inactive c + privilege".

    Raises:
        InputError: it is not a plan, or not a legal one.
    """
    match = _PLAN.fullmatch(text.strip())
    if match is None or not match[1]:
        raise InputError("a plan is a region and A, B or C, such as: Francia B")
    start, card, privilege = match[1].lower(), match[2].upper(), bool(match[3])
    regions = dict.fromkeys(plan.region for plan in turn.plans)
    fitting = [name for name in regions if name.lower().startswith(start)]
    if len(fitting) != 1:
        known = ", ".join(fitting or regions)
        raise InputError(f"the region {match[1]!r} is not in your hand; there are {known}")
    for plan in turn.plans:
        if (plan.region, plan.card, plan.privilege) == (fitting[0], card, privilege):
            return plan
    cards = dict.fromkeys(plan.card for plan in turn.plans if plan.privilege == privilege)
    if not cards:
        raise InputError("King's Privilege is not available: it was played last, or takes a ring")
    raise InputError(f"the action card {card} is not in your hand; there are {', '.join(cards)}")


def read_placement(
    text: str, turn: Placing, listed: tuple[PlacementChoice, ...]
) -> PlacementChoice:
    """Returns the placement that was typed.

    Args:
        text: a number of the list, a rotation with row and column ("r2 12,7"), "ring 12,7",
            "rings 12,7 12,8" or "donate".
        turn: the legal placements.
        listed: the numbered list.

    Raises:
        InputError: it is not a placement, or not a legal one.
    """
    text = text.strip().lower()
    if text.isdigit():
        if not 1 <= int(text) <= len(listed):
            raise InputError(f"the list has numbers 1 to {len(listed)}")
        return listed[int(text) - 1]
    if text == DONATE:
        return next(choice for choice in turn.placements if choice.kind == "donation")  # R3.7
    if match := _FIEF.fullmatch(text):
        rotation, row, col = map(int, match.groups())
        return _find_fief(turn, rotation, (row, col))
    if match := _RINGS.fullmatch(text):
        numbers = [int(part) for part in match.groups() if part is not None]
        cells = set(zip(numbers[::2], numbers[1::2], strict=True))
        for choice in turn.placements:
            if choice.kind == "wedding" and set(choice.cells) == cells:
                return choice
        raise InputError("rings cannot be placed there now")
    raise InputError('type a number of the list, "r2 12,7", "ring 12,7" or "donate"; or "help"')


def _find_fief(turn: Placing, rotation: int, at: tuple[int, int]) -> PlacementChoice:
    fiefs = [choice for choice in turn.placements if choice.kind == "fief"]
    for choice in fiefs:
        if (choice.rotation, choice.at) == (rotation, at):
            return choice
    row, col = at
    near = [f"r{choice.rotation}" for choice in fiefs if choice.at == at]
    other = f"; legal there: {', '.join(near)}" if near else ""
    raise InputError(f"the fief cannot lie with its first hex at {row},{col} in r{rotation}{other}")
