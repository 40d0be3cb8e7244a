"""The engine for batches, and the effects of answers from setup to the end of a turn (T2 to T10).

All games answer at once. A step of the rules adds games to later steps, so each step is done once,
for all games that come to it; `_ORDER` lists them (T6.4, T8).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices
from gonzaga_env.kernel.batch import BatchEngine
from gonzaga_env.kernel.rows import Rows, Step, StepQueue, row_sums
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.base import GameBase
from gonzaga_env.tuscany.batch import legal
from gonzaga_env.tuscany.batch.games import (
    FIRST_KINDS,
    Games,
    draw_cards,
    draw_yields,
    fill_display,
    finish,
    refill,
    score_piece,
    score_rounds,
)
from gonzaga_env.tuscany.batch.legal import observe
from gonzaga_env.tuscany.board import ACTIONS, FIRST_PAIR, OWN, PAYMENTS, WORKER, region_numbers
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.state import Deal, State, winners
from gonzaga_env.tuscany.view import GameView

Numbers = NDArray[np.integer]

_UNITS: Indices = np.array(PAYMENTS)
#: What each payment takes: cards of the hex's colour, workers, and cards of other colours.
_OWN_PAID = (_UNITS == OWN).sum(axis=1).astype(np.uint8)
_WORKERS_PAID = (_UNITS == WORKER).sum(axis=1).astype(np.uint8)
_PAIRS: Indices = _UNITS[..., None] - FIRST_PAIR
_CARDS_PAID = 2 * (np.arange(c.NUM_COLOURS) == _PAIRS).sum(axis=1).astype(np.uint8)


def apply_actions(games: Games, rows: Indices, actions: Indices) -> None:
    """Plays a legal action in some games, and every answer after it that has no alternative."""
    steps: StepQueue[Games] = StepQueue()
    kinds = games.state.kind
    steps.start(_ORDER, _FIRST[kinds.take(rows), actions], rows, actions)
    steps.run(games, _ORDER)
    legal.update(games, rows[~_ASKED_AT_ONCE.take(kinds.take(rows))])


def _ask(
    games: Games, steps: StepQueue[Games], rows: Indices, kind: int, answer: Step[Games]
) -> None:
    """Asks for a decision within an action; where one answer is legal, it is played."""
    if len(rows):
        games.state.kind[rows] = kind
        masks = legal.update_kind(games, kind, rows)
        only = (games.num_legal.take(rows) == 1).nonzero()[0]
        steps.add(answer, rows[only], masks[only].argmax(axis=1))


def _choose_layout(games: Games, steps: StepQueue[Games], rows: Indices, actions: Numbers) -> None:
    seats = games.seats(rows)
    games.layout[seats] = actions
    games.region[seats] = region_numbers(games.boards[seats], games.layout[seats])
    games.state.kind[rows] = c.STARTING_CASTLE


def _choose_castle(games: Games, steps: StepQueue[Games], rows: Indices, actions: Numbers) -> None:
    _cover(games, games.seats(rows), actions - ACTIONS.tile.start)  # it scores nothing (T7.3)
    first = _pass_on(games, rows)
    games.state.kind[rows] = np.where(first, c.STARTING_BONUS, c.LAYOUT)


def _choose_starting_bonus(
    games: Games, steps: StepQueue[Games], rows: Indices, actions: Numbers
) -> None:
    _gain_bonus(games, rows, actions - ACTIONS.bonus.start, points=True)
    rows = rows[_pass_on(games, rows)]
    if len(rows):
        fill_display(games, rows)
        games.state.kind[rows] = c.MAIN


def _pass_on(games: Games, rows: Indices) -> NDArray[np.bool_]:
    """Passes the turn on; returns whether it is the starting player's, [M]."""
    following = _following(games, rows)
    games.set_seats(rows, following)
    return following == games.state.start.take(rows)


def _following(games: Games, rows: Indices) -> NDArray[np.uint8]:
    """Returns the next seats, [M]."""
    return (games.state.seat.take(rows) + np.uint8(1)) % games.num_players


def _draw(games: Games, steps: StepQueue[Games], rows: Indices, actions: Numbers) -> None:
    """Draws cards (T4.1)."""
    numbers = games.bonus[games.seats(rows), c.BONUS_CARD] + np.uint8(games.config.rules.draw_base)
    steps.add(_draw_cards, rows, numbers)
    steps.add(_end_action, rows)


