"""Makes hostile pickles and ONNX models: the binary half of `inputs`."""

from __future__ import annotations

import pickletools
import re
import struct
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

from tools.fuzzing.inputs import (
    NUMBERS,
    change_bytes,
    change_zip,
    draw_size,
    read_zip,
    write_zip,
)

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
    views = (([numel], [1]), ([1], [1]), ([2**40], [0]), ([0, numel], [1, 1]))
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
    return write_fields(
        [
            (8 * number, _varint(value))
            if isinstance(value, int)
            else (8 * number + 2, value.encode() if isinstance(value, str) else value)
            for number, value in fields
        ]
    )


def change_model(content: bytes, rng: Random) -> bytes:
    """Returns an ONNX model with fields changed, or with nodes that take time or memory."""
    kind, size = rng.random(), draw_size(rng, 3000)
    if kind < 0.1:
        return change_bytes(content, rng)
    if kind < 0.2:
        return content + rng.choice(_ODD_FIELDS)(size)
    if kind < 0.6:
        for _ in range(rng.choice((1, 1, 3))):
            content = _change_message(content, rng)
        return content
    out = rng.choice(("unused", "logits"))
    if out == "logits":  # the node that made it makes another
        content = content.replace(b"\x12\x06logits", b"\x12\x06unused")
    large = rng.choice((2**10, 2**20, 2**28, 2**31, 2**40))
    nodes = rng.choice(_HOSTILE)(large, size, out)
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
        nested = _message((7, nested))
    return nested


_ODD_FIELDS: list[Callable[[int], bytes]] = [
    *(_nested, lambda size: b"\x0b" * size, lambda size: b"\x80" * size),  # open groups and numbers
    *(lambda size: b"\x3a\x00" * size, lambda size: b"\x3a" + _varint(2**31 - 1)),
    lambda size: b"\x08" + b"\xff" * 9 + b"\x01",
]

_GRAPH, _INT64, _BOOL = 58, 7, 9  # the tag of a model's graph, and types


def _node(
    op: str, inputs: Sequence[str], out: str, attribute: bytes = b"", domain: str = ""
) -> bytes:
    """Returns the field of a graph with a node."""
    names = [(1, name) for name in inputs]
    attributes = [(5, attribute)] if attribute else []
    return _message((1, _message(*names, (2, out), (4, op), *attributes, (7, domain))))


def _constant(name: str, *values: int, dims: Sequence[int] = (), dtype: int = _INT64) -> bytes:
    """Returns the field of a graph with an array."""
    numbers = [(7 if dtype == _INT64 else 5, value) for value in values]
    return _message((5, _message(*((1, n) for n in dims), (2, dtype), *numbers, (8, name))))


def _chain(op: str, count: int, out: str, wide: int = 1, attribute: bytes = b"") -> bytes:
    names = pairwise(["numbers", *(f"chain{i}" for i in range(count)), out])
    return b"".join(_node(op, [before] * wide, after, attribute) for before, after in names)


def _range(large: int, size: int, out: str) -> bytes:
    """Returns a range of numbers that is large."""
    numbers = _constant("start", 0) + _constant("stop", large) + _constant("step", 1)
    return numbers + _node("Range", ["start", "stop", "step"], out)


def _loop(large: int, size: int, out: str) -> bytes:
    """Returns a loop of many turns."""
    body = _node("Identity", ["on"], "still") + _node("Relu", ["state"], "next")
    for field, name, dtype in (
        (11, "turn", 7),
        (11, "on", 9),
        (11, "state", 1),
        (12, "still", 9),
        (12, "next", 1),
    ):
        scalar = [] if dtype == 1 else [(2, b"")]
        tensor = _message((1, _message((1, dtype), *scalar)))
        body += _message((field, _message((1, name), (2, tensor))))
    attribute = _message((1, "body"), (6, body + _message((2, "body"))), (20, 5))
    given = _constant("turns", large) + _constant("go", 1, dtype=_BOOL)
    return given + _node("Loop", ["turns", "go", "numbers"], out, attribute)


def _external(large: int, size: int, out: str) -> bytes:
    """Returns an array that another file holds."""
    place = _message((1, "location"), (2, ("/etc/passwd", "../../x", "/dev/zero")[size % 3]))
    return _message((5, _message((1, large), (2, 1), (8, out), (13, place), (14, 1))))


def _shaped(op: str, *inputs: str) -> Callable[[int, int, str], bytes]:
    """Returns nodes of an array of a given shape."""
    return lambda large, size, out: (
        _constant("shape", *(large, large)[: 1 + size % 2], dims=[1 + size % 2])
        + _node(op, [*inputs, "shape"], out)
    )


_HOSTILE: list[Callable[[int, int, str], bytes]] = [
    *(_range, _loop, _external, _shaped("ConstantOfShape"), _shaped("Expand", "numbers")),
    lambda large, size, out: _chain("Relu", size, out),
    lambda large, size, out: _chain(
        "Concat", min(size, 60), out, 2, _message((1, "axis"), (3, 1), (20, 2))
    ),
    lambda large, size, out: _node("Own", ["numbers"], out, domain="own"),
]
_OWN_OPERATOR = _message(  # that consists of itself
    (
        25,
        _message((1, "Own"), (4, "x"), (5, "y"), (9, _message((1, "own"), (2, 1))), (10, "own"))
        + _message((7, read_fields(_node("Own", ["x"], "y", domain="own"))[0][1])),
    ),
    (8, _message((1, "own"), (2, 1))),
)
