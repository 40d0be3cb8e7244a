"""Files are written completely or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonzaga_env.core.files import write_aside


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_aside(path, "older and longer")
    write_aside(path, "Köln")
    assert path.read_text("utf-8") == "Köln"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_aside(tmp_path / "folder", b"data")
    with pytest.raises(OSError, match="missing/file"):
        write_aside(tmp_path / "missing" / "file", b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
