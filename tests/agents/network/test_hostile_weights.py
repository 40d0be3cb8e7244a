"""Weights that are small and would take for ever, or all memory: refused at once.

F2: torch's reader follows what a pickle says, and so did the search for its tensors.
"""

import io
import pickle
from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from gonzaga_agents.network.description import write_description
from gonzaga_agents.network.weights import parse_weights

from gonzaga_env.tabletop.bounded.limits import PICKLE_DEPTH, PICKLE_OPCODES, TENSORS
from tests.limited import run_limited
from tests.zips import write_zip


class Persistent(pickle.Pickler):
    """Pickles tensors as torch.save does."""

    def persistent_id(self, value: Any) -> Any:
        return value.described if isinstance(value, Storage) else None


class Storage:
    """A storage of a file: its key and number of floats."""

    def __init__(self, key: str, count: Any, kind: Any = torch.FloatStorage) -> None:
        self.described = ("storage", kind, key, "cpu", count)


class View:
    """A tensor as it is pickled."""

    def __init__(self, *arguments: Any) -> None:
        fresh = ((*a,) if isinstance(a, tuple) else a for a in arguments)
        self._arguments = tuple(fresh)  # as a tensor's are, else they would be shared

    def __reduce__(self) -> Any:
        return torch._utils._rebuild_tensor_v2, (*self._arguments, False, OrderedDict())


def pickled(value: Any) -> bytes:
    content = io.BytesIO()
    Persistent(content, 2).dump(value)
    return content.getvalue()


def zipped(members: dict[str, bytes]) -> bytes:
    return write_zip(members.items())


def weights(data: bytes, **storages: bytes) -> bytes:
    """Returns a file of weights with this pickle, and the storage "0" of four floats."""
    members = {"archive/data.pkl": data, "archive/version": b"3\n", "archive/data/0": bytes(16)}
    return zipped(members | {f"archive/data/{key}": value for key, value in storages.items()})


def dict_that_holds_itself() -> Any:
    value: dict[str, Any] = {}
    value["a"] = value
    return value


def list_that_holds_itself() -> Any:
    value: list[Any] = []
    value.append(value)
    return {"a": value}


def references_to_one_dictionary() -> Any:
    inner: dict[str, int] = {f"k{i}": i for i in range(1000)}
    return {"a": [inner] * 20_000}


def ten_times_ten() -> Any:
    value: Any = 1
    for _ in range(8):
        value = [value] * 10
    return {"a": value}


def views_of_one_storage() -> Any:
    big = Storage("0", 2**18)
    return {f"k{i}": View(big, 0, (2**18,), (1,)) for i in range(20_000)}


def hashed_tuples() -> bytes:
    """A key whose hash takes 2^28 steps: pairs of a pair that is taken from the memo."""
    pairs = b"".join(b"q%ch%c\x86" % (i, i) for i in range(28))
    return b"\x80\x02})" + pairs + b"K\x01s."


HOSTILE: dict[str, Callable[[], Any]] = {
    function.__name__: function
    for function in (
        dict_that_holds_itself,
        list_that_holds_itself,
        references_to_one_dictionary,
        ten_times_ten,
        views_of_one_storage,
        hashed_tuples,
    )
}

TRY_ALL = """
import signal, sys
from functools import cache
from pathlib import Path
import torch
torch.set_num_threads(1)
from gonzaga_env.core import GameConfig
from gonzaga_agents.network.checkpoint import (
    CheckpointError,
    check_whole,
    newest_whole,
    read_weights,
)
from gonzaga_agents.training.resume import checkpoint_to_resume

class TookLong(BaseException):
    pass

def stop(*_):
    raise TookLong

def attempt(use, place):
    signal.setitimer(signal.ITIMER_PROF, 3)
    try:
        return use(place)
    except CheckpointError as error:
        return f"refused: {error}"
    except TookLong:
        return "took over 3 s of CPU time"
    except MemoryError:
        return "took all memory"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)

signal.signal(signal.SIGPROF, stop)
for folder in sorted(Path(sys.argv[1]).iterdir()):
    latest = folder / "checkpoint.zip"
    for use, place in (
        (read_weights, latest), (check_whole, latest), (newest_whole, folder),
        (checkpoint_to_resume, folder),
    ):
        answer = str(attempt(use, place)).replace(str(folder), "")
        print(folder.name, use.__name__, answer, sep="; ", flush=True)
"""


