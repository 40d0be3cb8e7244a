"""A door for searches like mctx: root and recurrent function over batches of states, of any game.

What the searcher does not know is dealt anew at the root, and opponents play within the recurrent
function. mctx itself takes both behind `jax.pure_callback`, with row numbers as embeddings.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from gonzaga_agents import make_agent
from gonzaga_agents.search.agent import AgentPolicy

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import EvaluatingAgent


class Output(NamedTuple):
    """`RootFnOutput` and `RecurrentFnOutput` of mctx, [B] and [B, A]; embeddings are states."""

    reward: Any
    discount: Any  # 0 where the game is over
    prior_logits: Any  # -inf for illegal actions
    value: Any
    embedding: Any


class Door:
    """Root and recurrent function of one seat, with the shipped policy as prior and value."""

    def __init__(self, config: Any, seat: int, opponent: str = "greedy") -> None:
        self._config, self._seat, self._kind = config, seat, game_spec(config.game).engine
        self._policy = AgentPolicy(make_agent("learned", config))
        self._opponent: Any = make_agent(opponent, config)

    def root(self, engine: Any, rng: Any, num_samples: int) -> Output:
        """Returns samples [B] of what the seat to act may face in an engine's only game."""
        return self._output(engine.resample(self._seat, rng, num_samples), np.zeros(num_samples))

    def recurrent(self, rng: Any, actions: Any, states: Any) -> Output:
        """Plays actions [B], then the opponents; rows whose game is over stay as they are."""
        engine = self._kind.from_state(self._config, states, autoreset=False, reward="margin")
        rows, reward = np.flatnonzero(~states.finished), np.zeros(len(states.finished))
        chosen = actions[rows]
        while len(rows):
            reward[rows] += engine.step(chosen, rows).rewards[:, self._seat]
            rows = rows[~np.isin(engine.seats[rows], (self._seat, -1))]
            if len(rows):
                seen, masks = engine.observe(rows=rows), engine.legal_action_mask(rows)
                chosen = self._opponent.act(seen, masks, rng)
        return self._output(engine.state, reward)

    def _output(self, states: Any, reward: Any) -> Output:
        engine = self._kind.from_state(self._config, states, autoreset=False)
        masks, rows = engine.legal_action_mask(), np.flatnonzero(~states.finished)
        logits, value = np.full(masks.shape, -np.inf, np.float32), np.zeros(len(masks))
        if len(rows):
            seen = engine.observe(self._seat)[rows], masks[rows]
            which, actions, scores = self._policy.score(*seen, np.random.default_rng(0))
            logits[rows[which], actions] = scores
            logits[rows] -= np.logaddexp.reduce(logits[rows], axis=1, keepdims=True)
            if isinstance(self._policy.agent, EvaluatingAgent):  # `linear` has no values
                value[rows] = self._policy.agent.evaluate(*seen).values
        return Output(reward, (~states.finished).astype(float), logits, value, states)
