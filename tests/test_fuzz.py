"""The loaders' fuzzer of `tools/fuzz.py`: a short run, and that it finds what it looks for."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tools.fuzz import Target, change_bytes, change_values, change_zip, fuzz, targets


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


def test_a_changed_zip_is_a_zip_and_changes_within_one_too() -> None:
    def zipped(**members: bytes) -> bytes:
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            for name, member in members.items():
                archive.writestr(name, member)
        return content.getvalue()

    inner = zipped(weights=b"some weights")
    rng, is_changed_within = Random(0), False
    for _ in range(50):
        with zipfile.ZipFile(io.BytesIO(change_zip(zipped(inner=inner, note=b"x"), rng))) as outer:
            found = {name: outer.read(name) for name in outer.namelist()}.get("inner", inner)
        with suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(found)) as archive:
            is_changed_within |= found != inner and archive.namelist() == ["weights"]
    assert is_changed_within


@pytest.mark.parametrize("seed", [0, 1])
def test_inputs_depend_on_the_seed_alone(seed: int) -> None:
    seen: list[list[bytes]] = []
    for _ in range(2):
        contents: list[bytes] = []
        fuzz(Target("any", b"content", contents.append, ()), 20, seed)
        seen.append(contents)
    assert seen[0] == seen[1]
