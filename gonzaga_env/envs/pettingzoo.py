"""PettingZoo environments of every game: one seat after the other (AEC), and all at once."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any, ParamSpec, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from gonzaga_env.envs.environment import (
    ILLEGAL_REWARD,
    KEYS,
    ActionSpace,
    Form,
    GameEnvironment,
    MaskDtype,
    MaskPlace,
    Observation,
    ResetNeededError,
    ResetOptions,
    as_options,
    check_seed,
)
from gonzaga_env.kernel.arguments import as_action
from gonzaga_env.kernel.errors import ActionError, OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.kernel.spec import Config, GameSpec, Info
from gonzaga_env.kernel.view import View, Viewer

_P = ParamSpec("_P")


class PettingZooGame(GameEnvironment):
    """The base of PettingZoo's environments: an agent for every seat.

    Attributes:
        game: the game. `game.state` is a snapshot of the full state, hidden information included;
            assigning a state replaces the game only, not the agent to act, terminations and
            rewards. To branch, use `copy.deepcopy(env)`.
    """

    metadata = GameEnvironment.metadata | {"is_parallelizable": False}

    def __init__(
        self,
        spec: GameSpec,
        config: Config,
        reward: Reward = "outcome",
        render_mode: str | None = None,
        mask: MaskPlace = "observation",
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
        mask_dtype: MaskDtype = "int8",
        form: Form = "features",
    ) -> None:
        super().__init__(spec, config, render_mode, mask, keys, normalised, mask_dtype, form)
        self.game: AnyGame = spec.game.from_config(config, 0, reward)
        self.possible_agents = [f"player_{seat}" for seat in range(config.num_players)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._seeded = False
        agents, size = self.possible_agents, self.actions.size
        self.action_spaces: dict[str, spaces.Space[Any]] = {a: ActionSpace(size) for a in agents}
        self.observation_spaces = {agent: self._packer.new_space() for agent in agents}
        self.state_space = self._new_state_space()

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Returns the observation space of an agent, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the action space of an agent, the same object each time."""
        return self.action_spaces[agent]

    def _deal(self, seed: int | None, options: ResetOptions) -> None:
        """Deals a game (arguments and errors: `reset`)."""
        check_seed(seed)
        if seed is None and not self._seeded:
            seed = secrets.randbits(63)
        self.game.reset(seed, as_options(options).get("deal"))
        self._seeded = True
        self._infos = self.game_spec.infos.tracker()
        self.agents = list(self.possible_agents)

    def state(self) -> NDArray[np.uint8] | NDArray[np.float32]:
        """Returns the whole position, for the critic of a centralised training.

        It holds hidden information, so nothing that acts may see it: the observations of all
        agents, seat by seat [P * D], then what no agent observes (`GameSpec.hidden_features`). Like
        observations it is uint8, or float32 with `normalised`.
        """
        seats, normalised = range(self.game.num_players), self._packer.normalised
        seen = np.array([self.game.observation(seat) for seat in seats])
        parts = [self.features.normalise(seen) if normalised else seen]
        if self.game_spec.hidden:
            hidden = self.game_spec.hidden(self.game)
            table = self.game_spec.hidden_features(self.config)
            parts.append(table.normalise(hidden) if normalised else hidden)
        return np.concatenate([part.ravel() for part in parts])

    def _new_state_space(self) -> spaces.Box:
        highs = [self._packer.highs] * self.config.num_players
        if self.game_spec.hidden:
            scales = self.game_spec.hidden_features(self.config).scales
            highs.append(
                np.ones_like(scales) if self._packer.normalised else scales.astype(np.uint8)
            )
        high = np.concatenate(highs)
        return spaces.Box(np.zeros_like(high), high, dtype=high.dtype.type)

    def view(self, viewer: Viewer | None = None, *, names: Sequence[str] = ()) -> View:
        """Returns what a viewer knows of the game, in plain values (see `Game.view`).

        Args:
            viewer: a seat, "public" or "spectator"; None for the agent to act, and for
                "spectator" when the game is over.
            names: the players' names; none by default.

        Raises:
            OptionError: there is no such viewer, or the number of names is wrong.
        """
        if viewer is None:
            viewer = "spectator" if self.game.finished else self.game.seat
        return self.game.view(viewer, names=names)

    def _views(self, most: int | None = None) -> list[View]:
        return [self.view("public")]

    def __repr__(self) -> str:
        name = self.metadata.get("name", self.game_spec.name)
        return f"<{name}, {self.config.summary}>"


