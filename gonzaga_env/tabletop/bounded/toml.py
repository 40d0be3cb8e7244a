"""TOML of bounded depth, number of values and parts of keys."""

from __future__ import annotations

import re
import tomllib

from gonzaga_env.tabletop.bounded.json import Json
from gonzaga_env.tabletop.bounded.limits import (
    TOML_BYTES,
    TOML_DEPTH,
    TOML_KEY_PARTS,
    TOML_NODES,
    TOML_WORD,
)
from gonzaga_env.tabletop.bounded.text import byte_size, short

_TOKEN = re.compile(
    r"""
        (?P<text>
            \"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+"{3,5}
            | '''[^']*+(?:'(?!'')[^']*+)*+'{3,5}
            | (?!"{3})"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"
            | (?!'{3})'[^'\n]*+'
        )
        | (?P<comment>\#[^\n]*)
        | (?P<word>[^\s"'\#.,=\[\]{}]+)
        | (?P<dot>\.)
        | (?P<open>[\[{])
        | (?P<close>[\]}])
        | (?P<end>[,=\n])
        | (?P<blank>[^\S\n]+)
        | (?P<unterminated>["'])
    """,
    re.VERBOSE | re.DOTALL,
)


def parse_toml(content: bytes) -> dict[str, Json]:
    """Returns what a TOML document in UTF-8 holds.

    Raises:
        ValueError: it is not TOML, or over one of the limits; the message says where.
    """
    if len(content) > TOML_BYTES:
        raise ValueError(f"is larger than {byte_size(TOML_BYTES)}")
    try:
        text = content.decode().replace("\r\n", "\n")
        _check_shape(text)
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what, at, place = str(error).rpartition(" (at ")  # it may quote keys of any length
        raise ValueError(f"is not valid TOML: {short(what)}{at}{place}") from error
    except UnicodeDecodeError as error:
        raise ValueError("is not valid TOML: it is not UTF-8 text") from error
    except RecursionError as error:  # called from deep within
        raise ValueError("is nested too deeply") from error


def _check_shape(text: str) -> None:
    """Raises ValueError if a document is over a limit.

    It reads tokens as `tomllib` does up to the document's first mistake, where that ends.
    """
    depth = nodes = parts = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "blank":
            continue
        if kind == "unterminated":
            return
        if kind == "dot":
            parts += 1
        elif kind not in ("word", "text"):  # a key ends
            parts = 0
        depth += (kind == "open") - (kind == "close")
        nodes += kind in ("word", "text", "open")
        letters = len(token[0]) if kind == "word" else 0
        if fault := _fault(depth, nodes, parts, letters):
            line = text.count("\n", 0, token.end()) + 1
            raise ValueError(f"{fault} (line {line})")


def _fault(depth: int, nodes: int, dots: int, letters: int) -> str | None:
    """Returns which limit is exceeded."""
    if depth > TOML_DEPTH:
        return f"is nested too deeply: takes {TOML_DEPTH} brackets within each other"
    if nodes > TOML_NODES:
        return f"has more than {TOML_NODES:,} keys and values"
    if dots >= TOML_KEY_PARTS:
        return f"has a key of more than {TOML_KEY_PARTS} parts"
    if letters > TOML_WORD:
        return f"has a number or key of more than {TOML_WORD} letters"
    return None
