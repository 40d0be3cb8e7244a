"""Writes recorded games as files of other libraries: Parquet, and Minari's data sets.

Minari has a single learner, so an episode is what one seat saw and did: its observations with
masks, as `mask="observation"` gives them, and rewards up to its next decision. The last observation
is what a seat knows at the end of the game, with an empty mask. Minari needs
`pip install "minari[create,hdf5]" pillow`.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec, registry

from gonzaga_env.envs.registration import learner_id, register_all
from gonzaga_env.extras import extra_needed
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.records import unpack_masks
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.writing import open_aside, remove_leftovers, write_aside
from gonzaga_env.progress import OnProgress

from ..play.jobs import ignore
from .read import MASK, MEANINGS, OBSERVATION, Block, blocks

if TYPE_CHECKING:
    from minari import MinariDataset
    from minari.data_collector import EpisodeBuffer
    from pyarrow import DataType, Schema

_PLACE = "MINARI_DATASETS_PATH"  # of the environment: where Minari keeps data sets


def write_parquet(path: str | Path, out: str | Path, on_progress: OnProgress = ignore) -> int:
    """Writes a file of Parquet for every 240 games; returns the number of decisions.

    The columns are those of `load`, with rewards for the victory ("outcome"); observations and
    masks are lists of one length. The metadata `gonzaga_env` of a file hold the meaning of columns
    and the layout of observations. FOLDER.croissant.json, beside the folder, describes it in
    MLCommons' format Croissant 1.0.

    Args:
        path: a file or a folder of records.
        out: the folder; it is made, and must not hold Parquet files.
        on_progress: called with the games that are done, and with 0.

    Raises:
        OptionError: the folder holds Parquet files.
        RecordError: the records can't be read or contradict the rules.
        OSError: a file can't be written.
        ModuleNotFoundError: pyarrow is missing; the message says what to install.
    """
    with extra_needed():
        import pyarrow as pa
        import pyarrow.parquet as pq
    out, rows = Path(out), 0
    out.mkdir(parents=True, exist_ok=True)
    if any(out.glob("*.parquet")):
        raise OptionError(f"{out}: holds Parquet files; take another folder")
    remove_leftovers(out, "[0-9]*.parquet")
    for number, block in enumerate(blocks(Path(path))):
        found: dict[str, Any] = block.columns(tuple(MEANINGS))
        for name in (OBSERVATION, MASK, "scores"):
            width = found[name].shape[1]
            found[name] = pa.FixedSizeListArray.from_arrays(pa.array(found[name].ravel()), width)
        table = pa.table(found).replace_schema_metadata({"gonzaga_env": _about(block.config)})
        with open_aside(out / f"{number:05}.parquet") as file:
            pq.write_table(table, file, compression="zstd")
        rows += len(table)
        on_progress(block.first + len(block.records), 0)
    if rows:
        whole = out.resolve()  # beside the folder: `datasets` takes all files in it for data
        text = _croissant(whole.name, block.config, table.schema)
        write_aside(whole.with_name(f"{whole.name}.croissant.json"), text)
    return rows


#: JSON-LD's context of Croissant 1.0, of the words that stand below.
_CONTEXT: dict[str, Json] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "conformsTo": "http://purl.org/dc/terms/conformsTo",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    **{name: f"cr:{name}" for name in ("column", "extract", "field", "fileSet", "includes")},
    **{name: f"cr:{name}" for name in ("isArray", "arrayShape", "recordSet", "source")},
}


def _croissant(name: str, config: Config, schema: Schema) -> str:
    """Returns what a folder of Parquet files holds in Croissant 1.0, which search engines read."""
    files: Json = {
        "@type": "cr:FileSet",
        "@id": "parquet",
        "includes": f"{name}/*.parquet",
        "encodingFormat": "application/x-parquet",
    }
    title = game_spec(config.game).title
    about: Json = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": f"Games of {title}: what each seat saw and did, a row for each decision",
        "distribution": [files],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "decisions",
                "field": [_croissant_field(each.name, each.type) for each in schema],
            }
        ],
    }
    return json.dumps(about, indent=1) + "\n"


def _croissant_field(name: str, kind: DataType) -> Json:
    array = hasattr(kind, "list_size")
    value = str(kind.value_type if array else kind)
    types = {"bool": "sc:Boolean", "string": "sc:Text", "float": "sc:Float"}
    return {
        "@type": "cr:Field",
        "@id": f"decisions/{name}",
        "description": MEANINGS[name],
        "dataType": types.get(value, "sc:Integer"),
        "source": {"fileSet": {"@id": "parquet"}, "extract": {"column": name}},
        **({"isArray": True, "arrayShape": str(kind.list_size)} if array else {}),
    }


def _about(config: Config) -> str:
    """Returns the meaning of the columns and the layout of observations, as JSON."""
    layout = [
        {"name": f.name, "start": f.start, "shape": f.shape, "scale": f.scale, "meaning": f.meaning}
        for f in config.features
    ]
    return json.dumps({"game": config.game, "columns": MEANINGS, "features": layout})


def write_minari(path: str | Path, name: str, on_progress: OnProgress = ignore) -> int:
    """Writes the episodes of recorded games, and returns the number of their decisions.

    Rewards count the victory ("outcome").

    Args:
        path: a file or a folder of records.
        name: Minari's id of the new data set, such as "gonzaga/planner-v0".
        on_progress: called with the games that are done, and with 0.

    Raises:
        RecordError: the records can't be read or contradict the rules.
        OptionError: the name is not one for Minari, or it is taken.
        ModuleNotFoundError: Minari is missing; the message says what to install.
    """
    with extra_needed():
        import minari
    made: MinariDataset | None = None
    steps = 0
    with _aside(name):
        for block in blocks(Path(path)):
            buffers, about = _episodes(block)
            if made is None:
                made = _create(minari, block, name, buffers)
            else:
                made.update_dataset_from_buffer(buffers)
            numbers = range(made.total_episodes - len(buffers), made.total_episodes)
            made.storage.update_episode_metadata(about, numbers)
            steps += len(block.decisions)
            on_progress(block.first + len(block.records), 0)
    return steps


@contextmanager
def _aside(name: str) -> Iterator[None]:
    """Lets Minari write into another folder; what is there gets its name when the block has ended.

    Otherwise half of a data set would look complete.
    """
    from minari.data_collector import EpisodeBuffer  # noqa: F401 - h5py is there
    from minari.dataset.minari_dataset import parse_dataset_id
    from minari.namespace import create_namespace, list_local_namespaces
    from minari.storage import get_dataset_path

    try:
        namespace = parse_dataset_id(name)[0]
    except (ValueError, TypeError) as error:  # the latter where the version is missing
        raise OptionError(f"name is {name!r}; it takes one such as gonzaga/planner-v0") from error
    target, before = Path(get_dataset_path(name)), os.environ.get(_PLACE)
    if target.exists():
        raise OptionError(f"Minari has a data set {name} already; delete it or take another name")
    with TemporaryDirectory(dir=get_dataset_path(), prefix=".") as folder:
        try:
            os.environ[_PLACE] = folder
            yield
        finally:
            os.environ.pop(_PLACE)
            os.environ |= {} if before is None else {_PLACE: before}
        if namespace is not None and namespace not in list_local_namespaces():
            create_namespace(namespace)
        Path(folder, name).rename(target)


def _create(
    minari: ModuleType, block: Block, name: str, buffers: list[EpisodeBuffer]
) -> MinariDataset:
    """Creates Minari's data set with the first episodes."""
    config = block.config
    observation: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(0, 255, (config.features.size,), np.uint8),
        "action_mask": spaces.Box(0, 1, (config.actions.size,), np.int8),
    }
    agents = sorted({agent for record in block.records for agent in record["agents"]})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of what it lacks to be published
        return minari.create_dataset_from_buffers(
            name,
            buffers,
            env=_env_spec(block),
            observation_space=spaces.Dict(observation),
            action_space=spaces.Discrete(config.actions.size),
            algorithm_name=", ".join(agents),
            description=config.summary,
            requirements=["gonzaga-env"],
        )


