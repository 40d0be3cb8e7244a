"""Compressed bytes whose size is known before."""

from __future__ import annotations

import zlib


def inflate(content: bytes, size: int) -> bytes:
    """Returns what zlib compressed.

    Args:
        content: the compressed bytes.
        size: how many bytes they have to hold; no more are decompressed.

    Raises:
        ValueError: they hold more or fewer, more bytes follow, or they are damaged.
    """
    inflating = zlib.decompressobj()
    try:
        raw = inflating.decompress(content, size + 1)
    except zlib.error as error:
        raise ValueError(f"is damaged: {error}") from error
    if len(raw) != size or not inflating.eof or inflating.unused_data:
        raise ValueError("is damaged: it holds more or less than its header says")
    return raw
