"""Makes hostile pickles and ONNX models: the binary half of `inputs`."""

from __future__ import annotations

import pickletools
import re
import struct
from collections.abc import Callable
from itertools import pairwise
from random import Random

from tools.fuzzing.inputs import NUMBERS, change_bytes, change_zip, draw_size, read_zip, write_zip

# --- pickles: opcodes of protocol 2, which is what torch reads

_TENSOR, _ORDERED = b"ctorch._utils\n_rebuild_tensor_v2\n", b"ccollections\nOrderedDict\n)R"
_SELF, _SHARED, _LEVELS = 70_000, 71_000, 80_000  # places of the memo


def _int(number: int) -> bytes:
    data = number.to_bytes(number.bit_length() // 8 + 1, "little", signed=True)
    return b"\x8a" + bytes([len(data)]) + data


def _text(text: str) -> bytes:
    return b"X" + struct.pack("<I", len(text)) + text.encode()


def _put(place: int) -> bytes:
    return b"r" + struct.pack("<I", place)


def _get(place: int) -> bytes:
    return b"j" + struct.pack("<I", place)


def _tensor(storage: bytes, shape: list[int], strides: list[int]) -> bytes:
    """Returns the opcodes of a tensor over a storage's opcodes."""
    shapes = (b"(" + b"".join(map(_int, numbers)) + b"t" for numbers in (shape, strides))
    return _TENSOR + b"(" + storage + _int(0) + b"".join(shapes) + b"\x89" + _ORDERED + b"tR"


def _storage(key: str, numel: int, kind: bytes = b"FloatStorage") -> bytes:
    name = _text("storage") + b"ctorch\n" + kind + b"\n"
    return b"(" + name + _text(key) + _text("cpu") + _int(numel) + b"tQ"


def _views(rng: Random, size: int) -> bytes:
    """Returns tensors that share one storage of the file, whole or in part."""
    numel = rng.choice((1, 16, 1000, size, 2**40))
    first, again = _storage("big", numel) + _put(_SHARED), _get(_SHARED)
    views = ([numel], [1]), ([1], [1]), ([2**40], [0]), ([0, numel], [1, 1])
    view = _tensor(again, *rng.choice(views))
    return first + b"0}(" + b"".join(_text(f"n.{i}") + view for i in range(size // 12 + 1)) + b"u"


def _odd_tensor(rng: Random, size: int) -> bytes:
    axes = rng.choice((0, 1, 1, 2, 2, 3, 64, 300))
    shape, strides = (
        [rng.choice((0, 1, 1, 2, 8, *NUMBERS, -1)) for _ in range(axes)] for _ in "12"
    )
    return _tensor(_storage("0", rng.choice(NUMBERS)), shape, strides)


def _references(rng: Random, size: int) -> bytes:
    wide = b"](" + b"K\x00" * 99 + b"e", b"(" + b"N" * 99 + b"t"
    inner = rng.choice((b"}" + _text("a") + b"Ns", *wide))
    return b"](" + inner + _put(_SHARED) + _get(_SHARED) * (size // 2) + b"e"


def _doubled(rng: Random, size: int) -> bytes:
    """Returns lists that each hold the one before many times: few bytes, many paths."""
    wide, levels = rng.choice((2, 10, 100)), draw_size(rng, 1 + size // 20)
    lists = (
        b"](" + _get(_LEVELS + i) * wide + b"e" + _put(_LEVELS + i + 1) + b"0"
        for i in range(levels)
    )
    return b"]" + _put(_LEVELS) + b"0" + b"".join(lists) + _get(_LEVELS + levels)


_OPCODES: list[Callable[[Random, int], bytes]] = [
    *(_views, _odd_tensor, _references, _doubled),
    lambda rng, size: b"}" + _put(_SELF) + _text("a") + _get(_SELF) + b"s",  # holds itself
    lambda rng, size: b"]" + _put(_SELF) + b"(" + _get(_SELF) * (size // 99 + 1) + b"e",
    lambda rng, size: b"](" * size + b"e" * size,
    lambda rng, size: (b"}" + _text("a")) * size + b"N" + b"s" * size,
    lambda rng, size: b"N" + b"\x85" * size,
    lambda rng, size: b"](" + b"}" * size + b"e",
    lambda rng, size: b"}(" + b"".join(_int(i) + b"N" for i in range(size)) + b"u",
    lambda rng, size: _text("a" * size),
    lambda rng, size: b"\x8b" + struct.pack("<i", size) + b"\x77" * size,  # an integer
    lambda rng, size: b"\x8b" + struct.pack("<i", rng.choice((-1, 2**31 - 1))),
    lambda rng, size: b"X" + struct.pack("<I", 2**32 - 1) + b"a",
    lambda rng, size: b"".join(b"N" + _put(i) + b"0" for i in range(size)) + b"N",
    lambda rng, size: b"N" + _put(rng.choice((2**31, 2**32 - 1))),
    lambda rng, size: b"N" * size,
    lambda rng, size: b"(" * size + b"t" * size,
    lambda rng, size: _ORDERED + b"}" + _text("a") + b"Nsb",  # with attributes
    lambda rng, size: b"cbuiltins\neval\n" + b"(" + _text("1") + b"tR",
    lambda rng, size: _tensor(_storage("0", 4, b"QInt8Storage"), [4], [1]),
]


def change_pickle(content: bytes, rng: Random) -> bytes:
    """Returns a pickle with opcodes changed, or with a shape in the place of one of its values."""
    starts = [place for _, _, place in pickletools.genops(content) if place is not None]
    parts = [content[start:end] for start, end in pairwise([*starts, len(content)])]
    for _ in range(rng.choice((1, 1, 2, 4))):
        place, kind = rng.randrange(1, len(parts) - 1), rng.randrange(6)
        if kind == 0:
            del parts[place]
        elif kind == 1:
            parts[place] *= draw_size(rng, 1000)
        elif kind == 2:
            parts[place] = rng.choice(parts)
        elif kind == 3:  # another value of the memo, so that values are shared or hold themselves
            _replace(parts, b"hj", _get(rng.randrange(20)), rng)
        elif kind == 4:
            _replace(parts, b"KMJ", _int(rng.choice(NUMBERS)), rng)
        else:
            shape = rng.choice(_OPCODES)(rng, draw_size(rng, 20_000))
            _replace(parts, b"KMJGX}])N\x88\x89", shape, rng)
    return b"".join(parts)


def _replace(parts: list[bytes], opcodes: bytes, other: bytes, rng: Random) -> None:
    """Replaces one of some opcodes, if there is one."""
    if places := [place for place, part in enumerate(parts) if part[0] in opcodes]:
        parts[rng.choice(places)] = other


def shaped_pickle(content: bytes, rng: Random) -> bytes:
    """Returns a pickled dictionary that holds a shape beside its other values, or is one."""
    shape = rng.choice(_OPCODES)(rng, draw_size(rng, 100_000))
    if rng.random() < 0.3:
        return b"\x80\x02" + shape + b"."
    start = content.index(b"(") + 1  # where the first of the values are put
    return content[:start] + _text(rng.choice(("x", "network.x"))) + shape + content[start:]


def change_weights(content: bytes, rng: Random) -> bytes:
    """Returns what torch saved with another pickle, other storages, or another zip around them."""
    if rng.random() < 0.15:
        return change_zip(content, rng)
    change = rng.choice((shaped_pickle, shaped_pickle, change_pickle, change_pickle, change_bytes))
    members, (folder, *_) = dict(read_zip(content)), read_zip(content)[0][0].split("/")
    pickle = f"{folder}/data.pkl"
    members[pickle] = change(members[pickle], rng)
    members[f"{folder}/data/big"] = rng.choice(_STORAGES) * draw_size(rng, 2**16)
    return write_zip(list(members.items()))


_STORAGES = (struct.pack("<f", 1.0), struct.pack("<f", float("nan")))

# --- ONNX: protobuf on the wire; a field has a tag (8 times its number, and its kind) and a value

_VARINT = re.compile(rb"[\x80-\xff]{0,9}[\x00-\x7f]")


def _varint(number: int) -> bytes:
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    return bytes([*data, number])


def read_fields(content: bytes) -> list[tuple[int, bytes]]:
    """Returns the tags and values of a message; none if it is not one."""
    fields, place = [], 0
    while found := _VARINT.match(content, place):
        tag, start = _number(found[0]), found.end()
        if not (found := _VARINT.match(content, start)):
            break
        kind, place = tag & 7, found.end()
        if kind:
            start = place if kind == 2 else start
            place = start + {1: 8, 2: _number(found[0]), 5: 4}.get(kind, len(content))
        fields.append((tag, content[start:place]))
    return fields if place == len(content) else []


def _number(varint: bytes) -> int:
    return sum((byte & 127) << 7 * place for place, byte in enumerate(varint))


def write_fields(fields: list[tuple[int, bytes]]) -> bytes:
    """Returns a message; the inverse of `read_fields`."""
    sized = ((tag, _varint(len(value)) if tag & 7 == 2 else b"", value) for tag, value in fields)
    return b"".join(_varint(tag) + size + value for tag, size, value in sized)


def _message(*fields: tuple[int, int | str | bytes]) -> bytes:
    """Returns a message of numbers of fields and their values."""
    return b"".join(_field(*field) for field in fields)


def _field(number: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return write_fields([(8 * number, _varint(value))])
    return write_fields([(8 * number + 2, value.encode() if isinstance(value, str) else value)])


def change_model(content: bytes, rng: Random) -> bytes:
    """Returns an ONNX model with fields changed, or with nodes that take time or memory."""
    kind, size = rng.random(), draw_size(rng, 3000)
    if kind < 0.1:
        return change_bytes(content, rng)
    if kind < 0.2:
        return content + rng.choice((_nested(size), *(odd * size for odd in _ODD_FIELDS)))
    if kind < 0.6:
        return _change_message(content, rng)
    out = rng.choice(("unused", "logits"))
    if out == "logits":  # the node that made it makes another
        content = content.replace(b"\x12\x06logits", b"\x12\x06unused")
    nodes = _hostile_nodes(rng, size, out)
    fields = [(tag, value + nodes * (tag == _GRAPH)) for tag, value in read_fields(content)]
    return write_fields(fields) + (_OWN_OPERATOR if b"Own" in nodes else b"")


def _change_message(content: bytes, rng: Random) -> bytes:
    """Returns a message with a field changed, removed or repeated, or one within it."""
    fields = read_fields(content)
    place, kind = rng.randrange(len(fields)), rng.randrange(4)
    tag, value = fields[place]
    if tag & 7 == 2 and rng.random() < 0.9 and read_fields(value):
        fields[place] = tag, _change_message(value, rng)
    elif kind == 0:
        del fields[place]
    elif kind == 1:
        fields[place:place] = [fields[place]] * draw_size(rng, 2 + 20_000 // (1 + len(value)))
    elif tag & 7 == 0:
        fields[place] = tag, _varint(rng.choice((*NUMBERS, _number(value) + 1)))
    else:
        others = (b"", b"x", b"logits", value * 2, b"x" * draw_size(rng, 10_000))
        fields[place] = tag, rng.choice((*others, change_bytes(value, rng)))
    return write_fields(fields)


def _nested(size: int) -> bytes:
    nested = b""
    for _ in range(size):
        nested = _message((7, nested))  # a graph within a graph's field
    return nested


# Open groups, endless numbers, empty graphs, lengths and numbers that lie.
_ODD_FIELDS = [
    b"\x0b",
    b"\x80",
    b"\x3a\x00",
    b"\x3a\xff\xff\xff\x7f",
    b"\x08" + b"\xff" * 9 + b"\x01",
]
_GRAPH, _FLOAT, _INT64, _BOOL = 58, 1, 7, 9  # the tag of a model's graph, and types
_INPUTS = {
    "Range": "zero large one", "ConstantOfShape": "shape", "Expand": "numbers shape",
    "Loop": "large true numbers", "Own": "numbers", "Identity": "outside",
}  # fmt: skip


def _hostile_nodes(rng: Random, size: int, out: str) -> bytes:
    """Returns the fields of a graph with nodes whose output is large or takes long."""
    large = rng.choice((2**10, 2**20, 2**28, 2**31, 2**40))
    numbers = {"zero": [0], "one": [1], "large": [large]}
    constants = b"".join(_array(name, [], values) for name, values in numbers.items())
    constants += _array("shape", [2], rng.choice(([large, large], [large, 1])))
    constants += _array("true", [], [1], _BOOL)
    if rng.random() < 0.7:
        op = rng.choice(list(_INPUTS))
        outside = (13, _message((1, "location"), (2, "/dev/zero"))), (14, 1)
        file = _message((5, _message((1, large), (2, _FLOAT), (8, "outside"), *outside)))
        return constants + file * (op == "Identity") + _node(op, _INPUTS[op].split(), out)
    op = rng.choice(("Relu", "Concat"))  # each of them makes it twice as large
    names = ["numbers", *(f"chain{i}" for i in range(size if op == "Relu" else size % 60)), out]
    inputs = 1 if op == "Relu" else 2
    return b"".join(_node(op, [before] * inputs, after) for before, after in pairwise(names))


def _array(name: str, dims: list[int], values: list[int], dtype: int = _INT64) -> bytes:
    sizes, numbers = [(1, n) for n in dims], [(7 if dtype == _INT64 else 5, n) for n in values]
    return _message((5, _message(*sizes, (2, dtype), *numbers, (8, name))))


def _node(op: str, inputs: list[str], out: str) -> bytes:
    attributes = [(5, _ATTRIBUTES[op])] if op in _ATTRIBUTES else []
    names = [(1, name) for name in inputs]
    domain = "own" if op == "Own" else ""
    return _message((1, _message(*names, (2, out), (4, op), *attributes, (7, domain))))


def _loop_body() -> bytes:
    body = _node("Relu", ["state"], "next") + _message((2, "body"))
    inputs = (11, "turn", _INT64), (11, "on", _BOOL), (11, "state", _FLOAT)
    for field, name, dtype in (*inputs, (12, "on", _BOOL), (12, "next", _FLOAT)):
        shape = [] if dtype == _FLOAT else [(2, b"")]  # no dimensions
        tensor = _message((1, _message((1, dtype), *shape)))
        body += _message((field, _message((1, name), (2, tensor))))
    return body


_ATTRIBUTES: dict[str, bytes] = {"Concat": _message((1, "axis"), (3, 1), (20, 2))}
_ATTRIBUTES["Loop"] = _message((1, "body"), (6, _loop_body()), (20, 5))
_OWN = _message((1, "own"), (2, 1))  # a set of operators
_ITSELF = read_fields(_node("Own", ["x"], "y"))[0][1]
_OWN_OPERATOR = _message(
    (25, _message((1, "Own"), (4, "x"), (5, "y"), (7, _ITSELF), (9, _OWN), (10, "own"))), (8, _OWN)
)
