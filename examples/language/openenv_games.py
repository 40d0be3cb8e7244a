"""The games as an environment of OpenEnv 0.10, served over a socket, and its client.

A server on this machine, each of whose connections plays games of its own:

    uvicorn --app-dir examples/language --factory openenv_games:make_app --port 8000

and a client:

    with GameClient(base_url="http://127.0.0.1:8000").sync() as env:
        result = env.reset(game="tuscany", opponents=["planner"], seed=1)
        while not result.done:
            result = env.step(GameAction(text=model(result.observation.text)))

Reward: 0 until the end, then `Episode.rewards` times their `WEIGHTS`: the result from -1
to 1, a tenth of the share of legal answers and, where the server has a judge, less the mean regret.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any

from gonzaga_agents.play.episode import Episode, total
from gonzaga_agents.registry import agent_names, default_agent
from openenv.core import EnvClient, create_app
from openenv.core.client_types import StepResult
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from openenv.core.rubrics import Rubric

from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.kernel.errors import OptionError


def seated(
    game: str = DEFAULT_GAME, opponents: Sequence[str] | None = None, seat: int = 0
) -> list[str | None]:
    """Returns who plays each seat of a game, for `Episode`, where one is played by text.

    Args:
        game: its name.
        opponents: who has the other seats in their order, by the names of the game's agents; None
            for one, the usual one.
        seat: the seat that is played by text.

    Raises:
        OptionError: there is no such agent or seat. What else `make_agent` takes may run programs
            and read files, which somebody on a network is not to choose.
    """
    name = game_spec(game).name
    players: list[str | None] = [default_agent(name)] if opponents is None else [*opponents]
    if not {*players} <= {*agent_names(name)}:
        raise OptionError(f"an opponent is one of {', '.join(agent_names(name))}")
    if not 0 <= seat <= len(players):
        raise OptionError(f"seat is {seat}; it takes 0 to {len(players)}")
    return [*players[:seat], None, *players[seat:]]


class GameAction(Action):
    """What a model answers: a text that names an action."""

    text: str


class GameObservation(Observation):
    """The text for the model's seat; the first one begins with the task and the rules."""

    text: str
    seat: int  # the model's
    refused: bool = False  # whether the last answer named no legal action
    parts: dict[str, float] = {}  # noqa: RUF012  # of the reward, at the end


class Worth(Rubric):
    """The reward of an observation: the sum of its parts times their `WEIGHTS`."""

    def forward(self, action: Any, observation: Any) -> float:
        """Returns the reward; 0 before the end, when there are no parts."""
        return total(observation.parts)


class GameEnvironment(Environment):
    """One seat of a game; agents by name play the others."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, **options: Any) -> None:
        """Takes `edition`, `choices`, `tries` and `judge` of `Episode`, the same for all games."""
        super().__init__(rubric=Worth())
        self._options, self._seat, self._state = options, 0, State()
        self._episode: Episode | None = None

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **given: Any
    ) -> GameObservation:
        """Deals a game, as the arguments of `seated` say; no seed draws one."""
        players = seated(**given)
        own = {"seed": secrets.randbits(32) if seed is None else seed, **self._options}
        self._episode = Episode(given.get("game", DEFAULT_GAME), players, **own)
        self._seat = players.index(None)
        self._state = State(episode_id=episode_id or secrets.token_hex(8))
        return self._observe(self._episode, f"{self._episode.prompt}\n\n")

    def step(self, action: GameAction, timeout_s: float | None = None) -> GameObservation:
        """Plays the model's answer; the agents then play until it is to act again."""
        if self._episode is None:
            raise RuntimeError("there is no game; reset deals one")
        refused = self._episode.act(action.text) is not None
        self._state.step_count += 1
        observation = self._observe(self._episode, refused=refused)
        observation.reward = self._apply_rubric(action, observation)
        return observation

    def _observe(self, game: Episode, before: str = "", refused: bool = False) -> GameObservation:
        text = before + game.message(self._seat)
        parts = game.rewards(self._seat) if game.over else {}
        own = {"seat": self._seat, "refused": refused, "parts": parts, "done": game.over}
        return GameObservation(text=text, **own)

    @property
    def state(self) -> State:
        """The game's id and the answers so far; nothing of the position."""
        return self._state


class GameClient(EnvClient[GameAction, GameObservation, State]):
    """Plays on a server; `reset` takes `seed` and the arguments of `seated`, by name."""

    def _step_payload(self, action: GameAction) -> dict[str, Any]:
        return action.model_dump()

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[GameObservation]:
        ended = {"done": payload["done"], "reward": payload["reward"]}
        return StepResult(GameObservation(**payload["observation"], **ended), **ended)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


def make_app(max_games: int = 64, **options: Any) -> Any:
    """Returns the server's application, for so many connections; options: `GameEnvironment`'s."""
    made = partial(GameEnvironment, **options)
    return create_app(made, GameAction, GameObservation, "gonzaga", max_concurrent_envs=max_games)
