"""The pages of the games name all that the code has, and the tutorials show files that run."""

from pathlib import Path

import pytest

from examples.your_agent import collector
from gonzaga_env.games import game_names, game_spec

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("game", game_names())
def test_the_page_of_a_game_names_all_that_the_code_has(game: str) -> None:
    text = (ROOT / "docs" / "games" / f"{game}.md").read_text("utf-8")
    spec = game_spec(game)
    config = spec.config()
    rows = [text.index(f"| `{feature.name}` |") for feature in config.features]
    assert rows == sorted(rows), "the order of the array"
    for feature in config.features:
        assert feature.meaning in text
    for name in (*spec.sources, *config.rules.as_dict()):
        assert f"`{name}`" in text
    assert f"`Discrete({config.actions.size})`" in text
    assert f"{config.features.size:,} with 2, 3 and 4 players" in text
    for kind, version in spec.versions.items():
        assert f"{kind} version {version}" in text


def test_the_agents_tutorial_shows_its_file() -> None:
    source = Path(collector.__file__).read_text("utf-8")
    page = (ROOT / "docs" / "tutorials" / "agent.md").read_text("utf-8")
    assert f"```python\n{source}```" in page
