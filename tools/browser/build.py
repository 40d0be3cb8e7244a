"""Puts together what the page "Play now" loads: Python, numpy and this package in WebAssembly.

    npm ci --prefix tools/browser
    python tools/browser/build.py site/_static/play

Needs starlette, which comes with the extra "web". Everything is served from the folder that this
writes; nothing is fetched from elsewhere. Without `npm ci` it says so and writes nothing, and the
page then tells its readers that it was built without the game.

numpy has no wheel for Pyodide on PyPI yet (PEP 783). The wheel used here was built by Pyodide for
its version 0.28.0a3, with the same binary interface. It comes from an npm package of PyMuPDF, the
rest of which is not used.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import files
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import tyro

ROOT = Path(__file__).resolve().parents[2]
MODULES = Path(__file__).resolve().parent / "node_modules"
NUMPY = "@bentopdf/pymupdf-wasm/assets/numpy-2.2.5-cp313-cp313-pyodide_2025_0_wasm32.whl"
NUMPY_SHA256 = "125230b4c3ecd08803e5c43f1162e017c0718d9f253146225a705a952b9c16c2"
COPIED = {  # from npm packages
    **{
        f"pyodide/{name}": f"pyodide/{name}"
        for name in (
            "pyodide.js",
            "pyodide.asm.js",
            "pyodide.asm.wasm",
            "python_stdlib.zip",
            "pyodide-lock.json",
        )
    },
    **{f"sql/{name}": f"sql.js/dist/{name}" for name in ("sql-wasm.js", "sql-wasm.wasm")},
}
OWN = {"gonzaga_env": "gonzaga_env", "gonzaga_agents": "agents", "gonzaga_table": "table"}
LIBRARIES = ("starlette", "anyio", "idna", "typing_extensions")
_LEFT_OUT = {  # parts of numpy that nothing here imports
    "numpy": ("tests", "f2py", "include", "_examples", "doc"),
    "gonzaga_env": ("envs",),  # they need gymnasium
    "gonzaga_agents": ("training", "bench", "dataset", "tournament"),
}
_SUFFIXES = (".pyc", ".pyi", ".a", ".typed")
_DATE = (1980, 1, 1, 0, 0, 0)  # of all files, so that the same sources give the same archive
_EMPTY_INIT = '"""Gonzaga in a browser, without environments (see tools/browser)."""\n'
PACKAGES = "packages.zip"


def build(out: Path, modules: Path = MODULES) -> dict[str, int]:
    missing = sorted({name for name in (*COPIED.values(), NUMPY) if not (modules / name).is_file()})
    if missing:
        raise RuntimeError(f"there is no {missing[0]}; run: npm ci --prefix tools/browser")
    wheel = modules / NUMPY
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != NUMPY_SHA256:
        raise RuntimeError(f"{wheel.name} has another SHA-256 than {NUMPY_SHA256}")
    with tempfile.TemporaryDirectory(dir=out.parent if out.parent.is_dir() else None) as folder:
        made = Path(folder) / "play"
        for name, source in COPIED.items():
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(modules / source, made / name)
        _write_packages(made / PACKAGES, wheel)
        sizes = {name: (made / name).stat().st_size for name in (*COPIED, PACKAGES)}
        (made / "sizes.json").write_text(json.dumps(sizes, indent=1) + "\n", encoding="utf-8")
        shutil.copytree(made, out, dirs_exist_ok=True)
    return sizes


def _write_packages(path: Path, wheel: Path) -> None:
    """Writes all Python packages into one archive, which the page unpacks."""
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as archive, ZipFile(wheel) as numpy:
        for name in sorted(numpy.namelist()):
            if not name.endswith("/") and _is_needed(name):
                _add(archive, name, numpy.read(name))
        for name, source in _own_files():
            content = _EMPTY_INIT.encode() if name == "gonzaga_env/__init__.py" else None
            _add(archive, name, content or source.read_bytes())
        for library in LIBRARIES:
            for file in sorted(files(library) or (), key=str):
                name = file.as_posix()
                if name.startswith(("..", "bin/")) or "direct_url" in name or not _is_needed(name):
                    continue
                _add(archive, name, Path(str(file.locate())).read_bytes())


def _own_files() -> Iterator[tuple[str, Path]]:
    for package, folder in OWN.items():
        for path in sorted((ROOT / folder).rglob("*")):
            name = f"{package}/{path.relative_to(ROOT / folder).as_posix()}"
            if path.is_file() and _is_needed(name):
                yield name, path


def _is_needed(name: str) -> bool:
    package, *rest = name.split("/")
    left_out = _LEFT_OUT.get(package, ())
    return not (
        name.endswith(_SUFFIXES) or "__pycache__" in rest or any(part in left_out for part in rest)
    )


def _add(archive: ZipFile, name: str, content: bytes) -> None:
    info = ZipInfo(name, _DATE)
    info.compress_type = ZIP_DEFLATED
    archive.writestr(info, content)


def _squeezed(path: Path) -> int:
    """Returns the bytes of a file as most servers send it."""
    return len(gzip.compress(path.read_bytes(), 6))


@dataclass(frozen=True)
class BuildOptions:
    """Builds the table that runs in the browser."""

    out: tyro.conf.Positional[Path]
    """The folder that is written, _static/play of a site."""


def main(
    arguments: list[str] | None = None, modules: Path = MODULES, tell: Callable[[str], None] = print
) -> int:
    """Runs the command, and returns its exit code; missing npm packages are not an error."""
    out = tyro.cli(BuildOptions, args=arguments).out
    try:
        sizes = build(out, modules)
    except RuntimeError as error:
        tell(f"play now: left out of the site: {error}")
        return 0
    total, sent = sum(sizes.values()), sum(_squeezed(out / name) for name in sizes)
    tell(f"play now: {total / 1e6:.1f} MB in {out}, {sent / 1e6:.1f} MB to load with gzip")
    return 0


if __name__ == "__main__":
    sys.exit(main())
