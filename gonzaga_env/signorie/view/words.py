"""Actions and decisions in words."""

from __future__ import annotations

from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.view.game_view import ColorView, GameView

#: Texts of actions by their first word; the words after it fill the places.
_ACTIONS = {
    "enter": "enter the {} career",
    "advance": "advance in the {} career from slot {}",
    "initiative": "take one initiative point",
    "stop": "take no more track points",
    "row": "put a face-down tile into the {} row",
    "florins": "take Florins instead of the bonus tile",
    "pay": "pay Florins for VP",
    "keep": "keep the Florins",
    "helper": "place a free helper on {} {}",
    "wed": "wed a bride",
    "no": "wed no bride",
}


def action_words(text: str, view: GameView) -> str:
    """Returns an action in words, such as "take grey 3 to hire violet 2 for 4 Florins (2 VP)".

    The price is the whole one, with what the die lacks (S5.3).
    """
    first, *words = text.split()
    if color := {color.name: color for color in view.colors}.get(first):
        return f"take {first} {words[0]} {_choice_words(color, int(words[0]), words[1:], view)}"
    if first == "spend":
        return f"{text} meeple{'s' * (words != ['1'])}"
    if first in ("use", "skip"):
        effect = _helper_effect(view.effect, view) if first == "use" else ""
        return f"{text} {view.effect or 'the helper'}{effect}"
    if first == "marry":
        return f"marry into {words[0]} with a dowry of {words[1]} ({2 * int(words[1])} VP)"
    if first == "mission":
        career, slot, city = words
        vp = view.slot_vp[int(slot) - 1]
        return f"send the male on {career} slot {slot} to {city} ({vp} VP)"
    if first == "bonus":
        return f"take the bonus tile {': '.join(view.bonus_tiles[view.round - 1])}"
    return _ACTIONS.get(first, text).format(*words)


def choice_words(text: str, view: GameView, edition: Edition) -> str:
    """Returns an action in words with what it costs and brings, by the view before it."""
    if view.to_act is None or view.decision not in ("reward", "wed", "pay"):
        return action_words(text, view)
    match text:
        case "florins":
            return f"take {_florins(edition.reward_florins)} instead of the bonus tile"
        case "pay":
            return f"pay {_florins(edition.pay)} for {edition.pay_vp} VP"
        case "wed":
            gains = [f"{edition.bride_vp[view.players[view.to_act].brides]} VP"]
            if florins := edition.wedding_florins[view.round - 1]:
                gains.append(_florins(florins))
            return f"wed a bride ({', '.join(gains)})"
    return action_words(text, view)


def _helper_effect(helper: str, view: GameView) -> str:
    """Returns what a helper such as "helper red 3" does, such as " (3 VP)"; "" for no helper."""
    for color in view.colors:
        for slot, (_, effect) in enumerate(color.helpers, start=1):
            if helper == f"helper {color.name} {slot}":
                return f" ({effect})"
    return ""


def _choice_words(color: ColorView, value: int, words: list[str], view: GameView) -> str:
    """Returns what a die does: its action, the whole price and the effect in words."""
    lacking = max(0, color.cost - value)
    match words:
        case ["hire", number]:
            column = next(other for other in view.colors if other.name == color.hires_in)
            price, effect = column.helpers[int(number) - 1]
            paid = _price(lacking + price)
            return f"to hire {column.name} {number} {paid} ({effect})"
        case ["assign", number]:
            assignment = color.assignments[int(number) - 1]
            return f"to use assignment {assignment.name} {_price(lacking)} ({assignment.effect})"
    return f"to do its Signoria action {_price(lacking)} ({color.signoria})"


def _price(florins: int) -> str:
    return f"for {_florins(florins)}" if florins else "at no cost"


def _florins(number: int) -> str:
    return f"{number} Florin{'s' * (number != 1)}"


_DECISIONS = {
    "main": "a die or pass",
    "spend": "meeples to spend on {}",
    "track": "a track point ({})",
    "mission": "a mission ({})",
    "marriage": "a marriage ({})",
    "row": "the row of a face-down tile ({})",
    "helper": "use {} or not",
    "reward": "bonus or Florins",
    "free helper": "a free helper ({})",
    "wed": "wed or not",
    "pay": "pay for VP or not",
}


def stage_words(view: GameView) -> str:
    """Returns round and decision, such as "Round 2: a track point (assignment training)"."""
    if view.decision == "over":
        return "The game is over"
    return f"Round {view.round}: {question_words(view)}"


def question_words(view: GameView) -> str:
    """Returns what is decided, such as "a mission (helper grey 3)"."""
    return _DECISIONS[view.decision].format(view.effect)
