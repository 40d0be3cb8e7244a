"""Weights as torch saves them, read without torch's own reader: a zip of a pickle and storages.

That reader follows cycles, and lets a small file claim any number of views of any size. Here all
tensors of a file together take no more than a few times its bytes.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from gonzaga_env.tabletop.bounded import Archive, PickleReader
from gonzaga_env.tabletop.bounded.limits import PICKLE_BYTES, TENSOR_AXES, TENSOR_SHARING, TENSORS

_STORAGES = {
    "torch HalfStorage": torch.float16,
    "torch BFloat16Storage": torch.bfloat16,
    "torch FloatStorage": torch.float32,
    "torch DoubleStorage": torch.float64,
}


def parse_weights(content: bytes) -> Any:
    """Returns what torch saved: tensors of floats in dictionaries, lists and tuples.

    Raises:
        ValueError: it holds anything else, is broken, or is over a limit.
    """
    return _Weights(content).read()


class _Weights:
    """The tensors of a file."""

    def __init__(self, content: bytes) -> None:
        self._archive = Archive(content)
        self._folder = self._find_folder()
        self._storages: dict[str, Tensor] = {}
        self._num_tensors = 0
        self._bytes_left = TENSOR_SHARING * len(content)

    def _find_folder(self) -> str:
        found = [name for name in self._archive.names if name.endswith("/data.pkl")]
        if len(found) != 1:
            raise ValueError("is not a file of weights")
        return found[0].removesuffix("/data.pkl")

    def read(self) -> Any:
        order = f"{self._folder}/byteorder"
        if order in self._archive.names and self._archive.read(order, 16) != _BYTE_ORDER:
            raise ValueError("was written with another order of bytes")
        builders: dict[str, Callable[..., Any]] = {
            "collections OrderedDict": _empty_dictionary,
            "torch._utils _rebuild_tensor_v2": self.tensor,
        }
        reader = PickleReader(builders, frozenset(_STORAGES), self.storage)
        return reader.read(self._archive.read(f"{self._folder}/data.pkl", PICKLE_BYTES))

    def storage(self, described: Any) -> Tensor:
        """Returns the numbers of a storage, [K]."""
        kind, numbers, key, _, count = described
        dtype = _STORAGES.get(numbers.name)
        types = type(kind), type(key), type(count)
        if types != (str, str, int) or kind != "storage" or dtype is None:
            raise ValueError("holds other things than numbers")
        if key not in self._storages:
            content = bytearray(self._archive.read(f"{self._folder}/data/{key}"))
            self._storages[key] = (
                torch.frombuffer(content, dtype=dtype) if content else torch.empty(0, dtype=dtype)
            )
        storage = self._storages[key]
        if storage.dtype != dtype or count != len(storage):
            raise ValueError("has storages of another size than described")
        return storage

    def tensor(self, storage: Any, offset: Any, size: Any, stride: Any, *_: Any) -> Tensor:
        """Returns a view of a storage."""
        self._num_tensors += 1
        if self._num_tensors > TENSORS:
            raise ValueError(f"has more than {TENSORS:,} tensors")
        if not (_are_integers(size) and _are_integers(stride) and type(offset) is int):
            raise ValueError("has a tensor of an impossible shape")  # such as one made of tensors
        if len(size) > TENSOR_AXES or math.prod(size) > len(storage):
            raise ValueError("has a tensor that claims more than its storage has")
        self._bytes_left -= math.prod(size) * storage.element_size()
        if self._bytes_left < 0:
            raise ValueError("has tensors that share too much")
        try:
            return storage.as_strided(size, stride, offset)
        except (RuntimeError, TypeError, OverflowError) as error:
            raise ValueError("has a tensor of an impossible shape") from error


def _empty_dictionary() -> dict[Any, Any]:
    """Takes no items, which torch sets one by one: as arguments they could have any keys."""
    return {}


def _are_integers(numbers: Any) -> bool:
    return type(numbers) is tuple and all(type(number) is int for number in numbers)


_BYTE_ORDER = sys.byteorder.encode()
