"""Data sets of games: records that agents have written, read as what learners need.

| module | step |
|---|---|
| `write` | plays games and writes records into a folder |
| `read` | plays records again: arrays of observations, masks, actions and rewards |
| `parquet`, `minari` | the same as files of other libraries |
| `command` | `gonzaga data` |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gonzaga_env.extras import lazy_names

if TYPE_CHECKING:
    from .export import write_minari
    from .parquet import write_parquet
    from .read import load
    from .write import write_games

__all__ = ["load", "write_games", "write_minari", "write_parquet"]

__getattr__ = lazy_names(
    __name__,
    {
        "load": ".read",
        "write_games": ".write",
        "write_minari": ".minari",
        "write_parquet": ".parquet",
    },
)
