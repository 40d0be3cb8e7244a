"""Perft: both engines of a game count the legal sequences that its oracle counted."""

import pytest

from gonzaga_env.core import load_edition, read_records
from gonzaga_env.signorie import constants as signorie
from gonzaga_env.tuscany import constants as tuscany
from tests.marks import some_nightly
from tests.perft import count, gonzaga
from tests.perft.regenerate import GAMES

POSITIONS = {name: list(read_records(counted.file)) for name, counted in GAMES.items()}
CASES = [
    (game, position, depth)
    for game, positions in POSITIONS.items()
    for position in positions
    for depth in range(1, len(position["perft"]) + 1)
]
EACH_DEPTH = pytest.mark.parametrize(
    ("game", "position", "depth"),
    some_nightly(CASES, often=lambda case: case[2] < 3),
    ids=[f"{game}, {position['name']}, depth {depth}" for game, position, depth in CASES],
)


def test_all_scenarios_options_and_kinds_of_positions_are_there() -> None:
    positions = POSITIONS["gonzaga"]
    scenarios = {position["scenario"] for position in positions}
    assert scenarios == {scenario.name for scenario in load_edition("europe").scenarios}
    assert all(any(p["rules"] == rules for p in positions) for rules in gonzaga.OPTIONS)
    assert len({position["name"].partition(": ")[2] for position in positions}) == 5
    assert max(len(position["perft"]) for position in positions) == 3


@pytest.mark.parametrize(
    ("game", "kinds"), [("tuscany", tuscany.KINDS), ("signorie", signorie.KINDS)]
)
def test_every_question_is_asked_with_every_number_of_players(
    game: str, kinds: tuple[str, ...]
) -> None:
    for num_players in (2, 3, 4):
        chosen = [p for p in POSITIONS[game] if p["num_players"] == num_players]
        asked = {kinds[count.game_at(GAMES[game], p).kind] for p in chosen}
        assert asked >= set(kinds)
        assert any(len(position["perft"]) == 3 for position in chosen)


@EACH_DEPTH
def test_the_batch_engine_counts_as_the_oracle(
    game: str, position: count.Position, depth: int
) -> None:
    engine = count.engine_at(GAMES[game], position)
    if count.engine_perft(engine, depth) != position["perft"][depth - 1]:
        oracle = count.oracle_split(GAMES[game].oracle_at(position), depth)
        pytest.fail(count.differences(oracle, count.engine_split(engine, depth)))


@EACH_DEPTH
def test_the_single_game_counts_as_the_oracle(
    game: str, position: count.Position, depth: int
) -> None:
    alone = count.game_at(GAMES[game], position)
    if count.game_perft(alone, depth) != position["perft"][depth - 1]:
        oracle = count.oracle_split(GAMES[game].oracle_at(position), depth)
        pytest.fail(count.differences(oracle, count.game_split(alone, depth)))


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("gonzaga", "Luther: the last round, placing"),
        ("tuscany", "2 players, game 0: round 1"),
        ("signorie", "2 players, game 0: track"),
    ],
)
def test_the_split_names_the_first_action_that_differs(game: str, name: str) -> None:
    counted = GAMES[game]
    position = next(position for position in POSITIONS[game] if position["name"] == name)
    split = count.oracle_split(counted.oracle_at(position), 2)
    assert sum(split.values()) == position["perft"][1]
    assert count.differences(split, count.engine_split(count.engine_at(counted, position), 2)) == ""
    assert count.differences(split, count.game_split(count.game_at(counted, position), 2)) == ""
    action = next(iter(split))
    right, other = split[action], split[action] + 1
    wrong = split | {action: other, "dance": 1}
    assert count.differences(split, wrong).splitlines() == sorted(
        [f"{action}: {right} by the oracle, {other} here", "dance: 0 by the oracle, 1 here"]
    )
