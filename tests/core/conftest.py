"""Tests of the rules run on both engines."""

import pytest

from gonzaga_env.core import Engine
from tests.core import positions
from tests.core.game_batch import GameBatch


@pytest.fixture(params=[Engine, GameBatch], ids=["engine", "game"])
def both_engines(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes `positions` play on the batch, then on single games."""
    monkeypatch.setattr(positions, "engine_class", request.param)
