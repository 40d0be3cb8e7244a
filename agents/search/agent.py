"""The agent "search" of the games that have a `GameSpec`."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from gonzaga_env.core.board.actions import NO_PLAN
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import (
    WINNING_CHANCE,
    Agent,
    AgentError,
    Considered,
    EvaluatingAgent,
    agent_name,
)
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.result import win_shares
from gonzaga_env.kernel.spec import Config, Engine
from gonzaga_env.kernel.state import StateArrays

from ..agent import EngineAgent, HeuristicAgent, SizedAgent
from ..arrays import Doubles, Floats, Indices, Masks, Observations
from ..heuristics.linear import READERS, LinearAgent, fact_reader, read_critic, read_linear
from .search import CHUNK_PLAYOUTS, NUM_CANDIDATES, PRIOR_WEIGHT, Search, Value

NAME = "search"
_SPEC = re.compile(
    rf"{NAME}(?:@(?P<number>[0-9]{{1,12}}(?:\.[0-9]{{1,12}})?)(?P<unit>ms)?)?(?::(?P<policy>.+))?"
)
_MOST_PLAYOUTS, _MOST_MILLISECONDS = 10_000, 60_000  # of a decision
NUM_RANKED = 3  # choices that `compare_played` compares with the one that was played
_LEAST_DEALS = 8  # on which choices are compared


@dataclass(frozen=True)
class Budget:
    """The budget of one decision; exactly one of both is set."""

    playouts: int | None = None  # how many
    # time, shared with the other decisions of a batch: M decisions together take M times as long.
    # What is chosen then depends on the machine
    milliseconds: float | None = None

    def __post_init__(self) -> None:
        for name, most in (("playouts", _MOST_PLAYOUTS), ("milliseconds", _MOST_MILLISECONDS)):
            value = getattr(self, name)
            if value is not None and not 0 < value <= most:
                raise AgentError(f"{name} is {value!r}; it takes a number above 0, to {most:,}")
        if (self.playouts is None) == (self.milliseconds is None):
            raise AgentError("a budget takes either playouts or milliseconds")

    def __str__(self) -> str:
        return f"{self.playouts}" if self.playouts else f"{self.milliseconds:g}ms"


DEFAULT_BUDGET = Budget(64)


@dataclass(frozen=True)
class SearchSpec:
    """A search as "search@64", "search@10ms" or "search@64:learned" ask for it."""

    budget: Budget  # of one decision
    policy: str | None  # an agent's name, a checkpoint or the folder of a run; None for the default


def parse_search(spec: str) -> SearchSpec | None:
    """Returns what a spec asks for, None if it names another agent.

    Raises:
        AgentError: it names a search with a budget that cannot be.
    """
    if not re.match(rf"{NAME}([@:]|$)", spec):
        return None
    found = _SPEC.fullmatch(spec)
    number = found["number"] if found and found["number"] else "1"
    if found is None or float(number) == 0 or ("." in number and not found["unit"]):
        raise AgentError(
            f"there is no agent {short_repr(spec)}; write {NAME}, {NAME}@64 (playouts), "
            f"{NAME}@10ms, or one of these with a policy: {NAME}@64:learned, {NAME}@64:runs/first"
        )
    if found["number"] is None:
        budget = DEFAULT_BUDGET
    elif found["unit"]:
        budget = Budget(milliseconds=float(found["number"]))
    else:
        budget = Budget(int(found["number"]))
    return SearchSpec(budget, found["policy"])


class EnginePositions:
    """The games of an engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @property
    def seats(self) -> Indices:
        """See `Positions`."""
        return self.engine.seats

    def take(self, rows: Indices) -> EnginePositions:
        """See `Positions`."""
        return EnginePositions(begin(self.engine.config, self.engine.state.take(rows)))

    def step(self, actions: Indices, rows: Indices) -> None:
        """See `Positions`."""
        self.engine.step(actions, rows)


def begin(config: Config, state: StateArrays) -> Engine:
    """Returns an engine that takes over a state."""
    engine = game_spec(config.game).engine
    return engine.from_state(config, state, copy=False, check=False, autoreset=False)


class SpecGame:
    """A game by its `GameSpec`, which has `from_observations`."""

    def __init__(self, config: Config) -> None:
        self.config, self._spec = config, game_spec(config.game)
        reader = READERS.get(config.game)
        opening = () if reader is None else reader.OPENING
        self._opening = [self._spec.kinds.index(kind) for kind in opening]
        self._sealed = [self._spec.kinds.index(kind) for kind in self._spec.sealed]

    def deal(self, seen: Observations, rng: np.random.Generator, num_deals: int) -> EnginePositions:
        """See `Game`."""
        assert self._spec.from_observations is not None
        state = self._spec.from_observations(self.config, seen, rng, num_deals)
        return EnginePositions(begin(self.config, state))

    def unseal(self, positions: EnginePositions) -> Masks:
        """See `Game`."""
        engine, sealed = positions.engine, self.is_sealed(positions)
        if sealed.any():
            state = engine.state
            state.plan[sealed], state.num_acted[sealed] = NO_PLAN, 0
            engine.set_state(state, copy=False, check=False)
        return sealed

    def is_sealed(self, positions: EnginePositions) -> Masks:
        """Returns where the decision is sealed, [N]."""
        return np.isin(positions.engine.kinds, self._sealed)

    def is_open(self, positions: EnginePositions, seats: Indices) -> Masks:
        """See `Game`; sealed decisions are made by all seats at once."""
        kinds = positions.engine.kinds
        mine = (positions.seats == seats) | np.isin(kinds, self._sealed)
        return mine & np.isin(kinds, self._opening)


