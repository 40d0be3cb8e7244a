"""The description in a checkpoint: its fields, and what each may hold."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping
from typing import Any

from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.bounded import parse_json, short_repr

from ..gonzaga.network.network import LEAST_WIDTH, MOST_WIDTH
from .agent import VALUE_UNITS

#: Version of the description and of the network that the weights belong to.
CHECKPOINT_FORMAT = 3
_MOST_TURNS = 2**62


def _is_count(value: Any) -> bool:
    return is_integer(value) and 0 <= value <= _MOST_TURNS


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or _is_count(value)


def _is_network(value: Any) -> bool:
    if not isinstance(value, dict) or value.keys() != {"width"}:
        return False
    return is_integer(value["width"]) and LEAST_WIDTH <= value["width"] <= MOST_WIDTH


_FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "num_players": (is_integer, "an integer"),
    "edition": (lambda value: isinstance(value, str), "a name"),
    "rules": (lambda value: isinstance(value, dict), "an object"),
    "network": (_is_network, f'{{"width": {LEAST_WIDTH} to {MOST_WIDTH}}}'),
    "reward": (lambda v: isinstance(v, str) and v in VALUE_UNITS, ", ".join(VALUE_UNITS)),
    "reward_scale": (lambda v: _is_number(v) and 0 < v <= sys.float_info.max, "a number above 0"),
    "timesteps": (_is_count, "an integer of 0 or more"),
    "seconds": (lambda value: _is_number(value) and 0 <= value < math.inf, "0 or more"),
    "arguments": (lambda value: isinstance(value, dict), "an object"),
}


def parse_description(content: bytes) -> dict[str, Any]:
    """Returns a description; `write_description` is the inverse.

    Raises:
        ValueError: it is not JSON, has another format, or a field is missing or wrong.
    """
    description = parse_json(content)
    found = description.get("format") if isinstance(description, dict) else None
    if not is_integer(found) or found != CHECKPOINT_FORMAT:
        raise ValueError(f"has format {short_repr(found)}; this version reads {CHECKPOINT_FORMAT}")
    for name, (is_valid, takes) in _FIELDS.items():
        if name not in description:
            raise ValueError(f"{name} is missing")
        if not is_valid(description[name]):
            raise ValueError(f"{name} is {short_repr(description[name])}; it takes {takes}")
    return dict(description)


def write_description(fields: Mapping[str, Any]) -> str:
    """Returns a description as JSON."""
    return json.dumps({"format": CHECKPOINT_FORMAT, **fields}, indent=2)
