"""The full state of games, and how chance is drawn.

Chance: event e of a game is word e of its stream (`tabletop.chance`), keyed by (seed, episode).

| event | draws |
|---|---|
| 0 to 149 | the deal with the first round's setup (`deals.draw_deals`) |
| one | a tile for a city, marriage first, city by city (S4.1), or for a row (S10.3) |
| five | the dice of each color (S4.2) |
| ten | the assignments (S4.3) |
| one | the dice of an Offspring (S8.3) |

From event 150 on they come in the order in which the rules ask for them. The deck is counts by
kind, not an order: a tile is the one at place word modulo n when the n tiles lie sorted by kind. d
dice are the digits of word modulo 6^d in base 6, the lowest first, each plus 1. The ten assignments
lie on the slots in the order of their words, the lowest first.
"""
