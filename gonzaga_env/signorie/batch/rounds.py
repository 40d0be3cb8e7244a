"""The course of rounds, and the draws in it (S3, S4, S11, S12)."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices, Integers
from gonzaga_env.kernel.chance import event_word, event_words
from gonzaga_env.kernel.rows import Step, StepQueue, flat_rows, row_sums
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.batch import legal
from gonzaga_env.signorie.batch.games import AT_TOP, NO_DECK, Games
from gonzaga_env.signorie.state import NO_EFFECT, NO_TILE, dice_counts

_FIRST_MALE = 4  # of the faces of an offspring die (S8.3)
_MOST_OFFSPRING = 5
_FEW = 4  # games in which tiles are quicker drawn one by one


def draw_words(
    games: Games, rows: Indices, most: int, numbers: NDArray[np.uint8] | int
) -> NDArray[np.uint64]:
    """Returns words of the next events of each game, [M, most], of which some are used, [M]."""
    events = games.state.event.take(rows)
    games.state.event[rows] = events + numbers
    order: NDArray[np.uint32] = np.arange(most, dtype=np.uint32)
    return event_words(games.streams.take(rows)[:, None], events[:, None] + order)


def draw_tiles(games: Games, rows: Indices, numbers: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Draws some tiles for each game [M] from a deck that has them, [M, most]; then NO_TILE.

    A deck is held as sums: how many tiles are of the first kinds. The tile at a place is of the
    first kind whose sum is greater, and taking it lowers this sum and all later ones by one.
    """
    if len(rows) <= _FEW:
        return _draw_tiles_in_few(games, rows, numbers)
    deck, order = games.state.deck, np.arange(numbers.max(initial=0), dtype=np.uint8)
    sums = deck.take(rows, axis=0).cumsum(axis=1, dtype=np.uint8)
    left = np.maximum(sums[:, -1:], order + np.uint8(1)) - order
    places = (draw_words(games, rows, len(order), numbers) % left).astype(np.uint8)
    places[order >= numbers[:, None]] = 255  # no sum is greater
    kinds = np.empty_like(places)
    for i in range(len(order)):
        later = sums > places[:, i : i + 1]
        kinds[:, i] = c.NUM_TILES - row_sums(later.view(np.uint8))
        sums -= later
    games.deck_size[rows] = size = sums[:, -1]
    games.code[rows] |= (size == 0).view(np.uint8) * NO_DECK
    sums[:, 1:] -= sums[:, :-1].copy()
    deck[rows] = sums
    return kinds


