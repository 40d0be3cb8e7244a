"""What answers do to many games: the rules from setup to the end of a turn (T2 to T10).

All games answer at once: first each kind of decision, then what several kinds lead to. A game
takes one path through `apply_actions`, whose steps stand in the order of the rules (T6.4, T8).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tuscany.batch import draws, legal
from gonzaga_env.tuscany.batch.games import NOT_BUILT, Games, by_kind, row_sums
from gonzaga_env.tuscany.batch.scoring import finish, score_piece, score_rounds
from gonzaga_env.tuscany.board.actions import (
    ACTIONS,
    FIRST_PAIR,
    OWN,
    PAYMENTS,
    WORKER,
)
from gonzaga_env.tuscany.constants import (
    AGRICULTURE,
    BONUS_CARD,
    BONUS_COPIES,
    BONUS_MARBLE,
    BONUS_STORAGE,
    BONUS_TYPES,
    BONUS_WORKER,
    BONUS_YIELD,
    CASTLE,
    CITY,
    FIRST_CROP_KIND,
    GAINS,
    HEXAGON,
    INN,
    MONASTERY,
    MONASTERY_CARDS,
    NUM_CELLS,
    NUM_COLOURS,
    NUM_LAYOUTS,
    NUM_OWN_TILES,
    NUM_ROUNDS,
    QUARRY,
    REFUSED_HEXAGON_POINTS,
    STACK_SIZE,
    STORAGE_POINTS,
    VILLAGE,
    WAGON,
)
from gonzaga_env.tuscany.state.state import (
    CASTLE_CROP,
    CASTLE_TILE,
    CITY_BONUS,
    CROP,
    FULL_STORAGE,
    LAYOUT,
    MAIN,
    MARBLE,
    NO_CELL,
    NO_PIECE,
    NOT_FINAL,
    OVER,
    PAYMENT,
    REMOVE,
    STARTING_BONUS,
    STARTING_CASTLE,
    STORAGE_BONUS,
    YIELD_GREEN,
    YIELD_RED,
)

#: Kinds within an action, which are asked only where there are two legal answers or more.
_WITHIN = np.isin(
    np.arange(OVER + 1), (REMOVE, CROP, PAYMENT, CITY_BONUS, CASTLE_TILE, CASTLE_CROP)
)

_UNITS: Indices = np.array(PAYMENTS)
#: What each payment takes: cards of the hex's colour, workers, and cards of other colours.
_OWN_PAID = (_UNITS == OWN).sum(axis=1).astype(np.uint8)
_WORKERS_PAID = (_UNITS == WORKER).sum(axis=1).astype(np.uint8)
_PAIRS: Indices = _UNITS[..., None] - FIRST_PAIR
_CARDS_PAID = 2 * (np.arange(NUM_COLOURS) == _PAIRS).sum(axis=1).astype(np.uint8)


class Queue:
    """Games that are to do the same next, with a number for each."""

    def __init__(self) -> None:
        self._rows: list[Indices] = []
        self._numbers: list[NDArray[np.uint8]] = []

    def add(self, rows: Indices, numbers: NDArray[np.uint8] | None = None) -> None:
        """Adds games [M], and a number for each if this takes one."""
        if len(rows):
            self._rows.append(rows)
            if numbers is not None:
                self._numbers.append(numbers)

    def __bool__(self) -> bool:
        return bool(self._rows)

    @property
    def rows(self) -> Indices:
        """The games, [M]."""
        return np.concatenate(self._rows)

    @property
    def numbers(self) -> NDArray[np.uint8]:
        """Their numbers, [M]."""
        return np.concatenate(self._numbers)

    def take(self) -> Indices:
        """Empties the queue and returns its games, [M]."""
        rows, self._rows = self.rows, []
        return rows


class Todo:
    """What answers lead to, in the order in which it is done.

    What ends an action waits until every answer without alternative is played, so that it is done
    for all games at once.

    Attributes:
        refill: games whose display lacks a tile.
        place: games that put `State.piece` on `State.cell`.
        cards: games whose action ends with drawing region cards, and how many.
        yields: games whose action ends with revealing yield cards, and how many.
        end_action: games whose action is over.
        end_turn: games whose turn is over.
    """

    def __init__(self) -> None:
        self.refill, self.place, self.cards = Queue(), Queue(), Queue()
        self.yields, self.end_action, self.end_turn = Queue(), Queue(), Queue()


def apply_actions(games: Games, rows: Indices, actions: Indices) -> None:
    """Plays a legal action in some games, and every answer after it that has no alternative."""
    todo, acting, kinds = Todo(), rows, games.state.kind
    while len(acting):
        for kind, which in by_kind(kinds.take(acting)):
            _ANSWERS[kind](games, todo, acting.take(which), actions.take(which))
        if todo.refill:  # before points and effects (T8.1, B7)
            draws.refill(games, todo.refill.take())
        if todo.place:
            _place(games, todo, todo.place.take())
        acting = acting[_WITHIN.take(kinds.take(acting))]
        legal.update(games, acting)
        acting = acting[games.num_legal.take(acting) == 1]
        actions = games.legal.take(acting, axis=0).argmax(axis=1)
    _end_actions(games, todo)
    legal.update(games, rows[~_WITHIN.take(kinds.take(rows))])


def _end_action(games: Games, todo: Todo, rows: Indices) -> None:
    """Ends actions, but for what is drawn and for the turn (see `_end_actions`)."""
    games.state.kind[rows] = MAIN
    todo.end_action.add(rows)


def _choose_layout(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    seats = games.seats(rows)
    games.layout[seats] = actions
    games.region[seats] = (games.region[seats] - NOT_BUILT) * NUM_LAYOUTS + actions
    games.state.kind[rows] = STARTING_CASTLE


def _choose_castle(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    state = games.state
    _cover(games, games.seats(rows), actions - ACTIONS.tile.start)  # it scores nothing (T7.3)
    first = _pass_on(games, rows)
    state.kind[rows] = np.where(first, STARTING_BONUS, LAYOUT)


def _choose_starting_bonus(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    _gain_bonus(games, rows, actions - ACTIONS.bonus.start)
    rows = rows[_pass_on(games, rows)]
    if len(rows):
        draws.fill_display(games, rows)
        games.state.kind[rows] = MAIN


def _pass_on(games: Games, rows: Indices) -> NDArray[np.bool_]:
    """Passes the turn on; returns whether it is the starting player's, [M]."""
    following = _following(games, rows)
    games.pass_on(rows, following)
    return following == games.state.start.take(rows)


