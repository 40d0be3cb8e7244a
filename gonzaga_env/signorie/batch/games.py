"""The games of a batch, their tables, and the observations of their seats."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices
from gonzaga_env.kernel.batch import SeatArrays
from gonzaga_env.kernel.chance import stream_starts
from gonzaga_env.kernel.rows import Rows, flat_rows, merge_seats, row_sums
from gonzaga_env.kernel.spaces import FeatureTable
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.edition import Edition, Effect
from gonzaga_env.signorie.state import NO_COLOR, NO_EFFECT, State

#: What is given at once, in the order of `Tables.gains`; the other ops are decisions (N2).
GIVEN = (c.FLORINS, c.VP, c.HALF_DIE_VP, c.ADD_MALE, c.ADD_FEMALE, c.OFFSPRING, c.INITIATIVE)
#: The kind of decision after the last part of an effect: none.
DONE = c.OVER

#: Besides marriages, what may be impossible (N2), with its bit of a code (see `Tables.needs`).
_IMPOSSIBLE = {c.TRACKS: 1, c.TILE: 2, c.MISSION_OP: 4, c.FREE_HELPER_OP: 8, c.INITIATIVE: 16}
NO_TRACK, NO_DECK, NO_MISSION, NO_HELPER, AT_TOP = map(np.uint8, _IMPOSSIBLE.values())
DOWRY_SHIFT = 5
#: The lowest value of a city without an empty slot.
NO_SLOT = c.MAX_DOWRY + 1
#: Florins, plus 1, that nobody can have: the price of what is impossible.
NEVER = 255


class Tables:
    """Tables of an edition: E effects of at most Q - 1 parts, H helper, K career slots."""

    def __init__(self, edition: Edition) -> None:
        self._read_effects(edition)
        self._read_dice(edition)
        self._read_cities(edition)
        self._read_careers(edition)
        self.vps, self.criteria = np.array(edition.vp_per).T  # of VP tiles, [5] (S11.5)
        self.bride_vp = np.array(edition.bride_vp, np.int16)
        self.initiative_vp = np.array(edition.initiative_vp, np.int16)
        self.wedding_florins = np.array(edition.wedding_florins, np.uint16)  # by round, [5]
        # By board, row and House, [4, 24] (S10.1).
        self.shields = np.array(edition.shields, np.uint8).reshape(len(edition.shields), -1)

    def _read_effects(self, edition: Edition) -> None:
        effects = edition.effects
        self.num_parts = max(map(len, effects)) + 1  # Q
        runs = [_run(effect, part) for effect in effects for part in range(self.num_parts)]
        # What the parts of an effect from one on give before the next decision, by op (`GIVEN`),
        # and whether it is anything; [E * Q, 7] and [E * Q].
        gains, *asked = (np.array(column) for column in zip(*runs, strict=True))
        self.gains, self.gives = gains.astype(np.uint16), gains.any(axis=1)
        # The decision that follows (DONE after the last part), the part that asks for it, and its
        # number, [E * Q].
        self.kinds, self.parts, self.numbers = (array.astype(np.uint8) for array in asked)
        number, h = np.arange(len(effects)), edition.num_helper_slots
        # The source of points of each effect, [E].
        self.sources = np.where(number < edition.first_bonus, c.ASSIGNMENT_VP, c.REWARD_VP)
        self.sources[: edition.first_assignment] = c.HELPER_VP
        # The helper slot whose turn comes after each effect, [256] (S6.3).
        self.next_slots = np.zeros(NO_EFFECT + 1, np.uint8)
        helpers = slice(c.NUM_COLORS, edition.first_assignment)
        self.next_slots[helpers] = np.tile(np.arange(h) + 1, c.NUM_COLORS)
        # Florins needed for an effect, plus 1, or NEVER, [codes, E]. The code of a seat has the
        # bits of what is impossible for it, and above them the least dowry (NO_SLOT for none).
        self.needs = _needs(effects)

    def _read_dice(self, edition: Edition) -> None:
        """Sets what assignments, dice and helpers cost (S5 to S7)."""
        h, hires_in = edition.num_helper_slots, np.array(edition.hires_in)
        # Meeples that each assignment takes, and at least has to find in the supply: by whether
        # only a new male can move on a track, sex of the slot, and tile, [2 * 2 * 10].
        self.counts = np.maximum(edition.meeples, 1).astype(np.uint8)
        self.marked = np.array(edition.meeples) == c.MARKED
        tiles = edition.effects[edition.first_assignment : edition.first_bonus]
        self.demands = _demands(tiles, self.counts)
        # Whether they stand on the threshold space then, [10] (S7.3).
        self.on_threshold = np.array([_has(effect, c.THRESHOLD) for effect in tiles])
        self.slot_sexes = np.array(edition.assignment_sexes).ravel()  # of assignment slots, [10]
        paid = np.array(edition.costs)[:, None] - np.arange(1, c.NUM_FACES + 1)
        self.costs = paid.clip(0).astype(np.uint8)  # of a die by color and value, [5, 6] (S5.3)
        # By the color that hires a helper: Florins, plus 1 (S6.1), and its place among the helpers
        # of a seat (S6.2), [5 * H]; `hiring` is the inverse.
        self.prices = (np.array(edition.helper_prices)[hires_in].ravel() + 1).astype(np.uint8)
        self.hired = (hires_in[:, None] * h + np.arange(h)).ravel()
        self.hiring = self.hired.argsort()
        # Where the choices of each color stand when hiring, assignments and Signoria are listed
        # one after the other, [5 * (H + 3)].
        places = (
            np.arange(start, stop).reshape(c.NUM_COLORS, -1)
            for start, stop in pairwise(c.NUM_COLORS * width for width in (0, h, h + 2, h + 3))
        )
        self.choices = np.concatenate(list(places), axis=1).ravel()

    def _read_cities(self, edition: Edition) -> None:
        """Sets empty slots by city, number of slots taken, and value, and the lowest value.

        The last number taken stands for cities out of play too.
        """
        most = max(map(len, edition.city_slots))
        self.lowest = np.full((c.NUM_CITIES, most + 1), NO_SLOT, np.uint8)
        self.empty = np.zeros((c.NUM_CITIES, most + 1, c.MAX_DOWRY), np.uint8)
        for city, values in enumerate(edition.city_slots):
            self.lowest[city, : len(values)] = values
            for taken in range(len(values)):
                self.empty[city, taken] = np.bincount(values[taken:], minlength=NO_SLOT)[1:]

    def _read_careers(self, edition: Edition) -> None:
        """Sets what career slots bring (S9.2, S9.3), and what sets of them have."""
        ranks = np.array(edition.ranks, np.uint8)
        self.slot_ranks = np.tile(ranks, c.NUM_CAREERS)  # [3 * K]
        self.slot_vp = np.array(edition.slot_vp, np.int16)
        self.slot_florins = np.array(edition.slot_florins, np.uint16)
        self.slot_steps = np.array(edition.slot_initiative, np.uint8)
        self.halves = np.tile(self.slot_vp // 2, c.NUM_CAREERS)  # VP at the end (S12.1), [3 * K]
        self.set_bits = 1 << np.arange(len(ranks))  # turn a set into a number
        sets = np.arange(1 << len(ranks))[:, None] & self.set_bits > 0
        self.set_ranks = (sets * ranks).max(axis=1).astype(np.uint8)  # the best, [2 ** K]
        self.set_ends = ~sets[:, :-1].any(axis=1)  # no slot but the end, [2 ** K]


#: Returns the tables of an edition, built once.
tables_of = lru_cache(maxsize=16)(Tables)


def _has(effect: Effect, op: int) -> bool:
    return any(op == other for other, _ in effect)


def _run(effect: Effect, part: int) -> tuple[list[int], int, int, int]:
    """Returns what an effect gives from a part on, and what it then asks: kind, part, number."""
    gains = [0] * len(GIVEN)
    for place, (op, number) in enumerate(effect[part:], start=part):
        if op in c.ASKED:
            return gains, c.ASKED[op], place, number
        if op in GIVEN:  # THRESHOLD gives nothing: its meeples stand there already
            gains[GIVEN.index(op)] += number
    return gains, DONE, 0, 0


def _needs(effects: tuple[Effect, ...]) -> NDArray[np.uint8]:
    codes = np.arange((NO_SLOT + 1) << DOWRY_SHIFT)
    dowry = codes >> DOWRY_SHIFT
    needs = np.ones((len(codes), len(effects)), np.uint8)
    for i, effect in enumerate(effects):
        if _has(effect, c.MARRIAGE_OP):
            needs[:, i] = np.where(dowry == NO_SLOT, NEVER, 1 + dowry)
        bits = sum(bit for op, bit in _IMPOSSIBLE.items() if _has(effect, op))
        needs[codes & bits > 0, i] = NEVER
    return needs


def _demands(tiles: tuple[Effect, ...], counts: NDArray[np.integer]) -> NDArray[np.uint8]:
    """Returns the meeples needed: tracks and marriages may need one besides those spent (N2)."""
    demands = np.tile(counts, (2, 2, 1))
    demands[:, c.FEMALE] += [_has(effect, c.MARRIAGE_OP) for effect in tiles]
    demands[1, c.MALE] += [_has(effect, c.TRACKS) for effect in tiles]
    return demands.ravel()


class Games(SeatArrays):
    """N games of P players.

    Arrays of players have one row for each seat here, game * P + seat, and are views of the
    state's, which are changed in place and never replaced. What follows from them is cached.
    """

    state: State

    def __init__(self, config: GameConfig, state: State) -> None:
        self.config, self.state, self.num_players = config, state, config.num_players
        self.edition, self.tables = config.edition, tables_of(config.edition)
        self.actions, self.features = config.actions, config.features
        s: Any = state
        merge: Any = merge_seats
        self.boards, self.passed, self.florins = map(merge, (s.boards, s.passed, s.florins))
        self.supply, self.stock, self.threshold = map(merge, (s.supply, s.stock, s.threshold))
        self.careers, self.placed, self.helpers = map(merge, (s.careers, s.placed, s.helpers))
        self.brides, self.meeples, self.scores = map(merge, (s.brides, s.meeples, s.scores))
        self.initiative, self.height, self.held = map(merge, (s.initiative, s.height, s.held))
        self.row_vp, self.face_down = merge(s.row_vp), merge(s.face_down)
        self._add_seats(len(self.boards))
        self._add_games(state.num_games)
        self.derive(np.arange(state.num_games))

    def _add_seats(self, n: int) -> None:
        """Makes room for what follows for each seat, [N * P, ...]."""
        u8 = np.uint8
        # Shields without a face-up tile, by row and House (S10.2).
        self.missing = np.empty((n, self.tables.shields.shape[1]), u8)
        self.best_rank = np.empty(n, u8)  # of the males on tracks (S9.3); 0 without any
        self.at_ends = np.empty(n, np.bool_)  # whether they all stand at the ends of tracks
        # Whether a die of a color may still be placed (S5.2).
        self.open = np.empty((n, c.NUM_COLORS), np.bool_)
        self.margin = np.empty(n, np.int16)  # threshold less the sum of the dice (S11.3)
        self.idle = np.empty(n, np.bool_)  # has passed, or can take no more dice
        self.columns = np.empty((n, c.NUM_COLORS), u8)  # helpers as bits of slots, by column
        # Florins needed for a helper, plus 1, by the color that hires it and slot, or NEVER.
        self.hire_needs = np.empty((n, len(self.tables.prices)), u8)
        self.num_helpers = np.empty(n, u8)
        self.place = np.empty(n, u8)  # in the turn order
        self.seat_code = np.empty(n, u8)  # bits of what is impossible (NO_HELPER, AT_TOP)

    def _add_games(self, n: int) -> None:
        """Makes room for what follows for each game, [N, ...]."""
        u8 = np.uint8
        self.helpers_left = np.empty(n, u8)  # in the shared supply
        self.taken = np.empty((n, c.NUM_CITIES), u8)  # slots; all of cities out of play
        # Value of the lowest empty slot of each city, or NO_SLOT (S8.2), and the least of them.
        self.lowest, self.cheapest = np.empty((n, c.NUM_CITIES), u8), np.empty(n, u8)
        self.deck_size = np.empty(n, u8)
        self.code = np.empty(n, u8)  # bits of what is impossible for all (NO_DECK, NO_HELPER)
        # What is observed of the board and changes little, as bytes.
        columns = board_columns(self.features)
        self.board_bytes = np.empty((n, columns.stop - columns.start), u8)
        self.changed_boards: list[Indices] = []  # games where it has changed since
        self.acting = np.empty(n, np.int64)  # the row of the seat to act in arrays by seat
        self.streams = np.empty(n, np.uint64)  # what chance is computed from
        # The legal actions of the seat to act, padded to a multiple of eight, and their number.
        self.legal = np.zeros((n, -(-self.actions.size // 8) * 8), np.bool_)
        self.num_legal = np.empty(n, np.int64)

    def derive(self, rows: Indices) -> None:
        """Computes what follows from the state of some games, but for their legal actions."""
        state, tables, edition = self.state, self.tables, self.edition
        seats = self.all_seats(rows).ravel()
        held = flat_rows(self.held.take(seats, axis=0))
        self.missing[seats] = tables.shields.take(self.boards.take(seats), axis=0) - held
        helpers = self.helpers.take(seats, axis=0)
        bits = helpers << np.arange(edition.num_helper_slots, dtype=np.uint8)
        self.columns[seats] = np.einsum("ijk->ij", bits)
        helpers = flat_rows(helpers)
        self.hire_needs[seats] = np.where(helpers.take(tables.hired, axis=1), NEVER, tables.prices)
        self.num_helpers[seats] = number = row_sums(helpers.view(np.uint8))
        self.helpers_left[rows] = edition.helpers - row_sums(
            number.reshape(len(rows), self.num_players)
        )
        self.deck_size[rows] = deck_size = row_sums(state.deck.take(rows, axis=0))
        self.code[rows] = (deck_size == 0) * NO_DECK
        self.note_no_helpers(rows)
        at_top = self.initiative.take(seats) == len(edition.initiative_vp) - 1
        full = number == helpers.shape[1]
        self.seat_code[seats] = at_top * AT_TOP + full * NO_HELPER
        taken = np.einsum("ijk->ik", state.meeples.take(rows, axis=0))
        taken[~state.cities.take(rows, axis=0)] = tables.lowest.shape[1] - 1
        self.taken[rows] = taken
        self.lowest[rows] = lowest = tables.lowest[np.arange(c.NUM_CITIES), taken]
        self.cheapest[rows] = lowest.min(axis=1)
        self.streams[rows] = stream_starts(state.seed.take(rows), state.episode.take(rows))
        self.note_careers(seats)
        self.note_dice(rows)
        self.set_order(rows, state.order.take(rows, axis=0))
        self.acting[rows] = rows * self.num_players + state.seat.take(rows)

    def note_careers(self, seats: Indices) -> None:
        """Updates what follows from careers that have changed."""
        slots = np.bitwise_or.reduce(self.careers.take(seats, axis=0), axis=1) > 0
        sets = slots @ self.tables.set_bits
        self.best_rank[seats] = self.tables.set_ranks.take(sets)
        self.at_ends[seats] = self.tables.set_ends.take(sets)

    def note_dice(self, rows: Indices) -> None:
        """Updates what follows from all dice of some games."""
        seats = self.all_seats(rows).ravel()
        placed, standing = self.placed.take(seats, axis=0), self.threshold.take(seats, axis=0)
        free = placed == 0
        full = row_sums(free.view(np.uint8)) <= c.NUM_COLORS - self.edition.num_dice
        self.open[seats] = free & ~full[:, None]
        self.idle[seats] = self.passed[seats] | full
        raised = self.edition.threshold_step * row_sums(standing).astype(np.int16)
        self.margin[seats] = self.edition.threshold + raised - row_sums(placed)

    def note_no_helpers(self, rows: Indices) -> None:
        """Updates what follows where the supply has no helpers left."""
        rows = rows[self.helpers_left.take(rows) == 0]
        if len(rows):
            self.code[rows] |= NO_HELPER
            self.hire_needs[self.all_seats(rows)] = NEVER

    def take_changed_boards(self) -> Indices:
        """Empties `changed_boards` and returns the games."""
        rows, self.changed_boards = self.changed_boards, []
        return np.concatenate([np.empty(0, np.int64), *rows])

    def set_order(self, rows: Indices, order: NDArray[np.integer]) -> None:
        """Sets turn orders [M, P]."""
        self.state.order[rows] = order
        self.place[rows[:, None] * self.num_players + order] = np.arange(self.num_players)


_MOST = 255  # a byte shows
_BY_PLAYER = (
    *("supply", "stock", "threshold", "careers", "placed", "helpers", "brides", "meeples"),
    *("initiative", "height", "place", "passed", "missing", "row_vp", "face_down"),
)


def _planes(size: int, more: int = 0) -> NDArray[np.uint8]:
    """Returns one-hot rows, and zeros for some numbers more."""
    return np.eye(size + more, size, dtype=np.uint8)


_KINDS, _COLORS = _planes(len(c.KINDS), 1), _planes(c.NUM_COLORS, NO_COLOR + 1 - c.NUM_COLORS)
_ASSIGNMENTS, _BONUS, _VP = map(_planes, (c.NUM_ASSIGNMENTS, c.NUM_BONUS_TILES, c.NUM_VP_TILES))
_BOARDS = _planes(4)
_TILES = np.arange(c.NUM_TILES + 1)
_HOUSE = _planes(c.NUM_HOUSES, 1)[_TILES // len(c.TILE_VALUES)]
_VALUE = _planes(len(c.TILE_VALUES))[_TILES % len(c.TILE_VALUES)] * (_TILES < c.NUM_TILES)[:, None]
_VALUE = _VALUE.astype(np.uint8)


def observe(games: Games, rows: Rows, seats: Indices, out: NDArray[np.uint8]) -> None:
    """Writes what one seat of each game knows, [M, D]."""
    parts = {name: out[:, columns] for name, columns in games.features.slices.items()}
    _show_players(games, rows, seats, parts)
    _show_decision(games, rows, parts)
    out[:, board_columns(games.features)] = games.board_bytes[rows.key]


def board_columns(features: FeatureTable) -> slice:
    """Returns the columns of what changes little, which `Games.board_bytes` holds."""
    return slice(features.slices["assignments"].start, features.slices["tile_value"].stop)


def _show_players(
    games: Games, rows: Rows, seats: Indices, out: dict[str, NDArray[np.uint8]]
) -> None:
    """Writes what is known of each player, in the observing seat's order."""
    state, p = games.state, games.num_players
    order = (seats[:, None] + np.arange(p)) % p
    players = rows.indices[:, None] * p + order
    for name in _BY_PLAYER:
        out[name][:] = flat_rows(getattr(games, name).take(players, axis=0))
    scores = games.scores.take(players, axis=0)
    out["vp"][:] = np.minimum(np.einsum("ijk->ij", scores), _MOST)
    out["scores"][:] = flat_rows(np.minimum(scores, _MOST))
    out["florins"][:] = np.minimum(games.florins.take(players), _MOST)
    out["boards"][:] = flat_rows(_BOARDS.take(games.boards.take(players), axis=0))
    out["to_act"][:] = order == np.where(state.finished, p, state.seat)[rows.key][:, None]


