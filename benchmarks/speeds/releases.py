"""The working tree against a released version: the same games, in turns, in fresh processes."""

from __future__ import annotations

import atexit
import os
import subprocess
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from benchmarks.common.fresh import printed_number
from benchmarks.common.measure import Measure, Settings

ROOT = Path(__file__).resolve().parents[2]
_VERSION = "gonzaga_env/version.py"


def last_release(root: Path = ROOT) -> str:
    """Returns the commit of the newest release before the one that is checked out.

    It is the newest tag, or else the commit that last changed the version.

    Raises:
        OSError: the history that git knows has no release.
    """
    for command in (("describe", "--tags", "--abbrev=0"), ("log", "-1", "--format=%H")):
        path = () if command[0] == "describe" else ("--", _VERSION)
        found = _git(root, *command, "HEAD^", *path)
        if found.returncode == 0 and found.stdout.strip():
            return found.stdout.decode().strip()
    raise OSError("git knows no release to compare with; try git fetch --unshallow --tags")


def check_out(revision: str, folder: Path, root: Path = ROOT) -> None:
    """Writes the environments' code of a tag or commit into a folder.

    Raises:
        OSError: git knows no such revision.
    """
    archive = _git(root, "archive", revision, "gonzaga_env")
    if archive.returncode:
        raise OSError(f"--against: git knows no {revision!r}")
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)


def paired(figure: str, name: str, settings: Settings) -> Measure:
    """Returns what measures a figure of `random_games` in the working tree and in a release.

    The measure returns `name`.tree and `name`.release. Tree, release, release and tree are
    measured for half the time each, so that a machine that slows down affects both alike.

    Raises:
        OSError: there is no such release.
    """
    folder = mkdtemp(prefix="gonzaga-release-")
    atexit.register(rmtree, folder)
    check_out(settings.against or last_release(), Path(folder))

    def measure() -> dict[str, float]:
        trees = {"tree": str(ROOT), "release": folder}
        play = partial(play_in, figure=figure, seconds=settings.seconds / 2)
        order = ("tree", "release", "release", "tree")
        found = [(part, play(trees[part])) for part in order]
        return {
            f"{name}.{part}": sum(rate for other, rate in found if other == part) / 2
            for part in trees
        }

    return measure


def play_in(tree: str, figure: str, seconds: float) -> float:
    """Returns the agent steps a second of a figure in a fresh process with the code of a folder.

    Raises:
        OSError: the process failed.
    """
    words = "-P", "-m", "benchmarks.speeds.random_games", figure, str(seconds)
    return printed_number(*words, variables={"PYTHONPATH": os.pathsep.join([tree, str(ROOT)])})