def _following(games: Games, rows: Indices) -> NDArray[np.uint8]:
    """Returns the next seats, [M]."""
    return (games.state.seat.take(rows) + np.uint8(1)) % games.num_players


def _main(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Draws, takes or begins to place: exactly one of them (T3.1)."""
    drawing = rows[actions == ACTIONS.draw]
    todo.cards.add(drawing, _cards_of_action(games, drawing))
    _end_action(games, todo, drawing)
    taking = (ACTIONS.take.start <= actions) & (actions < ACTIONS.take.stop)
    _choose_tile(games, todo, rows[taking], actions[taking] - ACTIONS.take.start)
    placing = (actions >= ACTIONS.tile.start).nonzero()[0]
    if len(placing):
        _choose_cell(games, rows[placing], actions[placing])


def _cards_of_action(games: Games, rows: Indices) -> NDArray[np.uint8]:
    """Returns how many cards the action draws (T4.1), [M]."""
    return games.bonus[games.seats(rows), BONUS_CARD] + np.uint8(games.config.rules.draw_base)


def _choose_tile(games: Games, todo: Todo, rows: Indices, kinds: Indices) -> None:
    """Takes a tile; without a free space, a stored piece has to go first (T5.2)."""
    seats, state = games.seats(rows), games.state
    storage = games.storage.take(seats, axis=0)
    full = row_sums(storage) > games.bonus[seats, BONUS_STORAGE]
    # The usual case of one kind in store is played here, which saves a pass for all games.
    forced = (full & (row_sums((storage > 0).view(np.uint8)) == 1)).nonzero()[0]
    games.storage[seats[forced], storage[forced].argmax(axis=1)] -= 1
    full[forced] = False
    asked = rows[full]
    state.piece[asked], state.kind[asked] = kinds[full], REMOVE
    _take(games, todo, rows[~full], kinds[~full])


def _take(games: Games, todo: Todo, rows: Indices, kinds: NDArray[np.integer]) -> None:
    """Moves tiles from displays to storages (T5.1, T5.3)."""
    games.state.display[rows, kinds] -= 1
    games.storage[games.seats(rows), kinds] += 1
    todo.refill.add(rows)
    _end_action(games, todo, rows)


def _choose_cell(games: Games, rows: Indices, actions: Indices) -> None:
    """Begins to place a tile or a wooden hexagon (T6.1, T6.3)."""
    state, wooden = games.state, actions >= ACTIONS.hexagon.start
    state.cell[rows] = cells = (actions - ACTIONS.tile.start) % NUM_CELLS
    colours = _colours(games, games.seats(rows), cells)
    crop = (colours == AGRICULTURE) & ~wooden
    pieces = np.where(wooden, HEXAGON, draws.FIRST_KINDS[colours])
    state.piece[rows] = np.where(crop, NO_PIECE, pieces)
    state.kind[rows] = np.where(crop, CROP, PAYMENT)


def _remove(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    state = games.state
    games.storage[games.seats(rows), actions - ACTIONS.remove.start] -= 1  # out of the game
    kinds = state.piece.take(rows)
    state.piece[rows] = NO_PIECE
    _take(games, todo, rows, kinds)


def _choose_crop(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    games.state.piece[rows] = actions - ACTIONS.crop.start + FIRST_CROP_KIND
    games.state.kind[rows] = PAYMENT


def _pay(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Pays for pieces, which are then put (T6.2, T6.4)."""
    state, seats, payments = games.state, games.seats(rows), actions - ACTIONS.pay.start
    cards, which = _CARDS_PAID.take(payments, axis=0), np.arange(len(rows))
    cards[which, _colours(games, seats, state.cell.take(rows))] += _OWN_PAID.take(payments)
    games.hand[seats] -= cards
    state.discards[rows] += cards
    games.workers[seats] -= _WORKERS_PAID.take(payments)
    games.storage[seats, state.piece.take(rows)] -= 1
    todo.place.add(rows)


def _castle_effect(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Takes a display tile for an own hex, or declines (T8.1)."""
    state, declined = games.state, actions == ACTIONS.end
    _end_action(games, todo, rows[declined])
    rows, cells = rows[~declined], actions[~declined] - ACTIONS.tile.start
    state.cell[rows] = cells
    colours = _colours(games, games.seats(rows), cells)
    crop = colours == AGRICULTURE
    state.kind[rows[crop]] = CASTLE_CROP
    _place_from_display(games, todo, rows[~crop], draws.FIRST_KINDS[colours[~crop]])


def _castle_crop(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    _place_from_display(games, todo, rows, actions - ACTIONS.crop.start + FIRST_CROP_KIND)


def _place_from_display(games: Games, todo: Todo, rows: Indices, kinds: Indices) -> None:
    """Moves tiles, which are replaced before their points and effects (T8.1, B7)."""
    games.state.display[rows, kinds] -= 1
    games.state.piece[rows] = kinds
    todo.refill.add(rows)
    todo.place.add(rows)


def _place(games: Games, todo: Todo, rows: Indices) -> None:
    """Puts pieces on cells: zone, colour, effect (T6.4)."""
    state, seats = games.state, games.seats(rows)
    cells, pieces = state.cell.take(rows), state.piece.take(rows)
    state.piece[rows], state.cell[rows] = NO_PIECE, NO_CELL
    bits = _cover(games, seats, cells)
    games.wooden[seats] |= bits * (pieces == HEXAGON)
    colours = _colours(games, seats, cells)
    score_piece(games, rows, seats, cells, colours, pieces)
    _take_effect(games, todo, rows, seats, colours)


def _cover(games: Games, seats: Indices, cells: NDArray[np.integer]) -> NDArray[np.uint32]:
    """Covers a cell of each seat; returns the cells as sets, [M]."""
    bits = np.uint32(1) << cells.astype(np.uint32)
    games.covered[seats] |= bits
    games.near[seats] |= games.regions.neighbours[games.region.take(seats), cells]
    return bits


def _colours(games: Games, seats: Indices, cells: NDArray[np.integer]) -> NDArray[np.uint8]:
    """Returns the colours of cells, [M]."""
    return games.regions.colours[games.region.take(seats), cells]


def _take_effect(
    games: Games, todo: Todo, rows: Indices, seats: Indices, colours: NDArray[np.uint8]
) -> None:
    """Gives what pieces bring at once, by the colour of their cells (T8)."""
    state, bonus = games.state, games.bonus.take(seats, axis=0)
    games.marble[seats] += (colours == QUARRY) * (bonus[:, BONUS_MARBLE] + np.uint8(1))  # T8.5
    games.workers[seats] += (colours == VILLAGE) * (bonus[:, BONUS_WORKER] + np.uint8(1))  # T8.6
    drawing = rows[colours == MONASTERY]
    todo.cards.add(drawing, np.full(len(drawing), MONASTERY_CARDS, np.uint8))  # T8.7
    wagons = colours == WAGON
    todo.yields.add(rows[wagons], bonus[wagons, BONUS_YIELD] + np.uint8(1))  # T8.8
    inns = rows[colours == INN]
    if len(inns):
        _gain_hexagons(games, inns, np.ones(len(inns), np.uint8))
    asked = colours == CASTLE
    state.kind[rows[asked]] = CASTLE_TILE
    cities = rows[colours == CITY]
    if len(cities):  # without a bonus tile in stock, nothing happens (T8.2)
        stocked = state.bonus[cities].sum(axis=(1, 2)) < BONUS_COPIES * len(BONUS_TYPES)
        state.kind[cities[stocked]] = CITY_BONUS
        asked[colours == CITY] = stocked
    _end_action(games, todo, rows[~asked])


def _choose_bonus(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    _gain_bonus(games, rows, actions - ACTIONS.bonus.start)
    _end_action(games, todo, rows)


def _gain_bonus(games: Games, rows: Indices, types: Indices) -> None:
    seats = games.seats(rows)
    games.bonus[seats, types] += 1
    games.scores[seats, STORAGE_BONUS] += STORAGE_POINTS * (types == BONUS_STORAGE)  # T9.3


def _gain_hexagons(games: Games, rows: Indices, numbers: NDArray[np.uint8]) -> None:
    """Stores wooden hexagons; each without a space scores (T8.3, B14)."""
    seats = games.seats(rows)
    space = games.bonus[seats, BONUS_STORAGE] + 1 - row_sums(games.storage[seats])
    stored = np.minimum(space, numbers)
    games.storage[seats, HEXAGON] += stored
    games.state.new_hexagons[rows] += stored
    games.scores[seats, FULL_STORAGE] += REFUSED_HEXAGON_POINTS * (numbers - stored)


def _reveal_yields(games: Games, rows: Indices, numbers: NDArray[np.uint8]) -> None:
    """Reveals, gains and discards yield cards one after the other (T8.8)."""
    gains = np.array(games.config.edition.yield_cards, np.uint8)[:, :2]
    for i in range(int(numbers.max())):
        revealing = rows[numbers > i]
        cards = draws.draw_yields(games, revealing)
        _gain(games, revealing, *gains[cards].T)
        games.state.yield_discards[revealing, cards] += 1


def _gain(
    games: Games, rows: Indices, gains: NDArray[np.uint8], numbers: NDArray[np.uint8]
) -> None:
    """Gives what yield cards show; bonus tiles do not add to it (M4, B5)."""
    seats = games.seats(rows)
    for i, gain in enumerate(GAINS):
        which = (gains == i).nonzero()[0]
        if not len(which):
            continue
        owners, gained = seats[which], numbers[which]
        if gain == "green":
            games.scores[owners, YIELD_GREEN] += gained
        elif gain == "red":
            games.scores[owners, YIELD_RED] += gained
        elif gain == "marble":
            games.marble[owners] += gained
        elif gain == "worker":
            games.workers[owners] += gained
        elif gain == "cards":
            draws.draw_cards(games, rows[which], gained)
        else:
            _gain_hexagons(games, rows[which], gained)


def _choose_marble(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Pays a marble for a second action, or ends the turn (T3.2)."""
    ending = actions == ACTIONS.end
    todo.end_turn.add(rows[ending])
    rows = rows[~ending]
    games.marble[games.seats(rows)] -= 1
    games.state.marble_used[rows], games.state.kind[rows] = True, MAIN


def _end_actions(games: Games, todo: Todo) -> None:
    """Draws cards, and then offers another action for a marble, or ends turns (T3.2)."""
    if todo.cards:
        draws.draw_cards(games, todo.cards.rows, todo.cards.numbers)
    if todo.yields:
        _reveal_yields(games, todo.yields.rows, todo.yields.numbers)
    if todo.end_action:
        rows = todo.end_action.rows
        asked = games.marble.take(games.seats(rows)) > 0
        asked &= ~games.state.marble_used.take(rows)
        games.state.kind[rows[asked]] = MARBLE
        todo.end_turn.add(rows[~asked])
    if todo.end_turn:
        _end_turns(games, todo.end_turn.rows)


def _end_turns(games: Games, rows: Indices) -> None:
    """Ends turns, and rounds or games with them; the next seat follows (T3.1, T10.4)."""
    state = games.state
    state.marble_used[rows], state.new_hexagons[rows], state.kind[rows] = False, 0, MAIN
    following = _following(games, rows)
    lap_over = following == state.start.take(rows)
    scored = _end_rounds(games, rows, following)
    last_lap = lap_over & (state.lap.take(rows) == games.config.rules.max_laps)
    last_lap &= ~state.finished.take(rows)
    if last_lap.any():
        score_rounds(games, rows[last_lap & ~scored])
        state.truncated[rows[last_lap]] = True
        finish(games, rows[last_lap])
    going_on = ~state.finished.take(rows)
    state.lap[rows] += lap_over & going_on
    games.pass_on(rows[going_on], following[going_on])


def _end_rounds(games: Games, rows: Indices, following: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Scores rounds that end with this turn; returns where one did (T10.2, T10.3), [M]."""
    state = games.state
    most = games.turned.reshape(-1, games.num_players).take(rows, axis=0).max(axis=1)
    running = state.round.take(rows)
    scored = (most >= STACK_SIZE * running) & (running < NUM_ROUNDS)
    if games.config.rules.round_end == "lap":
        scored &= following == state.start.take(rows)
    if scored.any():
        score_rounds(games, rows[scored])
        state.round[rows[scored]] += 1
    last = (most >= NUM_OWN_TILES) | (state.turns_left.take(rows) != NOT_FINAL)
    last &= running == NUM_ROUNDS
    if last.any():
        scored[last] = _count_down(games, rows[last], following[last])
    return scored


def _count_down(games: Games, rows: Indices, following: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Counts the last turns once a third stack is empty; ends games after them (T10.3)."""
    state, p = games.state, games.num_players
    left, rest = state.turns_left.take(rows), (state.start.take(rows) + np.uint8(p) - following) % p
    if games.config.rules.final_turns == "one_each":
        rest[:] = 0
    left = np.where(left == NOT_FINAL, rest + p, left - 1)
    state.turns_left[rows] = left
    over = rows[left == 0]
    if len(over):
        score_rounds(games, over)
        finish(games, over)
    return left == 0


_ANSWERS: dict[int, Callable[[Games, Todo, Indices, Indices], None]] = {
    LAYOUT: _choose_layout,
    STARTING_CASTLE: _choose_castle,
    STARTING_BONUS: _choose_starting_bonus,
    MAIN: _main,
    REMOVE: _remove,
    CROP: _choose_crop,
    PAYMENT: _pay,
    CITY_BONUS: _choose_bonus,
    CASTLE_TILE: _castle_effect,
    CASTLE_CROP: _castle_crop,
    MARBLE: _choose_marble,
}
