"""Builds the packages, installs the wheel into a fresh environment, and uses it from elsewhere.

    python tools/package_check.py            # downloads what the base and the extra web need
    python tools/package_check.py --keep DIR # leaves the packages and the environments there

| step | what is checked |
|---|---|
| build | the wheel is built from the sdist; `twine check --strict` accepts the page of both |
| files | the wheel holds every file of the packages, the sdist every file of the checkout |
| base | without extras: games are played, commands run, missing extras are named |
| source | tests run in the unpacked sdist |
| web | with the extra `web`: `gonzaga play` serves its pages, from the wheel |
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Folder: import name.
PACKAGES = {"gonzaga_env": "gonzaga_env", "agents": "gonzaga_agents", "table": "gonzaga_table"}

PLAY = """
import numpy as np, gonzaga_agents, gonzaga_env
from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Engine, Recorder, load_edition, write_records
assert "site-packages" in gonzaga_env.__file__, gonzaga_env.__file__
rng, records = np.random.default_rng(0), []
for scenario in load_edition("europe").scenarios:
    engine = Engine(2, scenario.players, scenario=scenario.name, seed=0, autoreset=False)
    recorder = Recorder(engine, ["random"] * scenario.players)
    while not engine.state.finished.all():
        recorder.step(engine.sample_legal(rng))
    records += recorder.pop()
write_records("games.jsonl", records)
env = gonzaga_v0.env(num_players=3, render_mode="ansi")
env.reset(seed=0)
for _ in env.agent_iter():
    observation, _, terminated, truncated, _ = env.last()
    legal = observation["action_mask"].nonzero()[0]
    env.step(None if terminated or truncated else rng.choice(legal))
