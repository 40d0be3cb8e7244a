"""A small benchmark: one task of two players against greedy and random, two units of ten deals."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from gonzaga_agents.bench import play, tasks
from gonzaga_agents.bench.pins import pin_of
from gonzaga_agents.bench.tasks import Opponent, Task, commitment_of, find_task, write_tasks

_SECRET = bytes(range(16))


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Task]:
    shipped = find_task("gonzaga/2p")
    field = tuple(
        Opponent(pin_of(spec, shipped.config), rating)
        for spec, rating in (("greedy", 1000.0), ("random", 100.0))
    )
    monkeypatch.setattr(tasks, "PATH", tmp_path / "tasks.json")
    monkeypatch.setattr(play, "UNIT_DEALS", 10)
    monkeypatch.chdir(tmp_path)
    small = replace(shipped, field=field, deals=20)
    deals = {"commitment": commitment_of(_SECRET), "secret": _SECRET.hex()}
    write_tasks(deals, [small])
    yield small
    monkeypatch.undo()
    tasks._content.cache_clear()
