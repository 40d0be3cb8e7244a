"""Checkpoints from anybody: CheckpointError in one line; nothing runs, nothing large is made."""

import io
import json
import pickle
import zipfile
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.commands.train import setup_of
from gonzaga_agents.network.checkpoint import LEARNING, CheckpointError, load_agent, parse_weights
from gonzaga_agents.training.run import Run
from gonzaga_agents.training.setup import PRESETS

from gonzaga_env.core import GameConfig
from gonzaga_env.kernel.bounded import PICKLE_OPCODES
from gonzaga_env.kernel.errors import GameError
from tests.agents.training.toys import stored
from tests.conftest import Answer, complaint_of
from tests.limited import run_limited
from tests.marks import nightly

BIAS = "network.site_in.bias"
WEIGHTS, OPTIMIZER, ABOUT = "policy.pth", "policy.optimizer.pth", "gonzaga.json"


@pytest.fixture(scope="session")
def members(run: Run) -> dict[str, bytes]:
    """Returns the members of a whole checkpoint."""
    with zipfile.ZipFile(run.out / "checkpoint.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoint.zip"


def zipped(members: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression) as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return content.getvalue()


def load(path: Path) -> None:
    load_agent(path, GameConfig(2))


def resume(path: Path) -> None:
    arguments = replace(stored(path.parent)[0], timesteps=10**6)
    Run(setup_of(arguments), path.parent, resume=True)


def refusal(path: Path, use: Callable[[Path], None] = load) -> str:
    """Returns how a checkpoint is refused: in one line that names the file."""
    with pytest.raises(CheckpointError) as found:
        use(path)
    message = str(found.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    assert len(message) < 300 + len(str(path))
    return message


# --- weights that are small, and would run code, take all memory or never end


class Persistent(pickle.Pickler):
    """Pickles storages as torch.save does."""

    def persistent_id(self, value: Any) -> Any:
        return value.described if isinstance(value, Storage) else None


class Storage:
    """A storage of a file: its key and number of floats."""

    def __init__(self, key: str, count: Any) -> None:
        self.described = ("storage", torch.FloatStorage, key, "cpu", count)


class View:
    """A tensor as it is pickled."""

    def __init__(self, *arguments: Any) -> None:
        self._arguments = arguments

    def __reduce__(self) -> Any:
        fresh = ((*a,) if isinstance(a, tuple) else a for a in self._arguments)
        return torch._utils._rebuild_tensor_v2, (*fresh, False, OrderedDict())


class Call:
    """What calls a function when it is unpickled."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self._called = function, arguments

    def __reduce__(self) -> Any:
        return self._called


def weights(data: bytes, **storages: bytes) -> bytes:
    """Returns a file of weights with this pickle, and the storage "0" of four floats."""
    members = {"archive/data.pkl": data, "archive/version": b"3\n", "archive/data/0": bytes(16)}
    return zipped(members | {f"archive/data/{key}": value for key, value in storages.items()})


def pickled(value: Any, protocol: int = 2) -> bytes:
    content = io.BytesIO()
    Persistent(content, protocol).dump(value)
    return weights(content.getvalue())


def view(offset: int, size: Any, stride: Any, count: int = 4) -> bytes:
    return pickled({BIAS: View(Storage("0", count), offset, size, stride)})


def in_itself(outer: Any) -> Any:
    """Returns a container that holds itself."""
    if isinstance(outer, dict):
        outer["a"] = outer
    else:
        outer.append(outer)
    return outer


def ten_times_ten() -> Any:
    value: Any = 1
    for _ in range(8):
        value = [value] * 10
    return {"a": value}


def bomb() -> bytes:
    """Returns weights whose storage takes 200 MB when it is decompressed."""
    content = io.BytesIO()
    torch.save({BIAS: torch.zeros(5 * 10**7)}, content)
    with zipfile.ZipFile(content) as archive:
        return zipped({n: archive.read(n) for n in archive.namelist()}, zipfile.ZIP_DEFLATED)


# A key whose hash takes 2^28 steps: pairs of a pair that is taken from the memo.
HASHED = b"\x80\x02})" + b"".join(b"q%ch%c\x86" % (i, i) for i in range(28)) + b"K\x01s."
HOSTILE: dict[str, Callable[[], bytes]] = {
    "code": lambda: pickled({BIAS: Call(exec, "import os; os.mkdir('ran')")}),
    "an allowed class of much memory": lambda: pickled({BIAS: Call(bytearray, 2**33)}),
    "another class": lambda: pickled({BIAS: Counter("a")}),
    "a tensor of 4 TB, each number the same one": lambda: view(0, (2**40,), (0,)),
    "a tensor of 4 TB": lambda: view(0, (2**40,), (1,)),
    "a tensor that leaves its storage": lambda: view(1, (4,), (1,)),
    "a tensor of a negative size": lambda: view(0, (-1,), (1,)),
    "a tensor of 400 axes": lambda: view(0, (1,) * 400, (1,) * 400),
    "a tensor before its storage": lambda: view(-1, (1,), (1,)),
    "a storage of 4 TB": lambda: view(0, (4,), (1,), 2**40),
    "a storage that is a little longer": lambda: view(0, (4,), (1,), 5),
    "a storage that is missing": lambda: pickled({BIAS: View(Storage("9", 4), 0, (4,), (1,))}),
    "20,000 views of one storage": lambda: pickled(
        {f"{i}": View(Storage("0", 4), 0, (4,), (1,)) for i in range(20_000)}
    ),
    "a dictionary that holds itself": lambda: pickled(in_itself({})),
    "a list that holds itself": lambda: pickled({"a": in_itself([])}),
    "a list of lists": lambda: pickled(ten_times_ten()),
    "hashed tuples": lambda: weights(HASHED),
    "a long pickle": lambda: pickled({"a": [1] * PICKLE_OPCODES}),
    "a large pickle": lambda: pickled({"a": "x" * 2**20}),
    "large numbers": lambda: pickled({"a": 2**100_000}),
    "another protocol": lambda: pickled({BIAS: 1}, 4),
    "an empty pickle": lambda: weights(b""),
    "a pickle without an end": lambda: weights(b"\x80\x02}"),
    "two pickles": lambda: zipped({"a/data.pkl": b"", "b/data.pkl": b""}),
    "no pickle": lambda: zipped({"data.pkl": b""}),
    "a compressed storage": bomb,
    "no zip": lambda: b"\x80\x02}.",
}

TRY_ALL = """
import resource, sys, time
from pathlib import Path
import torch
torch.set_num_threads(1)
from gonzaga_env.core import GameConfig
from gonzaga_agents.network.checkpoint import CheckpointError, check_whole, load_agent

def attempt(use, path):
    try:
        return use(path)
    except CheckpointError as error:
        return str(error)

config = GameConfig(2)
whole, *hostile = sorted(Path().iterdir())
assert load_agent(whole, config)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in hostile:
    start = time.process_time()
    for use in (lambda path: load_agent(path, config), check_whole):
        print(path.stem, attempt(use, path), sep=": ")
    if time.process_time() - start > 3:
        print(path.stem, "took long")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_hostile_weights_are_refused_at_once(
    members: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("0 whole.zip").write_bytes(zipped(members))
    for name, make in HOSTILE.items():
        content = make()
        for member in (WEIGHTS, OPTIMIZER):
            Path(f"{name} as {member}.zip").write_bytes(zipped(members | {member: content}))
    *lines, kilobytes = run_limited(TRY_ALL, memory=8 * 2**30, seconds=120).splitlines()
    assert int(kilobytes) < 150_000
    assert {path.suffix for path in tmp_path.iterdir()} == {".zip"}  # no code has run
    assert not [line for line in lines if line.endswith("took long")]
    for name in HOSTILE:
        for member, number in ((WEIGHTS, 2), (OPTIMIZER, 1)):  # play needs no optimizer
            place = f"{name} as {member}"
            start = f"{place}: {place}.zip: {member} holds no readable weights: "
            assert sum(line.startswith(start) for line in lines) == number, name


def saved(value: Any) -> bytes:
    content = io.BytesIO()
    torch.save(value, content)
    return content.getvalue()


@pytest.mark.parametrize(
    "value",
    [
        *({"a": torch.arange(6).to(getattr(torch, k))} for k in ("half", "bfloat16", "double")),
        {"turned": torch.arange(6.0).reshape(2, 3).T, "part": torch.arange(6.0)[2:4]},
        {"empty": torch.zeros(0), "none": torch.zeros(2, 0), "number": torch.tensor(2.5)},
        {f"k{i}": torch.full((3,), float(i)) for i in range(400)},
    ],
)
def test_what_torch_saves_is_read_as_torch_reads_it(value: Any) -> None:
    found = parse_weights(saved(value))
    assert list(found) == list(value)
    assert all(torch.equal(found[name], tensor) for name, tensor in value.items())


def test_nothing_of_the_rest_is_unpickled(members: dict[str, bytes], path: Path) -> None:
    """What stable-baselines3 pickles is never opened."""
    path.write_bytes(zipped(members | {"data": pickle.dumps(Call(exec, "raise SystemExit"))}))
    load(path)


# --- whole files of wrong content


def test_weights_of_other_kinds_are_refused(members: dict[str, bytes], path: Path) -> None:
    weights = torch.load(io.BytesIO(members[WEIGHTS]), weights_only=True)
    wrong: dict[str, Any] = {
        "holds a list": [1],
        "holds 3, not a weight": weights | {3: torch.zeros(1)},
        "not a weight": weights | {BIAS: 3.0},
        "no readable weights": weights | {BIAS: torch.zeros(4, dtype=torch.complex64)},
        "site_in.bias holds NaN": weights | {BIAS: torch.full((4,), torch.nan)},
        "another network": weights | {BIAS: torch.zeros(5)},
    }
    for words, value in wrong.items():
        path.write_bytes(zipped(members | {WEIGHTS: saved(value)}))
        assert words in refusal(path)
        refusal(path, resume)
    large = weights | {BIAS: torch.full((4,), 1e300, dtype=torch.float64)}
    missing = {name: tensor for name, tensor in weights.items() if name != BIAS}
    for value, words in ((large, "beyond"), (missing, "another network"), ({}, "another")):
        path.write_bytes(zipped(members | {WEIGHTS: saved(value)}))
        assert words in refusal(path)
    for view in (
        torch.zeros(4, requires_grad=True),
        torch.zeros(4, dtype=torch.complex64).conj().imag,
    ):
        path.write_bytes(zipped(members | {WEIGHTS: saved(weights | {BIAS: view})}))
        load(path)


def test_a_mean_takes_the_weights_that_go_on_learning(
    members: dict[str, bytes], path: Path
) -> None:
    arguments = json.loads(members[ABOUT])["arguments"] | {"average": True}
    wrong = saved([1]), saved({"a": torch.tensor(torch.nan)})
    for more in ({}, *({LEARNING: content} for content in wrong)):
        path.write_bytes(described(members | more, arguments=arguments))
        assert LEARNING in refusal(path, resume)
        load(path)  # plays the mean


def test_a_foreign_optimizer_is_refused_on_resuming(members: dict[str, bytes], path: Path) -> None:
    whole = torch.load(io.BytesIO(members[OPTIMIZER]), weights_only=True)
    moments = whole["state"][0]
    wrong: list[Any] = [
        *({}, [], {"state": [1]}, {"state": {999: {}}}, {"state": {"x": {}}}),
        {"state": {0: {"momentum_buffer": torch.zeros(3)}}},
        {"state": {0: moments | {"exp_avg": torch.zeros(3)}}},
        {"state": {0: moments | {"exp_avg_sq": -torch.ones(2)}}},
        {"state": {0: moments | {"step": torch.tensor(torch.nan)}}},
    ]
    for value in wrong:
        path.write_bytes(zipped(members | {OPTIMIZER: saved(value)}))
        assert OPTIMIZER in refusal(path, resume)
        load(path)


def described(members: dict[str, bytes], **changes: Any) -> bytes:
    """Returns a checkpoint with another description; a field that is `...` is left out."""
    fields = json.loads(members[ABOUT]) | changes
    fields = {name: value for name, value in fields.items() if value is not ...}
    return zipped(members | {ABOUT: json.dumps(fields).encode()})


@pytest.mark.parametrize(
    "content", [b"{", b"[1]", b"\xff\xfe", b'{"format": NaN}', b'{"format": 2}', b'{"format": 3}']
)
def test_broken_descriptions_are_refused(
    members: dict[str, bytes], path: Path, content: bytes
) -> None:
    path.write_bytes(zipped(members | {ABOUT: content}))
    assert ABOUT in refusal(path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("timesteps", value) for value in (..., "many", -1, 1.5, True, 10**30)),
        *(("seconds", value) for value in ("long", -1, None)),
        *(("reward", value) for value in (["margin"], "glory")),
        *(("reward_scale", value) for value in (0, "1", 10**400)),
        *(("network", value) for value in ({"width": 12_000}, {"width": 8.0}, [8], {"height": 8})),
        *(("prior", value) for value in ("greedy", 1, None)),
        *(("also_plays", value) for value in (["0" * 64], {"all": "*"})),
        ("num_players", "2"),
        ("rules", []),
        ("arguments", [1]),
    ],
)
def test_wrong_fields_are_named(
    members: dict[str, bytes], path: Path, field: str, value: Any
) -> None:
    path.write_bytes(described(members, **{field: value}))
    assert f"{ABOUT}: {field} is " in refusal(path)
    refusal(path, resume)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            ("seed", 1.5),
            ("entropy", [0.1, "x"]),
            ("preset", "huge"),
            ("players", None),
            ("out", "."),
        ),
        *(("executor", "ray"), ("collectors", 6), ("x", 1)),
    ],
)
def test_wrong_arguments_are_named_on_resuming(
    members: dict[str, bytes], path: Path, name: str, value: Any
) -> None:
    arguments = json.loads(members[ABOUT])["arguments"]
    path.write_bytes(described(members, arguments=arguments | {name: value}))
    assert name in refusal(path, resume)
    load(path)  # they play no part in play


