"""What commands print of themselves, and of agents that fail."""

import json
import shlex
from pathlib import Path

import pytest
from gonzaga_agents import AgentError, evaluate

from gonzaga_env.kernel.agent import AgentCrashedError

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


def test_a_page_names_the_command_that_made_it(gonzaga, agents: Path) -> None:
    command = ["tournament", "random", "mine.py:First", "--deals", "2", "--out", "a b"]
    command += ["--workers", "1"]
    assert gonzaga(*command)[0] == 0
    page = Path("a b/standings.md").read_text()
    assert f"    gonzaga {shlex.join(command)}\n" in page


@pytest.mark.parametrize(
    ("command", "played", "words"),
    [
        (
            "evaluate random random",
            "play.evaluate.play_match",
            "gonzaga evaluate: interrupted\n",
        ),
        (
            "tournament random greedy --workers 1",
            "play.tournament.play_jobs",
            "runs/tournament/games.jsonl; the same command continues",
        ),
    ],
)
def test_an_interruption_is_one_line(
    gonzaga, agents: Path, monkeypatch: pytest.MonkeyPatch, command: str, played: str, words: str
) -> None:
    def interrupted(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"gonzaga_agents.{played}", interrupted)
    code, out, err = gonzaga(*command.split())
    assert (code, out, err.count("\n")) == (130, "", 1)
    assert words in err


@pytest.mark.parametrize("processes", [None, 1, 2])
def test_an_agent_that_fails_is_one_line_with_its_traceback_below(
    gonzaga, agents: Path, processes: int | None
) -> None:
    command = ["mine.py:Failing", "random", "--players", 2]
    if processes is None:
        command = ["evaluate", *command, "--deals", 2]
    else:
        command = ["tournament", *command, "--deals", 51, "--workers", processes]
    code, out, err = gonzaga(*command)
    line, start, *traceback = err.splitlines()
    assert (code, out) == (2, "")
    assert line.startswith(f"gonzaga {command[0]}: agent my agent, seat 0, deal of seed ")
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


def test_an_agent_s_own_name_shows_everywhere(gonzaga, agents: Path) -> None:
    match = ("mine.py:First", "random", "--deals", 2)
    assert "my agent" in gonzaga("evaluate", *match, "--records", "games.jsonl")[1]
    record = json.loads(Path("games.jsonl").read_text().splitlines()[0])
    assert sorted(record["agents"]) == ["my agent", "random"]
    quick = ("--workers", 1, "--out", "out")
    code, out, _ = gonzaga("tournament", *match, *quick)
    assert code == 0
    assert "my agent" in out
    found = json.loads(Path("out/standings.json").read_text())
    assert {agent["name"] for agent in found["standings"][0]["agents"]} == {"my agent", "random"}
    assert "`my agent`" in Path("out/standings.md").read_text()
    assert '"mine.py:First#' in Path("out/games.jsonl").read_text(), "the file is what counts"
    assert (
        "my agent against random: " in gonzaga("tournament", *match, "--until-decided", *quick)[1]
    )
