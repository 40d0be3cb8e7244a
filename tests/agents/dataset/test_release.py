"""The data sets of a release: one command, and the same archives every time."""

import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from tools import release_data

pytest.importorskip("pyarrow", reason='needs pyarrow: pip install ".[data]"')


def test_archives_are_the_same_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = release_data.Release("small", "gonzaga", 2, ("random",), 4)
    monkeypatch.setattr(release_data, "RELEASES", (small,))
    made = []
    for name in ("one", "two"):
        monkeypatch.setattr(sys, "argv", ["", "--out", str(tmp_path / name), "--workers", "1"])
        assert release_data.main() == 0
        archives = sorted((tmp_path / name).glob("*.zip"))
        made.append({path.name: path.read_bytes() for path in archives})
    assert made[0] == made[1]
    assert set(made[0]) == {"small.zip", "small-parquet.zip"}
    names = set(zipfile.ZipFile(tmp_path / "one/small.zip").namelist())
    assert names == {"small/README.md", "small/dataset.json", "small/games/00000.games"}
    digest = (tmp_path / "one/small.zip.sha256").read_text().split()[0]
    assert digest == sha256(made[0]["small.zip"]).hexdigest()
    assert digest in capsys.readouterr().out


def test_each_release_can_be_made() -> None:
    for release in release_data.RELEASES:
        assert release.recipe().num_games == release.games
