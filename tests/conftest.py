"""Shared fixtures: the shipped edition, positions after random play, and a browser."""

import io
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from gonzaga_env.__main__ import main
from gonzaga_env.core import Engine
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.editions.loading import load_edition

Answer = tuple[int, str, str]  # of a command: exit code, stdout, stderr

# A shell's background jobs ignore Ctrl-C, and so would the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
# Parallel workers share the cores; torch would start a thread for each core in each of them.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Lets tests in Chromium run nightly, but for those marked `smoke`."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()) and "smoke" not in item.keywords:
            item.add_marker("nightly")


@pytest.fixture(scope="session")
def europe() -> Edition:
    return load_edition("europe")


@pytest.fixture
def call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Answer]:
    """Returns a function that runs a command with arguments: (exit code, stdout, stderr)."""

    def run(main: Callable[[], int], *arguments: object) -> Answer:
        monkeypatch.setattr(sys, "argv", ["command", *map(str, arguments)])
        monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])  # agents of modules add to it
        try:
            code = main()
        except SystemExit as stopped:  # the parser's own
            code = int(stopped.code or 0)
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def gonzaga(call: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """Returns a function that runs `gonzaga` with arguments and typed text."""

    def run(*arguments: object, typed: str = "") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return call(partial(main, [*map(str, arguments)]))

    return run


def complaint_of(answer: Answer) -> str:
    """Returns what a command says of a mistake: one line, exit code 2 and nothing printed."""
    code, out, err = answer
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A running browser; pages need a context of it each."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason='needs Playwright: pip install ".[test]"'
    )
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("needs Chromium: apt install chromium")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def played(engine: Any, num_steps: int, seed: int = 0) -> Any:
    """Plays random legal actions and returns the same engine, of many games or of one."""
    rng, play = np.random.default_rng(seed), engine.step if hasattr(engine, "step") else engine.play
    for _ in range(num_steps):
        play(engine.sample_legal(rng))
    return engine


def finished(num_players: int, seed: int = 0) -> Engine:
    """Returns a game that was played at random to its end."""
    engine, rng = Engine(1, num_players, seed=seed, autoreset=False), np.random.default_rng(seed)
    while not engine.state.finished[0]:
        engine.step(engine.sample_legal(rng))
    return engine
