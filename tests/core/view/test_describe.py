"""Actions in words: what they cover and what they score at once."""

import re

import numpy as np
import pytest

from gonzaga_env.core import Engine, Rules
from tests.core.positions import (
    BOARD,
    EDITION,
    Position,
    find,
    fitting,
    ring_text,
)

NAMES = {site.at: site.name for site in (*EDITION.cities, *EDITION.harbors)}


def described(position: Position, text: str) -> str:
    return position.engine.describe(position.engine.actions.parse(text))


def test_a_plan_is_its_text() -> None:
    assert described(Position(), "Francia B + privilege") == "Francia B + privilege"


def test_a_placement_names_the_sites_it_covers_and_its_points() -> None:
    placement = find(fitting(), lambda p: p.covers == (2, 1) and p.regions == {"Italia"})
    position = Position()
    position.turn_to(0, placement)
    names = [NAMES[cell] for cell in placement.cells if cell in NAMES]
    assert described(position, placement.text) == f"{placement.text}: {', '.join(names)}; +9"


def test_a_donation_and_a_ring_on_nothing() -> None:
    position = Position()
    free = find(BOARD.region_of, lambda c: BOARD.region_of[c] == "Italia" and c not in NAMES)
    position.turn(0, "Italia C")
    assert described(position, "donate") == "donate; +3"
    assert described(position, ring_text(free)) == f"{ring_text(free)}: no site; +0"


@pytest.mark.parametrize("league", ["each_player", "first_only"])
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_points_are_those_that_the_action_scores(num_players: int, league: str) -> None:
    engine = Engine(
        3, num_players, rules=Rules(sea_league=league), seed=num_players, autoreset=False
    )
    rng, leagues = np.random.default_rng(0), 0
    while (engine.seats >= 0).any():
        actions = engine.sample_legal(rng)
        words = [engine.describe(int(action), game) for game, action in enumerate(actions)]
        placing, over = engine.state.phase == 1, engine.seats < 0
        result = engine.step(actions)
        for game in np.flatnonzero(~over):
            scored = re.search(r"; \+(\d+)$", words[game])
            assert bool(scored) == bool(placing[game])
            assert int(scored[1] if scored else 0) == result.points[game], words[game]
            leagues += words[game].count("sea league")
    assert leagues == engine.state.leagues.sum()
