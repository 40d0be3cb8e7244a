"""The scene of Gonzaga: hexes, what placements cover, and which placements a plan opens."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.actions import NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.board.placements import barrier_mask
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import NUM_ACTION_CARDS, NUM_REGIONS, NUM_SEAS

from ..arrays import Floats, Indices, Masks, Observations
from ..heuristics.gonzaga_scores import Candidates, CandidateTables, candidate_tables
from .scene import Openings, Plane, Scene

# Words: none, region cards, action cards, the privilege, and the kinds of placements.
_REGION, _ACTION, _PRIVILEGE, _FIEF, _RING, _RINGS, _DONATION = 1, 8, 11, 12, 13, 14, 15
_FIEFS, _ONE_RING, _TWO_RINGS = range(3)  # sheets of what is closed
_NUM_GROUPS = NUM_REGIONS * NUM_ACTION_CARDS


def scene(config: GameConfig) -> Scene:
    """Returns the scene of a configuration."""
    tables, table = config.tables, candidate_tables(config.tables)
    num_hexes, features = tables.num_hexes, config.features
    most_inactive = int((~tables.flourishing).sum(axis=1).max(initial=1))  # regions of that card

    def fiefs(observations: Observations) -> Indices:
        return features.view(observations, "fief")[:, 0].argmax(axis=1)

    def covers(observations: Observations, rows: Indices, actions: Indices) -> Indices:
        spatial = actions - NUM_PLANS
        row = tables.placements.row(fiefs(observations)[rows], np.maximum(spatial, 0))
        return np.where(spatial[:, None] < 0, num_hexes, table.cells[row])

    def closed(observations: Observations) -> tuple[Indices, Masks]:
        held = features.view(observations, "fiefs").astype(np.bool_)
        rings = features.view(observations, "rings").astype(np.bool_)
        found = np.zeros((len(observations), 3, num_hexes + 1), np.bool_)
        found[:, _FIEFS, :-1] = held.any(axis=1) | rings[:, 0]  # R4.3
        found[:, _ONE_RING:, :-1] = (held[:, 0] | rings.any(axis=1))[:, None]  # R5.4
        stock = features.view(observations, "ring_stock")[:, :1]
        found[:, _ONE_RING:, -1] = stock < (1, 2)  # R5.1
        return fiefs(observations), found

    def opened(observations: Observations, rows: Indices, actions: Indices) -> Indices:
        """A plan opens the placements of its region, or of all that do not flourish (R4.1)."""
        region, card, _ = PLAN_CARDS[np.minimum(actions, NUM_PLANS - 1)].T
        groups = np.full((len(rows), NUM_REGIONS), _NUM_GROUPS)
        groups[:, 0] = region * NUM_ACTION_CARDS + card
        inactive = (region == NUM_REGIONS).nonzero()[0]
        flourishing = features.view(observations, "flourishing")[rows[inactive]] > 0
        each = np.arange(NUM_REGIONS) * NUM_ACTION_CARDS + card[inactive, None]
        groups[inactive] = np.where(flourishing, _NUM_GROUPS, each)
        groups[actions >= NUM_PLANS] = _NUM_GROUPS
        groups.sort(axis=1)
        return groups[:, :most_inactive]

    harbor_sea, region = tables.harbor_sea[:-1], np.minimum(tables.region[:-1], NUM_REGIONS)

    def more(observations: Observations) -> tuple[NDArray[np.generic], ...]:
        """Returns what is held of the objective, and what seas and regions say of their hexes."""
        view = partial(features.view, observations)
        held = view("fiefs") | view("rings")
        objective, lost = view("objective"), view("fiefs")[:, 1:].max(axis=1)
        harbors, leagues = _of_none(view("sea_harbors")), _of_none(view("leagues"))
        plans = _of_none(view("plan")[:, 1:, :NUM_REGIONS].sum(axis=1, dtype=np.uint8))
        before = _of_none(view("previous_plan")[:, 0, :NUM_REGIONS])
        return (
            held[:, 0] & objective,
            lost & objective,
            harbors[:, 0, harbor_sea],
            leagues[:, 0, harbor_sea],
            harbors[:, 1:].max(axis=1)[:, harbor_sea],
            leagues[:, 1:].max(axis=1)[:, harbor_sea],
            plans[:, region],
            before[:, region],
        )

    cells, words = _openings(table)
    return Scene(
        planes=(
            Plane("fiefs", num_hexes, seats=True),
            Plane("rings", num_hexes, seats=True),
            Plane("fief_number", num_hexes),
            Plane("value", num_hexes),
            Plane("objective", num_hexes),
        ),
        static=_static(config),
        near=_near(table),
        landmarks=table.site_cells,
        words=_words(config),
        covers=covers,
        openings=Openings(cells, words, words == 0, closed, opened),
        more=more,
        more_scales=(1, 1, 4, 1, 4, 1, config.num_players, 1),
    )


def _of_none(found: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns what is said of seas or regions, and 0 of none, [..., n + 1]."""
    return np.concatenate([found, np.zeros_like(found[..., :1])], axis=-1)


