"""The network in numpy, for searches: it needs neither torch nor onnxruntime.

python -m gonzaga_agents.tuscany.network.plain runs/first

writes the weights of a run to the file that ships for its number of players.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from gonzaga_env.command_line import run_command
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.writing import write_aside
from gonzaga_env.tuscany.config import GameConfig

from ...common.arrays import Floats
from ...network.agent import NetworkAgent
from .inputs import INPUTS_VERSION, Inputs
from .reader import BEHIND, InputReader

_FOLDER = Path(__file__).parent
_PADDING = -1e9


class PlainForward:
    """Calls the network on inputs: what `NetworkAgent` takes (see `network.Network`)."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        """Takes the weights by their names in the network."""
        self._weights = {name: array.astype(np.float32) for name, array in weights.items()}

    def _linear(self, name: str, inputs: Floats) -> Floats:
        flat = inputs.reshape(-1, inputs.shape[-1])  # one product is faster than one a decision
        found: Floats = flat @ self._weights[f"{name}.weight"].T
        found = found.reshape(*inputs.shape[:-1], found.shape[1])
        bias = self._weights.get(f"{name}.bias")
        return found if bias is None else found + bias

    def __call__(self, inputs: Inputs) -> tuple[Floats, Floats]:
        """Returns logits [M, K] and values [M]."""
        linear, padding = self._linear, inputs.actions < 0
        context = _relu(linear("context.2", _relu(linear("context.0", inputs.numbers))))
        hidden = linear("choice_in", inputs.choices) + self._weights["token.weight"][inputs.tokens]
        hidden = _relu(hidden + linear("choice_context", context)[:, None])
        hidden = linear("choice_hidden", hidden)
        best = _relu(np.where(padding[..., None], np.float32(0), hidden).max(axis=1))
        scored = _relu(hidden + linear("choice_others", best)[:, None])
        planner = inputs.choices[..., BEHIND] * self._weights["planner_weight"] * 10
        logits = np.where(padding, _PADDING, linear("choice_out", scored)[..., 0] + planner)
        value = linear("value.2", _relu(linear("value.0", np.hstack([context, best]))))
        return logits.astype(np.float32), value[:, 0]


def _relu(inputs: Floats) -> Floats:
    found: Floats = np.maximum(inputs, 0)
    return found


def shipped_policy(config: GameConfig) -> NetworkAgent | None:
    """Returns the policy that ships for a game; None if none was trained on it."""
    path = _FOLDER / f"players_{config.num_players}.npz"
    if not path.exists():
        return None
    with np.load(path) as arrays:
        weights = dict(arrays)
    made_for = str(weights.pop("edition")), int(weights.pop("inputs"))
    if made_for != (config.edition.digest, INPUTS_VERSION):
        return None
    scale = float(weights.pop("reward_scale"))
    return NetworkAgent(InputReader(config), PlainForward(weights), "policy", reward_scale=scale)


def main(words: Sequence[str] | None = None) -> int:
    """Writes the weights of the run on the command line, in half precision."""
    from ...network.checkpoint import read_description, read_weights
    from ...network.files import CHECKPOINT

    parser = ArgumentParser(prog="plain", description=main.__doc__)
    parser.add_argument("run", type=Path, help="the folder of a training run, or a checkpoint")
    path: Path = parser.parse_args(words).run
    path = path / CHECKPOINT if path.is_dir() else path
    if not path.is_file():
        raise AgentError(f"{path} is no checkpoint; give a training run or its checkpoint.zip")
    about, prefix = read_description(path), "network."
    if about.get("game") != GameConfig.game:
        raise AgentError(f"{path} does not play {GameConfig.game}")
    arrays: dict[str, Any] = {
        name.removeprefix(prefix): tensor.numpy().astype(np.float16)
        for name, tensor in read_weights(path).items()
        if name.startswith(prefix)
    }
    arrays |= {"edition": about["edition_digest"], "inputs": about["inputs_version"]}
    out, content = _FOLDER / f"players_{about['num_players']}.npz", BytesIO()
    np.savez_compressed(content, **arrays, reward_scale=about["reward_scale"])
    write_aside(out, content.getvalue())
    print(f"wrote {out}")
    return 0


if __name__ == "__main__":
    sys.exit(run_command("plain", main))
