"""Gonzaga's facts of choices: those of placements, and of plans by what they open.

A plan is described by the placements that it opens, scored with the same weights, and by those of
the others, who are expected to plan by the same policy without regard to objectives, which are
secret.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.observe import states_from_observations
from gonzaga_env.core.state import PLAN, State, list_plans

from ..arrays import Floats, Indices, Masks, Observations
from .facts import Choices, FactReader, LinearPolicy
from .gonzaga import plans_before
from .gonzaga_features import FeatureReader, highest_of_others
from .gonzaga_scores import (
    CHUNK,
    NUM_COUNTS,
    Candidates,
    by_fief,
    candidate_scores,
    touched_by_candidates,
)
from .gonzaga_seats import (
    BASES,
    DONATION,
    MOST_ADDED,
    NUM_SITE,
    OBJECTIVE,
    PLACEMENT,
    RACE,
    RING,
    STOCK,
    TOUCH,
    FactTables,
    SeatFacts,
    placement_facts,
)

_PLAN = (
    "plan: its best placement, in points",
    "plan: the same, for each other before it in the region",
    "plan: the same, for each other behind it in the region",
    "plan: the same, by the square of others before it",
    "plan: the same, with King's Privilege",
    "plan: what a choice of good placements adds, in points",
    "plan: that choice, for each other before it in the region",
    "plan: each other before it in the region",
    "plan: each other behind it in the region",
    "plan: King's Privilege",  # R3.4
    "plan: King's Privilege, 1/6 for each ring left",
    "plan: King's Privilege, for each other before it in the region",
    "plan: card A",
    "plan: card C",
    "plan: the card of inactive regions",
    "plan: nothing better than a donation",
    "plan: the best with another card in the region, in points",
    "plan: the best with this card in another region, in points",
    "plan: points lost where others are likely to place first",
    "plan: most of its points lost so",
)
_OF_PLACEMENTS = slice(0, len(PLACEMENT))
_OF_PLANS = slice(len(PLACEMENT), len(PLACEMENT) + len(_PLAN))
_REGION = PLAN_CARDS[:, 0]
_SAME_REGION = (_REGION[:, None] == _REGION).astype(np.float32)
_NUM_PAIRS = c.NUM_REGIONS * c.NUM_ACTION_CARDS
_BY_PAIR = -1, c.NUM_REGIONS, c.NUM_ACTION_CARDS
_NEVER = np.float32(-1e4)


class GonzagaFacts(FactReader):
    """Reads the facts of placements and plans (see `FactReader`)."""

    NAMES = (*PLACEMENT, *_PLAN)
    BASES = BASES
    MOMENTS: ClassVar = {
        "early": (1, -0.5, 0, 0, 0),
        "halfway": (1, 0, 0, 0, 0),
        "late": (1, 0.4, 0, 0.5, 0.4),
        "last round": (1, 0.5, 1, 1, 0.5),
    }
    START: ClassVar = {_PLAN[0]: 1.0}
    OPENING, TOGETHER = ("plan",), True
    TRACE = 0.5

    def __init__(self, config: GameConfig) -> None:
        """Takes what is played."""
        super().__init__(config)
        self._tables = config.tables.derived(FactTables)
        self._features = FeatureReader(config.tables, config.rules)

    def read(
        self,
        observations: Observations,
        masks: Masks,
        policy: LinearPolicy,
        rng: np.random.Generator,
    ) -> list[Choices]:
        """See `FactReader.read`."""
        state = states_from_observations(self.config, observations, rng)
        engine = Engine.from_state(self.config, state, copy=False, check=False, autoreset=False)
        return self.read_engine(engine, np.arange(len(masks)), engine.seats, policy)

    def read_engine(
        self, engine: Engine, games: Indices, seats: Indices, policy: LinearPolicy
    ) -> list[Choices]:
        """See `FactReader.read_engine`."""
        found, planning = [], engine.state.phase[games] == PLAN
        if (at := planning.nonzero()[0]).size:
            found.append(self._plans(engine.state, at, games[at], seats[at], policy))
        if (at := (~planning).nonzero()[0]).size:
            seen = self._seen(engine.state, games[at], seats[at])
            considered = self._tables.considered[seen.fiefs]
            rows, actions = engine.legal_actions(games[at], considered)
            facts = placement_facts(self._tables, seen, rows, actions)
            found.append(Choices(at, _OF_PLACEMENTS, rows, actions, facts, seen.bases))
        return found

    def situations(self, engine: Engine, games: Indices) -> tuple[Floats, Floats]:
        """See `FactReader.situations`."""
        own, shared = self._features.read(engine.state.take(games))
        mean = (own.sum(axis=1, keepdims=True) - own) / np.float32(own.shape[1] - 1)
        of_game = np.repeat(shared[:, None], own.shape[1], axis=1)
        seen = np.concatenate([own, mean, highest_of_others(own), of_game], axis=2)
        return np.concatenate([seen, seen * of_game[:, :, :1]], axis=2), shared[:, 0]  # by round

    def _seen(self, state: State, games: Indices, seats: Indices) -> SeatFacts:
        return SeatFacts.read(self._tables, self.config.rules, state, games, seats)

    def _plans(
        self, state: State, asked: Indices, games: Indices, seats: Indices, policy: LinearPolicy
    ) -> Choices:
        """Returns the plans of M seats."""
        tables, num_players = self._tables.tables, state.num_players
        distinct, which = np.unique(games, return_inverse=True)
        everyone = np.repeat(distinct, num_players), np.tile(np.arange(num_players), len(distinct))
        seen = self._seen(state, *everyone)
        rows, plans = list_plans(tables, state, *everyone)
        public = self._open(state, seen, policy, None)
        expected = _plan_facts(seen, public, rows, plans, None)
        choices = Choices(np.arange(len(seen.games)), _OF_PLANS, rows, plans, expected, seen.bases)
        rivals = _Rivals(choices, seen.fiefs.reshape(-1, num_players), policy)
        risk = rivals.risk(public.cells, public.region, tables.num_hexes + 1)
        own = which * num_players + seats
        if len(own) < len(seen.games) or (own != np.arange(len(own))).any():
            seen, risk = seen.take(own), risk[own]
            rows, plans = list_plans(tables, state, games, seats)
        opened = self._open(state, seen, policy, risk)
        facts = _plan_facts(seen, opened, rows, plans, (rivals.before[own], rivals.behind[own]))
        return Choices(asked, _OF_PLANS, rows, plans, facts, seen.bases)

    def _open(
        self, state: State, seen: SeatFacts, policy: LinearPolicy, risk: Floats | None
    ) -> _Opened:
        """Returns what pairs of cards open to M seats on this map.

        Args:
            state: N games.
            seen: what the seats see.
            policy: scores placements.
            risk: how likely others take each hex before a card is played, [M, 3, H + 1]; None for
                what is public, which is scored without objectives.
        """
        worth = _Worth(seen, policy, is_public=risk is None)
        sharp, donation = np.float32(1 / policy.temperature), worth.donation
        best = np.full((_NUM_PAIRS, len(seen.games)), _NEVER, np.float32)
        logs, kept = np.full_like(best, _NEVER), np.full_like(best, _NEVER)
        most_cells, none = self._tables.table.cells.shape[1], self._tables.tables.num_hexes
        cells = np.full((*best.shape, most_cells), none)
        for candidates, key, scores in self._scored(state, seen, worth):
            starts, at = candidates.starts, (candidates.plans[:, None], key)
            most = np.maximum.reduceat(scores, starts, axis=0)
            of_run = most.take(candidates.run, axis=0)
            spread = np.add.reduceat(np.exp((scores - of_run) * sharp), starts, axis=0)
            logs[at] = np.logaddexp(logs[at], most * sharp + np.log(spread))
            is_wedding = candidates is self._tables.table.weddings
            if risk is None and is_wedding:
                cells[at] = np.where((most > best[at])[:, :, None], none, cells[at])
            elif risk is None:
                place = np.maximum.reduceat((scores == of_run) * candidates.place, starts, axis=0)
                gains = (most > donation[key])[:, :, None]
                cells[at] = np.where(gains, candidates.cells.T[place], none)
            elif is_wedding:
                kept[at] = np.maximum(kept[at], most)
            else:
                taken = np.minimum(_sum_of_risks(risk[key], candidates), 1)
                scores -= np.maximum(scores - donation[key], 0) * taken
                kept[at] = np.maximum.reduceat(scores, starts, axis=0)
            best[at] = np.maximum(best[at], most)
        flourishing = self._tables.tables.flourishing[state.scenario[seen.games]]
        best, region = _by_region(best, donation, flourishing, np.maximum)
        kept, _ = _by_region(kept, donation, flourishing, np.maximum)
        logs, _ = _by_region(logs, donation * sharp, flourishing, np.logaddexp)
        more, lost = logs / sharp - best, best - kept
        return _Opened(best - donation[:, None, None], more, lost, cells, region, flourishing)

    def _scored(
        self, state: State, seen: SeatFacts, worth: _Worth
    ) -> Iterator[tuple[Candidates, Indices, Floats]]:
        """Yields candidates, m of the seats and scores, [T, m]: each fief's, then weddings."""
        table, seats = self._tables.table, (seen.games, seen.seats)
        for fief, key, blocked in by_fief(self._tables.tables, state, *seats, seen.fiefs):
            yield table.fiefs[fief], key, worth.scores(key, table.fiefs[fief], blocked)
        able = seen.stock.nonzero()[0]
        for start in range(0, len(able), CHUNK):
            key = able[start : start + CHUNK]
            blocked = state.ring_blocked[seen.games[key], seen.seats[key]]  # R5.4
            scores = worth.scores(key, table.weddings, blocked)
            two = table.weddings.num_rings > 1
            scores += np.where(two[:, None], worth.rings[key, 1], worth.rings[key, 0])
            scores[two] += _NEVER * (seen.stock[key] < 2)
            scores[self._tables.unlikely] = _NEVER
            yield table.weddings, key, scores


