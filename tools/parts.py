"""Runs checks part by part and prints a line for each: name, result, seconds.

    python -m tools.parts ci              # every other session of noxfile.py, short
    python -m tools.parts night           # what takes hours; the same command continues
    python -m tools.parts night --list
    python -m tools.parts ci --only ray "client(sb3)"

CI's parts are skipped where the package index does not serve what they install, and only then.
The parts of a night are kept in build/night: one that passed is not run again for the same commit
and the same changes of it. docs/testing.md has what runs when, and what runs nowhere else.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import NamedTuple

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

ROOT = Path(__file__).resolve().parent.parent
NIGHT = ROOT / "build" / "night"
MOST_SECONDS = 1500.0  # of a part of CI; a night's have no limit
TAIL = 60  # lines of a part that failed

#: The sessions that CI runs, by the seconds they take on a quiet machine: the longest first, since
#: two run at a time.
CI_SESSIONS = (
    "tools",
    "ray",
    "lowest",
    "newest-3.11",
    "site",
    "package",
    "client(sb3)",
    "client(rllib)",
    "client(torchrl)",
    "open_spiel",
    "base-3.11",
    "data",
    "models",
    "adapter(verifiers)",
    "adapter(openenv)",
    "adapter(textarena)",
    "wandb",
    "client(tianshou)",
    "client(minari)",
    "client(supersuit)",
)
SHORT = ("ray", "lowest", "newest-3.11")  # sessions that know `-- short`

#: Tests marked `nightly` by part; the part "others" has what is in none of these.
NIGHT_TESTS = {
    "oracles": ("tests/test_oracle.py", "tests/tuscany/test_oracle.py", "tests/signorie"),
    "browsers": ("tests/table",),
    "agents": ("tests/agents",),
    "pages": ("tests/docs", "tests/test_notebooks.py"),
}
FUZZ_INPUTS, FUZZ_BLOCK = 100_000, 25_000
MUTANTS, MUTANTS_GOAL = 240, 0.97
#: What tools/chaos.py breaks, and how; to import it takes seconds.
PROGRAMS = ("training", "value learning", "evaluation", "tournament", "browser table")
IN_TWO = ("training in two processes", "tournament in two processes")
FAULTS = (
    "SIGKILL",
    "worker killed",
    "full disk",
    "read-only folder",
    "damaged file",
    "two writers",
)

#: Only these commands of a session may fail for what the index does not serve ...
_INSTALLS = re.compile(
    r"nox > Command (uv pip install|npm ci|python tools/package_check\.py)\b.* failed with exit"
)
#: ... with these words, of uv, pip and npm.
_UNSERVED = re.compile(
    r"(?P<a>\S+) was not found in the package registry"
    r"|there (?:is|are) no versions? of (?P<b>\S+)"
    r"|only (?P<c>\S+) is available"
    r"|(?P<d>\S+) has no usable wheels"
    r"|Failed to (?:fetch|download):? `?(?P<e>[^`\s]+)"
    r"|No matching distribution found for (?P<f>\S+)"
    r"|npm error code (?P<g>E404|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|EAI_AGAIN)"
)


#: Processes of the parts that run now.
RUNNING = set[subprocess.Popen[bytes]]()


class Part(NamedTuple):
    """A check.

    Attributes:
        name: of its line.
        command: what runs, in the root of the checkout.
        variables: of its environment, beside those of this process.
        mutants: whether it passes by the share of mutants that ended, and not by its exit code.
    """

    name: str
    command: Sequence[str]
    variables: dict[str, str] = {}  # noqa: RUF012  # nobody changes it
    mutants: bool = False


class Result(NamedTuple):
    """What became of a part.

    Attributes:
        verdict: "passed", "failed" or "skipped".
        seconds: by the clock.
        detail: why it was skipped, or a figure; may be empty.
        log: what it printed.
    """

    verdict: str
    seconds: float
    detail: str
    log: str


def ci_parts(folder: Path) -> Iterator[Part]:
    """Yields the sessions of CI, with environments in a folder."""
    # Two parts share two cores, so that none starts a process or a thread for each.
    variables = {"PYTEST_XDIST_AUTO_NUM_WORKERS": "1", "OMP_NUM_THREADS": "1"}
    for name in CI_SESSIONS:
        place = ["--envdir", str(folder / re.sub(r"\W", "-", name))]
        options = ["--", "short"] if name in SHORT else []
        command = [sys.executable, "-m", "nox", *place, "--session", name, *options]
        yield Part(name, command, variables)


def night_parts(folder: Path) -> Iterator[Part]:
    """Yields the parts of a night, whose files are in a folder; the quick ones first."""
    yield from _night_tests()
    for name in ("lowest", "newest-3.11", "ray"):
        yield Part(f"session {name}", [sys.executable, "-m", "nox", "--session", name])
    yield from _night_loads()
    yield from _night_fuzzing(folder)
    yield from _night_mutants(folder)
    yield from _night_faults()


def _pytest(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pytest", "-n", "auto", "--dist", "loadfile", *arguments]


def _night_tests() -> Iterator[Part]:
    for name, paths in NIGHT_TESTS.items():
        yield Part(f"tests of {name}", _pytest("-m", "nightly", *paths))
    others = [f"--ignore={path}" for paths in NIGHT_TESTS.values() for path in paths]
    yield Part("tests of others", _pytest("-m", "nightly", "tests", *others))


def _night_loads() -> Iterator[Part]:
    from benchmarks.loads.attacks import ATTACKS

    sizes = ["--tables", "100", "--think", "5", "--seconds", "20"]
    for kind in ("none", *ATTACKS):
        command = [sys.executable, "benchmarks/load.py", *sizes, "--attack", kind]
        yield Part(f"load, attack {kind}", command)


def _night_fuzzing(folder: Path) -> Iterator[Part]:
    from tools.fuzz import FORMATS

    resampling = ("core/state", "signorie", "tuscany")
    tests = (f"tests/{room}/test_resample.py" for room in resampling)
    long = _pytest("-m", "", "tests/test_stateful.py", *tests)
    yield Part("calls of engines and environments", long, {"GONZAGA_FUZZ": "50000"})
    mutated = ("tests/test_mutated_states.py", "tests/signorie/test_mutated_states.py")
    states = _pytest("-m", "", *mutated)
    yield Part("mutated states", states, {"GONZAGA_FUZZ": "20000"})
    for name in FORMATS:
        for start in range(0, FUZZ_INPUTS, FUZZ_BLOCK):
            numbers = ["--from", str(start), "--inputs", str(FUZZ_BLOCK)]
            failures = ["--failures", str(folder / f"fuzz-{name}-{start}.jsonl")]
            command = [sys.executable, "tools/fuzz.py", "--formats", name, *numbers, *failures]
            yield Part(f"fuzzing {name} from {start:,}", command)


def _night_mutants(folder: Path) -> Iterator[Part]:
    from gonzaga_env.games import game_names

    for name in game_names():
        results = ["--mutants", str(MUTANTS), "--results", str(folder / f"mutants-{name}.jsonl")]
        command = [sys.executable, "-m", "tools.mutate", "--game", name, *results]
        yield Part(f"mutants of {name}", command, mutants=True)


def _night_faults() -> Iterator[Part]:
    for program, fault in product((*PROGRAMS, *IN_TWO), FAULTS):
        if fault != "worker killed" or program in IN_TWO:
            command = [sys.executable, "tools/chaos.py", "--cases", program, "--faults", fault]
            yield Part(f"{program}: {fault}", [*command, "--runs", "100"])


def unserved(log: str) -> str:
    """Returns what the package index did not serve, if an installation failed for that; else ""."""
    failed = _INSTALLS.search(log)
    found = failed and _UNSERVED.search(log, failed.start())
    return next(filter(None, found.groups())).rstrip(",.") if found else ""


def judge(part: Part, code: int, log: str) -> tuple[str, str]:
    """Returns a part's verdict and detail, by its exit code and what it printed."""
    if part.mutants:
        found = re.findall(r"(\d+) of (\d+) ended", log)
        ended, number = map(int, found[-1]) if found else (0, 0)
        good = code in (0, 1) and number >= 1 and ended >= MUTANTS_GOAL * number
        return "passed" if good else "failed", f"{ended} of {number} ended"
    if not code:
        return "passed", ""
    if part.name in CI_SESSIONS and (missing := unserved(log)):
        return "skipped", f"the package index does not serve {missing}"
    return "failed", f"exit code {code}"


