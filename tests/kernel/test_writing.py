"""Files are written completely or not at all."""

import os
import resource
import signal
from pathlib import Path

import pytest

from gonzaga_env.kernel.writing import add_bytes, check_writable, open_to_add, write_aside


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


def test_what_is_no_file_is_neither_written_nor_waited_for(tmp_path: Path) -> None:
    """A pipe would wait for its reader for ever, and a device keeps nothing."""
    pipe, device = tmp_path / "pipe", tmp_path / "device"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for path in (pipe, device):
        for refuse in (lambda path: write_aside(path, b"data"), check_writable, open_to_add):
            with pytest.raises(OSError, match=f"is (not a regular file|a symbolic link): '{path}'"):
                refuse(path)
    for refuse in (check_writable, open_to_add):
        with pytest.raises(IsADirectoryError, match=str(tmp_path)):
            refuse(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["device", "pipe"]


def test_nothing_is_written_through_links(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    (tmp_path / f".file.{os.getpid()}.tmp").symlink_to(target)
    write_aside(tmp_path / "file", "new")
    for refuse in (lambda path: write_aside(path, "new"), check_writable, open_to_add):
        with pytest.raises(OSError, match="is a symbolic link"):
            refuse(link)
    assert target.read_text() == "old"


def test_bytes_are_added_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with open_to_add(path) as file:
        add_bytes(file, b"one\n")
    with open_to_add(path) as file:
        assert file.read() == b""
        add_bytes(file, b"two\n")
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
        try:
            with pytest.raises(OSError, match="File too large"):
                add_bytes(file, b"three\n")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            signal.signal(signal.SIGXFSZ, ignored)
    assert path.read_bytes() == b"one\ntwo\n"