def _draw_tiles_in_few(
    games: Games, rows: Indices, numbers: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Does what `draw_tiles` does, one game and one tile after the other."""
    kinds = np.full((len(rows), numbers.max(initial=0)), NO_TILE, np.uint8)
    for drawn, row, number in zip(kinds, rows, numbers.tolist(), strict=True):
        deck, event = games.state.deck[row].tolist(), int(games.state.event[row])
        start, size = int(games.streams[row]), sum(deck)
        for i in range(number):
            place, kind = event_word(start, event + i) % (size - i), 0
            while place >= deck[kind]:
                place -= deck[kind]
                kind += 1
            deck[kind] -= 1
            drawn[i] = kind
        games.state.deck[row], games.deck_size[row] = deck, size - number
        games.state.event[row] = event + number
        if size == number:
            games.code[row] |= NO_DECK
    return kinds


def roll_dice(games: Games, rows: Indices) -> NDArray[np.uint8]:
    """Rolls all action dice; returns their numbers by color and value (S4.2), [M, 5, 6]."""
    number = games.edition.dice_of_color(games.num_players)
    rolls = draw_words(games, rows, c.NUM_COLORS, c.NUM_COLORS) % np.uint64(c.NUM_FACES**number)
    return dice_counts(number).take(rolls.astype(np.int64), axis=0)


def shuffle_assignments(games: Games, rows: Indices) -> NDArray[np.uint8]:
    """Shuffles the assignment tiles; returns those on each slot (S4.3), [M, 10]."""
    found = draw_words(games, rows, c.NUM_ASSIGNMENTS, c.NUM_ASSIGNMENTS)
    return found.argsort(axis=1, kind="stable").astype(np.uint8)


def roll_offspring(games: Games, rows: Indices, numbers: NDArray[np.integer]) -> NDArray[np.uint8]:
    """Rolls offspring dice [M]; returns males and females (S8.3), [M, 2]."""
    rolls = draw_words(games, rows, 1, 1)[:, 0] % np.uint64(c.NUM_FACES) ** numbers.astype(
        np.uint64
    )
    males = _males()[numbers, rolls.astype(np.int64)]
    return np.stack([males, numbers - males], axis=1).astype(np.uint8)


@cache
def _males() -> NDArray[np.uint8]:
    """Returns the males among dice, by the number of dice and the number that they are."""
    found = np.zeros((_MOST_OFFSPRING + 1, c.NUM_FACES**_MOST_OFFSPRING), np.uint8)
    for number in range(1, _MOST_OFFSPRING + 1):
        counts = dice_counts(number)
        found[number, : len(counts)] = counts[:, _FIRST_MALE - 1 :].sum(axis=1)
    return found


def wait(games: Games, steps: StepQueue[Games], step: Step[Games], rows: Indices) -> None:
    """Lets games wait for one of the steps `ORDER`; no seat decides until then."""
    games.state.kind[rows] = c.OVER
    steps.add(step, rows)


def take_florins(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    """Takes Florins instead of the bonus (S11.4)."""
    games.florins[games.seats(rows)] += np.uint16(games.edition.reward_florins)
    ask_to_wed(games, steps, rows, rows)


def ask_to_wed(games: Games, steps: StepQueue[Games], rows: Indices, numbers: Integers) -> None:
    """Asks for a wedding where a bride slot is empty (S11.4, B4)."""
    games.state.effect[rows] = NO_EFFECT
    free = games.brides.take(games.seats(rows)) < len(games.edition.bride_vp)
    games.state.kind[rows[free]] = c.WED
    wait(games, steps, reward_next, rows[~free])


def wed(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    """Takes a bride, her points and Florins (S11.4)."""
    tables, seats = games.tables, games.seats(rows)
    brides, numbers = games.brides.take(seats), games.state.round.take(rows) - 1
    games.scores[:, c.WEDDING_VP][seats] += tables.bride_vp.take(brides)
    games.florins[seats] += tables.wedding_florins.take(numbers)
    games.brides[seats] = brides + np.uint8(1)
    wait(games, steps, reward_next, rows)


def pay(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    """Pays for VP (S11.5)."""
    seats = games.seats(rows)
    games.florins[seats] -= np.uint16(games.edition.pay)
    games.scores[:, c.REWARD_VP][seats] += games.edition.pay_vp
    wait(games, steps, reward_next, rows)


def decline(games: Games, steps: StepQueue[Games], rows: Indices, actions: Integers) -> None:
    """Takes no bride, or keeps the Florins (S11.4, S11.5)."""
    wait(games, steps, reward_next, rows)


def end_phase(games: Games, steps: StepQueue[Games], rows: Indices, numbers: Integers) -> None:
    """Scores the initiative slots, makes the new turn order and restacks (S11.1, S11.2)."""
    seats, p = games.all_seats(rows), games.num_players
    slots = games.initiative.take(seats)
    games.scores[:, c.INITIATIVE_VP][seats] += games.tables.initiative_vp.take(slots)
    ranks = slots.astype(np.int64) * p + games.height.take(seats)
    games.set_order(rows, ranks.argsort(axis=1)[:, ::-1])
    games.initiative[seats] = 0
    games.seat_code[seats] &= ~AT_TOP
    games.height[seats] = p - 1 - games.place.take(seats)
    steps.add(_reward, rows, np.zeros(len(rows), np.uint8))


def reward_next(games: Games, steps: StepQueue[Games], rows: Indices, numbers: Integers) -> None:
    """Continues with the seats after those that act."""
    steps.add(_reward, rows, games.place.take(games.seats(rows)) + np.uint8(1))


def _reward(games: Games, steps: StepQueue[Games], rows: Indices, first: Integers) -> None:
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
    games.set_seats(rows, order[which, asked[which].argmax(axis=1)])
    state.kind[rows] = np.where(late, c.PAY, c.REWARD)
    early = rows[~late]
    able = legal.possible(games, early, legal.round_bonus(games, early)[:, None])
    forced = early[~able[:, 0]]
    take_florins(games, steps, forced, forced)


#: The steps between rounds; games wait for them until no other has anything to do.
ORDER: tuple[Step[Games], ...] = (end_phase, reward_next, _reward)


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
    games.set_seats(rows, state.order[rows, 0])
    games.passed[seats], games.placed[seats] = False, 0
    games.note_dice(rows)
    _refill(games, rows)
    state.pool[rows] = roll_dice(games, rows)
    state.assignments[rows] = shuffle_assignments(games, rows)
    games.changed_boards.append(rows)


def _refill(games: Games, rows: Indices) -> None:
    """Draws tiles for the empty slots of cities, one after the other (S4.1)."""
    city_tiles = games.state.city_tiles.reshape(-1, 2 * c.NUM_CITIES)
    empty = (city_tiles.take(rows, axis=0) == NO_TILE) & games.state.cities.take(
        rows, axis=0
    ).repeat(2, axis=1)
    numbers = np.minimum(row_sums(empty.view(np.uint8)), games.deck_size.take(rows))
    kinds = draw_tiles(games, rows, numbers)
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
    games.set_seats(rows, state.order[rows, -1])
