"""Turns a network into an ONNX model, and compares the two on real games."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import torch

from gonzaga_env.core.batch.engine import Engine

from ..common.extras import extra_needed
from ..gonzaga.network.choices import CHOICE_FEATURES, MOST_SPOTS, NUM_CHOICES
from ..gonzaga.network.inputs import Floats, Inputs, InputSizes
from ..gonzaga.network.network import Network
from ..gonzaga.network.reader import InputReader
from ..gonzaga.network.sites import SITE_FEATURES
from ..network.agent import Forward, NetworkAgent
from ..policies.shipped import INPUTS, OUTPUTS

if TYPE_CHECKING:
    from onnx import ModelProto

OPSET = 18
_BATCH = "decisions"  # the name of the axis that may have any size
_NUM_GAMES = 8
_EXPORTER_LOG = "torch.onnx._internal.exporter"


def to_onnx(network: Network, sizes: InputSizes) -> bytes:
    """Returns a network as an ONNX model, the same bytes for the same weights.

    Args:
        network: on the CPU.
        sizes: of its inputs.

    Raises:
        ModuleNotFoundError: onnx or onnxscript is missing; the message says what to install.
    """
    with extra_needed():
        import onnx
        import onnxscript  # noqa: F401  torch's exporter uses it
    with _quiet():
        program = torch.onnx.export(
            network.eval(),
            _example(sizes),
            input_names=INPUTS,
            output_names=OUTPUTS,
            opset_version=OPSET,
            dynamic_shapes={name: {0: torch.export.Dim.DYNAMIC} for name in INPUTS},
            dynamo=True,
            verbose=False,
        )
    if program is None:
        raise RuntimeError("torch's exporter returned nothing")
    model = program.model_proto
    _strip(model)
    onnx.checker.check_model(model)
    return model.SerializeToString(deterministic=True)


def _example(sizes: InputSizes) -> tuple[torch.Tensor, ...]:
    """Returns tensors with the shapes of two decisions' inputs; one would fix the batch size."""
    return (
        torch.zeros(2, sizes.numbers),
        torch.zeros(2, sizes.sites, len(SITE_FEATURES)),
        torch.zeros(2, NUM_CHOICES, len(CHOICE_FEATURES)),
        torch.zeros(2, NUM_CHOICES, MOST_SPOTS, dtype=torch.int64),
        torch.zeros(2, NUM_CHOICES, dtype=torch.bool),
    )


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


def largest_difference(reader: InputReader, forward: Forward, other: Forward) -> float:
    """Returns how far two networks' logits and values differ in whole games, NaN if one is NaN.

    Args:
        reader: of the game.
        forward: plays all seats.
        other: is compared with it in every decision.
    """
    comparison = _Comparison(forward, other)
    agent = NetworkAgent(reader, comparison, "compared", deterministic=False)
    engine, rng = (
        Engine.from_config(reader.config, _NUM_GAMES, autoreset=False),
        np.random.default_rng(0),
    )
    while (games := (engine.seats >= 0).nonzero()[0]).size:
        actions = np.zeros(_NUM_GAMES, dtype=np.int64)
        seen = engine.observe(rows=games), engine.legal_action_mask(games)
        actions[games] = agent.act(*seen, rng)
        engine.step(actions)
    return comparison.difference


class _Comparison:
    """Calls two networks and keeps the largest difference of what they return."""

    def __init__(self, forward: Forward, other: Forward) -> None:
        self._forward, self._other = forward, other
        self.difference = 0.0

    def __call__(self, inputs: Inputs) -> tuple[Floats, Floats]:
        found = self._forward(inputs)
        for own, others in zip(found, self._other(inputs), strict=True):
            self.difference = float(np.maximum(self.difference, np.abs(own - others).max()))
        return found