def _choose_tile(games: Games, steps: StepQueue[Games], rows: Indices, actions: Numbers) -> None:
    """Takes a tile; without a free space, a stored piece has to go first (T5.2)."""
    seats, state, kinds = games.seats(rows), games.state, actions - ACTIONS.take.start
    storage = games.storage.take(seats, axis=0)
    full = row_sums(storage) > games.bonus[:, c.BONUS_STORAGE][seats]
    # What is asked is answered at once where one kind is stored.
    forced = (full & (row_sums((storage > 0).view(np.uint8)) == 1)).nonzero()[0]
    if len(forced):
        games.storage[seats[forced], storage[forced].argmax(axis=1)] -= 1
        full[forced] = False
    asked = rows[full]
    state.piece[asked], state.kind[asked] = kinds[full], c.REMOVE
    steps.add(_take, rows[~full], kinds[~full])


def _remove(games: Games, steps: StepQueue[Games], rows: Indices, actions: Numbers) -> None:
    games.storage[games.seats(rows), actions - ACTIONS.remove.start] -= 1  # out of the game
    steps.add(_take, rows, games.state.piece.take(rows))
    games.state.piece[rows] = c.NO_PIECE


def _take(games: Games, steps: StepQueue[Games], rows: Indices, kinds: Numbers) -> None:
    """Moves tiles from displays to storages (T5.1, T5.3)."""
    games.storage[games.seats(rows), kinds] += 1
    steps.add(_refill, rows, kinds)
    steps.add(_end_action, rows)


def _choose_cell(games: Games, steps: StepQueue[Games], rows: Indices, actions: Numbers) -> None:
    """Begins to place a tile or a wooden hexagon (T6.1, T6.3)."""
    state, wooden = games.state, actions >= ACTIONS.hexagon.start
    state.cell[rows] = cells = (actions - ACTIONS.tile.start) % c.NUM_CELLS
    colours = _colours(games, games.seats(rows), cells)
    state.piece[rows] = np.where(wooden, c.HEXAGON, FIRST_KINDS[colours])
    crop = (colours == c.AGRICULTURE) & ~wooden
    asked = rows[crop]
    state.piece[asked] = c.NO_PIECE
    _ask(games, steps, asked, c.CROP, _choose_crop)
    steps.add(_ask_payment, rows[~crop])


def _choose_crop(games: Games, steps: StepQueue[Games], rows: Indices, actions: Numbers) -> None:
    games.state.piece[rows] = actions - ACTIONS.crop.start + c.FIRST_CROP_KIND
    steps.add(_ask_payment, rows)


def _ask_payment(games: Games, steps: StepQueue[Games], rows: Indices, _: Numbers) -> None:
    _ask(games, steps, rows, c.PAYMENT, _pay)


def _pay(games: Games, steps: StepQueue[Games], rows: Indices, actions: Numbers) -> None:
    """Pays for pieces, which are then put (T6.2, T6.4)."""
    state, seats, payments = games.state, games.seats(rows), actions - ACTIONS.pay.start
    cards, which = _CARDS_PAID.take(payments, axis=0), np.arange(len(rows))
    cards[which, _colours(games, seats, state.cell.take(rows))] += _OWN_PAID.take(payments)
    games.hand[seats] = games.hand.take(seats, axis=0) - cards
    state.discards[rows] = state.discards.take(rows, axis=0) + cards
    games.workers[seats] -= _WORKERS_PAID.take(payments)
    pieces = state.piece.take(rows)
    games.storage[seats, pieces] -= 1
    steps.add(_put, rows, pieces)


def _choose_castle_tile(
    games: Games, steps: StepQueue[Games], rows: Indices, actions: Numbers
) -> None:
    """Takes a display tile for an own hex (T8.1)."""
    games.state.cell[rows] = cells = actions - ACTIONS.tile.start
    colours = _colours(games, games.seats(rows), cells)
    crop = colours == c.AGRICULTURE
    _ask(games, steps, rows[crop], c.CASTLE_CROP, _choose_castle_crop)
    _place_from_display(steps, rows[~crop], FIRST_KINDS[colours[~crop]])


def _choose_castle_crop(
    games: Games, steps: StepQueue[Games], rows: Indices, actions: Numbers
) -> None:
    _place_from_display(steps, rows, actions - ACTIONS.crop.start + c.FIRST_CROP_KIND)


