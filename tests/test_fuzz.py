"""The loaders' fuzzer of `tools/fuzz.py`: a short run, and that it finds what it looks for."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tools.fuzz import Target, change_bytes, change_values, fuzz, targets


def test_broken_files_end_in_declared_errors(tmp_path: Path) -> None:
    for target in targets(tmp_path):
        outcome = fuzz(target, 30 * target.weight, seed=1)
        assert outcome.failures == [], target.name
        assert outcome.refused > 0, target.name


def test_valid_files_load(tmp_path: Path) -> None:
    for target in targets(tmp_path):
        target.load(target.valid)


def test_other_errors_are_found() -> None:
    def load(content: bytes) -> None:
        if b"x" not in content:
            raise KeyError("x")
        raise ValueError("refused")

    outcome = fuzz(Target("bad", b"xyz", load, (ValueError,)), 200, seed=0)
    assert outcome.refused > 0
    assert any("KeyError" in reason for _, reason in outcome.failures)


def test_changes_change_something() -> None:
    rng = Random(0)
    values = {"a": [1, 2, {"b": None}], "c": "text"}
    assert sum(change_values(values, rng) != values for _ in range(50)) > 40
    assert sum(change_bytes(b"some content 12", rng) != b"some content 12" for _ in range(50)) > 40
    assert values == {"a": [1, 2, {"b": None}], "c": "text"}


@pytest.mark.parametrize("seed", [0, 1])
def test_inputs_depend_on_the_seed_alone(seed: int) -> None:
    seen: list[list[bytes]] = []
    for _ in range(2):
        contents: list[bytes] = []
        fuzz(Target("any", b"content", contents.append, ()), 20, seed)
        seen.append(contents)
    assert seen[0] == seen[1]
