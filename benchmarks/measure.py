"""What the benchmarks share: one core, rates, and tables on the page of figures."""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from statistics import quantiles

PAGE = Path(__file__).resolve().parent.parent / "docs/speed.md"


def use_one_core() -> None:
    """Pins this process and its children to one core, where the system can, and to one thread.

    Call it before numpy, torch or jax is imported: they start their threads on import.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # the first often has interrupts


def rate(play: Callable[[], int], seconds: float) -> float:
    """Calls `play`, which returns its agent steps, for some seconds; returns steps a second.

    Seconds are those of the processor, since other work may share the machine.
    """
    steps, start = 0, time.process_time()
    while (elapsed := time.process_time() - start) < seconds or not steps:
        steps += play()
    return steps / elapsed


def spread(values: Sequence[float]) -> str:
    """Returns the median with its quartiles: '412,000 (398,000 to 420,000)'."""
    first, middle, third = quantiles(values, n=4, method="inclusive")
    return f"{amount(middle)} ({amount(first)} to {amount(third)})"


def amount(value: float) -> str:
    """Returns a figure with three digits at least."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def table(headings: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Returns a table in Markdown, whose first column holds names."""
    rule = ["---", *["--:"] * (len(headings) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (headings, rule, *lines))


def measured_on(command: str) -> str:
    """Returns the command, the date, the version and the machine, for a line below a table."""
    from gonzaga_env import __version__

    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists() and (found := re.search(r"model name\s*: (.*)", info.read_text())):
        cpu = found[1]
    return f"`{command}`, gonzaga-env {__version__}, {date.today().isoformat()}, {cpu}."


def write(name: str, text: str, page: Path = PAGE) -> None:
    """Writes text into a page between `<!-- NAME -->` and `<!-- end -->`."""
    whole = page.read_text("utf-8")
    marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not marks.search(whole):
        raise ValueError(f"{page} has no <!-- {name} --> ... <!-- end -->")
    page.write_text(marks.sub(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", whole), "utf-8")
