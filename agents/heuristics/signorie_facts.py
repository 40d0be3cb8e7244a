"""Signorie's facts of choices: what a choice gives and costs, and what it leaves for later.

A choice is described by what it changes of the seat's own: Florins, meeples, males on careers, rows
of tiles, helpers. A die is described by all that its action and the helpers of its column bring.
Where more is to be chosen later, such as a track, a city or a row, the best by the same weights
counts.
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.batch.engine import Engine
from gonzaga_env.signorie.batch.games import tables_of
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.state import NO_COLOR, State, states_from_observations

from ..arrays import Floats, Indices, Masks, Observations
from .facts import Choices, FactReader, LinearPolicy
from .signorie_changes import (
    ASSIGNED,
    BONUS,
    CHANGES,
    COUNTED,
    FACE_DOWN,
    FEMALES,
    FLORINS,
    HALF_DICE,
    MALES,
    NO_PLACE,
    NONE,
    OF_TILES,
    POINTS,
    RAISED,
    RUNNING,
    SIGNORIA,
    SPENDING,
    STEPS,
    WED,
    WEDDING,
    change_table,
)
from .signorie_features import features

_KINKS = ((FLORINS, 3), (FLORINS, 8), (MALES, 2), (FEMALES, 2))
_ROOM = ("kept", "kept with room", "kept with much room")
_KEPT = (  # S11.3
    "kept, no dice to come",
    *(f"{how}, {n} to come" for n in ("1 die", "2 dice", "3 dice") for how in _ROOM),
)
_OTHERS = (
    *(f"{CHANGES[change]}, up to {most} in all" for change, most in _KINKS),
    "a point of the initiative slot",  # S11.1
    "a rival's disc passed",
    "a point of VP tiles to come",  # S11.5
    *(f"the threshold {kept}" for kept in _KEPT),
    *(f"the reward in points, {kept}" for kept in _KEPT),
    "passing",
)
_DISC = len(CHANGES) + len(_KINKS)
_VP_TILES, _THRESHOLD = _DISC + 2, _DISC + 3
_NEVER = np.float32(-1e9)
_STAGES = np.eye(c.ROW_SIZE + 1, dtype=np.float32)[:, 1:]  # of a row, by its tiles
_DOWRIES = np.arange(1, c.MAX_DOWRY + 1)


class _Seats:
    """M seats to act: what they have, and what changes are worth by a policy's weights [F, B].

    Attributes:
        bases: [M, B].
        tiles: what the tile of a city, a face-down one or none changes in each row, [M, 4, 7, 5].
        worth: of each change, [M, R].
        effects, effect_worth: what effects change, [M, E, R], and what that is worth, [M, E].
    """

    def __init__(self, config: GameConfig, state: State, games: Indices, seats: Indices) -> None:
        self.table, self.state, self.games = change_table(config), state, games
        self.edition = edition = config.edition
        self.each, at = np.arange(len(games)), (games, seats)
        self.florins, self.brides = state.florins[at].astype(np.int64), state.brides[at]
        self.supply, self.stock = state.supply[at].astype(np.int64), state.stock[at]
        self.careers, self.helpers = state.careers[at], state.helpers[at]
        self.round, self.effect = state.round[games].astype(np.int64), state.effect[games]
        self.discs = state.initiative[games].astype(np.int64)  # [M, P]
        self.disc = self.discs[self.each, seats]
        self.discs[self.each, seats] = -1
        placed = state.placed[at].astype(np.int64)
        color = state.color[games]
        self.die = np.pad(placed, ((0, 0), (0, 1)))[self.each, color]  # the one just placed
        choosing = (state.kind[games] == c.MAIN) | (color < NO_COLOR)
        self.dice_left = (edition.num_dice - (placed > 0).sum(axis=1)) * choosing
        raised = edition.threshold_step * state.threshold[at].sum(axis=1, dtype=np.int64)
        self.slack = edition.threshold + raised - placed.sum(axis=1)  # S11.3
        taken = state.meeples[games].sum(axis=1, dtype=np.int64)
        lowest = tables_of(edition).lowest
        taken[~state.cities[games]] = lowest.shape[1] - 1
        self.lowest = lowest[np.arange(c.NUM_CITIES), taken]  # S8.2
        held = state.held[at].sum(axis=2, dtype=np.int64) + state.face_down[at]
        self.tiles = self._tiles(held, seats)
        self._read_vp_tiles(held, state.meeples[at])
        played = self.round - self.dice_left / edition.num_dice
        late = played / edition.num_rounds - 0.5
        over = self.round > c.BONUS_ROUNDS, self.round == edition.num_rounds
        bases = (np.ones_like(late), late, late.clip(0), *over)
        self.bases: Floats = np.stack(bases, axis=1).astype(np.float32)

    def _tiles(self, held: Indices, seats: Indices) -> Floats:
        state, games = self.state, self.games
        shields = np.array(self.edition.shields)[state.boards[games]]
        lacking = np.pad(shields > state.held[games], ((0, 0), (0, 0), (0, 0), (0, 1)))
        kinds = state.city_tiles[games][:, :, [1, 1, 1, 0]].swapaxes(1, 2)  # by row, [M, 4, 5]
        wanted = np.take_along_axis(lacking, (kinds // 4)[:, None].astype(np.int64), axis=3)
        own = wanted[self.each, seats]
        wanted[self.each, seats] = False
        wanted[:, :, : c.NUM_CAREERS] = wanted[:, :, : c.NUM_CAREERS].any(axis=2, keepdims=True)
        values = np.zeros((*own.shape[:2], NO_PLACE + 1), np.float32)
        values[..., :FACE_DOWN] = (kinds % 4 + 2) * own  # S10.2
        values[..., FACE_DOWN] = state.deck[games].max(axis=1, keepdims=True) > 0
        fronts = (state.row_vp + state.face_down)[games, seats][..., None, None]
        before, after = (_STAGES[np.minimum(held + n, c.ROW_SIZE)][:, :, None] for n in range(2))
        found = np.zeros((*values.shape, 5), np.float32)
        found[..., :3] = after * (fronts + values[..., None]) - before * fronts
        found[..., 3] = 1
        found[..., :FACE_DOWN, 4] = wanted.any(axis=1) * values[..., :FACE_DOWN]
        return found * (values > 0)[..., None]

    def _read_vp_tiles(self, held: Indices, meeples: NDArray[np.uint8]) -> None:
        """Sets the VP of each thing that tiles to come count, [M, 5], and those of now (S11.5)."""
        vp, counted = np.array(self.edition.vp_per).T
        by_tile = vp[:, None] * (counted[:, None] == np.arange(len(c.CRITERIA)))
        by_round = by_tile[self.state.vp_tiles[self.games]]  # [M, 2, 5]
        last = c.BONUS_ROUNDS + 1 + np.arange(by_round.shape[1])
        to_come = (self.round[:, None] <= last) & (last <= self.edition.num_rounds)
        self.counted = np.einsum("mtc,mt->mc", by_round, to_come).astype(np.float32)
        careers, helpers = self.careers.sum(axis=(1, 2)), self.helpers.sum(axis=(1, 2))
        own = helpers, self.brides, meeples.sum(axis=1), held.sum(axis=1), careers
        now = by_round[self.each, (self.round - c.BONUS_ROUNDS - 1).clip(0)]
        self.scored = (np.stack(own, axis=1) * now).sum(axis=1)

    def weigh(self, weights: Floats) -> None:
        """Finds what changes and effects are worth."""
        table = self.table
        self.weights = self.bases @ weights.T  # [M, F]
        self.worth = self._worth()
        self.tile_worth = np.einsum("mrpt,mt->mrp", self.tiles, self.worth[:, OF_TILES])
        opened = np.stack([self._open(op, number) for op, number in table.parts], axis=1)
        self.effects = table.given + table.opens @ opened
        self.effects[:, WED] = self._weddings()
        self.effect_worth = np.einsum("mer,mr->me", self.effects, self.worth)

    def _worth(self) -> Floats:
        """Returns what one more of each change is worth; of a step, what the next two are."""
        weights, vp = self.weights, np.array(self.edition.initiative_vp)
        found: Floats = np.pad(weights[:, : len(CHANGES)], ((0, 0), (0, 2)))
        for place, (change, most) in enumerate(_KINKS):
            found[:, change] += weights[:, len(CHANGES) + place] * (self.amount(change) < most)
        ahead = vp[np.minimum(self.disc + 2, len(vp) - 1)] - vp[self.disc]
        found[:, STEPS] += weights[:, _DISC] * ahead.astype(np.float32) / 2
        found[:, COUNTED] += weights[:, _VP_TILES, None] * self.counted
        found[:, HALF_DICE] = 2 * found[:, POINTS]
        return found

    def amount(self, change: int) -> Indices:
        """Returns how many Florins or meeples of a sex the seats have, [M]."""
        return self.florins if change == FLORINS else self.supply[:, change - MALES]

    def _open(self, op: int, number: int) -> Floats:
        """Returns what a part of an effect changes, the best where one chooses, [M, R]."""
        table, each, worth = self.table, self.each, self.worth
        found = np.zeros_like(worth)
        if op in (c.ADD_MALE, c.ADD_FEMALE):
            sex = op - c.ADD_MALE
            found[:, MALES + sex] = np.minimum(self.stock[:, sex], number)
        elif op == c.OFFSPRING:  # what is expected (S8.3)
            children = number * (1 + self.brides[:, None]) / 2
            found[:, [MALES, FEMALES]] = np.minimum(self.stock, children)
        elif op == c.TILE:
            rows = self.tile_worth[:, :, FACE_DOWN].argmax(axis=1)
            found[:, OF_TILES] = self.tiles[each, rows, FACE_DOWN]
        elif op == c.TRACKS:
            tracks = table.tracks[number]
            can_move = self.careers.max(axis=1)[:, :-1] > 0
            is_below = self.disc < len(self.edition.initiative_vp) - 1
            able = np.column_stack([self.supply[:, c.MALE] > 0, can_move, is_below])
            found = _best(worth, tracks, able)
        elif op == c.FREE_HELPER_OP:
            found = _best(worth, table.helpers, ~self.helpers.reshape(len(each), -1))
        else:
            mission = op == c.MISSION_OP
            changes = table.missions if mission else table.marriages
            rows = slice(c.NUM_CAREERS) if mission else slice(c.MARRIAGE_ROW, c.NUM_ROWS)
            tiles = self.tile_worth[:, rows, None, :FACE_DOWN]
            scores = (worth @ changes.T)[:, None, :, None] + tiles  # by row, slot or dowry, city
            scores[~(self._missions() if mission else self._marriages())] = _NEVER
            best = scores.reshape(len(each), -1).argmax(axis=1)
            row, which, city = np.unravel_index(best, scores.shape[1:])
            found = changes[which]
            found[:, OF_TILES] += self.tiles[:, rows][each, row, city]
            found[scores[each, row, which, city] == _NEVER] = 0
        return found

    def _missions(self) -> Masks:
        """Returns which missions are possible, [M, 3, K, 5] (S8.2)."""
        ranks = np.array(self.edition.ranks)[:, None]
        high: Masks = ranks >= self.lowest[:, None]
        return (self.careers > 0)[..., None] & high[:, None]

    def _marriages(self) -> Masks:
        """Returns which marriages are possible, [M, 1, 4, 5] (S8.5)."""
        able = (self.florins[:, None] >= _DOWRIES) & (self.supply[:, c.FEMALE, None] > 0)
        return able[:, None, :, None] & (_DOWRIES[:, None] >= self.lowest[:, None])[:, None]

    def _weddings(self) -> Floats:
        """Returns what a wedding changes, [M, R]; nothing without an empty slot (S11.4)."""
        found, florins = np.zeros_like(self.worth), np.array(self.edition.wedding_florins)
        found[:, POINTS] = np.array((*self.edition.bride_vp, 0))[self.brides]
        found[:, FLORINS] = florins[np.minimum(self.round, c.BONUS_ROUNDS) - 1]
        found[:, COUNTED[1]] = 1
        found[self.brides == len(self.edition.bride_vp)] = 0
        return found

    @cached_property
    def _columns(self) -> tuple[Indices, Indices]:
        """The effects of each decision and the sex of meeples they take, [M, 19] (`ASSIGNED`)."""
        table, kind = self.table, self.state.kind[self.games]
        effects = np.full((len(self.each), SPENDING + c.MOST_SPENT), len(table.given) + NONE)
        sexes, slot_sexes = np.zeros_like(effects), np.array(self.edition.assignment_sexes).ravel()
        tiles = self.state.assignments[self.games]
        effects[:, ASSIGNED:SIGNORIA] = self._assigned(table.options[tiles], slot_sexes)
        sexes[:, ASSIGNED:SIGNORIA] = slot_sexes
        effects[:, SIGNORIA:RUNNING] = np.arange(c.NUM_COLORS)
        using = np.flatnonzero(kind == c.HELPER)
        effects[using, RUNNING] = self.effect[using]
        bonuses = np.minimum(self.round, c.BONUS_ROUNDS) - 1
        effects[:, BONUS] = self.state.bonus_tiles[self.games, bonuses] + self.edition.first_bonus
        effects[:, WEDDING] = len(table.given) + WED
        spending = np.flatnonzero(kind == c.SPEND)
        tile = self.effect[spending].astype(np.int64) - self.edition.first_assignment
        effects[spending, SPENDING:] = table.options[tile]
        slots = (tiles[spending] == tile[:, None]).argmax(axis=1)
        sexes[spending, SPENDING:] = slot_sexes[slots, None]
        return effects, sexes

    def _assigned(self, options: Indices, sexes: Indices) -> Indices:
        """Returns the best of options [M, 10, 3] for meeples of some sexes, [M, 10]."""
        spent = self.table.spent[options]
        able = (spent <= self.supply[:, sexes, None]) & (options < len(self.table.given) + NONE)
        scores = self.effect_worth[self.each[:, None, None], options]
        scores = scores - spent * self.worth[:, MALES + sexes, None]
        best = np.where(able, scores, _NEVER).argmax(axis=2)
        return np.take_along_axis(options, best[..., None], axis=2)[..., 0]

    @cached_property
    def _reward(self) -> Floats:
        """What the reward of the round is worth, [M] (S11.3)."""
        edition, points, florin = self.edition, self.worth[:, POINTS], self.worth[:, FLORINS]
        bonus = self.effect_worth[self.each, self._columns[0][:, BONUS]]
        early = np.maximum(bonus, edition.reward_florins * florin)
        early += self.effect_worth[:, WED].clip(0)
        paid = (edition.pay_vp * points - edition.pay * florin).clip(0)
        late = self.scored * points + paid * (self.florins >= edition.pay)
        found: Floats = np.where(self.round <= c.BONUS_ROUNDS, early, late)
        return found

    @cached_property
    def _used(self) -> Floats:
        """What the own helpers of each column bring that are worth it, [M, 6, R] (S6.3)."""
        helpers = slice(c.NUM_COLORS, self.edition.first_assignment)
        good = (self.effect_worth[:, helpers] >= 0).reshape(self.helpers.shape) & self.helpers
        effects = self.effects[:, helpers].reshape(*good.shape, -1)
        found = np.einsum("mchr,mch->mcr", effects, good.astype(np.float32))
        return np.pad(found, ((0, 0), (0, 1), (0, 0)))

    def facts(self, rows: Indices, actions: Indices) -> Floats:
        """Returns the facts of choices, [L, F]."""
        changes, dice = self._changes(rows, actions), self.table.dice[actions]
        facts = np.zeros((len(rows), len(SignorieFacts.NAMES)), np.float32)
        facts[:, : len(CHANGES)] = changes[:, : len(CHANGES)]
        for place, (change, most) in enumerate(_KINKS):
            amount = self.amount(change)[rows]
            more = np.minimum(amount + changes[:, change], most) - np.minimum(amount, most)
            facts[:, len(CHANGES) + place] = more
        self._add_disc(facts, rows)
        facts[:, _VP_TILES] = np.einsum("lc,lc->l", changes[:, COUNTED], self.counted[rows])
        facts[:, -1] = passes = actions == self.table.codec.skip_turn
        left = np.where(passes, 0, self.dice_left[rows] - (dice > 0))
        self._add_reward(facts, rows, self.slack[rows] - dice + changes[:, RAISED], left)
        return facts

    def _changes(self, rows: Indices, actions: Indices) -> Floats:
        """Returns what choices change, with all that follows, [L, R]."""
        table, dice = self.table, self.table.dice[actions]
        found = table.fixed[actions] + self._used[rows, table.colors[actions]]
        found[:, OF_TILES] += self.tiles[rows, table.rows[actions], table.places[actions]]
        effects, sexes = (column[rows, table.effects[actions]] for column in self._columns)
        found += self.effects[rows, effects]
        found[np.arange(len(rows)), MALES + sexes] -= table.spent[effects]
        halves = (np.where(dice > 0, dice, self.die[rows]) + 1) // 2
        found[:, POINTS] += found[:, HALF_DICE] * halves
        return found

    def _add_reward(self, facts: Floats, rows: Indices, slack: Floats, left: Indices) -> None:
        """Adds how well the sum of dice keeps within the threshold, by the dice to come (S11.3)."""
        room = slack / (3 * left.clip(1))
        more = room.clip(0, 1) * (left > 0), (room - 1).clip(0, 1) * (left > 0)
        first = (len(_ROOM) * left - 2).clip(0)
        for how, kept in enumerate((slack >= 0, *more)):
            at = np.arange(len(rows)), _THRESHOLD + first + how
            facts[at] += kept
            facts[at[0], at[1] + len(_KEPT)] += kept * self._reward[rows]

    def _add_disc(self, facts: Floats, rows: Indices) -> None:
        """Adds the steps that the disc can take, the slot that it reaches and whom it passes."""
        moving, vp = np.flatnonzero(facts[:, STEPS]), np.array(self.edition.initiative_vp)
        start = self.disc[rows[moving]]
        end = np.minimum(start + facts[moving, STEPS].astype(np.int64), len(vp) - 1)
        rivals = self.discs[rows[moving]]
        passed = (rivals >= start[:, None]) & (rivals <= end[:, None])
        facts[moving, STEPS], facts[moving, _DISC] = end - start, vp[end] - vp[start]
        facts[moving, _DISC + 1] = passed.sum(axis=1)


def _best(worth: Floats, changes: Floats, able: Masks) -> Floats:
    """Returns the best of some changes [K, R] that are possible [M, K]; none where none is."""
    scores = np.where(able, worth @ changes.T, _NEVER)
    found: Floats = changes[scores.argmax(axis=1)] * able.max(axis=1, keepdims=True)
    return found


class SignorieFacts(FactReader):
    """Reads the facts of choices in Signorie (see `FactReader`)."""

    NAMES = CHANGES + _OTHERS
    BASES = (
        *("always", "by how late it is", "the same in the second half"),
        *("in rounds 6 and 7", "in the last round"),
    )
    MOMENTS: ClassVar = {
        "round 1": (1, -0.5, 0, 0, 0),
        "round 4": (1, 0, 0, 0, 0),
        "round 6": (1, 0.2, 0.2, 1, 0),
        "round 7": (1, 0.4, 0.4, 1, 1),
    }
    OPENING = ("main", "reward")
    TRACE = 0.9
    TEMPERATURES = 0.25, 0.05

    config: GameConfig

    def read(
        self,
        observations: Observations,
        masks: Masks,
        policy: LinearPolicy,
        rng: np.random.Generator,
    ) -> list[Choices]:
        """See `FactReader.read`."""
        state, games = states_from_observations(self.config, observations, rng), len(observations)
        seats = state.seat.astype(np.int64)
        return self._choices(state, np.arange(games), seats, masks.nonzero(), policy)

    def read_engine(
        self, engine: Engine, games: Indices, seats: Indices, policy: LinearPolicy
    ) -> list[Choices]:
        """See `FactReader.read_engine`."""
        return self._choices(engine.state, games, seats, engine.legal_actions(games), policy)

    def _choices(
        self,
        state: State,
        games: Indices,
        seats: Indices,
        legal: tuple[Indices, ...],
        policy: LinearPolicy,
    ) -> list[Choices]:
        seen, (rows, actions) = _Seats(self.config, state, games, seats), legal
        seen.weigh(policy.weights)
        every = slice(0, len(self.NAMES))
        facts = seen.facts(rows, actions)
        return [Choices(seen.each, every, rows, actions, facts, seen.bases)]

    def situations(self, engine: Engine, games: Indices) -> tuple[Floats, Floats]:
        """See `FactReader.situations`."""
        state = engine.state.take(games)
        own, progress = features(self.config, state)
        others = (own.sum(axis=1, keepdims=True) - own) / np.float32(own.shape[1] - 1)
        both = np.concatenate([own, others], axis=2)
        of_game = np.eye(len(c.KINDS), dtype=np.float32)[state.kind]
        of_game = np.column_stack([progress, progress**2, of_game])
        shared = np.repeat(of_game[:, None], own.shape[1], axis=1)
        return np.concatenate([both, both * shared[:, :, :1], shared], axis=2), progress
