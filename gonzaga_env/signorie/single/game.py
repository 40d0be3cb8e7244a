"""The engine for one game, and the effects of answers from setup to final scoring (S4 to S12).

Each answer returns the legal actions of the next decision, which may be a single one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.single import SingleGame
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.base import GameBase
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.single.legal import is_possible, legal_actions, spent_sex
from gonzaga_env.signorie.single.position import Position, observe
from gonzaga_env.signorie.state import NO_COLOR, NO_EFFECT, NO_TILE, Deal, State
from gonzaga_env.signorie.view import GameView


def apply_action(position: Position, action: int) -> int:
    """Plays a legal action and every decision after it that has no alternative (N2).

    Returns the legal actions of the next decision, as a set.
    """
    position.begin_decision()
    while True:
        position.player_bytes[position.seat] = None
        legal = _ANSWERS[position.kind](position, action)
        if legal & (legal - 1) or position.finished:
            return legal
        action = legal.bit_length() - 1


def _ask(position: Position, kind: int) -> int:
    position.kind = kind
    return legal_actions(position)


# Phase 1 and 2: rounds, turns and dice (S3 to S5)


def _begin_round(position: Position) -> int:
    """Sets the round up; the first seat acts (S3.1, S4)."""
    p = position.num_players
    position.passed, position.placed = [False] * p, [[0] * c.NUM_COLORS for _ in range(p)]
    position.set_up_round()
    position.clear_cached_bytes()
    position.seat = position.order[0]
    return _ask(position, c.MAIN)


def _next_turn(position: Position) -> int:
    """Continues with the next seat that has not passed; after the last, with the rewards (S5.1)."""
    position.effect, position.color = NO_EFFECT, NO_COLOR
    order = position.order
    place = order.index(position.seat) + 1
    for seat in (*order[place:], *order[:place]):
        if not position.passed[seat]:
            position.seat = seat
            return _ask(position, c.MAIN)
    return _begin_rewards(position)


def _main(position: Position, action: int) -> int:
    """Takes a die, pays and acts, or passes (S5.1, S5.3)."""
    codec, edition, seat = position.codec, position.edition, position.seat
    if action == codec.skip_turn:
        position.passed[seat] = True
        return _next_turn(position)
    die, choice = divmod(action, codec.num_choices)
    color, value = die // c.NUM_FACES, die % c.NUM_FACES + 1
    position.florins[seat] -= max(0, edition.costs[color] - value)
    position.take_die(color, value)
    position.placed[seat][color] = value
    position.color = color
    h = edition.num_helper_slots
    if choice < h:
        column = edition.hires_in[color]
        position.florins[seat] -= edition.helper_prices[column][choice]
        _place_helper(position, h * column + choice)
        return _offer_helpers(position, 0)
    if choice < h + 2:
        return _assign(position, position.assignments[2 * color + choice - h])
    return _begin_effect(position, color)


def _place_helper(position: Position, place: int) -> None:
    """Puts a helper on an empty slot, counted over all columns (S6.1)."""
    position.helpers[position.seat][place] = True
    position.discs_left -= 1


def _assign(position: Position, tile: int) -> int:
    """Spends meeples for an assignment, or asks how many (S7)."""
    position.effect = position.edition.first_assignment + tile
    count = position.edition.meeples[tile]
    if count == c.MARKED:
        return _ask(position, c.SPEND)
    _spend_meeples(position, count)
    return _begin_effect(position, position.effect)


def _spend(position: Position, action: int) -> int:
    count = action - position.codec.spend.start + 1
    _spend_meeples(position, count)
    return _begin_effect(position, position.effect, count)


def _spend_meeples(position: Position, count: int) -> None:
    """Moves meeples to the General Stock or to the threshold space (S7.3)."""
    seat, sex = position.seat, spent_sex(position)
    to_threshold = position.edition.effects[position.effect][0][0] == c.THRESHOLD
    position.supply[seat][sex] -= count
    (position.threshold if to_threshold else position.stock)[seat][sex] += count


# Effects, part by part (N2)


def _begin_effect(position: Position, effect: int, repeats: int = 1) -> int:
    position.effect, position.part, position.repeats = effect, 0, repeats
    position.left = position.edition.effects[effect][0][1]
    return _run_effect(position)


def _run_effect(position: Position) -> int:
    """Runs the effect up to its next decision, or what follows it; the impossible lapses."""
    parts = position.edition.effects[position.effect]
    while True:
        if not position.left:
            position.part += 1
            if position.part == len(parts):
                position.part = 0
                position.repeats -= 1
                if not position.repeats:
                    return _after_effect(position)
            position.left = parts[position.part][1]
        op = parts[position.part][0]
        if op not in c.ASKED:
            _give(position, op, position.left)
        elif legal := _ask(position, c.ASKED[op]):
            return legal
        position.left = 0


def _end_part(position: Position) -> int:
    position.left = 0
    return _run_effect(position)


def _give(position: Position, op: int, number: int) -> None:
    """Does a part that needs no decision."""
    seat = position.seat
    if op == c.FLORINS:  # S8.4
        position.florins[seat] += number
    elif op == c.VP:
        position.score(seat, _source(position), number)
    elif op == c.INITIATIVE:
        _advance_disc(position, number)
    elif op == c.ADD_MALE:
        _move_in(position, c.MALE, number)
    elif op == c.ADD_FEMALE:
        _move_in(position, c.FEMALE, number)
    elif op == c.OFFSPRING:  # S8.3
        num_dice = 1 + position.brides[seat]
        males = position.roll_offspring(num_dice)
        _move_in(position, c.MALE, males)
        _move_in(position, c.FEMALE, num_dice - males)
    elif op == c.HALF_DIE_VP:
        position.score(seat, _source(position), (position.placed[seat][position.color] + 1) // 2)


def _source(position: Position) -> int:
    """Returns the source of an effect's points (N4)."""
    if position.effect >= position.edition.first_bonus:
        return c.REWARD_VP
    return c.ASSIGNMENT_VP if position.effect >= position.edition.first_assignment else c.HELPER_VP


