"""The documents agree with the code, and their examples run."""

import re
from pathlib import Path

import pytest

from docs import rules_index, rules_pictures
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


def test_every_rule_number_exists() -> None:
    listed = set(rules_index.rules())
    for folder in ("gonzaga_env", "agents", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            named = set(re.findall(r"\b(?:R\d|[TS]\d\d?)\.\d+\b", path.read_text()))
            assert named <= listed, f"{path}: {sorted(named - listed)}"


def test_the_index_says_where_a_rule_is_coded_and_tested() -> None:
    shown = rules_index.index(["R4.3"])
    assert shown.startswith("R4.3 ")
    assert "legality: gonzaga_env/core/batch/legal.py: " in shown
    assert "tests/core/batch/test_place.py: test_r4_3_* (" in shown
    shown_too = rules_index.index(["T8.8"])
    assert "single game: gonzaga_env/tuscany/single/position.py: Position.draw_yield" in shown_too
    assert "tests: tests/tuscany/test_rare.py: test_a_second_hexagon_is_refused" in shown_too
    shown_three = rules_index.index(["S8.3"])
    assert "oracle: tests/signorie_oracle.py: OracleGame._do_offspring" in shown_three
    assert set(rules_index.index().splitlines()) > set(shown.splitlines())


def test_the_pictures_of_the_rules_are_up_to_date() -> None:
    """After a change of drawings or of agents: `python docs/rules_pictures.py`."""
    for name, picture in rules_pictures.pictures().items():
        assert (rules_pictures.FOLDER / name).read_text("utf-8") == picture.svg


@pytest.mark.parametrize("rule", rules_index.rules())
def test_every_rule_is_coded_and_tested(rule) -> None:
    mentions = rules_index.find_mentions()[rule]
    assert any(rules_index.is_test(mention) for mention in mentions), f"no test names {rule}"
    coded = any(m.file.startswith("gonzaga_env/") and m.name for m in mentions)
    assert coded, f"no code names {rule}"


@pytest.mark.parametrize("rule", rules_index.rules_of_play())
def test_every_rule_of_play_is_named_in_both_engines(rule) -> None:
    groups = {mention.group for mention in rules_index.find_mentions()[rule]}
    in_both = bool(groups & rules_index.BATCH_GROUPS and groups & rules_index.SINGLE_GROUPS)
    assert in_both != (rule in rules_index.NOT_IN_BOTH_ENGINES)
