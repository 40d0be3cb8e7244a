"""Sets of small numbers as rows of 64-bit words: number i is bit i % 64 of word i // 64.

The words are little-endian, so that their bytes, read in order, hold the bits in order too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
WORD = np.dtype("<u8")


def num_words(size: int) -> int:
    """Returns how many words hold `size` bits."""
    return -(-size // 64)


def pack(mask: NDArray[np.bool_]) -> Words:
    """Returns the words [..., W] of boolean rows [..., size]."""
    size = mask.shape[-1]
    padded = np.zeros((*mask.shape[:-1], num_words(size) * 64), dtype=np.bool_)
    padded[..., :size] = mask
    return np.packbits(padded, axis=-1, bitorder="little").view(WORD)


def unpack(words: Words, size: int) -> NDArray[np.uint8]:
    """Returns the first `size` bits [..., size] of words [..., W], as 0 and 1."""
    as_bytes = np.ascontiguousarray(words).view(np.uint8)
    return np.unpackbits(as_bytes, axis=-1, count=size, bitorder="little")


def count(words: Words) -> NDArray[np.int64]:
    """Returns how many bits are set in each row, [...] of [..., W]."""
    counts: NDArray[np.int64] = np.bitwise_count(words).sum(axis=-1, dtype=np.int64)
    return counts


def test(words: Words, index: NDArray[Any]) -> NDArray[np.bool_]:
    """Returns for each row of words [M, W] whether the bit `index` [M] is set."""
    word = words[np.arange(len(words)), index >> 6]
    return (word >> (index & 63).astype(np.uint64)) & np.uint64(1) != 0


# _NTH[byte, n] is the place of the n-th set bit of a byte.
_NTH = np.zeros((256, 8), dtype=np.int64)
for _byte in range(256):
    for _n, _place in enumerate(place for place in range(8) if _byte >> place & 1):
        _NTH[_byte, _n] = _place


def select(words: Words, n: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the number of the n-th set bit (from 0) of each row of words [M, W], [M].

    Narrows the search by counts: first the word, then the byte in it, then the bit by a table.
    """
    rows = np.arange(len(words))
    upto = np.bitwise_count(words).cumsum(axis=1, dtype=np.int64)
    word = (upto <= n[:, None]).sum(axis=1)
    n = n - np.where(word > 0, upto[rows, word - 1], 0)
    as_bytes = words[rows, word].astype(WORD).view(np.uint8).reshape(-1, 8)
    upto = np.bitwise_count(as_bytes).cumsum(axis=1, dtype=np.int64)
    byte = (upto <= n[:, None]).sum(axis=1)
    n = n - np.where(byte > 0, upto[rows, byte - 1], 0)
    return word * 64 + byte * 8 + _NTH[as_bytes[rows, byte], n]
