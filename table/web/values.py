"""Values as the JSON that is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from gonzaga_env.kernel.sentences import Sentence

_PLAIN = frozenset({str, int, float, bool, type(None)})


def as_json(value: Any) -> str:
    """Returns a value as compact JSON; dataclasses become objects.

    A sentence becomes `{"text": ..., "say": ..., "with": ...}`: its English, and its template with
    what fills the places, from which pages make it in another language.
    """
    return json.dumps(_sent(value), ensure_ascii=False, separators=(",", ":"))


def _sent(value: Any) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Sentence):
        return {"text": value[:], **_said(value)}
    if isinstance(value, Mapping):
        return {key: _sent(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_sent(one) for one in value]
    return value if isinstance(value, (str, int, float)) else _sent(vars(value))


def _said(value: Any) -> Any:
    """Returns a sentence inside another, whose English is in that of the other."""
    if not isinstance(value, Sentence):
        return value
    if isinstance(value.values, tuple):
        return {"say": value.template, "with": [_said(one) for one in value.values]}
    return {"say": value.template, "with": {key: _said(one) for key, one in value.values.items()}}


def json_answer(
    content: str | bytes, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """Returns an answer whose body is JSON."""
    return Response(content, status, headers, media_type="application/json")


def error_json(code: str, message: str) -> str:
    """Returns an error as the protocol writes it; `sentence` is its message to be translated."""
    error = {"code": code, "message": message[:]}
    if isinstance(message, Sentence):
        error["sentence"] = message
    return as_json({"error": error})
