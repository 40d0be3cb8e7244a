"""What reads files, by format: targets that take bytes, and what they may raise.

Each format imports only what it needs, so that libraries leave room under the limit of memory.
Files are written into the current folder.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

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
from gonzaga_env.core.board.edition import EDITIONS
from gonzaga_env.core.records import read_entries, verify, write_records
from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.errors import GameError
from tools.fuzzing import binary, inputs

_EUROPE = {path.name: path.read_bytes() for path in sorted((EDITIONS / "europe").glob("*.toml"))}


class Target(NamedTuple):
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


def _reader(path: str, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    """Returns what reads bytes as a file."""

    def write_and_read(content: bytes) -> None:
        Path(path).write_bytes(content)
        read(Path(path))

    return write_and_read


def toml_targets() -> list[Target]:
    """Returns what reads the files of editions: the loader, and the editor behind a request."""
    from gonzaga_table.web.editor.handlers import open_files
    from gonzaga_table.web.requests import RefusedError

    def load(name: str, content: bytes) -> None:
        for other, text in _EUROPE.items():
            Path(other).write_bytes(content if other == name else text)
        load_edition(Path())

    def edit(name: str, content: bytes) -> None:
        open_files({"files": {name: content}})

    targets = []
    for name, valid in _EUROPE.items():
        make = partial(inputs.change_toml, valid)
        fast = Target(f"editor, {name}", make, partial(edit, name), (RefusedError,))
        slow = Target(f"load_edition, {name}", make, partial(load, name), (EditionError,))
        targets += [fast, fast, fast, slow]
    return targets


def json_targets() -> list[Target]:
    """Returns what reads JSON: records, results, curves, policies, requests."""
    from gonzaga_agents.policies.shipped import FOLDER, read_description
    from gonzaga_agents.tournament.results import ResultsError, header_of, read_results
    from gonzaga_agents.training.reports.curve import read_curve
    from gonzaga_table.web.editor.handlers import TASKS, as_asked
    from gonzaga_table.web.editor.model import to_model
    from gonzaga_table.web.requests import as_object, integer

    from gonzaga_env.tabletop.agent import AgentError

    config = GameConfig(2, scenario="Gutenberg")
    header = header_of(config, 0)
    game = {"agents": ["greedy", "random"], "scores": [9, 7], "winners": [0], "rounds": 8}
    deals = [{"deal": deal, "rotation": deal % 2, **game} for deal in range(4)]
    lines = [header, {"session": {"date": "2026-11-21", "commit": None}}, *deals]
    point = {"turns": 1, "seconds": 2.0, "against": {"random": [0.5, 0.4, 0.6]}}

    def verified(path: Path) -> None:
        for _, reason in verify(read_entries(path)):
            if reason is not None:
                raise reason

    def move(content: bytes) -> None:  # the server bounds its bytes before
        integer(as_object(content), "action")

    def edit(content: bytes) -> None:
        asked = as_asked(content, "application/json")
        TASKS["check"](asked)
        TASKS["save"](asked)

    def target(
        name: str, valid: bytes, read: Any, *errors: type[Exception], **limits: int
    ) -> Target:
        is_lines = name in ("records", "results")
        change = inputs.change_lines if is_lines else inputs.change_json
        return Target(name, partial(change, valid, **limits), read, errors)

    about = (FOLDER / "players_2.json").read_bytes()
    results = _reader("file", lambda path: read_results(path, header))
    return [
        target("records", _records(config), _reader("file", verified), RecordError, EditionError),
        target("results", _dump(*lines), results, ResultsError),
        target("curve", _dump([point] * 3), _reader("file", read_curve), GameError),
        target("policy", about, _reader("file", read_description), AgentError),
        target("edition", _dump({"model": to_model(load_edition("europe"))}), edit, GameError),
        target("move", _dump({"action": 3, "seat": 0}), move, GameError, most=2**14),
    ]


def _dump(*lines: Any) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _records(config: GameConfig) -> bytes:
    """Returns a file of one record."""
    engine = Engine.from_config(config, 1, autoreset=False)
    recorder, rng = Recorder(engine, ["random"] * 2), np.random.default_rng(0)
    while not engine.state.finished.all():
        recorder.step(engine.sample_legal(rng))
    with tempfile.TemporaryDirectory() as folder:
        write_records(file := Path(folder, "records"), recorder.pop())
        return file.read_bytes()


def state_targets() -> list[Target]:
    """Returns the loader of states, from positions of all numbers of players."""
    targets = []
    for players in (2, 3, 4):
        config = GameConfig(players)
        for steps in (0, 7, 31, 400):
            engine = Engine.from_config(config, 1, seed=steps, autoreset=False)
            rng = np.random.default_rng(steps)
            for _ in range(steps * players // 2):
                engine.step(engine.sample_legal(rng))
            make = partial(inputs.change_state, engine.state.to_bytes())
            read = partial(_play_both, config)
            targets.append(Target(f"{players} players, step {steps}", make, read, (StateError,)))
    return targets


def _play_both(config: GameConfig, content: bytes) -> None:
    """Plays a state to its end with both engines.

    Raises:
        StateError: it is refused.
        AssertionError: the engines part, or refuse what they made themselves.
    """
    state = State.from_bytes(content)
    engine = Engine.from_state(config, state, autoreset=False)
    if state.num_games != 1:
        return
    game, rng = Game.from_config(config), np.random.default_rng(0)
    successors = [engine.state.copy()]
    game.state = state
    while not engine.state.finished.all():
        action = game.sample_legal(rng)
        engine.step([action])
        game.play(action)
        successors.append(engine.state.copy())
    if not game.finished or game.state.to_bytes() != engine.state.to_bytes():
        raise AssertionError("the engines part")
    try:
        Engine.from_state(config, State.concatenate(successors))
    except StateError as error:
        raise AssertionError(f"a successor is refused: {error}") from error


def pickle_targets() -> list[Target]:
    """Returns what reads the weights and the optimizer of checkpoints."""
    members, (_, load, resume), error = _checkpoints()

    def make(name: str, rng: Random) -> bytes:
        changed = binary.change_weights(members[name], rng)
        return inputs.write_zip(list((members | {name: changed}).items()))

    readers = {"policy.pth": load, "policy.optimizer.pth": resume}
    return [Target(name, partial(make, name), read, error) for name, read in readers.items()]


def zip_targets() -> list[Target]:
    """Returns what reads zips: checkpoints, and editions that are sent to the editor."""
    from gonzaga_table.web.editor.handlers import as_asked, open_files
    from gonzaga_table.web.requests import RefusedError

    members, readers, error = _checkpoints()
    changes = {".json": inputs.change_json, ".pth": inputs.change_zip, ".toml": inputs.change_toml}
    checkpoint, edition = (
        partial(inputs.change_zip, inputs.write_zip(list(files.items())), changes=changes)
        for files in (members, _EUROPE)
    )

    def edit(content: bytes) -> None:
        open_files(as_asked(content, "application/zip"))

    editor = Target("editor", edition, edit, (RefusedError,))
    return [*(Target("checkpoint", checkpoint, read, error) for read in readers), *[editor] * 3]


def _checkpoints() -> tuple[dict[str, bytes], list[Any], tuple[type[Exception]]]:
    """Returns the members of a checkpoint, what reads it (and plays or trains), and its error."""
    import torch
    from gonzaga_agents.network.checkpoint import CheckpointError, check_whole, load_agent
    from gonzaga_agents.network.files import CHECKPOINT
    from gonzaga_agents.training.command import setup_of, stored_arguments
    from gonzaga_agents.training.options import Arguments
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
        members = dict(inputs.read_zip(Path(folder, CHECKPOINT).read_bytes()))
    optimizer = run.model.policy.optimizer
    engine, rng = Engine.from_config(config, 2), np.random.default_rng(0)

    def check(path: Path) -> None:
        check_whole(path)
        stored_arguments(path.parent)

    def load(path: Path) -> None:
        load_agent(path, config).act(engine.observe(), engine.legal_action_mask(), rng)

    def resume(path: Path) -> None:
        load_optimizer(path, optimizer)

    readers = (CHECKPOINT, check), ("other.zip", load), ("other.zip", resume)
    return members, [_reader(*reader) for reader in readers], (CheckpointError,)


def npz_targets() -> list[Target]:
    """Returns what reads the arrays of values, solutions and networks of places."""
    from gonzaga_agents.gonzaga import value
    from gonzaga_agents.solve.agent import SHIPPED
    from gonzaga_agents.solve.solution import Solution

    from gonzaga_env.tabletop.agent import AgentError

    config = GameConfig(2)
    state = Engine.from_config(config, 1).state
    change = partial(inputs.change_zip, changes={".npy": inputs.change_array})
    read = _reader("value.npz", lambda path: value.Value.load(config, path).shares(state))
    valid = (Path(value.__file__).parent / "values/players_2.npz").read_bytes()
    small = GameConfig(2, edition="mini-a2")
    games = Engine.from_config(small, 1)
    seen, masks = games.observe(), games.legal_action_mask()
    solve = _reader(
        "solution.npz", lambda path: Solution.load(path, small).probabilities_of(seen, masks)
    )
    solution = (SHIPPED / "mini-a2.npz").read_bytes()
    return [
        Target("value", partial(change, valid), read, (AgentError,)),
        Target("solution", partial(change, solution), solve, (AgentError,)),
        _policy_target("weights", "tuscany", "players_2.weights.npz", change),
    ]


def onnx_targets() -> list[Target]:
    """Returns what reads policies' models."""
    return [_policy_target("policy", "gonzaga", "players_2.onnx", binary.change_model)]


