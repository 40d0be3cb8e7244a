"""Between the rounds of many games: rewards, the next setup, and the end (S4, S11, S12)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.batch import draws, legal
from gonzaga_env.signorie.batch.games import Games
from gonzaga_env.signorie.batch.tables import AT_TOP
from gonzaga_env.signorie.state.state import NO_EFFECT, NO_TILE
from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.engines.steps import Step, Todo
from gonzaga_env.tabletop.rows import flat_rows, row_sums


def wait(games: Games, todo: Todo, step: Step, rows: Indices) -> None:
    """Lets games wait for one of the steps `ORDER`; no seat decides until then."""
    games.state.kind[rows] = c.OVER
    todo.add(step, rows)


def take_florins(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Takes Florins instead of the bonus (S11.4)."""
    games.florins[games.seats(rows)] += np.uint16(games.edition.reward_florins)
    ask_to_wed(games, todo, rows, rows)


def ask_to_wed(games: Games, todo: Todo, rows: Indices, numbers: Indices) -> None:
    """Asks for a wedding where a bride slot is empty (S11.4, B4)."""
    games.state.effect[rows] = NO_EFFECT
    free = games.brides.take(games.seats(rows)) < len(games.edition.bride_vp)
    games.state.kind[rows[free]] = c.WED
    wait(games, todo, reward_next, rows[~free])


