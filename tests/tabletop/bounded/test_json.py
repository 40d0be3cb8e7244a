"""JSON within limits is what the standard library reads; beyond them it is refused."""

import json

import pytest

from gonzaga_env.tabletop.bounded import parse_json
from gonzaga_env.tabletop.bounded.limits import JSON_DEPTH, JSON_NODES

BRACKETS = "[" * 100 + "]" * 100 + "{" * 100


@pytest.mark.parametrize(
    "value",
    [
        BRACKETS,
        {BRACKETS: [BRACKETS, 'a"b', "\\", '\\"', '"[', "]"]},
        ["\\" * 7, '"' * 7, '[\\"[\\\\"['],
        json.loads("[" * JSON_DEPTH + "]" * JSON_DEPTH),
        [1] * (JSON_NODES - 1),
        ["a, b, c" * 10] * (JSON_NODES // 10),
        [",", '",'] * (JSON_NODES // 3),
        "\U0001f600é",
        [1.5, -2, 10**300, None, True],
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_within_the_limits_is_read_as_before(value: object):
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)):
        assert parse_json(text) == parse_json(text.encode()) == parse_json(bytearray(text, "utf-8"))
        assert parse_json(text) == value


DEEP = "[" * (JSON_DEPTH + 1) + "]" * (JSON_DEPTH + 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (DEEP, "is nested too deeply"),
        (f'["]]]]", {DEEP}]', "is nested too deeply"),
        ('["\\"]]]]", ' * 30 + DEEP, "is nested too deeply"),
        ('{"a": ' * 100_000, "is nested too deeply"),
        ("[" + "1," * JSON_NODES + "1]", "has more than 200,000 values"),
        ("[" + "[]," * JSON_NODES + "1]", "has more than 200,000 values"),
        ("[" + '"","' * JSON_NODES + "]", "is not JSON"),
        ('["' + '\\"' * 4_000_000, "is not JSON"),
        ("1" * 5000, "thousands of digits"),
        ("[1e999]", "not a finite number"),
        ("\ufeff[]", "is not JSON"),
    ],
    ids=lambda text: repr(text)[:30],
)
def test_what_is_over_a_limit_is_refused(text: str, words: str):
    for content in (text, text.encode()):
        with pytest.raises(ValueError, match=words):
            parse_json(content)


@pytest.mark.parametrize(
    "text", [r'"\ud800"', r'{"\udfff": 1}', r'["\ud800\ud800\udc00"]', '"\ud800"']
)
def test_half_a_character_is_refused(text: str):
    """F9: it is read, and a later write of it fails."""
    assert json.loads(text)
    for content in (text, text.encode(errors="surrogatepass")):
        with pytest.raises(ValueError, match=r"half a character|not UTF-8"):
            parse_json(content)


def test_whole_characters_in_escapes_are_read():
    assert parse_json(r'["\ud83d\ude00", "\\ud800", "\u00e9"]') == ["\U0001f600", "\\ud800", "é"]
