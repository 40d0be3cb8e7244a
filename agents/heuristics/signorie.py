"""Scores of actions in VP, by rules of thumb: all decisions of a batch at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig

from ..agent import WeighingAgent
from ..arrays import Floats, Observations
from .signorie_view import SeatView

NEVER = np.float32(-1e4)
_AHEAD = 2  # initiative slots that such a die brings
FACES = np.arange(1, c.NUM_FACES + 1)
_HALVES = (FACES + 1) // 2  # of dice, in VP
_COUNTED_HELPERS, _COUNTED_BRIDES, _COUNTED_CITIES, _COUNTED_TILES, _COUNTED_MALES = range(5)


@dataclass(frozen=True)
class Weights:
    """Values of things in the middle of the game, in VP; by default, the planner's.

    The defaults were found by regression on games among copies with random changes of them.

    Attributes:
        florin, male, female: one of these; less the more one has, and nothing at the end.
        purse, family: Florins, and meeples of a sex, at which they are worth half.
        late: a Florin at the end.
        horizon: dice before the end from which on things are worth less.
        slot: a step on a career, besides its VP.
        end: the part of what S12.1 scores that is counted.
        sent: the part of a slot's VP that is expected from a later mission (S8.2).
        missions: missions a round that are expected; more males than these promise nothing.
        row_1, row_2: the part of its fronts that a row of one or two tiles is worth (S12.2).
        tile, mission, marriage, track, disc: what helpers will give: a face-down tile, a mission,
            a marriage, a point on a track, an initiative point.
        used: how often a round helpers are used.
        step: an initiative point, besides VP.
        climb: the chance that a later die of the round moves the own disc up.
        reward: the part of a reward that is counted (S11.3).
        bride: a bride, besides VP.
        die: what each of the dice to be taken later adds to the sum, as expected.
        spread: how uncertain that is.
        other: the part of the best actions of other colors that is counted for dice to come.
        criterion: the part of what VP tiles will score that is counted now (S11.5).
    """

    florin: float = 2.59
    male: float = 1.04
    female: float = 2.18
    purse: float = 5.85
    family: float = 6.02
    late: float = 0.144
    horizon: float = 7.04
    slot: float = 0.0941
    end: float = 0.807
    sent: float = 0.754
    missions: float = 2.31
    row_1: float = 0.575
    row_2: float = 0.959
    tile: float = 0.981
    mission: float = 1.68
    marriage: float = 1.68
    track: float = 3.86
    disc: float = 0.504
    used: float = 0.719
    step: float = 0.179
    climb: float = 0.0828
    reward: float = 0.78
    bride: float = 1.98
    die: float = 3.05
    spread: float = 1.44
    other: float = 0.462
    criterion: float = 0.5


class Values:
    """Values of things to M seats; all arrays begin with [M]."""

    def __init__(self, seat: SeatView, weights: Weights) -> None:
        self.seat, self.weights = seat, w = seat, weights
        self.rest = seat.turns_left - (seat.kind == c.MAIN)
        self.soon = np.clip(self.rest / w.horizon, 0, 1)
        self.florin = w.late + (w.florin - w.late) * self.soon / (1 + seat.florins / w.purse)
        worth = np.array([w.male, w.female]) / (1 + seat.supply / w.family)
        self.meeples = worth * self.soon[:, None]  # [M, 2]
        self.offspring = self.meeples.sum(axis=1) * (1 + seat.brides) / 2
        self.counted = self._counted()
        self.careers = self._careers()
        self.points = self._points()
        begun = np.multiply.outer(self.soon, (0, w.row_1, w.row_2))
        self.rows = np.pad(begun, ((0, 0), (0, 1)), constant_values=1)  # by number of tiles
        self.offers = self._gains(self.seat.offered) * (self.seat.offered > 0)
        self.face_down = self._gains(np.ones((len(seat), c.NUM_ROWS, 1)))[..., 0]
        self.missions, self.marriages = self._missions(), self._marriages()
        self.future = self._future()
        self._parts: dict[tuple[int, int], Floats] = {}

    def _counted(self) -> Floats:
        """Returns what one more of each thing that VP tiles count is worth, [M, 5] (S11.5)."""
        seat = self.seat
        last = c.BONUS_ROUNDS + 1 + np.arange(2)
        first = (seat.round[:, None] <= last) & (last <= seat.config.edition.num_rounds)
        return self.weights.criterion * np.einsum("mtc,mt->mc", seat.criteria, first)

    def _careers(self) -> Floats:
        """Returns what a male on each career slot is worth, [M, K] (S8.2, S12.1)."""
        seat, w, vp = self.seat, self.weights, np.array(self.seat.config.edition.slot_vp)
        males = 1 + seat.careers.sum(axis=(1, 2))
        expected = np.minimum(w.missions * self.rest / 4 / males, 1) * w.sent
        end = w.end * (vp // 2)
        found: Floats = end + expected[:, None] * (vp - end) + w.slot * np.arange(len(vp))
        return (found + self.counted[:, _COUNTED_MALES, None]).astype(np.float32)

    def steps(self, number: int | NDArray[np.int64]) -> Floats:
        """Returns what moving the own disc up is worth, [M] (S11.1)."""
        seat, vp = self.seat, np.array(self.seat.config.edition.initiative_vp)
        reached = np.minimum(seat.initiative + number, len(vp) - 1)
        ahead = np.pad(vp, (0, _AHEAD), mode="edge")[_AHEAD:] - vp
        hope = self.weights.climb * seat.dice_left
        beside = self.weights.step * self.soon * (reached - seat.initiative)
        found: Floats = vp[reached] - vp[seat.initiative] + beside
        return found + hope * (ahead[reached] - ahead[seat.initiative])

    def _points(self) -> Floats:
        """Returns what each point of the careers' tracks is worth, [M, 3, K] (S9)."""
        seat, edition, worth = self.seat, self.seat.config.edition, self.careers
        arriving = self.florin[:, None] * edition.slot_florins
        arriving += np.stack([self.steps(n) for n in edition.slot_initiative], axis=1)
        gains = np.diff(worth, axis=1, prepend=self.meeples[:, c.MALE, None]) + arriving
        found: Floats = np.repeat(gains[:, None], c.NUM_CAREERS, axis=1)
        able = np.empty(found.shape, np.bool_)
        able[:, :, 0], able[:, :, 1:] = (
            seat.supply[:, c.MALE, None] > 0,
            seat.careers[:, :, :-1] > 0,
        )
        return np.where(able, found, NEVER)

    def _gains(self, values: NDArray[np.floating]) -> Floats:
        """Returns what tiles of some VP [M, 4, C] are worth in each row (S12.2)."""
        seat, rows = self.seat, np.arange(len(self.seat))[:, None]
        now, then = (self.rows[rows, np.minimum(seat.tiles + n, c.ROW_SIZE)] for n in range(2))
        fronts = seat.row_vp + seat.face_down
        gain = then[..., None] * values + ((then - now) * fronts)[..., None]
        return gain + self.counted[:, _COUNTED_TILES, None, None]

    def _missions(self) -> Floats:
        """Returns what each mission is worth, [M, 3, K, 5]; very little where it is impossible."""
        seat, edition = self.seat, self.seat.config.edition
        gain = np.array(edition.slot_vp) - self.careers + self.counted[:, _COUNTED_CITIES, None]
        ranks = np.array(edition.ranks)
        able = (seat.careers > 0)[..., None] & (ranks[:, None] >= seat.lowest[:, None, None])
        found: Floats = gain[:, None, :, None] + self.offers[:, : c.NUM_CAREERS, None]
        return np.where(able, found, NEVER)

    def _marriages(self) -> Floats:
        """Returns what each marriage is worth, [M, 5, 4]; very little where it is impossible."""
        seat, dowries = self.seat, np.arange(1, c.MAX_DOWRY + 1)
        able = (dowries >= seat.lowest[..., None]) & (dowries <= seat.florins[:, None, None])
        able &= seat.supply[:, c.FEMALE, None, None] > 0
        paid = (c.VP_PER_FLORIN - self.florin)[:, None] * dowries
        lost = self.counted[:, _COUNTED_CITIES] - self.meeples[:, c.FEMALE]
        found: Floats = paid[:, None] + (self.offers[:, c.MARRIAGE_ROW] + lost[:, None])[..., None]
        return np.where(able, found, NEVER)

    def _future(self) -> Floats:
        """Returns what a helper on each slot will bring, [M, 5, H] (S6.3)."""
        seat, w, edition = self.seat, self.weights, self.seat.config.edition
        worth = np.zeros((len(seat), len(c.OPS)), np.float32)
        worth[:, c.FLORINS], worth[:, c.VP], worth[:, c.HALF_DIE_VP] = self.florin, 1, 2
        worth[:, c.ADD_MALE], worth[:, c.ADD_FEMALE] = self.meeples.T
        worth[:, [c.MISSION_OP, c.MARRIAGE_OP]] = w.mission, w.marriage
        worth[:, [c.TRACKS, c.TILE, c.INITIATIVE]] = w.track, w.tile, w.disc
        worth[:, c.OFFSPRING] = self.offspring
        size = edition.first_assignment - c.NUM_COLORS
        effects = np.zeros((len(c.OPS), size), np.float32)
        for place, effect in enumerate(edition.effects[c.NUM_COLORS : c.NUM_COLORS + size]):
            for op, number in effect:
                effects[op, place] += number
        this = (seat.placed == 0) * np.minimum(seat.dice_left - 1, 1).clip(0)[:, None]
        times = w.used * (edition.num_rounds - seat.round[:, None] + this)  # [M, 5]
        found: Floats = (worth @ effects).reshape(seat.helpers.shape) * times[..., None]
        found += self.counted[:, _COUNTED_HELPERS, None, None]
        return np.where(seat.helpers, NEVER, found)

    def part(self, op: int, number: int) -> Floats:
        """Returns what a part of an effect is worth now, [M]; 0 where it has no effect."""
        if (op, number) not in self._parts:
            each = self.each.get(op)
            self._parts[op, number] = self._part(op, number) if each is None else each * number
        return self._parts[op, number]

    @cached_property
    def each(self) -> dict[int, Floats]:
        """The parts of an effect that are always worth the same, [M]."""
        return {
            c.FLORINS: self.florin,
            c.VP: np.ones_like(self.florin),
            c.HALF_DIE_VP: np.zeros_like(self.florin),
            c.MISSION_OP: _or_nothing(self.missions),
            c.MARRIAGE_OP: _or_nothing(self.marriages),
            c.OFFSPRING: self.offspring,
            c.FREE_HELPER_OP: _or_nothing(self.future),
        }

    def _part(self, op: int, number: int) -> Floats:
        seat = self.seat
        if op in (c.ADD_MALE, c.ADD_FEMALE):
            sex = op - c.ADD_MALE
            return self.meeples[:, sex] * np.minimum(seat.stock[:, sex], number)
        if op == c.TILE:
            return self.face_down.max(axis=1) * np.minimum(seat.deck_size, number)
        if op == c.THRESHOLD:
            left = seat.dice_left - (seat.kind == c.MAIN)
            return self.rewarded(seat.slack + number, left) - self.rewarded(seat.slack, left)
        best = self.points.max(axis=(1, 2)).clip(0) * (op == c.TRACKS)
        return np.maximum(best * number, self.steps(number))

    def effect(self, index: int, times: int = 1) -> Floats:
        """Returns what a repeated effect is worth, [M], without half the die."""
        found = np.zeros(len(self.seat), np.float32)
        for op, number in self.seat.config.edition.effects[index]:
            found += self.part(op, number * times)
        return found

    @cached_property
    def prize(self) -> Floats:
        """The value of keeping within the threshold at the round's end, [M] (S11.3)."""
        seat, w, edition = self.seat, self.weights, self.seat.config.edition
        rows, bonuses = np.arange(len(seat)), range(edition.first_bonus, len(edition.effects))
        worth = np.stack([self.effect(bonus) for bonus in bonuses], axis=1)
        bonus = worth[rows, seat.bonus - edition.first_bonus]
        bonus = np.maximum(bonus, edition.reward_florins * self.florin) + self.wedding
        tile = seat.criteria[rows, (seat.round - c.BONUS_ROUNDS - 1).clip(0)]
        paid = (edition.pay_vp - edition.pay * self.florin).clip(0) * (seat.florins >= edition.pay)
        late = (tile * seat.counted).sum(axis=1) + paid
        found: Floats = np.where(seat.round <= c.BONUS_ROUNDS, bonus, late)
        return found * w.reward

    @property
    def wedding(self) -> Floats:
        """The value of a bride, [M] (S11.4)."""
        seat, edition = self.seat, self.seat.config.edition
        vp, florins = np.array((*edition.bride_vp, 0)), np.array(edition.wedding_florins)
        early = np.minimum(seat.round, c.BONUS_ROUNDS) - 1
        found = vp[seat.brides] + florins[early] * self.florin + self.weights.bride * self.soon
        found += self.counted[:, _COUNTED_BRIDES]
        return np.where(seat.brides < len(edition.bride_vp), found, 0)

    def rewarded(self, slack: NDArray[np.integer], dice_left: NDArray[np.integer]) -> Floats:
        """Returns what the reward is worth before other dice, [M, ...] like the slack (S11.3)."""
        w, by_seat = self.weights, (slice(None), *(None,) * (slack.ndim - 1))
        left = dice_left[by_seat]
        chance = 1 / (1 + np.exp((w.die * left - slack) / w.spread))
        return np.where(left > 0, chance, 1) * (slack >= 0) * self.prize[by_seat]

    @cached_property
    def effects(self) -> Floats:
        """The value of each effect without half the die, [M, E]."""
        effects = range(len(self.seat.config.edition.effects))
        return np.stack([self.effect(index) for index in effects], axis=1)

    @cached_property
    def helped(self) -> Floats:
        """The value of using a helper on each slot with each die, [M, 5, H, 6] (S6.3)."""
        seat, edition = self.seat, self.seat.config.edition
        helpers = slice(c.NUM_COLORS, edition.first_assignment)
        halves = [dict(effect).get(c.HALF_DIE_VP, 0) for effect in edition.effects[helpers]]
        found = self.effects[:, helpers, None] + np.outer(halves, _HALVES)
        return found.reshape(*seat.helpers.shape, c.NUM_FACES)

    @cached_property
    def used(self) -> Floats:
        """The value of the own helpers of each color's column with each die, [M, 5, 6]."""
        return np.where(self.seat.helpers[..., None], self.helped.clip(0), 0).sum(axis=2)

    @cached_property
    def prizes(self) -> Floats:
        """The value of the reward after a die of each value, [M, 6]."""
        return self.rewarded(self.seat.slack[:, None] - FACES, self.seat.dice_left - 1)

    @cached_property
    def assigned(self) -> Floats:
        """The value of each assignment by the sex and number of meeples, [M, 2, 10, 3] (S7.2).

        Very little where there are too few, or where the tile does not take so many.
        """
        seat, edition = self.seat, self.seat.config.edition
        first, marked = edition.first_assignment, seat.tables.marked
        found = np.full((len(seat), 2, len(marked), c.MOST_SPENT), NEVER, np.float32)
        for tile, several in enumerate(marked):
            for times in range(1, c.MOST_SPENT + 1 if several else 2):
                count = times if several else seat.tables.counts[tile]
                worth = self.effect(first + tile, times)[:, None] - count * self.meeples
                found[:, :, tile, times - 1] = np.where(seat.supply >= count, worth, NEVER)
        return found


