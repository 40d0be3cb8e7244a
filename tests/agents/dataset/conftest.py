"""A small data set: 30 games of two agents in three shards."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from gonzaga_agents.dataset import Dataset, Recipe, recipe_of, write_games
from gonzaga_agents.dataset import folder as folder_module
from gonzaga_agents.dataset import recipe as recipe_module
from gonzaga_agents.units.entrants import identify

from gonzaga_env.core import GameConfig


@pytest.fixture(scope="module", autouse=True)
def small_units() -> Iterator[None]:
    """Lets a unit have 12 games in place of 240."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recipe_module, "UNIT_GAMES", 12)
        patch.setattr(folder_module, "UNIT_GAMES", 12)
        yield


@pytest.fixture(scope="module")
def recipe() -> Recipe:
    entrants = [identify("greedy"), identify("random")]
    return recipe_of(GameConfig(num_players=2), entrants, 30, None, 7)


@pytest.fixture(scope="module")
def dataset(recipe: Recipe, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return write_games(recipe, Path(tmp_path_factory.mktemp("games")))