def _move_in(position: Position, sex: int, number: int) -> None:
    """Moves meeples from the General Stock to the supply; missing ones are forfeited (S8.3)."""
    stock, supply = position.stock[position.seat], position.supply[position.seat]
    number = min(number, stock[sex])
    stock[sex] -= number
    supply[sex] += number


def _advance_disc(position: Position, number: int) -> None:
    """Moves the own disc up, on top of any stack (S9.4, B11)."""
    seat, discs, height = position.seat, position.initiative, position.height
    start, top = discs[seat], len(position.edition.initiative_vp) - 1
    target = min(start + number, top)
    if target == start:
        return
    for other, slot in enumerate(discs):
        if slot == start and height[other] > height[seat]:
            height[other] -= 1
            position.player_bytes[other] = None
    height[seat], discs[seat] = discs.count(target), target


def _track(position: Position, action: int) -> int:
    """Uses an advancement point, or stops (S8.1, S9)."""
    codec, seat, careers = position.codec, position.seat, position.careers[position.seat]
    if action == codec.stop:
        return _end_part(position)
    position.left -= 1
    if action == codec.initiative:
        _advance_disc(position, 1)
        return _run_effect(position)
    place, edition = action - codec.track.start, position.edition
    slot = place % edition.num_career_slots
    if slot:
        careers[place - 1] -= 1
    else:
        position.supply[seat][c.MALE] -= 1
    careers[place] += 1
    position.florins[seat] += edition.slot_florins[slot]  # S9.2
    _advance_disc(position, edition.slot_initiative[slot])
    return _run_effect(position)


def _mission(position: Position, action: int) -> int:
    """Sends a male to a city (S8.2)."""
    seat = position.seat
    place, city = divmod(action - position.codec.mission.start, c.NUM_CITIES)
    career, slot = divmod(place, position.edition.num_career_slots)
    position.careers[seat][place] -= 1
    position.enter_city(seat, city)
    position.score(seat, c.MISSION_VP, position.edition.slot_vp[slot])
    _take_tile(position, city, c.MISSION_TILE, career)
    return _end_part(position)


