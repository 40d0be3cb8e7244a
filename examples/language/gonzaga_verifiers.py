"""The games as an environment of verifiers 0.4, which finds this file by the environment's name.

    cd examples/language
    vf-eval gonzaga-verifiers --env.taskset.game tuscany -n 20 -m MODEL --no-push

A task is a deal, played from one seat, another from deal to deal, against agents by name. The rules
are the system prompt, and every answer is a turn. Nothing runs but the chat itself (`GameHarness`).
Rubric: `result`, -1 to 1 (-1 where a limit cuts the game short), plus a tenth of `legality`, the
share of legal answers, less `regret`, a decision's mean loss (`Episode.rewards`; 0 without judge).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count
from typing import Any

import openai
import verifiers.v1 as vf
from gonzaga_agents.play.episode import WEIGHTS, Episode
from gonzaga_agents.registry import default_agent
from verifiers.v1.dialects.chat import message_to_wire

from gonzaga_env.games import DEFAULT_GAME

__all__ = ["GameEnv", "GameHarness", "GameTaskset"]  # by which verifiers finds them


class GameTasksetConfig(vf.TasksetConfig):
    """What is played: the arguments of `Episode`, and who has the other seats (`make_agent`)."""

    game: str = DEFAULT_GAME
    opponents: list[str] | None = None  # None for one, the game's usual agent
    edition: str | None = None
    choices: bool = True
    tries: int = 3
    judge: str | None = None


class GameData(vf.TaskData):
    """A deal: the model's seat, and the arguments of `Episode`."""

    seat: int
    episode: dict[str, Any]


class GameTask(vf.Task[GameData, vf.State, vf.TaskConfig]):
    """A deal and its rubric."""

    @vf.reward(weight=WEIGHTS["result"])
    async def result(self, trace: vf.Trace) -> float:
        """Returns what the game brought."""
        return trace.info["rewards"]["result"]

    @vf.reward(weight=WEIGHTS["legality"])
    async def legality(self, trace: vf.Trace) -> float:
        """Returns the share of legal answers."""
        return trace.info["rewards"]["legality"]

    @vf.reward(weight=WEIGHTS["regret"])
    async def regret(self, trace: vf.Trace) -> float:
        """Returns the mean share of the victory that a decision lost."""
        return trace.info["rewards"].get("regret", 0.0)


class GameTaskset(vf.Taskset[GameTask, GameTasksetConfig]):
    """Deals without end; the number of the task is the seed."""

    INFINITE = True

    def load(self) -> Iterator[GameTask]:
        """Yields the deals."""
        own = self.config.model_dump(include={"game", "edition", "choices", "tries", "judge"})
        others = self.config.opponents or [default_agent(self.config.game)]
        for seed in count():
            seat = seed % (len(others) + 1)
            data = {"players": [*others[:seat], None, *others[seat:]], "seed": seed, **own}
            rules = Episode(**(data | {"judge": None})).prompt
            deal = GameData(system_prompt=rules, seat=seat, episode=data)
            yield GameTask(deal, self.config.task)


class GameHarness(vf.Harness[vf.HarnessConfig]):
    """Asks the model in this process: a turn is one call."""

    APPENDS_SYSTEM_PROMPT = SUPPORTS_RESUME = True
    EXECUTES_CODE = NEEDS_CONTAINER = False

    async def launch(self, *given: Any) -> vf.ProgramResult:
        """Asks for the next answer, and says whether there was one."""
        ctx, _, _, endpoint, secret, _, data = given
        system, told = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}, *map(message_to_wire, told)]
        async with openai.AsyncOpenAI(base_url=endpoint, api_key=secret) as client:
            try:
                await client.chat.completions.create(model=ctx.model, messages=messages)
            except openai.OpenAIError as error:
                return vf.ProgramResult(1, "", str(error))
        return vf.ProgramResult(0, "", "")


class GameEnvConfig(vf.EnvConfig):
    """The model, and how it is asked."""

    player: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class GameEnv(vf.Env[GameEnvConfig]):
    """Plays a deal with a model."""

    async def run(self, task: GameTask, agents: Any) -> None:
        """Asks the model until the game is over, or it may not be asked any more."""
        episode = await asyncio.to_thread(Episode, **task.data.episode)
        async with agents.player.interaction(task) as talk:
            while not episode.over:
                said = await talk.turn(episode.message(task.data.seat))
                if said.terminated:
                    break
                await asyncio.to_thread(episode.act, said.last_reply)
            talk.trace.info["rewards"] = await asyncio.to_thread(episode.rewards, task.data.seat)
