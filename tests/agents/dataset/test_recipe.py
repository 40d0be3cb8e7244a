"""Which games a recipe means."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.dataset import Dataset, DatasetError, Recipe, recipe_of
from gonzaga_agents.dataset import recipe as recipe_module
from gonzaga_agents.units.entrants import Entrant

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.tabletop.errors import OptionError


def test_rotated_deals_give_every_agent_every_hand(dataset: Dataset) -> None:
    games = dataset.read(dataset.shards[0])
    assert (games.seeds[::2] == games.seeds[1::2]).all()
    assert len(np.unique(games.seeds)) == 6
    assert (games.seating[::2] == [0, 1]).all()
    assert (games.seating[1::2] == [1, 0]).all()


def test_independent_deals_are_played_once_with_drawn_seats(recipe: Recipe) -> None:
    units = replace(recipe, deals="independent", num_games=240).units()
    seating = np.concatenate([unit.seating() for unit in units])
    assert sum(map(len, (unit.deals() for unit in units))) == 240
    assert len({deal for unit in units for deal in unit.deals()}) == 240
    assert 80 < (seating[:, 0] == 0).sum() < 160
    assert (np.sort(seating, axis=1) == [0, 1]).all()


def test_one_agent_alone_has_independent_deals() -> None:
    recipe = recipe_of(GameConfig(num_players=3), [Entrant("random")], 5, None, 0)
    assert recipe.deals == "independent"
    assert recipe.lineup == [0, 0, 0]


def test_the_last_agent_fills_the_seats() -> None:
    agents = [Entrant("greedy"), Entrant("random")]
    assert recipe_of(GameConfig(num_players=4), agents, 8, None, 0).lineup == [0, 1, 1, 1]


def test_a_unit_depends_on_itself_alone(recipe: Recipe, dataset: Dataset) -> None:
    second = recipe.units()[1]
    assert second.play() == Path(dataset.shards[1]).read_bytes()


def test_what_decides_the_games_decides_the_digest(recipe: Recipe) -> None:
    others = [
        replace(recipe, seed=8),
        replace(recipe, num_games=32),
        replace(recipe, deals="independent"),
        replace(recipe, entrants=recipe.entrants[::-1]),
        replace(recipe, config=GameConfig(num_players=3)),
        replace(recipe, config=GameConfig(2, rules={"sea_league": "first_only"})),
    ]
    assert len({each.digest for each in [recipe, *others]}) == 1 + len(others)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_games": 31}, "multiple of 2, such as 32"),
        ({"num_games": 0}, "games is 0"),
        ({"num_games": 10**9}, "takes 100,000,000 or less"),
        ({"seed": -1}, "seed is -1"),
        ({"deals": "twice"}, "takes rotated or independent"),
        ({"entrants": ()}, "0 agents are named for 2 players"),
        ({"entrants": (Entrant("random"),) * 3}, "3 agents are named for 2 players"),
    ],
)
def test_bad_options_are_named(recipe: Recipe, changes: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        replace(recipe, **changes)


def test_games_that_the_columns_do_not_hold_are_refused(
    recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were once written with other numbers."""

    def far_ahead(*given: Any, **more: Any) -> Engine:
        engine = play_games(*given, **more)
        monkeypatch.setattr(Engine, "totals", np.full((12, 2), 40_000))
        return engine

    play_games = recipe_module.play_games
    monkeypatch.setattr(recipe_module, "play_games", far_ahead)
    with pytest.raises(DatasetError, match="a game has 40,000 points; data sets take 32,767"):
        recipe.units()[0].play()
