"""What needs a fresh interpreter: memory, and the time of first calls."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping

_PEAK = """
import pathlib, resource, sys
status = pathlib.Path("/proc/self/status")
if status.exists():  # the peak of this process alone; that of getrusage includes its parent
    peak = next(int(line.split()[1]) for line in open(status) if line.startswith("VmHWM")) * 1024
else:  # in bytes on macOS
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak / 1e6)
"""

NUMPY_MEMORY = f"import numpy\n{_PEAK}"

# Two random games of Gonzaga, of 12 rounds of 2 x 4 steps each: all end, and are dealt again, at
# once. THE_GAME and NUM_GAMES stand for what is measured.
ENGINE_MEMORY = f"""
import numpy as np
from gonzaga_env.games import game_spec
spec = game_spec("THE_GAME")
engine = spec.engine.from_config(spec.config(num_players=4), NUM_GAMES)
mask = np.empty((engine.num_games, engine.actions.size), dtype=np.bool_)
observation = np.empty((engine.num_games, engine.features.size), dtype=np.uint8)
rng = np.random.default_rng(0)
for _ in range(2 * 12 * 8):
    engine.legal_action_mask(out=mask)
    engine.observe(out=observation)
    engine.step(engine.sample_legal(rng))
{_PEAK}"""

_TIMED = """
{before}
import time
start = time.perf_counter()
{timed}
print(time.perf_counter() - start)
"""

IMPORT = _TIMED.format(before="", timed="import gonzaga_env")
FIRST_ENGINE = _TIMED.format(
    before="import gonzaga_env; from gonzaga_env.core import Engine", timed="Engine(1)"
)
FIRST_PICTURE = _TIMED.format(
    before="import gonzaga_env; engine = gonzaga_env.Engine(1)",
    timed="gonzaga_env.draw(engine).svg",
)


def run_fresh(code: str) -> float:
    """Runs a program in a fresh interpreter and returns the number that it prints.

    Raises:
        OSError: the program failed.
    """
    return printed_number("-c", code)


def printed_number(*words: str, variables: Mapping[str, str] | None = None) -> float:
    """Returns the number that a fresh interpreter prints.

    Args:
        words: of the command line, after "python".
        variables: of the environment, beside those of this process.

    Raises:
        OSError: it failed; the message has the last line that it said.
    """
    environment = os.environ | (variables or {})
    done = subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr.strip() or "it was stopped").splitlines()[-1]
        raise OSError(f"a fresh interpreter failed: {last}")
    return float(done.stdout)
