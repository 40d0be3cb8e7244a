"""`gonzaga doctor`: what is installed and what is missing, to paste into an issue.

Prints no path and no value of an environment variable.
"""

from __future__ import annotations

import os
import platform
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution, version
from itertools import zip_longest

from gonzaga_env.command_line import FAILED, OK, parse
from gonzaga_env.version import __version__

_NAME = "gonzaga-env"


@dataclass(frozen=True)
class DoctorOptions:
    """Says what is installed and what is missing, to paste into an issue.

    Prints no path and no value of an environment variable.
    """


def main(arguments: Sequence[str]) -> int:
    """Prints the report; returns 2 if something that is required is missing or too old."""
    parse(DoctorOptions, arguments, "gonzaga doctor")
    try:
        about = distribution(_NAME).metadata
    except PackageNotFoundError:
        print(f"{_NAME} is not installed; run: pip install -e . (in a clone)", file=sys.stderr)
        return FAILED
    python, system = platform.python_version(), f"{platform.system()} {platform.release()}"
    lines = {_NAME: __version__, "Python": python, "system": f"{system} {platform.machine()}"}
    if about["Version"] != __version__:
        lines[_NAME] += f" (installed as {about['Version']}; run: pip install -e .)"
    required = about.get_all("Requires-Dist") or []
    lines |= {name: _version(name) or "missing" for name, _ in _named(required)}
    lines |= {"torch": _torch(), "cores": str(os.cpu_count())}
    for extra in about.get_all("Provides-Extra") or []:
        lacks = ", ".join(dict.fromkeys(_faults(required, extra)))
        hint = f'pip install "{_NAME}[{extra}]"'
        lines[f"[{extra}]"] = f"lacks {lacks}; run: {hint}" if lacks else "complete"
    print("\n".join(f"{name:<13} {text}" for name, text in lines.items()))
    if faults := [*_faults(required)]:
        print(f"required: {', '.join(faults)}; run: pip install -U {_NAME}", file=sys.stderr)
        return FAILED
    urls = dict(url.split(", ", 1) for url in about.get_all("Project-URL") or [])
    print(f"\nPaste all of this into an issue: {urls.get('Issues', 'no address is known')}")
    return OK


def _named(required: list[str], extra: str | None = None) -> Iterator[tuple[str, str]]:
    """Yields names and conditions of what an extra takes, or the package without any (None)."""
    for line in required:
        wanted, _, marker = line.partition(";")
        of = re.search(r"""extra == ["']([\w-]+)["']""", marker)
        if (of[1] if of else None) == extra:
            name, extras, conditions = re.findall(r"^([\w.-]+)(?:\[(.+)\])?(.*)", wanted)[0]
            if name != _NAME:
                yield name, conditions
            for other in extras.split(",") if name == _NAME else ():
                yield from _named(required, other)


def _faults(required: list[str], extra: str | None = None) -> Iterator[str]:
    for name, conditions in _named(required, extra):
        found = _version(name)
        if fault := name if found is None else _fault(name, found, conditions):
            yield fault


def _fault(name: str, found: str, conditions: str) -> str | None:
    """Returns what is wrong with a version, such as "numpy 1.26 (takes >=2.0)"."""
    for compare, wanted in re.findall(r"(>=|<)\s*([\d.]+)", conditions):
        pairs = zip_longest(_numbers(found), _numbers(wanted), fillvalue=0)
        own, other = zip(*pairs, strict=True)
        if (own >= other) != (compare == ">="):
            return f"{name} {found} (takes {conditions.strip(' ()')})"
    return None


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", re.split(r"[^\d.]", text)[0])]


def _version(name: str) -> str | None:
    with suppress(PackageNotFoundError):
        return version(name)
    return None


def _torch() -> str:
    """Returns torch's build, threads and GPUs; messages of a broken one may hold paths."""
    if (found := _version("torch")) is None:
        return "not installed"
    try:
        with warnings.catch_warnings(action="ignore"):  # of drivers
            torch = import_module("torch")
            gpus = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
    except Exception as error:  # whatever a broken library raises
        return f"{found} is unusable: {type(error).__name__}"
    build = f"CUDA {torch.version.cuda}" if torch.version.cuda else "no CUDA"
    threads = f"threads: {torch.get_num_threads()}"
    return f"{torch.__version__}, {build}, {threads}, GPU: {', '.join(gpus) or 'none'}"
