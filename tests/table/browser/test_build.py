"""What the page "Play now" loads, put together from small packages."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from tools.browser import build


@pytest.fixture
def modules(tmp_path, monkeypatch) -> Path:
    """Packages of npm whose files hold their names, and a wheel."""
    folder = tmp_path / "node_modules"
    for name in (*build.COPIED.values(), build.NUMPY):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    with ZipFile(folder / build.NUMPY, "w") as wheel:
        for name in ("numpy/__init__.py", "numpy/tests/test_a.py", "numpy/a.pyi"):
            wheel.writestr(name, name)
    digest = hashlib.sha256((folder / build.NUMPY).read_bytes()).hexdigest()
    monkeypatch.setattr(build, "NUMPY_SHA256", digest)
    return folder


def test_all_that_the_page_loads_is_there(modules, tmp_path) -> None:
    out = tmp_path / "site" / "play"
    sizes = build.build(out, modules)
    assert (out / "pyodide/pyodide.js").read_text() == "pyodide/pyodide.js"
    assert json.loads((out / "sizes.json").read_text()) == sizes
    assert sizes == {name: (out / name).stat().st_size for name in sizes}
    with ZipFile(out / build.PACKAGES) as archive:
        names = set(archive.namelist())
        assert "environments" in archive.read("gonzaga_env/__init__.py").decode()
    assert {
        *("numpy/__init__.py", "starlette/applications.py", "typing_extensions.py"),
        *("gonzaga_agents/policies/gonzaga/players_4.weights.npz", "gonzaga_table/browser/glue.py"),
        *("gonzaga_table/web/static/table.html", "gonzaga_env/data/editions/europe/board.toml"),
    } <= names
    left_out = ("numpy/tests/", "gonzaga_env/envs/", "gonzaga_agents/training/")
    assert [name for name in names if name.startswith(left_out) or name.endswith(".pyc")] == []
    build.build(tmp_path / "again", modules)  # the same sources give the same archive
    assert (tmp_path / "again" / build.PACKAGES).read_bytes() == (out / build.PACKAGES).read_bytes()


def test_another_wheel_is_refused(modules, tmp_path) -> None:
    with ZipFile(modules / build.NUMPY, "a") as wheel:
        wheel.writestr("numpy/b.py", "")
    with pytest.raises(RuntimeError, match="another SHA-256"):
        build.build(tmp_path / "out", modules)
    assert not (tmp_path / "out").exists()


def test_a_site_is_built_without_the_npm_packages(tmp_path) -> None:
    said: list[str] = []
    assert build.main([str(tmp_path / "out")], tmp_path / "nowhere", said.append) == 0
    assert len(said) == 1
    assert "npm ci --prefix tools/browser" in said[0]
    assert not (tmp_path / "out").exists()
