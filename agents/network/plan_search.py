"""Looks for the best action that a plan would allow, so that the network can judge the plan."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import (
    ALLIANCE,
    NUM_ACTION_CARDS,
    NUM_FIEFS,
    NUM_REGION_CARDS,
    NUM_REGIONS,
)
from gonzaga_env.core.observation.features import FeatureTable

from .tables import (
    NUM_SEA_SPOTS,
    SPOTS_PER_ACTION,
    candidates,
    none_spot,
    placement_spots,
    weddings,
)

PLANES = ("fiefs", "rings", "value", "objective")
_BLOCKED = -1e3


def view(features: FeatureTable, observations: Tensor, name: str) -> Tensor:
    """Returns one feature [B, *shape] of observations [B, D]."""
    feature = features[name]
    return observations[:, feature.slice].reshape(-1, *feature.shape)


def fief_at_hand(features: FeatureTable, observations: Tensor) -> Tensor:
    """Returns this round's own fief, [B], from 0."""
    return view(features, observations, "fief")[:, 0].argmax(dim=1)


class PlanSearch(nn.Module):
    """Finds the best placement of this round's fief, or wedding, for each pair of cards.

    Best by the worth of the spots taken (the network learns it), were all to stay as it is till the
    seat acts. Of weddings only those on cities and harbors are looked at.

    Attributes:
        features: the layout of the observations.
    """

    _weddings: Tensor  # [6, L, 6]

    def __init__(self, tables: Tables, features: FeatureTable) -> None:
        """Prepares the lists to choose from.

        Args:
            tables: the edition's tables.
            features: the layout of the observations.
        """
        super().__init__()
        self.features, self._none = features, none_spot(tables)
        spots = placement_spots(tables)
        lists = {f"_candidates_{i}": candidates(tables, spots, i) for i in range(NUM_FIEFS)}
        for name, array in (lists | {"_weddings": weddings(tables, spots)}).items():
            self.register_buffer(name, torch.as_tensor(array), persistent=False)

    @torch.no_grad()
    def forward(self, observations: Tensor, worth: Tensor) -> Tensor:
        """Returns the spots of the best action that each pair of cards allows, [B, 7, 3, 6].

        All none where nothing is allowed, and in rows that place.

        Args:
            observations: [B, D] uint8.
            worth: what each spot is worth, [B, spots + 1].
        """
        planning = view(self.features, observations, "phase")[:, 0] == 0
        shape = (len(worth), NUM_REGION_CARDS, NUM_ACTION_CARDS, SPOTS_PER_ACTION)
        best = torch.full(shape, self._none, device=worth.device)
        if planning.any():
            best[planning] = self._best_actions(observations[planning], worth[planning])
        return best

    def _best_actions(self, observations: Tensor, worth: Tensor) -> Tensor:
        """Returns what `forward` does, for rows that all plan."""
        best, spots = self._best_placements(observations, worth)
        wed, wed_spots = self._best_weddings(observations, worth)
        better = wed > best[:, :, ALLIANCE]
        best[:, :, ALLIANCE] = torch.where(better, wed, best[:, :, ALLIANCE])
        alliances = torch.where(better[..., None], wed_spots, spots[:, :, ALLIANCE])
        spots[:, :, ALLIANCE] = alliances
        spots[best < _BLOCKED / 2] = self._none
        flourishing = view(self.features, observations, "flourishing")[..., None] > 0
        among = best.masked_fill(flourishing, 2 * _BLOCKED).argmax(dim=1)[:, None, :, None]
        return torch.cat([spots, spots.take_along_dim(among, dim=1)], dim=1)

    def _best_placements(self, observations: Tensor, worth: Tensor) -> tuple[Tensor, Tensor]:
        """Returns the most worth [B, 6, 3] of the fief at hand by cards, and its spots [.., 6]."""
        fiefs, rings = (view(self.features, observations, name) for name in PLANES[:2])
        worth = self._free(worth, (fiefs.sum(dim=1) + rings[:, 0]) > 0)  # R4.3
        best = worth.new_empty(len(worth), NUM_REGIONS, NUM_ACTION_CARDS)
        shape = (*best.shape, SPOTS_PER_ACTION)
        spots = torch.empty(shape, dtype=torch.int64, device=worth.device)
        at_hand = fief_at_hand(self.features, observations)
        for fief in sorted(set(at_hand.tolist())):
            rows = (at_hand == fief).nonzero()[:, 0]
            listed = self.get_buffer(f"_candidates_{fief}")  # [18, L, 6]
            # Games last, so that each spot is looked up once for all of them.
            worths = worth[rows].T[listed.flatten()].view(*listed.shape, len(rows))
            most, chosen = worths.sum(dim=2).max(dim=1)  # [18, games]
            best[rows] = most.T.view(-1, *best.shape[1:])
            found = listed.take_along_dim(chosen[..., None], dim=1)  # [18, games, 6]
            spots[rows] = found.transpose(0, 1).reshape(-1, *spots.shape[1:])
        return best, spots

    def _best_weddings(self, observations: Tensor, worth: Tensor) -> tuple[Tensor, Tensor]:
        """Returns the most worth [B, 6] of weddings on sites by region, and its spots [B, 6, 6]."""
        fiefs, rings = (view(self.features, observations, name) for name in PLANES[:2])
        worth = self._free(worth, (fiefs[:, 0] + rings.sum(dim=1)) > 0)  # R5.4
        worths = worth[:, self._weddings].sum(dim=3)  # [B, 6, L]
        num_rings = 1 + (self._weddings[..., 1] != self._none).long()
        stock = view(self.features, observations, "ring_stock")[:, :1, None]
        most, chosen = worths.masked_fill(num_rings > stock, _BLOCKED).max(dim=2)
        regions = torch.arange(NUM_REGIONS, device=worth.device)
        return most, self._weddings[regions, chosen]

    def _free(self, worth: Tensor, taken: Tensor) -> Tensor:
        """Returns worths [B, spots + 2] with what is taken [B, H], and the last, out of reach."""
        taken = nn.functional.pad(taken, (0, NUM_SEA_SPOTS + 1))
        return nn.functional.pad(worth.masked_fill(taken, _BLOCKED), (0, 1), value=_BLOCKED)
