"""The games as an environment of verifiers, against a server of scripted models."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from gonzaga_env.games import game_names
from tests.clients.client import QUIET, need
from tests.models.scripted import Scripted, scripted

vf = need("verifiers.v1")
sys.path.append(str(Path(__file__).parents[2] / "examples/language"))
need("gonzaga_verifiers")
pytestmark = QUIET


def played(
    model: str, number: int = 0, player: dict[str, Any] | None = None, **taskset: Any
) -> tuple[Any, Scripted]:
    """Returns the trace of a deal that a model plays, and what the model was asked."""
    given = {"id": "gonzaga-verifiers", "opponents": ["random"], **taskset}
    env = vf.load_environment(vf.resolve_env_config({"taskset": given, "player": player or {}}))
    (task,) = env.taskset.include(idx=[number])

    async def run(address: str) -> Any:
        client = vf.EvalClientConfig(base_url=address, api_key_var="NO_KEY")
        asked = vf.ModelContext(model=model, client=client, sampling=vf.SamplingConfig())
        async with env.serving():
            return await env.run_episode(task, asked)

    with scripted() as (address, models):
        episode = asyncio.run(run(address))
    assert not episode.errors
    (trace,) = episode.traces
    return trace, models


def values(trace: Any) -> dict[str, float]:
    return {name: reward.score for name, reward in trace.rewards.items()}


@pytest.mark.parametrize("game", game_names())
def test_a_model_plays_a_deal_and_is_scored(game: str) -> None:
    options = {"edition": "mini-b3"} if game == "gonzaga" else {}
    trace, models = played("first", 1, game=game, **options)
    assert trace.ok
    assert values(trace) == trace.info["rewards"] | {"regret": 0}
    assert values(trace)["legality"] == 1
    assert trace.reward == pytest.approx(values(trace)["result"] + 0.1)
    assert trace.num_turns == len(models.asked) > 3
    last = models.asked[-1]["messages"]
    turns = trace.num_turns - 1
    assert [each["role"] for each in last] == ["system", *["user", "assistant"] * turns, "user"]
    assert last[0]["content"].startswith("You play one seat of a board game")
    assert "You are player 1." in last[1]["content"]


def test_an_answer_that_is_refused_is_told_why_and_ends_the_game() -> None:
    trace, models = played("illegal", game="tuscany", tries=2, choices=False)
    assert values(trace) == {"result": -1, "legality": 0, "regret": 0}
    assert trace.reward == -1
    _, told, answer, again = models.asked[1]["messages"]
    assert "Legal actions" not in told["content"]
    assert answer["content"] == '{"action": "fly to the moon"}'
    assert again["content"].startswith("That is refused: ")
    assert "names no action" in again["content"].partition("\n")[0]


def test_a_game_that_a_limit_cuts_short_is_lost() -> None:
    trace, _ = played("first", game="tuscany", player={"max_turns": 3})
    assert (trace.ok, trace.num_turns, trace.stop_condition) == (True, 3, "max_turns")
    assert values(trace) == {"result": -1, "legality": 1, "regret": 0}


def test_a_server_that_fails_is_an_error_and_no_loss() -> None:
    trace, _ = played("broken", game="tuscany")
    assert not trace.ok
    assert trace.errors
    assert trace.reward == 0


def test_weights_and_a_judge_are_given() -> None:
    task = {"rewards": {"legality": {"weight": 0.5}}}
    options = {"game": "gonzaga", "edition": "mini-b3", "judge": "search@8", "task": task}
    trace, _ = played("random", **options)
    found = values(trace)
    assert found["regret"] != 0
    assert trace.reward == pytest.approx(found["result"] + 0.5 - found["regret"])


def test_deals_follow_from_the_number_of_the_task() -> None:
    config = {
        "taskset": {"id": "gonzaga-verifiers", "game": "signorie", "opponents": ["planner"] * 3}
    }
    tasks = [*vf.load_environment(vf.resolve_env_config(config)).taskset.take(5)]
    assert [task.data.seat for task in tasks] == [0, 1, 2, 3, 0]
    assert [task.data.episode["players"].index(None) for task in tasks] == [0, 1, 2, 3, 0]
    assert len({task.key for task in tasks}) == 5
