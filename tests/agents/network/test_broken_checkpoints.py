"""Checkpoints that are broken or hostile: CheckpointError names file and place, never more."""

import io
import json
import struct
import tracemalloc
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.network.checkpoint import CheckpointError, load_agent
from gonzaga_agents.network.description import MOST_WIDTH
from gonzaga_agents.registry import checkpoint_players
from gonzaga_agents.training.command import setup_of, stored_arguments
from gonzaga_agents.training.options import Arguments
from gonzaga_agents.training.run import Run

from gonzaga_env.core import GameConfig
from gonzaga_env.tabletop.errors import GameError
from tests.agents.network.test_hostile_weights import saved
from tests.marks import nightly
from tests.zips import write_zip

CONFIG = GameConfig(2)


@pytest.fixture(scope="session")
def members(run: Run) -> dict[str, bytes]:
    """Returns the members of a whole checkpoint."""
    with zipfile.ZipFile(run.out / "checkpoint.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoint.zip"


def write(path: Path, members: dict[str, bytes]) -> None:
    path.write_bytes(write_zip(members.items()))


def described(members: dict[str, bytes], **changes: Any) -> dict[str, bytes]:
    """Returns the members with another description; a field that is `...` is left out."""
    fields = json.loads(members["gonzaga.json"]) | changes
    fields = {name: value for name, value in fields.items() if value is not ...}
    return members | {"gonzaga.json": json.dumps(fields).encode()}


def load(path: Path) -> None:
    load_agent(path, CONFIG)


def resume(path: Path) -> None:
    arguments = replace(stored_arguments(path.parent), timesteps=10**6)
    Run(setup_of(arguments), path.parent, resume=True)


def refusal(path: Path, use: Any = load) -> str:
    """Returns how a checkpoint is refused: in one line that names the file."""
    with pytest.raises(CheckpointError) as found:
        use(path)
    message = str(found.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    assert len(message) < 300 + len(str(path))
    return message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"format": NaN}', "holds NaN"),
        (b'{"format": true}', "has format True"),
        (b'{"format": 2}', "has format 2; this version reads 3"),
        (b'{"format": 99}', "has format 99; this version reads 3"),
        (b"[1]", "has format None"),
        (b"{", "gonzaga.json: is not JSON"),
        (b'{"format": 3}', "num_players is missing"),
        (b"\xff\xfe", "is not JSON"),
        (b'{"format": "' + b"x" * 10_000 + b'"}', "has format 'xxx"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_broken_descriptions_are_refused(members, path: Path, content: bytes, words: str):
    write(path, members | {"gonzaga.json": content})
    assert words in refusal(path)
    with pytest.raises(CheckpointError):
        checkpoint_players(path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("timesteps", ...),
        ("timesteps", "many"),
        ("timesteps", -1),
        ("timesteps", 1.5),
        ("timesteps", True),
        ("timesteps", 10**30),
        ("seconds", "long"),
        ("seconds", -1),
        ("seconds", None),
        ("reward", ["margin"]),
        ("reward", "glory"),
        ("reward_scale", 0),
        ("reward_scale", "1"),
        ("num_players", "2"),
        ("network", {"width": "8"}),
        ("network", {"width": 12_000}),
        ("network", {"width": 8.0}),
        ("network", {"width": 8, "height": 8}),
        ("network", [8]),
        ("network", {"height": 32}),
        ("rules", []),
        ("arguments", [1]),
        *(("prior", prior) for prior in ("greedy", 1, [], None)),
    ],
)
def test_wrong_fields_are_named(members, path: Path, field: str, value: Any):
    write(path, described(members, **{field: value}))
    message = refusal(path)
    assert f"gonzaga.json: {field} is " in message
    assert value is ... or "; it takes " in message
    assert refusal(path, resume) == message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", 1.5),
        ("self_play", "much"),
        ("opponents", 3),
        ("width", [8]),
        ("preset", "huge"),
        ("players", None),
        ("out", "elsewhere"),
        ("resume", True),
        ("glory", 1),
    ],
)
def test_arguments_of_wrong_types_are_named_on_resuming(members, path: Path, name: str, value: Any):
    arguments = json.loads(members["gonzaga.json"])["arguments"]
    write(path, described(members, arguments=arguments | {name: value}))
    assert name in refusal(path, resume)
    load(path)  # they play no part in play


