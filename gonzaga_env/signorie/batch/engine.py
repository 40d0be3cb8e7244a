"""The engine for batches, and the effects of answers in a turn (S5 to S10).

All games answer at once. A step of the rules adds games to later steps, so each step is done once,
for all games that come to it; `_ORDER` lists them.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices, Integers
from gonzaga_env.kernel.batch import BatchEngine
from gonzaga_env.kernel.rows import Rows, Step, StepQueue, row_sums
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.base import GameBase
from gonzaga_env.signorie.batch import legal, rounds
from gonzaga_env.signorie.batch.games import (
    AT_TOP,
    DONE,
    NEVER,
    NO_HELPER,
    Games,
    observe,
    update_board_bytes,
)
from gonzaga_env.signorie.board import ActionCodec
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.state import NO_COLOR, NO_EFFECT, NO_TILE, Deal, State, winners
from gonzaga_env.signorie.view import GameView


def begin_effect(
    games: Games, rows: Indices, effects: NDArray[np.integer] | int, repeats: int
) -> None:
    """Makes effects run from their first parts, a number of times; `run_effect` does them."""
    games.state.effect[rows], games.state.part[rows] = effects, 0
    games.state.repeats[rows] = repeats


def run_effect(games: Games, rows: Indices) -> Indices:
    """Does the running effects up to the next decision; returns the games whose effect is over."""
    state, tables = games.state, games.tables
    parts, repeats = state.part.take(rows), state.repeats.take(rows)
    places = state.effect.take(rows) * np.int64(tables.num_parts) + parts
    kinds = tables.kinds.take(places)
    over = kinds == DONE
    # Parts without a decision are given all at once, as often as they repeat.
    once = np.where(over & (parts == 0), repeats, np.uint8(1))
    giving = tables.gives.take(places).nonzero()[0]
    if len(giving):
        gains = tables.gains.take(places[giving], axis=0) * once[giving, None]
        _give(games, rows[giving], gains)
    state.kind[rows], state.part[rows] = kinds, tables.parts.take(places)
    state.left[rows] = tables.numbers.take(places)
    left, ended = (repeats - once)[over], rows[over]
    state.repeats[ended] = left
    again = ended[left > 0]
    return np.concatenate([ended[left == 0], run_effect(games, again)]) if len(again) else ended


def _give(games: Games, rows: Indices, gains: NDArray[np.uint16]) -> None:
    """Gives the seats to act what effects bring, by op (`GIVEN`), [M, 7]."""
    seats = games.seats(rows)
    florins, vp, half_die, males, females, offspring, steps = gains.T
    games.florins[seats] += florins
    points = vp + half_die * _half_dice(games, rows, seats)
    scoring = points.nonzero()[0]
    if len(scoring):
        sources = games.tables.sources.take(games.state.effect.take(rows[scoring]))
        games.scores[seats[scoring], sources] += points[scoring]
    born = (males + females).nonzero()[0]
    if len(born):
        _move_in(games, seats[born], gains[born, 3:5])
    for number in range(int(offspring.max())):
        rolling = (offspring > number).nonzero()[0]
        dice = games.brides.take(seats[rolling]) + 1
        _move_in(games, seats[rolling], rounds.roll_offspring(games, rows[rolling], dice))
    stepping = steps.nonzero()[0]
    advance_discs(games, rows[stepping], steps[stepping])


def _half_dice(games: Games, rows: Indices, seats: Indices) -> NDArray[np.uint16]:
    """Returns half the die just placed, rounded up (N1), [M]; any number without a die."""
    colors = np.minimum(games.state.color.take(rows), c.NUM_COLORS - 1)
    values = games.placed.ravel().take(seats * c.NUM_COLORS + colors)
    return (values + np.uint8(1) >> 1).astype(np.uint16)


def _move_in(games: Games, seats: Indices, numbers: NDArray[np.integer]) -> None:
    """Moves meeples by sex [M, 2] from the General Stock, as far as there are any (S8.3)."""
    stock = games.stock.take(seats, axis=0)
    moved = np.minimum(stock, numbers).astype(np.uint8)
    games.stock[seats] = stock - moved
    games.supply[seats] = games.supply.take(seats, axis=0) + moved


def advance_discs(games: Games, rows: Indices, steps: NDArray[np.integer]) -> None:
    """Moves initiative discs up, on top of the stacks there; not from the top (S9.4, B11)."""
    if not len(rows):
        return
    top, seats = len(games.edition.initiative_vp) - 1, games.seats(rows)
    new = np.minimum(games.initiative.take(seats) + steps, top).astype(np.uint8)
    moving = (games.seat_code.take(seats) < AT_TOP).nonzero()[0]
    rows, seats, new = rows[moving], seats[moving], new[moving]
    everyone = games.all_seats(rows)
    slots, heights = games.initiative.take(everyone), games.height.take(everyone)
    above = slots == games.initiative.take(seats)[:, None]
    above &= heights > games.height.take(seats)[:, None]
    games.height[everyone] = heights - above
    games.initiative[seats] = new
    games.height[seats] = np.einsum("ij->i", (slots == new[:, None]).view(np.uint8))
    games.seat_code[seats] |= (new == top).view(np.uint8) * AT_TOP


def arrive(games: Games, rows: Indices, places: Indices, board_rows: Indices) -> None:
    """Puts a meeple on a city's lowest slot, and takes a tile whose House is missing (S8.2, S8.5).

    `places` are 2 * city, and 1 more for the mission tile; it goes to a row of the board (S10.2).
    """
    cities, seats = places >> 1, games.seats(rows)
    games.meeples.ravel()[seats * c.NUM_CITIES + cities] += 1
    slots = rows * c.NUM_CITIES + cities
    taken = games.taken.ravel().take(slots) + np.uint8(1)
    games.taken.ravel()[slots] = taken
    games.lowest.ravel()[slots] = games.tables.lowest[cities, taken]
    games.cheapest[rows] = games.lowest.take(rows, axis=0).min(axis=1)
    tiles, places = games.state.city_tiles.ravel(), rows * (2 * c.NUM_CITIES) + places
    kinds = tiles.take(places)
    lines = seats * c.NUM_ROWS + board_rows
    shields = lines * c.NUM_HOUSES + (kinds >> 2)
    wanted = (games.missing.ravel().take(shields, mode="clip") > 0) & (kinds < NO_TILE)
    which = wanted.nonzero()[0]
    shields, kinds = shields[which], kinds[which]
    games.missing.ravel()[shields] -= 1
    games.held.ravel()[shields] += 1
    games.row_vp.ravel()[lines[which]] += (kinds & 3) + np.uint8(2)
    tiles[places[which]] = NO_TILE


_FEW = 256  # games


def apply_actions(games: Games, rows: Indices, actions: Indices) -> None:
    """Plays a legal action in some games, and every decision after it that has no alternative.

    Rounds end together, once nothing else is left to do: that is the same for every game, and
    saves passes for few games each. In few games, hardly any has a forced decision to play first.
    """
    steps: StepQueue[Games] = StepQueue()
    kinds = games.state.kind
    first = _first_steps(games.actions)
    steps.start(_ORDER, first.take(actions), rows, actions)
    steps.run(games, _ORDER)
    if len(rows) < _FEW:
        steps.run(games, rounds.ORDER)
    while True:
        steps.run(games, _ORDER)
        counts = legal.update(games, rows)
        few = (counts < 2).nonzero()[0]
        rows, counts = rows[few], counts[few]
        forced, lapsed = rows[counts == 1], rows[counts == 0]
        lapsed = lapsed[kinds.take(lapsed) != c.OVER]
        if len(forced) or len(lapsed):
            actions = games.legal.take(forced, axis=0).argmax(axis=1)
            steps.start(_ORDER, first.take(actions), forced, actions)
            _end_part(games, steps, lapsed)  # what has become impossible lapses (N2)
            rows = np.concatenate([forced, lapsed])
        elif not len(rows := steps.run(games, rounds.ORDER)):
            break
    update_board_bytes(games, games.take_changed_boards())


def _pass(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    """Passes for the round (S5.1)."""
    seats = games.seats(rows)
    games.passed[seats] = games.idle[seats] = True
    steps.add(_pass_on, rows)


def _take_die(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    """Takes a die, pays, places it (S5.3), and begins its one action (S5.4)."""
    seats, (dice, choices) = games.seats(rows), np.divmod(actions, games.actions.num_choices)
    colors, values = np.divmod(dice, c.NUM_FACES)
    values += 1
    games.florins[seats] -= games.tables.costs.ravel().take(dice)
    games.state.pool.ravel()[rows * (c.NUM_COLORS * c.NUM_FACES) + dice] -= 1
    games.placed.ravel()[seats * c.NUM_COLORS + colors] = values
    games.margin[seats] -= values
    games.open[seats, colors] = False
    free = row_sums(games.open.take(seats, axis=0).view(np.uint8))
    games.idle[seats] = full = free <= c.NUM_COLORS - games.edition.num_dice
    games.open[seats[full]] = False
    games.state.color[rows] = colors
    h = games.edition.num_helper_slots
    for step, first, last in ((_hire, 0, h), (_assign, h, h + 2), (_signoria, h + 2, h + 3)):
        which = ((choices >= first) & (choices < last)).nonzero()[0]
        places = colors[which] * (last - first) + choices[which] - first
        steps.add(step, rows[which], places)


def _hire(games: Games, steps: StepQueue[Games], rows: Indices, places: Integers) -> None:
    """Pays and places a helper (S6.1)."""
    prices = games.tables.prices.take(places) - np.uint8(1)
    games.florins[games.seats(rows)] -= prices
    _place_helpers(games, rows, games.tables.hired.take(places))
    steps.add(_ask_helpers, rows)


def _place_helpers(games: Games, rows: Indices, places: Indices) -> None:
    seats, width = games.seats(rows), len(games.tables.hired)
    games.helpers.ravel()[seats * width + places] = True
    games.hire_needs.ravel()[seats * width + games.tables.hiring.take(places)] = NEVER
    columns, slots = np.divmod(places, games.edition.num_helper_slots)
    games.columns.ravel()[seats * c.NUM_COLORS + columns] |= (1 << slots).astype(np.uint8)
    games.num_helpers[seats] = number = games.num_helpers.take(seats) + np.uint8(1)
    games.seat_code[seats] |= (number == width).view(np.uint8) * NO_HELPER
    games.helpers_left[rows] -= 1
    games.note_no_helpers(rows)


def _assign(games: Games, steps: StepQueue[Games], rows: Indices, slots: Integers) -> None:
    """Begins an assignment; those marked "..3" ask for a number of meeples (S7.1, S7.2)."""
    tables = games.tables
    tiles = games.state.assignments.ravel().take(rows * len(tables.counts) + slots)
    begin_effect(games, rows, games.edition.first_assignment + tiles.astype(np.int64), 1)
    # With a single meeple there is nothing to ask.
    places = games.seats(rows) * 2 + tables.slot_sexes.take(slots)
    asked = tables.marked.take(tiles) & (games.supply.ravel().take(places) > 1)
    games.state.kind[rows[asked]], games.state.repeats[rows[asked]] = c.SPEND, 0
    rest = ~asked
    _spend_meeples(games, steps, rows[rest], places[rest], tables.counts.take(tiles[rest]))


def _spend(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    """Spends meeples of an assignment marked "..3", which acts once for each (S7.2)."""
    counts = (actions - games.actions.spend.start + 1).astype(np.uint8)
    games.state.repeats[rows] = counts
    _spend_meeples(games, steps, rows, legal.spent_places(games, rows), counts)


def _spend_meeples(
    games: Games,
    steps: StepQueue[Games],
    rows: Indices,
    places: Integers,
    counts: NDArray[np.uint8],
) -> None:
    """Moves meeples to the General Stock or to the threshold space (S7.3)."""
    tiles = games.state.effect.take(rows) - np.uint8(games.edition.first_assignment)
    standing = counts * games.tables.on_threshold.take(tiles)
    games.supply.ravel()[places] -= counts
    games.stock.ravel()[places] += counts - standing
    games.threshold.ravel()[places] += standing
    games.margin[places >> 1] += standing * np.int16(games.edition.threshold_step)
    steps.add(_run_to_decision, rows)


def _signoria(games: Games, steps: StepQueue[Games], rows: Indices, colors: Integers) -> None:
    """Does the Signoria action of the die's color, an effect too (S8.1, S8.4)."""
    begin_effect(games, rows, colors, 1)
    steps.add(_run_to_decision, rows)


