"""Holds CI to packages that were looked at: `.ci/packages.txt` has their versions and hashes.

    python tools/ci_packages.py --write         # takes what pip would install today
    python tools/ci_packages.py installed.json  # checks a report of `pip install --report`

pip takes the versions, as constraints. It compares no hashes where it installs a folder too, here
this project, so its report is compared afterwards, before anything of it is imported. torch has no
hash, because its file depends on the index: CPU or CUDA.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / ".ci" / "packages.txt"
WRITE = "python tools/ci_packages.py --write"
INSTALL = [sys.executable, "-m", "pip", "install", "--constraint", "constraints.txt", ".[dev]"]
HEAD = f"# What CI installs, on x86-64 Linux with Python 3.11. Written by {WRITE}.\n"
_LINE = re.compile(r"([\w.-]+==[\w.!-]+)(?:  # sha256:([0-9a-f]{64}))?")


def listed(text: str) -> dict[str, str]:
    """Returns packages of a list: `name==version` to the SHA-256 of the file, or to ""."""
    return {
        match[1]: match[2] or ""
        for line in text.splitlines()
        if (match := _LINE.fullmatch(line))  # not so for comments
    }


def reported(report: str) -> dict[str, str]:
    """Returns what a report of pip has installed, in the form of `listed`, without this project."""
    found = {}
    for package in json.loads(report)["install"]:
        name, version = package["metadata"]["name"], package["metadata"]["version"]
        if archive := package["download_info"].get("archive_info"):
            sha256 = "" if name == "torch" else archive["hashes"]["sha256"]
            found[f"{name}=={version.partition('+')[0]}"] = sha256
    return found


def differences(wanted: dict[str, str], found: dict[str, str]) -> list[str]:
    """Returns a line for each installed package that is not the one of the list."""
    strange = [f"{package} is not in the list" for package in found.keys() - wanted.keys()]
    return sorted(strange) + [
        f"{package}: its file has the SHA-256 {found[package]}, not {wanted[package]}"
        for package in sorted(found.keys() & wanted.keys())
        if found[package] != wanted[package]
    ]


def write() -> None:
    """Asks pip what it would install into an empty environment, and writes the list."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        dry = ["--quiet", "--dry-run", "--ignore-installed", "--report", str(report)]
        subprocess.run([*INSTALL, *dry], cwd=ROOT, check=True)
        found = reported(report.read_text())
    lines = [
        f"{package}  # sha256:{found[package]}" if found[package] else package
        for package in sorted(found, key=str.lower)
    ]
    LIST.write_text(HEAD + "\n".join(lines) + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the list, or checks a report; the exit code is 1 if a package is another one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("report", nargs="?", type=Path, help="of `pip install --report`")
    parser.add_argument("--write", action="store_true", help="write the list instead")
    options = parser.parse_args(arguments)
    if options.write == (options.report is not None):
        parser.error("give a report, or --write")
    if options.write:
        write()
        return 0
    try:
        found = reported(options.report.read_text())
    except (OSError, ValueError, KeyError, TypeError):
        parser.error(f"{options.report} is not a report that pip has written")
    for line in (wrong := differences(listed(LIST.read_text()), found)):
        print(line, file=sys.stderr)
    if wrong:
        print(f"{LIST.name} lists what was looked at; {WRITE} renews it", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