def _marriage(position: Position, action: int) -> int:
    """Marries a female into a city, with a dowry (S8.5)."""
    seat = position.seat
    city, dowry = divmod(action - position.codec.marry.start, c.MAX_DOWRY)
    dowry += 1
    position.supply[seat][c.FEMALE] -= 1
    position.enter_city(seat, city)
    position.florins[seat] -= dowry
    position.score(seat, c.MARRIAGE_VP, c.VP_PER_FLORIN * dowry)
    _take_tile(position, city, c.MARRIAGE_TILE, c.MARRIAGE_ROW)
    return _end_part(position)


def _take_tile(position: Position, city: int, slot: int, row: int) -> None:
    """Takes a city's tile for good if the row lacks its House (S8.6, S10.2, S10.4)."""
    seat, kind = position.seat, position.city_tiles[city][slot]
    if kind == NO_TILE:
        return
    house, value = divmod(kind, len(c.TILE_VALUES))
    shield = c.NUM_HOUSES * row + house
    if position.missing[seat][shield]:
        position.missing[seat][shield] -= 1
        position.held[seat][shield] += 1
        position.row_vp[seat][row] += c.TILE_VALUES[value]
        position.city_tiles[city][slot] = NO_TILE


def _row(position: Position, action: int) -> int:
    """Draws a tile face down into a row (S10.3)."""
    position.face_down[position.seat][action - position.codec.row.start] += 1
    position.draw_face_down()
    position.left -= 1
    return _run_effect(position)


def _free_helper(position: Position, action: int) -> int:
    _place_helper(position, action - position.codec.free_helper.start)
    return _end_part(position)


# What follows an effect: helpers in phase 2, the wedding in phase 3


def _after_effect(position: Position) -> int:
    edition, effect = position.edition, position.effect
    if effect >= edition.first_bonus:
        position.effect = NO_EFFECT
        return _offer_wedding(position)
    is_helper = c.NUM_COLORS <= effect < edition.first_assignment
    slot = (effect - c.NUM_COLORS) % edition.num_helper_slots + 1 if is_helper else 0
    return _offer_helpers(position, slot)


def _offer_helpers(position: Position, first: int) -> int:
    """Asks for the next helper of the die's column that can act, top down (S5.5, S6.3)."""
    h = position.edition.num_helper_slots
    for place in range(h * position.color + first, h * position.color + h):
        effect = c.NUM_COLORS + place
        if position.helpers[position.seat][place] and is_possible(position, effect):
            position.effect = effect
            return _ask(position, c.HELPER)
    return _next_turn(position)


def _helper(position: Position, action: int) -> int:
    if action == position.codec.use:
        return _begin_effect(position, position.effect)
    return _after_effect(position)


# Phase 3: rewards (S11)


def _begin_rewards(position: Position) -> int:
    """Scores initiative and makes the new turn order, which holds at once (S11.1, S11.2, B2)."""
    p, discs = position.num_players, position.initiative
    for seat, slot in enumerate(discs):
        position.score(seat, c.INITIATIVE_VP, position.edition.initiative_vp[slot])
    position.order = sorted(range(p), key=lambda s: (discs[s], position.height[s]), reverse=True)
    position.initiative = [0] * p
    position.height = [p - 1 - position.order.index(seat) for seat in range(p)]
    position.clear_cached_bytes()
    return _reward_from(position, 0)


def _reward_from(position: Position, first: int) -> int:
    """Continues with the first seat, from a place on, whose dice meet the threshold (S11.3)."""
    edition = position.edition
    for seat in position.order[first:]:
        position.seat = seat
        raised = edition.threshold_step * sum(position.threshold[seat])
        if sum(position.placed[seat]) > edition.threshold + raised:
            continue
        if position.round <= c.BONUS_ROUNDS:
            return _ask(position, c.REWARD)
        _score_vp_tile(position, position.vp_tiles[position.round - c.BONUS_ROUNDS - 1])
        return _ask(position, c.PAY)
    return _end_round(position)


def _next_reward(position: Position) -> int:
    return _reward_from(position, position.order.index(position.seat) + 1)


def _reward(position: Position, action: int) -> int:
    """Takes the bonus or Florins (S11.4)."""
    edition = position.edition
    if action == position.codec.bonus:
        tile = position.bonus_tiles[position.round - 1]
        return _begin_effect(position, edition.first_bonus + tile)
    position.florins[position.seat] += edition.reward_florins
    return _offer_wedding(position)


