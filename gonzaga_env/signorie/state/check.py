"""Checks deals and states from outside: what would break a rule or an index is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.editions.gains import MOST_HELD, Gains, gains_of
from gonzaga_env.signorie.state.deals import Deal
from gonzaga_env.signorie.state.state import NO_COLOR, NO_EFFECT, NO_TILE, State, state_layout
from gonzaga_env.tabletop.chance import MOST_EVENTS
from gonzaga_env.tabletop.errors import OptionError, StateError

_CLOSED = 100  # the value of a city without an empty slot
_Found = tuple[str, NDArray[np.bool_]]
_PHASE_3 = (c.REWARD, c.WED, c.PAY)
_ASKED_BY = np.zeros(len(c.KINDS) + 1, int)  # the op whose part asks for each kind of decision
_ASKED_BY[[*c.ASKED.values()]] = [*c.ASKED]


def check_deal(config: GameConfig, deal: Deal, num_games: int) -> None:
    """Raises OptionError unless a deal is valid for these games (S2, S4)."""
    layout = state_layout(config)
    shapes: dict[str, tuple[int, ...]] = {}
    for name in Deal.__match_args__:
        like = "deck" if name == "removed" else name
        shapes[name] = num_games, *layout[like].shape
    Deal.check_arrays(deal, shapes, kinds="iub")
    if any((array < 0).any() for array in vars(deal).values()):
        raise OptionError("deal: the arrays hold no negative number")
    for what, wrong in _deal_faults(config, deal):
        if wrong.any():
            raise OptionError(f"deal: {what}")


def _deal_faults(config: GameConfig, deal: Deal) -> Iterator[_Found]:
    """Yields what contradicts the setup, with where it is, [M, ...]; shapes have been checked."""
    p = config.num_players
    for name, size in _piles(p):
        what = f"{name} takes different numbers from 0 to {size - 1}"
        yield what, _not_different(getattr(deal, name), size)
    other = _by_house(deal.removed) != c.REMOVED_PER_HOUSE[p]
    yield "another number of tiles of a House is removed (S2.6)", other
    wrong = (deal.cities.sum(axis=1) != c.CITIES_IN_PLAY[p]) | (deal.cities.dtype != np.bool_)
    yield "cities must be bool, with another number of them in play (S2.6)", wrong
    lying = _by_kind(deal.city_tiles)
    uneven = lying.any(axis=3) != deal.cities[..., None]
    yield "each city in play has two tiles, others have none (S4.1)", uneven
    many = deal.removed + lying.sum(axis=(1, 2)) > np.array(config.edition.tiles)
    yield "more tiles of a kind than there are (S1.4)", many
    other = deal.pool.sum(axis=2) != config.edition.dice_of_color(p)
    yield "another number of dice of a color (S2.6)", other


def _piles(num_players: int) -> Iterator[tuple[str, int]]:
    """Yields the arrays that hold different pieces, and how many pieces there are."""
    yield from (("order", num_players), ("boards", c.MAX_PLAYERS), ("vp_tiles", c.NUM_VP_TILES))
    yield from (("bonus_tiles", c.NUM_BONUS_TILES), ("assignments", c.NUM_ASSIGNMENTS))


def _not_different(pieces: NDArray[Any], size: int) -> NDArray[np.bool_]:
    """Returns which rows do not hold different numbers below a size."""
    pieces = np.sort(pieces, axis=1)
    twice = (pieces[:, 1:] == pieces[:, :-1]).any(axis=1)
    return np.asarray(twice | (pieces >= size).any(axis=1))


def _by_kind(tiles: NDArray[Any]) -> NDArray[np.bool_]:
    """Returns tiles [...] as one-hot rows, [..., 24]; NO_TILE as zeros."""
    return np.asarray(tiles[..., None] == np.arange(c.NUM_TILES))


def _by_house(tiles: NDArray[Any]) -> NDArray[Any]:
    """Returns numbers of tiles by House, [..., 6], from those by kind, [..., 24]."""
    return tiles.reshape(*tiles.shape[:-1], c.NUM_HOUSES, len(c.TILE_VALUES)).sum(axis=-1)


def check_state(config: GameConfig, state: State) -> None:
    """Raises StateError unless the values of a state fit each other."""
    for find in (_ranges, _pieces, _tiles, _programs, _decisions, _room):
        for what, wrong in find(config, state):
            if wrong.any():
                raise StateError(f"game {int(wrong.nonzero()[0][0])}: {what}")


def _ranges(config: GameConfig, state: State) -> Iterator[_Found]:
    """Yields what is out of range, with where it is, [N, ...]."""
    edition, p = config.edition, config.num_players
    yield "seat is not a seat", state.seat >= p
    yield "kind is not a kind of decision", state.kind > c.OVER
    yield "finished and kind differ", state.finished != (state.kind == c.OVER)
    last = edition.num_rounds
    yield f"round is not 1 to {last}", (state.round < 1) | (state.round > last)
    yield f"the game is over before round {last}", state.finished & (state.round < last)
    for name, size in _piles(p):
        yield f"{name} does not hold different numbers", _not_different(getattr(state, name), size)
    yield "there is no such die", state.placed > c.NUM_FACES
    yield "there is no such tile", state.city_tiles > NO_TILE
    yield "there is no such bride", state.brides > len(edition.bride_vp)
    yield "there is no such initiative slot", state.initiative >= len(edition.initiative_vp)
    yield "scores holds a number below 0", state.scores < 0
    at_end = state.scores[..., [c.CAREER_VP, c.TILE_VP]].any(axis=(1, 2))
    yield "scores holds points of careers or tiles before the end (S12)", at_end & ~state.finished
    yield f"event is not below {MOST_EVENTS}", state.event >= MOST_EVENTS


def _pieces(config: GameConfig, state: State) -> Iterator[_Found]:
    """Yields dice, meeples, discs and cities that are too many or too few (S1, S2.6)."""
    edition, p = config.edition, config.num_players
    taken = state.placed > 0
    dice = state.pool.sum(axis=2, dtype=int) + taken.sum(axis=1)
    yield "not all dice are there (S2.6)", dice != config.edition.dice_of_color(p)
    many = taken.sum(axis=2) > edition.num_dice
    yield f"a seat has more than {edition.num_dice} dice (S5.2)", many
    other = state.cities.sum(axis=1) != c.CITIES_IN_PLAY[p]
    yield "another number of cities is in play (S2.6)", other
    slots = np.array([len(slots) for slots in edition.city_slots]) * state.cities
    yield "a city has more meeples than slots", state.meeples.sum(axis=1, dtype=int) > slots
    own = state.supply.astype(int) + state.stock + state.threshold
    own[..., c.MALE] += state.careers.sum(axis=(2, 3), dtype=int)
    most = np.array(edition.supply) + edition.stock
    away = state.meeples.sum(axis=2, dtype=int)
    wrong = (own > most).any(axis=2) | (own.sum(axis=2) + away != most.sum())
    yield "not all meeples of a seat are there (S1.2)", wrong
    if not edition.threshold_step:
        yield "no assignment raises the threshold", state.threshold > 0
    yield "there are too many helpers", state.helpers.sum(axis=(1, 2, 3)) > edition.helpers
    same = state.initiative[:, :, None] == state.initiative[:, None, :]
    below = same & (state.height[:, None, :] < state.height[:, :, None])
    level = same & (state.height[:, None, :] == state.height[:, :, None])
    stacked = (below.sum(axis=2) == state.height) & (level.sum(axis=2) == 1)
    yield "initiative and height: discs do not stack (S9.4)", ~stacked


def _tiles(config: GameConfig, state: State) -> Iterator[_Found]:
    """Yields alliance tiles that are too many or too few (S1.4, S2.6, S10)."""
    edition, removed = config.edition, c.REMOVED_PER_HOUSE[config.num_players]
    values = np.tile(c.TILE_VALUES, c.NUM_HOUSES)
    closed = ~state.cities[..., None]
    yield "a city that is not in play has a tile", (state.city_tiles != NO_TILE) & closed
    lying = _by_kind(state.city_tiles).sum(axis=(1, 2))
    yield "more tiles are in the deck than unseen", state.deck > state.unseen
    yield "more tiles are unseen than there are", state.unseen > edition.tiles
    seen = np.array(edition.tiles) - state.unseen
    hidden = state.unseen.astype(int) - state.deck
    yield "too few tiles are removed (S2.6)", _by_house(hidden) < removed
    away = removed * c.NUM_HOUSES + state.face_down.sum(axis=(1, 2), dtype=int)
    yield "face-down tiles are too many or too few", hidden.sum(axis=1) != away
    yield "a tile of a city counts as unseen", lying > seen
    held = state.held.sum(axis=(1, 2), dtype=int)
    yield "rows hold other tiles than were seen", _by_house(seen - lying) != held
    vp = state.row_vp.sum(axis=(1, 2), dtype=int)
    yield "the rows' VP are not those of their tiles", (seen - lying) @ values != vp
    shields = np.array(edition.shields)[state.boards]
    yield "a row holds a House that it does not take (S10.2)", state.held > shields
    count = state.held.sum(axis=3, dtype=int)
    few, many = c.TILE_VALUES[0] * count, c.TILE_VALUES[-1] * count
    yield "a row has too few or too many VP", (state.row_vp < few) | (state.row_vp > many)


def _programs(config: GameConfig, state: State) -> Iterator[_Found]:
    """Yields effects that cannot be running; kinds and rounds have been checked."""
    edition, kind = config.edition, state.kind
    asked = np.isin(kind, tuple(c.ASKED.values()))
    runs = asked | np.isin(kind, (c.SPEND, c.HELPER))
    yield "effect and kind of decision differ", (state.effect != NO_EFFECT) != runs
    yield "there is no such effect", runs & (state.effect >= len(edition.effects))
    counters = np.stack([state.part, state.left, state.repeats], axis=1)
    yield "an effect that does not run has a part", (counters > 0).any(axis=1) & ~asked
    effect = state.effect * runs
    lengths = np.array([len(parts) for parts in edition.effects])
    yield "there is no such part", asked & (state.part >= lengths[effect])
    table = np.zeros((len(lengths), lengths.max(), 2), int)
    for i, parts in enumerate(edition.effects):
        table[i, : len(parts)] = parts
    op, number = table[effect, state.part * asked].T
    kinds = np.array([c.ASKED.get(one, c.OVER) for one in range(len(c.OPS))])
    yield "part and kind of decision differ", asked & (kinds[op] != kind)
    yield "left is out of range", asked & ((state.left < 1) | (state.left > number))
    marks = np.zeros(len(edition.effects), bool)
    marks[edition.first_assignment : edition.first_bonus] = np.array(edition.meeples) == c.MARKED
    marked = marks[effect]
    most = np.where(marked, c.MOST_SPENT, 1)
    yield "repeats is out of range", asked & ((state.repeats < 1) | (state.repeats > most))
    yield "only what is marked '..3' asks how many (S7.2)", (kind == c.SPEND) & ~marked
    yield from _origins(config, state, effect, runs)


def _origins(
    config: GameConfig, state: State, effect: NDArray[Any], runs: NDArray[np.bool_]
) -> Iterator[_Found]:
    """Yields effects that come from nowhere: another die, no helper, another bonus tile."""
    edition, seat, games = config.edition, state.seat, np.arange(state.num_games)
    bonus = runs & (effect >= edition.first_bonus)
    in_column = runs & ~bonus
    yield "color and effect differ", (state.color != NO_COLOR) != in_column
    color = state.color * in_column
    yield "there is no such color", color >= c.NUM_COLORS
    yield "the die is not placed", in_column & (state.placed[games, seat, color] == 0)
    yield "another color's Signoria runs", in_column & (effect < c.NUM_COLORS) & (effect != color)
    helper = (effect >= c.NUM_COLORS) & (effect < edition.first_assignment)
    yield "a helper is asked for another kind", (state.kind == c.HELPER) & ~helper
    column, slot = np.divmod((effect - c.NUM_COLORS) * helper, edition.num_helper_slots)
    there = (column == color) & state.helpers[games, seat, column, slot]
    yield "there is no such helper in the column (S6.3)", helper & ~there
    tile = (effect - edition.first_assignment)[:, None]
    slots = state.assignments[games[:, None], 2 * color[:, None] + np.arange(2)]
    assigned = in_column & (effect >= edition.first_assignment)
    yield "the assignment has another color (S7.1)", assigned & (slots != tile).all(axis=1)
    now = state.bonus_tiles[games, np.minimum(state.round, c.BONUS_ROUNDS) - 1]
    yield "another bonus tile is due (S11.4)", bonus & (effect - edition.first_bonus != now)
    rewards = bonus | np.isin(state.kind, _PHASE_3)
    late = state.round > c.BONUS_ROUNDS
    yield "rewards of another round (S11.4)", rewards & (late != (state.kind == c.PAY))
    phase_3 = rewards | state.finished
    yield "passes and phase differ (S5.1)", state.passed.all(axis=1) != phase_3
    yield "the seat has passed", state.passed[games, seat] & ~phase_3
    dice = state.placed[games, seat].sum(axis=1, dtype=int)
    raised = edition.threshold_step * state.threshold[games, seat].sum(axis=1, dtype=int)
    yield "the dice exceed the threshold (S11.3)", rewards & (dice > edition.threshold + raised)


def _decisions(config: GameConfig, state: State) -> Iterator[_Found]:
    """Yields decisions that nothing can answer."""
    edition, games, seat, kind = config.edition, np.arange(state.num_games), state.seat, state.kind
    supply, careers = state.supply[games, seat], state.careers[games, seat]
    sexes = np.array(edition.assignment_sexes)[state.color * (kind == c.SPEND)]
    tile = state.effect.astype(int) - edition.first_assignment
    place = (state.assignments == tile[:, None]).argmax(axis=1) % 2
    spent = supply[games, sexes[games, place]]
    yield "there are no meeples to spend (S7.1)", (kind == c.SPEND) & (spent == 0)
    climbs = state.initiative[games, seat] < len(edition.initiative_vp) - 1
    point = climbs | careers[..., :-1].any(axis=(1, 2)) | (supply[:, c.MALE] > 0)
    yield "no track point is possible (S9)", (kind == c.TRACK) & ~point
    taken, lowest = state.meeples.sum(axis=1, dtype=int), np.full(len(games), _CLOSED)
    for city, slots in enumerate(edition.city_slots):
        value = np.array([*slots, _CLOSED])[taken[:, city]]
        lowest = np.where(state.cities[:, city], np.minimum(lowest, value), lowest)
    rank = (np.array(edition.ranks) * (careers > 0)).max(axis=(1, 2))
    yield "no mission is possible (S8.2)", (kind == c.MISSION) & (rank < lowest)
    able = (supply[:, c.FEMALE] > 0) & (state.florins[games, seat] >= lowest)
    yield "no marriage is possible (S8.5)", (kind == c.MARRIAGE) & ~able
    yield "the deck is empty (S10.3)", (kind == c.ROW) & ~state.deck.any(axis=1)
    full = state.helpers[games, seat].all(axis=(1, 2))
    full |= state.helpers.sum(axis=(1, 2, 3)) == edition.helpers
    yield "there is no helper slot or helper", (kind == c.FREE_HELPER) & full
    wed = state.brides[games, seat] >= len(edition.bride_vp)
    yield "there is no empty bride slot (B4)", (kind == c.WED) & wed


def _room(config: GameConfig, state: State) -> Iterator[_Found]:
    """Yields points and Florins to which a game may add more than fits; all else is checked."""
    gains = most_gains(config, state)
    held = state.scores.sum(axis=2, dtype=int), state.florins.astype(int)
    for name, numbers, gain in zip(("scores", "florins"), held, gains.T, strict=True):
        what = f"{name} may come to more than {MOST_HELD} in this game (S12)"
        yield what, numbers + gain.T > MOST_HELD


def most_gains(config: GameConfig, state: State) -> NDArray[np.int64]:
    """Returns the most VP and Florins that each seat may still get, [N, P, 2]."""
    gains, games = gains_of(config.edition), np.arange(state.num_games)
    place = state.order.argsort(axis=1)
    due = place > place[games, state.seat][:, None]  # of those that wait for their reward
    phase_3 = np.asarray(state.passed.all(axis=1))
    late = state.round > c.BONUS_ROUNDS
    reward = np.where(late[:, None], gains.vp_tile + gains.payment, gains.bonus + gains.wedding)[
        :, None
    ]
    dice = np.where(state.passed, 0, config.edition.num_dice - (state.placed > 0).sum(axis=2))
    dice = dice[..., None]
    still = np.where(
        phase_3[:, None, None],
        due[..., None] * reward,
        dice * gains.die + gains.initiative + reward,
    )
    still[games, state.seat] += _running_gains(config, state, gains)
    still += gains.rounds(state.round.astype(int) + 1)[:, None]
    return np.where(state.finished[:, None, None], 0, still)


def _running_gains(config: GameConfig, state: State, gains: Gains) -> NDArray[np.int64]:
    """Returns the most that the seat to act gets from what it does now, [N, 2]."""
    edition, kind = config.edition, state.kind
    runs = state.effect != NO_EFFECT
    effect, part = (state.effect * runs).astype(int), state.part.astype(int)
    whole = gains.rest[effect, 0]
    asked = state.left[:, None] * gains.unit[_ASKED_BY[kind]] + gains.rest[effect, part + 1]
    asked += np.maximum(state.repeats.astype(int) - 1, 0)[:, None] * whole
    found = np.where((kind == c.HELPER)[:, None], whole, asked)
    found = np.where((kind == c.SPEND)[:, None], c.MOST_SPENT * whole, found)
    helper = (effect >= c.NUM_COLORS) & (effect < edition.first_assignment)
    following = np.where(helper, (effect - c.NUM_COLORS) % edition.num_helper_slots + 1, 0)
    in_column = state.color != NO_COLOR
    column = gains.helpers[state.color * in_column, following]
    found = runs[:, None] * (found + np.where(in_column[:, None], column, gains.wedding))
    for one, gain in ((c.REWARD, gains.bonus), (c.WED, 0), (c.PAY, gains.payment)):
        more = gain + (one != c.PAY) * gains.wedding
        found += (kind == one)[:, None] * more
    return found
