"""Shares of a tournament that machines play independently, and how they are joined."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gonzaga_env.tabletop.errors import OptionError

from .games import Chunk, GameResult
from .results import Results, ResultsError, read_results


class Shard(NamedTuple):
    """One of several shares.

    Attributes:
        number: from 1.
        total: number of shares.
    """

    number: int
    total: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Returns the shard of a text such as "1/3".

        Raises:
            OptionError: the text is not a shard.
        """
        if not re.fullmatch(r"[0-9]{1,9}/[0-9]{1,9}", text):
            raise OptionError(f"shard is {text!r}; it takes such as 1/3")
        shard = cls(*map(int, text.split("/")))
        if not 1 <= shard.number <= shard.total:
            raise OptionError(
                f"shard is {text}; it takes 1/{shard.total} to {shard.total}/{shard.total}"
            )
        return shard

    def share(self, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        """Returns the chunks of this shard; the shards share all chunks evenly."""
        return chunks[self.number - 1 :: self.total]


def read_shards(
    paths: Sequence[Path], header: dict[str, Any], keys: Collection[str]
) -> list[Results]:
    """Returns what other results files of a tournament hold.

    Args:
        paths: the files.
        header: what they have to be of (see `header_of`).
        keys: of the tournament's agents.

    Raises:
        ResultsError: a file is missing or broken, or of another tournament or other agents.
    """
    shards = []
    for path in paths:
        if not path.is_file():
            raise ResultsError(f"{path}: does not exist; --merge takes folders of --shard")
        shards.append(read_results(path, header))
        for game in shards[-1].games:
            if foreign := sorted(set(game.agents) - set(keys)):
                raise ResultsError(f"{path}: has games of {foreign[0]}, which is not an agent here")
    check_equal(paths, shards)
    return shards


def check_equal(paths: Sequence[Path], shards: Sequence[Results]) -> None:
    """Raises ResultsError if two files have different results of a game."""
    seen: dict[Any, tuple[Path, GameResult]] = {}
    for path, shard in zip(paths, shards, strict=True):
        for game in shard.games:
            other, same = seen.setdefault(game.id, (path, game))
            if game != same:
                raise ResultsError(f"{path}: {_text(game.id)} ended otherwise than in {other}")


def add_shards(results: Results, shards: Sequence[Results]) -> None:
    """Adds the games that a tournament's results lack."""
    known = {game.id for game in results.games}
    for shard in shards:
        new = [game for game in shard.games if game.id not in known]
        for session in shard.sessions if new else ():
            if session not in results.sessions:
                results.start_session(session)
        results.add(new)
        known.update(game.id for game in new)


def check_complete(chunks: Sequence[Chunk], results: Results, out: Path) -> None:
    """Raises ResultsError if games are missing."""
    known = {game.id for game in results.games}
    wanted = [identity for chunk in chunks for identity in chunk.ids()]
    missing = [identity for identity in wanted if identity not in known]
    if missing:
        raise ResultsError(
            f"{len(missing):,} of {len(wanted):,} games are missing, the first is "
            f"{_text(missing[0])}; {out} holds the others: add the missing shards with --merge, or "
            "leave out --merge to play them"
        )


def _text(identity: tuple[tuple[str, ...], int, int]) -> str:
    lineup, deal, rotation = identity
    return f"deal {deal}, rotation {rotation} of {', '.join(lineup)}"