def _or_nothing(options: Floats) -> Floats:
    """Returns the best of options [M, ...], and 0 where there are none."""
    best: Floats = options.reshape(len(options), -1).max(axis=1)
    return np.where(best > NEVER / 2, best, 0)


def score(values: Values) -> Floats:
    """Returns what each action is worth to M seats in VP, [M, A].

    Actions that are not legal have values too; their order says nothing.
    """
    seat, codec, rows = values.seat, values.seat.config.actions, np.arange(len(values.seat))
    edition = seat.config.edition
    scores = np.zeros((len(seat), codec.size), np.float32)
    scores[:, codec.die], scores[:, codec.skip_turn] = _score_dice(values)
    tiles = (seat.effect - edition.first_assignment).clip(0, len(edition.assignments) - 1)
    slots = (seat.assignments == tiles[:, None]).argmax(axis=1)
    scores[:, codec.spend] = values.assigned[rows, seat.tables.slot_sexes[slots], tiles]
    scores[:, codec.track] = values.points.reshape(len(seat), -1)
    left = np.maximum(seat.left, 1)
    scores[:, codec.initiative] = values.steps(left) / left
    scores[:, codec.mission] = values.missions.reshape(len(seat), -1)
    scores[:, codec.marry] = values.marriages.reshape(len(seat), -1)
    scores[:, codec.row] = values.face_down
    helper = (seat.effect - c.NUM_COLORS).clip(0, edition.first_assignment - c.NUM_COLORS - 1)
    die = (seat.placed[rows, seat.color] - 1).clip(0)
    scores[:, codec.use] = values.helped.reshape(len(seat), -1, c.NUM_FACES)[rows, helper, die]
    scores[:, codec.bonus] = values.effects[rows, seat.bonus]
    scores[:, codec.florins] = edition.reward_florins * values.florin
    scores[:, codec.wed] = values.wedding
    scores[:, codec.pay] = edition.pay_vp - edition.pay * values.florin
    scores[:, codec.free_helper] = values.future.reshape(len(seat), -1)
    return scores