NETWORK = "network.site_in.bias"


def test_weights_of_other_kinds_are_refused(members, path: Path):
    weights = torch.load(io.BytesIO(members["policy.pth"]), weights_only=True)
    wrong = {
        "holds a list": [1],
        "holds a Tensor": torch.zeros(3),
        "holds 3, not a weight": weights | {3: torch.zeros(1)},
        "holds 'network.site_in.bias', not a weight": weights | {NETWORK: 3.0},
        "holds no readable weights": weights | {NETWORK: torch.zeros(4, dtype=torch.complex64)},
        "network.site_in.bias holds NaN": weights | {NETWORK: torch.full((4,), torch.nan)},
        "network.value.0.bias holds NaN or inf": weights
        | {"network.value.0.bias": torch.full((8,), torch.inf)},
        "do not fit": weights | {NETWORK: torch.zeros(5)},
    }
    for words, value in wrong.items():
        write(path, members | {"policy.pth": saved(value)})
        message = refusal(path)
        assert words in message
        refusal(path, resume)
    large = weights | {NETWORK: torch.full((4,), 1e300, dtype=torch.float64)}
    write(path, members | {"policy.pth": saved(large)})
    assert "NaN or infinite" in refusal(path)  # as the network's float32


def test_a_view_may_not_claim_more_than_the_file_holds(members, path: Path):
    huge = torch.zeros(1).expand(2**40)
    for member, use in (("policy.pth", load), ("policy.optimizer.pth", resume)):
        write(path, members | {member: saved({NETWORK: huge})})
        assert "holds no readable weights" in refusal(path, use)


def optimizer(members: dict[str, bytes], **changes: Any) -> bytes:
    found = torch.load(io.BytesIO(members["policy.optimizer.pth"]), weights_only=True)
    found["state"][0] |= changes
    return saved(found)


def test_a_foreign_optimizer_is_refused_on_resuming(members, path: Path):
    wrong = {
        "state is None": saved({}),
        "state is [1]": saved({"state": [1]}),
        "state 999 is of no parameter": saved({"state": {999: {}}}),
        "state 'x' is of no parameter": saved({"state": {"x": {}}}),
        "state 0 does not hold": saved({"state": {0: {"momentum_buffer": torch.zeros(3)}}}),
        "state 0: exp_avg takes": optimizer(members, exp_avg=torch.zeros(3)),
        "state 0: exp_avg_sq takes": optimizer(members, exp_avg_sq=-torch.ones(2)),
        "state 0: step takes": optimizer(members, step=torch.tensor(torch.nan)),
        "holds a list": saved([]),
    }
    for words, content in wrong.items():
        write(path, members | {"policy.optimizer.pth": content})
        assert words in refusal(path, resume)
        load(path)


def test_bombs_are_refused_before_they_are_read(members, path: Path):
    """Compressed members, in the checkpoint or within the weights, and giant directories."""
    zeros = bytes(300 * 2**20)
    tracemalloc.start()
    try:
        for name in ("gonzaga.json", "policy.pth"):
            with zipfile.ZipFile(path, "w") as archive:
                for member, content in (members | {name: b""}).items():
                    if member != name:
                        archive.writestr(member, content)
                archive.writestr(name, zeros, zipfile.ZIP_DEFLATED)
            assert f"{name} is compressed" in refusal(path)
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("archive/data/0", zeros)
        write(path, members | {"policy.pth": inner.getvalue()})
        assert "holds no readable weights" in refusal(path)
        tracemalloc.reset_peak()
        assert "holds no readable weights" in refusal(path)
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()
    write(path, {f"{i:0200}": b"" for i in range(20_000)})
    assert "its directory is too large" in refusal(path)


