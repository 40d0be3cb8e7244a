"""What answers do to many games: dice, helpers and details (S5 to S10).

All games answer at once: first each kind of decision, then what several kinds lead to.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie.batch import draws, effects, legal, rounds
from gonzaga_env.signorie.batch.effects import advance_discs, arrive, begin
from gonzaga_env.signorie.batch.games import Games, Todo, by_kind
from gonzaga_env.signorie.batch.observations import show_tables
from gonzaga_env.signorie.batch.tables import NEVER
from gonzaga_env.signorie.constants import (
    FEMALE,
    FREE_HELPER,
    HELPER,
    MAIN,
    MALE,
    MARRIAGE,
    MARRIAGE_ROW,
    MARRIAGE_TILE,
    MARRIAGE_VP,
    MAX_DICE,
    MAX_DOWRY,
    MISSION,
    MISSION_TILE,
    MISSION_VP,
    NUM_CITIES,
    NUM_COLORS,
    NUM_FACES,
    NUM_ROWS,
    OVER,
    PAY,
    REWARD,
    REWARD_VP,
    ROW,
    SPEND,
    TRACK,
    VP_PER_FLORIN,
    WED,
    WEDDING_VP,
)
from gonzaga_env.signorie.state.state import NO_COLOR, NO_EFFECT
from gonzaga_env.tabletop.arguments import Indices


def apply_actions(games: Games, rows: Indices, actions: Indices) -> None:
    """Plays a legal action in some games, and every decision after it that has no alternative.

    Rounds end together, once nothing else is left to do: that is the same for every game, and
    saves passes for few games each.
    """
    todo, kinds = Todo(), games.state.kind
    _answer(games, todo, rows, actions)
    while True:
        _follow(games, todo)
        counts = legal.update(games, rows)
        forced, lapsed = rows[counts == 1], rows[counts == 0]
        lapsed = lapsed[kinds.take(lapsed) != OVER]
        if len(forced) or len(lapsed):
            _end_parts(games, todo, lapsed)  # what has become impossible lapses (N2)
            _answer(games, todo, forced, games.legal.take(forced, axis=0).argmax(axis=1))
            rows = np.concatenate([forced, lapsed])
        elif todo.rounds or todo.rewards:
            rows = rounds.go_on(games, todo)
        else:
            break
    show_tables(games, todo.tables.take())


def _answer(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    for kind, which in by_kind(games.state.kind.take(rows)):
        _ANSWERS[kind](games, todo, rows.take(which), actions.take(which))
    if todo.arrivals:
        arrivals = map(np.concatenate, zip(*todo.arrivals, strict=True))
        todo.arrivals.clear()
        _arrive(games, todo, *arrivals)


def _arrive(games: Games, todo: Todo, rows: Indices, places: Indices, board_rows: Indices) -> None:
    """Puts meeples into cities, and takes the tiles at some places of them (S8.6)."""
    arrive(games, rows, places, board_rows)
    todo.tables.add(rows)
    _end_parts(games, todo, rows)


def _follow(games: Games, todo: Todo) -> None:
    """Does what answers lead to, until every game waits for a decision or for its round's end."""
    if todo.effects:
        ended = effects.go_on(games, todo.effects.take())
        bonus = games.state.color.take(ended) == NO_COLOR
        rounds.ask_to_wed(games, todo, ended[bonus])
        todo.helpers.add(ended[~bonus])
    if todo.helpers:
        todo.turns.add(_ask_helpers(games, todo.helpers.take()))
    if todo.turns:
        _pass_on(games, todo, todo.turns.take())


def _ask_helpers(games: Games, rows: Indices) -> Indices:
    """Asks for the next helper of the die's column (S6.3); returns games that have none."""
    state, h = games.state, games.config.edition.num_helper_slots
    colors = state.color.take(rows)
    columns = games.columns.ravel().take(games.seats(rows) * NUM_COLORS + colors)
    later = columns >> games.tables.next_slots.take(state.effect.take(rows))
    which = later.nonzero()[0]
    if not len(which):
        return rows
    slots = np.arange(h)
    owned = columns[which, None] >> slots & 1
    first = games.tables.next_slots.take(state.effect.take(rows[which]))
    helpers = NUM_COLORS + colors[which, None].astype(np.int64) * h + slots
    able = legal.possible(games, rows[which], helpers) & (owned > 0) & (slots >= first[:, None])
    asked = able.any(axis=1)
    state.kind[rows[which[asked]]] = HELPER
    begin(games, rows[which[asked]], helpers[asked, able[asked].argmax(axis=1)], 0)
    later[which] = asked
    return rows[later == 0]


