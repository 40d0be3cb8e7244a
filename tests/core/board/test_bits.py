"""Sets as words: packing, counting, selecting."""

import numpy as np
import pytest

from gonzaga_env.core.board import bits


@pytest.mark.parametrize("size", [1, 63, 64, 65, 200])
def test_pack_and_unpack_are_inverse(size: int) -> None:
    mask = np.random.default_rng(size).random((5, size)) < 0.4
    words = bits.pack(mask)
    assert words.shape == (5, bits.num_words(size))
    assert (bits.unpack(words, size) == mask).all()
    assert (bits.count(words) == mask.sum(axis=1)).all()


def test_select_finds_every_set_bit_in_order() -> None:
    mask = np.random.default_rng(1).random((3, 300)) < 0.3
    words = bits.pack(mask)
    for row in range(3):
        places = np.flatnonzero(mask[row])
        n = np.arange(len(places))
        assert (bits.select(words[[row] * len(n)], n) == places).all()


def test_test_reads_one_bit_a_row() -> None:
    mask = np.random.default_rng(2).random((4, 130)) < 0.5
    words = bits.pack(mask)
    for place in range(130):
        assert (bits.test(words, np.full(4, place)) == mask[:, place]).all()


def test_members_are_all_set_bits_row_by_row() -> None:
    mask = np.random.default_rng(3).random((6, 200)) < 0.1
    mask[2] = False
    rows, numbers = bits.members(bits.pack(mask))
    assert np.array_equal(np.stack([rows, numbers]), np.stack(mask.nonzero()))
