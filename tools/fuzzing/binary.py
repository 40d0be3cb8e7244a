"""Makes hostile pickles and ONNX models: the binary half of `inputs`."""

from __future__ import annotations

import io
import json
import pickletools
import re
import struct
import zlib
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from random import Random

from tools.fuzzing.inputs import (
    NUMBERS,
    change_bytes,
    change_json,
    change_zip,
    draw_size,
    read_zip,
    write_zip,
)

# --- pickles: opcodes of protocol 2, which is what torch reads

_TENSOR, _ORDERED = b"ctorch._utils\n_rebuild_tensor_v2\n", b"ccollections\nOrderedDict\n)R"
_SELF, _SHARED, _LEVELS = 30_000, 31_000, 40_000  # places of the memo


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


def _same_hash(number: int) -> bytes:
    """Returns one of the many integers whose hash is 0."""
    return b"\x8a\x0b" + (number * (2**61 - 1)).to_bytes(11, "little")


_CALLED = b"ccollections\nOrderedDict\n"
_OPCODES: list[Callable[[Random, int], bytes]] = [
    _views,
    _odd_tensor,
    _references,
    _doubled,
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
    lambda rng, size: _CALLED + _tensor(_storage("0", 4), [4], [1]) + b"\x85R",
    lambda rng, size: b"}(" + b"".join(_same_hash(i) + b"N" for i in range(size)) + b"u",
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
    """Returns a pickled dictionary that holds a shape among its other values, or is one."""
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
    return write_fields([*fields, *([(_FUNCTION, _own())] if b"Own" in nodes else [])])


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
        nested = write_fields([(_GRAPH, nested)])
    return nested


# Open groups, endless numbers, empty graphs, lengths and numbers that lie.
_ODD_FIELDS = [
    b"\x0b",
    b"\x80",
    b"\x3a\x00",
    b"\x3a\xff\xff\xff\x7f",
    b"\x08" + b"\xff" * 9 + b"\x01",
]
_GRAPH, _FUNCTION, _NODE, _ARRAY = 58, 202, 10, 42  # tags of a model and of a graph
_LOOP = "b (int64 i, bool on, float[] x) => (bool go, float[] y) {go = Identity (on) y = Relu (x)}"
# What is large or takes long, as onnx writes nodes: @ is a large number, and "out" the output.
_HOSTILE = [
    "s = Constant <value_ints = [@, @]> () out = ConstantOfShape (s)",
    "s = Constant <value_ints = [@, 1]> () out = Expand (numbers, s)",
    "l = Constant <value_int = @> () i = Constant <value_int = 1> () out = Range (i, l, i)",
    "l = Constant <value_int = @> () on = Constant <value = bool {1}> () "
    f"out = Loop <body = {_LOOP}> (l, on, numbers)",
    "out = own.Own (numbers)",
    "out = Identity (outside)",
]


def _hostile_nodes(rng: Random, size: int, out: str) -> bytes:
    """Returns the fields of a graph with nodes whose output is large or takes long."""
    from onnx import StringStringEntryProto, TensorProto, parser

    large, kind = rng.choice((2**10, 2**20, 2**28, 2**31, 2**40)), rng.random()
    text = rng.choice(_HOSTILE).replace("@", str(large)).replace("out =", f"{out} =")
    if kind < 0.3:  # a chain, which may make it twice as large with each node
        node, count = rng.choice((("Relu ({0})", size), ("Concat <axis=1> ({0}, {0})", size % 60)))
        names = pairwise(["numbers", *(f"chain{i}" for i in range(count)), out])
        text = " ".join(f"{after} = {node.format(before)}" for before, after in names)
    graph = parser.parse_graph(f"g (float[N] numbers) => (float[N] {out}) {{ {text} }}")
    nodes = [(_NODE, node.SerializeToString()) for node in graph.node]
    place = StringStringEntryProto(key="location", value="/dev/zero")
    array = TensorProto(name="outside", dims=[large], data_type=1, data_location=1)
    array.external_data.append(place)
    return write_fields([*nodes, *[(_ARRAY, array.SerializeToString())] * ("outside" in text)])


def _own() -> bytes:
    """Returns an operator that consists of itself."""
    from onnx import parser

    text = '<domain: "own", opset_import: ["own" : 1]> Own (x) => (y) { y = own.Own (x) }'
    return bytes(parser.parse_function(text).SerializeToString())


# --- data sets: shards and Parquet files


def change_shard(content: bytes, rng: Random) -> bytes:
    """Returns a shard of games with another header or other arrays, mostly of a right digest."""
    kind = rng.random()
    if kind < 0.15:
        return change_bytes(content, rng)
    magic, line, body = content.split(b"\n", 2)
    if kind < 0.4:
        return b"\n".join((magic, change_json(line, rng, 900).replace(b"\n", b""), body))
    header, raw = json.loads(line), zlib.decompress(body)
    if kind < 0.6:
        name = rng.choice(("first", "games", "players", "steps"))
        header[name] = rng.choice((*NUMBERS, header[name] + 1, 2 * header[name]))
    if kind < 0.55:  # arrays of the size that it says, of nothing
        size = header["games"] * (8 + 4 * header["players"] + 2) + 2 * header["steps"]
        raw = bytes(size) if size < 2**26 else raw
    elif kind < 0.95:
        raw = change_bytes(raw, rng)
    body = zlib.compress(raw, 1) + rng.choice((b"", b"", b"more"))
    header["sha256"] = sha256(body).hexdigest()
    return b"\n".join((magic, json.dumps(header).encode(), body))


def change_parquet(content: bytes, rng: Random) -> bytes:
    """Returns a Parquet file with changed bytes, columns, types or words about itself."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kind = rng.random()
    if kind < 0.4:
        return change_bytes(content, rng)
    if kind < 0.5:  # the end, which says where everything lies
        end = rng.randrange(1, min(len(content), 5000))
        return content[:-end] + change_bytes(content[-end:], rng)
    table = pq.read_table(io.BytesIO(content), use_threads=False)
    about = table.schema.metadata
    if kind < 0.7:
        about = {name: change_json(own, rng) for name, own in about.items()}
    place = rng.randrange(table.num_columns)
    name, column = table.column_names[place], table.column(place).combine_chunks()
    if 0.7 <= kind < 0.75:
        table = table.remove_column(place)
    elif 0.75 <= kind < 0.8:
        table = table.append_column(rng.choice((name, "more")), column)
    elif 0.8 <= kind < 0.9:
        count = draw_size(rng, len(column))
        column = pa.concat_arrays([pa.nulls(count, column.type), column[count:]])
        table = table.set_column(place, name, column)
    elif kind >= 0.9:
        other = rng.choice(table.columns).combine_chunks()
        table = table.set_column(place, name, other)
    made = io.BytesIO()
    pq.write_table(
        table.replace_schema_metadata(about), made, row_group_size=rng.choice((7, 2**20))
    )
    return made.getvalue()
