"""The agent "learned": it plays what the network plays, without torch, or says why not."""

import copy
import dataclasses
import json
import shutil
import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.gonzaga.network.inputs import Floats, Inputs
from gonzaga_agents.gonzaga.network.network import Network
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.network.description import game_of
from gonzaga_agents.network.parts import TorchForward
from gonzaga_agents.policies import learned
from gonzaga_agents.policies.learned import OnnxForward, load_learned, load_plain
from gonzaga_agents.policies.onnx_model import to_onnx
from gonzaga_agents.policies.shipped import (
    FOLDER,
    policy_folder,
    policy_path,
    shipped_files,
    shipped_players,
    write_policy,
)
from gonzaga_agents.registry import make_agent

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.state.state import PLACE, PLAN
from gonzaga_env.games import game_names
from gonzaga_env.tabletop.agent import AgentError, agent_name
from tests.agents.mixed import decisions, seen
from tests.agents.policies.conftest import EXPORTED

NUM_GAMES = 6


@cache
def inputs_of_games(num_players: int) -> list[Inputs]:
    """Returns the inputs of all decisions of some random games, a batch for each step."""
    config, batches, phases = GameConfig(num_players), [], set()

    def keep(inputs: Inputs) -> tuple[Floats, Floats]:
        batches.append(inputs)
        return np.zeros(inputs.actions.shape, np.float32), np.zeros(len(inputs), np.float32)

    agent = NetworkAgent(InputReader(config), keep, "watching")
    engine, rng = Engine.from_config(config, NUM_GAMES, autoreset=False), np.random.default_rng(0)
    while (games := (engine.seats >= 0).nonzero()[0]).size:
        phases |= {*engine.state.phase[games].tolist()}
        agent.act(engine.observe(rows=games), engine.legal_action_mask(games), rng)
        engine.step(engine.sample_legal(rng))
    assert phases == {PLAN, PLACE}
    assert len(batches) >= 2 * 9 * num_players
    return batches


def forward(folder: Path, num_players: int) -> OnnxForward:
    return OnnxForward((folder / f"players_{num_players}.onnx").read_bytes())


@pytest.mark.parametrize("num_players", EXPORTED)
def test_a_model_returns_what_the_network_returns(
    networks: dict[int, Network], exported: Path, num_players: int
) -> None:
    network, model = TorchForward(networks[num_players]), forward(exported, num_players)
    for inputs in inputs_of_games(num_players):
        for own, other in zip(network(inputs), model(inputs), strict=True):
            assert (own.shape, own.dtype) == (other.shape, other.dtype)
            np.testing.assert_allclose(other, own, rtol=0, atol=1e-4)
        logits = network(inputs)[0]
        assert (logits[inputs.actions < 0] < -1e8).all()
    assert logits[inputs.actions >= 0].std() > 0.1  # the random output layer counts


@pytest.mark.parametrize("num_players", EXPORTED)
def test_a_decision_does_not_depend_on_the_others_of_its_batch(
    exported: Path, num_players: int
) -> None:
    model = forward(exported, num_players)
    for inputs in inputs_of_games(num_players)[:: 2 * num_players + 1]:
        logits, values = model(inputs)
        for row in range(len(inputs)):
            alone = model(inputs.take(slice(row, row + 1)))
            np.testing.assert_allclose(alone[0][0], logits[row], rtol=0, atol=1e-4)
            np.testing.assert_allclose(alone[1][0], values[row], rtol=0, atol=1e-4)


def test_an_agent_may_draw_its_actions(exported: Path) -> None:
    engine, rng = Engine(16, 4), np.random.default_rng(0)
    drawn = load_learned(engine.config, exported)
    drawn.deterministic = False
    several = [drawn.act(*seen(engine), rng) for _ in range(5)]
    assert len(np.unique(several, axis=0)) > 1


@pytest.mark.parametrize("spec", ["learned", "search:learned", "search@16:learned"])
def test_names_make_the_agent(exported: Path, monkeypatch: pytest.MonkeyPatch, spec: str) -> None:
    monkeypatch.setattr(learned, "FOLDER", exported)
    config = GameConfig(2)
    engine, agent = Engine.from_config(config, 3), make_agent(spec, config)
    assert agent_name(agent) == spec
    actions = agent.act(*seen(engine), np.random.default_rng(0))
    assert engine.legal_action_mask()[np.arange(3), actions].all()


