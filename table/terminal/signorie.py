"""What a player of Signorie reads: help and rules; `deciding` asks."""

from __future__ import annotations

HELP = """\
a number      of the list; Enter then plays it, undo takes it back
an action     as in the list: grey 4 signoria, violet 2 hire 1, enter military, marry Roma 4, pass;
              its first letters are enough
list          shows all choices, where they are many
show          shows the table again
hint          asks an agent; rules, help, quit"""
RULES = """\
Seven rounds. In each, all in turn take a die and act, or pass for the round: four dice at most, one
of a colour. The die goes on your slot of its colour and costs what it lacks to the slot's number.
Then you do one of three things (S5 to S8):
  hire  a helper, who acts whenever a die comes into its column    assign  spend meeples for a tile
  signoria  the colour's own action
The colours' own actions:
  grey  1 to 4 points: a male enters a career or advances, or the initiative    yellow  3 Florins
  turquoise  a mission: a male leaves his career for a city and scores its VP
  violet  offspring: roll 1 die and 1 more for each bride      red  a marriage: 2 VP for each Florin
A city's tile joins a row of your plan that lacks its House; rows of three tiles or more score.
After all have passed, the initiative scores and sets the new order. Who has dice of 13 or less in
sum gets the round's bonus, or Florins, and may wed; in rounds 6 and 7, VP.
At the end: half the VP of the careers' slots, and the rows. Most VP wins.
All rules: docs/rules-signorie.md"""
