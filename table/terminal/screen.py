"""What a player at the terminal reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gonzaga_env.tabletop.records.log import LogLine, called

from ..hints import Hint, HintChoice

CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, and what was scrolled off it
WIDTH = 100  # of a line of words


def story(lines: Iterable[LogLine], view: Any) -> str:
    """Returns lines of the log with the players' names."""
    names = {None: "", **{player.seat: f"{called(player)} " for player in view.players}}
    return "\n".join(f"  {names[line.seat]}{line.text}" for line in lines)


def hint_text(hint: Hint) -> str:
    """Returns the best choices of an agent with their values."""
    lines = [f"{hint.agent} considers ({hint.unit}):"]
    lines += [f"  {_value(hint, choice):>7}  {choice.words}" for choice in hint.choices[:5]]
    return "\n".join(lines)


def _value(hint: Hint, choice: HintChoice) -> str:
    """Returns what a choice is worth to an agent, a chance in percent."""
    if choice.value is None:
        return ""
    return f"{choice.value:.2f}" if hint.measure == "points" else f"{choice.value:.0%}"