def _move_male(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    """Enters a male or moves him up (S9.1), with what the slot brings (S9.2)."""
    tables, seats, careers = games.tables, games.seats(rows), games.careers.ravel()
    points = actions - games.actions.track.start
    slots, places = points % len(tables.slot_vp), seats * len(tables.slot_ranks) + points
    entering = slots == 0
    games.supply[seats[entering], c.MALE] -= 1
    careers[places[~entering] - 1] -= 1
    careers[places] += 1
    games.note_careers(seats)
    games.florins[seats] += tables.slot_florins.take(slots)
    steps.add(_end_point, rows, tables.slot_steps.take(slots))


def _move_disc(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    steps.add(_end_point, rows, np.ones(len(rows), np.uint8))


def _stop(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    games.state.left[rows] = 0
    _end_part(games, steps, rows)


def _end_point(games: Games, steps: StepQueue[Games], rows: Indices, spaces: Integers) -> None:
    """Moves discs, and counts a point or tile of the running part."""
    stepping = spaces.nonzero()[0]
    advance_discs(games, rows[stepping], spaces[stepping])
    left = games.state.left.take(rows) - np.uint8(1)
    games.state.left[rows] = left
    _end_part(games, steps, rows[left == 0])


def _end_part(games: Games, steps: StepQueue[Games], rows: Indices) -> None:
    games.state.part[rows] += 1
    steps.add(_run_to_decision, rows)


def _mission(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    """Sends a male to a city and scores his slot (S8.2)."""
    tables, seats = games.tables, games.seats(rows)
    places, cities = np.divmod(actions - games.actions.mission.start, c.NUM_CITIES)
    games.careers.ravel()[seats * len(tables.slot_ranks) + places] -= 1
    games.note_careers(seats)
    careers, slots = np.divmod(places, len(tables.slot_vp))
    games.scores[:, c.MISSION_VP][seats] += tables.slot_vp.take(slots)
    steps.add(_arrive, rows, (careers * c.NUM_CITIES + cities) * 2 + c.MISSION_TILE)


def _marry(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    """Sends a female to a city, and pays and scores the dowry (S8.5)."""
    seats = games.seats(rows)
    cities, dowries = np.divmod(actions - games.actions.marry.start, c.MAX_DOWRY)
    dowries += 1
    games.supply[:, c.FEMALE][seats] -= 1
    games.florins[seats] -= dowries.astype(np.uint16)
    games.scores[:, c.MARRIAGE_VP][seats] += c.VP_PER_FLORIN * dowries
    steps.add(_arrive, rows, (c.MARRIAGE_ROW * c.NUM_CITIES + cities) * 2 + c.MARRIAGE_TILE)


def _arrive(games: Games, steps: StepQueue[Games], rows: Indices, numbers: Integers) -> None:
    """Puts meeples into cities, and takes their tiles (S8.6)."""
    board_rows, places = np.divmod(numbers, 2 * c.NUM_CITIES)
    arrive(games, rows, places, board_rows)
    games.changed_boards.append(rows)
    _end_part(games, steps, rows)


def _choose_row(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    """Draws a tile, face down, for a row (S10.3)."""
    rounds.draw_tiles(games, rows, np.ones(len(rows), np.uint8))
    places = games.seats(rows) * c.NUM_ROWS + actions - games.actions.row.start
    games.face_down.ravel()[places] += 1
    steps.add(_end_point, rows, np.zeros(len(rows), np.uint8))


def _free_helper(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    """Places a helper anywhere (A8)."""
    _place_helpers(games, rows, actions - games.actions.free_helper.start)
    _end_part(games, steps, rows)


def _use(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    games.state.repeats[rows] = 1
    steps.add(_run_to_decision, rows)


def _take_bonus(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    begin_effect(games, rows, legal.round_bonus(games, rows), 1)
    steps.add(_run_to_decision, rows)


def _run_to_decision(
    games: Games, steps: StepQueue[Games], rows: Indices, numbers: Integers
) -> None:
    """Does effects up to their next decisions; then helpers follow, or weddings."""
    ended = run_effect(games, rows)
    bonus = games.state.color.take(ended) == NO_COLOR
    steps.add(rounds.ask_to_wed, ended[bonus])
    steps.add(_ask_helpers, ended[~bonus])


def _ask_helpers(games: Games, steps: StepQueue[Games], rows: Indices, numbers: Integers) -> None:
    """Asks for the next helper of the die's column that can be used (S5.5, S6.3)."""
    state, h = games.state, games.edition.num_helper_slots
    colors, first = state.color.take(rows), games.tables.next_slots.take(state.effect.take(rows))
    columns = games.columns.ravel().take(games.seats(rows) * c.NUM_COLORS + colors)
    later = columns >> first
    which = later.nonzero()[0]
    if len(which):
        slots, asked_rows = np.arange(h), rows[which]
        helpers = c.NUM_COLORS + colors[which, None].astype(np.int64) * h + slots
        able = (columns[which, None] >> slots & 1 > 0) & (slots >= first[which, None])
        able &= legal.possible(games, asked_rows, helpers)
        asked = able.any(axis=1)
        later[which] = asked
        asked_rows = asked_rows[asked]
        state.kind[asked_rows] = c.HELPER
        begin_effect(games, asked_rows, helpers[asked, able[asked].argmax(axis=1)], 0)
        rows = rows[later == 0]
    steps.add(_pass_on, rows)


def _pass_on(games: Games, steps: StepQueue[Games], rows: Indices, numbers: Integers) -> None:
    """Lets the next seat that can act do so; the phase ends when all have passed (S5.1)."""
    state, p = games.state, games.num_players
    state.kind[rows], state.color[rows] = c.MAIN, NO_COLOR
    begin_effect(games, rows, NO_EFFECT, 0)
    places = games.place.take(games.seats(rows))[:, None] + np.arange(1, p + 1)
    order = state.order.ravel().take(rows[:, None] * p + places % p)
    seats = rows[:, None] * p + order
    idle = games.idle.take(seats)
    following = idle.argmin(axis=1)
    over = idle[:, 0] & (following == 0)
    following[over] = p
    # A seat that has four dice passes at its turn (S5.2).
    games.passed[seats[np.arange(p) < following[:, None]]] = True
    which = (~over).nonzero()[0]
    games.set_seats(rows[which], order[which, following[which]])
    rounds.wait(games, steps, rounds.end_phase, rows[over])


#: All steps of a turn, in the order of the rules.
_ORDER: tuple[Step[Games], ...] = (
    *(_pass, _take_die, _hire, _assign, _signoria, _spend, _move_male, _move_disc, _stop),
    *(_mission, _marry, _choose_row, _use, _take_bonus, rounds.take_florins, rounds.wed),
    *(
        rounds.decline,
        rounds.pay,
        _free_helper,
        _arrive,
        _end_point,
        _run_to_decision,
        rounds.ask_to_wed,
    ),
    *(_ask_helpers, _pass_on),
)


@lru_cache(maxsize=16)
def _first_steps(actions: ActionCodec) -> NDArray[np.uint8]:
    """Returns the index in `_ORDER` of what each action does, [A]."""
    a, first = actions, np.empty(actions.size, np.uint8)
    blocks: tuple[tuple[int | slice, Step[Games]], ...] = (
        *((a.die, _take_die), (a.skip_turn, _pass), (a.spend, _spend), (a.track, _move_male)),
        *((a.initiative, _move_disc), (a.stop, _stop), (a.mission, _mission), (a.marry, _marry)),
        *((a.row, _choose_row), (a.use, _use), (a.skip, _ask_helpers), (a.bonus, _take_bonus)),
        *((a.florins, rounds.take_florins), (a.wed, rounds.wed), (a.no_wed, rounds.decline)),
        *((a.pay, rounds.pay), (a.keep, rounds.decline), (a.free_helper, _free_helper)),
    )
    for block, step in blocks:
        first[block] = _ORDER.index(step)
    return first


class Engine(GameBase, BatchEngine[GameConfig, State, Deal, GameView]):
    """N games of Signorie.

    Games that are stepped together may wait for different kinds of decisions. Game i depends on
    its own seed only. A decision that has no alternative is not asked for: the step that leads to
    it plays it too, through seats and rounds; but the first decision of a game is always asked.
    See `BatchEngine` for `rows` and `autoreset`.

    `StepResult.points` are the acting seat's VP from its decision to the next one.
    """

    IMMEDIATE_SOURCES = np.ones(len(c.SOURCES), np.int64)

    _games: Games

    def _derive(self) -> None:
        self._games = Games(self.config, self._state)
        self._update_legal_and_observed(self._all.indices)

    def _update(self, rows: Rows) -> None:
        self._games.derive(rows.indices)
        self._update_legal_and_observed(rows.indices)

    def _update_legal_and_observed(self, rows: Indices) -> None:
        legal.update(self._games, rows)
        update_board_bytes(self._games, rows)

    def _winners(self, state: State) -> NDArray[np.bool_]:
        return winners(state)

    def _observe_into(self, rows: Rows, seats: Indices, out: NDArray[np.uint8]) -> None:
        observe(self._games, rows, seats, out)

    def _apply(self, rows: Indices, actions: Indices) -> None:
        apply_actions(self._games, rows, actions)
