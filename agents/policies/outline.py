"""The outline of an ONNX model: all of it but weights, compared before onnxruntime sees a model.

onnxruntime computes while it loads, so a small model with other nodes could use up time or memory.
Only models with the structure of a shipped one are loaded; weights and sizes may differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import DEFAULT_GAME
from gonzaga_env.tabletop.bounded.limits import MODEL_PARTS, MODEL_SIZE

from ..network.description import input_reader
from .shipped import policy_folder

_Part = int | memoryview  # a number, or a message, a text or bytes
_SMALLEST_SIZE = 29  # integers below it, such as axes and paddings, are the same in all models
_FLOATS, _INTEGERS = 1, 7  # onnx.TensorProto.DataType

# The fields of messages in onnx.proto that a model may have.
_MODEL = {1: "version", 2: "producer", 3: "its version", 6: "note", 7: "graph", 8: "operators"}
_GRAPH = {1: "nodes", 2: "name", 5: "constants", 10: "note", 11: "inputs", 12: "outputs"}
_NODE = {1: "inputs", 2: "outputs", 3: "name", 4: "type", 5: "attributes", 6: "note", 7: "domain"}
_CONSTANT = {1: "shape", 2: "type", 8: "name", 9: "bytes", 12: "note"}
_VALUE = {1: "name", 2: "type", 3: "note"}


def check_outline(model: bytes, game: str = DEFAULT_GAME) -> None:
    """Raises ValueError unless a model does what those that ship for a game do."""
    try:
        found = _outline(memoryview(model), game)
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueError("is not a model that this version reads") from error
    if not _fits(found, _shipped(game)):
        raise ValueError("is not a model of the network that ships with this version")


@cache
def _shipped(game: str) -> Any:
    model = min(policy_folder(game).glob("players_*.onnx"))
    return _outline(memoryview(model.read_bytes()), game)


def _fits(found: Any, wanted: Any) -> bool:
    """Returns whether two outlines are equal, except for sizes."""
    if isinstance(wanted, tuple):
        same = isinstance(found, tuple) and len(found) == len(wanted)
        return same and all(map(_fits, found, wanted))
    if isinstance(wanted, int) and isinstance(found, int) and wanted >= _SMALLEST_SIZE:
        return 1 <= found <= MODEL_SIZE
    return bool(found == wanted)


def _outline(content: memoryview, game: str) -> Any:
    """Returns operators, inputs, nodes and outputs without names, in nested tuples."""
    model = _fields(content, _MODEL)
    graph = _fields(_only(model, "graph"), _GRAPH)
    names = input_reader(game).inputs.FED
    values: dict[bytes, Any] = {name.encode(): name for name in names}  # what names stand for
    for constant in graph["constants"]:
        _define(values, *_constant(constant))
    inputs, outputs = (tuple(map(_value, graph[kind])) for kind in ("inputs", "outputs"))
    nodes = tuple(_node(content, values, i) for i, content in enumerate(graph["nodes"]))
    named = tuple((name, values[name]) for name, *_ in outputs)
    return tuple(map(bytes, model["operators"])), inputs, nodes, outputs, named


def floats(model: bytes) -> dict[str, NDArray[np.float32]]:
    """Returns the constants of a model that are floats, by name, in its order.

    The model has passed `check_outline`.
    """
    graph = _fields(_only(_fields(memoryview(model), _MODEL), "graph"), _GRAPH)
    found = {}
    for content in graph["constants"]:
        name, (kind, shape, _) = _constant(content)
        if kind == _FLOATS:
            raw = _only(_fields(content, _CONSTANT), "bytes")
            found[name.decode()] = np.frombuffer(raw, "<f4").reshape(shape)
    return found


def _node(content: Any, values: dict[bytes, Any], number: int) -> Any:
    """Returns a node's outline, and notes what its outputs stand for."""
    node = _fields(content, _NODE)
    inputs = tuple(values[bytes(name)] if len(name) else None for name in node["inputs"])
    for i, name in enumerate(node["outputs"]):
        _define(values, bytes(name), (f"node {number}", i))
    attributes = tuple(sorted(map(bytes, node["attributes"])))
    kind = bytes(_only(node, "type")), tuple(map(bytes, node["domain"]))
    return kind, inputs, len(node["outputs"]), attributes