class _BeforeReset:
    """An attribute that `reset` sets, until then."""

    # `__getattr__` would do as well, but slows access to every attribute down.
    def __get__(self, env: object, owner: type) -> str:
        raise ResetNeededError("no game has begun; call reset() first")


class AECGame(PettingZooGame, AECEnv[str, Observation, int | None]):
    """One game, whose agents act one after the other."""

    agent_selection = cast(str, _BeforeReset())

    def reset(self, seed: int | None = None, options: ResetOptions = None) -> None:
        """Deals a game.

        Args:
            seed: determines the deal. None deals the next game of the last seed; if no seed was
                ever given, it is drawn from the operating system.
            options: {"deal": Deal} plays that deal; other options are ignored, as PettingZoo asks.

        Raises:
            OptionError: invalid seed or deal.
        """
        self._deal(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self.game.seat]
        self._take_infos(self._infos(self.game))
        self._show()

    def observe(self, agent: str) -> Observation:
        """Returns what an agent knows, and its legal actions if it is to act.

        Raises:
            OptionError: there is no such agent.
            ResetNeededError: no game has begun.
        """
        if not isinstance(agent, str) or agent not in self._seat:
            known = ", ".join(map(repr, self.possible_agents))
            raise OptionError(f"agent is {short_repr(agent)}; known: {known}")
        packer = self._packer
        given = packer.given(self.game.observation(self._seat[agent]))
        if not packer.in_observation:
            return given
        return {packer.key: given, packer.mask_key: self._mask(agent).view(packer.mask_dtype)}

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """Returns which actions are legal for an agent, [A]; zeros unless it is to act."""
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            return self.game.mask()
        return np.zeros(self.actions.size, dtype=np.int8)

    def step(self, action: int | None) -> None:
        """Plays an action for the agent to act.

        Args:
            action: index in the action space; None for an agent that has terminated.

        Raises:
            IllegalActionError: the rules forbid the action; nothing has changed.
            ActionError: the action is not in the space.
            ResetNeededError: no game has begun.
        """
        agent, game = self.agent_selection, self.game
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        rewards = game.play(action)  # type: ignore[arg-type]  # which refuses None
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        finished = game.finished
        if finished or any(rewards):
            self.rewards = dict(zip(self.agents, rewards, strict=True))
            self._accumulate_rewards()
        if finished:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[game.seat]
        infos = self._infos(game)
        if infos is not self._last_infos or not self._packer.in_observation:
            self._take_infos(infos)
        if self.render_mode == "human":
            self._show()

    def _take_infos(self, infos: list[Info]) -> None:
        """Takes the infos of this step, with the masks if they belong there."""
        self._last_infos, self.infos = infos, dict(zip(self.possible_agents, infos, strict=True))
        if not self._packer.in_observation:
            self.infos = {
                agent: info | self._packer.mask_info(self._mask(agent))
                for agent, info in self.infos.items()
            }


def wrap(game: AECGame) -> AECEnv[str, Observation, int | None]:
    """Returns a game in PettingZoo's usual wrappers, which need the mask's usual key."""
    if game._packer.mask_key != KEYS[1]:
        raise OptionError(
            f"the mask's key is {game._packer.mask_key!r}; PettingZoo's TerminateIllegalWrapper "
            f"reads {KEYS[1]!r} only, so use raw_env"
        )
    wrapped: AECEnv[str, Observation, int | None] = game
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return _NotebookWrapper(wrapped)


