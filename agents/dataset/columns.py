"""The columns of a data set, made by playing its games again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.errors import OptionError, RecordError
from gonzaga_env.tabletop.records import Decisions, replay_games
from gonzaga_env.tabletop.rewards import Reward

from .folder import Dataset
from .games import DatasetError, ShardGames
from .recipe import rotations_per_deal

Columns = dict[str, NDArray[Any]]
"""Arrays by name, with one row for each decision."""

OBSERVATION, MASK = "observation", "action_mask"
MEANINGS = {
    "game": "number of the game, from 0",
    "step": "number of the decision in its game, from 0",
    "deal": "number of the deal; the games of one deal share all chance",
    "seed": "of the deal",
    "seat": "the seat that decides",
    "kind": "the kind of decision",
    "agent": "the agent on the seat",
    OBSERVATION: "what the seat knows, D bytes of uint8",
    MASK: "the legal actions, A bits, the lowest bit of each byte first",
    "action": "the action that was chosen",
    "reward": "what the seat gains from here to its next decision, or to the end",
    "return": "what the seat gains from here to the end",
    "won": "the seat's share of the victory",
    "scores": "the final score of every seat, seat 0 first",
}
CODED = ("kind", "agent")  # indices of `GameSpec.kinds` and of the agents' names

BLOCK_SHARDS = 2
"""Shards that are played again at once: 480 games take about 160 MB with observations."""


def check_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Returns names of columns; OptionError names one that does not exist, or comes twice."""
    names = (names,) if isinstance(names, str) else tuple(names)
    if unknown := [name for name in names if name not in MEANINGS]:
        raise OptionError(f"there is no column {unknown[0]!r}; there are: {', '.join(MEANINGS)}")
    if not names or len({*names}) < len(names):
        raise OptionError(f"columns are {names!r}; they take names, each once")
    return names


def replay_shards(
    dataset: Dataset,
    shards: Sequence[Path],
    names: Sequence[str] = tuple(MEANINGS),
    reward: Reward = "outcome",
) -> Columns:
    """Plays the games of some consecutive shards again and returns columns, [S, ...] by name.

    Masks are bits; kinds and agents are indices (`CODED`).

    Raises:
        DatasetError: a shard is missing or damaged, or its actions are not of this game.
    """
    games = joined([dataset.read(shard) for shard in shards])
    played, _ = play_again(dataset, games, OBSERVATION in names, MASK in names, reward)
    return _columns(dataset, games, played, names)


def play_again(
    dataset: Dataset,
    games: ShardGames,
    observations: bool = True,
    masks: bool = True,
    reward: Reward = "outcome",
) -> tuple[Decisions, Any]:
    """Plays games again; returns their decisions, and the engine with the finished games.

    Raises:
        DatasetError: their actions or scores contradict the rules.
    """
    engine = dataset.spec.engine.from_config(
        dataset.config, len(games), seed=games.seeds, autoreset=False, reward=reward
    )
    try:
        played = replay_games(engine, games.actions, games.lengths, observations, masks)
    except RecordError as error:
        raise DatasetError(f"{dataset.path}, from game {games.first} on: {error}") from error
    different = (engine.totals != games.totals) | (engine.winners() != games.won)
    if different.any():
        game = games.numbers[different.any(axis=1).argmax()]
        raise DatasetError(f"{dataset.path}: game {game} does not end as its shard says")
    return played, engine


def joined(parts: Sequence[ShardGames]) -> ShardGames:
    """Returns consecutive games as one."""
    arrays = ("seeds", "seating", "totals", "won", "lengths", "actions")
    both = {name: np.concatenate([getattr(part, name) for part in parts]) for name in arrays}
    return ShardGames(parts[0].dataset, parts[0].first, **both)


def _columns(
    dataset: Dataset, games: ShardGames, played: Decisions, names: Sequence[str]
) -> Columns:
    rows, seats = played.games, played.seats
    make: dict[str, Callable[[], Any]] = {
        "game": lambda: games.numbers[rows].astype(np.int32),
        "step": lambda: played.steps.astype(np.int16),
        "deal": lambda: (games.numbers[rows] // rotations_per_deal(dataset.about)).astype(np.int32),
        "seed": lambda: games.seeds[rows].astype(np.int64),
        "seat": lambda: seats.astype(np.int8),
        "kind": lambda: played.kinds.astype(np.int8),
        "agent": lambda: games.seating[rows, seats].astype(np.int8),
        OBSERVATION: lambda: played.observations,
        MASK: lambda: played.mask_bits,
        "action": lambda: played.actions.astype(np.int32),
        "reward": lambda: played.rewards.astype(np.float32),
        "return": lambda: played.returns.astype(np.float32),
        "won": lambda: games.shares[rows, seats].astype(np.float32),
        "scores": lambda: games.totals[rows],
    }
    return {name: make[name]() for name in names}
