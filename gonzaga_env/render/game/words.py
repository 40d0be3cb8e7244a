"""Texts of a picture of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gonzaga_env.core.constants import OPEN_SITES_AT_END
from gonzaga_env.core.view.game_view import GameView, PlayerView
from gonzaga_env.render.shapes import Label, text_width


def player_name(player: PlayerView) -> str:
    """Returns what a player is called: the seat, and the name if there is one."""
    return f"player {player.seat}" + (f" · {player.name}" if player.name else "")


def stage_text(view: GameView) -> str:
    """Returns round and stage, such as "Round 6, the last: placing"."""
    if view.stage == "over":
        return f"Over after {view.round} rounds"
    last = ", the last" if view.last_round else ""
    return f"Round {view.round}{last}: {view.stage}"


def sites_text(view: GameView) -> str:
    """Returns how many flourishing sites are open, and what that means for the end (R7.1)."""
    text = f"{view.open_sites} flourishing sites open"
    if view.stage == "over" or view.last_round:
        return text
    return f"{text}; at {OPEN_SITES_AT_END}, one round is left"


def plan_text(player: PlayerView, view: GameView) -> str:
    """Returns a player's plan of this round, as far as the viewer knows it."""
    if player.plan is not None:
        return player.plan.words + (", sealed" if view.stage == "planning" else "")
    return "sealed" if player.planned else "not yet"


def locked_text(player: PlayerView) -> str:
    """Returns the cards that are not available in this round (R3.3)."""
    return "none" if player.locked is None else ", ".join(player.locked.cards)


def paragraph(
    text: str, at: tuple[float, float], size: float, color: str, width: float, max_lines: int = 3
) -> Iterator[Label]:
    """Yields a text in lines of at most `width` pixels; what does not fit ends in an ellipsis."""
    for number, line in enumerate(_lines(text.split(), size, width, max_lines)):
        yield Label(line, (at[0], at[1] + 1.3 * size * number), size, color, anchor="start")


def _lines(words: Iterable[str], size: float, width: float, max_lines: int) -> list[str]:
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], lines[max_lines - 1] + " …"]
    return lines
