"""Language models as agents, against a server of this machine that plays scripted ones."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.outside.agent import OutsideAgent
from gonzaga_agents.outside.spec import parse_command
from gonzaga_agents.play.runner import agents_secret, play_games
from gonzaga_agents.registry import make_agent

from gonzaga_env.core import GameConfig
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.agent import AgentError
from tests.clients.client import QUIET, need
from tests.models.scripted import USAGES, Scripted, scripted

need("openai")
pytestmark = QUIET
KEY = "canary-4711"
CONFIG = GameConfig(2, edition="mini-b3")


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Scripted]]:
    """A server, and a folder of its own for the answers."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with scripted() as (address, models):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        yield address, models


def agent_of(name: str, options: str = "", config: Any = CONFIG) -> OutsideAgent:
    agent = make_agent(f"model[{options}]:{name}", config)
    assert isinstance(agent, OutsideAgent)
    return agent


def play(agent: OutsideAgent, seed: int = 1) -> Any:
    """Plays a game of the agent against random play."""
    config = agent._config
    other = make_agent("random", config)
    seating = np.array([[0, *[1] * (config.num_players - 1)]])
    found = play_games(
        config,
        [agent, other],
        seating,
        np.array([seed], np.uint64),
        agents_secret(np.random.SeedSequence(seed)),
    )
    agent.close()
    return found


@pytest.mark.parametrize("game", game_names())
def test_a_model_plays_a_whole_game(game: str, served: tuple[str, Scripted]) -> None:
    agent = agent_of("first", config=game_spec(game).config(num_players=2))
    play(agent)
    assert not agent.failures
    assert agent.refused == 0
    prompt = served[1].asked[-1]["messages"]
    assert [message["role"] for message in prompt] == ["system", "user"]
    assert "You are player 0" in prompt[1]["content"]
    assert set(served[1].keys) == {f"Bearer {KEY}"}


@pytest.mark.parametrize("name", ["random", "rambling"])
def test_answers_may_ramble(name: str, served: tuple[str, Scripted]) -> None:
    agent = agent_of(name)
    play(agent)
    assert not agent.failures


def test_without_choices_it_learns_from_refusals(served: tuple[str, Scripted]) -> None:
    agent = agent_of("learns", "track=rules")
    play(agent)
    assert not agent.failures
    assert agent.refused == len(served[1].asked) / 2 > 0
    assert all("Legal actions" not in one["messages"][1]["content"] for one in served[1].asked)


@pytest.mark.parametrize("name", ["illegal", "refusing", "empty", "hostile"])
def test_illegal_answers_are_told_why_counted_and_lose(
    name: str, served: tuple[str, Scripted]
) -> None:
    agent = agent_of(name)
    play(agent)
    assert agent.failures["illegal"] == 1
    assert agent.refused == 3
    assert agent.lost.tolist() == [[True, False]]
    talk = served[1].asked[-1]["messages"]
    assert [one["role"] for one in talk[2:]] == ["assistant", "user"] * 2
    assert "refused" in talk[-1]["content"]
    assert not Path("pwned").exists()


def test_nothing_is_asked_twice(served: tuple[str, Scripted]) -> None:
    first = play(agent_of("first"))
    number = len(served[1].asked)
    again = play(agent_of("first"))
    assert len(served[1].asked) == number
    assert (first.totals == again.totals).all()
    lines = Path("runs/models/first.jsonl").read_text().splitlines()
    assert len(lines) == number
    kept = json.loads(lines[0])
    assert (kept["server"], kept["model"], kept["settings"]) == (f"{served[0]}/", "first", {})


def test_answers_of_another_server_or_other_settings_are_not_taken(
    served: tuple[str, Scripted], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(agent_of("first"))
    number = len(served[1].asked)
    play(agent_of("first", "temperature=0"))
    assert len(served[1].asked) == 2 * number
    assert served[1].asked[-1]["temperature"] == 0
    with scripted() as (address, models):
        play(agent_of("first", f"base_url={address}"))
        assert len(models.asked) == number
    assert len(served[1].asked) == 2 * number


@pytest.mark.parametrize(
    ("options", "says"), [("calls=2", "2 calls are used up"), ("tokens=2500", "tokens are used up")]
)
def test_a_budget_ends_the_run_and_a_larger_one_goes_on(
    options: str, says: str, served: tuple[str, Scripted]
) -> None:
    with pytest.raises(AgentError, match=says):
        play(agent_of("first", options))
    asked = len(served[1].asked)
    agent = agent_of("first")
    play(agent)
    assert not agent.failures
    assert len({json.dumps(one["messages"]) for one in served[1].asked}) == len(served[1].asked)
    assert len(served[1].asked) > asked


@pytest.mark.parametrize("name", USAGES)
def test_no_server_makes_calls_free(name: str, served: tuple[str, Scripted]) -> None:
    with pytest.raises(AgentError, match="tokens are used up"):
        play(agent_of(name, "tokens=3000"))
    assert 1 <= len(served[1].asked) <= 4


def test_half_characters_and_escapes_are_illegal_answers(served: tuple[str, Scripted]) -> None:
    agent = agent_of("half")
    play(agent)
    assert agent.failures == {"illegal": 1}
    refused = served[1].asked[1]["messages"][-1]["content"]
    assert "\x1b" not in refused


@pytest.mark.parametrize("name", ["broken", "forbidden", "unknown"])
def test_a_server_that_fails_ends_the_run_in_one_line_without_the_key(
    name: str, served: tuple[str, Scripted], tmp_path: Path
) -> None:
    with pytest.raises(AgentError, match="the model's server fails") as failed:
        play(agent_of(name))
    assert "\n" not in str(failed.value)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert KEY not in str(failed.value)
    assert KEY.encode() not in kept


def test_a_server_that_fails_now_and_then_is_asked_again(served: tuple[str, Scripted]) -> None:
    agent = agent_of("failing", "track=list")
    play(agent)
    assert not agent.failures


def test_a_model_that_is_slow_runs_out_of_time(served: tuple[str, Scripted]) -> None:
    agent = agent_of("slow", "move=1,restarts=0")
    play(agent)
    assert set(agent.failures) == {"hung"}


def test_bots_do_not_see_the_key(served: tuple[str, Scripted], tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text("import os\nopen('seen', 'w').write(str(dict(os.environ)))\n")
    with pytest.raises(AgentError, match="before it was ready"):
        play(make_agent(f"cmd:python3 {program}", CONFIG))  # type: ignore[arg-type]
    assert "PATH" in Path("seen").read_text()
    assert KEY not in Path("seen").read_text()


def test_specs_name_models() -> None:
    for wrong in ("model:", "model[move=x]:y", "model[track=x]:y", "model[key=x]:y"):
        with pytest.raises(AgentError):
            make_agent(wrong, CONFIG)
    command = parse_command("model[track=rules,tries=5,base_url=http://127.0.0.1:1/v1]:org/name")
    assert command is not None
    assert (command.limits.tries, command.limits.move) == (5, 600)
    options = json.loads(command.words[-1])
    assert options["base_url"] == "http://127.0.0.1:1/v1"
    assert (options["name"], options["track"]) == ("org/name", "rules")