def _place_from_display(steps: StepQueue[Games], rows: Indices, kinds: Numbers) -> None:
    """Moves tiles, which are replaced before their points and effects (T8.1, B7)."""
    steps.add(_refill, rows, kinds)
    steps.add(_put, rows, kinds)


def _refill(games: Games, steps: StepQueue[Games], rows: Indices, kinds: Numbers) -> None:
    """Replaces tiles that left the displays (T5.3)."""
    games.state.display[rows, kinds] -= 1
    refill(games, rows)


def _put(games: Games, steps: StepQueue[Games], rows: Indices, pieces: Numbers) -> None:
    """Puts pieces on cells: zone, colour, effect (T6.4)."""
    state, seats, cells = games.state, games.seats(rows), games.state.cell.take(rows)
    state.piece[rows], state.cell[rows] = c.NO_PIECE, c.NO_CELL
    bits = _cover(games, seats, cells)
    games.wooden[seats] |= bits * (pieces == c.HEXAGON)
    colours = _colours(games, seats, cells)
    score_piece(games, rows, seats, cells, colours, pieces)
    _take_effect(games, steps, rows, seats, colours)


def _cover(games: Games, seats: Indices, cells: Numbers) -> NDArray[np.uint32]:
    """Covers a cell of each seat; returns the cells as sets, [M]."""
    bits = np.uint32(1) << cells.astype(np.uint32)
    games.covered[seats] |= bits
    games.near[seats] |= games.regions.neighbours[games.region.take(seats), cells]
    return bits


def _colours(games: Games, seats: Indices, cells: Numbers) -> NDArray[np.uint8]:
    """Returns the colours of cells, [M]."""
    return games.regions.colours[games.region.take(seats), cells]


def _take_effect(
    games: Games, steps: StepQueue[Games], rows: Indices, seats: Indices, colours: NDArray[np.uint8]
) -> None:
    """Gives what pieces bring at once, by the colour of their cells (T8)."""
    state, bonus = games.state, games.bonus.take(seats, axis=0)
    games.marble[seats] += (colours == c.QUARRY) * (bonus[:, c.BONUS_MARBLE] + np.uint8(1))  # T8.5
    games.workers[seats] += (colours == c.VILLAGE) * (
        bonus[:, c.BONUS_WORKER] + np.uint8(1)
    )  # T8.6
    drawing = rows[colours == c.MONASTERY]
    steps.add(_draw_cards, drawing, np.full(len(drawing), c.MONASTERY_CARDS, np.uint8))  # T8.7
    wagons = colours == c.WAGON
    steps.add(_reveal_yields, rows[wagons], bonus[wagons, c.BONUS_YIELD] + np.uint8(1))  # T8.8
    inns = rows[colours == c.INN]
    if len(inns):
        _gain_hexagons(games, inns, np.ones(len(inns), np.uint8))
    asked = colours == c.CASTLE
    _ask(games, steps, rows[asked], c.CASTLE_TILE, _end_action)  # without a tile that fits
    cities = (colours == c.CITY).nonzero()[0]
    if len(cities):  # without a bonus tile in stock, nothing happens (T8.2)
        taken = np.einsum("ijk->i", state.bonus.take(rows[cities], axis=0))
        stocked = taken < c.BONUS_COPIES * len(c.BONUS_TYPES)
        asked[cities] = stocked
        _ask(games, steps, rows[cities[stocked]], c.CITY_BONUS, _choose_bonus)
    steps.add(_end_action, rows[~asked])


def _choose_bonus(games: Games, steps: StepQueue[Games], rows: Indices, actions: Numbers) -> None:
    points = games.config.rules.storage_points == "always"  # B4
    _gain_bonus(games, rows, actions - ACTIONS.bonus.start, points)
    steps.add(_end_action, rows)


def _gain_bonus(games: Games, rows: Indices, types: Numbers, points: bool) -> None:
    """Takes bonus tiles for good (T9.2); `points` says whether storage scores now."""
    seats = games.seats(rows)
    games.bonus[seats, types] += 1
    if points:  # T9.3
        games.scores[:, c.STORAGE_BONUS][seats] += c.STORAGE_POINTS * (types == c.BONUS_STORAGE)


