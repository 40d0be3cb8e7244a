"""Signorie at the table: help, advice and rules."""

from __future__ import annotations

from gonzaga_env.signorie.constants import KINDS
from gonzaga_env.signorie.view import GameView

from .choices import TableSpec

_HELP = """\
a number      of the list; Enter then plays it, undo takes it back
an action     as in the list: grey 4 signoria, violet 2 hire 1, enter military, marry Roma 4, pass;
              its first letters are enough
list          shows all choices, where they are many
show          shows the table again
hint          asks an agent; rules, help, quit"""
#: What helps with a decision, by its kind.
_ADVICE = {
    "main": (
        "A die costs what it lacks to the slot's number (S5.3). Hire helpers early: they act "
        "whenever a die comes into their column (S6.3). Dice of 13 or less in sum bring the "
        "reward (S11.3)."
    ),
    "spend": "Each meeple that you spend does the effect once more (S7.2).",
    "track": (
        "Higher slots score more in missions (S8.2), and half in the end (S12.1). Slot 4 "
        "brings 2 Florins, slot 6 a step of initiative (S9.2)."
    ),
    "mission": (
        "He scores the points of the slot that he leaves, and the city's tile joins the row "
        "of his career if its House is missing there (S8.2, S10.2)."
    ),
    "marriage": (
        "Each Florin of the dowry scores 2 points (S8.5). Look at the tile, too: a row scores "
        "only from three tiles on (S12.2)."
    ),
    "row": (
        "A row scores only from three tiles on; a face-down tile is worth 1 and fits any row "
        "(S12.2)."
    ),
    "helper": "Helpers are free: skip one only if its effect would harm you (S6.3).",
    "reward": "The round's bonus, or 3 Florins (S11.4).",
    "free helper": (
        "A helper acts for the rest of the game. Choose a column in which you often have a "
        "die (S6.3)."
    ),
    "wed": (
        "A bride brings points, from round 2 also 2 Florins, and one more die for offspring "
        "(S11.4, S8.3)."
    ),
    "pay": "Florins are worth nothing in the end: 5 of them are 5 points here (S11.5).",
}
_RULES = """\
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
All rules: gonzaga_env/data/rules/signorie.md"""


def _obvious(view: GameView) -> str:
    """Returns whether to use a helper; a mission or a marriage may harm (S8.2, S8.5)."""
    if view.decision != "helper":
        return ""
    _, name, slot = view.effect.split()
    color = next(color for color in view.colors if color.name == name)
    effect = str(color.helpers[int(slot) - 1][1])
    return "" if "mission" in effect or "marriage" in effect else "use"


TABLE = TableSpec(
    rules=_RULES,
    help=_HELP,
    advice=_ADVICE,
    obvious=_obvious,
    continues=lambda game: KINDS[game.kind] not in ("main", "reward", "pay"),
)
