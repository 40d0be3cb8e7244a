"""The documents agree with the code, and their examples run."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents import cli
from PIL import Image

from docs import (
    film,
    rules_index,
    rules_pictures,
    solve_pictures,
    understanding_pictures,
)
from gonzaga_env import draw
from gonzaga_env.__main__ import main
from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.games import record_frames
from gonzaga_env.show.film import film_frames
from tests.docs.pages import NAMES, PAGES

ROOT = Path(__file__).parent.parent


def test_the_readme_shows_what_its_first_example_prints(capsys) -> None:
    text = (ROOT / "README.md").read_text()
    example, printed = (
        re.search(rf"```{kind}\n(.*?)```", text, re.DOTALL) for kind in ("python", "text")
    )
    exec(example[1], {"__name__": "example"})
    assert capsys.readouterr().out.strip() == printed[1].strip()


def test_understanding_shows_what_its_commands_print(tmp_path, monkeypatch, capsys) -> None:
    """Commands are indented, and the block of text that follows is the end of their output."""
    text = (ROOT / "docs" / "understanding.md").read_text()
    examples = re.findall(
        r"((?:^    python .*\n)+)(?:(?!```).*\n)*```text\n([^`]*)```", text, re.MULTILINE
    )
    assert len(examples) == 2
    monkeypatch.chdir(tmp_path)
    for commands, printed in examples:
        for command in commands.splitlines():
            run_command(command, monkeypatch)
        out = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
        assert out.endswith(printed.rstrip())


def run_command(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs "python evaluate.py ..." or "python -m gonzaga_env ..." in this process."""
    program, *arguments = command.split()[1:]
    monkeypatch.setattr(sys, "argv", [program, *arguments])
    assert (cli.evaluate() if program == "evaluate.py" else main(arguments[1:])) == 0


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_links_lead_to_files_that_exist(path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text()):
        assert "://" in target or (path.parent / target).exists(), target


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


def test_a_comment_tests_no_rule() -> None:
    source = """
CASES = ["breaks R1.4"]  # R1.5

def helper():  # R1.6
    return "R2.1"

@pytest.mark.parametrize("case", CASES)
def test_r1_1_and_more(case):
    '''Shows R1.2 to R1.3.'''
    assert case  # R2.2
"""
    named = set(rules_index._named_in_tests(source))
    assert named == {(f"R1.{i}", "test_r1_1_and_more") for i in (1, 2, 3, 4)}


@pytest.mark.nightly
def test_the_pictures_for_understanding_agents_are_up_to_date() -> None:
    """After a change of drawings or of agents: `python docs/understanding_pictures.py`."""
    for name, picture in understanding_pictures.pictures().items():
        assert (understanding_pictures.FOLDER / name).read_text("utf-8") == picture.svg


def test_the_picture_of_exploitability_shows_the_figures_of_its_page() -> None:
    """After new figures in docs/img/exploitability.csv: `python docs/solve_pictures.py`."""
    drawn = (solve_pictures.FOLDER / solve_pictures.NAME).read_text("utf-8")
    assert drawn == solve_pictures.picture().svg
    page = solve_pictures.FOLDER.parent / "solve.md"
    rows = [re.sub("`", "", line) for line in page.read_text("utf-8").splitlines()]
    for _, agent, share, loss in solve_pictures.read_points():
        assert any(
            f"| {agent} | {share:.1f} % |" in row and row.endswith(f"| {loss:.3f} |")
            for row in rows
        )


def test_the_pictures_of_the_rules_are_up_to_date() -> None:
    """After a change of drawings or of agents: `python docs/rules_pictures.py`."""
    for name, picture in rules_pictures.pictures().items():
        assert (rules_pictures.FOLDER / name).read_text("utf-8") == picture.svg


def test_the_film_is_up_to_date() -> None:
    """After a change of drawings or of agents: `python docs/film.py`."""
    assert film.TARGET.stat().st_size < 2_500_000
    told = film_frames(GameConfig().edition, list(record_frames(film.game())))
    with Image.open(film.TARGET) as shown:
        assert shown.n_frames == len(told)
        for i in (0, len(told) // 2, len(told) - 1):
            shown.seek(i)
            seen = np.asarray(shown.convert("RGB")).astype(int)
            drawn = draw(told[i].view, config=GameConfig()).to_array(shown.width)
            assert np.abs(seen - drawn).mean() < 1


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
