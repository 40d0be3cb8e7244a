"""What a seat can pay with (T6.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany.board.actions import FIRST_PAIR, OWN, PAYMENTS, UNITS, WORKER

_FIRST, _SECOND = np.array(PAYMENTS).T
_TWICE = (_FIRST == _SECOND).astype(np.uint8)


def affordable(
    hand: NDArray[np.uint8], workers: NDArray[np.uint8], colours: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Returns which payments are offered for a cell each, in the order of `PAYMENTS`, [M, 55].

    Pairs of a cell's own colour are not (B6). The hands are region cards by colour, [M, 8].
    """
    which = np.arange(len(hand))
    units = np.empty((len(hand), len(UNITS)), np.uint8)
    units[:, OWN], units[:, WORKER] = hand[which, colours], workers
    units[:, FIRST_PAIR:] = hand >> 1
    units[which, FIRST_PAIR + colours] = 0
    return (units[:, _FIRST] > 0) & (units[:, _SECOND] > _TWICE)
