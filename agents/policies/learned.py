"""The agent "learned": it plays a shipped policy without torch.

An ONNX model is played with onnxruntime, or in numpy where there is none, as in browsers; a network
of places is played in numpy.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from gonzaga_env.extras import extra_needed
from gonzaga_env.games import DEFAULT_GAME
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.bounded import file_errors

from ..common.array_files import parse_arrays
from ..common.arrays import Floats, Inputs
from ..gonzaga.value import Value
from ..network.agent import Forward, NetworkAgent
from ..network.description import GEOMETRY, input_reader, misfit, name_there, prior_of
from .outline import check_outline, floats
from .shipped import (
    FOLDER,
    OUTPUTS,
    network_path,
    policy_folder,
    policy_path,
    read_description,
    read_network,
    shipped_players,
)

NAME = "learned"
_ERRORS_ONLY = 3  # of onnxruntime's log levels


class OnnxForward:
    """Calls an ONNX model on inputs: what `NetworkAgent` takes."""

    def __init__(self, model: bytes, game: str = DEFAULT_GAME) -> None:
        """Sets up the model.

        Args:
            model: content of the file.
            game: which the policy plays.

        Raises:
            ValueError: it is not a model with the inputs and outputs of a policy.
            ModuleNotFoundError: onnxruntime is missing; the message says what to install.
        """
        with extra_needed():
            import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # the model is so small that more rarely help
        options.log_severity_level = _ERRORS_ONLY
        try:
            session = onnxruntime.InferenceSession(
                model, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime raises many kinds on broken models
            raise ValueError("is not a model that onnxruntime can read") from error
        inputs, outputs = session.get_inputs(), session.get_outputs()
        wanted = *input_reader(game).inputs.FED, *OUTPUTS
        if (names := tuple(node.name for node in (*inputs, *outputs))) != wanted:
            raise ValueError(f"has the inputs and outputs {names}, not {wanted}")
        self._session = session

    def __call__(self, inputs: Inputs) -> tuple[Floats, Floats]:
        """Returns logits [M, K] and values [M]."""
        logits, values = self._session.run(OUTPUTS, inputs.fed())
        return logits, values


def load_learned(
    config: Any,
    folder: Path | None = None,
    *,
    any_edition: bool = False,
) -> NetworkAgent:
    """Returns the agent that plays the policy for a game.

    Args:
        config: what is to be played.
        folder: of the policies; None takes those that ship.
        any_edition: whether it also plays an edition that it was not trained on; its name says so.

    Raises:
        AgentError: there is no policy for this number of players, or it is broken, or it was made
            for another game.
    """
    game, number = config.game, config.num_players
    folder = policy_folder(game, FOLDER) if folder is None else folder
    if not policy_path(folder, number, "json").exists():
        raise AgentError(_missing(folder, number))
    if not find_spec("onnxruntime"):
        return _load(config, folder, _plain, any_edition)

    def make(reader: Any, model: bytes) -> Forward:
        return OnnxForward(model, game)

    return _load(config, folder, make, any_edition)


def load_plain(config: Any, folder: Path | None = None) -> NetworkAgent | None:
    """Returns the agent that plays a policy in numpy; None if there is none for the game.

    Args:
        config: what is to be played.
        folder: of the policies; None takes those that ship.

    Raises:
        AgentError: the policy is broken.
    """
    folder = policy_folder(config.game, FOLDER) if folder is None else folder
    about = policy_path(folder, config.num_players, "json")
    if not about.exists() or misfit(read_description(about), config) is not None:
        return None
    return _load(config, folder, _plain)


def _plain(reader: Any, model: bytes) -> Forward:
    """Returns a network in numpy from a model that has passed `check_outline`."""
    try:
        forward: Forward = reader.plain(floats(model))
    except KeyError as error:
        raise ValueError(f"has no array {error}") from error
    return forward


def _load(
    config: Any,
    folder: Path,
    forward_of: Callable[[Any, bytes], Forward],
    any_edition: bool = False,
) -> NetworkAgent:
    """Returns the agent that plays a folder's policy; `forward_of` takes a reader and a model."""
    description = read_description(policy_path(folder, config.num_players, "json"))
    if (difference := misfit(description, config, any_edition)) is not None:
        raise AgentError(f"{NAME}: the policy for {config.num_players} players was {difference}")
    prior = prior_of(description)
    path = network_path(folder, config.num_players, prior)
    reader = input_reader(config.game, prior)(config)
    content = read_network(path, description.get("sha256"))
    with file_errors(path, AgentError):
        if prior == GEOMETRY:
            forward = reader.plain(parse_arrays(content))
        else:
            check_outline(content, config.game)
            forward = forward_of(reader, content)
        for num_decisions in (1, 3):
            _check_answers(forward, reader.zeros(), num_decisions)
    reward, scale = description["reward"], float(description["reward_scale"])
    name = name_there(NAME, description, config)
    return NetworkAgent(reader, forward, name, True, reward, scale)


def _check_answers(forward: Forward, zeros: Inputs, num_decisions: int) -> None:
    """Raises ValueError if a model does not fit the game, or answers zeros with NaN or infinities.

    A NaN among the weights of a layer makes its outputs NaN, whatever comes in.
    """
    inputs = type(zeros).concatenate([zeros] * num_decisions)
    try:
        logits, values = forward(inputs)
    except Exception as error:  # onnxruntime raises many kinds
        raise ValueError("does not take the inputs of this game") from error
    if logits.shape != inputs.actions.shape or values.shape != (len(inputs),):
        raise ValueError("answers in another shape")
    if not (np.isfinite(logits).all() and np.isfinite(values).all()):
        raise ValueError("answers with NaN or infinite numbers")


def _missing(folder: Path, num_players: int) -> str:
    there = " and ".join(map(str, shipped_players(folder)))
    only = f", only for {there}" if there else ""
    return (
        f"{NAME}: no policy for {num_players} players ships with this version{only}; train one "
        "with train.py and name its folder, such as runs/first"
    )


def learned_value(config: Any, folder: Path = FOLDER) -> Value:
    """Returns the value of positions that the shipped policy reaches, for searching with it.

    Where none ships, it is the value that search has without a policy.
    """
    path = policy_path(folder, config.num_players, "npz")
    return Value.load(config, path) if path.is_file() else Value.shipped(config)