def _define(values: dict[bytes, Any], name: bytes, value: Any) -> None:
    if name in values:
        raise ValueError("two values of one name")
    values[name] = value


def _constant(content: Any) -> tuple[bytes, Any]:
    """Returns a constant's name, and its type, shape and, of integers, numbers."""
    constant = _fields(content, _CONSTANT)
    kind, raw = _only(constant, "type"), _only(constant, "bytes")
    shape = tuple(_numbers(constant["shape"]))
    wide = {_FLOATS: 4, _INTEGERS: 8}[kind]
    if not all(1 <= size <= MODEL_SIZE for size in shape) or math.prod(shape) * wide != len(raw):
        raise ValueError("a constant of another size")
    if kind == _INTEGERS and len(raw) > 8 * MODEL_PARTS:
        raise ValueError("a constant of many integers")
    numbers = tuple(np.frombuffer(raw, "<i8").tolist()) if kind == _INTEGERS else ()
    return bytes(_only(constant, "name")), (kind, shape, numbers)


def _value(content: Any) -> tuple[bytes, Any]:
    """Returns the name of an input or output, its type of number, and its shape."""
    value = _fields(content, _VALUE)
    tensor = _fields(_only(_fields(_only(value, "type"), {1: "tensor"}), "tensor"), _TENSOR)
    axes = [_fields(axis, _AXIS) for axis in _fields(_only(tensor, "shape"), {1: "axes"})["axes"]]
    sizes = [size for axis in axes for (size,) in [axis["size"] + axis["any"]]]
    shape = tuple(size if isinstance(size, int) else bytes(size) for size in sizes)
    return bytes(_only(value, "name")), (_only(tensor, "numbers"), shape)


_TENSOR = {1: "numbers", 2: "shape"}
_AXIS = {1: "size", 2: "any"}


def _only(fields: dict[str, list[Any]], name: str) -> Any:
    """Returns a field's value; ValueError if it is there more than once, or not at all."""
    (value,) = fields[name]
    return value


def _fields(content: memoryview, known: dict[int, str]) -> dict[str, list[Any]]:
    """Returns the values of a message's fields by name (see protobuf's wire format)."""
    fields: dict[str, list[Any]] = {name: [] for name in known.values()}
    place = count = 0
    while place < len(content):
        key, place = _number(content, place)
        value: _Part
        value, place = _number(content, place)
        if key & 7 == 2:  # a message, text or bytes of this length
            start, place = place, place + value
            value = content[start:place]
        if key & 7 not in (0, 2) or place > len(content) or (count := count + 1) > MODEL_PARTS:
            raise ValueError("an unknown field, or too many")
        fields[known[key >> 3]].append(value)
    return fields


def _number(content: memoryview, place: int) -> tuple[int, int]:
    """Returns a number, seven bits a byte, and where it ends."""
    number = 0
    for i in range(10):
        number |= (content[place + i] & 127) << 7 * i
        if content[place + i] < 128:
            return number, place + i + 1
    raise ValueError("a number of more than 64 bits")


def _numbers(parts: Iterable[_Part]) -> Sequence[int]:
    """Returns numbers that may be packed.

    Raises:
        ValueError: there are more than parts of a message may be.
    """
    numbers: list[int] = []
    for part in parts:
        if isinstance(part, int):
            numbers.append(part)
            continue
        place = 0
        while place < len(part):
            number, place = _number(part, place)
            numbers.append(number)
            if len(numbers) > MODEL_PARTS:
                raise ValueError("too many numbers")
    return numbers
