"""Exporting runs: what is written plays as the checkpoint, and what cannot be is refused."""

import json
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.gonzaga.network.inputs import Floats, Inputs
from gonzaga_agents.gonzaga.network.network import Network
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.network.checkpoint import CheckpointError, load_agent, read_description
from gonzaga_agents.network.description import game_of
from gonzaga_agents.policies.learned import OnnxForward, load_learned
from gonzaga_agents.policies.onnx_model import to_onnx
from gonzaga_agents.training import export as export_module
from gonzaga_agents.training.command import setup_of
from gonzaga_agents.training.export import export, training_command
from gonzaga_agents.training.options import Arguments
from gonzaga_agents.training.run import Run

from docs import policies
from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.version import __version__

CONFIG = GameConfig(2)
CURVE = [
    {"turns": turns, "seconds": 1.0, "against": {"greedy": [share, 0.25, 0.75]}}
    for turns, share in ((0, 0.5), (64, 0.625), (128, 0.75))
]
TRAINED_BY = "python train.py --players 2 --num-games 4 --width 16 --seed 7"


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of a run whose network is random."""
    out = tmp_path_factory.mktemp("runs") / "small"
    arguments = Arguments(out, players=2, num_games=4, width=16, seed=7)
    run = Run(setup_of(arguments), out, resume=False)
    torch.nn.init.normal_(run.network.choice_out.weight)
    run.model.num_timesteps, run.seconds = 64, 5400.0
    run.save()
    (out / "curve.json").write_text(json.dumps(CURVE))
    return out


@pytest.fixture
def run(untouched: Path, tmp_path: Path) -> Path:
    """Returns a copy of the run, which may be spoiled."""
    return Path(shutil.copytree(untouched, tmp_path / "small"))


def test_the_export_plays_as_the_checkpoint(run: Path, tmp_path: Path, command) -> None:
    out = tmp_path / "new" / "out"
    told = command("export", run, "--out", out)
    size = (out / "players_2.onnx").stat().st_size
    wrote = f"wrote {out / 'players_2.onnx'} ({size:,} bytes) and players_2.json\n"
    assert told == (0, wrote, "")
    assert {path.name for path in out.iterdir()} == {"players_2.onnx", "players_2.json"}
    engine, rng = Engine.from_config(CONFIG, 16), np.random.default_rng(0)
    checkpoint, exported = load_agent(run, CONFIG), load_learned(CONFIG, out)
    for _ in range(8):
        seen = engine.observe(), engine.legal_action_mask()
        own, other = exported.evaluate(*seen), checkpoint.evaluate(*seen)
        np.testing.assert_allclose(own.probabilities, other.probabilities, rtol=0, atol=1e-4)
        np.testing.assert_allclose(own.values, other.values, rtol=0, atol=1e-2)  # in points
        engine.step(exported.act(*seen, rng))


@pytest.fixture(scope="module")
def exported_run(untouched: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder with the files of an earlier checkpoint of the run."""
    out = tmp_path_factory.mktemp("exported")
    paths = export(untouched / "checkpoints" / "0000000064.zip", out, commit="abc")
    assert paths == (out / "players_2.onnx", out / "players_2.json")
    return out


def test_the_description_says_where_it_comes_from(exported_run: Path) -> None:
    about = json.loads((exported_run / "players_2.json").read_text())
    assert about.items() >= game_of(CONFIG).items()
    model = (exported_run / "players_2.onnx").read_bytes()
    assert about["sha256"] == sha256(model).hexdigest()
    assert (about["reward"], about["reward_scale"]) == ("margin", 1 / 30)
    assert (about["turns"], about["hours"], about["seed"]) == (64, 1.5, 7)
    assert (about["edition"], about["network"]) == ("Europe", {"width": 16})
    assert about["rules"] == {"sea_league": "each_player", "first_check_round": 6}
    assert (about["version"], about["commit"], about["opset"]) == (__version__, "abc", 18)
    assert about["command"] == TRAINED_BY
    assert about["arguments"]["num_games"] == 4
    assert about["curve"] == CURVE[:2]  # later points belong to later checkpoints


def test_a_given_command_is_noted_and_a_curve_is_not_needed(run: Path) -> None:
    (run / "curve.json").unlink()
    path = run / "checkpoint.zip"
    about = export_module.describe(path, read_description(path), CONFIG, "make policies", "abc")
    assert (about["command"], about["curve"]) == ("make policies", [])


def test_the_run_that_it_started_from_counts_too(run: Path) -> None:
    description = read_description(run / "checkpoint.zip")
    description["arguments"] |= {"start": str(run)}
    about = export_module.describe(run / "checkpoint.zip", description, CONFIG, None, "abc")
    assert about["turns"] == 2 * description["timesteps"]
    assert about["hours"] == pytest.approx(2 * description["seconds"] / 3600, abs=1e-3)
    assert about["command"] == f"{TRAINED_BY}\n{TRAINED_BY} --start {run.parent.name}/{run.name}"
    description["arguments"] |= {"start": str(run / "gone")}
    about = export_module.describe(run / "checkpoint.zip", description, CONFIG, None, "abc")
    assert about["turns"] == description["timesteps"]


