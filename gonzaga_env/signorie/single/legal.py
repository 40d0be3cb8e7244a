"""The legal actions of one game, as the bits of an integer (N2)."""

from __future__ import annotations

from collections.abc import Callable

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.single.position import NEVER, Position

_ALL_VALUES = (1 << c.NUM_FACES) - 1
#: Sets of the values from v on, up to the highest cost of an action slot, [13]; bit 0 is value 1.
_FROM = (_ALL_VALUES, *(_ALL_VALUES >> v << v for v in range(12)))


def legal_actions(position: Position) -> int:
    """Returns the legal actions of the seat to act; none where the game is over."""
    return 0 if position.kind == c.OVER else _RULES[position.kind](position)


def florins_needed(position: Position, effect: int, males: int, females: int) -> int:
    """Returns the Florins that make an effect possible; NEVER if it is not (N2, B6, B7)."""
    seat, needed = position.seat, 0
    for op in position.tables.asked[effect]:
        if op == c.TRACKS:
            possible = males > 0 or _can_climb(position, seat) or _can_advance(position, seat)
        elif op == c.INITIATIVE:
            possible = _can_climb(position, seat)
        elif op == c.TILE:
            possible = any(position.deck)
        elif op == c.FREE_HELPER_OP:
            possible = position.discs_left > 0 and not all(position.helpers[seat])
        elif op == c.MISSION_OP:
            possible = _best_rank(position, seat) >= min(position.open)
        else:
            possible, needed = females > 0, min(position.open)  # the lowest dowry (S8.5)
        if not possible:
            return NEVER
    return needed


def is_possible(position: Position, effect: int) -> bool:
    seat = position.seat
    return florins_needed(position, effect, *position.supply[seat]) <= position.florins[seat]


def _can_climb(position: Position, seat: int) -> bool:
    """Whether the own disc is below the top (S9.4)."""
    return position.initiative[seat] < len(position.edition.initiative_vp) - 1


def _can_advance(position: Position, seat: int) -> bool:
    """Whether a male stands below the top of a career (S9.1)."""
    careers, k = position.careers[seat], position.edition.num_career_slots
    return any(any(careers[k * career : k * career + k - 1]) for career in range(c.NUM_CAREERS))


def _best_rank(position: Position, seat: int) -> int:
    """Returns the highest rank of the own males; 0 without any (S9.3)."""
    ranks = position.edition.ranks
    return max(
        [ranks[i % len(ranks)] for i, n in enumerate(position.careers[seat]) if n], default=0
    )


def _main(position: Position) -> int:
    """A die, at most four a round, an action slot and what to do there; or pass (S5.1 to S5.4)."""
    codec, edition, seat = position.codec, position.edition, position.seat
    legal, placed = 1 << codec.skip_turn, position.placed[seat]
    if placed.count(0) <= c.NUM_COLORS - edition.num_dice:
        return legal
    stride, h = codec.num_choices, edition.num_helper_slots
    florins, spread = position.florins[seat], position.tables.spread
    for color in range(c.NUM_COLORS):
        present = position.values[color]
        if placed[color] or not present:
            continue
        start, spare = c.NUM_FACES * stride * color, florins - edition.costs[color]
        for choice, needed in enumerate(_needs(position, color, h)):
            if needed > florins:
                continue
            lowest = needed - spare  # value that is paid down to what is needed (S5.3, S5.4)
            values = present if lowest <= 1 else present & _FROM[lowest]
            legal |= spread[values] << start + choice
    return legal


def _needs(position: Position, color: int, h: int) -> list[int]:
    """Returns the Florins that each choice of a color needs besides the die's payment (S5.4)."""
    edition, seat, supply = position.edition, position.seat, position.supply[position.seat]
    column = edition.hires_in[color]
    hired = position.helpers[seat][h * column : h * column + h]
    prices = edition.helper_prices[column] if position.discs_left else (NEVER,) * h
    needs = [NEVER if has else price for has, price in zip(hired, prices, strict=True)]
    for slot, sex in enumerate(edition.assignment_sexes[color]):
        tile = position.assignments[2 * color + slot]
        left = [supply[c.MALE], supply[c.FEMALE]]
        left[sex] -= edition.meeples[tile] or 1  # "..3" is MARKED, which is 0
        effect = edition.first_assignment + tile
        needs.append(NEVER if left[sex] < 0 else florins_needed(position, effect, *left))
    needs.append(florins_needed(position, color, *supply))
    return needs