def wed(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Takes a bride, her points and Florins (S11.4)."""
    tables, seats = games.tables, games.seats(rows)
    brides, numbers = games.brides.take(seats), games.state.round.take(rows) - 1
    games.scores[:, c.WEDDING_VP][seats] += tables.bride_vp.take(brides)
    games.florins[seats] += tables.wedding_florins.take(numbers)
    games.brides[seats] = brides + np.uint8(1)
    wait(games, todo, reward_next, rows)


def pay(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Pays for VP (S11.5)."""
    seats = games.seats(rows)
    games.florins[seats] -= np.uint16(games.edition.pay)
    games.scores[:, c.REWARD_VP][seats] += games.edition.pay_vp
    wait(games, todo, reward_next, rows)


def decline(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Takes no bride, or keeps the Florins (S11.4, S11.5)."""
    wait(games, todo, reward_next, rows)


def end_phase(games: Games, todo: Todo, rows: Indices, numbers: Indices) -> None:
    """Scores the initiative slots, makes the new turn order and restacks (S11.1, S11.2)."""
    seats, p = games.all_seats(rows), games.num_players
    slots = games.initiative.take(seats)
    games.scores[:, c.INITIATIVE_VP][seats] += games.tables.initiative_vp.take(slots)
    ranks = slots.astype(np.int64) * p + games.height.take(seats)
    games.set_order(rows, ranks.argsort(axis=1)[:, ::-1])
    games.initiative[seats] = 0
    games.seat_code[seats] &= ~AT_TOP
    games.height[seats] = p - 1 - games.place.take(seats)
    todo.add(_reward, rows, np.zeros(len(rows), np.uint8))


def reward_next(games: Games, todo: Todo, rows: Indices, numbers: Indices) -> None:
    """Continues with the seats after those that act."""
    todo.add(_reward, rows, games.place.take(games.seats(rows)) + np.uint8(1))


def _reward(games: Games, todo: Todo, rows: Indices, first: NDArray[np.uint8]) -> None:
    """Rewards the next seat within the threshold, from a place in the turn order on (S11.3)."""
    state, p = games.state, games.num_players
    order = state.order.take(rows, axis=0)
    seats, places = rows[:, None] * p + order, np.arange(p)
    asked = (games.margin.take(seats) >= 0) & (places >= first[:, None])
    late = state.round.take(rows) > c.BONUS_ROUNDS
    if late.any():  # who can't pay isn't asked (S11.5)
        scoring = asked & late[:, None]
        asked = asked & ((games.florins.take(seats) >= games.edition.pay) | ~late[:, None])
        scoring &= asked.cumsum(axis=1) <= asked
        if scoring.any():
            _score_vp_tiles(games, rows, seats, scoring)
    any_asked = asked.any(axis=1)
    _end_rounds(games, rows[~any_asked])
    which = np.flatnonzero(any_asked)
    rows, late = rows[which], late[which]
    games.act(rows, order[which, asked[which].argmax(axis=1)])
    state.kind[rows] = np.where(late, c.PAY, c.REWARD)
    early = rows[~late]
    able = legal.possible(games, early, legal.round_bonus(games, early)[:, None])
    forced = early[~able[:, 0]]
    take_florins(games, todo, forced, forced)


#: The steps between rounds; games wait for them until no other has anything to do.
ORDER: tuple[Step, ...] = (end_phase, reward_next, _reward)


def _score_vp_tiles(
    games: Games, rows: Indices, seats: Indices, scoring: NDArray[np.bool_]
) -> None:
    """Scores the round's VP tile (S11.5) for some seats of each game, [M, P]."""
    rows, seats = rows[scoring.nonzero()[0]], seats[scoring]
    held, hidden = games.held.take(seats, axis=0), games.face_down.take(seats, axis=0)
    counted = (  # `CRITERIA`
        games.num_helpers.take(seats),
        games.brides.take(seats),
        row_sums(games.meeples.take(seats, axis=0)),
        np.einsum("ijk->i", held) + row_sums(hidden),
        np.einsum("ijk->i", games.careers.take(seats, axis=0)),
    )
    tiles = games.state.vp_tiles[rows, games.state.round.take(rows) - c.BONUS_ROUNDS - 1]
    numbers = np.choose(games.tables.criteria.take(tiles), counted)
    games.scores[:, c.REWARD_VP][seats] += games.tables.vps.take(tiles) * numbers


def _end_rounds(games: Games, rows: Indices) -> None:
    """Takes threshold meeples back (S11.6); the next round, or the end."""
    if not len(rows):
        return
    seats = games.all_seats(rows)
    games.stock[seats] += games.threshold.take(seats, axis=0)
    games.threshold[seats] = 0
    games.state.effect[rows] = NO_EFFECT
    last = games.state.round.take(rows) == games.edition.num_rounds
    _finish(games, rows[last])
    _set_up(games, rows[~last])


def _set_up(games: Games, rows: Indices) -> None:
    """Sets the next round up (S3.1, S4)."""
    if not len(rows):
        return
    state, seats = games.state, games.all_seats(rows)
    state.round[rows] += 1
    state.kind[rows] = c.MAIN
    games.act(rows, state.order[rows, 0])
    games.passed[seats], games.placed[seats] = False, 0
    games.note_dice(rows)
    _refill(games, rows)
    state.pool[rows] = draws.dice(games, rows)
    state.assignments[rows] = draws.assignments(games, rows)
    games.changed_tables.append(rows)


def _refill(games: Games, rows: Indices) -> None:
    """Draws tiles for the empty slots of cities, one after the other (S4.1)."""
    city_tiles = games.state.city_tiles.reshape(-1, 2 * c.NUM_CITIES)
    empty = (city_tiles.take(rows, axis=0) == NO_TILE) & games.state.cities.take(
        rows, axis=0
    ).repeat(2, axis=1)
    numbers = np.minimum(row_sums(empty.view(np.uint8)), games.deck_size.take(rows))
    kinds = draws.tiles(games, rows, numbers)
    which, places = (empty & (empty.cumsum(axis=1) <= numbers[:, None])).nonzero()
    drawn = kinds[kinds < NO_TILE]
    city_tiles[rows[which], places] = drawn
    np.subtract.at(games.state.unseen, (rows[which], drawn), 1)


def _finish(games: Games, rows: Indices) -> None:
    """Scores careers (S12.1) and rows (S12.2), and ends games."""
    if not len(rows):
        return
    state, seats = games.state, games.all_seats(rows).ravel()
    careers = flat_rows(games.careers.take(seats, axis=0))
    games.scores[:, c.CAREER_VP][seats] = careers @ games.tables.halves
    face_down = games.face_down.take(seats, axis=0)
    tiles = np.einsum("ijk->ij", games.held.take(seats, axis=0)) + face_down
    points = (games.row_vp.take(seats, axis=0) + face_down) * (tiles >= c.ROW_SIZE)
    games.scores[:, c.TILE_VP][seats] = points.sum(axis=1)
    state.finished[rows], state.kind[rows] = True, c.OVER
    games.act(rows, state.order[rows, -1])
