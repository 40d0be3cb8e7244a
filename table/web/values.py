"""Values as the JSON that is sent."""

from __future__ import annotations

import json
from typing import Any


def as_json(value: Any) -> str:
    """Returns a value as compact JSON; dataclasses become objects."""
    return json.dumps(value, default=vars, ensure_ascii=False, separators=(",", ":"))
