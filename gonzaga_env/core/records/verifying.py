"""Verifies many records in batches.

Games of one kind are replayed side by side by one engine, which is many times as fast as one after
the other. A game that differs there is replayed alone to find the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

import numpy as np

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.editions.loading import edition_of_record, load_edition
from gonzaga_env.core.records.recorder import Recorder
from gonzaga_env.core.records.replaying import read_config, read_deal, replay
from gonzaga_env.core.state.deals import Deal, check_deal
from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.errors import EditionError, IllegalActionError, RecordError
from gonzaga_env.tabletop.records import WRONG, Entry, Record, find_fault, same

_BATCH = 256  # games side by side; more are hardly faster
_EditionOf = Callable[[Record], Edition]


def verify(
    entries: Iterable[Entry], edition: str | Path | Edition | None = None
) -> Iterator[tuple[Entry, RecordError | EditionError | None]]:
    """Yields each line of a file of records with what is wrong with its game.

    Args:
        entries: lines, as from `read_entries`.
        edition: the edition; None for that of each record.

    Yields:
        The line, and None if every move, count and score agrees with the rules; else the first
        fault, as `replay` raises it.

    Raises:
        EditionError: the edition given cannot be found or has faults.
    """
    load = lru_cache(maxsize=8)(edition_of_record)  # checking one takes longer than a game
    given = load_edition(edition) if isinstance(edition, str | Path) else edition

    def edition_of(record: Record) -> Edition:
        name, digest = record["edition"], record["edition_hash"]
        if given is not None:
            return given
        if isinstance(name, str) and isinstance(digest, str):
            return load(name, digest)
        return load_edition(name)  # a list has no hash

    def replay_alone(record: Record) -> Engine:
        return replay(record, edition_of(record))

    rest = iter(entries)
    while batch := list(islice(rest, _BATCH)):
        right = _agreeing(batch, edition_of)
        for entry in batch:
            yield entry, None if entry.line in right else find_fault(replay_alone, entry)


def _agreeing(batch: Sequence[Entry], edition_of: _EditionOf) -> set[int]:
    """Returns the lines whose games agree with the rules; a few that agree may be missing."""
    kinds: dict[GameConfig, list[tuple[int, Record, Deal]]] = {}
    for entry in batch:
        record = entry.record
        if isinstance(record, RecordError):
            continue
        try:
            config = read_config(record, edition_of(record))
            deal = read_deal(record, config.edition)
            check_deal(config.tables, deal, 1, config.num_players)
        except WRONG:
            continue
        one = entry.line, record, deal
        kinds.setdefault(replace(config, scenario=None), []).append(one)
    right: set[int] = set()
    for config, games in kinds.items():
        lines, records, deals = zip(*games, strict=True)
        agree = _replay_together(config, records, deals)
        right.update(line for line, agrees in zip(lines, agree, strict=True) if agrees)
    return right


def _replay_together(
    config: GameConfig, records: Sequence[Record], deals: Sequence[Deal]
) -> list[bool]:
    """Returns which games agree with the rules."""
    engine = Engine.from_config(config, len(records), autoreset=False)
    fields = ("scenario", "decks", "objectives")
    deal = Deal(*(np.concatenate([getattr(d, name) for d in deals]) for name in fields))
    engine.reset([record["seed"] for record in records], deal)
    recorder = Recorder(engine, [record["agents"] for record in records])
    actions = [_actions(engine, record) for record in records]
    rows = np.arange(len(records))
    for move in range(max(map(len, actions))):
        rows = rows[[move < len(actions[i]) and engine.seats[i] >= 0 for i in rows]]
        rows = _step(recorder, rows, [actions[i][move] for i in rows])
    return [
        bool(engine.state.finished[i])
        and all(
            same(record.get(key), recorder.record(i)[key]) for key in ("moves", "scores", "winners")
        )
        for i, record in enumerate(records)
    ]


def _actions(engine: Engine, record: Record) -> list[int]:
    """Returns the actions of a record; none if one of them is not an action."""
    try:
        return [engine.actions.parse(move["action"]) for move in record["moves"]]
    except WRONG:
        return []


def _step(recorder: Recorder, rows: Indices, actions: list[int]) -> Indices:
    """Plays one move of some games and returns those in which it is legal."""
    while len(rows):
        try:
            recorder.step(actions, rows)
        except IllegalActionError as error:
            kept = rows != error.game
            actions = [action for action, keep in zip(actions, kept, strict=True) if keep]
            rows = rows[kept]
        else:
            break
    return rows