env.render()
print(len(records), "games")
"""
# They read golden files and play against the oracle, which the sdist has to hold.
TESTS = ("tests/test_golden.py", "tests/test_oracle.py")
SHOWN = (
    "edition check europe",
    "replay games.jsonl",
    "evaluate random greedy --deals 2",
    "stats games.jsonl",
    "show games.jsonl --game 1 --out game.html",
)
LACKING = ("train", "play --no-open")  # without their extras


def check(place: Path) -> None:
    source, wheel = build(place)
    check_files(source, wheel)
    base = environment(place / "base", str(wheel))
    check_base(base, place / "elsewhere")
    check_source(base, source, place / "source")
    install(base, f"{wheel}[web]")
    check_web(base, place / "elsewhere")


def build(place: Path) -> tuple[Path, Path]:
    """Builds the sdist from the files that git knows, and the wheel from the sdist."""
    checkout = place / "checkout"
    for name in tracked():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_bytes((ROOT / name).read_bytes())
    builder = environment(place / "builder", "build", "twine")
    said = run([builder / "python", "-m", "build", "--outdir", place / "dist", checkout], place)
    if ignored := re.findall(r"Python recognizes '([^']+)' as an importable package", said):
        raise RuntimeError(f"setuptools takes these for packages: {', '.join(sorted({*ignored}))}")
    packages = sorted((place / "dist").iterdir())
    run([builder / "python", "-m", "twine", "check", "--strict", *packages], place)
    return next(place.glob("dist/*.tar.gz")), next(place.glob("dist/*.whl"))


def tracked() -> list[str]:
    """Returns the files that git knows and that are there."""
    listed = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], ROOT)
    return [name for name in listed.splitlines() if (ROOT / name).is_file()]


def check_files(source: Path, wheel: Path) -> None:
    """Compares what wheel and sdist hold with the checkout."""
    tops = [(name.partition("/"), name) for name in tracked()]
    wanted = {f"{PACKAGES[top]}/{rest}" for (top, _, rest), _ in tops if top in PACKAGES}
    with zipfile.ZipFile(wheel) as archive:
        names = (name for name in archive.namelist() if ".dist-info/" not in name)
        installed = {name for name in names if "/" in name}  # single modules are no packages
    compare("the wheel", wanted, installed)
    with tarfile.open(source) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    everything = {name for _, name in tops if name != ".gitignore"}
    compare("the sdist", everything, packed & everything)
    say(f"the wheel holds all {len(wanted)} files of the packages, the sdist all {len(everything)}")


def compare(what: str, wanted: set[str], found: set[str]) -> None:
    """Raises RuntimeError if files are missing or too many."""
    for verb, names in (("lacks", wanted - found), ("has, without need,", found - wanted)):
        if names:
            raise RuntimeError(f"{what} {verb} {', '.join(sorted(names)[:20])}")


def check_base(scripts: Path, elsewhere: Path) -> None:
    """Uses the package without extras, from another folder."""
    elsewhere.mkdir()
    say(f"without extras: played {run([scripts / 'python', '-c', PLAY], elsewhere).strip()}")
    for words in SHOWN:
        run([scripts / "gonzaga", *words.split()], elsewhere)
    if "<svg" not in (elsewhere / "game.html").read_text():
        raise RuntimeError("game.html shows no picture")
    for words in LACKING:
        said = run([scripts / "gonzaga", *words.split()], elsewhere, code=2)
        if len(said.splitlines()) != 1 or "pip install" not in said:
            raise RuntimeError(f"gonzaga {words} without its extra says: {said}")
        say(said.strip())


def check_source(scripts: Path, source: Path, place: Path) -> None:
    """Runs tests in the unpacked sdist, as packagers do."""
    install(scripts, "pytest", "hypothesis")
    with tarfile.open(source) as archive:
        archive.extractall(place, filter="data")
    command = [scripts / "python", "-m", "pytest", "--quiet", *TESTS]
    ended = run(command, next(place.iterdir())).strip().splitlines()[-1]
    say(f"from the sdist: {ended}")


def check_web(scripts: Path, elsewhere: Path) -> None:
    """Serves the pages, and compares each static file with the checkout's."""
    options = ["--port", "0", "--no-open", "--data", "tables.sqlite"]
    command = [scripts / "gonzaga", "play", *options]
    server = subprocess.Popen(
        command, cwd=elsewhere, stdout=subprocess.PIPE, text=True, env=clean()
    )
    static = "table/web/static/"
    names = [name for name in tracked() if name.startswith(static)]
    try:
        assert server.stdout is not None
        found = re.search(r"http://[^\s/?#]+", server.stdout.readline())
        if found is None:
            raise RuntimeError("gonzaga play does not start")
        for name in names:
            address = f"{found[0]}/static/{name.removeprefix(static)}"
            with urllib.request.urlopen(address, timeout=60) as answer:
                if answer.read() != (ROOT / name).read_bytes():
                    raise RuntimeError(f"{name} is served otherwise than it is")
    finally:
        server.kill()
        server.communicate()
    say(f"with the extra web: {len(names)} static files are served as they are in the checkout")


def environment(folder: Path, *requirements: str) -> Path:
    venv.create(folder, with_pip=True)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    install(scripts, *requirements)
    return scripts


def install(scripts: Path, *requirements: str) -> None:
    """Installs into an environment; what is imported is compiled then."""
    pip = scripts / "python", "-m", "pip"
    run([*pip, "install", "--quiet", "--no-compile", *requirements], scripts)


def run(command: Iterable[str | Path], folder: Path, code: int = 0) -> str:
    """Runs a command in a folder and returns what it prints; RuntimeError for another exit code."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=folder, env=clean(), capture_output=True, text=True, check=False
    )
    if done.returncode != code or "Traceback" in done.stderr:
        said = (done.stdout + done.stderr).strip()[-2000:]
        raise RuntimeError(f"{' '.join(words)[:300]} ended with {done.returncode}: {said}")
    return done.stdout + done.stderr


def clean() -> dict[str, str]:
    """Returns the environment without what would make a checkout importable."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def say(line: str) -> None:
    print(line, flush=True)


def main(words: list[str]) -> int:
    """Runs all checks; the exit code is 1 if one fails."""
    try:
        if words[:1] == ["--keep"] and len(words) == 2:
            Path(words[1]).mkdir(parents=True, exist_ok=True)
            check(Path(words[1]).resolve())
        else:
            with tempfile.TemporaryDirectory() as folder:
                check(Path(folder))
    except RuntimeError as error:
        print(f"package_check: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
