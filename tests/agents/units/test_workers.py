"""Chunks in several processes: all are played, and the processes leave nothing behind."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from gonzaga_agents.common.processes import Worker
from gonzaga_agents.tournament.games import Chunk
from gonzaga_agents.units import LocalProcesses, local
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

class Threads(Slow):
    def act(self, observations, masks, rng):
        assert os.environ["OMP_NUM_THREADS"] == "1"
        return masks.argmax(axis=1)
"""


@pytest.fixture
def chunks(tmp_path: Path):
    """Returns a function that makes chunks of a deal each with an agent of the file above."""
    (tmp_path / "mine.py").write_text(AGENTS)

    def make(name: str, number: int) -> list[Chunk]:
        mine = identify(f"{tmp_path / 'mine.py'}:{name}")
        table = tuple(sorted((mine, Entrant("random")), key=lambda entrant: entrant.key))
        return [Chunk(GameConfig(2), table, first, 1, seed=0) for first in range(number)]

    return make


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[Worker]:
    """Returns the workers that a test has started."""
    found: list[Worker] = []

    class Watched(Worker):
        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **options)
            found.append(self)

    monkeypatch.setattr(local, "Worker", Watched)
    return found


def alive(started: list[Worker]) -> list[bool]:
    return [worker.is_alive for worker in started]


def test_every_chunk_is_played_once_and_progress_is_told(chunks, started) -> None:
    told: list[tuple[float, int]] = []
    before = dict(os.environ)
    wanted = chunks("Slow", 3)
    with LocalProcesses(2) as two:
        played = list(play_units(wanted, two, lambda done, total: told.append((done, total))))
    assert sorted(chunk.first for chunk, _ in played) == [0, 1, 2]
    for chunk, found in played:
        assert [game.id for game in found] == chunk.ids()
    assert (told[0], told[-1]) == ((0, 6), (6, 6))
    assert any(done % 2 for done, _ in told), "of the games that are being played"
    assert alive(started) == [False, False]
    assert dict(os.environ) == before


def test_workers_use_one_thread_each(chunks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    with LocalProcesses(2) as two:
        assert len(list(play_units(chunks("Threads", 2), two))) == 2
    assert os.environ["OMP_NUM_THREADS"] == "7"


def test_closing_drops_what_is_being_played(chunks, started) -> None:
    with LocalProcesses(2) as two:
        playing = play_units(chunks("Slow", 6), two)
        next(playing)
        assert alive(started) == [True, True]
        playing.close()
    assert alive(started) == [False, False]


def test_a_process_that_dies_is_named(chunks, started) -> None:
    with (
        LocalProcesses(2, on_lost=lambda line: None) as two,
        pytest.raises(AgentError, match="a process that plays games ended with exit code 1"),
    ):
        list(play_units(chunks("Dying", 2), two))
    assert not any(alive(started))
