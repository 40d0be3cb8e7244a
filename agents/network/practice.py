"""What training has to know of a game and of its network."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Practice:
    """Settings of training that depend on the length of a game and on the strength of its prior.

    Attributes:
        decisions: of each seat in a rollout, if all have equally many.
        gae_lambda: how far advantages look ahead before they trust the value, 0 to 1.
        entropy: the weight of the policy's entropy, which keeps it exploring.
        epochs: how often each decision is learned from.
        chunk: decisions whose gradients are taken together, where those of a minibatch would not
            fit into a processor's cache; None takes all.
    """

    decisions: int = 8
    gae_lambda: float = 0.8
    entropy: float = 0.01
    epochs: int = 3
    chunk: int | None = None
