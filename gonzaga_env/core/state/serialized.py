"""States as bytes: a header line of JSON, then array after array."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.options import Rules
from gonzaga_env.tabletop.bounded import array_of, parse_json, short_repr
from gonzaga_env.tabletop.bounded.limits import STATE_HEADER
from gonzaga_env.tabletop.errors import StateError
from gonzaga_env.tabletop.state import Origin

_MAGIC = b"gonzaga-state-4\n"
_DTYPES = {np.dtype(kind).str for kind in ("u1", "u2", "u4", "u8", "i2", "?")}


def to_bytes(arrays: Mapping[str, NDArray[Any]], origin: Origin | None) -> bytes:
    """Returns the bytes of a state's arrays and origin."""
    of = origin and {"edition": origin.edition, "rules": origin.rules.as_dict()}
    described = {name: [array.dtype.str, array.shape] for name, array in arrays.items()}
    header = json.dumps({"origin": of, "arrays": described}).encode()
    content = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays.values())
    return _MAGIC + header + b"\n" + content


def from_bytes(
    data: bytes, fields: tuple[str, ...]
) -> tuple[dict[str, NDArray[Any]], Origin | None]:
    """Returns the arrays and the origin that `to_bytes` wrote.

    Args:
        data: the bytes.
        fields: the arrays' names in their order.

    Raises:
        StateError: they are no bytes, hold no state, have another version or are cut short.
    """
    if not isinstance(data, bytes | bytearray) or not data.startswith(_MAGIC):
        raise StateError(f"not a state: the bytes should start with {_MAGIC!r}")
    try:
        end = data.index(b"\n", len(_MAGIC), len(_MAGIC) + STATE_HEADER)
        header = parse_json(data[len(_MAGIC) : end])
        if tuple(header["arrays"]) != fields:
            raise ValueError("its arrays are not those of a state")
        arrays, of = dict(_read_arrays(data[end + 1 :], header["arrays"])), header["origin"]
        if of is None:
            return arrays, None
        return arrays, Origin(str(of["edition"]), Rules(**of["rules"]))
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        raise StateError(f"not a state: {error}") from error


def _read_arrays(
    content: bytes, described: Mapping[str, tuple[str, list[int]]]
) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yields arrays by name; ValueError if the content is not what the header describes."""
    start = 0
    for name, (dtype, shape) in described.items():
        if dtype not in _DTYPES or not all(type(size) is int and size >= 0 for size in shape):
            raise ValueError(f"{name} is {short_repr(dtype)} {short_repr(shape)}")
        stop = start + np.dtype(dtype).itemsize * math.prod(shape)
        if stop > len(content):
            raise ValueError(f"the bytes end within {name}")
        yield name, array_of(content[start:stop], np.dtype(dtype), shape).copy()
        start = stop
    if start != len(content):
        raise ValueError(f"{len(content) - start} bytes too many")