@cache
def hostile_content(name: str) -> bytes:
    value = HOSTILE[name]()
    data = value if isinstance(value, bytes) else pickled(value)
    return weights(data, **{"0": bytes(2**20)})


DESCRIPTION = {
    "num_players": 2,
    "edition": "Europe",
    "rules": {},
    "network": {"width": 8},
    "reward": "outcome",
    "reward_scale": 1,
    "timesteps": 1,
    "seconds": 1,
    "arguments": {},
}
MEMBERS = ("policy.pth", "policy.optimizer.pth")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Returns what comes of reading each hostile file, as weights and as optimizer's state."""
    top = tmp_path_factory.mktemp("runs")
    harmless = saved({"network.w": torch.zeros(3)})
    for name in HOSTILE:
        for member in MEMBERS:
            folder = top / f"{name} {member}"
            (folder / "checkpoints").mkdir(parents=True)
            members = dict.fromkeys(MEMBERS, harmless) | {member: hostile_content(name)}
            content = zipped({"gonzaga.json": write_description(DESCRIPTION).encode(), **members})
            for file in ("checkpoint.zip", "checkpoints/0000000001.zip"):
                (folder / file).write_bytes(content)
    return set(run_limited(TRY_ALL, top, memory=4 * 2**30, seconds=120).splitlines())


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("name", HOSTILE)
def test_small_hostile_files_are_refused_at_once(answers: set[str], name: str, member: str):
    """F2: playing, looking for the newest whole checkpoint and `--resume`, on each of them."""
    found = {
        line.removeprefix(f"{name} {member}; ") for line in answers if f"{name} {member};" in line
    }
    refusal = f"refused: /checkpoint.zip: {member} holds no readable weights: "
    assert "newest_whole; None" in found
    uses = ("check_whole", "checkpoint_to_resume", *(["read_weights"] * (member == MEMBERS[0])))
    for use in uses:
        assert any(line.startswith(f"{use}; {refusal}") for line in found), found


def saved(value: Any) -> bytes:
    content = io.BytesIO()
    torch.save(value, content)
    return content.getvalue()


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor):
        same = one.dtype == other.dtype and one.stride() == other.stride()
        return same and torch.equal(one, other)
    if isinstance(one, dict):
        return list(one) == list(other) and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(equal, one, other))
    return bool(one == other)


def trained() -> tuple[Any, Any]:
    """Returns a network with tied weights and its optimizer after a step."""
    network = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 4))
    network[2].weight = network[0].weight
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, betas=(0.9, 0.99))
    network(torch.ones(2, 4)).sum().backward()
    optimizer.step()
    return network.state_dict(), optimizer.state_dict()


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(0, id="a network"),  # parts of `trained`
        pytest.param(1, id="its optimizer"),
        {kind: torch.arange(6).to(getattr(torch, kind)) for kind in ("half", "bfloat16", "double")},
        {"turned": torch.arange(6.0).reshape(2, 3).T, "part": torch.arange(6.0)[2:4]},
        {"empty": torch.zeros(0), "none": torch.zeros(2, 0), "number": torch.tensor(2.5)},
        {"a": [1, -1, 300, 2**40, 1.5, None, True, "text", "text", (1, 2), (1, 2, 3, 4), (), {}]},
        {f"k{i}": torch.full((3,), float(i)) for i in range(400)},
    ],
    ids=lambda value: ", ".join(list(value)[:3]),
)
def test_what_torch_saves_is_read_as_torch_reads_it(value: Any):
    content = saved(trained()[value] if isinstance(value, int) else value)
    assert equal(parse_weights(content), torch.load(io.BytesIO(content), weights_only=True))


def view(*arguments: Any, storage: Storage | None = None) -> bytes:
    return weights(pickled({"w": View(storage or Storage("0", 4), *arguments)}))


