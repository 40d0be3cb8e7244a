"""The console commands: their exit codes, and errors in one line.

Little is imported before `run_command`, which also ends a Ctrl-C during imports in one line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

_COMMANDS = """\
gonzaga-evaluate AGENT AGENT ...                     plays agents against each other
gonzaga-evaluate --tournament AGENT AGENT ...        rates any number of agents
gonzaga-train                                        trains an agent in self-play
gonzaga play                                         serves tables to play at in a browser
python -m gonzaga_env stats PATH                     sums up recorded games

Each of them takes --help. In a checkout, python evaluate.py and python train.py do the same."""

_DOORS = {name: f"gonzaga-{name}" for name in ("evaluate", "play", "train")}


def main() -> int:
    """Prints the version, or which commands there are: `python -m gonzaga_agents`.

    Returns:
        The exit code: 0, or 2 for an argument that it does not take.
    """
    return _run("python -m gonzaga_agents", _list_commands, None)


def _list_commands() -> int:
    words = sys.argv[1:]
    wrong = [word for word in words if word not in ("--version", "--help", "-h")]
    if wrong:
        typed = _DOORS.get(wrong[0])
        hint = "--help lists the commands" if typed is None else f"type {typed}"
        print(f"python -m gonzaga_agents takes no {wrong[0]!r}; {hint}", file=sys.stderr)
        return 2
    print(f"gonzaga-env {_version()}" if "--version" in words else _COMMANDS)
    return 0


def train() -> int:
    """Trains a policy.

    Returns:
        The exit code: 0, 2 for a mistake, 130 after Ctrl-C, 143 after SIGTERM.
    """
    return run_command("train", f"{__package__}.training.options", "train")


def evaluate() -> int:
    """Plays agents against each other, in one match or in a tournament.

    Returns:
        The exit code: 0, 2 for a mistake, 130 after Ctrl-C.
    """
    if "--tournament" in sys.argv:
        sys.argv.remove("--tournament")
        return run_command("tournament", f"{__package__}.tournament.command")
    return run_command("evaluate", f"{__package__}.evaluation.command")


def run_command(name: str, module: str, extra: str | None = None) -> int:
    """Runs the `main` of a module and returns the exit code.

    Args:
        name: the command's name in its messages.
        module: imported only here, so that a missing package also ends in one line.
        extra: what the command takes, if that is more than the extra "evaluate".
    """
    # Threads that spin while they wait slow torch down fivefold where others use the cores too.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when torch is imported
    return _run(name, lambda: _run_module(name, module), extra)


def _run(name: str, command: Callable[[], int], extra: str | None) -> int:
    """Runs a command; whatever ends it becomes one line and an exit code."""
    try:
        from gonzaga_env.command_line import run_command
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return 130
    return run_command(name, command, extra)


def _run_module(name: str, module: str) -> int:
    if "--version" in sys.argv[1:]:
        print(f"gonzaga-env {_version()}")
        return 0
    _warn_of_other_code(name)
    path = [*sys.path]
    try:
        return int(import_module(module).main())
    finally:
        sys.path[:] = path  # without folders of agents


def _version() -> str:
    from gonzaga_env.version import __version__

    return __version__


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
