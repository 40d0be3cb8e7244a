"""The documents say what is true, and their examples run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gonzaga_env.core import Engine

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


@pytest.mark.parametrize(
    "name", ["README.md", "docs/agents.md", "docs/observation.md", "docs/records.md"]
)
def test_python_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), re.DOTALL)
    assert examples
    monkeypatch.chdir(tmp_path)
    for example in examples:  # each by itself, as one would paste it
        exec(example, {"__name__": "example"})


@pytest.mark.parametrize("path", DOCUMENTS, ids=[path.name for path in DOCUMENTS])
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text()):
        assert "://" in target or (path.parent / target).exists(), target


def feature_table(num_players: int) -> str:
    """Returns the table of features as `docs/observation.md` holds it."""
    lines = ["| feature | bytes | shape | scale | meaning |", "|---|---|---|---|---|"]
    for feature in Engine(1, num_players).features:
        shape = " x ".join(map(str, feature.shape))
        where = f"{feature.slice.start} to {feature.slice.stop - 1}"
        lines.append(
            f"| `{feature.name}` | {where} | {shape} | {feature.scale} | {feature.meaning} |"
        )
    return "\n".join(lines)


def test_the_observation_is_documented_as_it_is() -> None:
    assert feature_table(4) in (ROOT / "docs" / "observation.md").read_text()


def test_rules_that_code_and_tests_name_are_in_the_list() -> None:
    listed = set(re.findall(r"^- (R\d+\.\d+) ", (ROOT / "docs/rules.md").read_text(), re.MULTILINE))
    for folder in ("gonzaga_env", "agents", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            named = set(re.findall(r"\bR\d\.\d+\b", path.read_text()))
            assert named <= listed, f"{path}: {sorted(named - listed)}"