def test_files_of_any_size_are_refused_at_once(path: Path):
    with path.open("wb") as file:
        file.truncate(2**33)  # sparse
    assert "is larger than 256 MiB" in refusal(path)


def test_the_widest_network_fits_into_the_bound():
    setup = setup_of(Arguments(players=4, width=MOST_WIDTH, device="cpu"))
    run = Run(setup, Path("unused"), resume=False)
    size = sum(parameter.nbytes for parameter in run.model.policy.parameters())
    assert 3 * size < 2**29  # weights and two moments


def patched(content: bytes, signature: bytes, offset: int, new: bytes) -> bytes:
    """Returns a zip with some bytes of each header changed."""
    changed, place = bytearray(content), content.find(signature)
    while place >= 0:
        changed[place + offset : place + offset + len(new)] = new
        place = content.find(signature, place + 1)
    return bytes(changed)


@pytest.mark.parametrize(
    ("signature", "offset", "new"),
    [
        (b"PK\x01\x02", 6, b"\xff"),  # the version needed
        (b"PK\x01\x02", 8, b"\x01"),  # the flag of encryption
        (b"PK\x03\x04", 6, b"\x01"),
        (b"PK\x01\x02", 10, b"\x08"),  # the method of compression
        (b"PK\x01\x02", 10, b"\x63"),
        (b"PK\x01\x02", 20, struct.pack("<II", 2**31, 2**31)),  # the sizes
        (b"PK\x01\x02", 24, struct.pack("<I", 3)),
        (b"PK\x01\x02", 42, struct.pack("<I", 2**31)),  # where it starts
        (b"PK\x05\x06", 12, struct.pack("<I", 2**31)),  # the directory's size
        (b"PK\x05\x06", 16, struct.pack("<I", 0)),
    ],
)
def test_changed_fields_of_the_zip_are_refused(
    members, path: Path, signature: bytes, offset: int, new: bytes
):
    write(path, {"gonzaga.json": members["gonzaga.json"], "policy.pth": b"x"})
    path.write_bytes(patched(path.read_bytes(), signature, offset, new))
    refusal(path)


@pytest.mark.parametrize("number", [20, *nightly(100)])
def test_mutated_checkpoints_raise_declared_errors_only(members, path: Path, number: int):
    """Random bytes, in the zip, in its members and in the description."""
    rng, refused = np.random.default_rng(0), 0
    write(path, {name: members[name] for name in ("gonzaga.json", "policy.pth")})
    whole = path.read_bytes()
    for _ in range(number):
        content = mutated(whole, rng)
        path.write_bytes(content)
        refused += is_refused(path)
    for name in ("gonzaga.json", "policy.pth", "policy.optimizer.pth"):
        for _ in range(number):
            write(path, members | {name: mutated(members[name], rng)})
            refused += is_refused(path)
    assert refused > 3 * number


def mutated(content: bytes, rng: np.random.Generator) -> bytes:
    """Returns bytes with some changed, dropped or repeated, mostly near an end."""
    changed = bytearray(content)
    for _ in range(rng.integers(1, 4)):
        reach = int(rng.choice([64, 1024, len(changed)]))
        place = int(rng.integers(min(reach, len(changed))))
        place = place if rng.random() < 0.5 else len(changed) - 1 - place
        kind = rng.integers(3)
        if kind == 0:
            changed[place] = rng.integers(256)
        elif kind == 1:
            del changed[place : place + int(rng.integers(1, 9))]
        else:
            changed[place:place] = changed[place : place + int(rng.integers(1, 9))]
    return bytes(changed)


def is_refused(path: Path) -> bool:
    """Loads and resumes a checkpoint; any error but a declared one fails the test."""
    refused = False
    for use in (load, resume):
        try:
            use(path)
        except GameError:
            refused = True
    return refused
