"""Golden games: any change of legality, scores or winners shows here, at the move."""

from __future__ import annotations

import pytest

from gonzaga_env.core.records import Record, read_records, replay
from tests.golden.regenerate import FILE, GAMES, play_again


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return list(read_records(FILE))


def test_there_is_a_game_for_every_number_of_players_and_league_option(
    records: list[Record],
) -> None:
    played = [(record["num_players"], record["rules"]["sea_league"]) for record in records]
    assert played == GAMES


@pytest.mark.parametrize("index", range(len(GAMES)), ids=[f"{p}-{league}" for p, league in GAMES])
def test_golden_games_replay_exactly(records: list[Record], index: int) -> None:
    replay(records[index])


def test_regenerating_writes_the_same_games(records: list[Record]) -> None:
    assert [play_again(record) for record in records] == records


def test_golden_games_hold_every_kind_of_move(records: list[Record]) -> None:
    moves = [move["action"] for record in records for move in record["moves"]]
    for kind in ("fief ", "ring ", "rings ", "donate", "inactive "):
        assert any(move.startswith(kind) for move in moves), kind
