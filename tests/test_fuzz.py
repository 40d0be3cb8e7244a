"""The fuzzer of `tools/fuzz.py`: that it makes what broke 0.6.0, and finds what it looks for."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tools.fuzz import Fuzzer
from tools.fuzzing.binary import change_model, read_fields, shaped_pickle, write_fields
from tools.fuzzing.inputs import (
    change_array,
    change_json,
    change_state,
    change_toml,
    change_zip,
    draw_size,
    write_zip,
)
from tools.fuzzing.readers import Target

ROOT = Path(__file__).parent.parent
TOML = b'name = "x"\n[[city]]\nat = [1, 2]\n'


MODEL = (ROOT / "agents/policies/players_2.onnx").read_bytes()


def _array() -> bytes:
    np.save(content := io.BytesIO(), np.zeros((2, 2), np.float32))
    return content.getvalue()


def run(read: Callable[[bytes], object], inputs: int = 20, make: Any = None) -> dict[str, int]:
    """Returns how many inputs of a reader were of each kind, and those that failed by number."""
    target = Target("target", make or (lambda rng: rng.randbytes(9)), read, (KeyError,))
    fuzzer, failures = Fuzzer("format", [target], 0), list[Any]()
    fuzzer.run(range(inputs), 1, failures.append)
    assert (fuzzer.kinds.total(), fuzzer.failed) == (inputs, len(failures))
    return dict(fuzzer.kinds)


def test_inputs_are_accepted_refused_or_fail() -> None:
    def read(content: bytes) -> None:
        if content[0] < 100:
            raise KeyError("declared")
        if content[0] > 200:
            raise ValueError("undeclared")

    found = run(read, 100)
    assert found.keys() == {"accepted", "refused", "undeclared"}
    assert found == run(read, 100), "inputs depend on the seed alone"


def test_memory_over_the_limit_fails_even_where_it_is_caught() -> None:
    def read(content: bytes) -> None:
        try:
            bytes(2**30)
        except MemoryError as error:
            raise KeyError("refused") from error

    assert run(read, 3) == {"over memory": 3}


@pytest.mark.parametrize(
    ("end", "kind"),
    [
        (signal.SIGPROF, "over CPU"),
        (signal.SIGALRM, "hung"),
        (signal.SIGSEGV, "crashed"),
        (signal.SIGKILL, "over memory"),
    ],
)
def test_a_killed_process_fails_its_input_alone(end, kind) -> None:
    """An input that the limits end is reported, and the next ones run in another process."""

    def read(content: bytes) -> None:
        if content[0] < 100:
            os.kill(os.getpid(), end)
            time.sleep(60)

    found = run(read)
    assert found[kind] > 0
    assert found["accepted"] > 0


def test_the_limit_of_cpu_time_ends_a_loop(monkeypatch) -> None:
    monkeypatch.setattr("tools.fuzz.CPU_SECONDS", 0.05)

    def read(content: bytes) -> None:
        while True:
            pass

    assert run(read, 1) == {"over CPU": 1}


def made(change: Callable[[bytes, Random], bytes], valid: bytes, number: int) -> list[bytes]:
    return [change(valid, Random(i)) for i in range(number)]


@pytest.mark.parametrize(
    ("change", "valid", "number", "shapes"),
    [
        # F1: keys of thousands of dotted parts, in keys, headers and inline tables
        (change_toml, TOML, 1500, (rb"\na(\.a){5000}", rb"\[a(\.a){5000}", rb"\{a(\.a){5000}")),
        # F2: what holds itself, thousands of references and views, and lists that double
        (
            shaped_pickle,
            b"\x80\x02}(X\x01\x00\x00\x00aK\x01u.",
            700,
            (
                rb"\}r(....)X\x01\0\0\0aj\1s",  # a dictionary that holds itself
                rb"\]r(....)\(j\1",  # a list that holds itself
                rb"(j....)\1{5000}",
                rb"(?:_rebuild_tensor_v2.{9,120}?){500}",
                rb"(?:\]\((?:j....){10}er....0){8}",
            ),
        ),
    ],
)
def test_inputs_have_the_shapes_that_broke_0_6_0(change, valid, number, shapes) -> None:
    inputs = made(change, valid, number)
    for shape in shapes:
        assert any(re.search(shape, content, re.DOTALL) for content in inputs), shape
    assert all(len(content) < 2**20 for content in inputs if change is change_toml)


def test_models_have_nodes_that_take_time_or_memory() -> None:
    models = made(change_model, MODEL, 150)
    for op in (b"Range", b"Loop", b"ConstantOfShape", b"Expand", b"Concat", b"Own"):
        assert any(b"\x22%c%s" % (len(op), op) in model for model in models), op
    assert write_fields(read_fields(MODEL)) == MODEL


@pytest.mark.parametrize(
    ("change", "valid"),
    [
        (change_toml, TOML),
        (change_json, b'{"a": [1, 2, {"b": null}], "c": "text"}'),
        (change_zip, write_zip([("a.json", b"{}"), ("b", b"some bytes")])),
        (change_state, b'magic\n{"arrays": {"round": ["|u1", [4]]}}\n\1\2\3\4'),
        (change_array, _array()),
        (change_model, MODEL),
    ],
)
def test_changes_change_something_and_depend_on_the_generator_alone(change, valid) -> None:
    inputs = made(change, valid, 60)
    assert sum(content != valid for content in inputs) > 40
    assert inputs == made(change, valid, 60)


def test_sizes_are_small_and_large() -> None:
    sizes = [draw_size(Random(i), 10**6) for i in range(300)]
    assert min(sizes) < 10
    assert max(sizes) > 300_000


@pytest.mark.nightly
def test_hostile_files_end_in_declared_errors(tmp_path) -> None:
    """A short run of the command, which fails on 0.6.0 (F1 to F3); nightly runs are long."""
    failures = tmp_path / "failures"
    formats = ["toml", "json", "states", "npz", "pickle", "zip", "onnx", "analyses", "bench"]
    command = [sys.executable, "tools/fuzz.py", "--inputs", "25", "--seed", "1", "--jobs", "1"]
    found = subprocess.run(
        [*command, "--failures", failures, "--formats", *formats],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    told = failures.read_text().splitlines() if failures.exists() else []
    assert not told, list(map(json.loads, told))
    assert found.returncode == 0, found.stderr
    for name in formats:
        assert re.search(rf"\| {name} \| 25 \| [1-9]", found.stdout), "some are accepted"
