"""Actions and decisions in words."""

from __future__ import annotations

from gonzaga_env.kernel.sentences import Sentence, joined, say
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.view.game_view import ColorView, GameView

#: Texts of actions by their first word; the words after it fill the places.
_ACTIONS = {
    "enter": "enter the {x} career",
    "advance": "advance in the {x} career from slot {n}",
    "initiative": "take one initiative point",
    "stop": "take no more track points",
    "row": "put a face-down tile into the {x} row",
    "florins": "take Florins instead of the bonus tile",
    "pay": "pay Florins for VP",
    "keep": "keep the Florins",
    "helper": "place a free helper on {x} {n}",
    "wed": "wed a bride",
    "no": "wed no bride",
    "pass": "pass",
}


def action_words(text: str, view: GameView) -> str:
    """Returns an action in words, such as "take grey 3 to hire violet 2 for 4 Florins (2 VP)".

    The price is the whole one, with what the die lacks (S5.3).
    """
    first, *words = text.split()
    if color := {color.name: color for color in view.colors}.get(first):
        return _choice_words(color, int(words[0]), words[1:], view)
    if first == "spend":
        return say("spend {n} meeple" if words == ["1"] else "spend {n} meeples", n=words[0])
    if first in ("use", "skip"):
        helper = view.effect or say("the helper")
        if first == "skip" or not (effect := _helper_effect(view.effect, view)):
            return say("use {helper}" if first == "use" else "skip {helper}", helper=helper)
        return say("use {helper} ({effect})", helper=helper, effect=effect)
    if first == "marry":
        template = "marry into {city} with a dowry of {n} ({vp} VP)"
        return say(template, city=words[0], n=words[1], vp=2 * int(words[1]))
    if first == "mission":
        career, slot, city = words
        template, vp = "send the male on {x} slot {n} to {city} ({vp} VP)", int(slot) - 1
        return say(template, x=say(career), n=slot, city=city, vp=view.slot_vp[vp])
    if first == "bonus":
        name, effect = view.bonus_tiles[view.round - 1]
        return say("take the bonus tile {x}: {effect}", x=say(name), effect=effect)
    if first not in _ACTIONS:
        return text
    if not words or first == "no":
        return say(_ACTIONS[first])
    name, number = (*words, "")[:2]
    return say(_ACTIONS[first], x=say(name), n=number)


def choice_words(text: str, view: GameView, edition: Edition) -> str:
    """Returns an action in words with what it costs and brings, by the view before it."""
    if view.to_act is None or view.decision not in ("reward", "wed", "pay"):
        return action_words(text, view)
    match text:
        case "florins":
            florins = _florins(edition.reward_florins)
            return say("take {florins} instead of the bonus tile", florins=florins)
        case "pay":
            florins = _florins(edition.pay)
            return say("pay {florins} for {n} VP", florins=florins, n=edition.pay_vp)
        case "wed":
            gains = [say("{n} VP", n=edition.bride_vp[view.players[view.to_act].brides])]
            if number := edition.wedding_florins[view.round - 1]:
                gains.append(_florins(number))
            return say("wed a bride ({gains})", gains=joined(", ", gains))
    return action_words(text, view)


def _helper_effect(helper: str, view: GameView) -> str:
    """Returns what a helper such as "helper red 3" does, such as "3 VP"; "" for no helper."""
    for color in view.colors:
        for slot, (_, effect) in enumerate(color.helpers, start=1):
            if helper == f"helper {color.name} {slot}":
                return effect
    return ""


def _choice_words(color: ColorView, value: int, words: list[str], view: GameView) -> Sentence:
    """Returns what a die does: its action, the whole price and the effect in words."""
    lacking = max(0, color.cost - value)
    die = {"color": say(color.name), "value": value}
    match words:
        case ["hire", number]:
            column = next(other for other in view.colors if other.name == color.hires_in)
            price, effect = column.helpers[int(number) - 1]
            template = "take {color} {value} to hire {column} {n} {price} ({effect})"
            paid, hired = _price(lacking + price), say(column.name)
            return say(template, **die, column=hired, n=number, price=paid, effect=effect)
        case ["assign", number]:
            one = color.assignments[int(number) - 1]
            template = "take {color} {value} to use assignment {x} {price} ({effect})"
            paid, name = _price(lacking), say(one.name)
            return say(template, **die, x=name, price=paid, effect=one.effect)
    template = "take {color} {value} to do its Signoria action {price} ({effect})"
    return say(template, **die, price=_price(lacking), effect=color.signoria)


def _price(florins: int) -> Sentence:
    return say("for {florins}", florins=_florins(florins)) if florins else say("at no cost")


def _florins(number: int) -> Sentence:
    return say("{n} Florins" if number != 1 else "{n} Florin", n=number)


_DECISIONS = {
    "main": "a die or pass",
    "spend": "meeples to spend on {x}",
    "track": "a track point ({x})",
    "mission": "a mission ({x})",
    "marriage": "a marriage ({x})",
    "row": "the row of a face-down tile ({x})",
    "helper": "use {x} or not",
    "reward": "bonus or Florins",
    "free helper": "a free helper ({x})",
    "wed": "wed or not",
    "pay": "pay for VP or not",
}


def stage_words(view: GameView) -> str:
    """Returns round and decision, such as "Round 2: a track point (assignment training)"."""
    if view.decision == "over":
        return say("The game is over")
    return say("Round {n}: {question}", n=view.round, question=question_words(view))


def question_words(view: GameView) -> str:
    """Returns what is decided, such as "a mission (helper grey 3)"."""
    return say(_DECISIONS[view.decision], x=view.effect)
