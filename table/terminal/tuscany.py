"""What a player of The Castles of Tuscany reads and types."""

from __future__ import annotations

from ..choices import ActionChoice, Deciding
from .parse import InputError

HELP = """\
a number      of the list; Enter then plays it, undo takes it back
an action     as in the list: draw, take AOG, tile L4, pay own+worker; its first letters are enough
layout A' B C +-   your boards from left to right: ' one that is turned by half a turn; + the next
              one lies half a hex lower, - higher. The middle board is never turned.
list          shows all choices, where they are many
show          shows the table again: [ ] a tile, ( ) a wooden hexagon, the others are empty
hint          asks an agent; rules, help, quit"""
RULES = """\
A turn is one action: draw region cards, take a tile from the display into storage, or place a
stored tile on an empty hex of its colour that touches a covered one (T3 to T6). A marble pays for
one more action. Placing costs two units: a card of the colour, two equal cards of another, or a
worker each. A wooden hexagon lies on any colour.
Covering the last hex of a zone of 1, 2, 3 hexes: 1, 3, 6 green; the last one of a colour: a bonus
for the first and the second player.
  castle  one more tile from the display, free     city     a bonus tile
  inn     a wooden hexagon (2 red if there is no space)      agriculture  1 green per new crop
  quarry  a marble    village  a worker    monastery  3 cards    wagon  a yield card
Each tile taken is replaced from your own stacks of seven: the first to turn up 7, 14, 21 tiles
ends a round. Then red grows by green, which stays. At the end: 1 red for each stored piece, marble
and worker, and for three cards. Most red wins.
All rules: docs/tuscany/rules.md"""
_FIRST = 24  # choices in the list, unless all are asked for


def listed(turn: Deciding) -> list[ActionChoice]:
    """Returns the choices that have numbers: all."""
    return [*turn.choices]


def shown(turn: Deciding, numbered: list[ActionChoice]) -> str:
    """Returns what is to be chosen from."""
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
    """Returns what is asked."""
    return turn.kind


def command(text: str, turn: Deciding) -> str | None:
    """Returns the answer to a command of this game; None, since there is none."""
    return None


def read(text: str, turn: Deciding, numbered: list[ActionChoice]) -> ActionChoice:
    """Returns the choice that was typed, by number, by its text or by how its text begins.

    Raises:
        InputError: it is not a choice, or not a legal one.
    """
    text = " ".join(text.lower().split())
    if text.isascii() and text.isdigit():
        if not 1 <= int(text[:6]) <= len(numbered):
            raise InputError(f"the list has numbers 1 to {len(numbered)}")
        return numbered[int(text) - 1]
    names = {choice: choice.text.lower() for choice in numbered}
    exact = [choice for choice, name in names.items() if text in (name, name.partition(" ")[2])]
    begun = exact or [choice for choice, name in names.items() if name.startswith(text)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        some = ", ".join(choice.text for choice in begun[:6])
        raise InputError(f"{text!r} may be {len(begun)} actions: {some}; type more of it")
    raise InputError(f"{text!r} is not among them; type a number of the list, or help")
