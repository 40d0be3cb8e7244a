"""Asks for a decision in games whose decisions take one action each."""

from __future__ import annotations

from ..choices import ActionChoice, Deciding
from ..session import SessionError

_FIRST = 24  # choices in the list, unless the player asks for all


def listed(turn: Deciding) -> list[ActionChoice]:
    """Returns the choices that have numbers: all."""
    return [*turn.choices]


def choice_list(turn: Deciding, numbered: list[ActionChoice]) -> str:
    lines, more = lines_of(numbered[:_FIRST]), len(numbered) - _FIRST
    return lines if more <= 0 else f"{lines}\n     and {more} more: list shows all"


def lines_of(numbered: list[ActionChoice]) -> str:
    """Returns numbered choices with their texts, which can be typed, and in words."""
    width = max(len(choice.text) for choice in numbered)
    return "\n".join(
        f"{i:>3}  {choice.text:<{width}}  {choice.words}"
        for i, choice in enumerate(numbered, start=1)
    )


def question(turn: Deciding) -> str:
    return "your move" if turn.kind == "main" else turn.kind


def command(text: str, turn: Deciding) -> str | None:
    """Returns the answer to a command of this game; None: no game of this kind has one."""
    return None


def read(text: str, turn: Deciding, numbered: list[ActionChoice]) -> ActionChoice:
    """Returns the choice that was typed, by number, by its text or by how its text begins."""
    text = " ".join(text.lower().split())
    if text.isascii() and text.isdigit():
        if not 1 <= int(text[:6]) <= len(numbered):
            raise SessionError(f"the list has numbers 1 to {len(numbered)}")
        return numbered[int(text) - 1]
    names = {choice: choice.text.lower() for choice in numbered}
    exact = [choice for choice, name in names.items() if text in (name, name.partition(" ")[2])]
    begun = exact or [choice for choice, name in names.items() if name.startswith(text)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        some = ", ".join(choice.text for choice in begun[:6])
        raise SessionError(f"{text!r} may be {len(begun)} actions: {some}; type more of it")
    raise SessionError(f"{text!r} is not among them; type a number of the list, or help")
