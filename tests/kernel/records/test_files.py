"""Files of records: broken lines have their reason, and the others are read."""

from pathlib import Path

import pytest

from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.records import MAX_LINE, read_entries, read_record, read_records

BROKEN = {
    b"": "not JSON: Expecting value",
    b'{"format": 1': "not JSON: Expecting ',' delimiter in column 13",
    b"[1]": "a record is a JSON object",
    b"\xff{}": "not UTF-8 text",
    b'{"seed": NaN}': "holds NaN, which is not a finite number",
    b'{"seed": -Infinity}': "holds -Infinity, which is not a finite number",
    b'{"seed": ' + b"9" * 5000 + b"}": "holds a number with thousands of digits",
    b"[" * 100_000: "nested too deeply",
    b"[" * 200_000: "longer than 131,072 bytes",
    b'{"x": "' + b"x" * 3 * MAX_LINE + b'"}': "longer than 131,072 bytes",
}


@pytest.mark.parametrize("line", BROKEN, ids=list(BROKEN.values()))
def test_a_broken_line_has_its_reason_and_the_next_is_read(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "file").write_bytes(b'{"format": 1}\n' + line + b'\n{"format": 2}\n')
    first, second, third = read_entries(tmp_path / "file")
    assert isinstance(second.record, RecordError)
    assert BROKEN[line] in str(second.record)
    assert (first.record, third.record) == ({"format": 1}, {"format": 2})
    assert [entry.line for entry in (first, second, third)] == [1, 2, 3]
    assert [entry.end for entry in (first, second, third)] == [14, 15 + len(line), 29 + len(line)]
    with pytest.raises(RecordError, match="file, line 2: "):
        list(read_records(tmp_path / "file"))


def test_one_game_is_found_among_broken_ones(tmp_path: Path) -> None:
    (tmp_path / "file").write_text('{\n{"format": 2}\n')
    assert read_record(tmp_path / "file", 2) == {"format": 2}
    with pytest.raises(RecordError, match="line 1: is not JSON"):
        read_record(tmp_path / "file", 1)
    for game in (0, 3, -1):
        with pytest.raises(RecordError, match=f"has games 1 to 2; there is no game {game}"):
            read_record(tmp_path / "file", game)
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="holds no games"):
        read_record(tmp_path / "file", 1)


@pytest.mark.parametrize("text", [r'{"agents": ["\ud800"]}', r'{"\udfff": 1}'])
def test_half_a_character_makes_a_line_unreadable(tmp_path: Path, text: str) -> None:
    """F9: such a record was read, and could not be written or shown."""
    (tmp_path / "file").write_text(text)
    with pytest.raises(RecordError, match="line 1: holds half a character"):
        read_record(tmp_path / "file", 1)


def test_blank_lines_at_the_end_are_no_games(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text('{"a": 1}\n\n{"a": 2}\n\n \n\n')
    found = list(read_entries(path))
    assert [entry.line for entry in found] == [1, 2, 3]
    assert [isinstance(entry.record, dict) for entry in found] == [True, False, True]
    path.write_text("\n\n")
    assert list(read_entries(path)) == []
