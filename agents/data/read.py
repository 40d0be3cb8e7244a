"""Plays records again, many games at once, and returns arrays for learners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import record_spec
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.editions import EditionSource
from gonzaga_env.kernel.errors import OptionError, RecordError
from gonzaga_env.kernel.messages import short_repr, shown_name
from gonzaga_env.kernel.records import (
    REPLAY_ERRORS,
    Decisions,
    Record,
    brief,
    read_records,
    record_files,
    replay_games,
    unpack_masks,
)
from gonzaga_env.kernel.result import Reward, check_reward, win_shares
from gonzaga_env.kernel.spec import Config, Engine

Columns = dict[str, NDArray[Any]]
"""Arrays by name, with one row for each decision."""

BLOCK_GAMES = 240
"""Games that are played again at once; they take about 80 MB with observations."""
OBSERVATION, MASK = "observation", "action_mask"
MEANINGS = {
    "game": "number of the game, from 0",
    "step": "number of the decision in its game, from 0",
    "seed": "of the deal; games with one seed share all chance",
    "seat": "the seat that decides",
    "kind": "the kind of decision, as an index of `GameSpec.kinds`",
    "agent": "the name of the agent on the seat, its first 200 characters",
    OBSERVATION: "what the seat knows, D numbers of 0 to 255",
    MASK: "the legal actions, A booleans",
    "action": "the action that was chosen",
    "reward": "what the seat gains from here to its next decision, or to the end",
    "return": "what the seat gains from here to the end",
    "won": "the seat's share of the victory",
    "scores": "the final score of every seat, seat 0 first",
}
_SAME = ("game", "edition", "edition_hash", "num_players", "rules")  # in all games of a data set


@dataclass(frozen=True)
class Block:
    """Some games that were played again.

    Attributes:
        config: what is played.
        engine: holds the finished games.
        decisions: of all games, game after game.
        records: the games, [N].
        first: the number of the first one.
    """

    config: Config
    engine: Engine
    decisions: Decisions
    records: list[Record]
    first: int

    def columns(self, names: Sequence[str]) -> Columns:
        """Returns columns, [S, ...] by name."""
        played, engine = self.decisions, self.engine
        rows, seats = played.games, played.seats
        names_of_games = [[*map(shown_name, record["agents"])] for record in self.records]
        found: Columns = {
            "game": (self.first + rows).astype(np.int32),
            "step": played.steps.astype(np.int32),
            "seed": np.array([record["seed"] for record in self.records], np.uint64)[rows],
            "seat": seats.astype(np.int8),
            "kind": played.kinds.astype(np.int8),
            "agent": np.array(names_of_games)[rows, seats],
            "action": played.actions,
            "reward": played.rewards.astype(np.float32),
            "return": played.returns.astype(np.float32),
            "won": win_shares(engine.winners())[rows, seats].astype(np.float32),
            "scores": np.asarray(engine.totals, np.int32)[rows],
        }
        if played.observations is not None:
            found[OBSERVATION] = played.observations
        if played.mask_bits is not None:
            found[MASK] = unpack_masks(played.mask_bits, self.config.actions.size)
        return {name: found[name] for name in names}


def load(
    path: str | Path,
    *,
    columns: Sequence[str] = tuple(MEANINGS),
    batch_size: int = 1024,
    seed: int | None = None,
    reward: Reward = "outcome",
    edition: EditionSource | None = None,
) -> Iterator[Columns]:
    """Yields the decisions of recorded games in batches: arrays by column, one row a decision.

    Args:
        path: a file of records, or a folder with such files (`*.jsonl`), of one kind of game.
        columns: names of columns (`MEANINGS`).
        batch_size: rows of a batch; the last one may have fewer.
        seed: mixes the files, and the rows of 240 games each; None keeps the order.
        reward: what rewards and returns count: "outcome", "score" or "margin".
        edition: the edition; None for that of the records.

    Raises:
        OptionError: an argument has a value that it does not take.
        RecordError: the records can't be read, contradict the rules (which may show in the middle
            of the batches), or do not end as their seeds say; or there are none.
        EditionError: the edition cannot be found or has faults.
    """
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    if unknown := [name for name in names if name not in MEANINGS]:
        raise OptionError(f"there is no column {unknown[0]!r}; known: {', '.join(MEANINGS)}")
    if not names or not is_integer(batch_size) or batch_size < 1:
        raise OptionError(
            f"batch_size is {short_repr(batch_size)}; it takes 1 or more, and columns"
        )
    check_reward(reward)
    return _batches(Path(path), names, batch_size, seed, reward, edition)


def _batches(
    path: Path,
    names: Sequence[str],
    size: int,
    seed: int | None,
    reward: Reward,
    edition: EditionSource | None,
) -> Iterator[Columns]:
    rng = None if seed is None else np.random.default_rng(seed)
    rest: list[Columns] = []
    for block in blocks(path, names, reward, edition, rng):
        found = block.columns(names)
        rows = (
            np.arange(len(block.decisions))
            if rng is None
            else rng.permutation(len(block.decisions))
        )
        found = {name: values[rows] for name, values in found.items()}
        start, missing = 0, size - sum(len(each[names[0]]) for each in rest)
        while len(rows) - start >= missing:
            piece = {name: values[start : start + missing] for name, values in found.items()}
            yield _joined([*rest, piece])
            rest, start, missing = [], start + missing, size
        if start < len(rows):
            rest.append({name: values[start:] for name, values in found.items()})
    if rest:
        yield _joined(rest)


def _joined(parts: list[Columns]) -> Columns:
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def blocks(
    path: Path,
    names: Sequence[str] = (OBSERVATION, MASK),
    reward: Reward = "outcome",
    edition: EditionSource | None = None,
    rng: np.random.Generator | None = None,
) -> Iterator[Block]:
    """Yields recorded games, played again, in blocks of up to 240 of one file; see `load`."""
    files = record_files(path)
    if rng is not None:
        files = [files[i] for i in rng.permutation(len(files))]
    number, first = 0, None
    for file in files:
        records = read_records(file)
        while games := [*islice(records, BLOCK_GAMES)]:
            first = games[0] if first is None else first
            if any(game.get(name) != first.get(name) for game in games for name in _SAME):
                raise RecordError(f"{file}: holds games of several kinds; load one at a time")
            try:
                yield _replayed(games, number, names, reward, edition)
            except RecordError as error:
                raise RecordError(f"{file}: {error}") from error
            number += len(games)
    if not number:
        raise RecordError(f"{path}: holds no games{'' if path.is_file() else ' in *.jsonl'}")


def _replayed(
    games: list[Record],
    number: int,
    names: Sequence[str],
    reward: Reward,
    edition: EditionSource | None,
) -> Block:
    """Plays games again, from their deals and seeds."""
    spec = record_spec(games[0])
    try:
        config = spec.records.start(games[0], edition).game.config
        parts = [spec.records.read_deal(config, game) for game in games]
        arrays = zip(*(vars(each).values() for each in parts), strict=True)
        deals = type(parts[0])(*map(np.concatenate, arrays))
        seeds = np.array([game["seed"] for game in games], np.uint64)
        actions = [
            [config.actions.parse(move["action"]) for move in game["moves"]] for game in games
        ]
        totals = [game["scores"]["total"] for game in games]
        agents = [game["agents"] for game in games]
    except RecordError:
        raise
    except REPLAY_ERRORS as error:
        raise RecordError(f"a field is missing or wrong: {brief(error)}") from error
    is_text = [isinstance(each, list) and {*map(type, each)} == {str} for each in agents]
    if not all(is_text) or any(len(each) != config.num_players for each in agents):
        raise RecordError("agents: they take a name for each seat")
    engine = spec.engine.from_config(config, len(games), seed=seeds, autoreset=False, reward=reward)
    engine.reset(seed=seeds, deal=deals)
    played = replay_games(
        engine,
        np.concatenate(actions),
        np.array([len(each) for each in actions]),
        OBSERVATION in names,
        MASK in names,
    )
    for game, (total, told) in enumerate(zip(engine.totals.tolist(), totals, strict=True), 1):
        if total != told:
            raise RecordError(f"game {game} of the file does not end as its seed says")
    return Block(config, engine, played, games, number)
