"""What reads files, by format: doors that take bytes, and what they may raise.

Each format imports only what it needs, so that libraries leave room under the limit of memory.
Files are written into the current folder.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from gonzaga_env.core import (
    EditionError,
    Engine,
    Game,
    GameConfig,
    Recorder,
    RecordError,
    State,
    StateError,
    load_edition,
)
from gonzaga_env.core.edition import EDITIONS
from gonzaga_env.core.errors import GonzagaError
from gonzaga_env.core.records import read_entries, verify, write_records
from tools.fuzzing.binary import change_model, change_weights
from tools.fuzzing.inputs import (
    change_array,
    change_json,
    change_lines,
    change_state,
    change_toml,
    change_zip,
    read_zip,
    write_zip,
)


@dataclass(frozen=True)
class Door:
    """A function that reads a format, with inputs for it.

    Attributes:
        name: what it is called in reports.
        make: makes an input; it may be valid.
        read: takes an input, and uses what it holds.
        errors: what it may raise.
    """

    name: str
    make: Callable[[Random], bytes]
    read: Callable[[bytes], object]
    errors: tuple[type[Exception], ...]


def _changed(name: str, valid: bytes, change: Any, read: Any, *errors: type[Exception]) -> Door:
    """Returns a door whose inputs are a valid one that was changed."""
    return Door(name, partial(change, valid), read, errors)


# --- TOML


def toml_doors() -> list[Door]:
    """Returns what reads the files of editions: the loader, and the editor behind a request."""
    from gonzaga_agents.play.web.editor.errors import RefusedError
    from gonzaga_agents.play.web.editor.handlers import open_files

    whole = {path.name: path.read_bytes() for path in sorted((EDITIONS / "europe").glob("*.toml"))}

    def load(name: str, content: bytes) -> None:
        for other, text in whole.items():
            Path(other).write_bytes(content if other == name else text)
        load_edition(Path())

    def edit(name: str, content: bytes) -> None:
        open_files({"files": {name: content}})

    doors = []
    for name, valid in whole.items():
        refused = _changed(f"editor, {name}", valid, change_toml, partial(edit, name), RefusedError)
        doors += [refused] * 3  # takes a fifth of what loading a whole edition takes
        one = partial(load, name)
        doors.append(_changed(f"load_edition, {name}", valid, change_toml, one, EditionError))
    return doors


# --- JSON


def json_doors() -> list[Door]:
    """Returns what reads JSON: records, results, curves, policies, checkpoints, web requests."""
    from gonzaga_agents.agent import AgentError
    from gonzaga_agents.policies.files import FOLDER, read_description
    from gonzaga_agents.tournament.results import ResultsError, header_of, read_results
    from gonzaga_agents.training.reports.curve import read_curve

    config, file = GameConfig(2, scenario="Gutenberg"), Path("file")
    header = header_of(config, 0)
    point = {"turns": 1, "seconds": 2.0, "against": {"random": [0.5, 0.4, 0.6]}}
    policy = (FOLDER / "players_2.json").read_bytes()

    def verified(path: Path) -> None:
        for _, reason in verify(read_entries(path)):
            if reason is not None:
                raise reason

    def results(path: Path) -> None:
        read_results(path, header)

    def door(name: str, valid: bytes, change: Any, read: Any, *errors: type[Exception]) -> Door:
        return _changed(name, valid, change, partial(_as_file, file, read), *errors)

    return [
        door("records", _records(config), change_lines, verified, RecordError, EditionError),
        door("results", _results(header), change_lines, results, ResultsError),
        door("curve", _dump([point] * 3), change_json, read_curve, GonzagaError),
        door("policy", policy, change_json, read_description, AgentError),
        *_request_doors(),
    ]


def _as_file(path: Path, read: Callable[[Path], object], content: bytes) -> None:
    path.write_bytes(content)
    read(path)


def _request_doors() -> list[Door]:
    """Returns what reads the bodies of requests, which the server bounds before."""
    from gonzaga_agents.play.web.editor.handlers import TASKS, as_asked
    from gonzaga_agents.play.web.editor.model import to_model
    from gonzaga_agents.play.web.requests import as_object, integer

    def move(content: bytes) -> None:
        integer(as_object(content), "action")

    def edit(content: bytes) -> None:
        asked = as_asked(content, "application/json")
        TASKS["check"](asked)
        TASKS["save"](asked)

    small = partial(change_json, most=2**14)
    model = {"model": to_model(load_edition("europe"))}
    return [
        _changed("request: move", _dump({"action": 3, "seat": 0}), small, move, GonzagaError),
        _changed("request: edition", _dump(model), change_json, edit, GonzagaError),
    ]


def _dump(content: Any) -> bytes:
    return json.dumps(content).encode() + b"\n"


def _records(config: GameConfig) -> bytes:
    """Returns a file of one record."""
    engine = Engine.from_config(config, 2, autoreset=False)
    recorder, rng, records = Recorder(engine, ["random"] * 2), np.random.default_rng(0), []
    while not records:
        recorder.step(engine.sample_legal(rng))
        records += recorder.pop()[:1]
    with tempfile.TemporaryDirectory() as folder:
        write_records(file := Path(folder, "records"), records)
        return file.read_bytes()


def _results(header: dict[str, Any]) -> bytes:
    game = {"agents": ["greedy", "random"], "scores": [9, 7], "winners": [0], "rounds": 8}
    lines = [header, {"session": {"date": "2026-11-21", "commit": None}}]
    lines += [{"deal": deal, "rotation": deal % 2, **game} for deal in range(4)]
    return b"".join(map(_dump, lines))


# --- states


def state_doors() -> list[Door]:
    """Returns the loader of states, from positions of all numbers of players."""
    doors = []
    for players in (2, 3, 4):
        config = GameConfig(players)
        for steps in (0, 7, 31, 400):
            engine, rng = Engine.from_config(config, 1, seed=steps, autoreset=False), Random(steps)
            for _ in range(steps * players // 2):
                engine.step(engine.sample_legal(np.random.default_rng(rng.randrange(2**32))))
            name, valid = f"{players} players, step {steps}", engine.state.to_bytes()
            read = partial(_play_both, config)
            doors.append(_changed(name, valid, change_state, read, StateError))
    return doors


def _play_both(config: GameConfig, content: bytes) -> None:
    """Plays a state to its end with both engines.

    Raises:
        StateError: it is refused.
        AssertionError: the engines part, or refuse what they made themselves.
    """
    state = State.from_bytes(content)
    engine = Engine.from_state(config, state)
    if state.num_games != 1:
        return
    game, rng, successors = Game.from_config(config), np.random.default_rng(0), []
    game.state = state
    while not engine.state.finished.all():
        action = game.sample_legal(rng)
        engine.step([action])
        game.play(action)
        successors.append(engine.state.copy())
    if not game.finished or game.state != engine.state:
        raise AssertionError("the engines part")
    if successors:
        try:
            Engine.from_state(config, State.concatenate(successors))
        except StateError as error:
            raise AssertionError(f"a successor is refused: {error}") from error


# --- checkpoints: pickles, and the zips around them


def pickle_doors() -> list[Door]:
    """Returns what reads the weights and the optimizer of checkpoints."""
    members, (_, load, resume), error = _checkpoints()
    readers = {"policy.pth": load, "policy.optimizer.pth": resume}

    def make(name: str, rng: Random) -> bytes:
        return write_zip(list((members | {name: change_weights(members[name], rng)}).items()))

    return [Door(name, partial(make, name), read, (error,)) for name, read in readers.items()]


def zip_doors() -> list[Door]:
    """Returns what reads zips: checkpoints, and editions that are sent to the editor."""
    from gonzaga_agents.play.web.editor.errors import RefusedError
    from gonzaga_agents.play.web.editor.handlers import as_asked, open_files

    members, readers, error = _checkpoints()
    checkpoint = partial(change_zip, changes={".json": change_json, ".pth": change_zip})
    edition = partial(change_zip, changes={".toml": change_toml})
    files = [(f"europe/{p.name}", p.read_bytes()) for p in (EDITIONS / "europe").glob("*.toml")]

    def edit(content: bytes) -> None:
        open_files(as_asked(content, "application/zip"))

    whole = write_zip(list(members.items()))
    return [
        *(_changed("checkpoint", whole, checkpoint, read, error) for read in readers),
        *[_changed("editor", write_zip(sorted(files)), edition, edit, RefusedError)] * 3,
    ]


def _checkpoints() -> tuple[dict[str, bytes], list[Callable[[bytes], None]], type[Exception]]:
    """Returns the members of a checkpoint, what reads them, and the readers' error."""
    import torch
    from gonzaga_agents.network.checkpoint import CheckpointError, check_whole, load_agent
    from gonzaga_agents.network.files import CHECKPOINT
    from gonzaga_agents.training.command import Arguments, setup_of, stored_arguments
    from gonzaga_agents.training.resume import load_optimizer
    from gonzaga_agents.training.run import Run

    torch.set_num_threads(1)
    arguments = Arguments(
        players=2, scenario="Gutenberg", timesteps=64, imitate=0, num_games=2, minibatch=32,
        width=8, opponents="random", eval_deals=0, device="cpu", processes="1",
    )  # fmt: skip
    config = GameConfig(2, scenario="Gutenberg")
    with tempfile.TemporaryDirectory() as folder:
        run = Run(setup_of(arguments), Path(folder), resume=False)
        with redirect_stderr(io.StringIO()):  # its progress
            run.learn()
        run.save()
        members = dict(read_zip(Path(folder, CHECKPOINT).read_bytes()))
    optimizer = run.model.policy.optimizer
    engine, rng = Engine.from_config(config, 2), np.random.default_rng(0)

    def check(path: Path) -> None:
        check_whole(path)
        stored_arguments(path.parent)

    def load(path: Path) -> None:
        load_agent(path, config).act(engine.observe(), engine.legal_action_mask(), rng)

    def resume(path: Path) -> None:
        load_optimizer(path, optimizer)

    files = [(CHECKPOINT, check), ("other.zip", load), ("other.zip", resume)]
    return members, [partial(_as_file, Path(name), read) for name, read in files], CheckpointError


