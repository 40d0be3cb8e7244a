"""Statistics of recorded games of any kind (docs/records.md)."""

from gonzaga_env.stats.rows import games_frame, moves_frame

__all__ = ["games_frame", "moves_frame"]