class AgentPolicy:
    """An agent as the policy of a search.

    Attributes:
        agent: scores choices, or has their probabilities.
    """

    def __init__(self, agent: Agent) -> None:
        if not isinstance(agent, EvaluatingAgent | HeuristicAgent):
            raise AgentError(
                f"{agent_name(agent)} has neither scores nor probabilities, which a search takes"
            )
        self.agent: Agent = agent

    def score(
        self, seen: Observations, masks: Masks, rng: np.random.Generator
    ) -> tuple[Indices, Indices, Floats]:
        """See `Policy`; a heuristic's scores are taken for logarithms, up to its temperature."""
        if isinstance(self.agent, EvaluatingAgent):
            rows, actions = masks.nonzero()
            chances = self.agent.evaluate(seen, masks).probabilities
            return rows, actions, np.log(np.maximum(chances[rows, actions], np.float32(1e-9)))
        assert isinstance(self.agent, HeuristicAgent)
        rows, actions, scores = self.agent.score(seen, masks, rng)
        agent = self.agent
        temperature = agent.policy.temperature if isinstance(agent, LinearAgent) else 1.0
        return rows, actions, scores / np.float32(temperature)

    def choose(
        self, positions: EnginePositions, rows: Indices, rng: np.random.Generator
    ) -> Indices:
        """See `Policy`."""
        engine = positions.engine
        if isinstance(self.agent, EngineAgent):
            return self.agent.act_in(engine, rows, engine.seats[rows], rng)
        actions = self.agent.act(engine.observe(rows=rows), engine.legal_action_mask(rows), rng)
        return actions.astype(np.int64)

    def seal(self, positions: EnginePositions, rows: Indices, rng: np.random.Generator) -> Indices:
        """See `Policy`."""
        num_players = positions.engine.num_players
        if isinstance(self.agent, EngineAgent):
            every = rows.repeat(num_players), np.tile(np.arange(num_players), len(rows))
            return self.agent.act_in(positions.engine, *every, rng).reshape(-1, num_players)
        trial, each = positions.take(rows), np.arange(len(rows))
        plans = np.zeros((len(rows), num_players), np.int64)
        for _ in range(num_players):
            actions = self.choose(trial, each, rng)
            plans[each, trial.seats] = actions
            trial.step(actions, each)
        return plans


class SearchAgent(SizedAgent):
    """Searches every decision by playouts of a policy (see `gonzaga_agents.search.search`).

    Attributes:
        name: "search", with its budget if that is not the default one ("search@16"), or the spec
            that it was made from.
        search: finds what it plays.
    """

    def __init__(
        self,
        config: Config | None = None,
        budget: Budget = DEFAULT_BUDGET,
        *,
        policy: Agent | None = None,
        candidates: int = NUM_CANDIDATES,
        prior_weight: float = PRIOR_WEIGHT,
    ) -> None:
        """Sets up the search.

        Args:
            config: what is played; by default, four players on "europe".
            budget: of each decision.
            policy: picks candidates and plays in playouts; by default "linear".
            candidates: C, at most, of each decision.
            prior_weight: see `search`.

        Raises:
            AgentError: the policy has neither scores nor probabilities.
        """
        config = config or game_spec().config()
        super().__init__(config)
        self.name = NAME if budget == DEFAULT_BUDGET else f"{NAME}@{budget}"
        self._game = SpecGame(config)
        self._policy = AgentPolicy(LinearAgent(config) if policy is None else policy)
        self.search: Search[EnginePositions] = Search(
            self._game,
            self._policy,
            leaf_value(config),
            simulations=budget.playouts,
            milliseconds=budget.milliseconds,
            candidates=candidates,
            prior_weight=prior_weight,
        )

    def _act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        return self.search(observations, masks, rng).actions

    def _consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        found = self.search(observation[None], mask[None], rng)
        if not found.visits.any():  # there is no choice, but what it is worth is asked
            only = found.candidates[0, :1]
            deals = min(int(self.search.affordable() / 2) or 1, CHUNK_PLAYOUTS)
            values, (seat,) = self.search.play(observation[None], np.arange(1), only, deals, rng)
            mean = values[0, :, [seat]].mean(keepdims=True)
            return Considered(only, mean[0], WINNING_CHANCE, np.array([deals]), (0.0, 1.0))
        size = int((found.candidates[0] >= 0).sum())
        chances = ranked_chances(found.own_values[0, :size], found.visits[0, :size])
        visits = found.visits[0, :size]
        return Considered(found.candidates[0, :size], chances, WINNING_CHANCE, visits, (0.0, 1.0))

    @np.errstate(under="ignore")
    def chances(self, state: StateArrays, num_playouts: int, rng: np.random.Generator) -> Doubles:
        """Returns what share of the victory each player may expect in N positions, [N, P].

        Playouts begin at the positions themselves, with all that is hidden in them but luck to
        come, and last until a new turn or round opens. Finished games have the winners' shares.
        """
        played = state.repeat(num_playouts)
        played.seed[:] = rng.integers(2**64, size=played.num_games, dtype=np.uint64)
        positions = EnginePositions(begin(self._config, played))
        rounds = positions.engine.rounds
        running = np.flatnonzero(positions.seats >= 0)
        while len(running):
            positions.step(self._policy.choose(positions, running, rng), running)
            goes_on = ~self._game.is_open(positions, positions.seats)
            goes_on |= self._game.is_sealed(positions) & (positions.engine.rounds == rounds)
            running = running[(goes_on & (positions.seats >= 0))[running]]
        shares = np.asarray(self.search.value(positions), np.float64)
        return shares.reshape(state.num_games, num_playouts, -1).mean(axis=1)