def _pass_on(games: Games, todo: Todo, rows: Indices) -> None:
    """Lets the next seat that can act do so; the phase ends when all have passed (S5.1)."""
    state, p = games.state, games.num_players
    state.kind[rows], state.color[rows] = MAIN, NO_COLOR
    begin(games, rows, NO_EFFECT, 0)
    places = games.place.take(games.seats(rows))[:, None] + np.arange(1, p + 1)
    order = state.order.ravel().take(rows[:, None] * p + places % p)
    seats = rows[:, None] * p + order
    idle = games.idle.take(seats)
    following = idle.argmin(axis=1)
    over = idle[:, 0] & (following == 0)
    following[over] = p
    # Who has four dice passes when the turn comes (S5.2).
    games.passed[seats[np.arange(p) < following[:, None]]] = True
    going_on = (~over).nonzero()[0]
    games.act(rows[going_on], order[going_on, following[going_on]])
    rounds.wait(games, todo.rounds, rows[over])


def _main(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Takes a die, pays and acts, or passes (S5)."""
    passing = actions == games.actions.skip_turn
    leaving = rows[passing]
    todo.turns.add(leaving)
    if len(leaving):
        seats = games.seats(leaving)
        games.passed[seats] = games.idle[seats] = True
        rows, actions = rows[~passing], actions[~passing]
    choices = games.actions.num_choices
    dice, choices = np.divmod(actions, choices)
    seats = games.seats(rows)
    colors = dice // NUM_FACES
    games.florins[seats] -= games.tables.costs.ravel().take(dice)
    games.state.pool.ravel()[rows * NUM_COLORS * NUM_FACES + dice] -= 1
    games.placed.ravel()[seats * NUM_COLORS + colors] = dice % NUM_FACES + 1
    placed = games.num_placed.take(seats) + np.uint8(1)
    games.num_placed[seats], games.idle[seats] = placed, placed == MAX_DICE
    games.state.color[rows] = colors
    h = games.config.edition.num_helper_slots
    _hire(games, todo, rows, seats, colors, choices)
    signoria = (choices == h + 2).nonzero()[0]
    begin(games, rows[signoria], colors[signoria])
    todo.effects.add(rows[signoria])
    assigning = ((choices >= h) & (choices < h + 2)).nonzero()[0]
    slots = colors[assigning] * 2 + choices[assigning] - h
    _assign(games, todo, rows[assigning], slots)


def _hire(
    games: Games,
    todo: Todo,
    rows: Indices,
    seats: Indices,
    colors: Indices,
    choices: Indices,
) -> None:
    """Pays and places helpers (S6.1)."""
    h, tables = games.config.edition.num_helper_slots, games.tables
    hiring = (choices < h).nonzero()[0]
    if not len(hiring):
        return
    places = colors[hiring] * h + choices[hiring]
    games.florins[seats[hiring]] -= tables.prices.take(places) - np.uint8(1)
    _place_helpers(games, rows[hiring], games.tables.hired.take(places))
    todo.helpers.add(rows[hiring])


def _place_helpers(games: Games, rows: Indices, places: Indices) -> None:
    seats = games.seats(rows)
    width = games.helpers.shape[1]
    games.helpers.ravel()[seats * width + places] = True
    games.hire_needs.ravel()[seats * width + games.tables.hiring.take(places)] = NEVER
    columns, slots = np.divmod(places, games.config.edition.num_helper_slots)
    games.columns[seats, columns] |= (1 << slots).astype(np.uint8)
    games.num_helpers[seats] += 1
    games.helpers_left[rows] -= 1


def _assign(games: Games, todo: Todo, rows: Indices, slots: Indices) -> None:
    """Begins assignments; those marked "..3" ask for a number of meeples (S7)."""
    tables = games.tables
    tiles = games.state.assignments.ravel().take(rows * len(tables.counts) + slots)
    begin(games, rows, games.config.edition.first_assignment + tiles.astype(np.int64), 0)
    # With a single meeple there is nothing to ask.
    places = games.seats(rows) * 2 + tables.slot_sexes.take(slots)
    asked = tables.marked.take(tiles) & (games.supply.ravel().take(places) > 1)
    games.state.kind[rows[asked]] = SPEND
    rest = ~asked
    _spend_meeples(games, places[rest], tiles[rest], tables.counts.take(tiles[rest]))
    games.state.repeats[rows[rest]] = 1
    todo.effects.add(rows[rest])


def _spend(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Spends meeples of an assignment marked "..3", which acts once for each (S7.2)."""
    counts = (actions - games.actions.spend.start + 1).astype(np.uint8)
    games.state.repeats[rows] = counts
    tiles = games.state.effect.take(rows) - games.config.edition.first_assignment
    _spend_meeples(games, legal.spent_places(games, rows), tiles, counts)
    todo.effects.add(rows)


def _spend_meeples(
    games: Games, places: Indices, tiles: NDArray[np.uint8], counts: NDArray[np.uint8]
) -> None:
    """Moves meeples to the General Stock or to the threshold space (S7.3)."""
    games.supply.ravel()[places] -= counts
    stay = games.tables.on_threshold.take(tiles)
    games.stock.ravel()[places] += counts * ~stay
    games.threshold.ravel()[places] += counts * stay


def _track(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Spends a point on a track, or no more (S9)."""
    state, codec = games.state, games.actions
    state.left[rows] -= 1
    steps = (actions == codec.initiative).astype(np.uint8)
    moving = (actions < codec.track.stop).nonzero()[0]
    if len(moving):
        points = actions[moving] - codec.track.start
        steps[moving] = _move_males(games, games.seats(rows[moving]), points)
    stepping = steps.nonzero()[0]
    if len(stepping):
        some = rows[stepping]
        advance_discs(games, some, games.seats(some), steps[stepping])
    state.left[rows[actions == codec.stop]] = 0
    _end_parts(games, todo, rows[state.left.take(rows) == 0])


def _move_males(games: Games, seats: Indices, points: Indices) -> NDArray[np.uint8]:
    """Enters males or moves them up (S9.1); returns the initiative steps that slots bring, [M]."""
    edition, careers = games.config.edition, games.careers.ravel()
    slots = points % edition.num_career_slots
    places = seats * games.careers.shape[1] + points
    entering = slots == 0
    games.supply[seats[entering], MALE] -= 1
    careers[places[~entering] - 1] -= 1
    careers[places] += 1
    games.note_careers(seats)
    games.florins[seats] += np.array(edition.slot_florins, np.uint16).take(slots)  # S9.2
    return np.array(edition.slot_initiative, np.uint8).take(slots)


def _end_parts(games: Games, todo: Todo, rows: Indices) -> None:
    games.state.part[rows] += 1
    todo.effects.add(rows)


def _mission(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Sends a male to a city, scores his slot, and takes the tile (S8.2)."""
    edition, seats = games.config.edition, games.seats(rows)
    slots, cities = np.divmod(actions - games.actions.mission.start, NUM_CITIES)
    games.careers.ravel()[seats * games.careers.shape[1] + slots] -= 1
    games.note_careers(seats)
    careers, slots = np.divmod(slots, edition.num_career_slots)
    games.scores[seats, MISSION_VP] += np.array(edition.slot_vp, np.int16).take(slots)
    todo.arrivals.append((rows, 2 * cities + MISSION_TILE, careers))


def _marriage(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Puts a female into a city, pays the dowry, and takes the tile (S8.5)."""
    seats = games.seats(rows)
    cities, dowries = np.divmod(actions - games.actions.marry.start, MAX_DOWRY)
    dowries += 1
    games.supply[seats, FEMALE] -= 1
    games.florins[seats] -= dowries.astype(np.uint16)
    games.scores[seats, MARRIAGE_VP] += VP_PER_FLORIN * dowries
    board_rows = np.full(len(rows), MARRIAGE_ROW)
    todo.arrivals.append((rows, 2 * cities + MARRIAGE_TILE, board_rows))


def _row(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Draws a tile, face down, for a row (S10.3)."""
    draws.tiles(games, rows, np.ones(len(rows), np.uint8))
    places = games.seats(rows) * NUM_ROWS + actions - games.actions.row.start
    games.face_down.ravel()[places] += 1
    games.state.left[rows] -= 1
    _end_parts(games, todo, rows[games.state.left.take(rows) == 0])


def _helper(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Uses a helper or not (S6.3)."""
    using = actions == games.actions.use
    games.state.repeats[rows[using]] = 1
    todo.effects.add(rows[using])
    todo.helpers.add(rows[~using])


def _reward(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Takes the bonus tile's effect or Florins (S11.4)."""
    bonus = actions == games.actions.bonus
    taking = rows[bonus]
    begin(games, taking, legal.round_bonus(games, taking))
    todo.effects.add(taking)
    rest = rows[~bonus]
    games.florins[games.seats(rest)] += np.uint16(games.config.edition.reward_florins)
    rounds.ask_to_wed(games, todo, rest)


def _free_helper(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Places a helper anywhere (A8)."""
    _place_helpers(games, rows, actions - games.actions.free_helper.start)
    _end_parts(games, todo, rows)


def _wed(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Takes a bride, her points and Florins, or none (S11.4)."""
    edition = games.config.edition
    some = rows[actions == games.actions.wed]
    seats = games.seats(some)
    brides = games.brides.take(seats)
    games.scores[seats, WEDDING_VP] += np.array(edition.bride_vp, np.int16).take(brides)
    numbers = games.state.round.take(some) - 1
    games.florins[seats] += np.array(edition.wedding_florins, np.uint16).take(numbers)
    games.brides[seats] = brides + np.uint8(1)
    rounds.wait(games, todo.rewards, rows)


def _pay(games: Games, todo: Todo, rows: Indices, actions: Indices) -> None:
    """Pays for VP, or keeps the Florins (S11.5)."""
    edition = games.config.edition
    seats = games.seats(rows[actions == games.actions.pay])
    games.florins[seats] -= np.uint16(edition.pay)
    games.scores[seats, REWARD_VP] += edition.pay_vp
    rounds.wait(games, todo.rewards, rows)


_ANSWERS: dict[int, Callable[[Games, Todo, Indices, Indices], None]] = {
    MAIN: _main,
    SPEND: _spend,
    TRACK: _track,
    MISSION: _mission,
    MARRIAGE: _marriage,
    ROW: _row,
    HELPER: _helper,
    REWARD: _reward,
    FREE_HELPER: _free_helper,
    WED: _wed,
    PAY: _pay,
}
