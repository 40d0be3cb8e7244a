"""The full state of games, and how chance is drawn.

Chance: one event for each piece drawn, keyed by (seed, episode, event).

Piles are counts by kind, not orders: which piece lies on top is drawn when it is turned up, with
the same odds. So shuffling is adding the discards, nothing about an order is there to be hidden,
and a seat's ignorance is of hands alone. Event e of a game is word e of its stream
(`tabletop.chance`).

| event | draws |
|---|---|
| 0 to 134 | the deal (`deals.draw_deals`) |
| from 135 | one piece each, in the order in which they are turned up |

The display takes the first eight of those, after the last starting bonus tile (T2.4).

To draw from a pile of n pieces, take the word modulo n: the piece is the one with that place when
the pile lies sorted by kind. An empty pile is renewed first, which takes no event; where there is
nothing to renew it with, nothing is drawn and no event is used.
"""
