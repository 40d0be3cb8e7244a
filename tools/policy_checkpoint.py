"""Writes the checkpoint of a shipped policy, so that it can be trained on.

python tools/policy_checkpoint.py --game tuscany --players 2 --out runs/shipped
python train.py --game tuscany --players 2 --start runs/shipped

A shipped policy holds the network and no critic, so the checkpoint's critic has learned nothing.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
import tyro
from gonzaga_agents.common.array_files import parse_arrays
from gonzaga_agents.network.checkpoint import save_checkpoint
from gonzaga_agents.network.description import GEOMETRY, prior_of
from gonzaga_agents.network.files import CHECKPOINT
from gonzaga_agents.network.parts import network_parts
from gonzaga_agents.policies.outline import floats
from gonzaga_agents.policies.shipped import (
    network_path,
    policy_folder,
    policy_path,
    read_description,
)
from gonzaga_agents.training.policy import SelfPlayPPO
from torch import Tensor

from gonzaga_env.command_line import run_command
from gonzaga_env.games import game_name, game_spec
from gonzaga_env.tabletop.errors import OptionError


@dataclass(frozen=True)
class Arguments:
    """Writes the checkpoint of a shipped policy."""

    out: Path
    """The folder of the checkpoint."""
    game: Literal["gonzaga", "tuscany", "signorie"] = "gonzaga"
    players: int = 4


def network_weights(model: bytes, network: dict[str, Tensor]) -> dict[str, Tensor]:
    """Returns the weights in a shipped model by their names in a network of the same shape.

    A model names biases and most weights as the network does. The other matrices come in the
    network's order, transposed. Gonzaga's two weights of the planner stand apart.
    """
    arrays = floats(model)
    unnamed = [array.T for name, array in arrays.items() if name not in network and array.ndim == 2]
    found = {name: array for name, array in arrays.items() if name in network}
    if "select_1" in arrays:
        found["planner_weight"] = np.array([arrays["select_1"], arrays["select_2"]]).reshape(2)
    missing = [name for name in network if name not in found]
    found |= dict(zip(missing, unnamed, strict=True))
    return {name: torch.from_numpy(np.array(found[name])) for name in network}


def main(arguments: Arguments) -> int:
    """Writes the checkpoint.

    Returns:
        The exit code, 0.

    Raises:
        GameError: no policy ships for this game and number of players.
    """
    game = game_name(arguments.game)
    folder = policy_folder(game)
    path = policy_path(folder, arguments.players, "json")
    if not path.exists():
        raise OptionError(f"no policy of {game} ships for {arguments.players} players")
    about: dict[str, Any] = read_description(path)
    # Policies ship for the usual edition.
    config = game_spec(game).written_config(about["rules"], num_players=arguments.players)
    prior = prior_of(about)
    parts = network_parts(config, prior)
    reader, width = parts.reader(config), about["network"]["width"]
    model = SelfPlayPPO(parts, reader, width, seed=0, device="cpu")
    content = network_path(folder, arguments.players, prior).read_bytes()
    network = model.policy.network
    if prior == GEOMETRY:
        weights = {name: torch.tensor(a) for name, a in parse_arrays(content).items()}
    else:
        weights = network_weights(content, network.state_dict())
    network.load_state_dict(weights)
    model.num_timesteps = about["turns"]
    kept = {name: about[name] for name in ("network", "reward", "reward_scale", "arguments")}
    kept["prior"] = prior
    seconds = 3600 * about["hours"]
    save_checkpoint(arguments.out / CHECKPOINT, model, config, {**kept, "seconds": seconds})
    return 0


if __name__ == "__main__":
    chosen = tyro.cli(Arguments)
    sys.exit(run_command("policy_checkpoint", lambda: main(chosen)))