# --- values and models


def npz_doors() -> list[Door]:
    """Returns what reads the arrays of values."""
    from gonzaga_agents.agent import AgentError
    from gonzaga_agents.search.value import Value

    config, file = GameConfig(2), Path("value.npz")
    state = Engine.from_config(config, 1).state
    valid = (EDITIONS.parents[2] / "agents/search/values/players_2.npz").read_bytes()
    change = partial(change_zip, changes={".npy": change_array})

    def read(path: Path) -> None:
        Value.load(config, path).shares(state)

    return [_changed("value", valid, change, partial(_as_file, file, read), AgentError)]


def onnx_doors() -> list[Door]:
    """Returns what reads policies' models."""
    from gonzaga_agents.agent import AgentError
    from gonzaga_agents.policies.files import FOLDER
    from gonzaga_agents.policies.learned import load_learned

    config = GameConfig(2)
    about = json.loads((FOLDER / "players_2.json").read_bytes())
    engine, rng = Engine.from_config(config, 1), np.random.default_rng(0)

    def read(content: bytes) -> None:
        Path("players_2.onnx").write_bytes(content)
        digest = sha256(content).hexdigest()
        Path("players_2.json").write_text(json.dumps({**about, "sha256": digest}))
        load_learned(config, Path()).act(engine.observe(), engine.legal_action_mask(), rng)

    valid = (FOLDER / "players_2.onnx").read_bytes()
    return [_changed("policy", valid, change_model, read, AgentError)]


FORMATS: dict[str, Callable[[], list[Door]]] = {
    "toml": toml_doors,
    "json": json_doors,
    "states": state_doors,
    "npz": npz_doors,
    "zip": zip_doors,
    "pickle": pickle_doors,
    "onnx": onnx_doors,
}
