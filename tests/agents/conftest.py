"""What all tests of agents share."""

from __future__ import annotations

import pytest
import torch


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Keeps torch to one thread; on busy cores two of them mostly wait for each other."""
    torch.set_num_threads(1)
