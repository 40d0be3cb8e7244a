"""Figures of what an update did, by kind of decision and by round."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from ..policy import ChoicePolicy
from ..self_play import Experience

_SAMPLE = 2048  # decisions that are looked at
_EARLY, _LATE = 3, 8  # rounds up to and from which a game is early or late


@torch.no_grad()
def diagnose(
    policy: ChoicePolicy, experience: Experience, kinds: Sequence[str]
) -> dict[str, float]:
    """Returns figures for logs about a policy that has just learned from experience.

    Entropy, divergence from the policy before, and the share of the variance of returns that the
    critic explains, by kind of decision; the critic's error early, in the middle and late in the
    game; the spread of advantages ("noise").

    Args:
        policy: what has learned.
        experience: what it learned from.
        kinds: names of the kinds of decisions.
    """
    rows = np.random.default_rng(0).permutation(len(experience))[:_SAMPLE]
    batch = policy.network.batch.of(experience.inputs.take(rows), policy.device)
    _, found, entropy = policy.evaluate_choices(
        batch, torch.from_numpy(experience.chosen[rows]).to(policy.device)
    )
    change = found.cpu().numpy() - experience.log_probs[rows]
    divergence = np.exp(change) - 1 - change  # http://joschu.net/blog/kl-approx.html
    error = experience.returns[rows] - experience.values[rows]
    rounds = experience.rounds[rows]
    figures = {"train/advantage_noise": float(experience.advantages[rows].std())}
    for kind in np.unique(experience.kinds[rows]):
        name, which = kinds[kind], experience.kinds[rows] == kind
        returns = experience.returns[rows][which]
        figures |= {
            f"entropy/{name}": float(entropy.cpu().numpy()[which].mean()),
            f"kl/{name}": float(divergence[which].mean()),
            f"explained_variance/{name}": float(1 - error[which].var() / (returns.var() + 1e-9)),
        }
    parts = {"early": rounds <= _EARLY, "late": rounds >= _LATE}
    parts["middle"] = ~(parts["early"] | parts["late"])
    for part, which in parts.items():
        if which.any():
            figures[f"value_error/{part}"] = float(np.abs(error[which]).mean())
    return figures