def _env_spec(block: Block) -> EnvSpec:
    """Returns the environment of one seat, with the options of the games."""
    register_all()
    config, identity = block.config, learner_id(block.config.game)
    spec = registry[identity]
    options = {
        "num_players": config.num_players,
        "mask": "observation",
        "edition": block.records[0]["edition"],
        "rules": config.rules.as_dict(),
    }
    return EnvSpec(identity, entry_point=spec.entry_point, kwargs={**spec.kwargs, **options})


def _episodes(block: Block) -> tuple[list[EpisodeBuffer], list[dict[str, Json]]]:
    """Returns an episode for every seat of every game, and the metadata of each."""
    from minari.data_collector import EpisodeBuffer

    played, engine = block.decisions, block.engine
    assert played.observations is not None
    assert played.mask_bits is not None
    last = np.stack([engine.observe(seat) for seat in range(engine.num_players)], axis=1)
    buffers, about = [], []
    for game, record in enumerate(block.records):
        for seat, agent in enumerate(record["agents"]):
            rows = np.flatnonzero((played.games == game) & (played.seats == seat))
            if not len(rows):
                continue
            masks = np.zeros((len(rows) + 1, block.config.actions.size), np.int8)
            masks[:-1] = unpack_masks(played.mask_bits[rows], masks.shape[1])
            seen = np.concatenate([played.observations[rows], last[game, seat][None]])
            buffers.append(
                EpisodeBuffer(
                    seed=record["seed"],
                    observations={"observation": seen, "action_mask": masks},
                    actions=played.actions[rows],
                    rewards=played.rewards[rows],
                    terminations=np.arange(len(rows)) == len(rows) - 1,
                    truncations=np.zeros(len(rows), np.bool_),
                )
            )
            about.append({"game": block.first + game, "seat": seat, "agent": agent})
    return buffers, about
