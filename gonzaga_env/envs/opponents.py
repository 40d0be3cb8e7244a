"""Those who play against a single learner: what can be given as one, and how it is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.arguments import as_actions, as_rows
from gonzaga_env.core.engine import Engine
from gonzaga_env.core.errors import OptionError

Opponent = Callable[
    [NDArray[np.uint8], NDArray[np.bool_], np.random.Generator], NDArray[np.integer]
]
"""Chooses for M seats: `(observations [M, D], masks [M, A], rng) -> actions [M]`."""
Opponents = Opponent | Sequence[Opponent | None] | None
"""One for all seats, or some to draw from; None plays any legal action."""


def as_opponents(opponents: Opponents) -> tuple[Opponent | None, ...]:
    """Returns one or more opponents; raises OptionError for what can't be called."""
    given: Any = opponents
    if opponents is None or callable(opponents):
        given = [opponents]
    if not isinstance(given, Sequence) or isinstance(given, str) or not given:
        raise OptionError(f"opponents are {given!r}; they take None, a callable or some of these")
    for one in given:
        if one is not None and not callable(one):
            raise OptionError(
                f"opponent {one!r} can't be called with (observations, masks, rng); "
                "of an agent, pass its method `act`"
            )
    return tuple(given)


def choose(
    opponent: Opponent | None,
    engine: Engine,
    rng: np.random.Generator,
    rows: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Returns an opponent's actions for the seats to act in some games, [M]; by default in all.

    Raises:
        ActionError: it gave none, in shape or dtype, or an index outside the space.
    """
    if opponent is None:
        return engine.sample_legal(rng, rows)
    actions = opponent(engine.observe(rows=rows), engine.legal_action_mask(rows), rng)
    rows = as_rows(rows, engine.num_games)
    return as_actions(actions, rows, np.zeros(len(rows), dtype=np.bool_), engine.actions.size)
