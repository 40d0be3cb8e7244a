"""Makes hostile files: whole valid ones with one part changed, and shapes of any size.

A *shape* is a function of a random generator and a size, which is drawn evenly on a logarithmic
scale: what takes quadratic time shows at the large ones, and what breaks at all at the small ones.
Everything depends on the generator alone, so that an input can be made again.
"""

from __future__ import annotations

import io
import json
import math
import re
import struct
import tomllib
import warnings
import zipfile
from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random
from typing import Any

Shape = Callable[[Random, int], str]
Members = list[tuple[str, bytes]]
Change = Callable[[bytes, Random], bytes]

NASTY: list[Any] = [
    *(None, True, False, -1, 0, 1, 2, 3, 7, 12, 13, 255, 256, 2**31, 2**63, 2**70, -(2**70)),
    *(0.5, 3.9, 1e308, "", "3", "x", "Italia", "\x00", "\x1b[2J", "r\u2028", "\ud800", "9" * 300),
    *([], {}, [[]], [None], [3, 3], {"x": 1}, [0] * 300, ["a", "b"], "../../x", "europe", "/"),
]
_BYTES = [b"\x00", b"\xff", b"\n", b'"', b"[", b"{", b"\xed\xa0\x80", b"\\", b"-1", b"=", b"PK"]
NUMBERS = [0, 1, 2, 6, 12, 127, 255, 256, 2**15, 2**16 - 1, 2**31 - 1, 2**32 - 1, 2**62, 2**63 - 1]


def draw_size(rng: Random, most: int) -> int:
    """Returns a size from 1 to `most`, evenly on a logarithmic scale."""
    return round(math.exp(rng.uniform(0, math.log(most))))