class _Worth:
    """What M seats' weights make of what placements cover and touch, in points."""

    def __init__(self, seen: SeatFacts, policy: LinearPolicy, *, is_public: bool) -> None:
        self.seen, num_seats = seen, len(seen.games)
        weights = seen.bases @ policy.weights[_OF_PLACEMENTS].T  # [M, F]
        of_sites = weights[:, :NUM_SITE].copy()
        for secret in OBJECTIVE if is_public else ():
            of_sites[:, secret] = 0
        self.sites = np.matmul(seen.sites, of_sites[:, :, None])[:, :, 0]  # [M, S + 1]
        of_stages = weights[:, NUM_SITE:TOUCH].reshape(num_seats, -1, MOST_ADDED)
        by_sea = of_stages[np.arange(num_seats)[:, None], seen.stages]
        by_count = np.pad(by_sea, ((0, 0), (0, 0), (1, NUM_COUNTS - MOST_ADDED - 1)), mode="edge")
        by_count[:, :, 0] = 0
        self.seas = by_count.reshape(num_seats, -1)  # of 0 to 4 harbors, [M, 6 * 5]
        touched = weights[:, TOUCH:RACE] + weights[:, RACE:DONATION] * seen.lead[:, None]
        self.touched = np.pad(touched, ((0, 0), (1, 0)))  # see `near_pieces`, [M, 4]
        spent = weights[:, STOCK] * (seen.stock / c.NUM_RINGS).astype(np.float32)
        # Of a wedding with 1 ring and with 2, [M, 2].
        self.rings = weights[:, RING:STOCK] + spent[:, None] * np.array([1, 2], np.float32)
        self.donation = weights[:, DONATION]  # [M]

    def scores(self, key: Indices, candidates: Candidates, blocked: Words) -> Floats:
        """Returns the scores of candidates to m of the seats, without rings, [T, m]."""
        scores = candidate_scores(self.sites[key], self.seas[key], candidates)
        by_touched = np.ascontiguousarray(self.touched[key].T).reshape(-1)
        places = touched_by_candidates(self.seen.near[key], candidates).astype(np.int32)
        places *= np.int32(len(key))
        places += np.arange(len(key), dtype=np.int32)
        scores += by_touched.take(places)
        is_blocked = bits.unpack(blocked, blocked.shape[1] * 64).T[candidates.number]
        return scores + is_blocked * _NEVER


