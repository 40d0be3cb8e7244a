"""Sets of small numbers as rows of 64-bit words: number i is bit i % 64 of word i // 64.

The words are little-endian, so their bytes in memory order hold the bits in order.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
WORD = np.dtype("<u8")
_FEW = 8  # up to so many words, a loop is faster than a sum over the short axis


def num_words(size: int) -> int:
    """Returns the number of words for `size` bits."""
    return -(-size // 64)


def pack(mask: NDArray[np.bool_]) -> Words:
    """Returns the words [..., W] of boolean rows [..., size]."""
    as_bytes = np.packbits(mask, axis=-1, bitorder="little")
    padded = np.zeros((*mask.shape[:-1], num_words(mask.shape[-1]) * 8), dtype=np.uint8)
    padded[..., : as_bytes.shape[-1]] = as_bytes
    return padded.view(WORD)


def unpack(words: Words, size: int) -> NDArray[np.uint8]:
    """Returns the first `size` bits [..., size] of words [..., W], as 0 and 1."""
    as_bytes = np.ascontiguousarray(words[..., : num_words(size)]).view(np.uint8)
    return np.unpackbits(as_bytes, axis=-1, count=size, bitorder="little")


def count(words: Words) -> NDArray[np.int64]:
    """Returns the number of set bits in each row, [...] of [..., W]."""
    counts = np.bitwise_count(words)
    if words.shape[-1] > _FEW:
        return counts.sum(axis=-1, dtype=np.uint16).astype(np.int64)
    total = counts[..., 0].astype(np.int64)
    for i in range(1, words.shape[-1]):
        total += counts[..., i]
    return total


def overlap(words: Words, others: Words) -> NDArray[np.bool_]:
    """Returns whether two sets share a number, row by row, [...] of [..., W]."""
    common = words & others
    union = common[..., 0]
    for i in range(1, words.shape[-1]):
        union |= common[..., i]
    return union != 0


def test(words: Words, index: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Returns whether bit `index` [M] is set in each row of words [M, W]."""
    word = words.reshape(-1)[np.arange(len(words)) * words.shape[1] + (index >> 6)]
    return (word >> (index & 63).astype(np.uint64)) & np.uint64(1) != 0


_EACH_BYTE = np.uint64(0x0101010101010101)

# _NTH[byte, n] is the position of the n-th set bit of a byte.
_NTH = np.zeros((256, 8), dtype=np.int64)
for _byte in range(256):
    for _n, _place in enumerate(place for place in range(8) if _byte >> place & 1):
        _NTH[_byte, _n] = _place


def select(words: Words, n: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the number of the n-th set bit (from 0) of each row of words [M, W], [M]."""
    return _select(words, _count_upto(words), n)


def draw(words: Words, rng: np.random.Generator) -> NDArray[np.int64]:
    """Returns the number of a uniformly random set bit of each row of words [M, W], [M].

    -1 for rows without set bits.
    """
    upto = _count_upto(words)
    sizes = upto[:, -1].astype(np.int64)
    drawn = _select(words, upto, rng.integers(np.maximum(sizes, 1)))
    drawn[sizes == 0] = -1
    return drawn


def _count_upto(words: Words) -> NDArray[np.float32]:
    """Returns the number of set bits in each row up to and including each word, [M, W].

    A product with a triangle of ones takes half the time of `cumsum` over so short an axis; counts
    are exact in float32.
    """
    return np.bitwise_count(words).astype(np.float32) @ _triangle(words.shape[1])


@cache
def _triangle(size: int) -> NDArray[np.float32]:
    """Returns ones on and above the diagonal, [size, size]."""
    return np.triu(np.ones((size, size), dtype=np.float32))


def _select(words: Words, upto: NDArray[np.float32], n: NDArray[np.int64]) -> NDArray[np.int64]:
    """Finds the word by counts, then the byte in it, then the bit by a table."""
    rows = np.arange(len(words))
    # With equal dtypes the comparison is three times as fast.
    word = (upto > n[:, None].astype(np.float32)).argmax(axis=1)
    place = rows * words.shape[1] + word  # one index is faster than two
    found = words.reshape(-1)[place].astype(WORD)
    n = n - (upto.reshape(-1)[place].astype(np.int64) - np.bitwise_count(found))
    as_bytes = found.view(np.uint8).reshape(-1, 8)
    counts = np.bitwise_count(as_bytes)
    # Multiplying by 0x01...01 turns byte i of a word into the sum of its bytes 0 to i.
    upto_byte = (counts.view(WORD) * _EACH_BYTE).view(np.uint8)
    byte = (upto_byte > n[:, None].astype(np.uint8)).argmax(axis=1)
    place = rows * 8 + byte
    n -= upto_byte.reshape(-1)[place] - counts.reshape(-1)[place]
    found_byte = as_bytes.reshape(-1)[place].astype(np.int64)
    return word * 64 + byte * 8 + _NTH.reshape(-1)[found_byte * 8 + n]


def members(words: Words) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns the row and number of every set bit of words [M, W], two arrays [L], row by row.

    Sets are sparse, so empty bytes are skipped first.
    """
    num_bytes = words.shape[1] * 8
    flat = np.ascontiguousarray(words).reshape(-1).view(np.uint8)
    used = (flat != 0).nonzero()[0]
    # nonzero is ten times as fast for bools as for numbers.
    places = np.unpackbits(flat[used], bitorder="little").view(np.bool_).nonzero()[0]
    rows = used // num_bytes
    first = (used - rows * num_bytes) * 8
    at = places >> 3
    return rows[at], first[at] + (places & 7)
