"""The command `gonzaga play`: its options and mistakes."""

import builtins
import os
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Any

import pytest
from gonzaga_table.web.app import find_editions
from gonzaga_table.web.command import default_data
from gonzaga_table.web.server import listen

from gonzaga_env.cli import main
from gonzaga_env.core import OptionError
from gonzaga_env.core.edition import EDITIONS
from gonzaga_env.core.editions.loading import shipped_editions
from gonzaga_env.kernel.errors import GameError
from gonzaga_env.tuscany.edition import EDITIONS as EDITIONS_OF_TUSCANY
from tests.conftest import Answer, complaint_of

Run = Callable[..., Answer]
OTHERS = "tuscany/reconstruction", "signorie/reconstruction"  # the other games' editions


@pytest.fixture
def run(call, tmp_path) -> Run:
    """Returns a function that runs the command where it must fail, see `call`."""
    return partial(call, main, "play", "--data", tmp_path / "tables.sqlite")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--port", "99999"], "port is 99999; it takes 0 to 65535"),
        (["--port", "x"], "--port"),
        (["--agent", "nobody"], "there is no agent 'nobody'"),
        (["--edition", "atlantis"], "'atlantis' is neither a shipped edition nor a folder"),
        (["--data", "/nowhere/tables.sqlite"], "/nowhere/tables.sqlite: unable to open"),
        (["--host", "no.such.host.invalid"], "no.such.host.invalid:"),
        (["--password-file", "/nowhere/word"], "/nowhere/word: No such file or directory"),
    ],
)
def test_mistakes_end_in_one_line(run, arguments, message) -> None:
    told = complaint_of(run("--port", 0, *arguments))
    assert message in told
    assert told.startswith("gonzaga play: ")


def test_a_port_in_use_is_named(run) -> None:
    with closing(listen("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = complaint_of(run("--port", port))
    assert told == f"gonzaga play: 127.0.0.1:{port}: Address already in use\n"


def test_a_damaged_file_is_named(run, tmp_path) -> None:
    file = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    told = complaint_of(run("--port", 0, "--data", file))
    assert told == f"gonzaga play: {file}: is a database of another program; give another --data\n"


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_a_missing_extra_is_named(run, package, monkeypatch) -> None:
    really_import = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == package:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return really_import(name, *rest)

    for module in [m for m in sys.modules if m.startswith("gonzaga_table.web")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", refuse)
    hint = f'gonzaga play: {package} is not installed; run: pip install "gonzaga-env[web]"'
    assert complaint_of(run()).startswith(hint)


def test_help_needs_no_extra() -> None:
    code = """
import sys
sys.modules["uvicorn"] = sys.modules["starlette"] = None  # as if they were not installed
from gonzaga_env.cli import main
sys.exit(main(["play", "--help"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "--password-file" in done.stdout


def test_editions_have_the_names_of_their_folders(tmp_path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for file in (EDITIONS / "europe").iterdir():
        text = file.read_text("utf-8")
        (folder / file.name).write_text(text.replace('name = "Europe"', 'name = "Mine"'), "utf-8")
    assert list(find_editions([str(folder)])) == [*shipped_editions(), *OTHERS, "mine"]
    folder.rename(tmp_path / "europe")
    with pytest.raises(OptionError, match="two editions named 'europe'"):
        find_editions([str(tmp_path / "europe")])


def test_a_file_is_an_edition_of_the_game_that_it_names(tmp_path) -> None:
    file = tmp_path / "mine.toml"
    text = (EDITIONS_OF_TUSCANY / "reconstruction.toml").read_text("utf-8")
    file.write_text(text.replace('name = "reconstruction"', 'name = "Mine"'), "utf-8")
    found = find_editions([str(file)])["mine.toml"]
    assert (found.game, found.name) == ("tuscany", "Mine")
    for wrong, why in (
        ("game =", "mine.toml is not valid TOML"),
        ('game = "chess"', "game is 'chess'"),
    ):
        file.write_text(wrong, "utf-8")
        with pytest.raises(GameError, match=why):
            find_editions([str(file)])


def test_tables_are_kept_in_the_users_folder(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_data() == tmp_path / "gonzaga" / "tables.sqlite"
    assert os.name != "posix" or stat.S_IMODE((tmp_path / "gonzaga").stat().st_mode) == 0o700  # F10


def test_a_server_listens_where_it_is_told() -> None:
    with closing(listen("localhost", 0)) as listening:
        host, port = listening.getsockname()[:2]
        with closing(socket.create_connection((host, port))):
            assert port > 0
