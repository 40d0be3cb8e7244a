"""Dataclasses of arrays that share their first axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Self

import numpy as np


class Arrays:
    """A base of dataclasses whose fields are arrays [L, ...], or such dataclasses."""

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Returns one part or more as one, in their order."""

        def joined(name: str) -> Any:
            columns = [getattr(part, name) for part in parts]
            first = columns[0]
            return (type(first) if isinstance(first, Arrays) else np).concatenate(columns)

        return cls(*(joined(field.name) for field in fields(cls)))  # type: ignore[arg-type]
