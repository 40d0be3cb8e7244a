"""An agent that plays what a network says."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from .network import Network


class NetworkAgent:
    """Plays by a network's logits, many seats in one forward pass.

    Attributes:
        name: how tables and records call it.
        network: the network; it is not trained here.
        deterministic: play the best action instead of drawing one.
    """

    def __init__(self, network: Network, name: str, deterministic: bool = False) -> None:
        self.network, self.name, self.deterministic = network, name, deterministic

    @torch.no_grad()
    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Returns a legal action of each row, [M] (see `Agent.act`)."""
        device = next(self.network.parameters()).device
        choices, _ = self.network(
            torch.as_tensor(observations, device=device), torch.as_tensor(masks, device=device)
        )
        logits = choices.logits.cpu().numpy()
        if not self.deterministic:
            logits = logits + rng.gumbel(size=logits.shape)
        best = logits.argmax(axis=1)
        actions: NDArray[np.int64] = choices.actions.cpu().numpy()[np.arange(len(best)), best]
        return actions
