"""Values of strangers fit into a message, whatever they are."""

import pytest

from gonzaga_env.core.editions.loading import parse_file
from gonzaga_env.kernel.bounded import JSON_BYTES, parse_json, parse_toml
from gonzaga_env.kernel.messages import short_repr


def nested(depth: int) -> object:
    value: object = 1
    for i in range(depth):
        value = [value] if i % 2 else {"a": value}
    return value


@pytest.mark.parametrize(
    "value",
    [
        1 << 100_000,
        [-(1 << 100_000)] * 50,
        {1 << 100_000: {"a": 1 << 100_000}},
        nested(100_000),
        "x" * 100_000,
        b"\x00" * 100_000,
        ["\ud800\n" * 1000] * 1000,
        {f"k{i}": [[["x" * 100] * 100] * 100] for i in range(1000)},
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_value_becomes_a_short_line(value: object):
    text = short_repr(value)
    assert len(text) <= 80
    assert text.isprintable()


@pytest.mark.parametrize(
    ("value", "text"), [(7, "7"), ("a", "'a'"), ([1, None], "[1, None]"), (10**40, str(10**40))]
)
def test_small_values_are_written_as_python_writes_them(value: object, text: str):
    assert short_repr(value) == text


@pytest.mark.parametrize("number", ["0x" + "7" * 90, "1" * 90])
def test_a_large_number_in_an_edition_is_a_fault(number: str):
    content = f"name = {number}\n".encode()
    assert parse_toml(content)
    _, faults = parse_file("board", content)
    assert any("takes a string" in str(fault) for fault in faults)
    assert all(len(str(fault)) < 200 for fault in faults)


@pytest.mark.parametrize("text", ["players = 0x" + "7" * 22_000, "a = " + "[" * 990 + "]" * 990])
def test_values_that_python_does_not_write_are_refused(text: str):
    """The fuzzer's: `repr` of them raised ValueError and RecursionError on 0.6.0."""
    for file in ("board", "scenarios"):
        _, faults = parse_file(file, text.encode())
        assert faults
        assert all(len(str(fault)) < 200 for fault in faults)


def test_a_document_of_json_has_a_bound():
    assert parse_json("[1]".ljust(JSON_BYTES)) == [1]
    with pytest.raises(ValueError, match="larger than 4 MiB"):
        parse_json("[1]".ljust(JSON_BYTES + 1))