def wrapped(make: Callable[_P, AECGame]) -> Callable[_P, AECEnv[str, Observation, int | None]]:
    """Returns a module's `env`: its `raw_env`, with the same arguments, in the usual wrappers."""

    def env(*args: _P.args, **kwargs: _P.kwargs) -> AECEnv[str, Observation, int | None]:
        """Returns `raw_env` (same arguments) in PettingZoo's usual wrappers.

        Raises:
            OptionError: as in `raw_env`, or the mask has another key than "action_mask".
        """
        return wrap(make(*args, **kwargs))

    env.__module__, env.__qualname__ = make.__module__, "env"
    shown = signature(make).replace(return_annotation="AECEnv[str, Observation, int | None]")
    env.__signature__ = shown  # type: ignore[attr-defined]  # what help() and API pages show
    return env


class _NotebookWrapper(wrappers.OrderEnforcingWrapper[str, Observation, int | None]):
    """The outermost wrapper, which notebooks show as a picture."""

    def _repr_svg_(self) -> str | None:
        return self.unwrapped._repr_svg_()

    def __repr__(self) -> str:
        return repr(self.unwrapped)


Values = dict[str, Any]  # by agent


class ParallelGame(PettingZooGame, ParallelEnv[str, Observation, int]):
    """One game, whose agents act together where the rules let them, and else wait.

    Decisions that all make before anyone knows another's (`GameSpec.sealed`) are made in one step;
    in all other steps one agent acts. An agent that waits has one legal action, the last one of the
    space; it is ignored, and may be left out. An agent that acts gets the same observation and mask
    as at its turn in `AECGame`, so a policy plays in both.
    """

    def reset(self, seed: int | None = None, options: ResetOptions = None) -> tuple[Values, Values]:
        """Deals a game (arguments and errors: `AECGame.reset`).

        Returns:
            Observations and infos by agent.
        """
        self._deal(seed, options)
        observations, infos = self._outputs()
        self._show()
        return observations, infos

    def step(self, actions: dict[str, int]) -> tuple[Values, Values, Values, Values, Values]:
        """Plays the actions of the agents that act.

        Args:
            actions: index in the action space by agent. An illegal one ends the game, terminated
                and truncated, with reward -1 for its agent and 0 for the others.

        Returns:
            Observations, rewards, terminations, truncations and infos by agent; afterwards
            `agents` is empty where the game is over.

        Raises:
            ResetNeededError: the game has not begun or is over.
            ActionError: an agent that acts has no action, or one outside the space; nothing has
                changed.
        """
        if not self.agents:
            raise ResetNeededError("no game waits for actions; call reset() first")
        if not isinstance(actions, Mapping):
            raise ActionError(f"actions is {short_repr(actions)}; it takes an action by agent")
        chosen = {seat: self._action(seat, actions) for seat in self._turns}
        illegal = [seat for seat, action in chosen.items() if not self._turns[seat][1][action]]
        rewards = np.zeros(len(self.agents))
        rewards[illegal] = ILLEGAL_REWARD
        if not illegal:
            for action in chosen.values():
                rewards += self.game.play(action)
        over = bool(illegal) or self.game.finished
        observations, infos = self._outputs(over)
        rewards_by_agent = dict(zip(self.agents, rewards.tolist(), strict=True))
        terminations = dict.fromkeys(self.agents, over)
        truncations = dict.fromkeys(self.agents, bool(illegal))
        self.agents = [] if over else self.agents
        self._show()
        return observations, rewards_by_agent, terminations, truncations, infos

    def _action(self, seat: int, actions: dict[str, int]) -> int:
        agent = self.possible_agents[seat]
        if agent not in actions:
            raise ActionError(f"actions has no entry for {agent}, which must act")
        return as_action(actions[agent], self.actions.size)

    def _outputs(self, over: bool = False) -> tuple[Values, Values]:
        turns = () if over else self.game_spec.turns(self.game)
        # Observation and mask of each seat that acts in the next step, in their order.
        self._turns = {game.seat: (game.observation(), game.mask()) for game in turns}
        waiting = np.zeros(self.actions.size, dtype=np.int8)
        waiting[-1] = 1
        infos = dict(zip(self.possible_agents, self._infos(self.game), strict=True))
        observations = {}
        for agent, seat in self._seat.items():
            seen, mask = self._turns.get(seat) or (self.game.observation(seat), waiting.copy())
            observations[agent], infos[agent] = self._packer.pack(seen, mask, infos[agent])
        return observations, infos
