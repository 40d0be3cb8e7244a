"""Code in the current folder runs only where a spec names it (F7)."""

import subprocess
import sys
from pathlib import Path

import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.outside.spec import parse_command
from gonzaga_agents.play.tournament_games import identify

from gonzaga_env.core import GameConfig
from gonzaga_env.kernel.agent import AgentError, agent_name
from tests.agents.own import TEXT

CONFIG = GameConfig(2)
PLANTED = (
    *("matplotlib", "numpy", "PIL", "rich", "scipy", "starlette", "tensorboard"),
    *("torch", "tyro", "uvicorn", "org", "_winapi"),  # the last two are optional, for pickle
    *("json", "multiprocessing", "pickle", "struct"),  # which a worker imports before all else
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns a folder of files that write down their names when they run."""
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    for name in PLANTED:
        plant(downloads, name)
    (downloads / "mine.py").write_text(TEXT)
    return downloads


def plant(folder: Path, name: str) -> None:
    """Adds a file that writes down its name when it runs."""
    code = f"open({str(folder.parent / 'ran')!r}, 'a').write({name + ' '!r})\n"
    (folder / f"{name}.py").write_text(code)


def ran(folder: Path, door: str, *arguments: str) -> str:
    """Runs a console script in a folder, and returns which of its files have run."""
    code = "import sys\nfrom gonzaga_env.cli import main\n\n"
    script = written(folder, code + "if __name__ == '__main__':\n    sys.exit(main())\n")
    return run_by(folder, sys.executable, script, door, *arguments)


def written(folder: Path, code: str) -> str:
    """Returns a script as pip installs it, in a folder of its own."""
    script = folder.parent / "script"
    script.write_text(code)
    return str(script)


def run_by(folder: Path, *command: str, codes: tuple[int, ...] = (0,)) -> str:
    """Runs a command in a folder, and returns which of its files have run."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, input="", text=True, check=False
    )
    marks = folder.parent / "ran"
    assert marks.exists() or done.returncode in codes, done.stderr
    return marks.read_text() if marks.exists() else ""


@pytest.mark.parametrize("door", ["play", "train"])
def test_what_lies_in_the_current_folder_does_not_run(folder: Path, door: str) -> None:
    assert ran(folder, door, "--help") == ""


def test_nor_do_workers_run_it_but_for_the_agent_that_is_named(folder: Path) -> None:
    command = ("random", "mine:First", "--until-decided", "--deals", "51", "--workers", "2")
    assert ran(folder, "tournament", *command) == ""
    assert (folder / "runs" / "tournament" / "games.jsonl").exists()


def test_nor_does_the_bot_that_asks_a_model(folder: Path) -> None:
    command = parse_command("model:any")
    assert command is not None
    plant(folder, "gonzaga_agents")
    assert run_by(folder, *command.words, codes=(0, 2)) == ""  # 2 where openai is missing


def test_nor_does_the_process_of_the_table(folder: Path) -> None:
    code = (
        "import asyncio, os\nfrom gonzaga_table.web.agents import ProcessWorker\n\n"
        "if __name__ == '__main__':\n"
        "    there = asyncio.run(ProcessWorker(1).call(os.nice, 0, seconds=60))\n"
        "    assert there == os.nice(0) + 1\n"
    )
    assert run_by(folder, sys.executable, written(folder, code)) == ""


def test_nor_does_matplotlib_take_its_settings(folder: Path) -> None:
    (folder / "matplotlib.py").unlink()
    (folder / "matplotlibrc").write_text("text.usetex: True\n")
    code = (
        "from gonzaga_env.extras import import_matplotlib\n\n"
        "import_matplotlib()\nimport matplotlib\n\n"
        "assert matplotlib.rcParams['text.usetex'] is False\n"
    )
    assert run_by(folder, sys.executable, written(folder, code)) == ""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    return tmp_path


def test_of_the_current_folder_only_a_named_module_is_found(here: Path) -> None:
    package = here / "package_of_mine"
    package.mkdir()
    (package / "agents.py").write_text(TEXT)
    (package / "__init__.py").write_text("from .agents import First, Last")
    (here / "neighbour_of_mine.py").write_text(TEXT)
    (here / "mine.py").write_text("from neighbour_of_mine import First")
    path = [*sys.path]
    for name in ("package_of_mine:First", "package_of_mine.agents:Last"):
        assert identify(name).digest is not None
        assert agent_name(make_agent(name, CONFIG)) == name.partition(":")[2]
    with pytest.raises(AgentError, match="No module named 'neighbour_of_mine'"):
        make_agent("mine.py:First", CONFIG)
    assert sys.path == path


def test_a_module_does_not_hide_an_installed_one(here: Path) -> None:
    (here / "scipy.py").write_text(TEXT)
    with pytest.raises(
        AgentError, match=r"scipy has no 'First'; .*; the file here is scipy.py:First"
    ):
        make_agent("scipy:First", CONFIG)
    assert make_agent("scipy.py:First", CONFIG)
