"""The engine for one game, and the effects of answers from setup to final scoring (T2 to T11)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.single import SingleGame
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.base import GameBase
from gonzaga_env.tuscany.board import ACTIONS, FIRST_PAIR, OWN, PAYMENTS, WORKER
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.single.position import Position, legal_actions, observe
from gonzaga_env.tuscany.state import Deal, State
from gonzaga_env.tuscany.view import GameView

_ALWAYS_ASKED = (c.LAYOUT, c.STARTING_CASTLE, c.STARTING_BONUS, c.MAIN, c.OVER)
_FIRST_RED = c.RED.start


def apply_action(position: Position, action: int) -> int:
    """Plays a legal action and every answer after it that has no alternative.

    Returns the legal actions of the next decision, as a set.
    """
    position.begin_decision()
    while True:
        _ANSWERS[position.kind](position, action)
        legal = legal_actions(position)
        if position.kind in _ALWAYS_ASKED or legal & (legal - 1):
            return legal
        action = legal.bit_length() - 1


def _choose_layout(position: Position, action: int) -> None:
    position.choose_layout(position.seat, action)
    position.kind = c.STARTING_CASTLE


def _choose_castle(position: Position, action: int) -> None:
    position.cover(position.seat, action - ACTIONS.tile.start)  # it scores nothing (T7.3)
    position.seat = _next_seat(position)
    position.kind = c.STARTING_BONUS if position.seat == position.start else c.LAYOUT


def _choose_starting_bonus(position: Position, action: int) -> None:
    _gain_bonus(position, action - ACTIONS.bonus.start, points=True)
    position.seat = _next_seat(position)
    if position.seat == position.start:
        position.fill_display()
        position.kind = c.MAIN


def _main(position: Position, action: int) -> None:
    """Draws, takes or begins to place: exactly one of them (T3.1)."""
    seat = position.seat
    if action == ACTIONS.draw:  # T4.1
        for _ in range(position.config.rules.draw_base + position.bonus[seat][c.BONUS_CARD]):
            position.draw_card(seat)
        _end_action(position)
    elif action < ACTIONS.take.stop:
        kind = action - ACTIONS.take.start
        if position.has_space(seat):
            _take(position, kind)
        else:
            position.piece, position.kind = kind, c.REMOVE  # T5.2
    elif action < ACTIONS.tile.stop:
        position.cell = action - ACTIONS.tile.start
        colour = position.region(seat).colours[position.cell]
        if colour == c.AGRICULTURE:
            position.kind = c.CROP
        else:
            position.piece, position.kind = c.FIRST_KINDS[colour], c.PAYMENT
    else:
        position.cell = action - ACTIONS.hexagon.start
        position.piece, position.kind = c.HEXAGON, c.PAYMENT  # T6.3


def _remove(position: Position, action: int) -> None:
    position.storage[position.seat][action - ACTIONS.remove.start] -= 1  # out of the game
    kind, position.piece = position.piece, c.NO_PIECE
    _take(position, kind)


def _take(position: Position, kind: int) -> None:
    """Moves a tile from the display to storage (T5.1, T5.3)."""
    position.display[kind] -= 1
    position.storage[position.seat][kind] += 1
    position.refill(position.seat)
    _end_action(position)


def _choose_crop(position: Position, action: int) -> None:
    position.piece = action - ACTIONS.crop.start + c.FIRST_CROP_KIND
    position.kind = c.PAYMENT


def _pay(position: Position, action: int) -> None:
    """Pays and puts the piece (T6.2, T6.4)."""
    seat, cell, piece = position.seat, position.cell, position.piece
    colour = position.region(seat).colours[cell]
    for unit in PAYMENTS[action - ACTIONS.pay.start]:
        if unit == WORKER:
            position.workers[seat] -= 1
        else:
            paid, number = (colour, 1) if unit == OWN else (unit - FIRST_PAIR, 2)
            position.hand[seat][paid] -= number
            position.discards[paid] += number
    position.storage[seat][piece] -= 1
    _place(position, cell, piece)


def _castle_effect(position: Position, action: int) -> None:
    """Takes a display tile for an own hex, or declines (T8.1)."""
    if action == ACTIONS.end:
        _end_action(position)
        return
    position.cell = action - ACTIONS.tile.start
    colour = position.region(position.seat).colours[position.cell]
    if colour == c.AGRICULTURE:
        position.kind = c.CASTLE_CROP
    else:
        _place_from_display(position, c.FIRST_KINDS[colour])


def _castle_crop(position: Position, action: int) -> None:
    _place_from_display(position, action - ACTIONS.crop.start + c.FIRST_CROP_KIND)


def _place_from_display(position: Position, kind: int) -> None:
    """Moves a tile, which is replaced before its points and effect (T8.1, B7)."""
    position.display[kind] -= 1
    position.refill(position.seat)
    _place(position, position.cell, kind)


def _place(position: Position, cell: int, piece: int) -> None:
    """Puts a piece on a cell: zone, colour, effect (T6.4)."""
    seat = position.seat
    chosen = position.region(seat)
    colour, zone = chosen.colours[cell], chosen.zones[cell]
    position.piece, position.cell = c.NO_PIECE, c.NO_CELL
    position.cover(seat, cell)
    if not zone & ~position.covered[seat]:  # T7.1
        _score(position, c.ZONES, c.ZONE_POINTS[zone.bit_count()])
    if chosen.complete(colour, position.covered[seat]):
        _score_colour(position, colour)
    if piece == c.HEXAGON:
        position.wooden[seat] |= 1 << cell
    if colour == c.AGRICULTURE:
        _score_crops(position, cell, zone, piece)
    _effect(position, colour)


def _score_colour(position: Position, colour: int) -> None:
    """Scores a colour that is complete, for the first two players (T7.2)."""
    before = sum(
        position.region(other).complete(colour, position.covered[other])
        for other in range(position.num_players)
        if other != position.seat
    )
    if before < 2:
        _score(position, c.COLOUR_BONUS, position.config.colour_points[colour][before])


def _score_crops(position: Position, cell: int, zone: int, piece: int) -> None:
    """Scores crops that are new in the zone; a wooden hexagon always is (T8.4)."""
    if piece == c.HEXAGON:
        _score(position, c.CROP_POINTS, 1)
        return
    for crop, cells in enumerate(position.crops[position.seat]):
        if c.TILE_CROPS[piece] >> crop & 1:
            _score(position, c.CROP_POINTS, not cells & zone)
            position.crops[position.seat][crop] = cells | 1 << cell


def _effect(position: Position, colour: int) -> None:
    """Gives what a covered hex of a colour gives, or asks for it; crops have been scored (T8)."""
    seat, bonus = position.seat, position.bonus[position.seat]
    if colour == c.CASTLE:
        position.kind = c.CASTLE_TILE  # T8.1
        return
    if colour == c.CITY and sum(map(sum, position.bonus)) < c.BONUS_COPIES * len(c.BONUS_TYPES):
        position.kind = c.CITY_BONUS  # T8.2
        return
    if colour == c.INN:
        _gain_hexagon(position)  # T8.3
    elif colour == c.QUARRY:
        position.marble[seat] += 1 + bonus[c.BONUS_MARBLE]  # T8.5
    elif colour == c.VILLAGE:
        position.workers[seat] += 1 + bonus[c.BONUS_WORKER]  # T8.6
    elif colour == c.MONASTERY:
        for _ in range(c.MONASTERY_CARDS):  # T8.7
            position.draw_card(seat)
    elif colour == c.WAGON:
        _reveal_yields(position)  # T8.8
    _end_action(position)


def _city_bonus(position: Position, action: int) -> None:
    points = position.config.rules.storage_points == "always"  # B4
    _gain_bonus(position, action - ACTIONS.bonus.start, points)
    _end_action(position)


def _gain_bonus(position: Position, bonus: int, points: bool) -> None:
    """Takes a bonus tile for good (T9.2); `points` says whether storage scores now."""
    position.bonus[position.seat][bonus] += 1
    if bonus == c.BONUS_STORAGE and points:
        _score(position, c.STORAGE_BONUS, c.STORAGE_POINTS)  # T9.3


def _gain_hexagon(position: Position) -> None:
    """Stores a wooden hexagon, or scores where there is no space (T8.3, B14)."""
    if position.has_space(position.seat):
        position.storage[position.seat][c.HEXAGON] += 1
        position.new_hexagons += 1
    else:
        _score(position, c.FULL_STORAGE, c.REFUSED_HEXAGON_POINTS)


def _reveal_yields(position: Position) -> None:
    """Reveals, gains and discards yield cards one after the other (T8.8)."""
    for _ in range(1 + position.bonus[position.seat][c.BONUS_YIELD]):
        kind = position.draw_yield()
        if kind < 0:
            return
        gain, number, _ = position.config.edition.yield_cards[kind]
        _gain(position, c.GAINS[gain], number)
        position.yield_discards[kind] += 1


def _gain(position: Position, gain: str, number: int) -> None:
    """Gives what a yield card shows, and as an option what bonus tiles add to it (M4, B5)."""
    seat = position.seat
    every = position.config.rules.bonus_gains == "every"
    if gain == "green":
        _score(position, c.YIELD_GREEN, number)
    elif gain == "red":
        _score(position, c.YIELD_RED, number)
    elif gain == "marble":
        position.marble[seat] += number + every * position.bonus[seat][c.BONUS_MARBLE]
    elif gain == "worker":
        position.workers[seat] += number + every * position.bonus[seat][c.BONUS_WORKER]
    else:
        for _ in range(number):
            if gain == "cards":
                position.draw_card(seat)
            else:
                _gain_hexagon(position)


def _marble(position: Position, action: int) -> None:
    """Pays a marble for a second action, or ends the turn (T3.2)."""
    if action == ACTIONS.end:
        _end_turn(position)
    else:
        position.marble[position.seat] -= 1
        position.marble_used, position.kind = True, c.MAIN


def _end_action(position: Position) -> None:
    if position.marble[position.seat] and not position.marble_used:
        position.kind = c.MARBLE
    else:
        _end_turn(position)


def _end_turn(position: Position) -> None:
    """Ends a turn, and the round or the game with it; the next seat follows (T3.1, T10.4)."""
    position.marble_used, position.new_hexagons = False, 0
    following = _next_seat(position)
    lap_over = following == position.start
    scored = _end_round(position, following)
    if lap_over and not position.finished and position.lap == position.config.rules.max_laps:
        if not scored:
            _score_round(position)
        position.truncated = True
        _finish(position)
    if not position.finished:
        position.lap += lap_over
        position.seat, position.kind = following, c.MAIN


def _end_round(position: Position, following: int) -> bool:
    """Scores a round that ends with this turn; returns whether one did (T10.2, T10.3)."""
    rules, p = position.config.rules, position.num_players
    turned = max(map(position.turned, range(p)))
    if position.round == c.NUM_ROUNDS:
        if position.turns_left != c.NOT_FINAL:
            position.turns_left -= 1
        elif turned >= c.NUM_OWN_TILES:
            rest = (position.start - following) % p if rules.final_turns == "lap_then_one" else 0
            position.turns_left = rest + p
        if position.turns_left:
            return False
        _score_round(position)
        _finish(position)
        return True
    lap_over = following == position.start
    if turned < c.STACK_SIZE * position.round or not (lap_over or rules.round_end == "turn"):
        return False
    _score_round(position)
    position.round += 1
    return True


def _score_round(position: Position) -> None:
    """Adds the green points to the red ones (T11.1)."""
    for seat, scores in enumerate(position.scores):
        points = sum(scores[c.GREEN])
        scores[c.ROUND_1 + position.round - 1] = points
        position.player_bytes[seat] = ()
        position.red[seat] += points


def _finish(position: Position) -> None:
    """Scores what is left (T11.2) and ends the game."""
    for seat, scores in enumerate(position.scores):
        storage = position.storage[seat]
        left = (
            sum(storage[: c.HEXAGON]),
            storage[c.HEXAGON],
            position.marble[seat],
            position.workers[seat],
            sum(position.hand[seat]) // c.CARDS_PER_POINT,
        )
        scores[c.END_TILES :] = left
        position.red[seat] += sum(left)
    position.finished, position.kind = True, c.OVER


def winners(position: Position) -> list[bool]:
    """Returns who would win if the game ended now (T11.3), [P]."""
    ranks = [
        (
            sum(scores[c.RED]),
            -position.covered[seat].bit_count(),
            -sum(scores[c.GREEN]),
            -sum(position.hand[seat]),
        )
        for seat, scores in enumerate(position.scores)
    ]
    best = max(ranks)
    return [rank == best for rank in ranks]


def _score(position: Position, source: int, points: int) -> None:
    """Gives the seat to act points, which an answer reports (T7 to T9)."""
    position.scores[position.seat][source] += points
    if source >= _FIRST_RED:
        position.points[1] += points
        position.red[position.seat] += points
    else:
        position.points[0] += points


def _next_seat(position: Position) -> int:
    return (position.seat + 1) % position.num_players


#: By kind of decision, in the order of `KINDS`.
_ANSWERS: tuple[Callable[[Position, int], None], ...] = (
    *(_choose_layout, _choose_castle, _choose_starting_bonus),
    *(_main, _remove, _choose_crop, _pay),
    *(_city_bonus, _castle_effect, _castle_crop),
    _marble,
)


class Game(GameBase, SingleGame[GameConfig, State, Deal, GameView, Position]):
    """One game of The Castles of Tuscany: equal to one row of an `Engine` at every step.

    Example::

        game = Game(num_players=3, seed=7)
        while not game.finished:
            game.play(game.sample_legal(rng))

    Attributes:
        position: the full state in plain Python, for reading only; `play` changes it and `reset`
            and assigning `state` replace it.
    """

    def _from_state(self, state: State) -> Position:
        return Position(self.config, state)

    @property
    def truncated(self) -> bool:
        """Whether the game is over because it was cut off after `max_laps`."""
        return self.position.truncated

    def winners(self) -> list[bool]:
        """Returns who would win if the game ended now, [P] (T11.3)."""
        return winners(self.position)

    def _legal_actions(self) -> int:
        return legal_actions(self.position)

    def _observe(self, seat: int) -> NDArray[np.uint8]:
        return np.frombuffer(observe(self.position, seat), np.uint8)

    def _apply(self, position: Position, action: int) -> int:
        return apply_action(position, action)

    def _gained(self) -> list[int]:
        return self.position.red
