"""Pieces, setup and rounds, as the engines deal them (S1 to S4, S13)."""

from collections.abc import Iterator

import numpy as np
import pytest

from gonzaga_env.signorie import Engine, Game, load_edition

EDITION = load_edition("reconstruction")
NUM_GAMES = 200
HOUSES = np.repeat(np.arange(6), 4)  # of the 24 kinds of tiles


def test_the_pieces_are_those_of_the_box() -> None:
    """S1.1 to S1.5, S9.3, S10.1: what the shipped edition has."""
    assert len(set(EDITION.boards)) == 4
    assert [a + b for a, b in zip(EDITION.supply, EDITION.stock, strict=True)] == [12, 11]
    assert (EDITION.helpers, len(EDITION.bride_vp)) == (48, 4)
    assert np.bincount(HOUSES, EDITION.tiles).tolist() == [9] * 6
    sizes = [len(EDITION.assignments), len(EDITION.bonus_tiles), len(EDITION.vp_tiles)]
    assert sizes == [10, 9, 5]
    assert sorted(set(EDITION.ranks)) == [1, 2, 3, 4]
    for board in EDITION.shields:
        assert [sorted(row)[2:] for row in board] == [[0, 1, 1, 2]] * 3 + [[1] * 4]


def test_each_color_hires_in_the_column_to_its_left() -> None:
    """S6.2: the leftmost in the rightmost."""
    assert EDITION.hires_in == (4, 0, 1, 2, 3)


@pytest.mark.parametrize(
    ("num_players", "dice", "removed", "cities"), [(2, 2, 2, 3), (3, 3, 1, 4), (4, 4, 0, 5)]
)
def test_the_setup_follows_the_number_of_players(
    num_players: int, dice: int, removed: int, cities: int
) -> None:
    """S2.1, S2.4 to S2.6, S4.1: supplies, rewards, tiles, dice and cities."""
    state = Engine(NUM_GAMES, num_players, seed=3).state
    assert (state.supply == [4, 3]).all()
    assert (state.stock == [8, 8]).all()
    assert (state.scores == 0).all()
    for tiles, number in ((state.bonus_tiles, 9), (state.vp_tiles, 5), (state.boards, 4)):
        assert (np.diff(np.sort(tiles)) > 0).all()
        assert set(tiles.ravel().tolist()) == set(range(number))  # any of them
    assert (state.pool.sum(axis=2) == dice).all()
    assert (state.cities.sum(axis=1) == cities).all()
    lying = state.city_tiles[..., None] == np.arange(24)
    assert (lying.any(axis=3) == state.cities[..., None]).all()
    gone = state.unseen - state.deck
    by_house = np.stack([gone[:, house == HOUSES].sum(axis=1) for house in range(6)])
    assert (by_house == removed).all()
    assert (state.unseen + lying.sum(axis=(1, 2)) == EDITION.tiles).all()
    assert len(np.unique(state.order, axis=0)) > 1


def _rounds(game: Game) -> Iterator[Game]:
    """Plays a game at random and yields a copy at the first decision of each round."""
    rng, last = np.random.default_rng(0), 0
    while not game.finished:
        if game.round > last:
            last = game.round
            yield game.copy()
        game.play(game.sample_legal(rng))


@pytest.mark.parametrize("seed", range(3))
def test_each_of_seven_rounds_rolls_and_shuffles(seed: int) -> None:
    """S3.1, S4.1 to S4.3: all dice and assignments return, and tiles in cities stay."""
    games = list(_rounds(Game(2 + seed, seed=seed)))
    assert [game.round for game in games] == [1, 2, 3, 4, 5, 6, 7]
    states = [game.state for game in games]
    assert all((state.pool.sum(axis=2) == 2 + seed).all() for state in states)
    assert not any(state.placed.any() for state in states)
    assert all(sorted(state.assignments[0].tolist()) == list(range(10)) for state in states)
    assert len({state.assignments.tobytes() for state in states}) == 7
    assert len({state.pool.tobytes() for state in states}) == 7
    for state in states:
        assert ((state.city_tiles < 24).all(axis=2) == state.cities).all()


def test_tiles_of_rows_never_move_again() -> None:
    """S10.4."""
    rows = [
        np.concatenate([state.held.ravel(), state.row_vp.ravel(), state.face_down.ravel()])
        for state in (game.state for game in _rounds(Game(4, seed=1)))
    ]
    assert (np.diff(np.array(rows, int), axis=0) >= 0).all()
    assert (rows[-1] > 0).any()


def test_only_the_seed_and_the_actions_decide_chance() -> None:
    """S13.2: the same again; another seed draws other things."""
    first, second, other = (list(_rounds(Game(3, seed=seed))) for seed in (5, 5, 6))
    assert [game.state for game in first] == [game.state for game in second]
    assert all(a.state != b.state for a, b in zip(first, other, strict=True))


def test_no_seat_sees_what_is_hidden() -> None:
    """S13.1: the deck, removed tiles, and the faces of the own face-down tiles too."""
    rng = np.random.default_rng(0)
    for game in _rounds(Game(4, seed=2)):
        state = game.state
        state.deck[0] = rng.permutation(state.deck[0])
        twin = game.copy()
        twin._begin(twin._from_state(state))
        for seat in range(4):
            assert np.array_equal(twin.observation(seat), game.observation(seat))