def _score_dice(values: Values) -> tuple[Floats, Floats]:
    """Returns what each die with each action is worth, [M, 30 * (H + 3)], and passing, [M] (S5)."""
    seat, w = values.seat, values.weights
    worth, prices = _choices(values)
    costs = prices[:, None] + seat.tables.costs.reshape(len(prices), -1, 1)  # [5, 6, H + 3]
    worth = worth[:, :, None] - values.florin[:, None, None, None] * costs
    worth += (values.used + values.prizes[:, None])[..., None]
    left = seat.dice_left - 1
    free = seat.pool & (seat.placed == 0)[..., None] & (left >= 0)[:, None, None]
    able = free[..., None] & (costs <= seat.florins[:, None, None, None])
    best = np.where(able, worth, NEVER).max(axis=(2, 3))  # of each color
    best = (best - values.rewarded(seat.slack, seat.dice_left)[:, None]).clip(0)
    worth += (w.other * _others(best, left))[:, :, None, None]
    return worth.reshape(len(seat), -1), values.rewarded(seat.slack, np.zeros_like(left))


def _choices(values: Values) -> tuple[Floats, NDArray[np.int64]]:
    """Returns what the actions of each color are worth, [M, 5, H + 3], and prices, [5, H + 3]."""
    seat, edition = values.seat, values.seat.config.edition
    rows, hires_in = np.arange(len(seat))[:, None], list(edition.hires_in)
    assigned = values.assigned.max(axis=3)[rows, seat.tables.slot_sexes, seat.assignments]
    parts = (
        values.future[:, hires_in],
        assigned.reshape(len(seat), c.NUM_COLORS, 2),
        values.effects[:, : c.NUM_COLORS, None],
    )
    prices = np.array(edition.helper_prices)[hires_in]
    return np.concatenate(parts, axis=2), np.pad(prices, ((0, 0), (0, 3)))


