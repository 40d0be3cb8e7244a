"""Checks that take other environments: `pip install ".[dev]" && nox --list`.

Sessions for a Python that is not installed are skipped. All but `base` and `package` install torch,
in the version that constraints.txt pins. UV_TORCH_BACKEND=cpu takes its CPU build and saves
gigabytes. `nox -s NAME -- short` is what CI does of a long session (tools/parts.py).
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import nox

ROOT = Path(__file__).parent
PYTHONS = ["3.11", "3.12", "3.13"]
# What uses the environments, data sets and agents, in the versions of docs/clients.md, docs/data.md
# and docs/models.md; minari imports pillow without declaring it.
LIBRARIES = (
    "sb3-contrib==2.9.2 supersuit==3.11.0 torchrl==0.14.1 minari[create,hdf5]==0.5.4 pillow "
    "pyarrow==26.0.1 datasets==5.2.0 pandas==3.1.1 polars==2.1.0 mcp==2.3.0 openai==3.57.0"
)
LIBRARY_TESTS = [
    *(f"tests/clients/test_{name}.py" for name in ("sb3", "supersuit", "torchrl", "minari")),
    *("tests/clients/test_trainers.py", "tests/agents/data", "tests/envs/test_open_spiel.py"),
    *("tests/models/test_mcp.py", "tests/models/test_model_agent.py"),
]
# What trains language models, each with an openai and mcp of its own: tests/models/test_NAME.py.
ADAPTERS = {
    "verifiers": "verifiers==0.4.0",
    "openenv": "openenv==0.10.0",
    "textarena": "textarena==0.7.4",
}
# What builds the site.
SITE = "furo>=2025.12 myst-nb>=1.4 sphinx>=9 sphinx-copybutton>=0.5.2 sphinx-design>=0.8"
PARALLEL = ["-n", "auto", "--dist", "loadfile"]
#: What CI runs with other versions: the engines, every door to them, and what the extras bring.
SHORT_TESTS = ["tests/test_golden.py", "tests/agents/network/test_learned.py"]
SHORT_TESTS += [f"tests/envs/test_{name}.py" for name in ("every_game", "rendering", "sb3")]

nox.options.default_venv_backend = "uv|virtualenv"
nox.options.download_python = "never"
nox.options.sessions = ["lint", "tests", "package"]


if "PIP_FIND_LINKS" in os.environ:  # uv has a name of its own for it
    os.environ.setdefault("UV_FIND_LINKS", ",".join(os.environ["PIP_FIND_LINKS"].split()))


def need_uv(session: nox.Session) -> None:
    """Ends a session that takes options of uv, where nox did not find it."""
    if session.venv_backend != "uv":
        session.error("takes uv: pip install uv")


def is_short(session: nox.Session) -> bool:
    """Returns whether CI's short form was asked for: `nox -s NAME -- short`."""
    return session.posargs == ["short"]


def pinned_torch() -> str:
    """Returns a file with the line of constraints.txt that pins torch."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    file = Path(tempfile.mkdtemp()) / "torch.txt"
    file.write_text("\n".join(line for line in lines if line.startswith("torch==")) + "\n")
    return str(file)


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Runs the tests with the versions of constraints.txt."""
    session.install("--constraint", "constraints.txt", ".[test]")
    session.run("python", "-m", "pytest", *PARALLEL, *session.posargs)


@nox.session(python=PYTHONS)
def newest(session: nox.Session) -> None:
    """Runs the tests with the newest version of everything that is declared."""
    need_uv(session)
    session.install("--constraint", pinned_torch(), "--upgrade", ".[test]")
    session.run("uv", "pip", "list", external=True)
    tests = SHORT_TESTS if is_short(session) else session.posargs
    session.run("python", "-m", "pytest", *PARALLEL, *tests)


@nox.session(python="3.11")
def lowest(session: nox.Session) -> None:
    """Runs the tests with the lowest version of everything that is declared, but for torch."""
    need_uv(session)
    # torch before: of its builds with one version, the lowest is that with CUDA.
    session.install("--constraint", pinned_torch(), "torch")
    session.install("--constraint", pinned_torch(), *LOWEST, ".[test]")
    session.run("uv", "pip", "list", external=True)
    # Old packages use what newer ones, which they bring along, call deprecated.
    options = ["-W", "ignore::DeprecationWarning", *PARALLEL]
    tests = SHORT_TESTS if is_short(session) else session.posargs
    session.run("python", "-m", "pytest", *options, *tests)


@nox.session(python=PYTHONS)
def base(session: nox.Session) -> None:
    """Runs the tests of the rules and the engines without extras, at the lowest versions."""
    need_uv(session)
    session.install(*LOWEST, ".", "pytest>=8.3", "hypothesis>=6.100")
    session.run("python", "-m", "pytest", *(session.posargs or BASE_TESTS))


