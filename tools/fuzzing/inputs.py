"""Makes hostile text, zips, arrays and states: valid ones with parts changed, or shapes in them.

A *shape* is a small input that can be expensive to read: something repeated or nested. Its size is
drawn evenly on a logarithmic scale, so that every fifth is of a tenth of the largest size or more,
where quadratic time shows, while most inputs are small and cheap. Everything depends on the random
generator alone, so that an input can be made again.
"""

from __future__ import annotations

import ast
import io
import json
import math
import re
import struct
import tomllib
import warnings
import zipfile
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

Change = Callable[[bytes, Random], bytes]
Members = list[tuple[str, bytes]]

NUMBERS = [0, 1, 2, 6, 12, 127, 255, 256, 2**15, 2**16 - 1, 2**31 - 1, 2**32 - 1, 2**62, 2**63 - 1]
_NASTY: list[Any] = [
    *(*NUMBERS, None, True, False, -1, 3, 7, 13, 2**70, -(2**70), 0.5, 3.9, 1e308, "", "3", "x"),
    *("Italia", "\x00", "\x1b[2J", "r\u2028", "\ud800", "9" * 300, "../../x", "europe", "/"),
    *([], {}, [[]], [None], [3, 3], {"x": 1}, [0] * 300, ["a", "b"]),
]
_BYTES = [b"\x00", b"\xff", b"\n", b'"', b"[", b"{", b"\xed\xa0\x80", b"\\", b"-1", b"=", b"PK"]


def draw_size(rng: Random, most: int) -> int:
    """Returns a size from 1 to `most`, evenly on a logarithmic scale."""
    return round(math.exp(rng.uniform(0, math.log(most))))


