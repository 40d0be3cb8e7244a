"""What commands print of themselves, and of agents that fail."""

import json
import runpy
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from gonzaga_agents import AgentError, cli, evaluate

from gonzaga_env.tabletop.agent import AgentCrashedError
from gonzaga_env.version import __version__
from tests.agents.conftest import output_of
from tests.conftest import complaint_of

AGENTS = """
class Failing:
    name = "my agent"
    def __init__(self, config): ...
    def act(self, observations, masks, rng):
        return self.choose(masks)
    def choose(self, masks):
        raise ZeroDivisionError("no luck")

class First(Failing):
    def choose(self, masks):
        return masks.argmax(axis=1)
"""


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a file of agents in the current folder."""
    (tmp_path / "mine.py").write_text(AGENTS)
    monkeypatch.chdir(tmp_path)
    return Path("mine.py")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("evaluate.py", "    python evaluate.py --tournament "),
        ("../my games/evaluate.py", "    python '../my games/evaluate.py' --tournament "),
        ("/usr/bin/gonzaga-evaluate", "    gonzaga-evaluate --tournament "),
    ],
)
def test_a_page_names_the_command_as_it_was_called(
    monkeypatch: pytest.MonkeyPatch, agents: Path, program: str, words: str
) -> None:
    command = ["--tournament", "random", "mine.py:First", "--deals", "2", "--out", "a b"]
    monkeypatch.setattr(sys, "argv", [program, *command, "--workers", "1"])
    assert cli.evaluate() == 0
    page = Path("a b/standings.md").read_text()
    assert words in page
    printed = next(line for line in page.splitlines() if line.startswith(words))
    assert shlex.split(printed)[-9:] == [*command, "--workers", "1"]


def test_the_help_names_the_command_that_was_called(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for more in ([], ["--tournament"]):
        monkeypatch.setattr(sys, "argv", ["/usr/bin/gonzaga-evaluate", *more, "--help"])
        with pytest.raises(SystemExit):
            cli.evaluate()
        assert "gonzaga-evaluate" in capsys.readouterr().out


def test_the_package_says_its_version_and_which_commands_there_are(call) -> None:
    assert call(cli.main, "--version") == (0, f"gonzaga-env {__version__}\n", "")
    out = output_of(call(cli.main))
    assert all(name in out for name in ("gonzaga-evaluate", "gonzaga-train", "gonzaga play"))
    err = complaint_of(call(cli.main, "evaluate"))
    assert err == "python -m gonzaga_agents takes no 'evaluate'; type gonzaga-evaluate\n"
    done = subprocess.run(
        [sys.executable, "-m", "gonzaga_agents", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"gonzaga-env {__version__}\n"


@pytest.mark.parametrize("name", ["train", "evaluate"])
def test_a_door_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setitem(sys.modules, "gonzaga_agents.cli", None)  # as if not installed
    monkeypatch.setattr(sys, "argv", [name])
    with pytest.raises(SystemExit, match="2"):
        runpy.run_path(str(Path(__file__).parents[2] / f"{name}.py"), run_name="__main__")
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "pip install" in err


@pytest.mark.parametrize(
    ("command", "played", "words"),
    [
        ("random random", "evaluation.evaluate.play_match", "evaluate: interrupted\n"),
        (
            "random greedy --tournament --workers 1",
            "tournament.tournament.play_units",
            "runs/tournament/games.jsonl; the same command continues",
        ),
    ],
)
def test_an_interruption_is_one_line(
    call, agents: Path, monkeypatch: pytest.MonkeyPatch, command: str, played: str, words: str
) -> None:
    def interrupted(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"gonzaga_agents.{played}", interrupted)
    code, out, err = call(cli.evaluate, *command.split())
    assert (code, out, err.count("\n")) == (130, "", 1)
    assert words in err


@pytest.mark.parametrize(
    ("package", "hint"),
    [
        ("tyro", 'pip install "gonzaga-env[evaluate]"'),
        ("torch", 'pip install "gonzaga-env[train]"'),
        ("pyarrow", 'pip install "gonzaga-env[data]"'),
        ("minari", 'pip install "minari[create,hdf5]" pillow'),
        ("polars", "pip install polars"),
    ],
)
def test_a_missing_package_is_one_line(
    call, monkeypatch: pytest.MonkeyPatch, package: str, hint: str
) -> None:
    def missing(*_args: object) -> None:
        raise ModuleNotFoundError(f"No module named '{package}'", name=package)

    monkeypatch.setattr("gonzaga_agents.evaluation.command.main", missing)
    told = f"evaluate: {package} is not installed; run: {hint}\n"
    assert complaint_of(call(cli.evaluate, "random")) == told


@pytest.mark.parametrize("processes", [None, 1, 2])
def test_an_agent_that_fails_is_one_line_with_its_traceback_below(
    call, agents: Path, processes: int | None
) -> None:
    command = ["mine.py:Failing", "random", "--players", 2]
    if processes is None:
        command += ["--deals", 2]
    else:
        command += ["--tournament", "--deals", 51, "--workers", processes]
    code, out, err = call(cli.evaluate, *command)
    line, start, *traceback = err.splitlines()
    assert (code, out) == (2, "")
    assert line.startswith("evaluate: agent my agent, seat 0, deal of seed ")
    assert line.endswith("ZeroDivisionError: no luck")
    assert start == "Traceback (most recent call last):"
    assert [text.split(", in ")[1] for text in traceback if ", in " in text] == ["act", "choose"]
    assert traceback[-1] == "ZeroDivisionError: no luck"


def test_an_agent_that_fails_raises_an_agent_error(agents: Path) -> None:
    with pytest.raises(AgentError, match=r"agent my agent, seat \d, deal of seed \d+") as caught:
        evaluate([f"{agents}:Failing"], players=2, deals=1)
    assert isinstance(caught.value, AgentCrashedError)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert "Traceback" not in str(caught.value)


def test_an_agent_s_own_name_shows_everywhere(call, agents: Path) -> None:
    match = partial(call, cli.evaluate, "mine.py:First", "random", "--deals", 2)
    assert "my agent" in match("--records", "games.jsonl")[1]
    record = json.loads(Path("games.jsonl").read_text().splitlines()[0])
    assert sorted(record["agents"]) == ["my agent", "random"]
    quick = ("--workers", 1, "--out", "out")
    code, out, _ = match("--tournament", *quick)
    assert code == 0
    assert "my agent" in out
    found = json.loads(Path("out/standings.json").read_text())
    assert {agent["name"] for agent in found["standings"][0]["agents"]} == {"my agent", "random"}
    assert "`my agent`" in Path("out/standings.md").read_text()
    assert '"mine.py:First#' in Path("out/games.jsonl").read_text(), "the file is what counts"
    assert "my agent against random: " in match("--tournament", "--until-decided", *quick)[1]
