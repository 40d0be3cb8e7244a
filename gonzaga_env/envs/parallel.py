"""One game as a PettingZoo parallel environment: all agents pass an action at every step."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from gonzaga_env.envs.aec import SeatedGame
from gonzaga_env.envs.environment import Observation
from gonzaga_env.envs.learner.games import ILLEGAL_REWARD, ResetNeededError
from gonzaga_env.tabletop.arguments import as_action
from gonzaga_env.tabletop.errors import ActionError

Values = dict[str, Any]  # by agent


class ParallelGame(SeatedGame, ParallelEnv[str, Observation, int]):
    """One game, whose agents act together where the rules let them, and else wait.

    Decisions that all make before anyone knows another's (`GameSpec.sealed`) are made in one step;
    in all other steps one agent acts. An agent that waits has one legal action, the last one of the
    space; it is ignored, and may be left out. An agent that acts gets the same observation and mask
    as at its turn in `AECGame`, so a policy plays in both.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Values, Values]:
        """Deals a game (arguments and errors: `AECGame.reset`).

        Returns:
            Observations and infos by agent.
        """
        self._deal(seed, options)
        observations, infos = self._outputs()
        self._show(self.metadata["render_fps"])
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
        chosen = {seat: self._action(seat, actions) for seat in self._turns}
        illegal = [seat for seat, action in chosen.items() if not self._turns[seat][1][action]]
        rewards = np.zeros(len(self.agents))
        rewards[illegal] = ILLEGAL_REWARD
        if not illegal:
            for action in chosen.values():
                rewards += self.game.play(action)
        over = bool(illegal) or self.game.finished
        observations, infos = self._outputs(over)
        given = dict(zip(self.agents, rewards.tolist(), strict=True))
        terminations = dict.fromkeys(self.agents, over)
        truncations = dict.fromkeys(self.agents, bool(illegal))
        self.agents = [] if over else self.agents
        self._show(self.metadata["render_fps"])
        return observations, given, terminations, truncations, infos

    def _action(self, seat: int, actions: dict[str, int]) -> int:
        agent = self.possible_agents[seat]
        if agent not in actions:
            raise ActionError(f"actions hold none of {agent}, which is to act")
        return as_action(actions[agent], self.actions.size)

    def _outputs(self, over: bool = False) -> tuple[Values, Values]:
        """Returns observations and infos of all agents, and takes who acts next."""
        self._turns = {} if over else self._next_turns()
        waiting = np.zeros(self.actions.size, dtype=np.int8)
        waiting[-1] = 1
        observations, infos = (
            {},
            dict(zip(self.possible_agents, self._infos(self.game), strict=True)),
        )
        for agent, seat in self._seat.items():
            seen, mask = self._turns.get(seat) or (self.game.observation(seat), waiting.copy())
            observations[agent], infos[agent] = self._layout.pack(seen, mask, infos[agent])
        return observations, infos

    def _next_turns(self) -> dict[int, tuple[NDArray[np.uint8], NDArray[np.int8]]]:
        """Returns observation and mask of each seat that acts in the next step, in their order."""
        return {
            game.seat: (game.observation(), game.mask()) for game in self.game_spec.turns(self.game)
        }
