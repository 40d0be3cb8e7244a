"""A folder with two agents, in which tournaments are small."""

from pathlib import Path

import pytest
from gonzaga_agents.play import ratings
from gonzaga_agents.play.tournament_games import JOB_DEALS

from tests.agents.own import TEXT


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the file of the agents, in the current folder; jobs and bootstraps are small."""
    for players in (2, 3, 4):
        monkeypatch.setitem(JOB_DEALS, players, 4)
    monkeypatch.setattr(ratings, "REPLICATES", 20)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(TEXT)
    return Path("mine.py")
