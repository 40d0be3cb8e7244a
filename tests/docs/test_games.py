"""The pages of the games name all that the code has."""

from pathlib import Path

import pytest

from docs.site_reference import with_reference
from gonzaga_env.games import game_names, game_spec

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("game", game_names())
def test_the_page_of_a_game_names_all_that_the_code_has(game: str) -> None:
    page = (ROOT / "docs" / "games" / f"{game}.md").read_text("utf-8")
    text = with_reference(page)
    spec = game_spec(game)
    config = spec.config()
    rows = [text.index(f"| `{feature.name}` |") for feature in config.features]
    assert rows == sorted(rows), "the order of the array"
    for feature in config.features:
        assert feature.meaning in text
    for name in (*spec.sources, *config.rules.as_dict()):
        assert f"`{name}`" in text
    assert f"{config.actions.size:,} actions" in page
    assert f"D = {config.features.size:,} with four players" in text
