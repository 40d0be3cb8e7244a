"""Data sets of games: written by self-play, stored as actions, read as what learners need."""

from .folder import Dataset, open_dataset
from .games import DatasetError
from .load import Batches, load
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