def _policy_target(
    name: str, game: str, network: str, change: Callable[[bytes, Random], bytes]
) -> Target:
    """Returns what plays the policy that ships for two players with another network."""
    from gonzaga_agents.policies.learned import load_learned
    from gonzaga_agents.policies.shipped import policy_folder

    from gonzaga_env.tabletop.agent import AgentError

    spec, folder = game_spec(game), policy_folder(game)
    config = spec.config(num_players=2)
    about = json.loads((folder / "players_2.json").read_bytes())
    engine, rng = spec.engine.from_config(config, 1), np.random.default_rng(0)

    def read(content: bytes) -> None:
        Path(network).write_bytes(content)
        digest = sha256(content).hexdigest()
        Path("players_2.json").write_text(json.dumps({**about, "sha256": digest}))
        load_learned(config, Path()).act(engine.observe(), engine.legal_action_mask(), rng)

    valid = (folder / network).read_bytes()
    return Target(name, partial(change, valid), read, (AgentError,))


def analysis_targets() -> list[Target]:
    """Returns what reads analyses: the file that `analyse --out` goes on with, tables and pages."""
    from gonzaga_agents.analysis.analyse import analyse
    from gonzaga_agents.analysis.analysis import AnalysisError
    from gonzaga_agents.analysis.command import analysis_page
    from gonzaga_agents.analysis.files import AnalysesFile
    from gonzaga_agents.analysis.report import Summary, game_lines

    from gonzaga_env.tabletop.errors import OptionError

    record = json.loads(_records(GameConfig(2, scenario="Gutenberg")))
    told = analyse(record, ["search@2", "greedy"], num_playouts=1)

    def read(content: bytes) -> None:
        Path("analyses").write_bytes(content)
        summary = Summary()
        with AnalysesFile("analyses") as kept:
            found = kept.get(told.digest)
            if found is None or found.contradicts(record) is not None:
                return
            kept.add(found)
        summary.add(found)
        _ = [*game_lines(found, "game"), *summary.lines()], analysis_page(record, found, "game")

    valid = told.as_json().encode() + b"\n"
    errors = (AnalysisError, OptionError)
    changes = (inputs.change_lines, inputs.change_lines, _of_one_line(inputs.change_json))
    return [Target("analyses", partial(change, valid), read, errors) for change in changes]