def leaf_value(config: Config) -> Value[EnginePositions]:
    """Returns the critic that ships for a game; where none does, what the winners get."""
    if config.game not in READERS:
        return lambda positions: win_shares(positions.engine.winners())
    reader, critic, policy = fact_reader(config), read_critic(config), read_linear(config)
    return lambda positions: critic.shares(reader, positions.engine, policy)


def ranked_chances(values: Doubles, visits: Indices) -> Doubles:
    """Returns the winning chances of ranked candidates, best first, [C].

    They are mean values of playouts. Few playouts may flatter a candidate that was dropped; so
    neighbours in the ranking that contradict it share their mean (isotonic regression).
    """
    pools: list[tuple[float, int, int]] = []  # mean value, playouts, candidates
    for mean, number in zip(values.tolist(), visits.tolist(), strict=True):
        size = 1
        while pools and pools[-1][0] < mean:
            other, playouts, others = pools.pop()
            mean = (other * playouts + mean * number) / max(playouts + number, 1)
            number, size = playouts + number, others + size
        pools.append((mean, number, size))
    return np.repeat([mean for mean, *_ in pools], [size for *_, size in pools])


@dataclass(frozen=True)
class ComparedDecision:
    """A decision as a search sees it, from what the seat knew."""

    # the search's choice, those that it ranked next, and the one that was played, [C]
    actions: Indices
    values: Doubles  # the share of the victory that the seat may expect after each, [C]
    played: int  # which of them was played
    error: float  # the standard error of the difference between the first and the played one

    @property
    def loss(self) -> float:
        """The chance that was lost; below 0, by noise, where the choice was as good."""
        return float(self.values[0] - self.values[self.played])


def compare_played(
    agent: SearchAgent,
    observations: Observations,
    masks: Masks,
    played: Indices,
    rng: np.random.Generator,
) -> list[tuple[ComparedDecision, ...]]:
    """Returns what K played actions in each of M decisions were worth.

    A search ranks the choices. The best of them and those that were played are then compared on
    new deals of what the seat did not know, the same for all: values on the deals by which the
    best was chosen would be too high.
    """
    compared = agent.search(observations, masks, rng).candidates[:, :NUM_RANKED]
    for own in played.T:
        missing = ~(compared == own[:, None]).any(axis=1)
        compared = np.column_stack([compared, np.where(missing, own, -1)])
    deals, most = num_deals(agent), max(1, CHUNK_PLAYOUTS // compared.shape[1])
    size, found = max(1, most // deals), []
    for start in range(0, len(compared), size):
        part = slice(start, start + size)
        rows, columns = (compared[part] >= 0).nonzero()
        actions = compared[part][rows, columns]
        parts = []
        for first in range(0, deals, most):
            given = observations[part], rows, actions, min(most, deals - first), rng
            values, seats = agent.search.play(*given)
            parts.append(values[np.arange(len(rows)), :, seats])
        own_values = np.concatenate(parts, axis=1)  # [T, K]
        for row, of_it in enumerate(played[part]):
            at = rows == row
            found.append(_compared(actions[at], own_values[at], of_it))
    return found


def num_deals(agent: SearchAgent) -> int:
    """Returns how many deals are enough to compare choices: half the playouts of a decision."""
    return max(_LEAST_DEALS, int(agent.search.affordable() / 2))


def _compared(actions: Indices, values: Doubles, played: Indices) -> tuple[ComparedDecision, ...]:
    """Returns what the K actions of one decision were worth, by values [C, D] on the same deals."""
    means, found = values.mean(axis=1), []
    for action in played.tolist():
        at = int((actions == action).argmax())
        error = (values[0] - values[at]).std(ddof=1) / np.sqrt(values.shape[1])
        found.append(ComparedDecision(actions, means, at, float(error)))
    return tuple(found)
