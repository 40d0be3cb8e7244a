"""The lines of a game's log, as a viewer may know them.

A line is made from two views of the same viewer, so it holds nothing that the views do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gonzaga_env.kernel.sentences import joined, say, told
from gonzaga_env.kernel.view import LogLine, final_lines, gains_words
from gonzaga_env.tuscany.constants import BONUS_TYPES, SOURCES
from gonzaga_env.tuscany.view.game_view import GameView, PlayerView
from gonzaga_env.tuscany.view.words import card_words, choice_words, piece_words

_END = SOURCES.index("tiles")  # the first source of the final scoring (T11.2)
_CARDS = "+{n} card", "+{n} cards"
_KNOWN_CARDS = "+{n} card ({held})", "+{n} cards ({held})"
_GREEN = SOURCES.index("round_1")  # green sources stand before it


def log_lines(before: GameView, after: GameView) -> tuple[LogLine, ...]:
    """Returns the lines of the one move between two views of the same viewer."""
    seat = before.to_act
    if seat is None:
        return ()
    if after.last is not None and after.last[0] == seat:
        words = told(choice_words(after.last[1], before))
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
    """Yields what a move brought: points, cards, tokens, and tiles turned up."""
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