def _gain_hexagons(games: Games, rows: Indices, numbers: NDArray[np.uint8]) -> None:
    """Stores wooden hexagons; each without a space scores (T8.3, B14)."""
    seats = games.seats(rows)
    space = games.bonus[:, c.BONUS_STORAGE][seats] + 1 - row_sums(games.storage.take(seats, axis=0))
    stored = np.minimum(space, numbers)
    games.storage[:, c.HEXAGON][seats] += stored
    games.state.new_hexagons[rows] += stored
    games.scores[:, c.FULL_STORAGE][seats] += c.REFUSED_HEXAGON_POINTS * (numbers - stored)


def _draw_cards(games: Games, steps: StepQueue[Games], rows: Indices, numbers: Numbers) -> None:
    draw_cards(games, rows, numbers)


def _reveal_yields(games: Games, steps: StepQueue[Games], rows: Indices, numbers: Numbers) -> None:
    """Reveals, gains and discards yield cards one after the other (T8.8)."""
    gains = np.array(games.config.edition.yield_cards, np.uint8)[:, :2]
    for i in range(int(numbers.max())):
        revealing = rows[numbers > i]
        cards = draw_yields(games, revealing)
        _gain(games, revealing, *gains[cards].T)
        games.state.yield_discards[revealing, cards] += 1


def _gain(
    games: Games, rows: Indices, gains: NDArray[np.uint8], numbers: NDArray[np.uint8]
) -> None:
    """Gives what yield cards show, and as an option what bonus tiles add to it (M4, B5)."""
    seats, bonus = games.seats(rows), games.bonus
    every = np.uint8(games.config.rules.bonus_gains == "every")
    for i, gain in enumerate(c.GAINS):
        which = (gains == i).nonzero()[0]
        if not len(which):
            continue
        owners, gained = seats[which], numbers[which]
        if gain == "green":
            games.scores[:, c.YIELD_GREEN][owners] += gained
        elif gain == "red":
            games.scores[:, c.YIELD_RED][owners] += gained
        elif gain == "marble":
            games.marble[owners] += gained + every * bonus[:, c.BONUS_MARBLE][owners]
        elif gain == "worker":
            games.workers[owners] += gained + every * bonus[:, c.BONUS_WORKER][owners]
        elif gain == "cards":
            draw_cards(games, rows[which], gained)
        else:
            _gain_hexagons(games, rows[which], gained)


def _end_action(games: Games, steps: StepQueue[Games], rows: Indices, _: Numbers) -> None:
    """Offers another action for a marble, or ends turns (T3.2)."""
    asked = games.marble.take(games.seats(rows)) > 0
    asked &= ~games.state.marble_used.take(rows)
    games.state.kind[rows[asked]] = c.MARBLE
    steps.add(_end_turn, rows[~asked])


def _spend_marble(games: Games, steps: StepQueue[Games], rows: Indices, _: Numbers) -> None:
    """Pays a marble for a second action (T3.2)."""
    games.marble[games.seats(rows)] -= 1
    games.state.marble_used[rows], games.state.kind[rows] = True, c.MAIN


def _end_turn(games: Games, steps: StepQueue[Games], rows: Indices, _: Numbers) -> None:
    """Ends turns, and rounds or games with them; the next seat follows (T3.1, T10.4)."""
    state = games.state
    state.marble_used[rows], state.new_hexagons[rows], state.kind[rows] = False, 0, c.MAIN
    following = _following(games, rows)
    lap_over = following == state.start.take(rows)
    _end_rounds(games, rows, following, lap_over)
    going_on = ~state.finished.take(rows)
    if not going_on.all():
        rows, following, lap_over = rows[going_on], following[going_on], lap_over[going_on]
    state.lap[rows] += lap_over
    games.set_seats(rows, following)


def _end_rounds(
    games: Games, rows: Indices, following: NDArray[np.uint8], lap_over: NDArray[np.bool_]
) -> None:
    """Scores rounds that end with this turn, and ends games (T10.2 to T10.4)."""
    state, rules, running = games.state, games.config.rules, games.state.round.take(rows)
    third = running == c.NUM_ROUNDS
    ready = games.most_turned.take(rows) >= c.STACK_SIZE * running
    if rules.round_end == "lap":
        ready &= lap_over | third
    ready |= third & (state.turns_left.take(rows) != c.NOT_FINAL)
    last_lap = lap_over & (state.lap.take(rows) == rules.max_laps)
    places = (ready | last_lap).nonzero()[0]
    if not len(places):
        return
    rows, last_lap = rows[places], last_lap[places]
    scored, final = (ready & ~third)[places], (ready & third)[places]
    final[final] = _count_down(games, rows[final], following[places[final]])
    score_rounds(games, rows[scored | final | last_lap])
    state.round[rows[scored]] += 1
    state.truncated[rows[last_lap & ~final]] = True
    finish(games, rows[last_lap | final])