def _of_one_line(change: inputs.Change) -> inputs.Change:
    """Returns a change of JSON that writes one line."""
    return lambda content, rng: change(content, rng).replace(b"\n", b" ") + b"\n"


def bench_targets() -> list[Target]:
    """Returns what reads rows of gonzaga-bench: the check, up to its games, and the tables."""
    from gonzaga_agents.bench.check import compare
    from gonzaga_agents.bench.play import UnitGames
    from gonzaga_agents.bench.row import Row, read_row
    from gonzaga_agents.bench.run import Request, new_row
    from gonzaga_agents.bench.table import tables
    from gonzaga_agents.bench.tasks import find_task

    task = find_task("gonzaga/2p")
    request = Request(task=task, specs=("random",), track="zero", name="random", deals=2)
    row, rng = Row({**new_row(request).about, "sessions": [_SESSION]}), np.random.default_rng(0)
    for unit in row.units():
        scores = rng.integers(40, 120, size=(unit.deals, 2, 2))
        row.games[unit.key] = UnitGames(scores, scores == scores.max(axis=2, keepdims=True))
    with tempfile.TemporaryDirectory() as folder:
        row.write(path := Path(folder, "row.json"))
        valid = path.read_bytes()

    def read(path: Path) -> None:
        found, results = read_row(path)
        if results is not None:
            compare(path, found, results)
            tables([found])

    make = partial(inputs.change_json, valid)
    return [Target("row", make, _reader("row.json", read), (GameError,))]


_SESSION = {
    **{"date": "2026-11-23", "commit": None, "code": "0", "versions": {"gonzaga_env": "0.11.0"}},
    "machine": {"cpu": "a processor", "cores": 2, "system": "Linux", "python": "3.11.7"},
}