@dataclass
class _Opened:
    """What each pair of a region card and an action card opens to M seats, in points."""

    best: Floats  # of the best placement, above a donation, [M, 7, 3]
    more: Floats  # what the soft maximum of all adds, [M, 7, 3]
    lost: Floats  # of the best, where others may place before, [M, 7, 3]
    cells: Indices  # of the best placement; H for none or a wedding, [18, M, C]
    region: Indices  # the region of the best placement in inactive regions, [M, 3]
    flourishing: NDArray[np.bool_]  # [M, 6]


def _by_region(
    pairs: Floats, donation: Floats, flourishing: NDArray[np.bool_], union: np.ufunc
) -> tuple[Floats, Indices]:
    """Returns scores [18, M], a donation included, by cards, [M, 7, 3], and inactive regions.

    The last region card stands for all inactive regions (R4.1), which `union` unites; the second
    array is the best of these, [M, 3].
    """
    scores = union(pairs, donation).T.reshape(_BY_PAIR)
    inactive = np.where(flourishing[:, :, None], donation[:, None, None], scores)
    united = union.reduce(inactive, axis=1, keepdims=True)
    return np.append(scores, united, axis=1), inactive.argmax(axis=1)


def _sum_of_risks(risk: Floats, candidates: Candidates) -> Floats:
    """Returns the sums of risks [m, 3, H + 1] over the hexes of candidates, [T, m]."""
    by_hex = np.ascontiguousarray(risk.reshape(len(risk), -1).T)
    first = (candidates.plans % c.NUM_ACTION_CARDS * risk.shape[2])[candidates.run]
    total = by_hex.take(candidates.cells[0] + first, axis=0)
    for cells in candidates.cells[1:]:
        total += by_hex.take(cells + first, axis=0)
    return total


