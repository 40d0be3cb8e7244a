"""What a decision that was made was worth, by search: the best choices, and the chance it lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..arrays import Indices, Masks, Observations
from .agent import CHUNK_PLAYOUTS, Floats, Root, SequentialHalving

NUM_RANKED = 3  # choices that are compared with the one that was played


@dataclass(frozen=True)
class Judgement:
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


def judge(
    search: SequentialHalving,
    observations: Observations,
    masks: Masks,
    played: Indices,
    rng: np.random.Generator,
) -> list[tuple[Judgement, ...]]:
    """Returns what K actions in each of M decisions were worth.

    A search ranks the choices. The best of them and those that were played are then compared on
    new deals of what the seat did not know, the same for all: values on the deals by which the
    best was chosen would be too high.

    Args:
        search: the search; as many new deals are drawn as half its playouts.
        observations: [M, D].
        masks: [M, A].
        played: the actions, [M, K].
        rng: the source of all randomness.
    """
    found: dict[int, tuple[Judgement, ...]] = {}
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
) -> Iterator[tuple[Judgement, ...]]:
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
        yield tuple(map(partial(Judgement, actions, means), indices, map(float, errors)))