@pytest.mark.parametrize("spec", ["learned", "search:learned"])
def test_without_a_policy_one_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    monkeypatch.setattr(learned, "FOLDER", tmp_path)
    with pytest.raises(
        AgentError, match="no policy for 2 players ships with this version; train"
    ) as caught:
        make_agent(spec, GameConfig(2))
    assert "\n" not in str(caught.value)
    (tmp_path / "players_3.json").touch()
    (tmp_path / "players_4.json").touch()
    with pytest.raises(AgentError, match=r"no policy for 2 players ships .*, only for 3 and 4;"):
        make_agent(spec, GameConfig(2))


def test_a_search_with_another_agent_is_told_what_it_takes() -> None:
    with pytest.raises(AgentError, match="no policy 'greedy' to search with; give learned"):
        make_agent("search:greedy", GameConfig(2))


@pytest.fixture
def folder(exported: Path, tmp_path: Path) -> Path:
    """Returns a copy of the policy for two players, which may be spoiled."""
    for path in exported.glob("players_2.*"):
        shutil.copy(path, tmp_path)
    return tmp_path


def describe(folder: Path, **changes: Any) -> None:
    path = folder / "players_2.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


@pytest.mark.parametrize("key", list(game_of(GameConfig(2))))
def test_a_policy_for_another_game_is_refused(folder: Path, key: str) -> None:
    describe(folder, **{key: 77})
    what = key.removeprefix("num_").replace("_", " ")
    with pytest.raises(AgentError, match=f"for 2 players was made for {what} 77, not"):
        load_learned(GameConfig(2), folder)


def test_another_edition_is_named(folder: Path) -> None:
    edition = dataclasses.replace(GameConfig(2).edition, name="Atlantis")
    with pytest.raises(AgentError, match="made for edition 'Europe', not 'Atlantis'"):
        load_learned(GameConfig(2, edition=edition), folder)


def test_a_policy_plays_the_editions_that_it_lists(folder: Path) -> None:
    config = GameConfig(2)
    describe(folder, edition_digest="0" * 64)
    with pytest.raises(AgentError, match="made for edition digest '000"):
        load_learned(config, folder)
    describe(folder, also_plays={"another": "1" * 64, "this one": config.edition.digest})
    engine = Engine.from_config(config, 3)
    actions = load_learned(config, folder).act(*seen(engine), np.random.default_rng(0))
    assert engine.is_legal(actions).all()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": 2}, "has format 2; this version reads 1"),
        ({"reward": "glory"}, "reward is 'glory'"),
        ({"reward": []}, r"reward is \[\]"),
        ({"reward_scale": 0}, "reward_scale is 0; it takes a number above 0"),
        ({"reward_scale": None}, "reward_scale is None"),
        ({"reward_scale": 10**400}, "reward_scale is an integer of"),
        ({"also_plays": ["0" * 64]}, r"also_plays is \[.*; it takes an object of digests"),
        ({"also_plays": {"all": "*"}}, "also_plays is .*; it takes an object of digests"),
        ({"sha256": "00"}, r"players_2\.onnx: is not the described network: its sha256 is .*'00'"),
    ],
)
def test_a_wrong_description_is_refused(folder: Path, changes: dict[str, Any], words: str) -> None:
    describe(folder, **changes)
    with pytest.raises(AgentError, match=words) as caught:
        load_learned(GameConfig(2), folder)
    assert "\n" not in str(caught.value)


