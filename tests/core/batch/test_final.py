"""R8: final scoring, winners and rewards."""

from collections.abc import Iterable, Iterator
from itertools import combinations, product

import numpy as np
import pytest

from gonzaga_env.core.spec import SPEC
from tests.core.positions import (
    BOARD,
    COLOMBO,
    EDITION,
    SITES,
    Placement,
    Position,
    cells_where,
    find,
    fitting,
    make_deal,
)
from tests.oracle_editions import Hex, share_side

PLAIN = cells_where(lambda cell: BOARD.region_of[cell] in COLOMBO and cell not in SITES)


def far_apart(hexes: list[Hex]) -> list[Hex]:
    """Returns some of the hexes, no two of which share a side."""
    chosen: list[Hex] = []
    for cell in hexes:
        if not any(share_side(cell, other) for other in chosen):
            chosen.append(cell)
    return chosen


def touch(one: Iterable[Hex], other: Iterable[Hex]) -> bool:
    return any(share_side(*sides) for sides in product(one, other))


def chains(length: int, links: tuple[Placement, ...] = ()) -> Iterator[tuple[Placement, ...]]:
    """Yields placements of fiefs 1, 2, ... without sites, each adjacent only to the one before."""
    if len(links) == length:
        yield links
        return
    before = {cell for link in links[:-1] for cell in link.cells}
    last = {cell for link in links[-1:] for cell in link.cells}
    for placement in fitting():
        if placement.fief != len(links) + 1 or placement.hexes & (SITES | before | last):
            continue
        if not last or (touch(placement.hexes, last) and not touch(placement.hexes, before)):
            yield from chains(length, (*links, placement))


def test_r8_1_five_connected_fiefs_beat_four() -> None:
    position = Position()
    links = find(chains(5))
    for link in links:
        position.place(0, link)
    taken = {cell for link in links for cell in link.cells}
    for cell in [cell for cell in PLAIN if cell not in taken][:4]:
        position.wed(1, cell)
    assert position.state.largest_group[0, 0] == 5
    position.finish()
    assert position.scores("group") == [15, 0, 0]


def test_r8_1_fiefs_of_others_do_not_connect() -> None:
    position = Position()
    for seat, link in zip((0, 1, 0), find(chains(3)), strict=True):
        position.place(seat, link)
    assert position.state.largest_group[0].tolist() == [1, 1, 0]


def test_r8_1_connected_across_a_barrier() -> None:
    def only_over_barriers(pair: tuple[Placement, Placement]) -> bool:
        one, other = pair
        sides = [(a, b) for a in one.cells for b in other.cells if share_side(a, b)]
        return bool(sides) and all(frozenset(side) in BOARD.barriers for side in sides)

    barrier = {cell for side in BOARD.barriers for cell in side}
    beside = [p for p in fitting() if p.hexes & barrier]
    one, other = find(
        (pair for pair in combinations(beside, 2) if pair[0].fief != pair[1].fief),
        only_over_barriers,
    )
    position = Position()
    position.place(0, one)
    position.place(0, other)
    assert position.state.largest_group[0, 0] == 2


def test_r8_1_each_ring_is_one_piece() -> None:
    def in_one_region(pair: tuple[Hex, Hex]) -> bool:
        return {*pair} <= {*PLAIN} and len({BOARD.region_of[cell] for cell in pair}) == 1

    position = Position()
    pair = find(BOARD.ring_pairs, in_one_region)
    position.wed(0, *pair)
    assert position.state.largest_group[0].tolist() == [2, 0, 0]
    beside = find(PLAIN, lambda cell: cell not in pair and touch([cell], pair))
    position.wed(0, beside)
    assert position.state.largest_group[0].tolist() == [3, 0, 0]


def test_r8_1_a_ring_joins_two_groups() -> None:
    def links_of(chain: tuple[Placement, ...]) -> list[Hex]:
        """Returns the land hexes of the middle fief that touch both ends."""
        first, middle, last = (link.cells for link in chain)
        both = [cell for cell in middle if touch([cell], first) and touch([cell], last)]
        return [cell for cell in both if BOARD.region_of[cell]]

    chain = find(chains(3), links_of)
    position = Position()
    position.place(0, chain[0])
    position.place(0, chain[2])
    assert position.state.largest_group[0, 0] == 1
    position.wed(0, links_of(chain)[0])
    assert position.state.largest_group[0, 0] == 3


def test_r8_1_pieces_count_and_not_hexes() -> None:
    position = Position()
    large = find(fitting(), lambda p: len(p.cells) == 4 and p.covers == (0, 0))
    position.place(0, large)
    one, other = find(BOARD.ring_pairs, lambda p: {*p} <= {*PLAIN} - large.hexes)
    position.wed(1, one, other)
    position.finish()
    assert position.scores("group") == [0, 15, 0]


def test_r8_1_all_who_tie_get_fifteen() -> None:
    position = Position()
    one, other, *_ = far_apart(PLAIN)
    position.wed(0, one)
    position.wed(2, other)
    position.finish()
    assert position.scores("group") == [15, 0, 15]


