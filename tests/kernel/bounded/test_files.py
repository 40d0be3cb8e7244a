"""JSON and TOML that are broken or hostile end in a ValueError of one line, at once."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gonzaga_env.kernel.bounded import parse_json, parse_toml, read_file

TOML: dict[bytes, str] = {
    b".".join([b"a"] * 20_000) + b" = 1": "dots",
    b"[" + b".".join([b"a"] * 20_000) + b"]": "dots",
    b"a = " + b"[" * 50_000: "nested too deeply",
    b"a = " + b"{b=" * 30_000: "nested too deeply",
    b"a = " + b"9" * 50_000: "digits",
    b"a = 0x" + b"f" * 50_000: "digits",
    b"a = 1\na = 2": "not valid TOML",
    b"a = \xff": "UTF-8",
    b"#" * 2**17 + b"#": "larger",
}
JSON: dict[bytes | str, str] = {
    b"[" * 200_000: "nested too deeply",
    b'{"a":' * 200_000: "nested too deeply",
    b"9" * 5000: "digits",
    b"1e999": "finite",
    b"NaN": "finite",
    b"[1,": "not JSON",
    b"\xff": "UTF-8",
    b'"\\ud800"': "half a character",
    "\ud800": "not JSON",
    "": "not JSON",
}


@pytest.mark.parametrize(
    ("parse", "content", "says"),
    [
        *((parse_toml, content, says) for content, says in TOML.items()),
        *((parse_json, content, says) for content, says in JSON.items()),
    ],
    ids=range(len(TOML) + len(JSON)),
)
def test_a_hostile_document_is_refused_at_once(
    parse: Callable[[Any], Any], content: Any, says: str
) -> None:
    start = time.perf_counter()
    with pytest.raises(ValueError, match=says) as found:
        parse(content)
    assert time.perf_counter() - start < 0.5
    assert len(str(found.value)) < 200
    assert "\n" not in str(found.value)


def test_documents_are_read() -> None:
    assert parse_json('{"a": [1, 2.5, "\\u00e9", null]}') == {"a": [1, 2.5, "é", None]}
    assert parse_toml(b'a.b = 1\r\n[c]\r\nd = "e.f"') == {"a": {"b": 1}, "c": {"d": "e.f"}}


def test_files_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_file(path, 5) == b"12345"
    with pytest.raises(ValueError, match="larger"):
        read_file(path, 4)
    with pytest.raises(ValueError, match="regular file"):
        read_file(Path("/dev/zero"), 4)