def dataset_targets() -> list[Target]:
    """Returns what loads data sets: what they say of themselves, shards, and Parquet files.

    The last are left out where pyarrow is not installed.
    """
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"  # its own reserves all of the limit
    from gonzaga_agents.dataset import DatasetError, load, recipe_of, write_games, write_parquet
    from gonzaga_agents.dataset.folder import MANIFEST
    from gonzaga_agents.units.entrants import identify

    config, errors = GameConfig(2, scenario="Gutenberg"), (DatasetError, EditionError)
    recipe = recipe_of(config, [identify("random")], 4, None, 0)

    def replaced(folder: dict[str, bytes], name: str, content: bytes) -> None:
        for other, own in folder.items():
            Path(other).parent.mkdir(exist_ok=True)
            Path(other).write_bytes(content if other == name else own)
        for _ in load(Path()):
            pass
        for other in folder:
            Path(other).unlink(missing_ok=True)

    def target(folder: dict[str, bytes], name: str, change: inputs.Change) -> Target:
        read = partial(replaced, folder, name)
        return Target(name, partial(change, folder[name]), read, (*errors, GameError))

    def content(folder: Path) -> dict[str, bytes]:
        files = (path for path in sorted(folder.rglob("*")) if path.is_file())
        found = {str(file.relative_to(folder)): file.read_bytes() for file in files}
        return {name: own for name, own in found.items() if name not in (".lock", "README.md")}

    with tempfile.TemporaryDirectory() as path:
        dataset = write_games(recipe, Path(path, "games"))
        changes = {"games": binary.change_shard}
        if find_spec("pyarrow") is not None:
            write_parquet(dataset, Path(path, "parquet"))
            changes["parquet"] = binary.change_parquet
        targets = []
        for kind, change in changes.items():
            folder = content(Path(path, kind))
            (shard,) = folder.keys() - {MANIFEST}
            targets.append(target(folder, MANIFEST, inputs.change_json))
            targets.append(target(folder, shard, change))
    return targets


def outside_targets() -> list[Target]:
    """Returns what reads the texts of actions, the answers of bots, and the games of an arena."""
    from gonzaga_agents.arena.arena import ArenaError, Valued
    from gonzaga_agents.arena.report import report
    from gonzaga_agents.outside import messages
    from gonzaga_agents.outside.process import BotFailure

    from gonzaga_env.text import ActionTextError, action_text, parse_action

    errors = (ActionTextError,)
    targets = []
    for name in ("gonzaga", "tuscany", "signorie"):
        spec = game_spec(name)
        config, rng = spec.config(num_players=2), np.random.default_rng(1)
        game = spec.game.from_config(config, 1)
        for _ in range(5):
            game.play(int(rng.choice(game.mask().nonzero()[0])))
        action = action_text(game, int(game.mask().nonzero()[0][0]))
        mask = game.mask().view(np.bool_)
        engine = spec.engine.from_state(config, game.state, autoreset=False)

        def understand(content: bytes, game: Any = game) -> None:
            before = game.state
            action = parse_action(game, content.decode(errors="replace"))
            assert game.is_legal(action)
            assert game.state == before

        def answered(content: bytes, given: Any = (config, mask, engine)) -> None:
            config, mask, engine = given
            message = messages.read(content)
            for answer in messages.answers(message, 1):
                assert mask[messages.read_action(config, answer, mask, engine, 0)]

        said = f'I think of "{action}".\n{json.dumps({"action": action})}'.encode()
        answer = json.dumps({"id": 7, "actions": [action]}).encode()
        targets += [
            Target(f"action, {name}", partial(inputs.change_bytes, said), understand, errors),
            Target(
                f"answer, {name}",
                partial(inputs.change_json, answer),
                answered,
                (*errors, BotFailure),
            ),
        ]
    decisions = tuple((move, "plan", 0.1, 0.01) for move in range(9))
    valid = Valued("random", 0, decisions, 0, (0.5, 1.0), (30, 40)).as_json().encode()

    def valued(content: bytes) -> None:
        report([Valued.parse(content)], ["plan", "place"]).markdown()

    make = _of_one_line(inputs.change_json)
    return [*targets, Target("arena", partial(make, valid), valued, (ArenaError,))]


FORMATS = {
    "toml": toml_targets, "json": json_targets, "states": state_targets, "npz": npz_targets,
    "zip": zip_targets, "pickle": pickle_targets, "onnx": onnx_targets,
    "analyses": analysis_targets, "bench": bench_targets, "datasets": dataset_targets,
    "outside": outside_targets,
}  # fmt: skip
