"""The tests of the rules once more, on the engine for one game."""

from __future__ import annotations

from typing import Any

import pytest

from gonzaga_env.core import SingleEngine
from tests.core import positions
from tests.core.test_illegal import *  # noqa: F403
from tests.core.test_rules_end import *  # noqa: F403
from tests.core.test_rules_final import *  # noqa: F403
from tests.core.test_rules_place import *  # noqa: F403
from tests.core.test_rules_plan import *  # noqa: F403
from tests.core.test_rules_score import *  # noqa: F403
from tests.core.test_rules_wedding import *  # noqa: F403


@pytest.fixture(autouse=True)
def _play_single(monkeypatch: pytest.MonkeyPatch) -> None:
    def single(num_games: int, *args: Any, **options: Any) -> SingleEngine:
        assert num_games == 1
        return SingleEngine(*args, **options)

    monkeypatch.setattr(positions, "Engine", single)


def test_positions_are_played_on_the_engine_for_one_game() -> None:
    assert isinstance(positions.Position().engine, SingleEngine)
