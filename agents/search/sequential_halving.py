"""Determinized search by sequential halving, over the playouts that a game's model supplies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.agent import WINNING_CHANCE, AgentError, Considered
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.state import StateArrays

from ..agent import SizedAgent
from ..arrays import Indices, Masks, Observations, best_of_rows

NAME = "search"
_SPEC = re.compile(
    rf"{NAME}(?:@(?P<number>[0-9]{{1,12}}(?:\.[0-9]{{1,12}})?)(?P<unit>ms)?)?(?::(?P<policy>.+))?"
)
_MOST_PLAYOUTS, _MOST_MILLISECONDS = 10**6, 3_600_000  # of a decision


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
    policy: str | None  # "learned", a checkpoint or the folder of a run; None for the planner


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


Floats = NDArray[np.float64]
StateT = TypeVar("StateT", bound=StateArrays, contravariant=True)


@dataclass(frozen=True)
class Root:
    """M decisions of one kind, with C candidates each."""

    observations: Observations  # [M, D]
    kind: int  # which of `GameSpec.kinds` they are
    actions: Indices  # candidates, best first by the prior, [M, C]; -1 for padding
    handicaps: Floats  # what the prior takes off their values, 0 or less, [M, C]
    alive: NDArray[np.bool_]  # candidates that are still compared, [M, C]
    totals: Floats  # sums of values, [M, C]
    visits: Indices  # playouts, [M, C]
    num_rounds: int  # rounds that playouts last, the one of the decisions included

    @classmethod
    def of(
        cls, seen: Observations, kind: int, actions: Indices, priors: Floats, num_rounds: int
    ) -> Root:
        """Returns decisions before the first playout, given scores by the prior [M, C]."""
        alive, totals = actions >= 0, np.zeros(actions.shape)
        handicaps = priors - np.where(alive, priors, -np.inf).max(axis=1, keepdims=True)
        visits = np.zeros(actions.shape, dtype=np.int64)
        return cls(seen, kind, actions, handicaps, alive, totals, visits, num_rounds)

    @property
    def num_decisions(self) -> int:
        """M."""
        return len(self.actions)

    def contested(self) -> NDArray[np.bool_]:
        """Returns the candidates that are alive where there is more than one, [M, C]."""
        return self.alive & (self.alive.sum(axis=1, keepdims=True) > 1)

    def estimates(self) -> Floats:
        """Returns mean values less handicaps, [M, C]; -inf for padding, no mean without a playout.

        The handicap is how far the prior is below that of the best candidate.
        """
        means = self.totals / np.maximum(self.visits, 1)
        return np.where(self.actions >= 0, means + self.handicaps, -np.inf)

    def chances(self, decision: int, candidates: Indices) -> Floats:
        """Returns the winning chances of ranked candidates, best first, [C].

        They are mean values of playouts. Few playouts may flatter a candidate that was dropped;
        so neighbours in the ranking that contradict it share their mean (isotonic regression).
        """
        pools: list[tuple[float, int, int]] = []  # total value, playouts, candidates
        for candidate in candidates.tolist():
            pool = float(self.totals[decision, candidate]), int(self.visits[decision, candidate]), 1
            while pools and _mean(*pools[-1][:2]) < _mean(*pool[:2]):
                total, visits, size = pools.pop()
                pool = total + pool[0], visits + pool[1], size + pool[2]
            pools.append(pool)
        means = [_mean(total, visits) for total, visits, _ in pools]
        return np.repeat(np.array(means), [size for *_, size in pools])

    def ranking(self) -> Indices:
        """Returns the candidates best first, [M, C]: those that were dropped last come first."""
        return np.lexsort((-self.estimates(), -self.visits, ~self.alive), axis=1)

    def best(self) -> Indices:
        """Returns the best action of each decision, [M]."""
        return self.actions[np.arange(self.num_decisions), self.ranking()[:, 0]]

    def halve(self) -> None:
        """Keeps the better half of the candidates that are alive, rounded up."""
        order = self.ranking()
        keep = (self.alive.sum(axis=1) + 1) // 2
        ranks = np.empty_like(order)
        np.put_along_axis(ranks, order, np.arange(order.shape[1])[None], axis=1)
        self.alive[:] = self.alive & (ranks < keep[:, None])


def _mean(total: float, visits: int) -> float:
    return total / max(visits, 1)


def best_candidates(
    rows: Indices,
    actions: Indices,
    scores: NDArray[np.floating],
    num_rows: int,
    size: int,
    weight: float,
) -> tuple[Indices, Floats]:
    """Returns the best actions of each row, -1 for padding, and weighted scores, both [M, C].

    Rows (ascending), actions and scores are [L]; C is at most `size`.
    """
    top, rank = best_of_rows(rows, scores, size)
    shape = num_rows, int(rank.max()) + 1
    best, priors = np.full(shape, -1), np.zeros(shape)
    best[rows[top], rank] = actions[top]
    priors[rows[top], rank] = scores[top] * weight
    return best, priors


NUM_CANDIDATES = 8
_ENOUGH_PLAYOUTS = 64  # from which playouts of three rounds choose better than more of two
NUM_RANKED = 3  # choices that `compare_played` compares with the one that was played
_LEAST_DEALS = 8  # on which choices are compared
CHUNK_PLAYOUTS = 1536  # playouts at once, which bounds memory to some tens of MB


class Model(Protocol[StateT]):
    """The game of a search: good candidates, and playouts of them."""

    def kinds(self, observations: Observations) -> Indices:
        """Returns which of `GameSpec.kinds` each decision is, [M]."""
        ...

    def candidates(
        self, seen: Observations, masks: Masks, kind: int, size: int, rng: np.random.Generator
    ) -> tuple[Indices, Floats]:
        """Returns the best C or fewer legal actions of M decisions of one kind, and their priors.

        Returns:
            Actions, best first, -1 for padding, and what the prior adds, in shares of the victory;
            both [M, C].
        """
        ...

    def play(
        self,
        root: Root,
        decisions: Indices,
        candidates: Indices,
        num_deals: int,
        rng: np.random.Generator,
    ) -> Floats:
        """Plays T candidates on K deals of what their seats do not know, and returns values [T, K].

        A playout steps the game's engine for `root.num_rounds` rounds; a value then says which
        share of the victory the seat may expect. Chance within the game is drawn on the way, anew
        for each deal: the search takes no expectation over it other than the mean over deals.

        Args:
            root: the decisions.
            decisions: the row in `root` of each candidate, [T], ascending; candidates of one
                decision are tried on the same deals.
            candidates: the column in `root.actions` of each, [T].
            num_deals: K.
            rng: the source of all randomness.
        """
        ...

    def chances(self, state: StateT, num_playouts: int, rng: np.random.Generator) -> Floats:
        """Returns what share of the victory each player may expect in N positions, [N, P].

        Playouts begin at the positions themselves, with all that is hidden in them, and last to the
        end of what is going on: a round, or a turn. Those of finished games are the winners'.
        """
        ...


class SequentialHalving(SizedAgent):
    """Flat Monte Carlo over determinizations, with sequential halving (Karnin et al., 2013).

    The best candidates of a prior are all tried on the same deals of what is hidden, so that luck
    cancels. After every stage the worse half is dropped. All decisions of a batch are searched
    together, kind by kind.

    Attributes:
        name: "search", with its budget if that is not the default one ("search@16"), or the spec
            that it was made from.
        model: what it knows of the game.
    """

    def __init__(
        self,
        config: Config,
        model: Model[Any],
        budget: Budget,
        *,
        num_rounds: int | None = None,
        num_candidates: int = NUM_CANDIDATES,
    ) -> None:
        """Sets up the search.

        Args:
            config: what is played.
            model: its candidates and playouts.
            budget: of each decision.
            num_rounds: rounds that a playout lasts, this one included; None takes three where the
                budget is enough for 64 playouts, else two.
            num_candidates: C, candidates of each decision.
        """
        super().__init__(config)
        self.name = NAME if budget == DEFAULT_BUDGET else f"{NAME}@{budget}"
        self.model, self._budget = model, budget
        self._num_rounds, self._num_candidates = num_rounds, num_candidates
        self._seconds = 50e-6  # running estimate for a round of a playout; plans a budget of time

    def _act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        actions = np.zeros(len(observations), dtype=np.int64)
        for rows, root in self.search(observations, masks, rng):
            actions[rows] = root.best()
        return actions

    def _consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        ((_, root),) = self.search(observation[None], mask[None], rng)
        order = root.ranking()[0]
        order = order[root.actions[0, order] >= 0]
        chances, visits = root.chances(0, order), root.visits[0, order]
        return Considered(root.actions[0, order], chances, WINNING_CHANCE, visits, (0.0, 1.0))

    def search(
        self, observations: Observations, masks: Masks, rng: np.random.Generator
    ) -> Iterator[tuple[Indices, Root]]:
        """Yields rows and what was found of their candidates, for each kind of decision."""
        kinds = self.model.kinds(observations)
        for kind in np.unique(kinds).tolist():
            rows = (kinds == kind).nonzero()[0]
            num_rounds = self._num_rounds or (3 if self._affordable(3) >= _ENOUGH_PLAYOUTS else 2)
            size = min(self._num_candidates, affordable_candidates(self._affordable(num_rounds)))
            seen = observations[rows]
            found = self.model.candidates(seen, masks[rows], kind, size, rng)
            root = Root.of(seen, kind, *found, num_rounds)
            self._compare(root, rng)
            yield rows, root

    def num_deals(self, num_rounds: int) -> int:
        """Returns how many deals are enough to compare two choices: half the playouts of one."""
        return max(_LEAST_DEALS, int(self._affordable(num_rounds) / 2))

    def _compare(self, root: Root, rng: np.random.Generator) -> None:
        """Spends the budget; after each stage the worse half of the candidates is dropped."""
        for num_deals in self._stages(root):
            started, before = perf_counter(), root.visits.sum()
            self._try(root, num_deals, rng)
            if (num_playouts := root.visits.sum() - before) > 0:
                self._seconds = (perf_counter() - started) / num_playouts / root.num_rounds
            root.halve()

    def _affordable(self, num_rounds: int, num_played: int = 0, seconds: float = 0.0) -> float:
        """Returns how many playouts a decision can afford, given the time of those so far."""
        if self._budget.milliseconds is None:
            return float(self._budget.playouts or 0) - num_played
        return (self._budget.milliseconds / 1000 - seconds) / self._seconds / num_rounds

    def _stages(self, root: Root) -> Iterator[int]:
        """Yields for each stage on how many deals the candidates alive are tried."""
        started, num_candidates = perf_counter(), root.actions.shape[1]
        num_stages, num_played = int(np.ceil(np.log2(num_candidates))), 0
        for stage in range(num_stages):
            num_alive = int(np.ceil(num_candidates / 2**stage))
            seconds = (perf_counter() - started) / root.num_decisions
            left = self._affordable(root.num_rounds, num_played, seconds)
            num_deals = max(1, int(left / (num_stages - stage) / num_alive))
            yield num_deals
            num_played += num_deals * num_alive

    def _try(self, root: Root, num_deals: int, rng: np.random.Generator) -> None:
        """Tries the contested candidates on some deals and adds up what they are worth."""
        tried = root.contested()
        num_contested = tried.sum(axis=1)
        contested = num_contested.nonzero()[0]
        most = max(1, int(num_contested.max()))
        at_once = max(1, CHUNK_PLAYOUTS // most)  # deals
        for start in range(0, num_deals, at_once):
            deals = min(at_once, num_deals - start)
            size = max(1, CHUNK_PLAYOUTS // (most * deals))
            for first in range(0, len(contested), size):
                part = contested[first : first + size]
                row, candidates = tried[part].nonzero()
                at = part[row], candidates
                root.totals[at] += self.model.play(root, *at, deals, rng).sum(axis=1)
                root.visits[at] += deals


def affordable_candidates(playouts: float) -> int:
    """Returns the largest power of two of candidates that sequential halving can try, or 1.

    C candidates take C + C / 2 + ... + 2 playouts at least.
    """
    size = 1
    while 4 * size - 2 <= playouts:
        size *= 2
    return size


@dataclass(frozen=True)
class ComparedDecision:
    """A decision as a search sees it, from what the seat knew."""

    # the search's choice, those that it ranked next, and the one that was played, [C]
    actions: Indices
    values: Floats  # the share of the victory that the seat may expect after each, [C]
    played: int  # which of them was played
    error: float  # the standard error of the difference between the first and the played one

    @property
    def loss(self) -> float:
        """The chance that was lost; below 0, by noise, where the choice was as good."""
        return float(self.values[0] - self.values[self.played])


def compare_played(
    search: SequentialHalving,
    observations: Observations,
    masks: Masks,
    played: Indices,
    rng: np.random.Generator,
) -> list[tuple[ComparedDecision, ...]]:
    """Returns what K played actions in each of M decisions were worth.

    A search ranks the choices. The best of them and those that were played are then compared on
    new deals of what the seat did not know, the same for all: values on the deals by which the
    best was chosen would be too high. As many new deals are drawn as half the search's playouts.
    """
    found: dict[int, tuple[ComparedDecision, ...]] = {}
    for rows, root in search.search(observations, masks, rng):
        ranked = root.actions[np.arange(len(rows))[:, None], root.ranking()[:, :NUM_RANKED]]
        compared = _with_played(root, ranked, played[rows])
        size = max(1, CHUNK_PLAYOUTS // (search.num_deals(root.num_rounds) * compared.shape[1]))
        for start in range(0, len(rows), size):
            part = slice(start, start + size)
            even = np.zeros(compared[part].shape)  # no candidate is likelier than another
            own = root.observations[part], root.kind, compared[part], even, root.num_rounds
            judged = _compare(search, Root.of(*own), played[rows[part]], rng)
            found |= zip(rows[part].tolist(), judged, strict=True)
    return [found[row] for row in range(len(played))]


def _with_played(root: Root, ranked: Indices, played: Indices) -> Indices:
    """Returns the ranked actions, then the K played ones that are not among them, [M, C + K]."""
    for own in played.T:
        missing = ~(ranked == own[:, None]).any(axis=1)
        ranked = np.column_stack([ranked, np.where(missing, own, -1)])
    return ranked


def _compare(
    search: SequentialHalving, root: Root, played: Indices, rng: np.random.Generator
) -> Iterator[tuple[ComparedDecision, ...]]:
    """Yields what the K actions of each decision were worth, from playouts on the same deals."""
    decisions, candidates = (root.actions >= 0).nonzero()
    num_deals = search.num_deals(root.num_rounds)
    values = search.model.play(root, decisions, candidates, num_deals, rng)
    for decision in range(root.num_decisions):
        of_it = decisions == decision
        actions, own = root.actions[decision][candidates[of_it]], values[of_it]
        indices = [int((actions == one).argmax()) for one in played[decision]]
        errors = ((own[0] - own[i]).std(ddof=1) / np.sqrt(own.shape[1]) for i in indices)
        means = own.mean(axis=1)
        yield tuple(map(partial(ComparedDecision, actions, means), indices, map(float, errors)))
