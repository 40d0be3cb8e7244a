"""What a player of The Castles of Tuscany reads: help and rules; `deciding` asks."""

from __future__ import annotations

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
All rules: docs/rules-tuscany.md"""
