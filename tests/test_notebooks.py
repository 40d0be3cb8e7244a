"""The examples run, as scripts and as notebooks, and the notebooks are those of the examples."""

import re
import runpy
from pathlib import Path

import nbformat
import pytest

from notebooks.execute import EXAMPLES, NOTEBOOKS, digest_of, execute, notebook_of
from tests.marks import some_nightly

SCRIPTS = sorted(EXAMPLES.glob("[0-9]*.py"))
NAMES = [path.stem for path in SCRIPTS]
MOST_BYTES = 500_000  # of a notebook with its pictures
LONG = "02_benchmarks", "03_training", "07_offline", "09_signorie"  # run nightly

#: Smaller values of constants, so that the examples take seconds.
BUDGETS: dict[str, dict[str, int]] = {
    "01_rollouts": {"NUM_GAMES": 16},
    "02_benchmarks": {"DEALS": 2, "TOURNAMENT_DEALS": 1},
    "03_training": {"UPDATES": 1, "NUM_ENVS": 16, "DEALS": 2, "TIMESTEPS": 128},
    "04_your_own_agent": {"DEALS": 2},
    "05_your_own_edition": {"DEALS": 3},
    "06_search": {"SAMPLES": 8, "DEALS": 2},
    "10_exercises": {},
    "08_castles_of_tuscany": {"DEALS": 2},
    "09_signorie": {"DEALS": 2, "GAMES": 4},
    "07_offline": {"GAMES": 24, "SECONDS": 1, "DEALS": 1},
}


def small(path: Path) -> str:
    """Returns a script with its budget cut."""
    script = path.read_text("utf-8")
    for name, value in BUDGETS[path.stem].items():
        script, found = re.subn(rf"^{name} = [\d_]+", f"{name} = {value}", script, flags=re.M)
        assert found == 1, f"{path.name} does not set {name} once"
    return script


@pytest.mark.parametrize(
    "path", some_nightly(SCRIPTS, lambda path: path.stem not in LONG), ids=NAMES
)
def test_examples_run_as_scripts_without_warnings(path, tmp_path, monkeypatch, capsys) -> None:
    script = tmp_path / path.name
    script.write_text(small(path), "utf-8")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out


@pytest.fixture
def no_home(tmp_path, monkeypatch) -> None:
    """Lets Jupyter and IPython write to a temporary folder, not to the user's home."""
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))


@pytest.mark.nightly
@pytest.mark.usefixtures("no_home")
@pytest.mark.parametrize("path", SCRIPTS, ids=NAMES)
def test_notebooks_run(path, tmp_path) -> None:
    notebook = notebook_of(small(path))
    execute(notebook, tmp_path)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert outputs
    assert all(output.get("name") != "stderr" for output in outputs)


@pytest.mark.parametrize("path", SCRIPTS, ids=NAMES)
def test_the_notebooks_are_those_of_the_examples(path) -> None:
    """After a change of an example: `python notebooks/execute.py`."""
    target = NOTEBOOKS / f"{path.stem}.ipynb"
    kept, made = nbformat.read(target, 4), notebook_of(path.read_text("utf-8"))
    nbformat.validate(kept)
    assert [(c.cell_type, c.source) for c in kept.cells] == [
        (c.cell_type, c.source) for c in made.cells
    ]
    code = [cell for cell in kept.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)]
    assert kept.metadata["executed"] == digest_of(made), "its outputs are of other code"
    assert target.stat().st_size < MOST_BYTES


def test_each_example_has_a_notebook_and_a_line_in_the_list() -> None:
    assert [path.stem for path in sorted(NOTEBOOKS.glob("*.ipynb"))] == NAMES
    listed = (NOTEBOOKS / "README.md").read_text("utf-8")
    assert re.findall(r"\]\((\w+)\.ipynb\)", listed) == NAMES
    assert re.findall(r"\]\(\.\./examples/(\w+)\.py\)", listed) == NAMES
