"""Units of games in several processes: all are played, and their progress and errors are told."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from gonzaga_agents.tournament.games import Chunk
from gonzaga_agents.units import LocalProcesses
from gonzaga_agents.units.entrants import Entrant, identify
from gonzaga_agents.units.play import play_units

from gonzaga_env.core import GameConfig
from gonzaga_env.tabletop.agent import AgentError

AGENTS = """
import os, time

class Slow:
    def __init__(self, config): ...
    def act(self, observations, masks, rng):
        time.sleep(0.05)
        return masks.argmax(axis=1)

class Dying(Slow):
    def act(self, observations, masks, rng): os._exit(1)
"""
Make = Callable[[str, int], list[Chunk]]


@pytest.fixture
def chunks(tmp_path: Path) -> Make:
    """Returns a function that makes chunks of a deal each with an agent of the file above."""
    (tmp_path / "mine.py").write_text(AGENTS)

    def make(name: str, number: int) -> list[Chunk]:
        mine = identify(f"{tmp_path / 'mine.py'}:{name}")
        table = tuple(sorted((mine, Entrant("random")), key=lambda entrant: entrant.key))
        return [Chunk(GameConfig(2), table, first, 1, seed=0) for first in range(number)]

    return make


def test_every_chunk_is_played_once_and_progress_is_told(chunks: Make) -> None:
    told: list[tuple[float, int]] = []
    before = dict(os.environ)
    with LocalProcesses(2) as two:
        played = [*play_units(chunks("Slow", 3), two, lambda *done: told.append(done), done=4)]
    assert sorted(chunk.first for chunk, _ in played) == [0, 1, 2]
    for chunk, found in played:
        assert [game.id for game in found] == chunk.ids()
    assert (told[0], told[-1]) == ((4, 10), (10, 10))
    assert any(done % 2 for done, _ in told), "of the games that are being played"
    assert dict(os.environ) == before


def test_a_process_that_dies_is_named(chunks: Make) -> None:
    with (
        LocalProcesses(2, on_lost=lambda line: None) as two,
        pytest.raises(AgentError, match="a process that plays games ended with exit code 1"),
    ):
        list(play_units(chunks("Dying", 2), two))
