"""The console commands: their exit codes, and errors in one line."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path

from gonzaga_env import command_line
from gonzaga_env.version import __version__

from .common.extras import install_hint


def train() -> int:
    """Trains a policy.

    Returns:
        The exit code: 0, 2 for a mistake, 130 after Ctrl-C, 143 after SIGTERM.
    """
    return run_command("train", f"{__package__}.training.command")


def evaluate() -> int:
    """Plays agents against each other, in one match or in a tournament.

    Returns:
        The exit code: 0, 2 for a mistake, 130 after Ctrl-C.
    """
    is_tournament = not {"--tournament", "--until-decided"}.isdisjoint(sys.argv[1:])
    room = "tournament" if is_tournament else "evaluation"
    return run_command("evaluate", f"{__package__}.{room}.command")


def run_command(name: str, module: str) -> int:
    """Runs the `main` of a module and returns the exit code.

    Args:
        name: the command's name in its messages.
        module: imported only here, so that a missing package also ends in one line.
    """
    # Threads that spin while they wait slow torch down fivefold where others use the cores too.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when torch is imported
    return command_line.run_command(name, lambda: _run(name, module), install_hint)


def _run(name: str, module: str) -> int:
    if "--version" in sys.argv[1:]:
        print(f"gonzaga-env {__version__}")
        return 0
    _warn_of_other_code(name)
    path = [*sys.path]
    try:
        return int(import_module(module).main())
    finally:
        sys.path[:] = path  # without folders of agents


def _warn_of_other_code(name: str) -> None:
    """Warns if the folder holds a checkout whose agents are not the code that runs."""
    here, running = Path.cwd() / "agents", Path(__file__).parent
    is_checkout = (here / "cli.py").is_file() and (here.parent / "gonzaga_env").is_dir()
    if is_checkout and here.resolve() != running.resolve() and _code(here) != _code(running):
        print(
            f"{name}: warning: the code in {here} is not what runs, which is in {running}; "
            "pip install -e . makes it run",
            file=sys.stderr,
        )


def _code(folder: Path) -> dict[str, bytes]:
    """Returns the content of every Python file of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.py")}
