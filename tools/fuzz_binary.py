"""Makes hostile pickles, arrays, ONNX models and states: the binary half of `fuzz_inputs`."""

from __future__ import annotations

import json
import math
import pickletools
import struct
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from tools.fuzz_inputs import (
    NUMBERS,
    Members,
    change_bytes,
    change_json,
    change_zip,
    draw_size,
    read_zip,
    write_zip,
)

if TYPE_CHECKING:
    from onnx import ModelProto

# --- pickles: opcodes of protocol 2, which is what torch reads

Opcodes = Callable[[Random, int], bytes]
_FLOATS = b"ctorch\nFloatStorage\n"
_TENSOR, _ORDERED = b"ctorch._utils\n_rebuild_tensor_v2\n", b"ccollections\nOrderedDict\n)R"


def _int(number: int) -> bytes:
    if 0 <= number < 256:
        return b"K" + bytes([number])
    if abs(number) < 2**31:
        return b"J" + struct.pack("<i", number)
    data = number.to_bytes(number.bit_length() // 8 + 1, "little", signed=True)
    short = b"\x8a" + bytes([len(data)])
    return (short if len(data) < 256 else b"\x8b" + struct.pack("<i", len(data))) + data


def _text(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return b"X" + struct.pack("<I", len(data)) + data


def _put(place: int) -> bytes:
    return b"r" + struct.pack("<I", place)


def _get(place: int) -> bytes:
    return b"j" + struct.pack("<I", place)


def _ints(numbers: tuple[int, ...]) -> bytes:
    return b"(" + b"".join(map(_int, numbers)) + b"t"


def _storage(key: str, numel: int, kind: bytes = _FLOATS) -> bytes:
    return b"(" + _text("storage") + kind + _text(key) + _text("cpu") + _int(numel) + b"tQ"


def _tensor(storage: bytes, offset: int, shape: tuple[int, ...], strides: tuple[int, ...]) -> bytes:
    """Returns the opcodes of a tensor over a storage's opcodes."""
    view = _int(offset) + _ints(shape) + _ints(strides)
    return _TENSOR + b"(" + storage + view + b"\x89" + _ORDERED + b"tR"


def _views(rng: Random, size: int) -> bytes:
    """Returns tensors that share one storage of the file, whole or in part."""
    numel = rng.choice((1, 16, 1000, size, 2**40))
    first, again = _storage("big", numel) + _put(90_000), _get(90_000)
    shape, strides = rng.choice(
        [((numel,), (1,)), ((1,), (1,)), ((2**40,), (0,)), ((0, numel), (1, 1))]
    )
    view = _tensor(again, 0, shape, strides)
    names = (_text(f"network.{i}") for i in range(size // 12 + 1))
    return first + b"0}(" + b"".join(name + view for name in names) + b"u"


def _many_references(rng: Random, size: int) -> bytes:
    inner = rng.choice(
        (b"}" + _text("a") + b"Ns", b"](" + b"K\x00" * 99 + b"e", b"(" + b"N" * 99 + b"t")
    )
    return b"](" + inner + _put(90_001) + _get(90_001) * (size // 2) + b"e"


def _doubled(rng: Random, size: int) -> bytes:
    """Returns lists that each hold the one before many times: few bytes, many paths."""
    wide, levels = rng.choice((2, 10, 100)), draw_size(rng, 1 + size // 20)
    level = b"".join(
        b"](" + _get(80_000 + i - 1) * wide + b"e" + _put(80_000 + i) + b"0"
        for i in range(1, levels)
    )
    return b"]" + _put(80_000) + b"0" + level + _get(80_000 + levels - 1)


OPCODE_SHAPES: list[Opcodes] = [
    lambda rng, size: b"}" + _put(70_000) + _text("a") + _get(70_000) + b"s",  # holds itself
    lambda rng, size: b"]" + _put(70_000) + _get(70_000) + b"a",
    lambda rng, size: b"]" + _put(70_000) + b"(" + _get(70_000) * size + b"e",
    *(_views, _many_references, _doubled),
    lambda rng, size: b"](" * size + b"e" * size,
    lambda rng, size: (b"}" + _text("a")) * size + b"N" + b"s" * size,
    lambda rng, size: b"N" + b"\x85" * size,
    lambda rng, size: b"](" + b"}" * size + b"e",
    lambda rng, size: b"}(" + b"".join(_int(i) + b"N" for i in range(size)) + b"u",
    lambda rng, size: _text("a" * size),
    lambda rng, size: b"\x8b" + struct.pack("<i", size) + b"\x77" * size,
    lambda rng, size: b"\x8b" + struct.pack("<i", rng.choice((-1, 2**31 - 1))),
    lambda rng, size: b"X" + struct.pack("<I", 2**32 - 1) + b"a",
    lambda rng, size: b"".join(b"N" + _put(i) + b"0" for i in range(size)) + b"N",
    lambda rng, size: b"N" + _put(rng.choice((2**31, 2**32 - 1))),
    lambda rng, size: b"N" * size,
    lambda rng, size: b"(" * size + b"t" * size,
    lambda rng, size: _ORDERED + b"}" + _text("a") + b"Nsb",  # with attributes
    lambda rng, size: b"cbuiltins\neval\n" + b"(" + _text("1") + b"tR",
    lambda rng, size: _tensor(_storage("0", rng.choice(NUMBERS)), 0, *_shape(rng)),
    lambda rng, size: _tensor(_storage("0", 4, b"ctorch\nQInt8Storage\n"), 0, (4,), (1,)),
]  # fmt: skip


def _shape(rng: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
    count = rng.choice((0, 1, 1, 2, 2, 3, 64, 300))
    return tuple(
        tuple(rng.choice((0, 1, 1, 2, 8, *NUMBERS, -1)) for _ in range(count)) for _ in range(2)
    )  # type: ignore[return-value]


def change_pickle(content: bytes, rng: Random) -> bytes:
    """Returns a pickle with opcodes changed, or with a shape in the place of one of its values."""
    if rng.random() < 0.1:
        return change_bytes(content, rng)
    starts = [place for _, _, place in pickletools.genops(content) if place is not None]
    ends = [*starts[1:], len(content)]
    parts = [content[start:end] for start, end in zip(starts, ends, strict=True)]
    for _ in range(rng.choice((1, 1, 2, 4))):
        place = rng.randrange(1, len(parts) - 1)
        kind = rng.randrange(8)
        if kind == 0:
            del parts[place]
        elif kind == 1:
            parts[place] *= draw_size(rng, 1000)
        elif kind == 2:
            parts[place] = rng.choice(parts)
        elif kind == 3:  # another value of the memo, so that values are shared or hold themselves
            gets = [i for i, part in enumerate(parts) if part[0] in b"hj"]
            parts[rng.choice(gets)] = _get(rng.randrange(20)) if gets else b"N"
        elif kind == 4:
            numbers = [i for i, part in enumerate(parts) if part[0] in b"KMJ"]
            if numbers:
                parts[rng.choice(numbers)] = _int(rng.choice(NUMBERS))
        else:
            is_value = [i for i, part in enumerate(parts) if part[0] in b"KMJGX}])N\x88\x89"]
            if is_value:
                shape = rng.choice(OPCODE_SHAPES)(rng, draw_size(rng, 50_000))
                parts[rng.choice(is_value)] = shape
    return b"".join(parts)


def shaped_pickle(content: bytes, rng: Random) -> bytes:
    """Returns a pickled dictionary that holds a shape beside its other values, or is one."""
    shape = rng.choice(OPCODE_SHAPES)(rng, draw_size(rng, 200_000))
    if rng.random() < 0.3:
        return b"\x80\x02" + shape + b"."
    opcodes = pickletools.genops(content)
    start = 1 + next(place or 0 for opcode, _, place in opcodes if opcode.name == "MARK")
    return content[:start] + _text(rng.choice(("x", "network.x"))) + shape + content[start:]


def change_weights(content: bytes, rng: Random) -> bytes:
    """Returns what torch saved with another pickle, other storages, or another zip around them."""
    members, kind = read_zip(content), rng.random()
    if kind < 0.15:
        return change_zip(content, rng)
    changed: Members = []
    for name, member in members:
        if name.endswith("data.pkl"):
            folder = name.removesuffix("data.pkl")
            is_shape = rng.random() < 0.5
            member = shaped_pickle(member, rng) if is_shape else change_pickle(member, rng)
        changed.append((name, member))
    storage = rng.choice((b"\0\0\x80\x3f", b"\0\0\xc0\x7f")) * draw_size(rng, 2**18)
    return write_zip([*changed, (f"{folder}data/big", storage)])


# --- arrays of numpy


def change_array(content: bytes, rng: Random) -> bytes:
    """Returns a .npy file with another header or other numbers."""
    start = 10 + struct.unpack_from("<H", content, 8)[0]
    if rng.random() < 0.3:
        return change_bytes(content, rng)
    if rng.random() < 0.3:
        data = np.frombuffer(content[start:], "<f4").copy()
        where = [rng.randrange(data.size) for _ in range(rng.choice((1, 9)))]
        data[where] = rng.choice((0.5, np.nan, np.inf, -3e38, 1e-45))
        return content[:start] + data.tobytes()
    sizes = (0, 1, -1, 2, 64, 2**31, 2**62, 2**64, True, "x", None, 0.5)
    size = draw_size(rng, 9000)
    shapes = (
        str(tuple(rng.choice(sizes) for _ in range(rng.choice((0, 1, 2, 3, 40))))),
        *("(" * size, "-" * size + "1", "[" * size + "]" * size, "9" * size, "1," * size),
        "(" + "0," * 9 + f"{2**62},)",
    )
    kinds = ("<f4", ">f8", "<c16", "|O", "|b1", "<M8[s]", f"|S{2**31}", f"<U{size}", "<f4" * size)
    described = {"descr": rng.choice(kinds), "fortran_order": rng.random() < 0.5, "shape": ()}
    header = str(described).replace("()", rng.choice(shapes)) + rng.choice(("\n", "", " " * size))
    length = rng.choice((len(header), len(header), 0, 2**16 - 1)) % 2**16
    version = rng.choice((b"\1\0", b"\1\0", b"\1\0", b"\2\0", b"\3\0", b"\xff\0"))
    packed = struct.pack("<H", length) + b"\0\0" * (version > b"\1\0")
    return b"\x93NUMPY" + version + packed + header.encode() + content[start:]


# --- ONNX


def change_model(content: bytes, rng: Random) -> bytes:
    """Returns an ONNX model with fields changed, or with nodes that take time or memory."""
    import onnx

    kind = rng.random()
    if kind < 0.15:
        return change_bytes(content, rng)
    if kind < 0.25:
        return content + _wire(rng)
    model = onnx.ModelProto.FromString(content)
    if kind < 0.6:
        _add_nodes(model, rng, draw_size(rng, 3000))
    else:
        for _ in range(rng.choice((1, 1, 3))):
            _change_message(model, rng)
    return bytes(model.SerializeToString())


def _wire(rng: Random) -> bytes:
    """Returns fields of no schema: deep messages, open groups, lengths and numbers that lie."""
    size = draw_size(rng, 50_000)
    nested = b""
    for _ in range(min(size, 3000)):
        nested = b"\x3a" + _varint(len(nested)) + nested  # a graph within a graph's field
    fields = (b"\x0b" * size, b"\x3a" + _varint(rng.choice(NUMBERS)), b"\x80" * size, nested)
    return rng.choice((*fields, b"\x08" + b"\xff" * 9 + b"\x01", b"\x3a\x00" * size))


def _varint(number: int) -> bytes:
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    return bytes([*data, number])


def _change_message(message: Any, rng: Random) -> None:
    """Changes a field of a message, or of one within it."""
    while fields := message.ListFields():
        field, value = rng.choice(fields)
        inner = value if hasattr(value, "extend") else [value]
        if rng.random() < 0.2 or not hasattr(inner[0], "ListFields"):
            if inner is value:
                return _change_repeated(field, value, rng)
            if hasattr(value, "ListFields"):
                return message.ClearField(field.name)
            return setattr(message, field.name, _other(field, value, rng))
        message = rng.choice(inner)
    return None


def _change_repeated(field: Any, value: Any, rng: Random) -> None:
    place, kind = rng.randrange(len(value)), rng.randrange(3)
    if kind == 0:
        del value[place]
    elif kind == 1:
        value.extend([value[place]] * draw_size(rng, 1000))
    elif not hasattr(value[place], "ListFields"):
        value[place] = _other(field, value[place], rng)


def _other(field: Any, value: Any, rng: Random) -> Any:
    """Returns another value of a field's type."""
    if isinstance(value, str):
        return rng.choice(("", "x", "logits", "numbers", "\x00", "x" * draw_size(rng, 10_000)))
    if isinstance(value, bytes):
        return rng.choice((b"", value[: len(value) // 2], value * 2, change_bytes(value, rng)))
    if isinstance(value, float):
        return rng.choice((0.0, -1.0, math.nan, math.inf))
    if field.enum_type is not None:
        return rng.choice(list(field.enum_type.values_by_number))
    bits = 63 if field.cpp_type == field.CPPTYPE_INT64 else 31
    return rng.choice((0, value + 1, *NUMBERS)) % 2**bits


def _add_nodes(model: ModelProto, rng: Random, size: int) -> None:
    """Adds nodes to a model whose first output they replace, or that stand beside the others."""
    from onnx import TensorProto, helper

    graph, kind = model.graph, rng.randrange(8)
    large = rng.choice((2**10, 2**20, 2**28, 2**31, 2**40))

    def constant(name: str, *values: int) -> None:
        graph.initializer.append(helper.make_tensor(name, TensorProto.INT64, [len(values)], values))

    def node(op: str, inputs: list[str], output: str, **attributes: Any) -> None:
        graph.node.append(helper.make_node(op, inputs, [output], **attributes))

    out = rng.choice(("unused", "logits"))
    if out == "logits":
        for made in graph.node:
            made.output[:] = ["old" if name == "logits" else name for name in made.output]
    constant("large", *rng.choice(((large,), (large, large), (0, large))))
    if kind == 0:
        node("ConstantOfShape", ["large"], out)
    elif kind == 1:
        node("Expand", ["numbers", "large"], out)
    elif kind == 2:
        constant("zero", 0), constant("step", 1)
        node("Range", ["zero", "large", "step"], out)
    elif kind == 3:
        names = ["numbers", *(f"chain{i}" for i in range(size)), out]
        for before, after in pairwise(names):
            node(rng.choice(("Identity", "Relu", "Exp")), [before], after)
    elif kind == 4:  # twice as large with each node
        names = ["numbers", *(f"chain{i}" for i in range(min(size, 60))), out]
        for before, after in pairwise(names):
            node("Concat", [before, before], after, axis=1)
    elif kind == 5:
        _loop(model, rng, large, out)
    elif kind == 6:
        tensor = graph.initializer.add(name=out, data_type=TensorProto.FLOAT, dims=[large, 2])
        tensor.data_location = TensorProto.EXTERNAL
        place = rng.choice(("/etc/passwd", "../../etc/passwd", "/dev/zero", "/proc/self/mem"))
        tensor.external_data.add(key="location", value=place)
        tensor.external_data.add(key="length", value=str(large))
    else:
        made = helper.make_node("Own", ["x"], ["x"], domain="own")
        function = helper.make_function(
            "own", "Own", ["x"], ["y"], [made], list(model.opset_import)
        )
        model.functions.append(function)
        graph.node.append(helper.make_node("Own", ["numbers"], [out], domain="own"))
        model.opset_import.append(helper.make_opsetid("own", 1))


def _loop(model: ModelProto, rng: Random, times: int, out: str) -> None:
    """Adds a loop of many turns."""
    from onnx import TensorProto, helper

    state = helper.make_tensor_value_info("state", TensorProto.FLOAT, None)
    inputs = [
        helper.make_tensor_value_info("turn", TensorProto.INT64, []),
        helper.make_tensor_value_info("on", TensorProto.BOOL, []),
        state,
    ]
    outputs = [
        helper.make_tensor_value_info("still", TensorProto.BOOL, []),
        helper.make_tensor_value_info("next", TensorProto.FLOAT, None),
    ]
    nodes = [
        helper.make_node("Identity", ["on"], ["still"]),
        helper.make_node("Relu", ["state"], ["next"]),
    ]
    body = helper.make_graph(nodes, "body", inputs, outputs)
    graph = model.graph
    graph.initializer.append(helper.make_tensor("times", TensorProto.INT64, [], [times]))
    graph.initializer.append(helper.make_tensor("go", TensorProto.BOOL, [], [True]))
    graph.node.append(helper.make_node("Loop", ["times", "go", "numbers"], [out], body=body))


# --- states


def change_state(content: bytes, rng: Random) -> bytes:
    """Returns the bytes of a state with another header or other values of some fields."""
    end = content.index(b"\n", content.index(b"\n") + 1)
    magic, start = content[: content.index(b"\n") + 1], end + 1
    if rng.random() < 0.1:
        return change_bytes(content, rng)
    header = content[len(magic) : end]
    if rng.random() < 0.15:
        return magic + change_json(header, rng, 12_000).replace(b"\n", b"") + content[end:]
    data, spans = bytearray(content), {}
    for name, (dtype, shape) in json.loads(header)["arrays"].items():
        count = math.prod(shape)
        spans[name] = np.dtype(dtype), start, count
        start += count * np.dtype(dtype).itemsize
    names = [name for name in spans if name in _PLAIN] if rng.random() < 0.8 else list(spans)
    for name in rng.choices(names, k=rng.choice((1, 1, 2, 3))):
        dtype, offset, count = spans[name]
        array = np.frombuffer(data, dtype, count, offset)
        place, other = rng.randrange(count), rng.randrange(count)
        kind = rng.randrange(4)
        if kind == 0:
            array[[place, other]] = array[[other, place]]
        elif kind == 1:
            span = array[place : place + 12]
            rng_order = list(range(len(span)))
            rng.shuffle(rng_order)
            array[place : place + 12] = span[rng_order]
        else:
            number = (
                int(array[place]) + rng.choice((-3, -1, 1, 3))
                if kind == 2
                else rng.choice((0, 1, 2, 11, 12, 255, 32_766, 32_767, 2**63))
            )
            limits = 2 ** (8 * dtype.itemsize)
            array.view(f"u{dtype.itemsize}")[place] = number % limits
    return bytes(data)


#: Fields that do not follow from others, so that a change of them may well be accepted.
_PLAIN = [
    *("seed", "episode", "objective", "deck", "round", "phase", "num_acted", "last_round"),
    *("finished", "plan", "previous_plan", "order", "ring_stock", "scores", "ring_cells"),
]
