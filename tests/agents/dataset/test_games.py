"""Shards: what is written is read, and whatever is damaged is refused in one line."""

import json
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.dataset.games import DatasetError, ShardGames, read_games


def some_games() -> ShardGames:
    rng = np.random.default_rng(0)
    lengths = rng.integers(1, 90, 40).astype(np.uint16)
    won = np.zeros((40, 3), np.bool_)
    won[np.arange(40), rng.integers(3, size=40)] = True
    return ShardGames(
        dataset="0123456789abcdef",
        first=240,
        seeds=rng.integers(2**53, size=40).astype(np.uint64),
        seating=rng.integers(2, size=(40, 3)).astype(np.uint8),
        totals=rng.integers(-5, 150, (40, 3)).astype(np.int16),
        won=won,
        lengths=lengths,
        actions=rng.integers(2**16, size=int(lengths.sum())).astype(np.uint16),
    )


def test_what_is_written_is_read(tmp_path: Path) -> None:
    games, path = some_games(), tmp_path / "00001.games"
    path.write_bytes(games.to_bytes())
    found = read_games(path)
    assert (found.dataset, found.first, len(found)) == (games.dataset, 240, 40)
    for name in ("seeds", "seating", "totals", "won", "lengths", "actions"):
        ours, theirs = getattr(games, name), getattr(found, name)
        assert ours.dtype == theirs.dtype
        assert (ours == theirs).all()
    assert found.shares.sum(axis=1) == pytest.approx(1)
    assert found.to_bytes() == games.to_bytes()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data + b"\0",
        lambda data: data[: len(data) // 2],
        lambda data: b"x" + data[1:],
        lambda data: data.replace(b'"games": 40', b'"games": 41'),
        lambda data: data.replace(b'"games": 40', b'"games": 1e9'),
        lambda data: data.replace(b'"steps"', b'"stops"'),
        lambda data: data[:20] + b"[" * 2000 + b"\n" + data[20:],
        lambda data: data[:-40] + bytes(byte ^ 1 for byte in data[-40:]),
    ],
)
def test_damage_is_named_in_one_line(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "00001.games"
    path.write_bytes(damage(some_games().to_bytes()))
    with pytest.raises(DatasetError, match=r"00001.games: is .*; remove the file, and") as found:
        read_games(path)
    assert "\n" not in str(found.value)


def shard(body: bytes, **header: Any) -> bytes:
    """Returns a shard with a right digest of whatever it holds."""
    about = {"dataset": "", "first": 0, "games": 1, "players": 2, "steps": 1} | header
    about["sha256"] = sha256(body).hexdigest()
    return b"gonzaga_env games 1\n" + json.dumps(about).encode() + b"\n" + body


@pytest.mark.parametrize(
    ("won", "after", "header", "message"),
    [
        (b"\1\0", b"", {}, None),
        (b"\1\0", b"more", {}, "holds more or less than its header says"),
        (b"\7\0", b"", {}, "a seat neither won nor lost"),
        (b"\1\0", b"", {"more": 1}, "its header takes dataset, sha256, first"),
        (b"\1\0", b"", {"steps": 2**25}, "takes steps of 0 to"),
    ],
)
def test_nothing_of_a_shard_is_read_silently(
    won: bytes, after: bytes, header: dict[str, Any], message: str | None, tmp_path: Path
) -> None:
    raw = bytes(8) + bytes(2) + bytes(4) + won + b"\1\0" + bytes(2)
    path = tmp_path / "00000.games"
    path.write_bytes(shard(zlib.compress(raw) + after, **header))
    if message is None:
        assert read_games(path).won.tolist() == [[True, False]]
        return
    with pytest.raises(DatasetError, match=message):
        read_games(path)


def test_no_more_is_decompressed_than_the_header_says(tmp_path: Path) -> None:
    path = tmp_path / "00000.games"
    path.write_bytes(shard(zlib.compress(bytes(10**7), 9)))
    with pytest.raises(DatasetError, match="holds more or less than its header says"):
        read_games(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"00000.games: can't be read: No such file"):
        read_games(tmp_path / "00000.games")
