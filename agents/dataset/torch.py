"""Batches of tensors. Needs the extra "train"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import IterableDataset, get_worker_info

from .batches import Batches


class TorchBatches(IterableDataset[dict[str, Tensor]]):
    """Batches of tensors by column; take `DataLoader(dataset, batch_size=None, num_workers=N)`.

    The blocks are split among the workers. Actions, kinds, agents and seats are int64.

    Attributes:
        batches: what is loaded; kinds and agents are named there.
    """

    def __init__(self, batches: Batches) -> None:
        self.batches = batches

    def set_epoch(self, epoch: int) -> None:
        """Mixes the next loop in another order, as samplers of torch do."""
        self.batches = replace(self.batches, epoch=epoch)

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        worker, (index, count) = get_worker_info(), self.batches.part
        own = self.batches
        if worker is not None:  # of this process's part
            own = replace(own, part=(index + count * worker.id, count * worker.num_workers))
        for batch in own:
            yield {name: _tensor(values) for name, values in batch.items()}


def _tensor(values: np.ndarray) -> Tensor:
    if values.dtype in (np.int8, np.int16, np.int32):
        values = values.astype(np.int64)
    return torch.from_numpy(values if values.flags.writeable else values.copy())
