"""The network's inputs, read by what the deciding seat knows, and the network in numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.actions import PLAN_CARDS
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import NUM_REGIONS
from gonzaga_env.core.observe import states_from_observations
from gonzaga_env.core.state import PLACE, State

from .. import arrays
from ..arrays import Floats, Indices, Masks, Observations
from ..heuristics.gonzaga import PLANNED, TEMPERATURE, Rivals, list_legal
from ..heuristics.gonzaga_features import NUM_OWN, NUM_SHARED, SECRET, FeatureReader
from ..heuristics.gonzaga_scores import Heuristic, candidate_tables, near_all_seats
from .agent import Forward, Reader
from .choices import RatedChoices, rating_shapes
from .gonzaga_choices import (
    BEHIND,
    CHOICE_FEATURES,
    MOST_SPOTS,
    NUM_CHOICES,
    SITE_FEATURES,
    ChoiceFeatures,
    SiteFeatures,
)
from .layers import PADDING, Shapes, linear, relu


@dataclass(frozen=True)
class GonzagaInputs(arrays.Inputs):
    """M decisions with S sites and at most K choices each."""

    numbers: Floats  # the position, [M, C]
    sites: Floats  # features of the cities and harbors (`gonzaga_choices.SITE_FEATURES`), [M, S, F]
    choices: Floats  # features of the choices (`gonzaga_choices.CHOICE_FEATURES`), [M, K, G]
    spots: NDArray[np.uint8]  # sites that each choice covers, [M, K, 4] uint8; S for none
    # action of each choice, best first by the planner's scores, [M, K] int16; -1 for padding
    actions: NDArray[np.int16]
    # features of the others' objectives, [M, (P - 1) * 4]. The deciding seat does not know them:
    # only a critic, which is not needed for play, may look at them
    secrets: Floats


class GonzagaSizes(NamedTuple):
    """The sizes that depend on the edition and the number of players."""

    numbers: int  # C
    sites: int  # S
    secrets: int  # features of the others' objectives


_CHUNK = 256  # decisions read together, so that their arrays fit into a processor's second cache


class GonzagaReader(Reader):
    """Reads sites and choices."""

    config: GameConfig
    inputs = GonzagaInputs

    def __init__(self, config: GameConfig) -> None:
        tables, rules = config.tables, config.rules
        super().__init__(config)
        self._table = candidate_tables(tables)
        self._planner = Heuristic(tables, rules, PLANNED)
        self._others = Heuristic(tables, rules, replace(PLANNED, objective=None))
        self._features = config.features
        self._numbers = slice(self._features["phase"].start, self._features.size)
        self._scales = (1 / self._features.scales[self._numbers]).astype(np.float32)
        self._num_acted = self._features["num_acted"].start - self._numbers.start
        self._positions = FeatureReader(tables, rules)
        self._sites = SiteFeatures(tables, rules)
        self._choices = ChoiceFeatures(config, self._planner)
        num_others = config.num_players - 1
        self.sizes = GonzagaSizes(
            numbers=len(self._scales) + (num_others + 1) * NUM_OWN + NUM_SHARED,
            sites=len(self._sites),
            secrets=num_others * (SECRET.stop - SECRET.start),
        )

    def numpy_forward(self, weights: Mapping[str, Floats]) -> Forward:
        """See `Reader.numpy_forward`."""
        return GonzagaForward(weights, self.sizes)

    def zeros(self) -> GonzagaInputs:
        """See `Reader.zeros`."""
        sizes, shape = self.sizes, (1, NUM_CHOICES)
        return GonzagaInputs(
            numbers=np.zeros((1, sizes.numbers), np.float32),
            sites=np.zeros((1, sizes.sites, len(SITE_FEATURES)), np.float32),
            choices=np.zeros((*shape, len(CHOICE_FEATURES)), np.float32),
            spots=np.zeros((*shape, MOST_SPOTS), np.uint8),
            actions=np.zeros(shape, np.int16),
            secrets=np.zeros((1, sizes.secrets), np.float32),
        )

    def read_engine(self, engine: Any, games: Indices, seats: Indices) -> GonzagaInputs:
        """Returns the inputs of M decisions (see `EngineAgent.act_in`)."""
        state = engine.state
        if (state.phase[games] == PLACE).all():
            seen = engine.observe(rows=games)
        else:
            seen = np.empty((len(games), self._features.size), dtype=np.uint8)
            for seat in np.unique(seats):
                own = (seats == seat).nonzero()[0]
                seen[own] = engine.observe(int(seat), games[own])
        return self.read(state, seen, games, seats, *list_legal(engine, games, seats))

    def read_observations(self, observations: Observations, masks: Masks) -> GonzagaInputs:
        """See `Reader.read_observations`."""
        # The network does not see the values drawn for hidden information.
        state = states_from_observations(self.config, observations, np.random.default_rng(0))
        seats = self._features.view(observations, "seat").argmax(axis=1)
        return self.read(state, observations, np.arange(len(masks)), seats, *masks.nonzero())

    def read(
        self,
        state: State,
        observations: Observations,
        games: Indices,
        seats: Indices,
        rows: Indices,
        actions: Indices,
    ) -> GonzagaInputs:
        """Returns the inputs of M decisions.

        Args:
            state: N games.
            observations: of the deciding seats, [M, D].
            games: row of each decision in the state, [M].
            seats: the deciding seats, [M].
            rows: the decision of each legal action, [L], ascending.
            actions: the legal actions, [L].
        """
        placing, parts = state.phase[games] == PLACE, []
        if placing.any() and not placing.all():  # games outside lockstep: kind by kind
            for which in (~placing, placing):
                own, listed = which.nonzero()[0], which[rows]
                among = np.searchsorted(own, rows[listed]), actions[listed]
                parts.append(self.read(state, observations[own], games[own], seats[own], *among))
            order = np.concatenate([(~placing).nonzero()[0], placing.nonzero()[0]])
            return GonzagaInputs.concatenate(parts).take(order.argsort())
        for start in range(0, len(games), _CHUNK):
            part = slice(start, min(start + _CHUNK, len(games)))
            first, last = np.searchsorted(rows, (part.start, part.stop))
            among = rows[first:last] - start, actions[first:last]
            parts.append(self._read(state, observations[part], games[part], seats[part], *among))
        if not parts:  # no decision
            return self.zeros().take(slice(0))
        return parts[0] if len(parts) == 1 else GonzagaInputs.concatenate(parts)

    def _read(
        self,
        state: State,
        observations: Observations,
        games: Indices,
        seats: Indices,
        rows: Indices,
        actions: Indices,
    ) -> GonzagaInputs:
        distinct, which = np.unique(games, return_inverse=True)
        part = state.take(distinct)
        near = near_all_seats(self._table, part)
        own_near = near[which * state.num_players + seats]
        values = self._planner.values(state, games, seats, own_near)
        numbers = observations[:, self._numbers] * self._scales
        if state.phase[games[0]] == PLACE:
            attention = _still_to_place(state, games, seats)
            choices = self._choices.placements(state, values, rows, actions)
        else:
            numbers[:, self._num_acted] = 0  # plans are sealed, so their order means nothing
            rivals = Rivals(self._others, part, which, seats, TEMPERATURE, near)
            attention = rivals.regions()
            choices = self._choices.plans(state, values, rivals.before(), rows, actions)
        flourishing = self.config.tables.flourishing[state.scenario[games]]
        by_region = attention[:, :NUM_REGIONS] + attention[:, NUM_REGIONS:] * ~flourishing  # R2.1
        sites = self._sites.read(state, values, by_region)
        own, shared = self._positions.read(part, near)
        position, secrets = _position(own, shared, which, seats)
        numbers = np.hstack([numbers, position])
        return GonzagaInputs(numbers, sites, *choices, secrets)


def _position(own: Floats, shared: Floats, games: Indices, seats: Indices) -> tuple[Floats, Floats]:
    """Returns what M seats see of features [N, P, F] and [N, G], and what they do not know."""
    num_players = own.shape[1]
    players = (seats[:, None] + np.arange(num_players)) % num_players
    seen = own[games[:, None], players]
    secrets = seen[:, 1:, SECRET].reshape(len(games), -1).copy()  # two players' is a view
    seen[:, 1:, SECRET] = 0
    return np.hstack([seen.reshape(len(games), -1), shared[games]]), secrets


def _still_to_place(state: State, games: Indices, seats: Indices) -> Floats:
    """Returns how many others place with each region card after now, [M, 7]."""
    cards = PLAN_CARDS[state.plan[games], 0]  # [M, P]
    places = state.order[games].argsort(axis=1)
    to_come = places >= state.num_acted[games, None]
    to_come[np.arange(len(seats)), seats] = False
    return (to_come[:, None] & (cards[:, None] == np.arange(NUM_REGIONS + 1)[:, None])).sum(
        axis=2, dtype=np.float32
    )


PLACING = SITE_FEATURES.index("placing")


class GonzagaForward(RatedChoices):
    """Calls the network on inputs: what `NetworkAgent` takes (see `networks.GonzagaNetwork`)."""

    def __init__(self, weights: Mapping[str, Floats], sizes: GonzagaSizes) -> None:
        """Takes the weights (see `RatedChoices`)."""
        super().__init__(weights, lambda width: _shapes(sizes, width))
        self._planning, self._placing = weights["planner_weight"]  # a weight for each phase

    def __call__(self, inputs: GonzagaInputs) -> tuple[Floats, Floats]:
        """Returns logits [M, K] and values [M]."""
        layers, padding, context = self.layers, inputs.actions < 0, self._context(inputs.numbers)
        hidden = layers("site_in", inputs.sites) + layers("site_context", context)[:, None]
        embedding = layers("site_out", relu(hidden))
        covered = layers("choice_sites", _sum_spots(embedding, inputs.spots))
        hidden = layers("choice_in", inputs.choices) + covered
        ratings, best = self._rate(context, hidden, padding)
        placing = inputs.sites[:, :1, PLACING]
        planner = self._planning * (1 - placing) + self._placing * placing
        logits = ratings + inputs.choices[..., BEHIND] * planner
        value = self._value(context, best, embedding.mean(axis=1))
        return np.where(padding, np.float32(PADDING), logits), value


def _sum_spots(embedding: Floats, spots: NDArray[np.uint8]) -> Floats:
    """Sums the embeddings [M, S, E] of spots [M, K, 4], where S is none: [M, K, E]."""
    padded = np.pad(embedding, ((0, 0), (0, 1), (0, 0)))
    return padded[np.arange(len(spots))[:, None, None], spots].sum(axis=2)


def _shapes(sizes: GonzagaSizes, width: int) -> Shapes:
    half = width // 2
    return (
        rating_shapes(sizes.numbers, len(CHOICE_FEATURES), 2 * width + half, 2, width)
        | linear("site_in", len(SITE_FEATURES), half)
        | linear("site_context", width, half, bias=False)
        | linear("site_out", half, half)
        | linear("choice_sites", half, width, bias=False)
    )
