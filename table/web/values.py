"""Values as the JSON that is sent."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response


def as_json(value: Any) -> str:
    """Returns a value as compact JSON; dataclasses become objects."""
    return json.dumps(value, default=vars, ensure_ascii=False, separators=(",", ":"))


def json_answer(
    content: str | bytes, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """Returns an answer whose body is JSON."""
    return Response(content, status, headers, media_type="application/json")


def error_json(code: str, message: str) -> str:
    """Returns an error as the protocol writes it."""
    return as_json({"error": {"code": code, "message": message}})