@pytest.mark.parametrize("name", ["num_games", "eval_deals"])
def test_a_file_decides_no_size_beyond_the_presets(
    members: dict[str, bytes], path: Path, gonzaga: Callable[..., Answer], name: str
) -> None:
    arguments = json.loads(members[ABOUT])["arguments"] | {"opponents": "past"}
    most = max(getattr(preset, name) for preset in PRESETS.values())
    path.write_bytes(described(members, arguments=arguments | {name: most}))
    assert getattr(stored(path.parent)[0], name) == most
    path.write_bytes(described(members, arguments=arguments | {name: most + 1}))
    assert stored(path.parent)[1] == {name: most + 1}
    answer = gonzaga("train", "--out", path.parent, "--resume")
    assert f"give --{name.replace('_', '-')} again" in complaint_of(answer)


def test_no_file_names_a_search_without_an_end(members: dict[str, bytes], path: Path) -> None:
    arguments = json.loads(members[ABOUT])["arguments"] | {"opponents": f"search@{10**12}"}
    path.write_bytes(described(members, arguments=arguments))
    assert stored(path.parent)[1] == {"opponents": f"search@{10**12}"}


@pytest.mark.parametrize("name", [ABOUT, WEIGHTS])
def test_a_missing_or_compressed_member_is_named(
    members: dict[str, bytes], path: Path, name: str
) -> None:
    rest = {member: content for member, content in members.items() if member not in (name, "data")}
    path.write_bytes(zipped(rest))
    assert name in refusal(path)
    path.write_bytes(zipped(members | {name: bytes(10**6)}, zipfile.ZIP_DEFLATED))
    assert "is compressed" in refusal(path)