def change_bytes(content: bytes, rng: Random) -> bytes:
    """Returns content with some bytes changed, removed, repeated or replaced."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        start = rng.randrange(len(content) + 1)
        part = content[start : start + rng.choice((1, 1, 2, 8, 64, 1000))]
        other = rng.choice(
            (b"", part * draw_size(rng, 500), rng.choice(_BYTES), rng.randbytes(len(part)))
        )
        content = content[:start] + other + content[start + len(part) :]
    return content


# --- plain values

_HOLE = "@hole@"  # the place of a shape


def change_values(content: Any, rng: Random, others: Sequence[Any] = ()) -> Any:
    """Returns plain values with a hole in them, or some replaced, removed, doubled or moved."""
    content = deepcopy(content)
    if rng.random() < 0.5 and content:
        holder, key = _place(content, rng)
        holder[key] = _HOLE
        return content
    for _ in range(rng.choice((1, 1, 3))):
        if not content:
            break
        (holder, key), (other, place) = _place(content, rng), _place(content, rng)
        kind = rng.randrange(6)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder.insert(key, deepcopy(holder[key]))
        elif kind == 1:
            holder[rng.choice(("", "x", "\ud800", "a.b", str(place)))] = 1
        else:
            nasty = rng.choice((*_NASTY, *others))
            holder[key] = deepcopy(rng.choice((_near(holder[key], rng), other[place], nasty)))
    return content


def _near(value: Any, rng: Random) -> Any:
    """Returns a value that is almost right."""
    if isinstance(value, str):
        return value + rng.choice(("x", " ", "é"))
    return value + rng.choice((-1, 1, 2**31)) if isinstance(value, int | float) else None


def _place(holder: Any, rng: Random) -> tuple[Any, Any]:
    """Returns a random place: a dictionary or list, and a key of it."""
    while True:
        key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
        value = holder[key]
        if not value or not isinstance(value, dict | list) or rng.random() < 0.2:
            return holder, key
        holder = value


# --- shapes: text as it is; (before, part, after), where the part is repeated and "#" in it is its
# number; (opening, closing), which are nested

Shape = str | tuple[str, str] | tuple[str, str, str]

_NUMBERS: list[Shape] = [(f"{start}1", "7", "") for start in ("", "-", "0.", "1e")]
_TEXTS = ("a", "\\u0000", "\\ud800", "é", "\\", "\\n")
JSON_SHAPES: list[Shape] = [
    *(*_NUMBERS, ("[", "]"), ('{"a":', "}"), ("", "[", ""), ("[", "0,", "0]"), ("[", "[],", "0]")),
    *(("{", '"k#":0,', '"k":0}'), ("{", '"k":0,', '"k":0}'), *(('"', x, '"') for x in _TEXTS)),
    *("NaN", "-Infinity", "1e999", "-0", "00", ""),
]
_TOML_SHAPES: list[Shape] = [
    *(*JSON_SHAPES, ("0x1", "7", ""), ("0b1", "1", ""), ("1", "_7", ""), ("{a=", "}")),
    *(("{a", ".a", "=1}"), ("[", "{},", "]"), ("[", "\n#\n", "]"), ("{", "k# = 0, ", "k = 0}")),
    *(('"""', text, '"""') for text in ("\n", "\\\n  ", '""', "a b\n", "\\ ")),
    *(("'''", text, "'''") for text in ("\n", "''", "B F . \n", "x ")),
    *("nan", "-inf", "1979-05-27T07:32:00.999999-07:00", "07:32", ""),
]
_TOML_LINES: list[Shape] = [
    *(("a", part, "=1\n") for part in (".a", " . a", '."é"')),
    ("[a", ".a", "]\n"),
    ("[[a", ".a", "]]\n"),
    ("", "x#" + ".a" * 300 + "=1\n", ""),
    *(("", part, "") for part in ("[a#]\n", "[[a]]\n", "k# = 0\n", "[[a.b]]\n[[a.b.c]]\n", "#")),
    *(
        ("", part, "")
        for part in ("[a]\nb#.c.d.e=1\n", "a.b.c.d.e.k#=1\n", "\n", " ", "[[city]]\n")
    ),
    ("[[a]]\n", f"[[a{'.a' * 300}]]\n", ""),
    *(("", part, "") for part in ('"""\\"', "'''x\"")),  # texts without an end
]
_LITERALS: list[Shape] = [*JSON_SHAPES, ("", "(", ""), ("", "-", "1"), ("(", "0,", ")")]


def build(shape: Shape, size: int) -> str:
    """Returns the text of a shape, of about `size` letters."""
    if isinstance(shape, str):
        return shape
    if len(shape) == 2:
        depth = size // len("".join(shape)) + 1
        return shape[0] * depth + "1" + shape[1] * depth
    before, part, after = shape
    count = size // (len(part) + 4 * part.count("#")) + 1
    numbered = (part.replace("#", str(i)) for i in range(count)) if "#" in part else [part * count]
    return before + "".join(numbered) + after


def _fill(text: str, rng: Random, shapes: list[Shape], most: int, quote: str = '"') -> bytes:
    """Returns text with a shape in its hole, if it has one."""
    hole = f"{quote}{_HOLE}{quote}"
    if hole in text:
        size = draw_size(rng, max(most - len(text), 9))
        text = text.replace(hole, build(rng.choice(shapes), size))
    return text.encode("utf-8", "surrogatepass")


# --- JSON and TOML


def change_json(content: bytes, rng: Random, most: int = 2**19) -> bytes:
    """Returns a JSON document with some values changed, or one of the shapes in it."""
    if rng.random() < 0.1:
        return change_bytes(content, rng)
    values = _HOLE if rng.random() < 0.1 else change_values(json.loads(content), rng)
    return _fill(json.dumps(values), rng, JSON_SHAPES, most)


def change_lines(content: bytes, rng: Random) -> bytes:
    """Returns JSON lines, of which one is changed, removed or repeated."""
    lines = content.splitlines(keepends=True)
    place, kind = rng.randrange(len(lines)), rng.randrange(8)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines[place:place] = [rng.choice(lines)] * draw_size(rng, 100)
    else:
        lines[place] = change_json(lines[place], rng, 2**18) + b"\n"
    return b"".join(lines)


def change_toml(content: bytes, rng: Random, most: int = 2**17 + 9) -> bytes:
    """Returns a TOML document with some values changed, or one of the shapes in it."""
    kind = rng.random()
    if kind < 0.1:
        return change_bytes(content, rng)
    if kind < 0.4:
        lines = content.decode().splitlines(keepends=True)
        place = rng.choice((0, len(lines), rng.randrange(len(lines))))
        size = draw_size(rng, max(most - len(content), 9))
        lines[place:place] = build(rng.choice(_TOML_LINES), size)
        return "".join(lines).encode()
    values = change_values(_toml_values(content), rng)
    lines = [f"{_toml_key(key)} = {_toml(value)}\n" for key, value in values.items()]
    return _fill("".join(lines), rng, _TOML_SHAPES, most)


@lru_cache
def _toml_values(content: bytes) -> dict[str, Any]:
    return tomllib.loads(content.decode())


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{_toml_key(key)} = {_toml(held)}" for key, held in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps("null" if value is None else value)


def _toml_key(key: str) -> str:
    return key if re.fullmatch(r"\w+", key, re.ASCII) else json.dumps(key)


# --- zips, and the arrays within them


def read_zip(content: bytes) -> Members:
    """Returns the members of a valid zip."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def write_zip(members: Members, compression: int = zipfile.ZIP_STORED) -> bytes:
    """Returns a zip of members, whose names may be there twice."""
    content = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that are there twice
        with zipfile.ZipFile(content, "w") as archive:
            for name, member in members:
                archive.writestr(zipfile.ZipInfo(name), member, compression)
    return content.getvalue()


def change_zip(content: bytes, rng: Random, changes: Mapping[str, Change] | None = None) -> bytes:
    """Returns a zip with changed members, or a directory that lies."""
    members, kind, compression = read_zip(content), rng.randrange(10), zipfile.ZIP_STORED
    place = rng.randrange(len(members))
    name, old = members[place]
    if kind == 0:
        return change_bytes(content, rng)
    if kind == 1:
        del members[place]
    elif kind == 2:
        members[place:place] = [(name, old)] * draw_size(rng, 3000 // (1 + len(old) // 100))
    elif kind == 3:
        members += [(f"{i}/{name}", b"") for i in range(draw_size(rng, 5000))]
    elif kind == 4:
        compression = zipfile.ZIP_DEFLATED
        members = [(name, rng.choice((old, bytes(draw_size(rng, 2**21)))))]
    elif kind == 5:
        members[place] = rng.choice(("", "/", "..", name * draw_size(rng, 2000), "\x00")), old
    elif kind < 9:
        ends = (change for end, change in (changes or {}).items() if name.endswith(end))
        members[place] = name, next(ends, change_bytes)(old, rng)
    whole = write_zip(members, compression)
    return _lie(whole, rng) if kind == 9 or rng.random() < 0.1 else whole


def _lie(content: bytes, rng: Random) -> bytes:
    """Returns a zip with numbers of its headers changed."""
    data = bytearray(content)
    headers = list(re.finditer(rb"PK(?:\x01\x02|\x03\x04|\x05\x06)", content))[-3000:]
    for _ in range(rng.choice((1, 1, 2, 5))):
        start, width = rng.choice(headers).start(), rng.choice((2, 4))
        place = start + rng.randrange(4, {1: 46, 3: 30, 5: 22}[content[start + 2]], 2)
        number = rng.choice((*NUMBERS, rng.randrange(len(content)), 8, 12, 14, 99))
        data[place : place + width] = (number % 256**width).to_bytes(width, "little")
    return bytes(data)


_DTYPES = ["<f4", ">f8", "<c16", "|O", "|b1", "<M8[s]", f"|S{2**31}", "<U9000", "<f4" * 999]
_FLOATS = [struct.pack("<f", x) for x in (0.5, math.nan, math.inf, -3e38, 1e-45)]


def change_array(content: bytes, rng: Random) -> bytes:
    """Returns a .npy file with another header or other numbers."""
    start = 10 + int.from_bytes(content[8:10], "little")
    kind = rng.random()
    if kind < 0.2:
        return change_bytes(content, rng)
    if kind < 0.4:
        place = rng.randrange(start, len(content), 4)
        return content[:place] + rng.choice(_FLOATS) + content[place + 4 :]
    header = json.loads(json.dumps(ast.literal_eval(content[10:start].decode())))
    text = str(change_values(header, rng, [*_DTYPES, 2**64]))
    text = text.replace("[]", "()").replace("[", "(").replace("]", ",)")  # tuples
    made = _fill(text, rng, _LITERALS, 9000, "'") + rng.choice((b"\n", b"", b" " * 999))
    length = rng.choice((len(made), len(made), 0, 2**16 - 1)) % 2**16
    version = rng.choice((b"\1\0", b"\1\0", b"\1\0", b"\2\0", b"\3\0", b"\xff\0"))
    size = length.to_bytes(2 if version == b"\1\0" else 4, "little")
    return b"\x93NUMPY" + version + size + made + content[start:]


# --- states: two lines, of which the second is JSON, and arrays

#: Fields that do not follow from others, so that a change of them may well be accepted.
_FREE = [
    *("seed", "episode", "objective", "deck", "round", "phase", "num_acted", "last_round"),
    *("finished", "plan", "previous_plan", "order", "ring_stock", "scores", "ring_cells"),
]


def change_state(content: bytes, rng: Random) -> bytes:
    """Returns the bytes of a state with another header or other values of some fields."""
    kind = rng.random()
    if kind < 0.1:
        return change_bytes(content, rng)
    magic, header, data = content.split(b"\n", 2)
    if kind < 0.25:
        return b"\n".join((magic, change_json(header, rng, 12_000).replace(b"\n", b""), data))
    arrays, place = {}, 0
    copied = bytearray(data)
    for name, (dtype, shape) in json.loads(header)["arrays"].items():
        arrays[name] = np.frombuffer(copied, dtype, math.prod(shape), place)
        place += arrays[name].nbytes
    names = [name for name in arrays if name in _FREE] if rng.random() < 0.8 else list(arrays)
    for name in rng.choices(names, k=rng.choice((1, 1, 2, 3))):
        _change_numbers(arrays[name], rng)
    return b"\n".join((magic, header, bytes(copied)))


def _change_numbers(array: Any, rng: Random) -> None:
    """Swaps or shuffles numbers of an array, or sets one."""
    place, other, kind = rng.randrange(array.size), rng.randrange(array.size), rng.randrange(4)
    if kind == 0:
        array[[place, other]] = array[[other, place]]
    elif kind == 1:
        part = array[place : place + 12].tolist()
        array[place : place + 12] = rng.sample(part, len(part))
    else:
        near = int(array[place]) + rng.choice((-3, -1, 1, 3))
        number = rng.choice((near, rng.choice((0, 1, 2, 11, 12, 255, 32_766, 32_767, 2**63))))
        array.view(f"u{array.itemsize}")[place] = number % 256**array.itemsize
