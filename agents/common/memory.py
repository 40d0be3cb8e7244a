"""What a process does with memory that it has freed."""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of glibc's mallopt
_LARGEST_MMAP = 2**25  # bytes; older releases refuse more
_LARGEST_TRIM = 2**30


def keep_freed_memory() -> bool:
    """Has this process keep the memory of large arrays that were freed, for those that follow.

    By default glibc hands each of them back at once. Training makes and frees arrays of the same
    sizes again and again, and then spends up to a fifth of its time on pages that the system clears
    anew.

    Returns:
        Whether it does so; False where there is no glibc.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # such as musl
        return False
    return bool(mallopt(_MMAP_THRESHOLD, _LARGEST_MMAP) and mallopt(_TRIM_THRESHOLD, _LARGEST_TRIM))