def _offer_wedding(position: Position) -> int:
    return _ask(position, c.WED) or _next_reward(position)


def _wed(position: Position, action: int) -> int:
    """Weds a bride, or not (S11.4, B3, B4)."""
    seat, edition = position.seat, position.edition
    if action == position.codec.wed:
        position.score(seat, c.WEDDING_VP, edition.bride_vp[position.brides[seat]])
        position.florins[seat] += edition.wedding_florins[position.round - 1]
        position.brides[seat] += 1
    return _next_reward(position)


def _score_vp_tile(position: Position, tile: int) -> None:
    """Scores a VP tile for the seat to act (S11.5, A9)."""
    seat, (vp, criterion) = position.seat, position.edition.vp_per[tile]
    numbers = (  # `CRITERIA`
        sum(position.helpers[seat]),
        position.brides[seat],
        sum(position.meeples[seat]),
        sum(position.held[seat]) + sum(position.face_down[seat]),
        sum(position.careers[seat]),
    )
    position.score(seat, c.REWARD_VP, vp * numbers[criterion])


def _pay(position: Position, action: int) -> int:
    """Pays Florins for VP, or not (S11.5)."""
    if action == position.codec.pay:
        position.florins[position.seat] -= position.edition.pay
        position.score(position.seat, c.REWARD_VP, position.edition.pay_vp)
    return _next_reward(position)


# The end of rounds and of the game (S11.6, S12)


def _end_round(position: Position) -> int:
    """Returns threshold meeples; begins the next round or ends the game (S11.6)."""
    for stock, spent in zip(position.stock, position.threshold, strict=True):
        stock[c.MALE] += spent[c.MALE]
        stock[c.FEMALE] += spent[c.FEMALE]
        spent[:] = [0, 0]
    position.clear_cached_bytes()
    if position.round < position.edition.num_rounds:
        position.round += 1
        return _begin_round(position)
    for seat in range(position.num_players):
        _score_end(position, seat)
    position.kind, position.finished = c.OVER, True
    return 0


def _score_end(position: Position, seat: int) -> None:
    """Scores careers and rows (S12.1, S12.2)."""
    slot_vp = position.edition.slot_vp
    places = enumerate(position.careers[seat])
    halves = sum(males * (slot_vp[place % len(slot_vp)] // 2) for place, males in places)
    position.score(seat, c.CAREER_VP, halves)
    for row in range(c.NUM_ROWS):
        face_down = position.face_down[seat][row]
        held = position.held[seat][c.NUM_HOUSES * row : c.NUM_HOUSES * (row + 1)]
        if sum(held) + face_down >= c.ROW_SIZE:
            position.score(seat, c.TILE_VP, position.row_vp[seat][row] + face_down)


def winners(position: Position) -> list[bool]:
    """Returns who would win if the game ended now, [P]: the first of the best (S12.3)."""
    totals = [sum(scores) for scores in position.scores]
    best = max(position.order, key=lambda seat: totals[seat])
    return [seat == best for seat in range(position.num_players)]


#: By kind of decision, in the order of `KINDS`.
_ANSWERS: tuple[Callable[[Position, int], int], ...] = (
    *(_main, _spend, _track, _mission, _marriage, _row, _helper),
    *(_reward, _free_helper, _wed, _pay),
)


class Game(GameBase, SingleGame[GameConfig, State, Deal, GameView, Position]):
    """One game of Signorie: equal to one row of an `Engine` at every step.

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

    def winners(self) -> list[bool]:
        """Returns who would win if the game ended now, [P] (S12.3)."""
        return winners(self.position)

    def _legal_actions(self) -> int:
        return legal_actions(self.position)

    def _observe(self, seat: int) -> NDArray[np.uint8]:
        return np.frombuffer(observe(self.position, seat), np.uint8)

    def _apply(self, position: Position, action: int) -> int:
        try:
            return apply_action(position, action)
        except (TypeError, ValueError, LookupError) as error:  # of given events of chance
            if position.outcomes is None or isinstance(error, RecordError):
                raise
            raise RecordError(f"drawn holds no events that happen here: {error!r}") from error

    def _gained(self) -> list[int]:
        return self.position.points
