"""Only models that do what a shipped one does reach onnxruntime, which computes while it loads."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from gonzaga_agents.gonzaga.network.inputs import Inputs
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.policies import learned
from gonzaga_agents.policies.learned import _check_answers, load_learned
from gonzaga_agents.policies.outline import _numbers, check_outline
from gonzaga_agents.policies.shipped import FOLDER, policy_path, shipped_players, write_policy
from onnx import helper, numpy_helper

from gonzaga_env.core import GameConfig
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.bounded.limits import MODEL_PARTS


def shipped() -> Any:
    return onnx.load(policy_path(FOLDER, 2, "onnx"))


def constant(model: Any, name: str) -> Any:
    return next(tensor for tensor in model.graph.initializer if tensor.name == name)


def test_shipped_and_new_models_are_taken(exported: Path):
    """Those of another width, and of other names and notes too."""
    for folder in (FOLDER, exported):
        for number in shipped_players(folder):
            check_outline(policy_path(folder, number, "onnx").read_bytes())
    model = shipped()
    model.producer_name = model.graph.name = model.graph.node[0].doc_string = "another"
    check_outline(model.SerializeToString())


def add_node(kind: str, number: int = 2**40, **attributes: Any) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        values = [numpy_helper.from_array(np.array(n), f"n{n}") for n in (0, number, 1)]
        model.graph.initializer.extend(values)
        names = [value.name for value in values]
        model.graph.node.append(helper.make_node(kind, names, ["more"], **attributes))

    return change


def body() -> Any:
    return helper.make_graph([], "body", [], [])


def grow_input(model: Any) -> None:
    """Shape, and a Range up to it, are computed while the model is loaded."""
    for value in model.graph.input:
        value.type.tensor_type.shape.dim[0].dim_value = 2**40


def grow_padding(model: Any) -> None:
    name = next(node.input[1] for node in model.graph.node if node.op_type == "Pad")
    tensor = constant(model, name)
    tensor.raw_data = (numpy_helper.to_array(tensor) + 2**30).tobytes()


def empty_weights(model: Any) -> None:
    tensor = constant(model, "val_71")
    tensor.dims[:] = [2**40, 0]
    tensor.raw_data = b""


def wide_weights(model: Any) -> None:
    tensor = constant(model, "val_71")
    tensor.dims[:] = [1, 2**20]
    tensor.raw_data = bytes(2**22)


def swap(model: Any) -> None:
    node = next(node for node in model.graph.node if node.op_type == "Sub")
    node.input[:] = node.input[::-1]


def external(model: Any) -> None:
    tensor = constant(model, "val_71")
    tensor.external_data.add(key="location", value="/etc/passwd")


def function(model: Any) -> None:
    model.functions.append(helper.make_function("", "Add", [], [], [], model.opset_import))


def known_shape(model: Any) -> None:
    model.graph.value_info.append(helper.make_tensor_value_info("add", 1, [2**40]))


def doubled(model: Any) -> None:
    model.graph.initializer.append(constant(model, "val_71"))


CHANGES = [
    add_node("Range"),
    add_node("ConstantOfShape"),
    add_node("Expand"),
    add_node("Concat", axis=0),
    add_node("Loop", body=body()),
    add_node("If", then_branch=body(), else_branch=body()),
    *(grow_input, grow_padding, empty_weights, wide_weights, swap),
    *(external, function, known_shape, doubled),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_other_models_are_refused_before_onnxruntime_reads_them(
    change: Callable[[Any], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The fuzzer's: 0.6.0 hangs, or takes all memory, while it loads some of these."""
    monkeypatch.setattr(learned, "OnnxForward", None)
    model = shipped()
    change(model)
    about = learned.read_description(FOLDER / "players_2.json")
    write_policy(tmp_path, model.SerializeToString(), about)
    with pytest.raises(AgentError, match=r"players_2\.onnx: is not a model (of|that)"):
        load_learned(GameConfig(2), tmp_path)


@pytest.mark.parametrize(
    "content", [b"", b"\xff" * 20, b"\x3a\xff\x01x", b"\x3a\x02\x08", b"\x3a\x00" * 1000]
)
def test_broken_models_are_refused(content: bytes):
    with pytest.raises(ValueError, match="is not a model that this version reads"):
        check_outline(content)


def test_no_more_numbers_of_a_shape_are_read_than_parts_of_a_message():
    """A shape may be packed: one part, of as many numbers as a file has bytes."""
    with pytest.raises(ValueError, match="too many numbers"):
        _numbers([memoryview(bytes(MODEL_PARTS + 1))])


@pytest.mark.parametrize("shapes", [((1, 8), (1,)), ((1,), (1,)), ((16, 16), (16,)), ((1, 16), ())])
def test_answers_of_another_shape_are_refused(shapes: tuple[tuple[int, ...], ...]):
    """0.6.0 raises IndexError when such a model plays."""

    def forward(inputs: Inputs) -> Any:
        return tuple(np.zeros(shape, np.float32) for shape in shapes)

    zeros = InputReader(GameConfig(2)).zeros()
    with pytest.raises(ValueError, match="answers in another shape"):
        _check_answers(forward, zeros, 3)
