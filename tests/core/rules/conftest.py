"""Every test of the rules runs on both engines."""

import pytest

from gonzaga_env.core import Engine
from tests.core.game_batch import GameBatch
from tests.core.rules import positions


@pytest.fixture(autouse=True, params=[Engine, GameBatch], ids=["engine", "game"])
def _both_engines(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "engine_class", request.param)