def run(part: Part, seconds: float | None = None) -> Result:
    """Runs a part, and ends it with all its processes after some seconds."""
    began = time.monotonic()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out:
        process = subprocess.Popen(
            part.command,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **part.variables},
            start_new_session=True,
        )
        RUNNING.add(process)
        try:
            code = process.wait(seconds)
            late = ""
        except subprocess.TimeoutExpired:
            code, late = 1, f"ended after {seconds:,.0f} s"
        finally:
            _end(process)
            RUNNING.discard(process)
        out.seek(0)
        log = out.read()
    verdict, detail = judge(part, code, log)
    return Result(verdict, time.monotonic() - began, late or detail, log)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a part's processes, those that it has left behind too."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def run_ci(parts: Sequence[Part], folder: Path, jobs: int) -> list[str]:
    """Runs parts at the same time; returns their verdicts."""

    def once(part: Part) -> str:
        result = run(part, MOST_SECONDS)
        shutil.rmtree(Path(part.command[part.command.index("--envdir") + 1]), ignore_errors=True)
        tell(part, result)
        return result.verdict

    with ThreadPoolExecutor(jobs) as pool:
        try:
            return [*pool.map(once, parts)]
        except BaseException:  # Ctrl-C reaches this thread alone
            pool.shutdown(wait=False, cancel_futures=True)
            for process in [*RUNNING]:
                _end(process)
            raise


