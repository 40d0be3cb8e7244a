"""The pages of the games hold what the code says, and the tutorials show files that run."""

import importlib
import re
from pathlib import Path

import gymnasium
import pytest

import gonzaga_env
from docs.games import tables
from examples.your_agent import collector
from gonzaga_env.envs.registration import learner_id
from gonzaga_env.games import game_names, game_spec

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted((ROOT / "docs" / "games").glob("*.md"))
TUTORIALS = ROOT / "docs" / "tutorials"
by_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
by_game = pytest.mark.parametrize("game", game_names())


@by_page
def test_tables_are_those_of_the_code(path) -> None:
    text = path.read_text("utf-8")
    assert tables.page(text) == text, "run python docs/games/tables.py"


def test_tables_that_are_old_are_written_again() -> None:
    old = "before\n<!-- table versions signorie -->\nold\n<!-- end table -->\nafter"
    new = tables.page(old)
    assert "old" not in new
    assert "`signorie_v0`" in new
    assert new.startswith("before\n")
    assert new.endswith("\nafter")


@by_game
def test_pages_have_every_table(game) -> None:
    text = (ROOT / "docs" / "games" / f"{game}.md").read_text("utf-8")
    shown = re.findall(r"<!-- table (\w+) (\w+) -->", text)
    assert {kind for kind, _ in shown} == tables.TABLES.keys() - tables.SHARED
    assert {of for _, of in shown} == {game}


def test_what_games_share_is_told_once() -> None:
    text = (ROOT / "docs" / "games" / "index.md").read_text("utf-8")
    assert set(re.findall(r"<!-- table (.+?) -->", text)) == tables.SHARED


@by_game
def test_blocks_of_actions_fill_the_space(game) -> None:
    ends = [0]
    for line in tables.actions(game).splitlines()[2:]:
        where, number = (cell.strip().replace(",", "") for cell in line.split("|")[1:3])
        first, _, last = where.partition(" to ")
        assert int(first) == ends[-1]
        ends.append(int(last or first) + 1)
        assert ends[-1] - ends[-2] == int(number)
    assert ends[-1] == game_spec(game).config().actions.size


@by_game
def test_facts_are_those_of_the_environment(game) -> None:
    module = importlib.import_module(f"gonzaga_env.envs.{tables.MODULES[game]}")
    assert module.raw_env.metadata["name"] == tables.MODULES[game]
    assert learner_id(game) in gymnasium.registry
    env = module.raw_env(num_players=2)
    text = tables.facts(game)
    assert f"`{env.action_space('player_0')}`" in text
    size = env.observation_space("player_0")["observation"].shape[0]
    assert f"| Observation size D | {size:,}, " in text
    assert f"| State shape | {env.state_space.shape[0]:,}, " in text
    assert hasattr(gonzaga_env, tables.MODULES[game])


@by_game
def test_the_last_versions_of_the_history_are_those_of_now(game) -> None:
    text = (ROOT / "docs" / "games" / f"{game}.md").read_text("utf-8")
    history = dict(re.findall(r"^\| (actions|observations) \| (\d+) \|", text, re.MULTILINE))
    assert {kind: int(version) for kind, version in history.items()} == game_spec(game).versions


def test_axes_are_named_by_the_players() -> None:
    text = tables.features("signorie")
    assert "| `careers` | `(P, 3, 7)` | 2 |" in text
    assert "| `round` | `(1,)` | 7 |" in text


def test_the_agents_tutorial_shows_its_file() -> None:
    source = Path(collector.__file__).read_text("utf-8")
    assert f"```python\n{source}```" in (TUTORIALS / "agent.md").read_text("utf-8")
