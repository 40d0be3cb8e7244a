"""The agent "learned": it plays the policies that ship, in numpy alone, or says why not."""

import dataclasses
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.arrays import arrays_content, parse_arrays
from gonzaga_agents.network.description import game_of
from gonzaga_agents.network.learned import FOLDER, load_learned, policy_folder, shipped_files
from gonzaga_agents.registry import make_agent

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.games import game_names
from gonzaga_env.kernel.agent import AgentError, agent_name
from tests.agents.mixed import decisions, seen
from tests.marks import nightly

CONFIG = GameConfig(2)


@pytest.mark.parametrize("spec", ["learned", "search@2:learned", *nightly("search:learned")])
@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("game", game_names())
def test_policies_ship_for_all_games(game: str, num_players: int, spec: str) -> None:
    engine, rows = decisions(game, num_players), np.arange(0, 256, 29)
    observations, masks = seen(engine, rows)
    agent = make_agent(spec, engine.config)
    assert agent_name(agent) == spec
    actions = agent.act(observations, masks, np.random.default_rng(0))
    assert masks[np.arange(len(rows)), actions].all()


def test_an_agent_may_draw_its_actions() -> None:
    engine, rng = Engine(16, 4), np.random.default_rng(0)
    drawn = load_learned(engine.config)
    drawn.deterministic = False
    several = [drawn.act(*seen(engine), rng) for _ in range(5)]
    assert len(np.unique(several, axis=0)) > 1


def test_it_needs_numpy_alone() -> None:
    code = """
import sys
import numpy as np
from gonzaga_agents import make_agent
from gonzaga_env.core import Engine, GameConfig
engine, rng = Engine(2, 2), np.random.default_rng(0)
for spec in ("learned", "search@8:learned"):
    agent = make_agent(spec, GameConfig(2))
    agent.act(engine.observe(), engine.legal_action_mask(), rng)
print(sorted({"torch", "scipy", "stable_baselines3", "sb3_contrib"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("[]\n", "", 0)


def test_all_files_that_ship_are_listed() -> None:
    assert shipped_files() == sorted(FOLDER.rglob("*.npz"))


def test_a_search_with_another_agent_is_told_what_it_takes() -> None:
    with pytest.raises(AgentError, match="give learned"):
        make_agent("search:nobody", CONFIG)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns a copy of the policy for two players, which may be spoiled."""
    for path in policy_folder("gonzaga").glob("players_2.*"):
        shutil.copy(path, tmp_path)
    return tmp_path


def describe(folder: Path, **changes: Any) -> None:
    path = folder / "players_2.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def refusal(folder: Path, config: GameConfig = CONFIG) -> str:
    with pytest.raises(AgentError) as found:
        load_learned(config, folder)
    assert "\n" not in str(found.value)
    return str(found.value)


def test_numbers_of_players_without_a_policy_are_told(folder: Path) -> None:
    assert "no policy for 3 players, only for 2; train" in refusal(folder, GameConfig(3))


@pytest.mark.parametrize("key", list(game_of(CONFIG)))
def test_a_policy_for_another_game_is_refused(folder: Path, key: str) -> None:
    describe(folder, **{key: "77" if key.startswith("edition") else 77, "also_plays": {}})
    what = key.removeprefix("num_").replace("_", " ")
    assert f"made for {what}" in refusal(folder) or key == "num_players"


def test_another_edition_is_named_and_played_on_request(folder: Path) -> None:
    edition = dataclasses.replace(CONFIG.edition, name="Atlantis")
    config = GameConfig(2, edition=edition)
    assert "made for edition 'Europe', not 'Atlantis'" in refusal(folder, config)
    agent = load_learned(config, folder, any_edition=True)
    assert agent.name.endswith("(made for Europe)")


def test_a_policy_plays_the_editions_that_it_lists(folder: Path) -> None:
    describe(folder, edition_digest="0" * 64, also_plays={})
    assert "made for edition digest" in refusal(folder)
    describe(folder, also_plays={"another": "1" * 64, "this one": CONFIG.edition.digest})
    engine = Engine.from_config(CONFIG, 3)
    actions = load_learned(CONFIG, folder).act(*seen(engine), np.random.default_rng(0))
    assert engine.is_legal(actions).all()


def test_a_broken_description_is_refused(folder: Path) -> None:
    describe(folder, reward="glory")
    assert "players_2.json: reward is 'glory'" in refusal(folder)
    for text, words in (("{", "JSON"), ("[1]", "format"), (" " * (17 * 2**20), "larger than")):
        (folder / "players_2.json").write_text(text)
        assert words in refusal(folder)


Arrays = dict[str, Any]


def write(folder: Path, content: bytes) -> None:
    """Writes a network and its digest."""
    (folder / "players_2.weights.npz").write_bytes(content)
    describe(folder, sha256=sha256(content).hexdigest())


@pytest.mark.parametrize(
    "change",
    [
        lambda arrays: {k: a for k, a in arrays.items() if k != "context.0.weight"},
        lambda arrays: arrays | {"more": np.zeros(1, np.float32)},
        lambda _: {},
        lambda arrays: {k: a.astype(np.float64) for k, a in arrays.items()},
        lambda arrays: arrays | {"context.2.bias": np.zeros((), np.float32)},
        lambda arrays: arrays | {"context.2.bias": np.zeros(65, np.float32)},
        lambda arrays: arrays | {"value.2.bias": np.zeros(2, np.float32)},
        lambda arrays: arrays | {"value.2.bias": np.array([np.nan], np.float32)},
    ],
)
def test_other_weights_are_refused(folder: Path, change: Callable[[Arrays], Arrays]) -> None:
    arrays = parse_arrays((folder / "players_2.weights.npz").read_bytes())
    write(folder, arrays_content(change(arrays)))
    message = refusal(folder)
    assert "players_2.weights.npz: " in message
    assert "another network" in message or "NaN" in message


def test_broken_files_of_weights_are_refused(folder: Path) -> None:
    path = folder / "players_2.weights.npz"
    whole = path.read_bytes()
    claims = whole.replace(b"'shape': (64,)", b"'shape': (1e9)").replace(b"(64, ", b"(2**9")
    pickled = whole.replace(b"'<f4'", b"'|O8'")
    for content in (b"", b"no zip", whole[: len(whole) // 2], claims, pickled):
        assert content != whole
        path.write_bytes(content)
        assert "is not the described network" in refusal(folder)
        write(folder, content)
        assert "players_2.weights.npz: " in refusal(folder)
    path.unlink()
    assert "players_2.weights.npz: can't be read" in refusal(folder)