def change_bytes(content: bytes, rng: Random) -> bytes:
    """Returns content with some bytes changed, removed, doubled or replaced."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 4))):
        start = rng.randrange(len(data) + 1)
        stop = min(len(data), start + rng.choice((1, 1, 2, 8, 64, 1000)))
        parts = (
            *(b"", data[start:stop] * 2, rng.choice(_BYTES), rng.randbytes(stop - start)),
            data[start:stop] * draw_size(rng, 500),
        )
        data[start:stop] = rng.choice(parts)
    return bytes(data)


# --- plain values and their texts


def change_values(content: Any, rng: Random, hole: Any = None) -> Any:
    """Returns plain values with some replaced, removed, doubled, renamed or moved.

    Args:
        content: dictionaries, lists and values.
        rng: decides what is changed.
        hole: what one of them is replaced by in half of the cases; None never does so.
    """
    content = json.loads(json.dumps(content))
    for number in range(rng.choice((1, 1, 3))):
        if not content or not isinstance(content, dict | list):
            return rng.choice(NASTY)
        (holder, key), (other, place) = _place(content, rng), _place(content, rng)
        kind = 0 if hole is not None and not number and rng.random() < 0.5 else rng.randrange(1, 7)
        if kind == 0:
            holder[key] = hole
        elif kind == 1:
            del holder[key]
        elif kind == 2 and isinstance(holder, list):
            holder.insert(key, json.loads(json.dumps(holder[key])))
        elif kind == 3 and isinstance(holder, dict):
            holder[rng.choice(("", "x", "\ud800", "a.b", str(place)))] = 1
        elif kind == 4:
            holder[key] = json.loads(json.dumps(other[place]))
        elif kind == 5 and isinstance(holder[key], int | str):
            is_text = isinstance(holder[key], str)
            holder[key] += rng.choice(("x", " ", "é") if is_text else (-1, 1, 2**31))
        else:
            holder[key] = json.loads(json.dumps(rng.choice(NASTY)))
    return content


def _place(holder: Any, rng: Random) -> tuple[Any, Any]:
    """Returns a random place: a dictionary or list, and a key of it."""
    while True:
        key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
        value = holder[key]
        if not value or not isinstance(value, dict | list) or rng.random() < 0.2:
            return holder, key
        holder = value


def _repeat(part: str, last: str = "") -> Shape:
    """Returns the shape of a part that is repeated; "#" in it is its number."""

    def shape(rng: Random, size: int) -> str:
        if "#" not in part:
            return part * (size // len(part) + 1) + last
        count = size // (len(part) + 4) + 1
        return "".join(part.replace("#", str(i)) for i in range(count)) + last

    return shape


def _nest(opening: str, closing: str, inner: str = "1") -> Shape:
    def shape(rng: Random, size: int) -> str:
        depth = size // (len(opening) + len(closing)) + 1
        return opening * depth + inner + closing * depth

    return shape


def _enclose(start: str, shape: Shape, end: str) -> Shape:
    return lambda rng, size: start + shape(rng, size) + end


def _number(text: Callable[[str], str]) -> Shape:
    return lambda rng, size: text(f"1{'7' * size}")


_NUMBER_SHAPES = [
    *(_number(str), _number(lambda n: f"-{n}"), _number(lambda n: f"0.{n}")),
    *(_number(lambda n: f"{n}e{n}"), _number(lambda n: f"1e{len(n)}")),
]
JSON_SHAPES: list[Shape] = [
    *(*_NUMBER_SHAPES, _nest("[", "]"), _nest('{"a":', "}"), _repeat("[", "")),
    _enclose("[", _repeat("0,", "0"), "]"),
    _enclose("[", _repeat("[],", "0"), "]"),
    _enclose("{", _repeat('"k#":0,', '"k":0'), "}"),
    _enclose("{", _repeat('"k":0,', '"k":0'), "}"),
    *(_enclose('"', _repeat(text), '"') for text in ("a", "\\u0000", "\\ud800", "é", "\\", "\\n")),
    *(lambda rng, size: rng.choice(("NaN", "-Infinity", "1e999", '"\\ud800"', "-0", "00", "")),),
]
TOML_VALUES: list[Shape] = [
    *(*_NUMBER_SHAPES, _number(lambda n: f"0x{n}"), _number(lambda n: f"0b{n}".replace("7", "1"))),
    *(_number(lambda n: "_".join(n)), _nest("[", "]"), _nest("{a=", "}"), _repeat("[", "")),
    _enclose("{", _enclose("a", _repeat(".a"), "=1"), "}"),
    _enclose("[", _repeat("0,"), "]"),
    _enclose("[", _repeat("{},"), "]"),
    _enclose("[", _repeat("\n#\n"), "]"),
    _enclose("{", _repeat("k# = 0, ", "k = 0"), "}"),
    *(_enclose('"', _repeat(text), '"') for text in ("a", "\\u0000", "\\ud800", "é", "\\", " ")),
    *(_enclose('"""', _repeat(text), '"""') for text in ("\n", "\\\n  ", '""', "a b\n", "\\ ")),
    *(_enclose("'''", _repeat(text), "'''") for text in ("\n", "''", "B F . \n", "x ")),
    lambda rng, size: rng.choice(("nan", "-inf", "1979-05-27T07:32:00.999999-07:00", "07:32", "")),
]
TOML_LINES: list[Shape] = [
    _enclose("a", _repeat(".a"), "=1\n"),
    _enclose("a", _repeat(" . a"), "=1\n"),
    _enclose("a", _repeat('."é"'), "=1\n"),
    _enclose("[a", _repeat(".a"), "]\n"),
    _enclose("[[a", _repeat(".a"), "]]\n"),
    *(_repeat(line) for line in ("[a#]\n", "[[a]]\n", "k# = 0\n", "[[a.b]]\n[[a.b.c]]\n", "#")),
    *(_repeat(line) for line in ("[a]\nb#.c.d.e=1\n", "a.b.c.d.e.k#=1\n", "\n", " ", "[[city]]\n")),
    lambda rng, size: "[[a]]\n" + f"[[a{'.a' * (size // 99)}]]\n" * 49,
    lambda rng, size: "".join(
        f"x{i}{'.a' * math.isqrt(size)}=1\n" for i in range(math.isqrt(size))
    ),
]
_HOLE = "@hole@"


def change_json(content: bytes, rng: Random, most: int = 2**20) -> bytes:
    """Returns a JSON document with some values changed, or one of the shapes in it."""
    if rng.random() < 0.1:
        return change_bytes(content, rng)
    values = change_values(json.loads(content), rng, _HOLE)
    return _fill(json.dumps(values), rng, JSON_SHAPES, most)


def change_lines(content: bytes, rng: Random) -> bytes:
    """Returns JSON lines, of which one is changed, removed or repeated."""
    lines = content.splitlines(keepends=True)
    place, kind = rng.randrange(len(lines)), rng.randrange(8)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines[place:place] = [rng.choice(lines)] * draw_size(rng, 300)
    else:
        lines[place] = change_json(lines[place], rng) + b"\n"
    return b"".join(lines)


def change_toml(content: bytes, rng: Random, most: int = 2**17 + 9) -> bytes:
    """Returns a TOML document with some values changed, or one of the shapes in it."""
    kind = rng.random()
    if kind < 0.1:
        return change_bytes(content, rng)
    if kind < 0.4:
        lines = content.decode().splitlines(keepends=True)
        place = rng.choice((0, len(lines), rng.randrange(len(lines))))
        room = max(most - len(content), 9)
        lines[place:place] = rng.choice(TOML_LINES)(rng, draw_size(rng, room))
        return "".join(lines).encode()
    values = change_values(_toml_values(content), rng, _HOLE)
    if not isinstance(values, dict):
        return f"{_toml(values)}\n".encode("utf-8", "surrogatepass")
    text = "".join(f"{_toml_key(key)} = {_toml(value)}\n" for key, value in values.items())
    return _fill(text, rng, TOML_VALUES, most)


@lru_cache
def _toml_values(content: bytes) -> dict[str, Any]:
    return tomllib.loads(content.decode())


def _fill(text: str, rng: Random, shapes: list[Shape], most: int) -> bytes:
    if f'"{_HOLE}"' in text:
        filling = rng.choice(shapes)(rng, draw_size(rng, max(most - len(text), 9)))
        text = text.replace(f'"{_HOLE}"', filling)
    return text.encode("utf-8", "surrogatepass")


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{_toml_key(key)} = {_toml(held)}" for key, held in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps("null" if value is None else value)


def _toml_key(key: str) -> str:
    return key if re.fullmatch(r"\w+", key, re.ASCII) else json.dumps(key)


# --- zips, within each other


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
    """Returns a zip with changed members, or a directory that lies.

    Args:
        content: a valid zip.
        rng: decides what is changed.
        changes: how members are changed, by the end of their names.
    """
    members, kind = read_zip(content), rng.randrange(10)
    place, compression = rng.randrange(len(members)), zipfile.ZIP_STORED
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
        compression = rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
        members = [(name, rng.choice((old, bytes(draw_size(rng, 2**22)))))]
    elif kind == 5:
        members[place] = rng.choice(("", "/", "..", name * draw_size(rng, 2000), "\x00")), old
    elif kind < 8:
        ends = [end for end in changes or () if name.endswith(end)]
        members[place] = name, (changes or {}).get((*ends, "")[0], change_bytes)(old, rng)
    whole = write_zip(members, compression)
    return _lie(whole, rng) if kind >= 8 or rng.random() < 0.1 else whole


def _lie(content: bytes, rng: Random) -> bytes:
    """Returns a zip with numbers of its headers changed."""
    data = bytearray(content)
    headers = list(re.finditer(rb"PK(?:\x01\x02|\x03\x04|\x05\x06)", content))[-3000:]
    for _ in range(rng.choice((1, 1, 2, 5))):
        start = rng.choice(headers).start()
        place = start + rng.randrange(4, {1: 46, 3: 30, 5: 22}[content[start + 2]], 2)
        width = rng.choice(("<H", "<I"))
        number = rng.choice((*NUMBERS, rng.randrange(len(content)), 8, 12, 14, 99))
        if place + struct.calcsize(width) <= len(data):
            struct.pack_into(width, data, place, number % 256 ** struct.calcsize(width))
    return bytes(data)
