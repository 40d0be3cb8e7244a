"""Runs the sessions of noxfile.py, two at a time and short: `python -m tools.parts [SESSION ...]`.

Left out are those that `.ci/run` has run (lint, tests), that take other Pythons, hours or a
connection. A session that fails to install what the package index does not serve is skipped. The
exit code is 1 if one failed.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOX = [sys.executable, "-m", "nox"]
LEFT_OUT = re.compile(r"(lint|tests.*|.*-3\.1[23]|nightly|audit)")
LONG = ("libraries", "ray", "package")  # they come first, so that no core waits for one of them
SHORT = ("ray", "lowest", "newest-3.11")  # sessions that know `-- short`
LIMIT = 1500.0  # seconds of a session
_UNSERVED = re.compile(
    r"not found in the package registry|there (is|are) no versions? of|only \S+ is available"
    r"|no usable wheels|Failed to (fetch|download)|No matching distribution found"
    r"|npm error code (E404|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|EAI_AGAIN)"
)
# Two sessions share two cores, so that none starts a process or a thread for each.
VARIABLES = {"PYTEST_XDIST_AUTO_NUM_WORKERS": "1", "OMP_NUM_THREADS": "1"}


def sessions() -> list[str]:
    listed = subprocess.run([*NOX, "--list"], cwd=ROOT, check=True, capture_output=True, text=True)
    names = re.findall(r"^[-*] (\S+)", listed.stdout, re.MULTILINE)
    wanted = [name for name in names if not LEFT_OUT.fullmatch(name)]
    return sorted(wanted, key=lambda name: name not in LONG)


def run(name: str) -> bool:
    """Runs a session in an environment of its own and returns whether it failed."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="gonzaga-nox-") as folder:
        command = [*NOX, "--envdir", folder, "--session", name]
        command += ["--", "short"] if name in SHORT else []
        log = Path(folder, "log")
        with log.open("wb") as out:
            try:
                code = subprocess.run(
                    command,
                    cwd=ROOT,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    env=os.environ | VARIABLES,
                    timeout=LIMIT,
                    check=False,
                ).returncode
            except subprocess.TimeoutExpired:
                code = 124
        said = log.read_text("utf-8", errors="replace")
    is_installed = re.search(r"nox > python -m (pytest|sphinx)", said)
    skipped = code not in (0, 124) and not is_installed and _UNSERVED.search(said)
    verdict = "skipped" if skipped else "failed" if code else "passed"
    why = f"  (exit code {code})" if code else ""
    print(f"{verdict:8} {time.monotonic() - began:5.0f} s  {name}{why}", flush=True)
    if code:
        print("\n".join(f"    {line}" for line in said.splitlines()[-40:]), flush=True)
    return verdict == "failed"


def main(names: Sequence[str]) -> int:
    with ThreadPoolExecutor(2) as pool:
        return int(any([*pool.map(run, names or sessions())]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
