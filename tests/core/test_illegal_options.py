"""Invalid options and deals are refused, and nothing changes."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gonzaga_env.core import Engine, Game
from gonzaga_env.core.options import Rules
from gonzaga_env.core.state.deals import Deal
from gonzaga_env.tabletop.errors import EditionError, GameError, OptionError, StateError
from tests.core.positions import EDITION, make_deal


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_games": 0}, "num_games is 0; it takes an integer of 1 or more"),
        ({"num_games": -1}, "num_games is -1"),
        ({"num_games": [*range(5000)]}, r"num_games is \[0, 1, 2, 3, 4, 5, \.\.\.\]; it takes"),
        ({"num_games": 1.5}, r"num_games is 1\.5"),
        ({"num_games": True}, "num_games is True"),
        ({"num_games": "2"}, "num_games is '2'"),
        ({"num_players": 1}, r"num_players is 1; it takes 2 to 4 \(R1\.1\)"),
        ({"num_players": 5}, "num_players is 5"),
        ({"num_players": 2.5}, r"num_players is 2\.5"),
        ({"num_players": "3"}, "num_players is '3'"),
        ({"num_players": None}, "num_players is None"),
        ({"num_players": np.array([3, 2])}, "num_players"),
        ({"rules": None}, "rules"),
        ({"rules": ["first_only"]}, "rules"),
        ({"reward": "win"}, "reward is 'win'; it takes 'outcome', 'score', 'margin'"),
        ({"reward": None}, "reward is None"),
        ({"seed": 1.5}, r"seed is 1\.5; it takes one integer"),
        ({"seed": "7"}, "seed is '7'"),
        ({"seed": True}, "seed is True"),
        ({"seed": [1, 2, 3], "num_games": 2}, r"it takes one integer, or 2, one per game"),
        ({"seed": [[1]]}, "seed is "),
        ({"scenario": "Machiavelli"}, r"no scenario 'Machiavelli' for 4 players.*R1\.5"),
        ({"scenario": "colombo", "num_players": 3}, "no scenario 'colombo' for 3.*Colombo"),
        ({"scenario": "Colombo"}, "no scenario 'Colombo' for 4 players, but for 3; there are: "),
        ({"scenario": "Colombo", "num_players": 2}, "no scenario 'Colombo' for 2 players"),
        ({"scenario": ""}, "no scenario ''"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        Engine(**options)


def test_a_scenario_of_another_number_of_players_lists_those_that_fit() -> None:
    with pytest.raises(OptionError) as caught:
        Engine(1, 2, scenario="Colombo")
    for scenario in EDITION.scenarios:
        assert (scenario.name in str(caught.value).split("there are")[1]) == (scenario.players == 2)


@pytest.mark.parametrize("value", ["both", "", None, 1, "Each_Player"])
def test_r6_3_other_values_of_sea_league_are_refused(value: Any) -> None:
    with pytest.raises(OptionError, match=r"sea_league is .*'first_only' \(R6\.3\)"):
        Rules(sea_league=value)


@pytest.mark.parametrize("value", [0, 13, -1, 6.0, "6", None, True])
def test_r7_3_other_values_of_first_check_round_are_refused(value: Any) -> None:
    with pytest.raises(OptionError, match=r"first_check_round is .* 1 to 12 \(R7\.3\)"):
        Rules(first_check_round=value)


def test_refusals_are_gonzaga_errors_and_value_errors() -> None:
    for error in (OptionError, EditionError, StateError):
        assert issubclass(error, GameError)
        assert issubclass(error, ValueError)


def refused_deal(deal: Deal, words: str) -> None:
    for one in (Engine(1, 3, seed=4), Game(3, seed=4)):
        before = one.state.to_bytes()
        for seed in (None, 9):
            with pytest.raises(OptionError, match=words):
                one.reset(seed, deal)
        assert one.state.to_bytes() == before


GOOD = make_deal("Colombo", [1, 2, 3])


def changed(array: np.ndarray, at: tuple[int, ...], value: int) -> np.ndarray:
    copied = array.copy()
    copied[at] = value
    return copied


def test_the_unchanged_deal_is_valid() -> None:
    for one in (Engine(1, 3), Game(3)):
        one.reset(deal=GOOD)
        assert (one.state.deck == GOOD.decks).all()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scenario": np.array([0])}, r"scenario is not one for 3 players \(R1\.5\)"),
        ({"scenario": np.array([16])}, r"scenario is not one for 3 players"),
        ({"scenario": np.array([-1])}, r"scenario is not one for 3 players"),
        ({"scenario": np.array([5, 5])}, "must have the shape"),
        ({"decks": GOOD.decks[:, :2]}, "must have the shape"),
        ({"decks": GOOD.decks[:, :, :11]}, "must have the shape"),
        ({"decks": changed(GOOD.decks, (0, 0, 0), 5)}, r"each of the fiefs 0 to 11 once \(R2\.2\)"),
        ({"decks": GOOD.decks + 1}, "each of the fiefs 0 to 11 once"),
        ({"decks": changed(GOOD.decks, (0, 0, 1), -1)}, "each of the fiefs 0 to 11 once"),
        ({"objectives": GOOD.objectives[:, :2]}, "must have the shape"),
        ({"objectives": np.array([[0, 1, 16]])}, r"objective is not in the edition \(R1\.4\)"),
        ({"objectives": np.array([[0, 1, -1]])}, "objective is not in the edition"),
        ({"objectives": np.array([[3, 1, 3]])}, r"two players have the same objective \(R2\.2\)"),
    ],
)
def test_r2_bad_deals_are_refused(changes: dict[str, np.ndarray], words: str) -> None:
    refused_deal(replace(GOOD, **changes), words)


def test_options_are_kept_as_plain_integers() -> None:
    assert type(Rules(first_check_round=np.int64(6)).first_check_round) is int
