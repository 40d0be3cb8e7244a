"""Random generators to hand to agents: nothing can be computed from them but their own numbers."""

from __future__ import annotations

from hashlib import sha256

import numpy as np


def agent_generators(secret: bytes, count: int) -> list[np.random.Generator]:
    """Returns a generator for each of some agents; the same secret gives the same generators.

    A generator shows its whole seed (`bit_generator.seed_seq.entropy`), and one made by numpy's
    `spawn` shows its parent's. These show a SHA-256 of the secret and the agent's number instead,
    which leads neither to the secret nor to the other agents' generators.

    Args:
        secret: random bytes that decide the generators.
        count: number of agents.
    """
    digests = [sha256(b"gonzaga agent %d\n" % i + secret).digest() for i in range(count)]
    return [np.random.default_rng(int.from_bytes(digest, "little")) for digest in digests]
