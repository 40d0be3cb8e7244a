"""TOML within limits is what tomllib reads; beyond them it is refused before tomllib sees it."""

import tomllib

import pytest

from gonzaga_env.core.board.edition import EDITIONS
from gonzaga_env.tabletop.bounded import parse_toml
from gonzaga_env.tabletop.bounded.limits import (
    TOML_BYTES,
    TOML_DEPTH,
    TOML_KEY_PARTS,
    TOML_NODES,
    TOML_WORD,
)
from tests.limited import run_limited

PARSE = """
import sys
from pathlib import Path
from gonzaga_env.core.editions.loading import parse_file
content, faults = parse_file("board", Path(sys.argv[1]).read_bytes())
assert not content
print(faults[0])
"""


@pytest.mark.parametrize("key", ["{}=1", "[{}]", "[[{}]]", "x={{{}=1}}"])
def test_a_key_of_many_parts_takes_no_time_and_no_memory(tmp_path, key: str):
    """F1: tomllib copies and keeps every beginning of such a key."""
    file = tmp_path / "board.toml"
    file.write_text(key.format("a." * 60_000 + "a"))
    assert run_limited(PARSE, file, memory=2**29) == (
        "board.toml: has a key of more than 8 parts (line 1)\n"
    )


def test_a_text_without_an_end_is_looked_through_once(tmp_path):
    """The search for its three quotes is not repeated at each later quote."""
    file = tmp_path / "board.toml"
    file.write_text('a = """" ' + '\\""" "' * 6000 + "x" * 90_000)
    assert "is not valid TOML" in run_limited(PARSE, file, memory=2**29)


@pytest.mark.parametrize("dot", [".", " . ", "\t.", '."a".', ".'a' .", '."".'])
def test_parts_are_counted_however_they_are_written(dot: str):
    key = dot.join("a" * 40)
    for text in (f"{key} = 1", f"[ {key} ]", f"[[{key}]]", f"a = {{ {key} = 1 }}"):
        assert tomllib.loads(text)
        with pytest.raises(ValueError, match="has a key of more than 8 parts"):
            parse_toml(text.encode())


DOTS = "St. Gallen." + ". " * 100 + "[" * 100


@pytest.mark.parametrize(
    "text",
    [
        f'a = "{DOTS}"',
        f"a = '{DOTS}'",
        f'a = """{DOTS}\n""{DOTS}\\"""{DOTS}"""""',
        f"a = '''{DOTS}\n''{DOTS}'''''",
        f'"{DOTS}" = 1',
        f"# {DOTS}\na = 1 # {DOTS}",
        f'a = "\\"{DOTS}\\\\" # {DOTS}',
        "a = [1.5, 2.5, 3.5, 1979-05-27T07:32:00.5Z, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1]",
        "\r\na = 1.5\r\nb = [\r\n1.5]\r\n",
        "\n".join(f"a.b.c.d.e.f.g.k{i} = 1" for i in range(100)),
        "a = " + "[" * TOML_DEPTH + "]" * TOML_DEPTH,
        ".".join("a" * TOML_KEY_PARTS) + " = 1",
        "a" * TOML_WORD + " = 1",
        "a = [" + "1," * (TOML_NODES - 2) + "]",
    ],
    ids=lambda text: repr(text)[:30],
)
def test_what_is_within_the_limits_is_read_as_before(text: str):
    assert parse_toml(text.encode()) == tomllib.loads(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = 1\nb = " + "[" * (TOML_DEPTH + 1), r"nested too deeply.* \(line 2\)"),
        ("a = " + "{a=" * (TOML_DEPTH + 1), "nested too deeply"),
        ("a" * (TOML_WORD + 1) + " = 1", "a number or key of more than 100 letters"),
        ("a = 0x" + "f" * TOML_WORD, "a number or key of more than 100 letters"),
        ("a = [" + "1," * TOML_NODES + "]", "more than 20,000 keys and values"),
        ("[[a]]\n" * TOML_NODES, "more than 20,000 keys and values"),
        (" " * (TOML_BYTES + 1), "is larger than 131,072 bytes"),
        ("a = '\ud800'", "is not UTF-8 text"),
        (f'["{"x" * 50_000}"]\n["{"x" * 50_000}"]', r"Cannot declare .{,90} \(at line 2"),
    ],
    ids=lambda text: repr(text)[:30],
)
def test_what_is_over_a_limit_is_refused_in_one_short_line(text: str, words: str):
    with pytest.raises(ValueError, match=words) as found:
        parse_toml(text.encode(errors="surrogatepass"))
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 200


def test_shipped_editions_stay_far_below_the_limits():
    """A tenth of the values and of the bytes; three of sixteen brackets."""
    for path in EDITIONS.glob("*/*.toml"):
        content = path.read_bytes()
        assert 10 * len(content) < TOML_BYTES
        assert parse_toml(content * 1) == tomllib.loads(content.decode())
        assert 10 * len(content.split()) < TOML_NODES
