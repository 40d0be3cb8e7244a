"""Feeds broken files to everything that reads files: `python tools/fuzz.py --inputs 200000`.

Each input is a whole file that was changed at random: bytes, values within its JSON, or members of
its zip. It has to load, and then to play, or to end in one of this project's errors. The table
tells how many inputs did which, the slowest one, and how much memory was used.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import resource
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from gonzaga_agents.network.checkpoint import CheckpointError, load_agent
from gonzaga_agents.network.files import CHECKPOINT
from gonzaga_agents.tournament.results import ResultsError, header_of, read_results
from gonzaga_agents.training.command import Arguments, setup_of, stored_arguments
from gonzaga_agents.training.run import Run

from gonzaga_env.core import (
    EditionError,
    Engine,
    GameConfig,
    Recorder,
    RecordError,
    State,
    StateError,
    load_edition,
)
from gonzaga_env.core.edition import EDITIONS
from gonzaga_env.core.records import read_entries, verify, write_records

NASTY: list[Any] = [
    None, True, False, -1, 0, 1, 3, 12, 255, 256, 2**31, 2**70, -(2**70), 3.9, 1e308, "", "3", "x",
    "Italia", "\x00", "r\u2028", "9" * 300, [], {}, [[]], [None], [3, 3], {"x": 1}, [0] * 300,
]  # fmt: skip
TOKENS = [
    b"[" * 500, b"{" * 100, b"9" * 5000, b"1e999", b"NaN", b"-1", b'"', b"\\", b"\x00", b"\xff",
    b"\n", b",", b"]", b"null", b"99999999999999999999", b"0.5", b"=", b"[[city]]\n", b'"""',
]  # fmt: skip
TARGETS = ["tournaments", "states", "records", "checkpoints", "editions"]


@dataclass(frozen=True)
class Target:
    """Something that reads files.

    Attributes:
        name: what it is called in the table.
        valid: the content of a valid file.
        load: reads changed content, and plays with what it holds.
        errors: what it may raise.
        weight: its share of the inputs; loaders that take long have a small one.
        change: changes content from within, in six of ten inputs; None changes bytes alone.
    """

    name: str
    valid: bytes
    load: Callable[[bytes], object]
    errors: tuple[type[Exception], ...]
    weight: int = 1
    change: Callable[[bytes, Random], bytes] | None = None


@dataclass
class Outcome:
    """What became of the inputs of a target."""

    loaded: int = 0
    refused: int = 0
    slowest: float = 0.0
    failures: list[tuple[bytes, str]] = field(default_factory=list)


def change_bytes(content: bytes, rng: Random) -> bytes:
    """Returns content with some bytes changed, cut, doubled, or replaced by tokens."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 4))):
        start = rng.randrange(len(data) + 1)
        stop = min(len(data), start + rng.choice((1, 1, 2, 8, 64, 1000)))
        kind = rng.randrange(6)
        if kind == 0 and start < len(data):
            data[start] = rng.randrange(256)
        elif kind == 1:
            del data[start:stop]
        elif kind == 2:
            data[start:start] = data[start:stop]
        elif kind == 3:
            data[start:stop] = rng.choice(TOKENS)
        elif kind == 4:
            data[start:start] = rng.choice(TOKENS)
        else:
            numbers = list(re.finditer(rb"\d+", data))
            if numbers:
                found = rng.choice(numbers)
                data[found.start() : found.end()] = str(
                    rng.choice((0, 1, 7, 13, 99, 10**9))
                ).encode()
    return bytes(data)


def change_values(content: Any, rng: Random) -> Any:
    """Returns plain values with one of them replaced, removed or doubled."""
    content = json.loads(json.dumps(content))
    for _ in range(rng.choice((1, 1, 3))):
        holders = list(_holders(content))
        if not holders:
            return rng.choice(NASTY)
        holder, key = rng.choice(holders)
        kind = rng.randrange(5)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder.append(holder[key])
        else:
            holder[key] = json.loads(json.dumps(rng.choice(NASTY)))
    return content


def _holders(content: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(content, dict | list):
        keys = list(content) if isinstance(content, dict) else range(len(content))
        for key in keys:
            yield content, key
            yield from _holders(content[key])


def change_json(content: bytes, rng: Random) -> bytes:
    """Returns a JSON document with some values changed."""
    return _dump(change_values(json.loads(content), rng))


def change_zip(content: bytes, rng: Random) -> bytes:
    """Returns a zip with one member changed or removed, or one within a zip within it."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(list(members))
    old = members.pop(name)
    if rng.random() < 0.95:
        is_json, is_zip = name.endswith(".json"), zipfile.is_zipfile(io.BytesIO(old))
        change = change_json if is_json else change_zip if is_zip else change_bytes
        members[name] = (change_bytes if rng.random() < 0.2 else change)(old, rng)
    changed = io.BytesIO()
    with zipfile.ZipFile(changed, "w") as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return changed.getvalue()


