"""The command `gonzaga-train`: MaskablePPO against random, greedy and itself.

Here is only the border of the program, with its exit codes: 0, 2 for a mistake of the caller (one
line says which), 130 when interrupted. `training` does the work.
"""

from __future__ import annotations

import os
import sys

from gonzaga_env.core.errors import GonzagaError


def main() -> int:
    """Runs the command line and returns the exit code."""
    # Where others use the cores too, threads that spin while they wait slow torch down fivefold.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when torch is imported
    try:
        from .training import main as train  # needs the extra: a missing one is a line below

        return train()
    except GonzagaError as error:
        return _fail(str(error))
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("gonzaga_agents", "gonzaga_env"):
            raise
        return _fail(f'{package} is not installed; pip install ".[train]" brings it')
    except KeyboardInterrupt:
        return _fail("interrupted", 130)


def _fail(message: str, code: int = 2) -> int:
    print(f"train: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
