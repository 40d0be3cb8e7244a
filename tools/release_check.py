"""Refuses to release another version, from another repository, or without a date.

    python tools/release_check.py v0.8.0 https://github.com/OWNER/NAME

The release workflow runs it before it builds; it needs nothing but Python.
"""

from __future__ import annotations

import re
import runpy
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def faults(tag: str, home: str) -> list[str]:
    """Returns the reasons not to release this checkout, a line each."""
    version = runpy.run_path(str(ROOT / "gonzaga_env" / "version.py"))["__version__"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    source = project["urls"]["Source"]
    dates = re.findall(
        rf"^## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)$",
        (ROOT / "CHANGELOG.md").read_text("utf-8"),
        re.MULTILINE,
    )
    citation = (ROOT / "CITATION.cff").read_text("utf-8").splitlines()
    checks = {
        f"the tag is {tag}, the version {version}": tag == f"v{version}",
        f"the repository is {home}, pyproject.toml names {source}": home == source,
        f"CHANGELOG.md gives no date for {version}": len(dates) == 1,
        f"CITATION.cff is not of {version} and its date": f"version: {version}" in citation
        and [line for line in citation if line.startswith("date-released: ")]
        == [f"date-released: {date}" for date in dates],
    }
    return [fault for fault, right in checks.items() if not right]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what is wrong; the exit code is 1 if anything is, 2 for wrong arguments."""
    given = sys.argv[1:] if arguments is None else arguments
    if len(given) != 2:
        print("usage: python tools/release_check.py TAG HOME", file=sys.stderr)
        return 2
    for fault in (found := faults(*given)):
        print(f"release_check: {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