def fuzz(target: Target, num_inputs: int, seed: int) -> Outcome:
    """Feeds changed content to a target."""
    rng, outcome = Random(f"{target.name} {seed}"), Outcome()
    for _ in range(num_inputs):
        is_within = target.change is not None and rng.random() < 0.6
        change = target.change if is_within and target.change else change_bytes
        content = change(target.valid, rng)
        started = time.perf_counter()
        try:
            target.load(content)
            outcome.loaded += 1
        except target.errors:
            outcome.refused += 1
        except Exception as error:
            outcome.failures.append((content, f"{type(error).__name__}: {error}"))
        outcome.slowest = max(outcome.slowest, time.perf_counter() - started)
    return outcome


def targets(folder: Path) -> list[Target]:
    """Returns all targets; they write into a folder."""
    config = GameConfig(2, scenario="Gutenberg")
    quick = [_results(folder, config), _states(config)]
    return [*quick, _records(folder, config), _checkpoints(folder, config), *_editions(folder)]


def _editions(folder: Path) -> Iterator[Target]:
    whole = {path.name: path.read_bytes() for path in (EDITIONS / "europe").glob("*.toml")}
    place = folder / "edition"
    place.mkdir()
    for name, valid in sorted(whole.items()):

        def load(content: bytes, name: str = name) -> None:
            for other, text in whole.items():
                (place / other).write_bytes(content if other == name else text)
            load_edition(place)

        yield Target(f"editions, {name}", valid, load, (EditionError,))


def _records(folder: Path, config: GameConfig) -> Target:
    recorder = Recorder(engine := Engine.from_config(config, 1, autoreset=False), ["random"] * 2)
    rng = np.random.default_rng(0)
    while not (records := recorder.pop()):
        recorder.step(engine.sample_legal(rng))
    file = folder / "games.jsonl"
    write_records(file, records)
    valid = file.read_bytes()

    def load(content: bytes) -> None:
        file.write_bytes(content)
        for _, reason in verify(read_entries(file)):
            if reason is not None:
                raise RecordError(str(reason))

    return Target("records", valid, load, (RecordError,), 4, change_json)


def _checkpoints(folder: Path, config: GameConfig) -> Target:
    folder = folder / "run"
    arguments = Arguments(
        players=config.num_players, scenario="Gutenberg", timesteps=64, imitate=0, num_games=2,
        minibatch=32, width=8, opponents="random", eval_deals=0, device="cpu", processes="1",
    )  # fmt: skip
    setup = setup_of(arguments)
    run = Run(setup, folder, resume=False)
    with redirect_stderr(io.StringIO()):  # its progress
        run.learn()
    run.save()
    file, longer = folder / CHECKPOINT, replace(setup, timesteps=2**62)  # no checkpoint has more
    engine, rng = Engine.from_config(config, 2), np.random.default_rng(0)

    def load(content: bytes) -> None:
        file.write_bytes(content)
        load_agent(file, config).act(engine.observe(), engine.legal_action_mask(), rng)
        stored_arguments(folder)
        Run(longer, folder, resume=True)

    return Target("checkpoints", file.read_bytes(), load, (CheckpointError,), 2, change_zip)


def _dump(content: Any) -> bytes:
    return json.dumps(content).encode() + b"\n"


def _states(config: GameConfig) -> Target:
    engine, rng = Engine.from_config(config, 2, autoreset=False), np.random.default_rng(0)
    for _ in range(18):
        engine.step(engine.sample_legal(rng))

    def load(content: bytes) -> None:
        twin = Engine.from_state(config, State.from_bytes(content))
        choices = np.random.default_rng(0)
        while not twin.state.finished.all():
            twin.step(twin.sample_legal(choices))

    return Target("states", engine.state.to_bytes(), load, (StateError,), 12)


def _results(folder: Path, config: GameConfig) -> Target:
    file, header = folder / "results.jsonl", header_of(config, 0)
    game = {"agents": ["greedy", "random"], "scores": [9, 7], "winners": [0], "rounds": 8}
    lines = [header, {"session": {"date": "2026-11-21", "commit": None}}]
    lines += [{"deal": deal, "rotation": deal % 2, **game} for deal in range(4)]
    valid = b"".join(map(_dump, lines))

    def load(content: bytes) -> None:
        file.write_bytes(content)
        read_results(file, header)

    return Target("tournaments", valid, load, (ResultsError,), 12)


def main() -> int:
    """Fuzzes all targets and prints the table; the exit code is 1 if an input failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=20_000, help="in all (20,000)")
    parser.add_argument("--seed", type=int, default=0, help="decides the inputs (0)")
    parser.add_argument("--targets", nargs="+", choices=TARGETS, default=TARGETS, help="(all)")
    options = parser.parse_args()
    failed = 0
    print("| target | inputs | loaded | refused | failed | slowest |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        found = targets(Path(folder))
        share = options.inputs / sum(target.weight for target in found)
        for target in found:
            if target.name.partition(",")[0] not in options.targets:
                continue
            number = round(share * target.weight)
            outcome = fuzz(target, number, options.seed)
            failed += len(outcome.failures)
            print(
                f"| {target.name} | {number:,} | {outcome.loaded:,} | "
                f"{outcome.refused:,} | {len(outcome.failures)} | {outcome.slowest:.2f} s |",
                flush=True,
            )
            for reason, count in Counter(reason for _, reason in outcome.failures).most_common(9):
                print(f"  {count} times {reason[:300]}", file=sys.stderr)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nmemory: {peak:,.0f} MB at most")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
