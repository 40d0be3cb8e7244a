"""R1 and R2: components and setup."""

from collections import Counter

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.constants import NUM_RINGS
from gonzaga_env.core.edition import Scenario
from tests.core.positions import BOARD, COLOMBO, EDITION, Position


def test_r1_2_mare_germanicum_has_two_harbors_in_each_of_two_regions() -> None:
    harbors = [cell for cell, sea in BOARD.harbors.items() if sea == "Mare Germanicum"]
    regions = Counter(BOARD.region_of[cell] for cell in harbors)
    assert regions == {"Britannia": 2, "Germania": 2}


@pytest.mark.parametrize(
    ("name", "region"), [("Vilnius", "Europa Orientalis"), ("Mantova", "Italia")]
)
def test_r1_3_a_city_is_land_of_its_region(name: str, region: str) -> None:
    (city,) = (site for site in EDITION.cities if site.name == name)
    assert BOARD.region_of[city.at] == region


def test_r1_5_colombo_leaves_five_region_cards() -> None:
    regions = {text.rsplit(" ", 1)[0] for text in Position().legal() if "privilege" not in text}
    assert regions == {*COLOMBO, "inactive"}


@pytest.mark.parametrize("scenario", EDITION.scenarios, ids=lambda scenario: scenario.name)
def test_r2_1_cards_of_inactive_regions_are_out(scenario: Scenario) -> None:
    position = Position(scenario.players, scenario.name)
    plans = {
        f"{region} {action}{privilege}"
        for region in (*scenario.flourishing, "inactive")
        for action in "ABC"
        for privilege in ("", " + privilege")
    }
    assert position.legal() == plans


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_r2_1_scenarios_are_drawn_among_those_for_the_number_of_players(num_players: int) -> None:
    engine = Engine(6000, num_players)
    fitting = [s.players == num_players for s in EDITION.scenarios]
    shares = np.bincount(engine.state.scenario, minlength=16) / 6000
    assert np.abs(shares - np.array(fitting) / sum(fitting)).max() < 0.03


def test_r2_2_everybody_has_the_twelve_own_fiefs_and_another_objective() -> None:
    """All of them equally often."""
    state = Engine(6000, 4).state
    assert (np.sort(state.deck, axis=2) == np.arange(12)).all()
    assert all(len(set(objectives)) == 4 for objectives in state.objective.tolist())
    for dealt, size in ((state.deck[:, :, 0], 12), (state.objective, 16)):
        shares = np.bincount(dealt.ravel(), minlength=size) / 24_000
        assert np.abs(shares - 1 / size).max() < 0.01


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_r2_3_nothing_is_scored_and_no_ring_is_spent(num_players: int) -> None:
    state = Engine(3, num_players).state
    assert not state.totals.any()
    assert not state.fiefs.any()
    assert not state.rings.any()
    assert (state.ring_stock == NUM_RINGS).all()
    assert (state.round == 1).all()
