"""Records to show."""

from pathlib import Path

import pytest

from gonzaga_env.core import Engine
from gonzaga_env.kernel.records import Record, write_records
from gonzaga_env.show.game import ShownGame, load_game
from tests.core.test_records import record_games


@pytest.fixture(scope="module")
def games() -> list[Record]:
    """Returns two games of three players."""
    return record_games(Engine(2, 3, seed=1), 2)


@pytest.fixture
def file(tmp_path, games) -> Path:
    write_records(tmp_path / "games.jsonl", games)
    return tmp_path / "games.jsonl"


@pytest.fixture(scope="module")
def game(tmp_path_factory, games) -> ShownGame:
    """Returns the first game, as a spectator sees it."""
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    write_records(path, games)
    return load_game(path, 1)
