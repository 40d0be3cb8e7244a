"""Finds the best action that each plan allows, so that the network can score the plan."""

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
    """Returns the observing seat's fief of this round, [B], from 0."""
    return view(features, observations, "fief")[:, 0].argmax(dim=1)


class PlanSearch(nn.Module):
    """Finds the best placement of this round's fief, or wedding, for each pair of cards.

    The best action on the current map has the highest sum of spot scores, which the network learns.
    Only weddings on cities and harbors are considered.

    Attributes:
        features: the layout of the observations.
    """

    _weddings: Tensor  # [6, L, 6]

    def __init__(self, tables: Tables, features: FeatureTable) -> None:
        """Lists the candidates.

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
    def forward(self, observations: Tensor, score: Tensor) -> Tensor:
        """Returns the spots of the best action for each pair of cards, [B, 7, 3, 6].

        The spots are "none" where no action is legal, and in rows of the placing phase.

        Args:
            observations: [B, D] uint8.
            score: the score of each spot, [B, spots + 1].
        """
        planning = view(self.features, observations, "phase")[:, 0] == 0
        shape = (len(score), NUM_REGION_CARDS, NUM_ACTION_CARDS, SPOTS_PER_ACTION)
        best = torch.full(shape, self._none, device=score.device)
        if planning.any():
            best[planning] = self._best_actions(observations[planning], score[planning])
        return best

    def _best_actions(self, observations: Tensor, score: Tensor) -> Tensor:
        """Does what `forward` does, for rows that are all in the planning phase."""
        best, spots = self._best_placements(observations, score)
        wedding, wedding_spots = self._best_weddings(observations, score)
        better = wedding > best[:, :, ALLIANCE]
        best[:, :, ALLIANCE] = torch.where(better, wedding, best[:, :, ALLIANCE])
        alliances = torch.where(better[..., None], wedding_spots, spots[:, :, ALLIANCE])
        spots[:, :, ALLIANCE] = alliances
        spots[best < _BLOCKED / 2] = self._none
        flourishing = view(self.features, observations, "flourishing")[..., None] > 0
        among = best.masked_fill(flourishing, 2 * _BLOCKED).argmax(dim=1)[:, None, :, None]
        return torch.cat([spots, spots.take_along_dim(among, dim=1)], dim=1)

    def _best_placements(self, observations: Tensor, score: Tensor) -> tuple[Tensor, Tensor]:
        """Returns the best score [B, 6, 3] of a placement by cards, and its spots [.., 6]."""
        fiefs, rings = (view(self.features, observations, name) for name in PLANES[:2])
        score = self._free(score, (fiefs.sum(dim=1) + rings[:, 0]) > 0)  # R4.3
        best = score.new_empty(len(score), NUM_REGIONS, NUM_ACTION_CARDS)
        shape = (*best.shape, SPOTS_PER_ACTION)
        spots = torch.empty(shape, dtype=torch.int64, device=score.device)
        at_hand = fief_at_hand(self.features, observations)
        for fief in sorted(set(at_hand.tolist())):
            rows = (at_hand == fief).nonzero()[:, 0]
            listed = self.get_buffer(f"_candidates_{fief}")  # [18, L, 6]
            # With games as the last axis, each spot is looked up once for all of them.
            scores = score[rows].T[listed.flatten()].view(*listed.shape, len(rows))
            most, chosen = scores.sum(dim=2).max(dim=1)  # [18, games]
            best[rows] = most.T.view(-1, *best.shape[1:])
            found = listed.take_along_dim(chosen[..., None], dim=1)  # [18, games, 6]
            spots[rows] = found.transpose(0, 1).reshape(-1, *spots.shape[1:])
        return best, spots

    def _best_weddings(self, observations: Tensor, score: Tensor) -> tuple[Tensor, Tensor]:
        """Returns the best score [B, 6] of a wedding by region, and its spots [B, 6, 6]."""
        fiefs, rings = (view(self.features, observations, name) for name in PLANES[:2])
        score = self._free(score, (fiefs[:, 0] + rings.sum(dim=1)) > 0)  # R5.4
        scores = score[:, self._weddings].sum(dim=3)  # [B, 6, L]
        num_rings = 1 + (self._weddings[..., 1] != self._none).long()
        stock = view(self.features, observations, "ring_stock")[:, :1, None]
        most, chosen = scores.masked_fill(num_rings > stock, _BLOCKED).max(dim=2)
        regions = torch.arange(NUM_REGIONS, device=score.device)
        return most, self._weddings[regions, chosen]

    def _free(self, score: Tensor, taken: Tensor) -> Tensor:
        """Returns scores [B, spots + 2]; very low on taken hexes [B, H] and on the last spot."""
        taken = nn.functional.pad(taken, (0, NUM_SEA_SPOTS + 1))
        return nn.functional.pad(score.masked_fill(taken, _BLOCKED), (0, 1), value=_BLOCKED)
