"""Data sets of games: records that agents have written, read as arrays for learners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gonzaga_env.extras import lazy_names

if TYPE_CHECKING:
    from .export import write_minari, write_parquet
    from .read import load
    from .write import write_games

__all__ = ["load", "write_games", "write_minari", "write_parquet"]

__getattr__ = lazy_names(
    __name__,
    {
        "load": ".read",
        "write_games": ".write",
        "write_minari": ".export",
        "write_parquet": ".export",
    },
)