def _spend(position: Position) -> int:
    """One to three of the sex that the assignment's slot shows (S7.2)."""
    supply = position.supply[position.seat][spent_sex(position)]
    return (1 << min(supply, c.MOST_SPENT)) - 1 << position.codec.spend.start


def spent_sex(position: Position) -> int:
    """Returns the sex of the slot of the running assignment (S7.1)."""
    tile = position.effect - position.edition.first_assignment
    color, slot = divmod(position.assignments.index(tile), 2)
    return position.edition.assignment_sexes[color][slot]


def _track(position: Position) -> int:
    """One track point: enter, advance or initiative; after the first, stop (S9)."""
    codec, seat, legal = position.codec, position.seat, 0
    careers, k = position.careers[seat], position.edition.num_career_slots
    may_enter = position.supply[seat][c.MALE] > 0
    for place, males in enumerate(careers):
        slot = place % k
        if slot == 0 and may_enter:
            legal |= 1 << place
        if males and slot < k - 1:
            legal |= 2 << place
    legal <<= codec.track.start
    if _can_climb(position, seat):
        legal |= 1 << codec.initiative
    if position.left < position.edition.effects[position.effect][position.part][1]:
        legal |= 1 << codec.stop
    return legal


def _mission(position: Position) -> int:
    """A male and a city whose lowest empty slot his rank allows (S8.2)."""
    legal, ranks = 0, position.edition.ranks
    for place, males in enumerate(position.careers[position.seat]):
        if males:
            rank = ranks[place % len(ranks)]
            for city, value in enumerate(position.open):
                if value <= rank:
                    legal |= 1 << c.NUM_CITIES * place + city
    return legal << position.codec.mission.start


def _marriage(position: Position) -> int:
    """A city and a dowry from its lowest empty slot's value on (S8.5)."""
    legal, seat = 0, position.seat
    if not position.supply[seat][c.FEMALE]:
        return 0
    most = min(position.florins[seat], c.MAX_DOWRY)
    for city, value in enumerate(position.open):
        for dowry in range(value, most + 1):
            legal |= 1 << c.MAX_DOWRY * city + dowry - 1
    return legal << position.codec.marry.start


def _row(position: Position) -> int:
    """Any row, while there is a tile (S10.3)."""
    return 0b1111 << position.codec.row.start if any(position.deck) else 0


def _free_helper(position: Position) -> int:
    """Any empty own slot, while there are helpers (A8)."""
    if not position.discs_left:
        return 0
    empty = sum([1 << i for i, has in enumerate(position.helpers[position.seat]) if not has])
    return empty << position.codec.free_helper.start


def _helper(position: Position) -> int:
    return 0b11 << position.codec.use


def _reward(position: Position) -> int:
    """The bonus tile, if possible, or Florins (S11.4)."""
    codec, edition = position.codec, position.edition
    bonus = edition.first_bonus + position.bonus_tiles[position.round - 1]
    return 1 << codec.florins | is_possible(position, bonus) << codec.bonus


def _wed(position: Position) -> int:
    """A wedding, if a bride slot is empty (S11.4, B4)."""
    if position.brides[position.seat] >= len(position.edition.bride_vp):
        return 0
    return 0b11 << position.codec.wed


def _pay(position: Position) -> int:
    """Florins for VP, if affordable (S11.5)."""
    codec = position.codec
    affordable = position.florins[position.seat] >= position.edition.pay
    return 1 << codec.keep | affordable << codec.pay


#: By kind of decision, in the order of `KINDS`.
_RULES: tuple[Callable[[Position], int], ...] = (
    *(_main, _spend, _track, _mission, _marriage, _row, _helper),
    *(_reward, _free_helper, _wed, _pay),
)
