"""The documents agree with the code, and their examples run."""

import re
from pathlib import Path

from docs import rules_pictures
from gonzaga_env.core import Engine

ROOT = Path(__file__).parent.parent


def test_the_readme_shows_what_its_first_example_prints(capsys) -> None:
    text = (ROOT / "README.md").read_text()
    example, printed = (
        re.search(rf"```{kind}\n(.*?)```", text, re.DOTALL) for kind in ("python", "text")
    )
    exec(example[1], {"__name__": "example"})
    assert capsys.readouterr().out.strip() == printed[1].strip()


def feature_table(num_players: int) -> str:
    """Returns the table of features in `docs/observation.md`."""
    lines = ["| feature | bytes | shape | scale | meaning |", "|---|---|---|---|---|"]
    for feature in Engine(1, num_players).features:
        shape = " x ".join(map(str, feature.shape))
        where = f"{feature.slice.start} to {feature.slice.stop - 1}"
        lines.append(
            f"| `{feature.name}` | {where} | {shape} | {feature.scale} | {feature.meaning} |"
        )
    return "\n".join(lines)


def test_the_observation_page_holds_the_table_of_features() -> None:
    assert feature_table(4) in (ROOT / "docs" / "observation.md").read_text()


def test_the_pictures_of_the_rules_are_up_to_date() -> None:
    """After a change of drawings or of agents: `python docs/rules_pictures.py`."""
    for name, picture in rules_pictures.pictures().items():
        assert (rules_pictures.FOLDER / name).read_text("utf-8") == picture.svg
