"""Hints for the seat to act: choices that an agent considers, in words and with reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.agent import PROBABILITY, WINNING_CHANCE, Agent, AgentError, Considered
from gonzaga_env.kernel.spec import Config

from .choices import Reason, Turn
from .specs import table_spec

MAX_CHOICES = 12
Measure = Literal["chance", "probability", "points"]
_MEASURES: dict[str, Measure] = {WINNING_CHANCE: "chance", PROBABILITY: "probability"}


@dataclass(frozen=True)
class HintChoice:
    """A choice that an agent considers."""

    action: int  # index in the action space
    words: str  # the action in words
    value: float | None  # what it is worth to the agent; None if the agent has none
    share: float | None  # its share of the playouts, 0 to 1; None if the agent runs none
    # what speaks for it, as events; {"kind": "tie"} where the value is that of the choice before
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class Hint:
    """The choices that an agent considers, best first, at most `MAX_CHOICES`."""

    agent: str  # its name
    unit: str  # what the values count, in the agent's words
    # what they measure: the chance to win, the probability of the choice, or points or similar
    measure: Measure
    choices: tuple[HintChoice, ...]  # the choices; values never rise from one to the next


def ask(
    agent: Agent, observation: NDArray[np.uint8], mask: NDArray[np.bool_], rng: np.random.Generator
) -> Considered:
    """Returns what an agent considers, by observation [D] and legal actions [A], after a check.

    Of an agent that only plays, it is the action that it plays, with NaN in place of a value.
    """
    consider = getattr(agent, "consider", None)
    if not callable(consider):
        action = np.asarray(agent.act(observation[None], mask[None], rng), np.int64)
        found = Considered(action, np.full(action.shape, np.nan), "what it plays")
    else:
        found = consider(observation, mask, rng)
    actions, values = np.asarray(found.actions), np.asarray(found.values)
    whole = actions.ndim == 1 and actions.shape == values.shape and actions.dtype.kind in "iu"
    if not whole or not len(actions) or not np.isin(actions, np.flatnonzero(mask)).all():
        raise AgentError("what it considers is not a list of legal actions and as many values")
    return Considered(actions, values, str(found.unit), found.playouts)


def reasons_for(
    config: Config, observation: NDArray[np.uint8], seat: int, turn: Turn, actions: Sequence[int]
) -> list[tuple[Reason, ...]]:
    """Returns the reasons for each of some actions of a turn; none in games that bring none."""
    own = table_spec(config.game).reasons
    if own is None:
        return [()] * len(actions)
    return list(own(config, observation, seat, turn, actions))


def as_hint(
    name: str,
    considered: Considered,
    turn: Turn,
    why: Callable[[Sequence[int]], list[tuple[Reason, ...]]] | None = None,
) -> Hint:
    """Returns what an agent considers in words; `why` returns the reasons for some actions."""
    words = {choice.action: choice.words for choice in turn.choices}
    actions = considered.actions[:MAX_CHOICES].tolist()
    tried = considered.playouts
    values = [
        None if np.isnan(value) or (tried is not None and not tried[i]) else float(value)
        for i, value in enumerate(considered.values)
    ]
    shares = None if tried is None else tried / max(1, int(np.sum(tried)))
    reasons: list[tuple[Reason, ...]] = [()] * len(actions) if why is None else why(actions)
    for i in range(1, len(actions)):
        if values[i] is not None and values[i] == values[i - 1]:
            reasons[i] = (*reasons[i], {"kind": "tie"})
    return Hint(
        name,
        considered.unit,
        _MEASURES.get(considered.unit, "points"),
        tuple(
            HintChoice(
                action=action,
                words=words[action],
                value=values[i],
                share=None if shares is None else float(shares[i]),
                reasons=reasons[i],
            )
            for i, action in enumerate(actions)
        ),
    )