def views(number: int, count: int) -> bytes:
    """Returns weights that are all views of one storage."""
    tensors = {f"k{i}": View(Storage("1", count), 0, (count,), (1,)) for i in range(number)}
    return weights(pickled(tensors), **{"1": bytes(4 * count)})


FOUR = View(Storage("0", 4), 0, (4,), (1,))  # a tensor in the place of a number

NESTED: Any = 1
for _ in range(PICKLE_DEPTH):
    NESTED = [NESTED]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (view(0, (2**40,), (0,)), "claims more than its storage has"),
        (view(0, (5,), (1,)), "claims more than its storage has"),
        (view(0, (4,), (2,)), "impossible shape"),
        (view(1, (4,), (1,)), "impossible shape"),
        (view(-1, (1,), (1,)), "impossible shape"),
        (view(0, (-1,), (1,)), "impossible shape"),
        (view(0, (2**70, 0), (1, 1)), "impossible shape"),
        (view(0, (2,), (-1,)), "impossible shape"),
        (view(0, 4, 1), "impossible shape"),
        (view(0, (FOUR,), (1,)), "impossible shape"),
        (view(0, (4,), (FOUR,)), "impossible shape"),
        (view(FOUR, (4,), (1,)), "impossible shape"),
        (view(0, (4,), (1,), storage=Storage("0", FOUR)), "other things than numbers"),
        (view(0, (1,) * 9, (1,) * 9), "claims more than its storage has"),
        (view(0, (1,), (1,), storage=Storage("0", 2**40)), "another size than described"),
        (view(0, (1,), (1,), storage=Storage("0", 3)), "another size than described"),
        (view(0, (1,), (1,), storage=Storage("1", 4)), "archive/data/1 is missing"),
        (view(0, (1,), (1,), storage=Storage("../data.pkl", 4)), "is missing"),
        (view(0, (1,), (1,), storage=Storage("0", 4, torch.LongStorage)), "LongStorage"),
        (views(5, 2**16), "share too much"),
        (views(TENSORS + 1, 0), "more than 1,000 tensors"),
        (weights(pickled({"a": [1] * PICKLE_OPCODES})), "more than 50,000 opcodes"),
        (weights(pickled({"a": "x" * 2**20})), "larger than 1 MiB"),
        (weights(pickled({"a": NESTED})), "more than 8 containers within each other"),
        (weights(pickled({(1, 2): 1})), "neither texts nor small integers"),
        (weights(pickled({2**61 - 1: 1})), "neither texts nor small integers"),
        (weights(pickled({-1: 1})), "neither texts nor small integers"),
        (weights(b"\x80\x02ccollections\nOrderedDict\n]K\x01K\x02\x86a\x85R."), "broken pickle"),
        (weights(b"\x80\x02Nr\xff\xff\xff\xff."), "place in its memo"),
        (weights(pickled({"a": Path})), r"names pathlib\S* Path"),
        (weights(pickled({"a": print})), "names __builtin__ print"),
        (weights(pickled({"a": {1, 2}})), "names __builtin__ set"),
        (weights(pickle.dumps({"a": 1}, 4)), "protocol 4"),
        (weights(b"\x80\x02}q\x00h\x00."), "uses a value twice"),
        (weights(b"\x80\x02(]."), "ends within a list"),
        (weights(b"\x80\x02a."), "broken pickle"),
        (weights(b"\x80\x02h\x07."), "broken pickle"),
        (weights(b"\x80\x02X\xff\xff\xff\xffx."), "unicodestring4"),
        (weights(b"\x80\x022."), "opcode DUP"),
        (weights(b"\x80\x02"), "exhausted"),
        (weights(b""), "exhausted"),
        (zipped({"archive/data.pkl": b"", "other/data.pkl": b""}), "not a file of weights"),
        (zipped({"data.pkl": pickled({})}), "not a file of weights"),
        (zipped({"archive/data.pkl": pickled({}), "archive/byteorder": b"big"}), "order of bytes"),
    ],
)
def test_impossible_tensors_and_pickles_are_refused(content: bytes, words: str):
    with pytest.raises(ValueError, match=words) as found:
        parse_weights(content)
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 200


def test_views_of_one_storage_are_read_within_bounds():
    assert len(parse_weights(views(3, 2**16))) == 3
