"""Actions and pieces in words."""

from __future__ import annotations

from gonzaga_env.tabletop.records.log import won_by
from gonzaga_env.tuscany.board import CELL_NAMES
from gonzaga_env.tuscany.constants import COLOURS, CROPS
from gonzaga_env.tuscany.view.game_view import GameView

# T1.1
COLOUR_NAMES = ("village", "agriculture", "wagon", "monastery", "quarry", "city", "inn", "castle")
CROP_NAMES = ("olives", "grapes", "wheat", "livestock")  # T8.4


def piece_words(name: str) -> str:
    """Returns a tile or a wooden hexagon in words, such as "agriculture (olives, grapes)"."""
    if name == "hexagon":
        return "a wooden hexagon"
    crops = ", ".join(CROP_NAMES[CROPS.index(crop)] for crop in name[1:])
    return COLOUR_NAMES[COLOURS.index(name[0])] + (f" ({crops})" if crops else "")


def action_words(text: str, view: GameView) -> str:
    """Returns an action in words, such as "place a tile on L4 (village)".

    Args:
        text: the action's text.
        view: the game before or after it, as someone sees it who may know the action.
    """
    verb, _, what = text.partition(" ")
    if verb in ("tile", "hexagon"):
        piece = "wooden hexagon" if verb == "hexagon" else "tile"
        return f"place a {piece} on {what}{_colour_at(view, what)}"
    match verb:
        case "layout":
            return f"join the boards: {_layout_words(*what.split())}"
        case "bonus":
            return f"take a bonus tile +1 {what}"
        case "draw":
            return "draw cards"
        case "take" | "crop":
            article = "an" if what[0] in "AI" else "a"
            return f"{'take' if verb == 'take' else 'lay'} {article} {piece_words(what)}"
        case "remove":
            return f"remove {piece_words(what)} from storage"
        case "pay":
            return f"pay {_payment(*what.split('+'))}"
        case "marble":
            return "pay a marble for one more action"
    return "place no tile" if view.decision == "castle" else "end the turn"


def _layout_words(left: str, middle: str, right: str, joints: str) -> str:
    """Returns a layout in words, such as "A turned, B half a hex lower, C half a hex higher"."""
    shifts = ["", *(f" half a hex {'lower' if joint == '+' else 'higher'}" for joint in joints)]
    boards = (board.replace("'", " turned") for board in (left, middle, right))
    return ", ".join(board + shift for board, shift in zip(boards, shifts, strict=True))


def card_words(letters: str) -> str:
    """Returns region cards in words, such as "2 village, 1 city"."""
    named = zip(COLOURS, COLOUR_NAMES, strict=True)
    return ", ".join(f"{letters.count(one)} {name}" for one, name in named if one in letters)


def loss_words(text: str, view: GameView) -> str:
    """Returns what taking a tile costs a player whose storage is full (T5.2); "" for no loss.

    Args:
        text: the action's text.
        view: the game before it.
    """
    if not text.startswith("take ") or view.to_act is None:
        return ""
    player = view.players[view.to_act]
    stored = {piece_words(piece).removeprefix("a ") for piece in player.storage}
    if len(player.storage) < player.space or not stored:
        return ""
    if len(stored) > 1:
        return "a stored piece leaves the game"
    return f"the stored {stored.pop()} leaves the game"


def choice_words(text: str, view: GameView) -> str:
    """Returns an action in words with what it costs, by the view before it."""
    return "; ".join(filter(None, (action_words(text, view), loss_words(text, view))))


def _colour_at(view: GameView, cell: str) -> str:
    """Returns the colour of a cell of the acting seat's region, in words; "" if it is not known."""
    seat = view.last[0] if view.last and view.last[1].endswith(f" {cell}") else view.to_act
    region = "" if seat is None else view.players[seat].region
    if not region:
        return ""
    return f" ({piece_words(region[CELL_NAMES.index(cell)].upper())})"


def _payment(first: str, second: str) -> str:
    if first == second:
        return _units(first, "two", "four")
    return f"{_units(first, 'a', 'two')} and {_units(second, 'a', 'two')}"


def _units(unit: str, number: str, cards: str) -> str:
    """Returns one or two units in words: `number` of a kind, or `cards` of another colour."""
    many = "s" * (number != "a")
    if unit == "own":
        return f"{number} card{many} of the colour"
    if unit == "worker":
        return f"{number} worker{many}"
    return f"{cards} {COLOUR_NAMES[COLOURS.index(unit[0])]} cards"


def stage_words(view: GameView) -> str:
    """Returns round, lap and decision, such as "Round 2, lap 14: what to pay for L4"."""
    if view.decision == "over":
        cut = " (cut off)" if view.truncated else ""
        return f"Over after {view.lap} laps{cut}"
    return f"Round {view.round}, lap {view.lap}: {question_words(view)}"


def question_words(view: GameView) -> str:
    """Returns what is decided, such as "what to pay for L4"."""
    return _DECISIONS[view.decision].format(view.cell)


_DECISIONS = {
    "layout": "join the boards",
    "starting castle": "set the starting castle",
    "starting bonus": "a first bonus tile",
    "main": "draw, take or place",
    "remove": "what to remove from storage",
    "crop": "which tile for {}",
    "payment": "what to pay for {}",
    "city": "a bonus tile for the city",
    "castle": "a tile for the castle",
    "castle crop": "which tile for {}",
    "marble": "a marble for one more action",
}


def end_words(view: GameView) -> str:
    """Returns what is known of the end, such as "5 turns are left" (T10)."""
    if view.decision == "over":
        return won_by(view.players)
    if view.turns_left is not None:
        return f"{view.turns_left} turn{'s' * (view.turns_left != 1)} left"
    most, goal = max(player.turned for player in view.players), 7 * view.round
    return f"{most} of {goal} own tiles turned up" if most < goal else "the round is about to end"
