"""What only a fresh interpreter can tell: memory, and how long things take the first time."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.door import CommandError

_PEAK = """
from pathlib import Path
status = Path("/proc/self/status")
if status.exists():  # the peak of this process alone; getrusage's holds the parent's
    peak = next(int(line.split()[1]) for line in open(status) if line.startswith("VmHWM")) * 1024
else:
    import resource, sys
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak *= 1 if sys.platform == "darwin" else 1024
print(peak / 1e6)
"""

_NUMPY = f"import numpy\n{_PEAK}"

# Two games at random, of 12 rounds of 2 x 4 steps: all of them end, and are dealt anew, at once.
_ENGINE = f"""
import numpy as np
from gonzaga_env.core import Engine
engine = Engine({{num_games}}, num_players=4)
mask = np.empty((engine.num_games, engine.actions.size), dtype=np.bool_)
observation = np.empty((engine.num_games, engine.features.size), dtype=np.uint8)
rng = np.random.default_rng(0)
for _ in range(2 * 12 * 8):
    engine.legal_action_mask(out=mask)
    engine.observe(out=observation)
    engine.step(engine.sample_legal(rng))
{_PEAK}"""

_IMPORT = """
import time
start = time.perf_counter()
import gonzaga_env
print(time.perf_counter() - start)
"""

_FIRST_ENGINE = """
import time
import gonzaga_env
from gonzaga_env.core import Engine
start = time.perf_counter()
Engine(1)
print(time.perf_counter() - start)
"""


def numpy_memory() -> float:
    """Returns the peak memory of an interpreter with numpy imported, in MB (1e6 bytes)."""
    return _run(_NUMPY)


def engine_memory(num_games: int) -> float:
    """Returns the peak memory of N games played for two games' steps, in MB (1e6 bytes)."""
    return _run(_ENGINE.format(num_games=num_games))


def import_seconds() -> float:
    """Returns how long `import gonzaga_env` takes."""
    return _run(_IMPORT)


def first_engine_seconds() -> float:
    """Returns how long the first `Engine(1)` takes after the import."""
    return _run(_FIRST_ENGINE)


def _run(code: str) -> float:
    """Runs a program in a fresh interpreter and returns the number that it prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it was stopped"])[-1]
        raise CommandError(f"a fresh interpreter failed: {last}")
    return float(done.stdout)
