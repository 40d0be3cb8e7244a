"""The Castles of Tuscany at the table: help, advice and rules."""

from __future__ import annotations

from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.tuscany.constants import KINDS
from gonzaga_env.tuscany.view import loss_words

from .choices import TableSpec

_LAST_OF_SETUP = KINDS.index("starting bonus")
_HELP = """\
a number      of the list; Enter then plays it, undo takes it back
an action     as in the list: draw, take AOG, tile L4, pay own+worker; its first letters are enough
layout A' B C +-   your boards from left to right: ' one that is turned by half a turn; + the next
              one lies half a hex lower, - higher. The middle board is never turned.
list          shows all choices, where they are many
show          shows the table again: [ ] a tile, ( ) a wooden hexagon, the others are empty
hint          asks an agent; rules, help, quit"""
#: What helps with a decision, by its kind.
_ADVICE = {
    "layout": (
        "Large zones score more (T7.1), and colours that you complete early score most "
        "(T7.2). Join boards so that equal colours touch in groups of three."
    ),
    "starting castle": (
        "Your first tiles must touch this castle (T6.1). Choose the one in the middle of "
        "zones that you want to complete early."
    ),
    "starting bonus": (
        "+1 card makes every draw better from now on, +1 storage lets you keep a second tile "
        "and brings 2 green points (T9.3)."
    ),
    "main": (
        "Green points of the first round count three times (T11.1), so place early. Take "
        "tiles that touch what you have covered, and draw when you can't pay two units "
        "(T6.2)."
    ),
    "remove": "Your storage is full: what you remove leaves the game (T5.2).",
    "crop": "A crop that is new in the zone scores 1 green point (T8.4).",
    "payment": (
        "Pay with cards whose colour you need least; a worker saves a card of any colour (T6.2)."
    ),
    "city": "Bonus tiles stay for the game and add up (T9.2): the earlier, the better.",
    "castle": (
        "A castle places one more tile without paying (T8.1). Complete a zone with it, or "
        "start a chain: another castle, or a city."
    ),
    "castle crop": "A crop that is new in the zone scores 1 green point (T8.4).",
    "marble": (
        "A marble pays for one more action now (T3.2), or is worth 1 red point in the end (T11.2)."
    ),
}
_RULES = """\
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
All rules: gonzaga_env/data/rules/tuscany.md"""


def _continues(game: AnyGame) -> bool:
    main = KINDS[game.kind] == "main"
    return game.kind > _LAST_OF_SETUP and not (main and not game.position.marble_used)


TABLE = TableSpec(
    rules=_RULES, help=_HELP, advice=_ADVICE, warning=loss_words, continues=_continues
)
