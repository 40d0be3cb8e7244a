"""The network: it scores an action by summing the embeddings of the hexes that the action covers.

Every hex has an embedding, computed from what lies on it and next to it. Every step towards a sea
league has one too; together they are the "spots" of `tables.py`. The embedding of a placement or a
wedding is the sum over its spots. The embedding of a plan is that of the best action that the plan
allows on the current map. One small network scores all of them, and only for legal actions: about
40 of 3,200.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import (
    FLOURISHING_POINTS,
    LEAGUE_HARBORS,
    LEAGUE_POINTS,
    NUM_FIEFS,
    NUM_REGIONS,
    OBJECTIVE_POINTS,
)
from gonzaga_env.core.geometry import NUM_ROTATIONS
from gonzaga_env.core.observation.features import FeatureTable

from ..agent import InputSize
from .plan_search import PLANES, PlanSearch, fief_at_hand, view
from .tables import (
    NUM_KINDS,
    SPOTS_PER_ACTION,
    action_kinds,
    float_tables,
    none_spot,
    placement_spots,
)

_HEX_PLANES, _LAND_PLANES = 15, 3
_POINTS = FLOURISHING_POINTS  # the network's unit of points: what most cities bring


class Choices(NamedTuple):
    """The legal actions of B rows, padded to M in each.

    Attributes:
        actions: index in the action space, [B, M] int64; -1 for padding.
        logits: [B, M]; minus infinity for padding.
    """

    actions: Tensor
    logits: Tensor


class Network(nn.Module):
    """Logits of the legal actions, and the value for the observing seat.

    Attributes:
        input_size: the width of observations and masks.
        features: the layout of the observations.
        num_hexes: H.
    """

    _scales: Tensor  # [numbers]
    _objective_step: Tensor  # [7]: points for the next city of the objective
    _adjacency: Tensor  # [H, H]
    _land: Tensor  # [spots, 3]
    _region_mean: Tensor  # [6, H]
    _harbor_sea: Tensor  # [6, H]
    _spots: Tensor  # [K, 6]
    _kinds: Tensor  # [A]

    def __init__(self, tables: Tables, num_players: int, width: int = 64) -> None:
        """Builds the network for an edition and a number of players.

        Args:
            tables: the edition's tables; they are constants, neither learned nor saved.
            num_players: P.
            width: units of the hidden layers; embeddings have half as many.
        """
        super().__init__()
        self.input_size = InputSize.of_tables(tables, num_players)
        self.num_hexes, self._none = tables.num_hexes, none_spot(tables)
        self.features = FeatureTable(tables.num_hexes, num_players)
        first = self.features["phase"].start
        self._numbers = slice(first, self.features.size)
        self._add_tables(tables)
        self.search = PlanSearch(tables, self.features)
        half = width // 2
        self.context = nn.Sequential(
            nn.Linear(len(self._scales) + len(OBJECTIVE_POINTS), 2 * width),
            nn.ReLU(),
            nn.Linear(2 * width, width),
        )
        self.hex_in = nn.Linear(_HEX_PLANES + 1 + _LAND_PLANES, half)
        self.hex_context = nn.Linear(width, half, bias=False)
        self.hex_out = nn.Linear(half, half)
        self.hex_score = nn.Linear(half, 1, bias=False)
        self.points_weight = nn.Parameter(torch.tensor(1.0))
        self.kind = nn.Embedding(NUM_KINDS, width)
        self.action_in = nn.Linear(half, width)
        self.action_context = nn.Linear(width, width, bias=False)
        self.action_out = nn.Sequential(
            nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1)
        )
        self.value = nn.Sequential(
            nn.Linear(width + NUM_REGIONS * half, width), nn.ReLU(), nn.Linear(width, 1)
        )

    def _add_tables(self, tables: Tables) -> None:
        """Registers the constants."""
        steps = torch.tensor(OBJECTIVE_POINTS, dtype=torch.float32).diff()
        arrays = {
            "scales": self.features.scales[self._numbers],
            "spots": placement_spots(tables),
            "kinds": action_kinds(tables),
            **float_tables(tables),
        }
        steps = nn.functional.pad(steps / _POINTS, (0, 1))  # there is no seventh city
        self.register_buffer("_objective_step", steps, persistent=False)
        for name, array in arrays.items():
            self.register_buffer(f"_{name}", torch.as_tensor(array), persistent=False)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Choices, Tensor]:
        """Returns the choices and the values [B].

        Args:
            observations: [B, D] uint8.
            masks: [B, A] bool.
        """
        context, embedding, score = self._embed(observations)
        values = self._value(context, embedding)
        best = self.search(observations, score)
        rows, actions = masks.nonzero(as_tuple=True)
        spots = self._spots_of(observations, best, rows, actions)
        where = (rows[:, None] * (self._none + 1) + spots).flatten()
        covered = _look_up(embedding.flatten(0, 1), where)
        summed = covered.view(-1, SPOTS_PER_ACTION, covered.shape[1]).sum(dim=1)
        direct = _look_up(score.flatten(), where).view(-1, SPOTS_PER_ACTION).sum(dim=1)
        hidden = self.action_in(summed) + _look_up(self.action_context(context), rows)
        hidden = hidden + self.kind(self._kinds[actions])
        return _pad(rows, actions, self.action_out(hidden)[:, 0] + direct, masks), values

    def evaluate(self, observations: Tensor) -> Tensor:
        """Returns the values alone, [B]."""
        context, embedding, _ = self._embed(observations)
        return self._value(context, embedding)

    def _view(self, observations: Tensor, name: str) -> Tensor:
        return view(self.features, observations, name)

    def _embed(self, observations: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Returns context [B, width], embeddings [B, spots + 1, half], scores [B, spots + 1].

        The last spot is "none": all zeros.
        """
        cities = self._objective_cities(observations)
        numbers = [
            observations[:, self._numbers] / self._scales,
            nn.functional.one_hot(cities, len(OBJECTIVE_POINTS)),
        ]
        context = torch.relu(self.context(torch.cat(numbers, dim=1)))
        planes = self._planes(observations)
        hidden = self.hex_in(planes) + self.hex_context(context)[:, None]
        embedding = self.hex_out(torch.relu(hidden))
        # Learning starts from points: an untrained network scores an action by its points.
        score = self.hex_score(embedding)[..., 0] + self.points_weight * planes[..., 0]
        pad = nn.functional.pad
        return context, pad(embedding, (0, 0, 0, 1)), pad(score, (0, 1))

    def _planes(self, observations: Tensor) -> Tensor:
        """Returns the features of every spot, [B, spots, planes]; plane 0 is its points."""
        hexes, seas = self._hex_planes(observations), self._sea_planes(observations)
        known = hexes.new_zeros(len(hexes), _HEX_PLANES + 1, self._none)
        known[:, :_HEX_PLANES, : self.num_hexes] = hexes
        known[:, 0, self.num_hexes :] = seas[:, 0]
        known[:, _HEX_PLANES, self.num_hexes :] = seas[:, 1]
        land = self._land.expand(len(hexes), -1, -1)
        return torch.cat([known.transpose(1, 2), land], dim=2)

    def _hex_planes(self, observations: Tensor) -> Tensor:
        """Returns points, contents and surroundings of every hex, [B, 15, H]."""
        fiefs, rings, value, objective = (self._view(observations, name).float() for name in PLANES)
        value = value / _POINTS
        own = (fiefs[:, 0] + rings[:, 0]).clamp(max=1)
        other, other_rings = fiefs[:, 1:].sum(dim=1), rings[:, 1:].sum(dim=1)
        near = torch.stack([own, other, value], dim=1) @ self._adjacency / 3
        held = self._view(observations, "sea_harbors").long()  # [B, P, 6]
        progress = nn.functional.one_hot(held[:, 0], 5)[..., : LEAGUE_HARBORS + 1].transpose(1, 2)
        rivals = (held[:, 1:] == LEAGUE_HARBORS - 1).sum(dim=1, keepdim=True)
        seas = torch.cat([progress, rivals], dim=1).float() @ self._harbor_sea
        seas = seas * (value > 0)[:, None]
        next_city = self._objective_step[self._objective_cities(observations)]
        step = objective * (1 - own) * next_city[:, None]
        planes = [value + step, fiefs[:, 0], rings[:, 0], other, other_rings, value, objective]
        return torch.cat([torch.stack(planes, dim=1), near, seas], dim=1)

    def _objective_cities(self, observations: Tensor) -> Tensor:
        """Returns how many cities of the own objective are held, [B], 0 to 6 (R8.2)."""
        fiefs, rings, _, objective = (self._view(observations, name) for name in PLANES)
        held = (fiefs[:, 0] | rings[:, 0]) & objective
        return held.sum(dim=1).clamp(max=len(OBJECTIVE_POINTS) - 1)

    def _sea_planes(self, observations: Tensor) -> Tensor:
        """Returns features of 1 to 3 more harbors of each sea, [B, 2, 18].

        Plane 0 is the points of the league that they would found, plane 1 the progress to a league.
        """
        held = self._view(observations, "sea_harbors")[:, 0].float()  # [B, 6]
        leagues = self._view(observations, "leagues").float()  # [B, P, 6]
        more = torch.arange(1, LEAGUE_HARBORS + 1, device=held.device)
        near = ((held[..., None] + more) / LEAGUE_HARBORS).clamp(max=1)  # [B, 6, 3]
        near = near * (1 - leagues[:, 0, :, None])
        points = (near == 1) * (LEAGUE_POINTS / _POINTS)
        return torch.stack([points, near], dim=1).flatten(2)

    def _spots_of(
        self, observations: Tensor, best: Tensor, rows: Tensor, actions: Tensor
    ) -> Tensor:
        """Returns the spots of actions, [pairs, 6] (`Placements.row` in torch)."""
        fief = fief_at_hand(self.features, observations)
        per_fief = NUM_ROTATIONS * self.num_hexes
        spatial = actions - NUM_PLANS
        skipped = torch.where(spatial < per_fief, fief[rows], NUM_FIEFS - 1)
        placed = self._spots[(skipped * per_fief + spatial).clamp(min=0)]
        planned = best.flatten(1, 2)[rows, (actions // 2).clamp(max=NUM_PLANS // 2 - 1)]
        return torch.where((spatial < 0)[:, None], planned, placed)

    def _value(self, context: Tensor, embedding: Tensor) -> Tensor:
        regions = (self._region_mean @ embedding[:, : self.num_hexes]).flatten(1)
        return self.value(torch.cat([context, regions], dim=1))[:, 0]


def _look_up(values: Tensor, index: Tensor) -> Tensor:
    """Returns values[index], with gradients summed in a fixed order, unlike with brackets."""
    return values.index_select(0, index)


def _pad(rows: Tensor, actions: Tensor, logits: Tensor, masks: Tensor) -> Choices:
    """Returns pairs (row, action), sorted by row, as padded rows."""
    counts = masks.sum(dim=1)
    place = torch.arange(len(rows), device=rows.device) - (counts.cumsum(0) - counts)[rows]
    shape = (len(masks), int(counts.max()))
    padded_actions = actions.new_full(shape, -1)
    padded_actions[rows, place] = actions
    padded = logits.new_full(shape, -torch.inf)
    return Choices(padded_actions, padded.index_put((rows, place), logits))


def sample(logits: Tensor, deterministic: bool = False) -> Tensor:
    """Returns a column for each row of logits [B, M], drawn from its softmax, or the largest.

    The largest of the logits plus Gumbel noise is distributed as the softmax.
    """
    if deterministic:
        return logits.argmax(dim=1)
    return (logits - torch.empty_like(logits).exponential_().log()).argmax(dim=1)