def _show_decision(games: Games, rows: Rows, out: dict[str, NDArray[np.uint8]]) -> None:
    """Writes what is asked, the dice, and the tiles that nobody sees."""
    state, key = games.state, rows.key
    out["kind"][:] = _KINDS.take(state.kind[key], axis=0)
    out["color"][:] = _COLORS.take(state.color[key], axis=0)
    out["effect"][:] = _effects(len(games.edition.effects)).take(state.effect[key], axis=0)
    for name in ("part", "left", "repeats", "finished", "round"):
        out[name][:, 0] = getattr(state, name)[key]
    out["pool"][:] = flat_rows(state.pool[key])
    out["deck_size"][:, 0], out["unseen"][:] = games.deck_size[key], state.unseen[key]


@cache
def _effects(number: int) -> NDArray[np.uint8]:
    return _planes(number, NO_EFFECT + 1 - number)


def update_board_bytes(games: Games, rows: Indices) -> None:
    """Updates `Games.board_bytes` of some games."""
    if not len(rows):
        return
    state, taken = games.state, games.taken.take(rows, axis=0)
    tiles = state.city_tiles.take(rows, axis=0)
    shown = (
        _ASSIGNMENTS.take(state.assignments.take(rows, axis=0), axis=0),
        _BONUS.take(state.bonus_tiles.take(rows, axis=0), axis=0),
        _VP.take(state.vp_tiles.take(rows, axis=0), axis=0),
        state.cities.take(rows, axis=0),
        games.tables.empty[np.arange(c.NUM_CITIES), taken],
        _HOUSE.take(tiles, axis=0),
        _VALUE.take(tiles, axis=0),
    )
    games.board_bytes[rows] = np.concatenate([flat_rows(one) for one in shown], axis=1)
