"""Agents for the environments: their interface, and how they are found and called.

Agents live in separate packages, which offer a function `make_agent(spec, config)` under the
entry point `make_agent` of the group "gonzaga_env.agents". Nothing here imports them before a name
is given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from traceback import format_exception
from typing import Protocol, Self, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices
from gonzaga_env.kernel.errors import GameError, OptionError
from gonzaga_env.kernel.messages import printable, short_repr
from gonzaga_env.kernel.spec import Config, Engine

PROBABILITY = "probability"  # the unit of agents that draw their actions
WINNING_CHANCE = "winning chance"  # the unit of agents that play on: the share of the victory


class AgentError(GameError, ValueError):
    """An agent that cannot be found, built or used."""


class AgentCrashedError(AgentError):
    """An agent whose own code raised."""

    def __init__(self, message: str, traceback: str = "") -> None:
        super().__init__(message)
        self.traceback = traceback  #: of the agent's code; commands print it below the message

    @classmethod
    def of(
        cls, error: BaseException, name: str, engine: Engine, rows: Sequence[int] | Indices
    ) -> Self:
        """Returns the exception for an error of an agent, asked about the games in `rows`, [M]."""
        seat, seed = engine.seats[rows[0]], engine.state.seed[rows[0]]
        reason = " ".join(f"{type(error).__name__}: {error}".splitlines()[:1]).rstrip(": ")
        others = f" (the first of {len(rows)} decisions asked at once)" if len(rows) > 1 else ""
        inner = error.__traceback__ and error.__traceback__.tb_next  # without the caller
        trace = "".join(format_exception(type(error), error, inner))
        return cls(f"agent {name}, seat {seat}, deal of seed {seed}{others}: {reason}", trace)


ActT = TypeVar("ActT", bound=Callable[..., object])


def uniform(act: ActT) -> ActT:
    """Decorates an agent's `act` that draws uniformly among legal actions, as engines do.

    It draws `rng.integers(counts)` once for all rows. Games then need not ask it (`is_uniform`).
    """
    vars(act)["uniform"] = True
    return act


def is_uniform(act: object) -> bool:
    """Returns whether what chooses actions is None or `uniform`."""
    return act is None or getattr(act, "uniform", False)


@runtime_checkable
class Agent(Protocol):
    """Anything that chooses actions from observations, for many seats of many games at once.

    An agent may have a `name`, which tables and records show; without one they show its class. It
    may also say what it considers (`ConsideringAgent`).
    """

    def act(
        self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.integer]:
        """Returns a legal action for each row, [M].

        Args:
            observations: [M, D], as `Engine.observe` returns them; rows may be in any phase.
            masks: [M, A], True for legal; at least one action of each row is legal.
            rng: the source of all randomness.
        """
        ...


@dataclass(frozen=True)
class Considered:
    """The choices that an agent considers in one position, best first."""

    actions: NDArray[np.int64]  #: legal actions, [C] int64
    values: NDArray[np.float64]  #: what the agent holds of each, [C] float64
    unit: str  #: what the values count, such as "points now"
    #: Those spent on each, [C] int64; None if the agent runs none.
    playouts: NDArray[np.int64] | None = None
    #: The least and the largest value possible, for charts; None where there are none.
    bounds: tuple[float, float] | None = None

    @classmethod
    def ranked(cls, mask: NDArray[np.bool_], values: NDArray[np.floating], unit: str) -> Self:
        """Returns the legal actions of a mask [A], sorted by values [A]; ties by their index."""
        actions = np.flatnonzero(mask)
        actions = actions[np.argsort(-values[actions], kind="stable")]
        return cls(actions, values[actions].astype(np.float64), unit)

    def __repr__(self) -> str:
        return f"<Considered, {np.size(self.actions)} choices, {self.unit}>"


@runtime_checkable
class ConsideringAgent(Protocol):
    """An agent that can say what it considers."""

    def consider(
        self, observation: NDArray[np.uint8], mask: NDArray[np.bool_], rng: np.random.Generator
    ) -> Considered:
        """Returns the choices that it considers in one position, best first.

        The first is the one that `act` would play, up to ties, which `act` may break at random. An
        agent that draws its actions gives their probabilities.

        Args:
            observation: [D].
            mask: [A], True for legal; at least one action is.
            rng: the source of all randomness.
        """
        ...


@dataclass(frozen=True)
class Evaluation:
    """Policy and values of M observations."""

    #: Of each action, [M, A] float32; they sum to 1 and are 0 for illegal actions.
    probabilities: NDArray[np.float32]
    #: The expected return of the observing seat, from here to the end, [M] float32.
    values: NDArray[np.float32]
    unit: str  #: what the values count
    #: The least and the largest value possible, for charts; None where there are none.
    bounds: tuple[float, float] | None = None

    def __repr__(self) -> str:
        return f"<Evaluation of {len(self.values)} observations, {self.unit}>"


@runtime_checkable
class EvaluatingAgent(Protocol):
    """An agent that knows policy and values of positions."""

    def evaluate(self, observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Evaluation:
        """Returns policy and values of observations [M, D] with masks [M, A]."""
        ...


def agent_name(agent: Agent) -> str:
    """Returns the agent's `name` in printable letters, or the name of its class."""
    return printable(str(getattr(agent, "name", type(agent).__name__)))


