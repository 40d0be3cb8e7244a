"""A game of any kind as text, plain or with a terminal's 256 colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def view_text(edition: Any, view: Any, *, color: bool = False, coordinates: bool = False) -> str:
    """Returns a game as text: the board, scores and holdings, as far as the viewer knows them.

    Without its escape sequences, coloured text is the same as plain text.

    Args:
        edition: the edition that is played.
        view: the game, as its viewer may see it.
        color: whether boards and pieces have their colours, as escape sequences of terminals.
        coordinates: whether hexes can be told by their names, or rows and columns by their numbers.
    """
    from gonzaga_env.render.games import game_pictures  # the drawing code, see `draw`

    text: str = game_pictures(edition.game).text(
        edition, view, color=color, coordinates=coordinates
    )
    return text


def points_table(heads: Sequence[str], players: Sequence[Any]) -> str:
    """Returns the final points of all players by source, with what each source is called."""
    width = max(map(len, heads))
    rows = [("points", [f"player {player.seat}" for player in players])]
    rows += [(head, [player.scores[i] for player in players]) for i, head in enumerate(heads)]
    rows.append(("total", [player.score for player in players]))
    return "\n".join(f"{head:<{width}}" + "".join(f"{n:>12}" for n in row) for head, row in rows)