def _static(config: GameConfig) -> Floats:
    """Returns what each hex is, [H, F]: region, sea, city, harbor of a sea, barriers."""
    tables = config.tables
    columns = (
        tables.region[:-1, None] == np.arange(NUM_REGIONS),
        tables.sea[:-1, None] == np.arange(NUM_SEAS),
        tables.city_mask[:, None],
        tables.harbor_sea[:-1, None] == np.arange(NUM_SEAS),
        (tables.harbor_sea[:-1] < NUM_SEAS)[:, None],
        barrier_mask(tables.edition)[:-1],
    )
    return np.hstack(columns).astype(np.float32)


def _near(table: CandidateTables) -> tuple[Indices, ...]:
    """Returns the hexes at distance 1 and 2 of each, [1, H, n]; H for none."""
    num_hexes, beside = len(table.neighbors) - 1, table.neighbors
    beyond = np.full((num_hexes, 12), num_hexes)
    for cell in range(num_hexes):
        reached = np.setdiff1d(beside[beside[cell]], [*beside[cell], cell, num_hexes])
        beyond[cell, : len(reached)] = reached
    return beside[None, :-1], beyond[None]


def _words(config: GameConfig) -> Indices:
    """Returns the words of each action, [A, 3]."""
    actions = config.actions
    words = np.zeros((actions.size, 3), np.int64)
    region, card, privilege = PLAN_CARDS.T
    words[:NUM_PLANS] = np.stack([_REGION + region, _ACTION + card, _PRIVILEGE * privilege], axis=1)
    for block, word in ((actions.fief, _FIEF), (actions.ring, _RING), (actions.rings, _RINGS)):
        words[block, 0] = word
    words[actions.donate, 0] = _DONATION
    return words


def _openings(table: CandidateTables) -> tuple[Indices, Indices]:
    """Returns cells and words of openings: what covers a city or harbor, and donations."""
    listed = [_listed(table, fief) for fief in table.fiefs]
    most = max(int(np.bincount(groups).max()) for groups, _, _ in listed)
    cells = np.full((len(listed), _NUM_GROUPS, most, 4), len(table.neighbors) - 1)
    words = np.zeros((len(listed), _NUM_GROUPS, most), np.int64)
    for fief, (groups, needed, named) in enumerate(listed):
        rank = np.arange(len(groups)) - np.searchsorted(groups, groups)
        cells[fief, groups, rank], words[fief, groups, rank] = needed, named
    return cells, words


def _listed(table: CandidateTables, fief: Candidates) -> tuple[Indices, Indices, Indices]:
    """Returns the group of each opening of a fief, ascending, and its cells and word."""
    num_cells = len(table.neighbors)
    groups = [np.arange(_NUM_GROUPS)]  # a donation in each
    cells = [np.full((_NUM_GROUPS, 4), num_cells - 1)]
    words = [np.full(_NUM_GROUPS, _DONATION)]
    for found in (fief, table.weddings):
        sheet = found.num_rings  # 0 for a fief
        groups.append(found.plans[found.run])
        needed = np.full((len(sheet), 4), num_cells - 1)  # fiefs of small editions are smaller
        needed[:, : len(found.cells)] = found.cells.T + num_cells * sheet[:, None]
        cells.append(needed)
        words.append(_FIEF + sheet)
    group = np.concatenate(groups)
    order = group.argsort(kind="stable")
    return group[order], np.concatenate(cells)[order], np.concatenate(words)[order]