def make_agent(spec: object, config: Config) -> Agent:
    """Returns the agent of a spec, made by the package that offers agents.

    Args:
        spec: what that package takes: an agent's name, a checkpoint, a class.
        config: what is played.

    Raises:
        OptionError: no installed package offers agents.
        GameError: there is no such agent.
        ModuleNotFoundError: the agent needs a package; the message says which.
    """
    offered = entry_points(group="gonzaga_env.agents", name="make_agent")
    if not offered:
        raise OptionError(
            f"agent {spec!r}: no installed package offers agents by name; install gonzaga-env with "
            "pip, or pass an agent"
        )
    return next(iter(offered)).load()(spec, config)


def find_agent(agent: str | Agent, config: Config) -> tuple[Agent, str]:
    """Returns an agent and its name; OptionError if it needs a package that is missing."""
    if not isinstance(agent, str):
        return agent, agent_name(agent)
    try:
        made = make_agent(agent, config)
    except ModuleNotFoundError as error:  # an extra; the message says what to install
        raise OptionError(str(error)) from error
    return made, agent_name(made)


def ask_choices(agent: object, name: str, engine: Engine, seed: int) -> Considered:
    """Returns what an agent considers in the one game of an engine; OptionError if it cannot say.

    It is asked by its method `consider`, or by `evaluate` where it has no other.
    """
    observation, mask = engine.observe()[0], engine.legal_action_mask()[0]
    if isinstance(agent, ConsideringAgent):
        found = agent.consider(observation, mask, np.random.default_rng(seed))
        answer = _checked(found, name, mask)
        bounds = getattr(found, "bounds", None)
        return Considered(*answer, str(found.unit), found.playouts, bounds)
    if isinstance(agent, EvaluatingAgent):
        probabilities = agent.evaluate(observation[None], mask[None]).probabilities
        return Considered.ranked(mask, np.asarray(probabilities)[0], PROBABILITY)
    raise OptionError(
        f"agent {name} cannot say what it considers: it has no method "
        "consider(observation, mask, rng); greedy has one"
    )


def _checked(
    found: Considered, name: str, mask: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    actions, values = np.asarray(found.actions), np.asarray(found.values)
    whole = actions.ndim == 1 and actions.shape == values.shape and actions.dtype.kind in "iu"
    if not whole or not len(actions) or not np.isin(actions, np.flatnonzero(mask)).all():
        raise OptionError(
            f"agent {name} considers {short_repr(found)}; it takes legal actions and as many values"
        )
    return actions, values


def ask_values(
    agent: object, name: str, engines: Sequence[Engine], seed: int
) -> tuple[list[float], str, tuple[float, float] | None]:
    """Returns what the position of each engine is worth to an agent, with the unit and the bounds.

    These are the values of `evaluate`, or those of the best choices of `consider`, in the place of
    the seat to act. OptionError if the agent has neither, or only probabilities.
    """
    found: Evaluation | Considered
    if isinstance(agent, EvaluatingAgent):
        observations = np.concatenate([engine.observe() for engine in engines])
        masks = np.concatenate([engine.legal_action_mask() for engine in engines])
        found = agent.evaluate(observations, masks)
        values = np.asarray(found.values, dtype=float)
    else:
        answers = [ask_choices(agent, name, engine, seed) for engine in engines]
        if any(answer.unit == PROBABILITY for answer in answers):
            raise OptionError(
                f"agent {name} cannot say what positions are worth: it has probabilities only; "
                "greedy and search have values"
            )
        found, values = answers[0], np.array([answer.values.max() for answer in answers])
    if values.shape != (len(engines),) or not np.isfinite(values).all():
        raise OptionError(
            f"agent {name} gives values {short_repr(values)}; they take a number a position"
        )
    return values.tolist(), str(found.unit), getattr(found, "bounds", None)


def is_sb3_model(found: object) -> bool:
    """Returns whether an object is a model of Stable-Baselines3, without importing that."""
    return callable(getattr(found, "predict", None)) and hasattr(found, "policy")