def test_broken_and_missing_files_are_refused(folder: Path) -> None:
    model, about = folder / "players_2.onnx", folder / "players_2.json"
    original = model.read_bytes()
    for content in (b"", b"no model", original[: len(original) // 2]):
        model.write_bytes(content)
        with pytest.raises(AgentError, match="is not the described network"):
            load_learned(GameConfig(2), folder)
        describe(folder, sha256=sha256(content).hexdigest())
        with pytest.raises(AgentError, match=r"players_2\.onnx: is not a model") as caught:
            load_learned(GameConfig(2), folder)
        assert "\n" not in str(caught.value)
        describe(folder, sha256=sha256(original).hexdigest())
    model.unlink()
    with pytest.raises(AgentError, match=r"players_2\.onnx: No such file"):
        load_learned(GameConfig(2), folder)
    for text, words in (
        ("{", "is not JSON"),
        ("[1]", "has format None"),
        ('{"format": NaN}', "holds NaN"),
        (" " * (17 * 2**20), "is larger than 16 MiB"),
    ):
        about.write_text(text)
        with pytest.raises(AgentError, match=words):
            load_learned(GameConfig(2), folder)


def test_a_model_of_something_else_is_refused(folder: Path, exported: Path) -> None:
    import onnx

    model = onnx.load(exported / "players_2.onnx")
    model.graph.output.pop()
    with pytest.raises(ValueError, match="has the inputs and outputs"):
        OnnxForward(model.SerializeToString())


def test_a_missing_onnxruntime_names_the_extra(
    exported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(
        ModuleNotFoundError, match=r'onnxruntime is .* pip install "gonzaga-env\[learned\]"'
    ):
        OnnxForward((exported / "players_2.onnx").read_bytes())


def test_neither_torch_nor_its_companions_are_imported(exported: Path) -> None:
    code = f"""
import sys
from pathlib import Path
import numpy as np
from gonzaga_agents import make_agent
from gonzaga_agents.policies import learned
from gonzaga_env.core import Engine, GameConfig
learned.FOLDER = Path({str(exported)!r})
engine, rng = Engine(2, 2), np.random.default_rng(0)
for spec in ("learned", "search@8:learned"):
    agent = make_agent(spec, GameConfig(2))
    agent.act(engine.observe(), engine.legal_action_mask(), rng)
print(sorted({{"torch", "onnx", "stable_baselines3", "sb3_contrib"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("[]\n", "", 0)


def test_all_files_that_ship_are_listed() -> None:
    assert sorted(shipped_files()) == sorted([*FOLDER.rglob("*.onnx"), *FOLDER.rglob("*.npz")])


def test_a_model_that_answers_with_nan_is_refused(
    networks: dict[int, Network], tmp_path: Path
) -> None:
    config, network = GameConfig(2), copy.deepcopy(networks[2])
    with torch.no_grad():
        network.value[0].weight[0, 0] = torch.nan
    model = to_onnx(network, InputReader(config).zeros())
    about = {"edition": config.edition.name, "reward": "margin", "reward_scale": 0.5}
    write_policy(tmp_path, model, game_of(config) | about)
    with pytest.raises(AgentError, match=r"players_2\.onnx: answers with NaN"):
        load_learned(config, tmp_path)


@pytest.mark.parametrize(
    ("game", "num_players"),
    [
        (game, number)
        for game in game_names()
        for number in shipped_players(policy_folder(game))
        if policy_path(policy_folder(game), number, "onnx").exists()
    ],
)
def test_a_policy_judges_in_numpy_as_with_onnxruntime(game: str, num_players: int) -> None:
    engine = decisions(game, num_players)
    observations, masks = seen(engine, np.arange(0, 256, 3))
    plain, learned = load_plain(engine.config), load_learned(engine.config)
    assert plain is not None
    assert isinstance(learned.forward, OnnxForward)
    found, wanted = plain.evaluate(observations, masks), learned.evaluate(observations, masks)
    np.testing.assert_allclose(found.probabilities, wanted.probabilities, atol=1e-4)
    np.testing.assert_allclose(found.values, wanted.values, atol=1e-3)  # points
    actions = learned.act(observations, masks, np.random.default_rng(0))
    assert masks[np.arange(len(masks)), actions].all()


@pytest.mark.parametrize("spec", ["learned", "search@4:learned"])
def test_learned_plays_without_onnxruntime(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    engine = Engine(1, 3, seed=1)
    agent = make_agent(spec, engine.config)
    mask = engine.legal_action_mask()
    (action,) = agent.act(engine.observe(), mask, np.random.default_rng(0))
    assert mask[0, action]


def test_a_model_with_other_names_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonzaga_agents.policies.learned.floats", lambda model: {})
    with pytest.raises(AgentError, match=r"players_2\.onnx: "):
        load_plain(Engine(1, 2).config)