BASE_TESTS = ["tests/core/batch", "tests/test_perft.py", "tests/test_golden.py"]
# The lowest versions that have a wheel: nobody compiles an old numpy for this.
LOWEST = ["--resolution", "lowest-direct", "--only-binary", ":all:", "--no-binary", "gonzaga-env"]


@nox.session(python="3.11")
def libraries(session: nox.Session) -> None:
    """Runs the tests of all libraries that one environment can hold, without any network."""
    extras = ".[data,models,open-spiel,render,train]"
    session.install("--constraint", "constraints.txt", extras, "pytest", *LIBRARIES.split())
    session.run("python", "-m", "pytest", *(session.posargs or LIBRARY_TESTS))


@nox.session(python="3.11")
def tianshou(session: nox.Session) -> None:
    """Runs the tests of Tianshou, which takes an older pandas."""
    session.install("--constraint", "constraints.txt", "torch", ".", "pytest", "tianshou==2.0.1")
    session.run("python", "-m", "pytest", "tests/clients/test_tianshou.py", *session.posargs)


@nox.session(python="3.11")
def ray(session: nox.Session) -> None:
    """Runs the tests that take Ray, and those of RLlib, which takes an older gymnasium."""
    wanted = [".[ray,train]", "ray[rllib]==2.60.0", "pytest"]
    session.install("--constraint", "constraints-rllib.txt", *wanted)
    tests = [f"tests/clients/test_{name}.py" for name in ("rllib", "trainers")]
    tests += ["tests/agents/play/test_jobs.py", "tests/agents/training/test_ray.py"]
    posargs = ["-k", "ray or rllib"] if is_short(session) else session.posargs
    env = {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}  # nothing outside, no token
    session.run("python", "-m", "pytest", *tests, *posargs, env=env)


@nox.session(python="3.11")
@nox.parametrize("name", list(ADAPTERS), ids=list(ADAPTERS))
def adapter(session: nox.Session, name: str) -> None:
    """Runs the tests of a library that trains language models in the games, without any network."""
    wanted = [".[evaluate]", "pytest", *ADAPTERS[name].split()]
    session.install("--constraint", "constraints.txt", *wanted)
    test = f"tests/models/test_{name}.py"
    session.run("python", "-m", "pytest", test, *session.posargs)


@nox.session(python="3.11")
def package(session: nox.Session) -> None:
    """Builds wheel and sdist, checks their page, and uses both from another folder."""
    session.run("python", "tools/package_check.py", *session.posargs)


@nox.session(python="3.11")
def nightly(session: nox.Session) -> None:
    """Runs the tests marked `nightly`, which takes an hour."""
    session.install("--constraint", "constraints.txt", ".[test]")
    session.run("python", "-m", "pytest", *PARALLEL, "-m", "nightly", *session.posargs)


@nox.session(python="3.11")
def lint(session: nox.Session) -> None:
    """Checks lint, format and types, of JavaScript too."""
    session.install("--constraint", "constraints.txt", ".[dev]")
    for command in ("ruff check .", "ruff format --check .", "mypy"):
        session.run(*command.split())
    for command in ("npm ci --ignore-scripts", "npm run check"):
        session.run(*command.split(), external=True)


@nox.session(python="3.11")
def site(session: nox.Session) -> None:
    """Builds the site into `site/`; a warning is an error, and so is a link that leads nowhere.

    Links to other sites too, with a network: `nox -s site -- linkcheck`.
    """
    # The API pages show what learns, too.
    session.install("--constraint", "constraints.txt", ".[train,web]", *SITE.split())
    strict = ["-E", "-W", "--keep-going", "-n", "-q", "-d", "build/doctrees"]
    shutil.rmtree("site", ignore_errors=True)  # pages that are gone
    session.run("python", "-m", "sphinx", *strict, "docs", "site")
    if shutil.which("npm"):  # without npm, "Play now" says that it is not there
        session.run("npm", "ci", "--prefix", "tools/browser", external=True)
    session.run("python", "tools/browser/build.py", "site/_static/play")
    if "linkcheck" in session.posargs:
        session.run("python", "-m", "sphinx", *strict, "-b", "linkcheck", "docs", "build/linkcheck")


@nox.session(python="3.11")
def audit(session: nox.Session) -> None:
    """Asks the database of PyPI for known faults of what an installation would bring."""
    need_uv(session)
    session.install("pip-audit")
    wanted = Path(session.create_tmp()) / "requirements.txt"
    options = ["--constraint", pinned_torch(), "--extra", "test", "--quiet"]
    session.run(
        "uv", "pip", "compile", "pyproject.toml", *options, "-o", str(wanted), external=True
    )
    # strict: a package that cannot be looked up is no pass
    session.run("pip-audit", "--requirement", str(wanted), "--no-deps", "--disable-pip", "--strict")