def _plan_facts(
    seen: SeatFacts,
    opened: _Opened,
    rows: Indices,
    plans: Indices,
    rivals: tuple[Floats, Floats] | None,
) -> Floats:
    """Returns the facts of plans [L] of M seats, [L, F].

    `rivals` are others expected before and behind each plan, [M, 42] each; None for what is public.
    """
    region, card, privilege = PLAN_CARDS[plans].T
    pair = rows, region, card
    best, more = opened.best[pair], opened.more[pair]
    before = behind = lost = np.zeros_like(best)
    if rivals is not None:
        before, behind = (expected[rows, plans] for expected in rivals)
        lost = opened.lost[pair] * (1 - privilege)
    few = np.minimum(before, np.float32(1.5))
    in_hand = np.pad(opened.flourishing, ((0, 0), (0, 1)), constant_values=True)
    gains = np.where(in_hand[:, :, None], opened.best, 0)
    second, top = np.moveaxis(np.sort(gains, axis=1)[:, -2:, None], 1, 0)
    columns = (
        best,
        best * few,
        best * np.minimum(behind, 1.5),
        best * few**2,
        best * privilege,
        more,
        more * before,
        before,
        behind,
        privilege,
        privilege * seen.stock[rows] / c.NUM_RINGS,
        privilege * before,
        card == c.HARBORS,
        card == c.ALLIANCE,
        region == c.INACTIVE_CARD,
        best <= 1e-6,
        np.sort(gains, axis=2)[rows, region, 1],
        np.where(gains >= top, second, top)[pair],
        lost,
        (lost > best / 2) & (best > 0.5),
    )
    return np.stack(columns, axis=1).astype(np.float32)


class _Rivals:
    """The plans that are expected of all seats of G games, and what others expect of them.

    Attributes:
        before, behind: others expected in a plan's region before and behind it, [G * P, 42].
    """

    def __init__(self, choices: Choices, fiefs: Indices, policy: LinearPolicy) -> None:
        """Takes the plans of all seats, and their fiefs, [G, P]."""
        num_games, num_players = fiefs.shape
        plans = np.zeros((num_games * num_players, NUM_PLANS), np.float32)
        scores = choices.scores(policy)
        plans[choices.rows, choices.actions] = choices.probabilities(scores, policy.temperature)
        numbers = fiefs * num_players + np.arange(num_players)  # of fief cards (R1.7)
        # Whether another one has the lower number, which breaks ties (R3.5), [G, mine, other].
        self._wins = (numbers[:, None] < numbers[:, :, None]).astype(np.float32)
        self._plans = plans.reshape(num_games, num_players, NUM_PLANS)
        loses, wins = (self._plans @ is_before for is_before in plans_before())
        before = self._of_others(loses) + self._wins @ (wins - loses)
        behind = self._of_others(self._plans @ _SAME_REGION) - before
        self.before, self.behind = before.reshape(plans.shape), behind.reshape(plans.shape)

    @staticmethod
    def _of_others(by_seat: Floats) -> Floats:
        """Returns the sum over the other seats, [G, P, ...]."""
        others: Floats = by_seat.sum(axis=1, keepdims=True) - by_seat
        return others

    def risk(self, cells: Indices, region: Indices, num_cells: int) -> Floats:
        """Returns how likely others take hexes before a seat plays a card, [G * P, 3, H + 1].

        The arguments are those of `_Opened`, and H + 1.
        """
        num_games, num_players, _ = self._plans.shape
        num_seats = num_games * num_players
        by_cards = self._plans.reshape(num_seats, c.NUM_REGION_CARDS, c.NUM_ACTION_CARDS, 2)
        by_region, each = by_cards[:, :-1].copy(), np.arange(num_seats)
        for card in range(c.NUM_ACTION_CARDS):
            by_region[each, region[:, card], card] += by_cards[:, -1, card]
        # By action card, with King's Privilege before them: as they go (R3.5).
        taken = np.zeros((1 + c.NUM_ACTION_CARDS, num_seats, num_cells), np.float32)
        for pair, places in enumerate(cells):
            of_region, card = divmod(pair, c.NUM_ACTION_CARDS)
            for cell in places.T:
                taken[1 + card, each, cell] += by_region[:, of_region, card, 0]
                taken[0, each, cell] += by_region[:, of_region, card, 1]
        taken[..., -1] = 0
        risk = np.empty((num_games, num_players, c.NUM_ACTION_CARDS, num_cells), np.float32)
        earlier = np.zeros((num_games, num_players, num_cells), np.float32)
        by_card = taken.reshape(-1, num_games, num_players, num_cells)
        for card, ties in enumerate(by_card[1:]):
            earlier += by_card[card]
            risk[:, :, card] = self._of_others(earlier) + self._wins @ ties
        return risk.reshape(num_seats, c.NUM_ACTION_CARDS, num_cells)
