"""A recorded game as one text to read."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.show.game import ShownGame, line_words
from gonzaga_env.tabletop.bounded import printable
from gonzaga_env.text.views import view_text


def transcript(game: ShownGame) -> str:
    """Returns every move in words, and the position before each round and at the end."""
    return "\n".join([printable(game.title), "", *_parts(game)]) + "\n"


def _parts(game: ShownGame) -> Iterator[str]:
    told_round = 0
    for frame in game.frames:
        for number, line in enumerate(frame.lines):
            start = f"{frame.move}." if number == 0 else "  "
            yield f"{start} {line_words(line, frame.view.players)}"
        if frame.view.round > told_round or frame is game.frames[-1]:
            told_round = frame.view.round
            yield f"\n{view_text(frame.view, game.edition)}"
