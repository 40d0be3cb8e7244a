"""Texts of shown games."""

from __future__ import annotations

from gonzaga_env.core.view.game_log import LogLine
from gonzaga_env.core.view.game_view import PlayerView
from gonzaga_env.tabletop.bounded import printable


def player_words(player: PlayerView) -> str:
    """Returns what a player is called, such as "player 1 (greedy)"."""
    name = printable(player.name)
    return f"player {player.seat}" + (f" ({name})" if name else "")


def line_words(line: LogLine, players: tuple[PlayerView, ...]) -> str:
    """Returns a line of the log, such as "player 1 (greedy): plans Francia B"."""
    who = "" if line.seat is None else f"{player_words(players[line.seat])}: "
    return f"{who}{printable(line.text)}"