def test_files_that_are_no_checkpoints_say_what_to_give(
    members: dict[str, bytes], path: Path
) -> None:
    assert "make_agent" in refusal(path)
    path.write_bytes(zipped({name: c for name, c in members.items() if name != ABOUT}))
    assert "stable-baselines3 saved" in refusal(path)
    whole = zipped(members)
    for broken in (b"", b"no zip", whole[:1000]):  # later a zip within it may end
        path.write_bytes(broken)
        assert "not a readable zip" in refusal(path)
    with path.open("wb") as file:
        file.truncate(2**33)  # sparse
    assert "is larger than" in refusal(path)
    path.write_bytes(zipped({f"{i:0200}": b"" for i in range(20_000)}))
    assert "its directory is too large" in refusal(path)


@pytest.mark.parametrize("number", [5, *nightly(100)])
def test_mutated_checkpoints_raise_declared_errors_only(
    members: dict[str, bytes], path: Path, number: int
) -> None:
    """Random bytes, in the zip and in its members."""
    rng, refused = np.random.default_rng(0), 0
    whole = zipped(members)
    for name in (None, ABOUT, WEIGHTS, OPTIMIZER):
        for _ in range(number):
            content = whole if name is None else members[name]
            content = mutated(content, rng)
            path.write_bytes(content if name is None else zipped(members | {name: content}))
            for use in (load, resume):
                try:
                    use(path)
                except GameError:
                    refused += 1
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