def _others(best: Floats, number: NDArray[np.int64]) -> Floats:
    """Returns the sum of some of the best of other colors for each color, [M, 5]."""
    ranked = -np.sort(-best, axis=1)
    sums = np.pad(ranked.cumsum(axis=1), ((0, 0), (1, 0)))
    rows, number = np.arange(len(best)), number.clip(0)
    among = best >= ranked[rows, number][:, None]
    return np.where(among, sums[rows, number + 1][:, None] - best, sums[rows, number, None])


_NOW = Weights(
    **{"florin": 0.2, "male": 0.3, "female": 0.3, "purse": 12.0, "family": 8.0, "late": 0.1},
    **{"horizon": 6.0, "slot": 0.3, "end": 0.0, "sent": 0.0, "row_1": 0.3, "row_2": 0.6},
    **{"tile": 0.5, "mission": 0.5, "marriage": 0.5, "track": 0.3, "disc": 0.1, "used": 1.0},
    **{"step": 0.1, "climb": 0.0, "reward": 1.0, "bride": 0.5, "die": 2.5, "spread": 1.5},
    **{"other": 0.0, "criterion": 0.0},
)

PLANNED = Weights()


class _WeighingAgent(WeighingAgent):
    CONFIG = GameConfig

    def _scores(self, observations: Observations) -> Floats:
        return score(Values(SeatView(self._config, observations), self.weights))


class GreedyAgent(_WeighingAgent):
    """A baseline that knows the rules and does not look ahead.

    Takes the most points now, otherwise actions that may bring points later.
    """

    name, unit, weights = "greedy", "points now", _NOW


class PlannerAgent(_WeighingAgent):
    """A baseline that plays for points now and later: it weighs what a position promises."""

    name, unit, weights = "planner", "points now and promised", PLANNED
