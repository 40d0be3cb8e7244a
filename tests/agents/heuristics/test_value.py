"""The value: shares of the victory, shipped for every number of players."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.heuristics import gonzaga_value as value_module
from gonzaga_agents.heuristics.gonzaga_value import Value

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.kernel.agent import AgentError
from tests.conftest import played


def test_leading_by_much_is_worth_more() -> None:
    config = GameConfig(4)
    state = played(Engine.from_config(config, 20, seed=3), 8 * 6, 3).state.copy()
    before = Value.shipped(config).shares(state)
    state.scores[:, 2, 0] += 25
    after = Value.shipped(config).shares(state)
    assert (after[:, 2] > before[:, 2]).all()


def test_seats_are_treated_alike() -> None:
    """Turning the seats of a position turns its shares."""
    config = GameConfig(3)
    state = played(Engine.from_config(config, 8, seed=5), 6 * 5, 5).state
    value = Value.shipped(config)
    turned = state.copy()
    by_seat = [
        name
        for name, array in state.arrays().items()
        if array.ndim > 1 and array.shape[1] == 3 and name != "order"
    ]
    for name in by_seat:
        getattr(turned, name)[:] = np.roll(getattr(state, name), 1, axis=1)
    shares = np.roll(value.shares(state), 1, axis=1)
    np.testing.assert_allclose(value.shares(turned), shares, rtol=1e-4)


def shipped_arrays() -> dict[str, Any]:
    with np.load(value_module._FOLDER / "gonzaga_players_2.npz") as arrays:
        return dict(arrays)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"w1": None}, "w1 is missing"),
        ({"w1": np.zeros((64, 33), np.float32)}, r"w1 has the shape \(64, 33\), not \(64, 32\)"),
        ({"b0": np.full(64, np.nan)}, "b0 holds NaN or numbers beyond"),
        ({"b0": np.full(64, 1e300)}, "b0 holds NaN or numbers beyond"),  # as float32
        ({"b0": np.array(["x"] * 64)}, "is not a readable array of numbers"),
        ({"b0": np.array([None] * 64)}, "is not a readable array of numbers"),
    ],
)
def test_broken_values_are_refused(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    path = tmp_path / "value.npz"
    arrays = {
        name: array for name, array in (shipped_arrays() | changes).items() if array is not None
    }
    np.savez(path, **arrays)
    with pytest.raises(AgentError, match=f"value.npz: {words}"):
        Value.load(GameConfig(2), path)


def test_values_that_claim_or_unpack_to_more_than_they_hold_are_refused(tmp_path: Path) -> None:
    path, header = tmp_path / "value.npz", io.BytesIO()
    claim = {"descr": "<f4", "fortran_order": False, "shape": (2**40, 64)}
    np.lib.format.write_array_header_1_0(header, claim)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("w0.npy", header.getvalue())
    with pytest.raises(AgentError, match="is not a readable array"):
        Value.load(GameConfig(2), path)
    np.savez_compressed(path, **shipped_arrays())
    with pytest.raises(AgentError, match="is compressed"):
        Value.load(GameConfig(2), path)
    with path.open("wb") as file:
        file.truncate(2**33)  # sparse
    with pytest.raises(AgentError, match="is larger than 4 MiB"):
        Value.load(GameConfig(2), path)
    with pytest.raises(AgentError, match="can't be read: No such file"):
        Value.load(GameConfig(2), tmp_path / "missing.npz")


def test_mutated_values_raise_declared_errors_only(tmp_path: Path) -> None:
    path, rng = tmp_path / "value.npz", np.random.default_rng(0)
    whole = (value_module._FOLDER / "gonzaga_players_2.npz").read_bytes()
    refused = 0
    for _ in range(300):
        content = bytearray(whole)
        place = int(rng.integers(len(whole)) if rng.random() < 0.3 else -rng.integers(1, 600))
        content[place] = rng.integers(256)
        path.write_bytes(content)
        try:
            Value.load(GameConfig(2), path)
        except AgentError:
            refused += 1
    assert refused > 100
