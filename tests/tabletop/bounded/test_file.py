"""Files of bounded size."""

import os
from pathlib import Path

import pytest

from gonzaga_env.tabletop.bounded import read_file


def test_a_file_is_read_up_to_the_bound(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"four")
    assert read_file(file, 4) == b"four"
    with pytest.raises(ValueError, match="is larger than 3 bytes"):
        read_file(file, 3)


def test_pipes_are_refused_before_anybody_waits_for_them(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="is not a regular file"):
        read_file(tmp_path / "pipe", 4)
