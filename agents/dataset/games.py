"""The games of a shard as arrays and as bytes: a deal's seed, who sat where, and the actions.

A file is two lines of text, then arrays, compressed by zlib: 1.3 to 1.5 bytes a decision. All else
follows from playing the actions again.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.bounded import inflate, parse_json, read_file
from gonzaga_env.tabletop.bounded.limits import SHARD_BYTES, SHARD_GAMES, SHARD_STEPS
from gonzaga_env.tabletop.errors import GameError
from gonzaga_env.tabletop.rewards import win_shares

_MAGIC = b"gonzaga_env games 1\n"
_HEADER = 1000  # bytes of the second line, at most
MOST_PLAYERS = 16


class DatasetError(GameError, ValueError):
    """A data set that is broken, incomplete, in use, or not the expected one."""


@dataclass(frozen=True)
class ShardGames:
    """G games of a data set."""

    dataset: str  # the digest of the data set (`Recipe.digest`)
    first: int  # the number of the first game
    seeds: NDArray[np.uint64]  # decide the deals, [G] uint64
    seating: NDArray[np.uint8]  # index of the agent on each seat, [G, P] uint8
    totals: NDArray[np.int16]  # the final score of each seat, [G, P] int16
    won: NDArray[np.bool_]  # whether each seat won, [G, P] bool; more than one in a shared victory
    lengths: NDArray[np.uint16]  # the number of each game's actions, [G] uint16
    actions: NDArray[np.uint16]  # of all games, one game after the other, [S] uint16

    def __len__(self) -> int:
        return len(self.seeds)

    def __repr__(self) -> str:
        return f"<Games {self.first} to {self.first + len(self) - 1}, {len(self.actions):,} steps>"

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The number of each game in the data set, [G]."""
        return np.arange(self.first, self.first + len(self))

    @property
    def shares(self) -> NDArray[np.float64]:
        """The share of the victory of each seat, [G, P]."""
        return win_shares(self.won)

    def to_bytes(self) -> bytes:
        """Returns the content of a shard."""
        of_games = (self.seeds, self.seating, self.totals, self.won, self.lengths)
        arrays: list[NDArray[Any]] = [*of_games, _planes(self.actions)]
        body = zlib.compress(b"".join(_little(array) for array in arrays), 9)
        header = {
            "dataset": self.dataset,
            "first": self.first,
            "games": len(self),
            "players": self.seating.shape[1],
            "steps": len(self.actions),
            "sha256": sha256(body).hexdigest(),
        }
        return _MAGIC + json.dumps(header).encode() + b"\n" + body


def read_games(path: Path) -> ShardGames:
    """Returns the games of a shard.

    Raises:
        DatasetError: it cannot be read, is not a shard, or is damaged.
    """
    try:
        return _parse(read_file(path, SHARD_BYTES))
    except OSError as error:
        raise DatasetError(f"{path}: can't be read: {error.strerror}") from error
    except ValueError as error:
        raise DatasetError(
            f"{path}: {error}; remove the file, and the command that wrote it plays it again"
        ) from error


def _parse(content: bytes) -> ShardGames:
    if not content.startswith(_MAGIC):
        raise ValueError("is not a shard of games")
    line, newline, body = content[len(_MAGIC) :].partition(b"\n")
    if not newline or len(line) > _HEADER:
        raise ValueError("is damaged: it has no header")
    header = parse_json(line)
    sizes = _sizes(header)
    if sha256(body).hexdigest() != header.get("sha256"):
        raise ValueError("is damaged: its content has another digest than its header says")
    return _arrays(str(header.get("dataset")), *sizes, inflate(body, _size(*sizes[1:])))


def _sizes(header: object) -> tuple[int, int, int, int]:
    """Returns the number of the first game, and how many games, players and steps there are."""
    limits = {"first": 2**40, "games": SHARD_GAMES, "players": MOST_PLAYERS, "steps": SHARD_STEPS}
    if not isinstance(header, dict) or header.keys() != {*limits, "dataset", "sha256"}:
        raise ValueError(f"is damaged: its header takes dataset, sha256, {', '.join(limits)}")
    for name, most in limits.items():
        if not is_integer(header.get(name)) or not 0 <= header[name] <= most:
            raise ValueError(f"is damaged: its header takes {name} of 0 to {most:,}")
    first, games, players, steps = (header[name] for name in limits)
    return first, games, players, steps


def _size(games: int, players: int, steps: int) -> int:
    """Returns the bytes of all arrays."""
    return games * (8 + 4 * players + 2) + 2 * steps


def _arrays(
    dataset: str, first: int, games: int, players: int, steps: int, raw: bytes
) -> ShardGames:
    seats = games * players
    ends = np.cumsum([0, 8 * games, seats, 2 * seats, seats, 2 * games, 2 * steps])
    seeds, seating, totals, won, lengths, planes = (raw[start:end] for start, end in pairwise(ends))
    found = ShardGames(
        dataset=dataset,
        first=first,
        seeds=np.frombuffer(seeds, "<u8").astype(np.uint64),
        seating=np.frombuffer(seating, np.uint8).reshape(games, players),
        totals=np.frombuffer(totals, "<i2").astype(np.int16).reshape(games, players),
        won=_flags(won).reshape(games, players),
        lengths=np.frombuffer(lengths, "<u2").astype(np.uint16),
        actions=_joined(np.frombuffer(planes, np.uint8)),
    )
    if found.lengths.sum(dtype=np.int64) != steps:
        raise ValueError("is damaged: its games have more or fewer actions than its header says")
    if not found.won.any(axis=1).all():
        raise ValueError("is damaged: a game has no winner")
    return found


def _flags(content: bytes) -> NDArray[np.bool_]:
    """Returns bytes of 0 and 1 as booleans."""
    if content.strip(b"\0\1"):
        raise ValueError("is damaged: a seat neither won nor lost")
    return np.frombuffer(content, np.bool_)


def _planes(actions: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """Returns the low bytes of all actions, then the high ones, which compresses better."""
    return np.concatenate([(actions & 255).astype(np.uint8), (actions >> 8).astype(np.uint8)])


def _joined(planes: NDArray[np.uint8]) -> NDArray[np.uint16]:
    low, high = planes.reshape(2, -1).astype(np.uint16)
    return (low | high << 8).astype(np.uint16)


def _little(array: NDArray[Any]) -> bytes:
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
