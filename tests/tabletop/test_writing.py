"""Files are written completely or not at all."""

from pathlib import Path

import pytest

from gonzaga_env.tabletop.writing import remove_leftovers, write_aside


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


def test_what_killed_processes_left_is_removed(tmp_path: Path) -> None:
    for name in (".file.17.tmp", ".file.zip.4.tmp", ".mine.tmp", "file.17.tmp", "file"):
        (tmp_path / name).touch()
    remove_leftovers(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".mine.tmp", "file", "file.17.tmp"]
    remove_leftovers(tmp_path / "missing")
