"""Actions and pieces in words."""

from __future__ import annotations

from gonzaga_env.kernel.sentences import Sentence, joined, say
from gonzaga_env.kernel.view import won_by
from gonzaga_env.tuscany.board import CELL_NAMES
from gonzaga_env.tuscany.constants import COLOURS, CROPS
from gonzaga_env.tuscany.view.game_view import GameView

# T1.1
COLOUR_NAMES = ("village", "agriculture", "wagon", "monastery", "quarry", "city", "inn", "castle")
CROP_NAMES = ("olives", "grapes", "wheat", "livestock")  # T8.4


_PLACED = {
    "tile": ("place a tile on {cell}", "place a tile on {cell} ({colour})"),
    "hexagon": (
        "place a wooden hexagon on {cell}",
        "place a wooden hexagon on {cell} ({colour})",
    ),
}


def piece_words(name: str, form: str = "{}") -> Sentence:
    """Returns a tile or a wooden hexagon in words, such as "agriculture (olives, grapes)".

    Args:
        name: the piece.
        form: of its name, such as "stored {}".
    """
    if name == "hexagon":
        return say("a wooden hexagon" if form == "{}" else form.format("wooden hexagon"))
    piece = say(form.format(COLOUR_NAMES[COLOURS.index(name[0])]))
    crops = joined(", ", (say(CROP_NAMES[CROPS.index(crop)]) for crop in name[1:]))
    return say("{piece} ({crops})", piece=piece, crops=crops) if crops else piece


def action_words(text: str, view: GameView) -> Sentence:
    """Returns an action in words, such as "place a tile on L4 (village)".

    Args:
        text: the action's text.
        view: the game before or after it, as someone sees it who may know the action.
    """
    verb, _, what = text.partition(" ")
    if verb in ("tile", "hexagon"):
        place, seen = _PLACED[verb]
        if not (colour := _colour_at(view, what)):
            return say(place, cell=what)
        return say(seen, cell=what, colour=colour)
    match verb:
        case "layout":
            return say("join the boards: {boards}", boards=_layout_words(*what.split()))
        case "bonus":
            return say("take a bonus tile +1 {bonus}", bonus=say(what))
        case "draw":
            return say("draw cards")
        case "take" | "crop":
            piece = piece_words(what, "an {}" if what[0] in "AI" else "a {}")
            return say("take {piece}" if verb == "take" else "lay {piece}", piece=piece)
        case "remove":
            return say("remove {piece} from storage", piece=piece_words(what))
        case "pay":
            return _payment(*what.split("+"))
        case "marble":
            return say("pay a marble for one more action")
    return say("place no tile" if view.decision == "castle" else "end the turn")


def _layout_words(left: str, middle: str, right: str, joints: str) -> Sentence:
    """Returns a layout in words, such as "A turned, B half a hex lower, C half a hex higher"."""
    lower, higher = "{board} half a hex lower", "{board} half a hex higher"
    shifts = ["{board}", *(lower if joint == "+" else higher for joint in joints)]
    boards = []
    for board, shift in zip((left, middle, right), shifts, strict=True):
        side = say("{board} turned" if board.endswith("'") else "{board}", board=board[0])
        boards.append(say(shift, board=side))
    return joined(", ", boards)


def card_words(letters: str) -> Sentence:
    """Returns region cards in words, such as "2 village, 1 city"."""
    named = zip(COLOURS, COLOUR_NAMES, strict=True)
    held = ((letters.count(one), say(name)) for one, name in named if one in letters)
    return joined(", ", (say("{n} {x}", n=number, x=name) for number, name in held))


def loss_words(text: str, view: GameView) -> str:
    """Returns what taking a tile costs a player whose storage is full (T5.2); "" for no loss.

    Args:
        text: the action's text.
        view: the game before it.
    """
    if not text.startswith("take ") or view.to_act is None:
        return ""
    player = view.players[view.to_act]
    stored = {piece_words(piece, "stored {}") for piece in player.storage}
    if len(player.storage) < player.space or not stored:
        return ""
    if len(stored) > 1:
        return say("a stored piece leaves the game")
    return say("the {stored} leaves the game", stored=stored.pop())


def choice_words(text: str, view: GameView) -> str:
    """Returns an action in words with what it costs, by the view before it."""
    words, loss = action_words(text, view), loss_words(text, view)
    return joined("; ", (words, loss)) if loss else words


def _colour_at(view: GameView, cell: str) -> str:
    """Returns the colour of a cell of the acting seat's region, in words; "" if it is not known."""
    seat = view.last[0] if view.last and view.last[1].endswith(f" {cell}") else view.to_act
    region = "" if seat is None else view.players[seat].region
    if not region:
        return ""
    return piece_words(region[CELL_NAMES.index(cell)].upper())


def _payment(first: str, second: str) -> Sentence:
    if first == second:
        return say("pay {units}", units=_units(first, "two", "four"))
    units = (_units(unit, "a", "two") for unit in (first, second))
    return say("pay {units}", units=joined(" and ", units))


def _units(unit: str, number: str, cards: str) -> Sentence:
    """Returns one or two units in words: `number` of a kind, or `cards` of another colour."""
    if unit == "own":
        return say("a card of the colour" if number == "a" else "two cards of the colour")
    if unit == "worker":
        return say("a worker" if number == "a" else "two workers")
    return say(cards + " {cards}", cards=say(f"{COLOUR_NAMES[COLOURS.index(unit[0])]} cards"))


def stage_words(view: GameView) -> str:
    """Returns round, lap and decision, such as "Round 2, lap 14: what to pay for L4"."""
    if view.decision == "over":
        cut, over = "Over after {n} laps (cut off)", "Over after {n} laps"
        return say(cut if view.truncated else over, n=view.lap)
    question = question_words(view)
    return say("Round {n}, lap {lap}: {question}", n=view.round, lap=view.lap, question=question)


def question_words(view: GameView) -> str:
    """Returns what is decided, such as "what to pay for L4"."""
    return say(_DECISIONS[view.decision], cell=view.cell)


_DECISIONS = {
    "layout": "join the boards",
    "starting castle": "set the starting castle",
    "starting bonus": "a first bonus tile",
    "main": "draw, take or place",
    "remove": "what to remove from storage",
    "crop": "which tile for {cell}",
    "payment": "what to pay for {cell}",
    "city": "a bonus tile for the city",
    "castle": "a tile for the castle",
    "castle crop": "which tile for {cell}",
    "marble": "a marble for one more action",
}


def end_words(view: GameView) -> str:
    """Returns what is known of the end, such as "5 turns are left" (T10)."""
    if view.decision == "over":
        return won_by(view.players)
    if view.turns_left is not None:
        return say("{n} turns left" if view.turns_left != 1 else "{n} turn left", n=view.turns_left)
    most, goal = max(player.turned for player in view.players), 7 * view.round
    if most >= goal:
        return say("the round is about to end")
    return say("{n} of {goal} own tiles turned up", n=most, goal=goal)