def run_night(parts: Sequence[Part], folder: Path) -> list[str]:
    """Runs the parts that have not passed yet; returns the verdicts of all."""
    done = folder / "parts.jsonl"
    done.touch()
    whole = done.read_bytes().rpartition(b"\n")[:2]  # without a line that was cut off
    done.write_bytes(b"".join(whole))
    known = [json.loads(line) for line in whole[0].splitlines()]
    passed = {entry["part"] for entry in known if entry["verdict"] == "passed"}
    verdicts = []
    for part in parts:
        if part.name in passed:
            verdicts.append("passed")
            continue
        result = run(part)
        entry = {"part": part.name, "verdict": result.verdict, "seconds": round(result.seconds)}
        with done.open("a", encoding="utf-8") as out:
            out.write(json.dumps({**entry, "detail": result.detail}) + "\n")
        tell(part, result)
        verdicts.append(result.verdict)
    return verdicts


def tell(part: Part, result: Result) -> None:
    """Prints the line of a part, and the end of what it said if it failed."""
    detail = f"  ({result.detail})" if result.detail else ""
    print(f"{result.verdict:8} {result.seconds:7,.0f} s  {part.name}{detail}", flush=True)
    if result.verdict == "failed":
        said = "\n".join(f"    {line}" for line in result.log.splitlines()[-TAIL:])
        print(f"    + {shlex.join(part.command)}\n{said}", flush=True)


def key() -> str:
    """Returns a name of the commit and of what has been changed in it."""

    def git(*words: str) -> bytes:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout

    commit, changes = git("rev-parse", "--short=12", "HEAD").decode().strip(), git("diff", "HEAD")
    return f"{commit}-{hashlib.sha256(changes).hexdigest()[:6]}" if changes else commit


def chosen(parts: Iterable[Part], names: Sequence[str] | None) -> list[Part]:
    """Returns the parts with some names, or all.

    Raises:
        ValueError: there is no such part.
    """
    by_name = {part.name: part for part in parts}
    for name in names or ():
        if name not in by_name:
            raise ValueError(f"there is no part {name!r}; there are: {', '.join(by_name)}")
    return [by_name[name] for name in names or by_name]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs parts; the exit code is 1 if one failed."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.parts", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("which", choices=("ci", "night"))
    parser.add_argument("--only", nargs="+", metavar="PART", help="some of them (all)")
    parser.add_argument("--jobs", type=int, default=2, help="parts of CI at a time (2)")
    parser.add_argument("--list", action="store_true", help="print their commands, and end")
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        parser.error("--jobs takes 1 or more")
    with tempfile.TemporaryDirectory(prefix="gonzaga-parts-") as place:
        folder = Path(place) if options.which == "ci" else NIGHT / key()
        make = ci_parts if options.which == "ci" else night_parts
        try:
            parts = chosen(make(folder), options.only)
        except ValueError as error:
            parser.error(str(error))
        if options.list:
            print(*(f"{part.name}: {shlex.join(part.command)}" for part in parts), sep="\n")
            return 0
        folder.mkdir(parents=True, exist_ok=True)
        if options.which == "ci":
            verdicts = run_ci(parts, folder, options.jobs)
        else:
            verdicts = run_night(parts, folder)
    count = {verdict: verdicts.count(verdict) for verdict in ("passed", "failed", "skipped")}
    print("parts:", ", ".join(f"{number} {verdict}" for verdict, number in count.items()))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("parts: interrupted", file=sys.stderr)
        sys.exit(130)
