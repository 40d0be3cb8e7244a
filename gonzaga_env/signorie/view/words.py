"""Actions, effects and decisions in words."""

from __future__ import annotations

from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.constants import BARE, NUM_COLORS, OPS, VP_PER_FLORIN
from gonzaga_env.signorie.editions.edition import Edition
from gonzaga_env.signorie.view.game_view import GameView

_PARTS = {
    "florins": "{} Florins",
    "vp": "{} VP",
    "tracks": "{} track points",
    "initiative": "{} initiative points",
    "male": "{} males",
    "female": "{} females",
    "tile": "{} face-down tiles",
    "threshold": "+{} threshold",
    "mission": "a mission",
    "marriage": "a marriage",
    "offspring": "offspring",
    "free_helper": "a free helper",
    "half_die_vp": "half the die in VP",
}


def effect_words(edition: Edition, effect: int) -> str:
    """Returns an effect in words, such as "4 track points, 1 Florin".

    Args:
        edition: the edition.
        effect: index in `Edition.effects`.
    """
    words = [_PARTS[OPS[op]].format(n) for op, n in edition.effects[effect]]
    ones = [n == 1 and op < BARE for op, n in edition.effects[effect]]
    return ", ".join(w.removesuffix("s") if one else w for w, one in zip(words, ones, strict=True))


def action_words(config: GameConfig, text: str, view: GameView) -> str:
    """Returns an action in words, such as "grey 4: hire violet 2" for "grey 4 hire 2".

    Args:
        config: what is played.
        text: the action's text.
        view: the game before it.
    """
    edition = config.edition
    words = text.split()
    if words[0] in edition.colors:
        return f"{words[0]} {words[1]}: {_choice_words(edition, words, view)}"
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
            vp = edition.slot_vp[int(slot) - 1]
            return f"send the male on {career} slot {slot} to {city} (+{vp})"
        case ["marry", city, dowry]:
            return f"marry into {city} with a dowry of {dowry} (+{VP_PER_FLORIN * int(dowry)})"
        case ["row", row]:
            return f"a face-down tile for the {row} row"
        case ["use"] | ["skip"]:
            return f"{text} {view.effect or 'the helper'}"
        case ["bonus"]:
            return f"bonus tile {view.bonus_tiles[min(view.round, len(view.bonus_tiles)) - 1]}"
        case ["florins"]:
            return f"{edition.reward_florins} Florins"
        case ["pay"]:
            return f"pay {edition.pay} Florins for {edition.pay_vp} VP"
        case ["keep"]:
            return "keep the Florins"
        case ["helper", color, slot]:
            return f"free helper {color} {slot}"
        case ["wed"]:
            return "wed a bride"
        case ["no", "wed"]:
            return "no wedding"
    return text


def _choice_words(edition: Edition, words: list[str], view: GameView) -> str:
    """Returns what a die does: its action and the effect in words."""
    color = edition.colors.index(words[0])
    if words[2] == "signoria":
        return effect_words(edition, color)
    number = int(words[3]) - 1
    if words[2] == "hire":
        column = edition.hires_in[color]
        effect = NUM_COLORS + edition.num_helper_slots * column + number
        return f"hire {edition.colors[column]} {number + 1} ({effect_words(edition, effect)})"
    name = view.assignments[2 * color + number]
    effect = edition.first_assignment + edition.assignments.index(name)
    return f"assignment {name} ({effect_words(edition, effect)})"


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
