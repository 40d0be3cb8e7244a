"""Writes a data set for Minari: every seat of every game is an episode.

Minari has a single learner, so an episode holds what one seat saw and did: its observations with
masks, as `mask="observation"` gives them, and rewards up to its next decision. What a seat knows at
the end of the game is the last observation, with an empty mask.

Needs `pip install "minari[create,hdf5]" pillow`.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

import minari
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec, registry
from minari.data_collector import EpisodeBuffer
from minari.dataset.minari_dataset import parse_dataset_id
from minari.namespace import create_namespace, list_local_namespaces
from minari.storage import get_dataset_path
from numpy.typing import NDArray

from gonzaga_env.envs.registration import learner_id, register_all
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.records import Decisions, unpack_masks
from gonzaga_env.tabletop.rewards import Reward, check_reward

from ..common.locks import lock_folder
from .columns import play_again
from .folder import Dataset
from .games import DatasetError, ShardGames

_PLACE = "MINARI_DATASETS_PATH"  # of the environment: where Minari keeps data sets


def write_minari(
    dataset: Dataset,
    name: str,
    reward: Reward = "outcome",
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Writes the episodes of a data set, and returns the number of their decisions.

    Args:
        dataset: the games.
        name: Minari's id of the new data set, such as "gonzaga/planner-v0".
        reward: what rewards count.
        on_progress: called with the shards that are done, and with that of all.

    Raises:
        DatasetError: games are missing or damaged, or Minari has a data set of this name.
        LockedError: another process writes a data set for Minari.
        OptionError: there is no such reward, or the name is not one for Minari.
    """
    check_reward(reward)
    dataset.check_complete()
    if _path(name).exists():
        raise DatasetError(f"Minari has a data set {name} already; delete it or take another name")
    made, steps = None, 0
    with _aside(name):
        for done, shard in enumerate(dataset.shards, 1):
            games = dataset.read(shard)
            buffers, about = _episodes(dataset, games, reward)
            if made is None:
                made = _create(dataset, name, buffers)
            else:
                made.update_dataset_from_buffer(buffers)
            numbers = range(made.total_episodes - len(buffers), made.total_episodes)
            made.storage.update_episode_metadata(about, numbers)
            steps += len(games.actions)
            on_progress(done, len(dataset.shards))
    return steps


@contextmanager
def _aside(name: str) -> Iterator[None]:
    """Lets Minari write into a hidden folder; what is there gets its name when the block has ended.

    Otherwise half of a data set would look complete. What a killed process left is removed.
    """
    target, before = _path(name), os.environ.get(_PLACE)
    hidden = Path(get_dataset_path()) / ".gonzaga_env"
    hidden.mkdir(exist_ok=True)
    with lock_folder(hidden, "Minari data set"), TemporaryDirectory(dir=hidden) as folder:
        for left in hidden.iterdir():
            if left.is_dir() and left != Path(folder):
                rmtree(left)
        try:
            os.environ[_PLACE] = folder
            yield
        finally:
            os.environ.pop(_PLACE)
            os.environ |= {} if before is None else {_PLACE: before}
        namespace = parse_dataset_id(name)[0]
        if namespace is not None and namespace not in list_local_namespaces():
            create_namespace(namespace)
        Path(folder, name).rename(target)


def _path(name: str) -> Path:
    """Returns where Minari keeps a data set."""
    try:
        parse_dataset_id(name)
    except (ValueError, TypeError) as error:  # the latter where the version is missing
        raise OptionError(f"name is {name!r}; it takes one such as gonzaga/planner-v0") from error
    return Path(get_dataset_path(name))


def _create(dataset: Dataset, name: str, buffers: list[EpisodeBuffer]) -> Any:
    """Creates Minari's data set with the first episodes."""
    config = dataset.config
    observation: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(0, 255, (config.features.size,), np.uint8),
        "action_mask": spaces.Box(0, 1, (config.actions.size,), np.int8),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of what it lacks to be published
        return minari.create_dataset_from_buffers(
            name,
            buffers,
            env=_env_spec(dataset),
            observation_space=spaces.Dict(observation),
            action_space=spaces.Discrete(config.actions.size),
            algorithm_name=", ".join(dataset.names),
            description=f"{dataset.config.summary}; data set {dataset.about['digest']}",
            requirements=["gonzaga-env"],
        )


def _env_spec(dataset: Dataset) -> EnvSpec:
    """Returns the environment of one seat, with the options of the games."""
    register_all()
    about, identity = dataset.about, learner_id(dataset.config.game)
    names = ("edition", "scenario")
    options = {name: about[name] for name in names if about.get(name) is not None}
    options["rules"] = dataset.config.rules.as_dict()
    spec = registry[identity]
    return EnvSpec(
        identity,
        entry_point=spec.entry_point,
        kwargs={**spec.kwargs, "num_players": about["players"], "mask": "observation", **options},
    )


def _episodes(
    dataset: Dataset, games: ShardGames, reward: Reward
) -> tuple[list[EpisodeBuffer], list[dict[str, Any]]]:
    """Returns an episode for every seat of every game, and what is said of each."""
    played, engine = play_again(dataset, games, reward=reward)
    last = np.stack([engine.observe(seat) for seat in range(engine.num_players)], axis=1)
    buffers, about = [], []
    for game, seat, rows in _seats(played):
        buffers.append(_episode(dataset, played, rows, last[game, seat], int(games.seeds[game])))
        agent = dataset.names[games.seating[game, seat]]
        about.append({"game": int(games.numbers[game]), "seat": seat, "agent": agent})
    return buffers, about


def _seats(played: Decisions) -> Iterator[tuple[int, int, NDArray[np.int64]]]:
    """Yields game, seat and rows of each seat's decisions."""
    order = np.lexsort((played.seats, played.games))
    of_game, of_seat = played.games[order], played.seats[order]
    ends = np.flatnonzero((np.diff(of_game) != 0) | (np.diff(of_seat) != 0)) + 1
    for rows in np.split(order, ends):
        yield int(played.games[rows[0]]), int(played.seats[rows[0]]), rows


def _episode(
    dataset: Dataset,
    played: Decisions,
    rows: NDArray[np.int64],
    last: NDArray[np.uint8],
    seed: int,
) -> EpisodeBuffer:
    assert played.observations is not None
    assert played.mask_bits is not None
    size = dataset.config.actions.size
    masks = np.zeros((len(rows) + 1, size), np.int8)
    masks[:-1] = unpack_masks(played.mask_bits[rows], size)
    over = np.arange(len(rows)) == len(rows) - 1
    return EpisodeBuffer(
        seed=seed,
        observations={
            "observation": np.concatenate([played.observations[rows], last[None]]),
            "action_mask": masks,
        },
        actions=played.actions[rows],
        rewards=played.rewards[rows],
        terminations=over,
        truncations=np.zeros(len(rows), np.bool_),
    )
