"""Actions and decisions in words."""

from __future__ import annotations

from gonzaga_env.signorie.view.game_view import ColorView, GameView

#: Texts of actions by their first word; the words after it fill the places.
_ACTIONS = {
    "enter": "enter the {} career",
    "advance": "advance in the {} career from slot {}",
    "initiative": "take one initiative point",
    "stop": "take no more track points",
    "mission": "send the male on {} slot {} to {}",
    "marry": "marry into {} with a dowry of {}",
    "row": "put a face-down tile into the {} row",
    "florins": "take Florins instead of the bonus tile",
    "pay": "pay Florins for VP",
    "keep": "keep the Florins",
    "helper": "place a free helper on {} {}",
    "wed": "wed a bride",
    "no": "wed no bride",
}


def action_words(text: str, view: GameView) -> str:
    """Returns an action in words, such as "take grey 4 to hire violet 2 for 3 (2 VP)"."""
    first, *words = text.split()
    if color := {color.name: color for color in view.colors}.get(first):
        return f"take {first} {words[0]} {_choice_words(color, words[1:], view)}"
    if first == "spend":
        return f"{text} meeple{'s' * (words != ['1'])}"
    if first in ("use", "skip"):
        return f"{text} {view.effect or 'the helper'}"
    if first == "bonus":
        return f"take the bonus tile {': '.join(view.bonus_tiles[view.round - 1])}"
    return _ACTIONS.get(first, text).format(*words)


def _choice_words(color: ColorView, words: list[str], view: GameView) -> str:
    """Returns what a die does: its action and the effect in words."""
    match words:
        case ["hire", number]:
            column = next(other for other in view.colors if other.name == color.hires_in)
            price, effect = column.helpers[int(number) - 1]
            return f"to hire {column.name} {number} for {price} ({effect})"
        case ["assign", number]:
            assignment = color.assignments[int(number) - 1]
            return f"to use assignment {assignment.name} ({assignment.effect})"
    return f"for {color.signoria}"


_DECISIONS = {
    "main": "a die or pass",
    "spend": "meeples to spend on {}",
    "track": "a track point of {}",
    "mission": "a mission of {}",
    "marriage": "a marriage of {}",
    "row": "the row of a face-down tile of {}",
    "helper": "use {} or not",
    "reward": "bonus or Florins",
    "free helper": "a free helper of {}",
    "wed": "wed or not",
    "pay": "pay for VP or not",
}


def stage_words(view: GameView) -> str:
    """Returns round and decision, such as "Round 2: a track point of assignment training"."""
    if view.decision == "over":
        return "The game is over"
    return f"Round {view.round}: {_DECISIONS[view.decision].format(view.effect)}"
