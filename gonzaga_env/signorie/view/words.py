"""Actions and decisions in words."""

from __future__ import annotations

from gonzaga_env.signorie.view.game_view import ColorView, GameView


def action_words(text: str, view: GameView) -> str:
    """Returns an action in words, such as "grey 4: hire violet 2 (3 Florins)".

    Args:
        text: the action's text.
        view: the game before it.
    """
    words = text.split()
    if color := {color.name: color for color in view.colors}.get(words[0]):
        return f"{words[0]} {words[1]}: {_choice_words(color, words[2:], view)}"
    match words:
        case ["spend", count]:
            return f"spend {count} meeple{'s' * (count != '1')}"
        case ["enter", career]:
            return f"enter the {career} career"
        case ["advance", career, slot]:
            return f"advance in the {career} career from slot {slot}"
        case ["initiative"]:
            return "one initiative point"
        case ["stop"]:
            return "no more track points"
        case ["mission", career, slot, city]:
            return f"send the male on {career} slot {slot} to {city}"
        case ["marry", city, dowry]:
            return f"marry into {city} with a dowry of {dowry}"
        case ["row", row]:
            return f"a face-down tile for the {row} row"
        case ["use"] | ["skip"]:
            return f"{text} {view.effect or 'the helper'}"
        case ["bonus"]:
            return f"bonus tile {': '.join(view.bonus_tiles[view.round - 1])}"
        case ["florins"]:
            return "Florins instead of the bonus tile"
        case ["pay"]:
            return "pay Florins for VP"
        case ["keep"]:
            return "keep the Florins"
        case ["helper", color_name, slot]:
            return f"free helper {color_name} {slot}"
        case ["wed"]:
            return "wed a bride"
        case ["no", "wed"]:
            return "no wedding"
    return text


def _choice_words(color: ColorView, words: list[str], view: GameView) -> str:
    """Returns what a die does: its action and the effect in words."""
    match words:
        case ["hire", number]:
            column = next(other for other in view.colors if other.name == color.hires_in)
            price, effect = column.helpers[int(number) - 1]
            return f"hire {column.name} {number} for {price} ({effect})"
        case ["assign", number]:
            assignment = color.assignments[int(number) - 1]
            return f"assignment {assignment.name} ({assignment.effect})"
    return color.signoria


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
