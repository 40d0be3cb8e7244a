"""The commit of the code that runs."""

import subprocess
from pathlib import Path

import pytest
from gonzaga_agents.play import tournament_results as results
from gonzaga_agents.play.tournament_results import find_commit


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_the_commit_is_the_checkouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "module.py"
    module.write_text("")
    monkeypatch.setattr(results, "__file__", str(module))
    assert find_commit() is None  # no checkout
    git(tmp_path, "init")
    assert find_commit() is None  # the code lies in a checkout of something else
    git(tmp_path, "add", "module.py")
    git(tmp_path, "commit", "-m", "Add a module")
    commit = git(tmp_path, "rev-parse", "--short", "HEAD")
    assert find_commit() == commit
    module.write_text("changed = True")
    assert find_commit() == f"{commit}-dirty"
