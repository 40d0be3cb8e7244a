"""Records as frames of data (extra `data`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gonzaga_env.stats.rows import RecordedGame, Row, read_games
from gonzaga_env.tabletop.errors import MissingPackageError

if TYPE_CHECKING:
    import pandas as pd

_HINT = 'pandas is not installed; run: pip install "gonzaga-env[data]"'


def games_frame(path: str | Path) -> pd.DataFrame:
    """Returns a frame with a row for each seat of each recorded game (docs/records.md).

    Args:
        path: a file of records, or a folder with such files (`*.jsonl`).

    Raises:
        RecordError: the records can't be read, or there are none.
        MissingPackageError: pandas is missing; the message says what to install.
    """
    return _frame([_of(game) | row for game in read_games(path) for row in game.seats])


def moves_frame(path: str | Path) -> pd.DataFrame:
    """Returns a frame with a row for each move of each recorded game; see `games_frame`."""
    return _frame([_of(game) | row for game in read_games(path) for row in game.moves])


def _of(game: RecordedGame) -> Row:
    return {"file": str(game.file), "line": game.line}


def _frame(rows: list[Row]) -> pd.DataFrame:
    try:
        import pandas as pd
    except ModuleNotFoundError as error:
        raise MissingPackageError(_HINT, name=error.name) from error
    return pd.DataFrame.from_records(rows)
