"""Resets of some games of a vector environment, and infos about some games, as Gymnasium's are."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.rows import ScalarT


def as_mode(mode: object) -> AutoresetMode:
    """Returns an autoreset mode given as such or as its value; OptionError for anything else."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(repr(each.value) for each in AutoresetMode)
        raise OptionError(f"autoreset_mode is {mode!r}; it takes {modes}") from None


def reset_mask(options: dict[str, object], num_envs: int) -> NDArray[np.bool_]:
    """Returns which games a reset deals, [N].

    Raises:
        OptionError: "reset_mask" is not an array [N] of bool, or is False everywhere.
    """
    if "reset_mask" not in options:
        return np.ones(num_envs, dtype=np.bool_)
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (num_envs,):
        raise OptionError(f"reset_mask is {mask!r}; it takes an array of {num_envs} bool")
    if not mask.any():
        raise OptionError("reset_mask is False for all games; it takes one True or more")
    return mask


def one_row(observations: Any, row: int) -> Any:
    """Returns a copy of one game's observation."""
    if isinstance(observations, dict):
        return {key: values[row].copy() for key, values in observations.items()}
    return observations[row].copy()


def spread(values: NDArray[ScalarT], chosen: NDArray[np.bool_]) -> NDArray[ScalarT]:
    """Returns values [M, ...] of the M chosen games as [N, ...], with zeros for the others."""
    spread = np.zeros((len(chosen), *values.shape[1:]), values.dtype)
    spread[chosen] = values
    return spread


def with_masks(infos: dict[str, Any], valid: NDArray[np.bool_]) -> dict[str, Any]:
    """Returns infos with Gymnasium's mask `_key` [N] for each `key`."""
    copies = np.empty((len(infos), len(valid)), dtype=np.bool_)
    copies[:] = valid
    return infos | dict(zip([f"_{key}" for key in infos], copies, strict=True))