def test_the_page_lists_what_lies_in_a_folder(exported_run: Path, tmp_path: Path) -> None:
    *_, row, _, title, _, mark, trained_by = policies.listing(exported_run, [2]).splitlines()
    assert row.startswith("| 2 | Europe | margin | 16 | 64 | 1.5 | ")
    assert row.endswith(" kB | 62.5 % (25.0 % to 75.0 %) against greedy |")
    assert title == f"2 players, gonzaga-env {__version__}, commit abc:"
    assert mark.startswith("<!-- not run: ")
    assert trained_by == f"    {TRAINED_BY}"
    for path in exported_run.iterdir():
        shutil.copy(path, tmp_path)
    about = json.loads((tmp_path / "players_2.json").read_text())
    (tmp_path / "players_2.json").write_text(json.dumps(about | {"curve": [], "commit": None}))
    assert policies.listing(tmp_path, [2]).splitlines()[2].endswith("| not measured |")
    assert f"gonzaga-env {__version__}:" in policies.listing(tmp_path, [2])


def test_the_command_of_a_training_can_be_typed() -> None:
    assert training_command({"game": "gonzaga"}) == training_command({}) == "python train.py"
    arguments = {"players": 2, "opponents": "greedy,a b", "sea_league": "first_only", "width": None}
    assert training_command(arguments) == (
        "python train.py --sea-league first_only --players 2 --opponents 'greedy,a b'"
    )


def test_no_folder_of_the_machine_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = tmp_path / "runs" / "first" / "checkpoint.zip"
    monkeypatch.chdir(tmp_path)
    assert export_module._portable({"start": str(start)}) == {"start": "runs/first/checkpoint.zip"}
    monkeypatch.chdir(Path(__file__).parent)
    assert export_module._portable({"start": str(start)}) == {"start": "first/checkpoint.zip"}
    kept = {"start": None, "edition": "europe", "seed": 3}
    assert export_module._portable(kept) == kept
    opponents = {"opponents": f"past,{start.parent},mine.py:Mine"}
    assert export_module._portable(opponents) == {"opponents": "past,runs/first,mine.py:Mine"}


def test_a_model_is_small_self_contained_and_repeatable(networks: dict[int, Network]) -> None:
    import onnx

    network, zeros = networks[3], InputReader(GameConfig(3)).zeros()
    content = to_onnx(network, zeros)
    assert content == to_onnx(network, zeros)
    assert b".py" not in content
    weights = sum(parameter.numel() * 4 for parameter in network.parameters())
    assert len(content) < weights + 20_000
    model = onnx.load_from_string(content)
    assert [(entry.domain, entry.version) for entry in model.opset_import] == [("", 18)]
    for value in (*model.graph.input, *model.graph.output):
        first, *rest = value.type.tensor_type.shape.dim
        assert first.dim_param == "decisions"
        assert all(size.dim_value > 0 for size in rest)


class Spoiled(OnnxForward):
    """Adds something to the values."""

    added = 0.0

    def __call__(self, inputs: Inputs) -> tuple[Floats, Floats]:
        logits, values = super().__call__(inputs)
        return logits, values + np.float32(self.added)


@pytest.mark.parametrize("added", [2e-4, float("nan")])
def test_a_model_that_differs_is_not_written(
    run: Path, exported_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, added: float
) -> None:
    model = (exported_run / "players_2.onnx").read_bytes()
    monkeypatch.setattr(export_module, "to_onnx", lambda network, inputs: model)
    out = tmp_path / "out"
    export(run / "checkpoint.zip", out)  # as long as nothing is added
    shutil.rmtree(out)
    monkeypatch.setattr(export_module, "OnnxForward", Spoiled)
    monkeypatch.setattr(Spoiled, "added", added)
    with pytest.raises(AgentError, match=r"differ by .* in logits or values, more than 0\.0001"):
        export(run / "checkpoint.zip", out)
    assert not out.exists()


def test_a_broken_run_is_refused(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (run / "curve.json").write_text("{")
    with pytest.raises(CheckpointError, match="the run's curve cannot be read"):
        export(run / "checkpoint.zip", tmp_path)
    about: dict[str, Any] = {"num_players": 2, "rules": {}, "timesteps": 1, "seconds": 1.0}
    for description in (about, about | {"arguments": {}, "rules": {"kindness": 1}}):
        monkeypatch.setattr(
            export_module, "read_description", lambda path, found=description: found
        )
        with pytest.raises(CheckpointError, match="the description is broken"):
            export(run / "checkpoint.zip", tmp_path)


def test_a_missing_exporter_names_the_extra(
    networks: dict[int, Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxscript", None)
    with pytest.raises(
        ModuleNotFoundError, match=r'onnxscript is .* pip install "gonzaga-env\[export\]"'
    ):
        to_onnx(networks[2], InputReader(CONFIG).zeros())


def test_runs_that_started_from_each_other_are_refused(
    monkeypatch: pytest.MonkeyPatch, run: Path
) -> None:
    looping = {"arguments": {"start": str(run)}, "timesteps": 1, "seconds": 1}
    monkeypatch.setattr(export_module, "read_description", lambda path: looping)
    with pytest.raises(CheckpointError, match="lead back to itself"):
        export_module._earlier_runs(looping)