def _count_down(games: Games, rows: Indices, following: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Counts the last turns once a third stack is empty; returns whether all are over (T10.3)."""
    state, p = games.state, games.num_players
    left, rest = state.turns_left.take(rows), (state.start.take(rows) + np.uint8(p) - following) % p
    if games.config.rules.final_turns == "one_each":
        rest[:] = 0
    left = np.where(left == c.NOT_FINAL, rest + p, left - 1)
    state.turns_left[rows] = left
    return left == 0


#: Every step, before those that it leads to.
_ORDER: tuple[Step[Games], ...] = (
    *(_choose_layout, _choose_castle, _choose_starting_bonus),
    *(_draw, _choose_tile, _remove, _take, _choose_cell, _choose_crop, _ask_payment, _pay),
    *(_choose_castle_tile, _choose_castle_crop, _refill, _put, _choose_bonus),
    *(_draw_cards, _reveal_yields, _end_action, _spend_marble, _end_turn),
)
_ANSWERS: dict[int, tuple[tuple[int | slice, Step[Games]], ...]] = {
    c.LAYOUT: ((ACTIONS.layout, _choose_layout),),
    c.STARTING_CASTLE: ((ACTIONS.tile, _choose_castle),),
    c.STARTING_BONUS: ((ACTIONS.bonus, _choose_starting_bonus),),
    c.MAIN: (
        (ACTIONS.draw, _draw),
        (ACTIONS.take, _choose_tile),  # exactly one of them (T3.1)
        (ACTIONS.tile, _choose_cell),
        (ACTIONS.hexagon, _choose_cell),
    ),
    c.REMOVE: ((ACTIONS.remove, _remove),),
    c.CROP: ((ACTIONS.crop, _choose_crop),),
    c.PAYMENT: ((ACTIONS.pay, _pay),),
    c.CITY_BONUS: ((ACTIONS.bonus, _choose_bonus),),
    c.CASTLE_TILE: ((ACTIONS.tile, _choose_castle_tile), (ACTIONS.end, _end_action)),
    c.CASTLE_CROP: ((ACTIONS.crop, _choose_castle_crop),),
    c.MARBLE: ((ACTIONS.marble, _spend_marble), (ACTIONS.end, _end_turn)),
}
#: The index in `_ORDER` of what an answer does, by kind of decision and action, [12, A].
_FIRST = np.zeros((c.OVER + 1, ACTIONS.size), np.uint8)
for _kind, _blocks in _ANSWERS.items():
    for _block, _step in _blocks:
        _FIRST[_kind, _block] = _ORDER.index(_step)
#: Kinds whose legal actions are known when `apply_actions` ends, because `_ask` found them.
_ASKED_AT_ONCE = np.isin(
    np.arange(c.OVER + 1), (c.CROP, c.PAYMENT, c.CITY_BONUS, c.CASTLE_TILE, c.CASTLE_CROP)
)


class Engine(GameBase, BatchEngine[GameConfig, State, Deal, GameView]):
    """N games of The Castles of Tuscany.

    Games that are stepped together may wait for different kinds of decisions. Game i depends on
    its own seed only. An answer that has no alternative is not asked for: the step that leads to
    it plays it too. See `BatchEngine` for `rows` and `autoreset`.

    `StepResult.points` are the acting seat's green and red points from the answer itself, without
    T11.
    """

    IMMEDIATE_SOURCES = np.isin(
        np.arange(len(c.SOURCES)), (*range(c.ROUND_1), *range(c.YIELD_RED, c.END_TILES))
    ).astype(np.int64)

    _games: Games

    def _derive(self) -> None:
        self._games = Games(self.config, self._state)
        legal.update(self._games, self._all.indices)

    def _update(self, rows: Rows) -> None:
        self._games.derive(rows.indices)
        legal.update(self._games, rows.indices)

    def _winners(self, state: State) -> NDArray[np.bool_]:
        return winners(state)

    def _observe_into(self, rows: Rows, seats: Indices, out: NDArray[np.uint8]) -> None:
        observe(self._games, rows, seats, out)

    def _apply(self, rows: Indices, actions: Indices) -> None:
        apply_actions(self._games, rows, actions)
