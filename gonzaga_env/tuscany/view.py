"""A game as a viewer may see it: positions, the lines of the log, and actions in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gonzaga_env.kernel.sentences import Sentence, joined, say, third_person
from gonzaga_env.kernel.view import (
    LogLine,
    Move,
    Player,
    View,
    ViewReader,
    final_lines,
    gains_words,
    repeated,
    won_by,
)
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board import ACTIONS, CELL_NAMES, LAYOUTS, region, region_text
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import BONUS_TYPES, COLOURS, CROPS, SOURCES
from gonzaga_env.tuscany.edition import board_names
from gonzaga_env.tuscany.state import State, winners


@dataclass(frozen=True)
class PlayerView(Player):
    """A player, as the viewer may see it; its score is its red points."""

    boards: tuple[str, ...]  # such as ("A1", "B3", "C2"); empty while the viewer may not know them
    layout: str  # such as "A B C' +-"; empty if there is none or the viewer may not know it
    region: str  # 30 letters, L1 to R10, small where covered; empty like the layout
    wooden: tuple[str, ...]  # cells covered by a wooden hexagon, such as "L4"
    crops: tuple[tuple[str, str], ...]  # cells and the crops on their tiles, such as ("L4", "OG")
    hand: str | None  # region cards by colour, such as "VVAC"; None if hidden from the viewer
    hand_size: int  # number of region cards
    storage: tuple[str, ...]  # pieces by name, such as ("V", "AOG", "hexagon")
    space: int  # pieces that the storage can hold
    marble: int
    workers: int
    bonus: tuple[int, ...]  # bonus tiles of each type
    turned: int  # own tiles turned
    green: int
    red: int


@dataclass(frozen=True, repr=False)
class GameView(View):
    """A position, as a viewer may see it: nothing that is hidden from it is in here."""

    players: tuple[PlayerView, ...]  # by seat
    lap: int  # from 1
    start: int  # the starting player's seat
    cell: str | None  # the cell that is being covered; None if there is none
    piece: str | None  # the piece that is being taken or placed; None if there is none
    second_action: bool  # whether a marble has been paid in this turn
    turns_left: int | None  # turns until the end; None before a third stack is empty
    truncated: bool  # whether the game was cut off
    display: tuple[str, ...]  # tiles by kind
    aside: tuple[str, ...]  # tiles set aside by sweeps
    neutral: int  # tiles left face down
    deck: int  # region cards left face down
    discards: int  # region cards
    yields: int  # yield cards left face down
    bonus_stock: tuple[int, ...]  # bonus tiles of each type in stock
    colour_points: tuple[tuple[int, int], ...]  # for the first and second to complete each colour


@dataclass(frozen=True)
class _Reader(ViewReader[GameConfig, State, GameView]):
    def knows_region(self, seat: int) -> bool:
        """Whether the viewer knows a seat's boards: others' once all have chosen (T2.4)."""
        return self.knows(seat) or int(self.state.kind[0]) >= c.STARTING_BONUS

    def view(self, last: tuple[int, int] | None) -> GameView:
        state = self.state
        over, cell, piece = (int(a[0]) for a in (state.finished, state.cell, state.piece))
        turns_left = int(state.turns_left[0])
        shown = last is not None and self.knows_region(last[0])
        return GameView(
            game=self.config.game,
            edition=self.config.edition.name,
            digest=self.config.edition.digest,
            viewer=self.viewer,
            round=int(state.round[0]),
            lap=int(state.lap[0]),
            start=int(state.start[0]),
            to_act=None if over else int(state.seat[0]),
            decision="over" if over else c.KINDS[int(state.kind[0])],
            cell=None if cell == c.NO_CELL else CELL_NAMES[cell],
            piece=None if piece == c.NO_PIECE else c.PIECE_NAMES[piece],
            second_action=bool(state.marble_used[0]),
            turns_left=None if turns_left == c.NOT_FINAL else turns_left,
            truncated=bool(state.truncated[0]),
            display=tuple(repeated(c.TILE_KINDS, state.display[0].tolist())),
            aside=tuple(repeated(c.TILE_KINDS, state.aside[0].tolist())),
            neutral=int(state.neutral[0].sum()),
            deck=int(state.deck[0].sum()),
            discards=int(state.discards[0].sum()),
            yields=int(state.yield_deck[0].sum()),
            bonus_stock=tuple((c.BONUS_COPIES - state.bonus[0].sum(axis=0)).tolist()),
            colour_points=self.config.colour_points,
            players=tuple(self.player(seat) for seat in range(state.num_players)),
            last=Move(last[0], ACTIONS.to_text(last[1])) if last and shown else None,
        )

    def player(self, seat: int) -> PlayerView:
        state = self.state
        known = self.knows_region(seat)
        layout, boards = int(state.layout[0, seat]), int(state.boards[0, seat])
        chosen = known and layout != c.NO_LAYOUT
        text = ""
        if chosen:
            colours = region(self.config.edition.boards, boards, layout).colours
            text = region_text(colours, int(state.covered[0, seat]))
        wooden, crops = state.wooden[0, seat], state.crops[0, seat]
        hand = "".join(repeated(c.COLOURS, state.hand[0, seat].tolist()))
        return PlayerView(
            seat=seat,
            name=self.name(seat),
            boards=tuple(board_names(boards)) if known else (),
            layout=LAYOUTS[layout].text if chosen else "",
            region=text,
            wooden=tuple(name for i, name in enumerate(CELL_NAMES) if wooden >> i & 1),
            crops=tuple(_crops(crops.tolist())),
            hand=hand if self.knows(seat) else None,
            hand_size=len(hand),
            storage=tuple(repeated(c.PIECE_NAMES, state.storage[0, seat].tolist())),
            space=1 + int(state.bonus[0, seat, c.BONUS_STORAGE]),
            marble=int(state.marble[0, seat]),
            workers=int(state.workers[0, seat]),
            bonus=tuple(state.bonus[0, seat].tolist()),
            turned=c.NUM_OWN_TILES - int(state.stacks[0, seat].sum()),
            score=int(state.totals[0, seat]),
            scores=tuple(state.scores[0, seat].tolist()),
            green=int(state.green[0, seat]),
            red=int(state.totals[0, seat]),
            won=bool(state.finished[0] & winners(state)[0, seat]),
        )


view_game = _Reader.view_game


def _crops(cells: Sequence[int]) -> Iterator[tuple[str, str]]:
    for i, name in enumerate(CELL_NAMES):
        letters = "".join(crop for crop, held in zip(c.CROPS, cells, strict=True) if held >> i & 1)
        if letters:
            yield name, letters


# T1.1
COLOUR_NAMES = ("village", "agriculture", "wagon", "monastery", "quarry", "city", "inn", "castle")
CROP_NAMES = ("olives", "grapes", "wheat", "livestock")  # T8.4


_PLACED = {
    "tile": ("place a tile on {cell}", "place a tile on {cell} ({colour})"),
    "hexagon": ("place a wooden hexagon on {cell}", "place a wooden hexagon on {cell} ({colour})"),
}


def piece_words(name: str, form: str = "{}") -> Sentence:
    """Returns a tile or a wooden hexagon in words, such as "agriculture (olives, grapes)".

    `form` is the form of its name, such as "stored {}".
    """
    if name == "hexagon":
        return say("a wooden hexagon" if form == "{}" else form.format("wooden hexagon"))
    piece = say(form.format(COLOUR_NAMES[COLOURS.index(name[0])]))
    crops = joined(", ", (say(CROP_NAMES[CROPS.index(crop)]) for crop in name[1:]))
    return say("{piece} ({crops})", piece=piece, crops=crops) if crops else piece


def action_words(text: str, view: GameView) -> Sentence:
    """Returns an action in words, such as "place a tile on L4 (village)"."""
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
    """Returns what taking a tile costs a player whose storage is full (T5.2); "" for no loss."""
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
    seat = view.last.seat if view.last and view.last.action.endswith(f" {cell}") else view.to_act
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


_END = SOURCES.index("tiles")  # the first source of the final scoring (T11.2)
_CARDS = "+{n} card", "+{n} cards"
_KNOWN_CARDS = "+{n} card ({held})", "+{n} cards ({held})"
_GREEN = SOURCES.index("round_1")  # green sources stand before it


def log_lines(before: GameView, after: GameView) -> tuple[LogLine, ...]:
    """Returns the lines of the one move between two views of the same viewer."""
    seat = before.to_act
    if seat is None:
        return ()
    if after.last is not None and after.last.seat == seat:
        words = third_person(choice_words(after.last.action, before))
    else:
        words = say(_UNSEEN[before.decision])
    event = {"kind": "decision", "decision": before.decision}
    lines = [LogLine(seat, joined("; ", (words, *_outcome(before, after, seat))), event)]
    lines += _rounds(before, after)
    if after.to_act is None:
        cut, over = "The game is cut off after {n} laps", "The game is over after {n} laps"
        words = say(cut if after.truncated else over, n=after.lap)
        lines.append(LogLine(None, words, {"kind": "over"}))
        lines += final_lines(after.players, SOURCES, _END)  # T11.2, T11.3
    return tuple(lines)


#: What a seat has done where the viewer may not know more (T2.4).
_UNSEEN = {"layout": "has joined the boards", "starting castle": "has set the starting castle"}


def _outcome(before: GameView, after: GameView, seat: int) -> Iterator[str]:
    """Yields what a move brought: points, cards, tokens, and tiles revealed."""
    old, new = before.players[seat], after.players[seat]
    for source, was, now in zip(SOURCES[:_END], old.scores, new.scores, strict=False):
        if now > was and not source.startswith("round"):
            track = "green" if SOURCES.index(source) < _GREEN else "red"
            name = source.removesuffix("_green").removesuffix("_red").replace("_", " ")
            yield say("+{n} {track} ({source})", n=now - was, track=say(track), source=say(name))
    yield from _cards(old, new)
    for name, was, now in (
        (say("marble"), old.marble, new.marble),
        (say("worker"), old.workers, new.workers),
        *zip(map(_bonus, BONUS_TYPES), old.bonus, new.bonus, strict=True),
    ):
        if now > was and not (before.decision == "starting bonus" or before.decision == "city"):
            yield say("+{n} {x}", n=now - was, x=name)
    turned = Counter(after.display) - Counter(before.display)
    if turned and before.display:
        pieces = joined(", ", map(piece_words, sorted(turned.elements())))
        yield say("turned up: {pieces}", pieces=pieces)


def _bonus(name: str) -> str:
    return say("bonus tile +1 {bonus}", bonus=say(name))


def _cards(old: PlayerView, new: PlayerView) -> Iterator[str]:
    if old.hand is not None and new.hand is not None:
        gained = "".join(sorted((Counter(new.hand) - Counter(old.hand)).elements()))
        if gained:
            held, many = card_words(gained), len(gained) > 1
            yield say(_KNOWN_CARDS[many], n=len(gained), held=held)
    elif new.hand_size > old.hand_size:
        number = new.hand_size - old.hand_size
        yield say(_CARDS[number > 1], n=number)


def _rounds(before: GameView, after: GameView) -> Iterator[LogLine]:
    """Yields what the end of a round brings (T11.1)."""
    for number in range(1, 4):
        source = SOURCES.index(f"round_{number}")
        pairs = zip(before.players, after.players, strict=True)
        gains = [new.scores[source] - old.scores[source] for old, new in pairs]
        if any(gains):
            event = {"kind": "scoring", "round": number, "points": gains}
            points = gains_words(after.players, gains)
            words = say("Round {n} is scored, green on red: {gains}", n=number, gains=points)
            yield LogLine(None, words, event)
