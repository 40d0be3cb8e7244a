"""The lines of a game's log, as a viewer may know them.

A line is made from two views of the same viewer, so it holds nothing that the views do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gonzaga_env.tabletop.records.log import LogLine, final_lines, gains_words, told
from gonzaga_env.tuscany.constants import BONUS_TYPES, SOURCES
from gonzaga_env.tuscany.view.game_view import GameView, PlayerView
from gonzaga_env.tuscany.view.words import card_words, choice_words, piece_words

_END = SOURCES.index("tiles")  # the first source of the final scoring (T11.2)
_GREEN = SOURCES.index("round_1")  # green sources stand before it


def log_lines(before: GameView, after: GameView) -> tuple[LogLine, ...]:
    """Returns the lines of the one move between two views of the same viewer."""
    seat = before.to_act
    if seat is None:
        return ()
    if after.last is not None and after.last[0] == seat:
        words = told(choice_words(after.last[1], before))
    else:
        words = _UNSEEN[before.decision]
    event = {"kind": "decision", "decision": before.decision}
    lines = [LogLine(seat, "; ".join([words, *_outcome(before, after, seat)]), event)]
    lines += _rounds(before, after)
    if after.to_act is None:
        cut = "is cut off" if after.truncated else "is over"
        lines.append(LogLine(None, f"The game {cut} after {after.lap} laps", {"kind": "over"}))
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
            yield f"+{now - was} {track} ({name})"
    yield from _cards(old, new)
    for name, was, now in (
        ("marble", old.marble, new.marble),
        ("worker", old.workers, new.workers),
        *zip([f"bonus tile +1 {name}" for name in BONUS_TYPES], old.bonus, new.bonus, strict=True),
    ):
        if now > was and not (before.decision == "starting bonus" or before.decision == "city"):
            yield f"+{now - was} {name}"
    turned = Counter(after.display) - Counter(before.display)
    if turned and before.display:
        yield f"turned up: {', '.join(map(piece_words, sorted(turned.elements())))}"


def _cards(old: PlayerView, new: PlayerView) -> Iterator[str]:
    if old.hand is not None and new.hand is not None:
        gained = "".join(sorted((Counter(new.hand) - Counter(old.hand)).elements()))
        if gained:
            yield f"+{len(gained)} card{'s' * (len(gained) > 1)} ({card_words(gained)})"
    elif new.hand_size > old.hand_size:
        number = new.hand_size - old.hand_size
        yield f"+{number} card{'s' * (number > 1)}"


def _rounds(before: GameView, after: GameView) -> Iterator[LogLine]:
    """Yields what the end of a round brings (T11.1)."""
    for number in range(1, 4):
        source = SOURCES.index(f"round_{number}")
        pairs = zip(before.players, after.players, strict=True)
        gains = [new.scores[source] - old.scores[source] for old, new in pairs]
        if any(gains):
            event = {"kind": "scoring", "round": number, "points": gains}
            points = gains_words(after.players, gains)
            yield LogLine(None, f"Round {number} is scored, green on red: {points}", event)
