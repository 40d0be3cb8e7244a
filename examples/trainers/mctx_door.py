"""A door for searches like mctx: a root and a recurrent function over batches of states.

The recurrent function plays the searcher's action and then the opponents', so the search sees a
game of one player; what the searcher does not know is dealt anew at the root. For mctx itself, put
both functions behind `jax.pure_callback`, with row numbers of a table of states as embedding.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from gonzaga_agents import make_agent

from gonzaga_env import Engine, GameConfig


class Output(NamedTuple):
    """`RootFnOutput` and `RecurrentFnOutput` of mctx, [B] and [B, A]; embeddings are states."""

    reward: Any
    discount: Any  # 0 where the game is over
    prior_logits: Any  # -inf for illegal actions
    value: Any
    embedding: Any


class Door:
    """Root and recurrent function of one seat, with the shipped policy as prior and value."""

    def __init__(self, config: GameConfig, seat: int, opponent: str = "greedy") -> None:
        self._config, self._seat = config, seat
        self._policy: Any = make_agent("learned", config)
        self._opponent: Any = make_agent(opponent, config)

    def root(self, engine: Any, rng: Any, num_samples: int) -> Output:
        """Returns samples [B] of what the seat to act may face in an engine's only game."""
        return self._output(engine.resample(self._seat, rng, num_samples=num_samples), 0.0)

    def recurrent(self, rng: Any, actions: Any, states: Any) -> Output:
        """Plays actions [B], then the opponents; rows whose game is over stay as they are."""
        engine = Engine.from_state(self._config, states, autoreset=False, reward="margin")
        rows, reward = np.flatnonzero(~states.finished), np.zeros(len(states.finished))
        chosen = actions[rows]
        while len(rows):
            reward[rows] += engine.step(chosen, rows).rewards[:, self._seat]
            rows = rows[(engine.seats[rows] != self._seat) & ~engine.state.finished[rows]]
            if len(rows):
                chosen = self._opponent.act_in(engine, rows, engine.seats[rows], rng)
        return self._output(engine.state, reward)

    def _output(self, states: Any, reward: Any) -> Output:
        engine, goes_on = Engine.from_state(self._config, states, autoreset=False), ~states.finished
        masks, rows = engine.legal_action_mask(), np.flatnonzero(goes_on)
        logits, value = np.full(masks.shape, -np.inf, np.float32), np.zeros(len(masks))
        found = self._policy.evaluate(engine.observe(self._seat)[rows], masks[rows])
        with np.errstate(divide="ignore"):
            logits[rows], value[rows] = np.log(found.probabilities), found.values
        reward = np.broadcast_to(reward, len(masks))
        return Output(reward, goes_on.astype(float), logits, value, states)
