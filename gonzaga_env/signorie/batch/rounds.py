"""Between the rounds of many games: rewards, the next setup, and the end (S4, S11, S12)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie.batch import draws
from gonzaga_env.signorie.batch.games import Games, Queue, Todo, row_sums
from gonzaga_env.signorie.constants import (
    BONUS_ROUNDS,
    CAREER_VP,
    INITIATIVE_VP,
    MAIN,
    NUM_CAREERS,
    NUM_HOUSES,
    NUM_ROUNDS,
    NUM_ROWS,
    OVER,
    PAY,
    REWARD,
    REWARD_VP,
    ROW_SIZE,
    TILE_VP,
    WED,
)
from gonzaga_env.signorie.state.state import NO_EFFECT, NO_TILE
from gonzaga_env.tabletop.arguments import Indices


def wait(games: Games, queue: Queue, rows: Indices) -> None:
    """Lets games wait for `go_on`; nobody is asked meanwhile."""
    games.state.kind[rows] = OVER
    queue.add(rows)


def ask_to_wed(games: Games, todo: Todo, rows: Indices) -> None:
    """Asks for a wedding where a bride slot is empty (S11.4, B4)."""
    if not len(rows):
        return
    games.state.effect[rows] = NO_EFFECT
    free = games.brides.take(games.seats(rows)) < len(games.config.edition.bride_vp)
    games.state.kind[rows[free]] = WED
    wait(games, todo.rewards, rows[~free])


def go_on(games: Games, todo: Todo) -> Indices:
    """Rewards the next seats of all games that wait, or ends their rounds; returns the games."""
    ended, rewarded = todo.rounds.take(), todo.rewards.take()
    if len(ended):
        _score_initiative(games, ended)
    first = np.zeros(len(ended) + len(rewarded), np.uint8)
    first[len(ended) :] = games.place.take(games.seats(rewarded)) + np.uint8(1)
    rows = np.concatenate([ended, rewarded])
    _reward(games, todo, rows, first)
    return rows


def _score_initiative(games: Games, rows: Indices) -> None:
    """Scores the initiative slots, makes the new turn order and restacks (S11.1, S11.2)."""
    seats, p = games.all_seats(rows), games.num_players
    slots = games.initiative.take(seats)
    vp = np.array(games.config.edition.initiative_vp, np.int16)
    games.scores[seats, INITIATIVE_VP] += vp.take(slots)
    ranks = slots.astype(np.int64) * p + games.height.take(seats)
    games.set_order(rows, ranks.argsort(axis=1)[:, ::-1])
    games.initiative[seats] = 0
    games.height[seats] = p - 1 - games.place.take(seats)


def _reward(games: Games, todo: Todo, rows: Indices, first: NDArray[np.uint8]) -> None:
    """Rewards the next seat within the threshold, from a place in the turn order on (S11.3)."""
    state, edition, p = games.state, games.config.edition, games.num_players
    order = state.order.take(rows, axis=0)
    seats, places = rows[:, None] * p + order, np.arange(p)
    sums = np.einsum("ijk->ij", games.placed.take(seats, axis=0))
    standing = np.einsum("ijk->ij", games.threshold.take(seats, axis=0)).astype(np.int64)
    able = sums <= edition.threshold + edition.threshold_step * standing
    able &= places >= first[:, None]
    late = state.round.take(rows) > BONUS_ROUNDS
    asked = able
    if late.any():  # who can't pay isn't asked (S11.5)
        rich = games.florins.take(seats) >= edition.pay
        asked = able & (rich | ~late[:, None])
        scoring = able & (asked.cumsum(axis=1) - asked == 0) & late[:, None]
        _score_vp_tiles(games, rows, seats, scoring)
    any_asked = asked.any(axis=1)
    _end_rounds(games, todo, rows[~any_asked])
    which = any_asked.nonzero()[0]
    games.act(rows[which], order[which, asked[which].argmax(axis=1)])
    state.kind[rows[which]] = np.where(late[which], PAY, REWARD)


def _score_vp_tiles(
    games: Games, rows: Indices, seats: Indices, scoring: NDArray[np.bool_]
) -> None:
    """Scores the round's VP tile (S11.5) for some seats of each game, [M, P]."""
    which, _ = scoring.nonzero()
    rows, seats = rows[which], seats[scoring]
    tiles = row_sums(games.held.take(seats, axis=0))
    tiles += row_sums(games.face_down.take(seats, axis=0))
    counted = (  # `CRITERIA`
        games.num_helpers.take(seats),
        games.brides.take(seats),
        row_sums(games.meeples.take(seats, axis=0)),
        tiles,
        row_sums(games.careers.take(seats, axis=0)),
    )
    tiles = games.state.vp_tiles[rows, games.state.round.take(rows) - BONUS_ROUNDS - 1]
    vp, criteria = np.array(games.config.edition.vp_per)[tiles].T
    games.scores[seats, REWARD_VP] += vp * np.choose(criteria, counted)


