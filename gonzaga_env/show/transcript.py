"""A whole recorded game as one text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gonzaga_env.show.game import line_words
from gonzaga_env.tabletop.records.log import Frame
from gonzaga_env.text.views import view_text


def transcript(frames: Sequence[Frame], edition: object, *, positions: bool = False) -> str:
    """Returns a game as text: each move in words, and positions between.

    Args:
        frames: the game's positions, the deal first, as `gonzaga_env.games.record_frames` gives
            them for one viewer, whose knowledge the text holds.
        edition: what is played.
        positions: whether to tell the position before every move; else before the first of each
            round, and at the end.
    """
    return "\n".join(_parts(frames, edition, positions)) + "\n"


def _parts(frames: Sequence[Frame], edition: object, positions: bool) -> Iterator[str]:
    told_round = 0
    for frame in frames:
        for number, line in enumerate(frame.lines):
            start = f"{frame.move}." if number == 0 else "  "
            yield f"{start} {line_words(line, frame.view.players)}"
        is_last, starts = frame is frames[-1], frame.view.round > told_round
        if positions or starts or is_last:
            told_round = frame.view.round
            yield f"\n{view_text(frame.view, edition)}"
