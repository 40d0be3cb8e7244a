"""The command `gonzaga-evaluate`: agents against each other, every deal in all seat rotations.

Here is only the border of the program, with its exit codes: 0, 2 for a mistake of the caller (one
line says which), 130 when interrupted. `evaluation` does the work.
"""

from __future__ import annotations

import sys

from gonzaga_env.core.errors import EditionError, GonzagaError

_EVALUATE_EXTRA = ("rich", "scipy", "tyro")


def main() -> int:
    """Runs the command line and returns the exit code."""
    try:
        from .evaluation import main as evaluate  # needs the extra: a missing one is a line below

        evaluate()
    except EditionError as error:
        return _fail(str(error))  # with its faults, a line each
    except GonzagaError as error:
        return _fail(str(error).partition("\n")[0])
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("gonzaga_agents", "gonzaga_env"):
            raise
        extra = "evaluate" if package in _EVALUATE_EXTRA else "train"
        return _fail(f'{package} is not installed; pip install ".[{extra}]" brings it')
    except KeyboardInterrupt:
        return _fail("interrupted", 130)
    return 0


def _fail(message: str, code: int = 2) -> int:
    print(f"evaluate: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