def _end_rounds(games: Games, todo: Todo, rows: Indices) -> None:
    """Takes threshold meeples back (S11.6); the next round, or the end."""
    if not len(rows):
        return
    seats = games.all_seats(rows)
    games.stock[seats] += games.threshold.take(seats, axis=0)
    games.threshold[seats] = 0
    last = games.state.round.take(rows) == NUM_ROUNDS
    if last.any():
        _finish(games, rows[last])
        rows = rows[~last]
    if len(rows):
        _set_up(games, rows)
        todo.tables.add(rows)


def _set_up(games: Games, rows: Indices) -> None:
    """Sets the next round up (S4)."""
    state, seats = games.state, games.all_seats(rows)
    state.round[rows] += 1
    state.kind[rows], state.effect[rows] = MAIN, NO_EFFECT
    games.act(rows, state.order[rows, 0])
    games.passed[seats] = games.idle[seats] = False
    games.placed[seats], games.num_placed[seats] = 0, 0
    _refill(games, rows)
    state.pool[rows] = draws.dice(games, rows)
    state.assignments[rows] = draws.assignments(games, rows)


def _refill(games: Games, rows: Indices) -> None:
    """Draws tiles for the empty slots of cities, one after the other (S4.1)."""
    state = games.state
    city_tiles = state.city_tiles.reshape(len(state.seat), -1)
    empty = (city_tiles.take(rows, axis=0) == NO_TILE) & state.cities[rows].repeat(2, axis=1)
    numbers = np.minimum(row_sums(empty.view(np.uint8)), games.deck_size.take(rows))
    kinds = draws.tiles(games, rows, numbers)
    empty &= empty.cumsum(axis=1) <= numbers[:, None]
    which, places = empty.nonzero()
    drawn = kinds[kinds < NO_TILE]
    city_tiles[rows[which], places] = drawn
    np.subtract.at(state.unseen, (rows[which], drawn), 1)


def _finish(games: Games, rows: Indices) -> None:
    """Scores careers and rows, and ends games (S12)."""
    state, seats = games.state, games.all_seats(rows)
    halves = np.array(games.config.edition.slot_vp, np.int16) // 2
    games.scores[seats, CAREER_VP] = games.careers[seats] @ np.tile(halves, NUM_CAREERS)
    held = games.held[seats].reshape(*seats.shape, NUM_ROWS, NUM_HOUSES)
    face_down = games.face_down[seats].astype(np.int16)
    tiles = held.sum(axis=3, dtype=np.int16) + face_down
    points = (games.row_vp[seats] + face_down) * (tiles >= ROW_SIZE)
    games.scores[seats, TILE_VP] = points.sum(axis=2)
    state.finished[rows], state.kind[rows], state.effect[rows] = True, OVER, NO_EFFECT
    games.act(rows, state.order[rows, -1])
