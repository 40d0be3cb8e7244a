"""Data sets of games: written by self-play, stored as actions, read as what learners need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gonzaga_env.extras import lazy_names

if TYPE_CHECKING:
    from .batches import Batches, load
    from .folder import Dataset, open_dataset
    from .games import DatasetError
    from .recipe import Recipe, recipe_of
    from .write import write_games, write_parquet

__all__ = [
    "Batches",
    "Dataset",
    "DatasetError",
    "Recipe",
    "load",
    "open_dataset",
    "recipe_of",
    "write_games",
    "write_parquet",
]

__getattr__ = lazy_names(
    __name__,
    {
        **dict.fromkeys(("Dataset", "open_dataset"), ".folder"),
        **dict.fromkeys(("Batches", "load"), ".batches"),
        "DatasetError": ".games",
        **dict.fromkeys(("Recipe", "recipe_of"), ".recipe"),
        **dict.fromkeys(("write_games", "write_parquet"), ".write"),
    },
)
