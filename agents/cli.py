"""The commands `gonzaga-train` and `gonzaga-evaluate`: exit codes and one-line messages."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from gonzaga_env.core.errors import EditionError, GonzagaError

INTERRUPTED, MISTAKE = 130, 2
_EVALUATE_EXTRA = ("rich", "scipy", "tyro")


def train() -> int:
    """Trains a policy; returns the exit code: 0, 2 for a mistake, 130 if interrupted."""
    return run_command("train", "training.command")


def evaluate() -> int:
    """Plays agents against each other; returns the exit code: 0, 2 for a mistake, 130."""
    return run_command("evaluate", "evaluation.command")


def run_command(name: str, module: str) -> int:
    """Runs the `main` of a module of this package and returns the exit code.

    Args:
        name: how the command calls itself in its messages.
        module: imported only here, so that a package that is missing is told in a line too.
    """
    # Where others use the cores too, threads that spin while they wait slow torch down fivefold.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when torch is imported
    code, message = MISTAKE, ""
    try:
        return int(import_module(f".{module}", __package__).main())
    except EditionError as error:
        message = str(error)  # with its faults, a line each
    except GonzagaError as error:
        message = str(error).partition("\n")[0]
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("gonzaga_agents", "gonzaga_env"):
            raise
        extra = "evaluate" if package in _EVALUATE_EXTRA else "train"
        message = f'{package} is not installed; pip install ".[{extra}]" brings it'
    except BrokenPipeError:  # whoever read our output has gone, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        message = f"{error.filename}: {error.strerror}"
    except KeyboardInterrupt:
        code, message = INTERRUPTED, "interrupted"
    print(f"{name}: {message}", file=sys.stderr)
    return code
