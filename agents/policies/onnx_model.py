"""Turns a network into an ONNX model, and compares the two on real games."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from gonzaga_env.extras import extra_needed
from gonzaga_env.games import game_spec

from ..common.arrays import Floats, Inputs
from ..network.agent import Forward, NetworkAgent, Reader
from .shipped import OUTPUTS

if TYPE_CHECKING:
    from onnx import ModelProto

OPSET = 18
_BATCH = "decisions"  # the name of the axis that may have any size
_NUM_GAMES = 8
_EXPORTER_LOG = "torch.onnx._internal.exporter"


def to_onnx(network: nn.Module, inputs: Inputs) -> bytes:
    """Returns a network as an ONNX model, the same bytes for the same weights.

    Args:
        network: on the CPU.
        inputs: one decision.

    Raises:
        ModuleNotFoundError: onnx or onnxscript is missing; the message says what to install.
    """
    with extra_needed():
        import onnx
        import onnxscript  # noqa: F401  torch's exporter uses it
    # Two decisions: one would fix the batch size.
    batch: Any = network.batch
    example = batch.of(type(inputs).concatenate([inputs] * 2))[:-1]
    with _quiet():
        program = torch.onnx.export(
            network.eval(),
            example,
            input_names=inputs.FED,
            output_names=OUTPUTS,
            opset_version=OPSET,
            dynamic_shapes={name: {0: torch.export.Dim.DYNAMIC} for name in inputs.FED},
            dynamo=True,
            verbose=False,
        )
    if program is None:
        raise RuntimeError("torch's exporter returned nothing")
    model = program.model_proto
    _strip(model)
    onnx.checker.check_model(model)
    return model.SerializeToString(deterministic=True)


@contextmanager
def _quiet() -> Iterator[None]:
    """Hides what torch's exporter says of its own parts, such as a missing torchvision."""
    logger = logging.getLogger(_EXPORTER_LOG)
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*LeafSpec.* is deprecated", FutureWarning)
            yield
    finally:
        logger.setLevel(level)


def _strip(model: ModelProto) -> None:
    """Removes the exporter's notes, which hold paths of the machine, and names the batch axis."""
    graph = model.graph
    del graph.value_info[:]
    for noted in (model, graph, *graph.node, *graph.input, *graph.output, *graph.initializer):
        del noted.metadata_props[:]
        noted.doc_string = ""
    for value in (*graph.input, *graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = _BATCH


def largest_difference(reader: Reader, forward: Forward, other: Forward) -> float:
    """Returns how far two networks' logits and values differ in whole games, NaN if one is NaN.

    Differences of large numbers are relative to them.

    Args:
        reader: of the game.
        forward: plays all seats.
        other: is compared with it in every decision.
    """
    differences = [0.0]

    def compare(inputs: Inputs) -> tuple[Floats, Floats]:
        found = forward(inputs)
        pairs = zip(found, other(inputs), strict=True)
        differences.extend(
            float((np.abs(own - others) / np.maximum(1, np.abs(own))).max())
            for own, others in pairs
        )
        return found

    agent = NetworkAgent(reader, compare, "compared", deterministic=False)
    engine = game_spec(reader.config.game).engine.from_config(
        reader.config, _NUM_GAMES, autoreset=False
    )
    rng = np.random.default_rng(0)
    while (games := (engine.seats >= 0).nonzero()[0]).size:
        actions = np.zeros(_NUM_GAMES, dtype=np.int64)
        seen = engine.observe(rows=games), engine.legal_action_mask(games)
        actions[games] = agent.act(*seen, rng)
        engine.step(actions)
    return float(np.max(differences))
