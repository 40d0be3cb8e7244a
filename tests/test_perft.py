"""Perft: both engines count the legal sequences that the oracle counted (R2 to R8)."""

import pytest

from gonzaga_env.core import load_edition, read_records
from gonzaga_env.core.editions.edition import EDITIONS
from tests.marks import some_nightly
from tests.oracle import OracleEdition
from tests.perft import count
from tests.perft.regenerate import FILE, OPTIONS

POSITIONS = list(read_records(FILE))
NAMES = [position["name"] for position in POSITIONS]
CASES = [(p, depth) for p in POSITIONS for depth in range(1, len(p["perft"]) + 1)]
EACH_DEPTH = pytest.mark.parametrize(
    ("position", "depth"),
    some_nightly(CASES, often=lambda case: case[1] < 3),
    ids=[f"{position['name']}, depth {depth}" for position, depth in CASES],
)


@pytest.fixture(scope="module")
def oracle_edition() -> OracleEdition:
    return OracleEdition(EDITIONS / "europe")


def test_all_scenarios_options_and_kinds_of_positions_are_there() -> None:
    scenarios = {position["scenario"] for position in POSITIONS}
    assert scenarios == {scenario.name for scenario in load_edition("europe").scenarios}
    assert all(any(p["rules"] == rules for p in POSITIONS) for rules in OPTIONS)
    kinds = {name.partition(": ")[2] for name in NAMES}
    assert len(kinds) == 5
    assert max(len(position["perft"]) for position in POSITIONS) == 3


@EACH_DEPTH
def test_the_batch_engine_counts_as_the_oracle(
    position: count.Position, depth: int, oracle_edition: OracleEdition
) -> None:
    engine = count.engine_at(position)
    if count.engine_perft(engine, depth) != position["perft"][depth - 1]:
        oracle = count.oracle_split(count.oracle_at(position, oracle_edition), depth)
        pytest.fail(count.differences(oracle, count.engine_split(engine, depth)))


@EACH_DEPTH
def test_the_single_game_counts_as_the_oracle(
    position: count.Position, depth: int, oracle_edition: OracleEdition
) -> None:
    game = count.game_at(position)
    if count.game_perft(game, depth) != position["perft"][depth - 1]:
        oracle = count.oracle_split(count.oracle_at(position, oracle_edition), depth)
        pytest.fail(count.differences(oracle, count.game_split(game, depth)))


def test_the_split_names_the_first_action_that_differs(oracle_edition: OracleEdition) -> None:
    position = POSITIONS[NAMES.index("Luther: the last round, placing")]
    split = count.oracle_split(count.oracle_at(position, oracle_edition), 2)
    assert sum(split.values()) == position["perft"][1]
    assert count.differences(split, count.engine_split(count.engine_at(position), 2)) == ""
    assert count.differences(split, count.game_split(count.game_at(position), 2)) == ""
    action = next(iter(split))
    wrong = split | {action: 7, "dance": 1}
    assert count.differences(split, wrong).splitlines() == sorted(
        [f"{action}: {split[action]} by the oracle, 7 here", "dance: 0 by the oracle, 1 here"]
    )