def with_objective(objective: int) -> Position:
    """Returns a game in which seat 0 has an objective."""
    position = Position()
    others = [i for i in range(3) if i != objective]
    deal = make_deal("Colombo", [1, 1, 1], [objective, *others[:2]])
    position.engine.reset(deal=deal)
    return position


def cities_of(objective: int) -> list[Hex]:
    symbols = EDITION.objectives[objective]
    return [cell for cell, symbol in BOARD.cities.items() if symbol in symbols]


@pytest.mark.parametrize("held", range(7))
def test_r8_2_points_for_cities_of_the_own_objective(held: int) -> None:
    position = with_objective(held)
    for city in cities_of(held)[:held]:
        position.wed(0, city)
    position.finish()
    assert position.scores("objective")[0] == (0, 2, 5, 10, 15, 25, 35)[held]


def test_r8_2_fiefs_and_rings_hold_cities_on_shared_hexes_too() -> None:
    position = with_objective(0)
    cities = cities_of(0)
    placement = find(fitting(), lambda p: p.covers == (1, 0) and p.cities <= {*cities})
    position.place(0, placement)
    (own,) = placement.cities
    position.wed(1, own)
    position.wed(0, find(cities, lambda city: city != own))
    position.finish()
    assert position.scores("objective")[0] == 5


def test_r8_2_cities_of_other_objectives_are_worth_nothing() -> None:
    position = with_objective(0)
    for city in [city for city in BOARD.cities if city not in cities_of(0)][:4]:
        position.wed(0, city)
    position.finish()
    assert position.scores("objective")[0] == 0


def level_game(num_players: int, city: bool) -> Position:
    """Returns a game in which all have 3 points and one piece; seat 0 got its 3 by a city or not.

    The city is in nobody's objective, so that the game stays level to its end.
    """
    scenario = find(EDITION.scenarios, lambda s: s.players == num_players)
    flourishing, shared = scenario.flourishing, EDITION.objectives[0][0]
    objectives = [i for i, pair in enumerate(EDITION.objectives) if shared in pair][:num_players]
    position = Position(num_players, scenario.name)
    position.engine.reset(deal=make_deal(scenario.name, range(1, num_players + 1), objectives))
    land = cells_where(lambda cell: BOARD.region_of[cell] in flourishing)
    plain = far_apart([cell for cell in land if cell not in SITES])
    for seat in range(1 if city else 0, num_players):
        position.donate(seat)
        position.wed(seat, plain[seat])
    if city:
        secret = {city for i in objectives for city in cities_of(i)}
        position.wed(0, find(land, lambda cell: cell in BOARD.cities and cell not in secret))
    assert set(position.state.totals[0].tolist()) == {3}
    return position


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_r8_3_a_tie_is_won_by_most_cities_and_harbors(num_players: int) -> None:
    position = level_game(num_players, city=True)
    result = position.finish()
    assert len(set(position.state.totals[0].tolist())) == 1
    assert position.winners() == [0]
    expected = [1.0, *[-1 / (num_players - 1)] * (num_players - 1)]
    assert result.rewards[0].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_r8_3_a_tie_in_both_is_shared(num_players: int) -> None:
    position = level_game(num_players, city=False)
    result = position.finish()
    assert position.winners() == list(range(num_players))
    (alone,) = position.engine.games
    shares = [SPEC.infos.of_seat(alone, seat)["won"] for seat in range(num_players)]
    assert shares == pytest.approx([1 / num_players] * num_players)
    assert result.rewards[0].tolist() == [0.0] * num_players


@pytest.mark.parametrize("num_players", [3, 4])
def test_r8_3_two_winners_share_what_one_would_get(num_players: int) -> None:
    position = level_game(num_players, city=False)
    for seat in (0, 2):
        position.donate(seat)
    result = position.finish()
    assert position.winners() == [0, 2]
    # A sole winner gets 1 and everybody else the loss; two get the mean of the two.
    loss = -1 / (num_players - 1)
    expected = [(1 + loss) / 2 if seat in (0, 2) else loss for seat in range(num_players)]
    assert result.rewards[0].tolist() == pytest.approx(expected)


def test_r8_3_most_points_win_whatever_the_sites() -> None:
    position = level_game(2, city=True)
    position.donate(1)
    assert position.finish().rewards[0].tolist() == [-1.0, 1.0]
    assert position.winners() == [1]


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("reward", ["score", "margin", "outcome"])
def test_rewards_add_up_over_a_game(reward: str, num_players: int) -> None:
    position = Position(num_players, None, reward=reward, seed=5)
    rng, returns = np.random.default_rng(1), np.zeros(num_players)
    while not position.state.finished[0]:
        rewards = position.engine.step(position.engine.sample_legal(rng)).rewards[0]
        assert reward == "score" or rewards.sum() == 0
        returns += rewards
    totals = position.state.totals[0].astype(np.float64)
    others = (totals.sum() - totals) / (num_players - 1)
    if reward == "score":
        assert returns.tolist() == totals.tolist()
        return
    assert returns.sum() == 0
    if reward == "margin":
        assert returns == pytest.approx(totals - others, abs=1e-4)
    else:
        assert np.flatnonzero(returns == returns.max()).tolist() == position.winners()
