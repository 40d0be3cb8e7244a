"""The card of a data set: what it holds, how it was made, and how to make it again.

Its header is what Hugging Face reads of a README.md.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gonzaga_env.games import game_spec

from .columns import MASK, MEANINGS, OBSERVATION
from .folder import PARQUET_FILES, Dataset, content_digest
from .recipe import rotations_per_deal

_SIZES = (
    *((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M")),
    *((10**7, "1M<n<10M"), (10**8, "10M<n<100M"), (10**9, "100M<n<1B")),
)


@dataclass(frozen=True)
class _Counts:
    """What the games of a data set add up to; by agent in the order of their names."""

    steps: int
    points: list[float]
    shares: list[int]


def games_card(dataset: Dataset) -> str:
    """Returns the card of a folder of games."""
    size = sum(shard.stat().st_size for shard in dataset.shards)
    counts = _count(dataset)
    lines = [
        "The folder holds a seed for each deal and the actions, "
        f"{size / max(counts.steps, 1):.2f} bytes a decision. `gonzaga_agents.dataset.load` plays "
        "the games again and gives observations, masks and rewards.",
        "",
        "    python -m gonzaga_agents.dataset parquet FOLDER --out OTHER",
        "",
        "writes Parquet files, which every library of data reads.",
    ]
    digest = content_digest(dataset.shards)
    return _card(dataset, counts.steps, lines, counts, digest, {"viewer": False})


def parquet_card(dataset: Dataset, out: Path, reward: str, rows: int, arrays: bool = False) -> str:
    """Returns the card of a folder of Parquet files."""
    files = sorted(out.glob(PARQUET_FILES))
    config = dataset.config
    meanings = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in MEANINGS.items())
    lines = [
        f"A row is a decision; rows lie game after game. Rewards and returns count `{reward}`.",
        *(_of_arrays(config) if arrays else _of_bytes(config)),
        "",
        "`gonzaga_agents.dataset.load` does that for whole batches. The files' metadata (key "
        "`gonzaga_env`) hold the layout of observations, the kinds of decisions and all of this.",
        "",
        "| column | |\n|---|---|\n" + meanings,
    ]
    configs = [{"config_name": "default", "data_files": PARQUET_FILES}]
    digest = content_digest(files)
    return _card(dataset, rows, lines, _count(dataset), digest, {"configs": configs})


def _of_arrays(config: Any) -> list[str]:
    return [
        f"`{OBSERVATION}` is a list of D = {config.features.size:,} bytes, and `{MASK}` one of "
        f"A = {config.actions.size:,} truths; `datasets` gives both as arrays after "
        "`with_format('numpy')`."
    ]


def _of_bytes(config: Any) -> list[str]:
    return [
        f"`{OBSERVATION}` and `{MASK}` are binary: D = {config.features.size:,} bytes, and a bit "
        f"for each of A = {config.actions.size:,} actions:",
        "",
        "    observation = np.frombuffer(row['observation'], np.uint8)",
        "    mask = np.unpackbits(np.frombuffer(row['action_mask'], np.uint8),",
        f"                         count={config.actions.size}, bitorder='little').astype(bool)",
    ]


def _card(
    dataset: Dataset,
    rows: int,
    content: Sequence[str],
    counts: _Counts,
    digest: str,
    header: dict[str, Any],
) -> str:
    about, title = dataset.about, dataset.spec.title
    rotations = rotations_per_deal(about)
    size = next((word for most, word in _SIZES if rows < most), "n>1T")
    header = {
        "pretty_name": f"{title}: games of {', '.join(dataset.names)}",
        "license": about["license"].lower(),
        "task_categories": ["reinforcement-learning"],
        "tags": ["offline-rl", "board-games", "multi-agent", "gonzaga_env"],
        "size_categories": [size],
        **header,
    }
    how = "each played once, with seats drawn (independent)"
    if rotations > 1:
        how = f"each played {rotations} times, with every agent on every hand (rotated)"
    facts = {
        "game": f"{title}, {dataset.config.summary}",
        "edition": f"{about['edition']}"
        + (", a reconstruction" if about["reconstruction"] else "")
        + f"; digest `{about['edition_hash']}`",
        "rules": json.dumps(about["rules"]),
        "games; decisions": f"{about['games']:,}; {counts.steps:,}",
        "deals": f"{about['games'] // rotations:,}; {how}",
        "versions": ", ".join(f"{name} {value}" for name, value in about["versions"].items()),
        "data set": f"`{about['digest']}` (of all that decides the games)",
        "content": f"`{digest}` (SHA-256 of the files' SHA-256s, in their order)",
        "licence": about["license"],
    }
    agents = zip(dataset.names, about["agents"], counts.shares, counts.points, strict=True)
    table = [f"| {n} | `{key}` | {share:.1%} | {pts:.1f} |" for n, key, share, pts in agents]
    return "\n".join(
        [
            "---\n" + "\n".join(f"{k}: {json.dumps(v)}" for k, v in header.items()) + "\n---",
            f"# {header['pretty_name']}",
            "",
            *content,
            "",
            "| | |\n|---|---|",
            *(f"| {name} | {value} |" for name, value in facts.items()),
            "",
            "| agent | named as | share of victories, per seat | points |\n|---|---|---|---|",
            *table,
            "",
            *_selection(rotations),
            "",
            "To make it again:",
            "",
            f"    {_command(dataset)}",
            "",
        ]
    )


def _selection(rotations: int) -> list[str]:
    """Returns how the games were chosen, as far as learners need to know."""
    lines = [
        "**Selection.** Every game that was begun is here, to its end; none was picked by its "
        "result. Positions are those that these agents reach, so what a model learns of others is "
        "a guess.",
    ]
    if rotations > 1:
        lines += [
            f"The {rotations} games of a deal share all chance: split into training and test by "
            "`deal`, and count deals, not games, in intervals.",
        ]
    else:
        lines += ["Deals are independent: any split by `game` is clean; one by decision is not."]
    return [
        *lines,
        "The seeds of the deals are public with the data: evaluate on other ones.",
    ]


def _command(dataset: Dataset) -> str:
    about, config = dataset.about, dataset.config
    agents = [key.partition("#")[0] for key in about["agents"]]
    words = ["python", "-m", "gonzaga_agents.dataset", "write", *agents]
    options = {
        "game": config.game,
        "edition": about["edition"],
        **({"scenario": about["scenario"]} if about.get("scenario") else {}),
        "players": about["players"],
        "games": about["games"],
        "deals": about["deals"],
        "seed": about["seed"],
        "out": "FOLDER",
    }
    for name, value in options.items():
        words += [f"--{name}", str(value)]
    usual = game_spec(config.game).config(config.num_players).rules.as_dict()
    played = config.rules.as_dict()
    changed = [f"{k}={json.dumps(v)}" for k, v in played.items() if usual.get(k) != v]
    return shlex.join(words + (["--rules", *changed] if changed else []))


def _count(dataset: Dataset) -> _Counts:
    """Returns the number of decisions, and each agent's mean share of victories and points."""
    size = len(dataset.names)
    points, shares, seats, steps = np.zeros(size), np.zeros(size), np.zeros(size), 0
    for shard in dataset.shards:
        games = dataset.read(shard)
        steps += len(games.actions)
        for i in range(size):
            own = games.seating == i
            seats[i] += own.sum()
            points[i] += games.totals[own].sum()
            shares[i] += games.shares[own].sum()
    seats = np.maximum(seats, 1)
    return _Counts(steps, (points / seats).tolist(), (shares / seats).tolist())
