"""Requests and answers: bodies within bounds, values of the right type, and JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Mapping
from typing import TypeVar

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive

from gonzaga_env.kernel.bounded import Json, parse_json
from gonzaga_env.kernel.errors import GameError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.sentences import Sentence
from gonzaga_env.render.palette import Theme, theme_of

MAX_BODY = 16 * 1024  # bytes of a request that moves or opens a table
T = TypeVar("T")


_PLAIN = frozenset({str, int, float, bool, type(None)})


class RequestError(GameError, ValueError):
    """A request is refused.

    Attributes:
        status: of the answer in HTTP, 4xx.
    """

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


async def read_body(request: Request, limit: int) -> bytes:
    announced = request.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and int(announced[:19]) > limit:
        raise RequestError(f"the request is longer than {limit} bytes", 413)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise RequestError(f"the request is longer than {limit} bytes", 413)
    return bytes(body)


async def while_connected(receive: Receive, work: Coroutine[object, object, T]) -> T:
    """Returns the outcome of some work, which is cancelled if the client leaves."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_left(receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientDisconnect
    finally:
        working.cancel()
        leaving.cancel()


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def read_object(request: Request) -> dict[str, Json]:
    """Returns the JSON object in a small body (errors as `read_body` and `as_object`)."""
    return as_object(await read_body(request, MAX_BODY))


def as_object(body: bytes) -> dict[str, Json]:
    try:
        value = parse_json(body)
    except ValueError as error:
        raise RequestError(f"the request {error}") from error
    if not isinstance(value, dict):
        raise RequestError("the request is not a JSON object")
    return value


def integer(values: dict[str, Json], name: str) -> int:
    value = values.get(name)
    if type(value) is not int:  # isinstance counts bool as int
        raise RequestError(f"{name} is {short_repr(value)}; it takes an integer")
    return value


def text_of(asked: dict[str, Json], name: str, what: str = "a text") -> str:
    """Returns a text of a request; `what` says to people what it takes."""
    value = asked.get(name)
    if not isinstance(value, str):
        raise RequestError(f"{name} is {short_repr(value)}; it takes {what}")
    return value


def texts_of(
    asked: dict[str, Json], name: str, number: int, default: list[str] | None = None
) -> list[str]:
    values = asked.get(name, default)
    if (
        not isinstance(values, list)
        or len(values) != number
        or not all(isinstance(value, str) for value in values)
    ):
        raise RequestError(f"{name} are {short_repr(values)}; they take {number} texts")
    return values


def theme_in(request: Request) -> Theme:
    return theme_of(request.query_params.get("theme", "light"))


def query_number(request: Request, name: str, default: float, highest: float) -> float:
    """Returns a number of the address, at most `highest`."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise RequestError(f"{name} is {short_repr(text)}; it takes an integer of 0 or more")
    return min(float(text), highest)


def bearer(headers: Headers) -> str | None:
    """Returns the token of the header Authorization; None without the header."""
    header = headers.get("authorization")
    if header is None:
        return None
    kind, _, token = header.partition(" ")
    if kind.lower() != "bearer" or not token:
        raise RequestError('the header Authorization takes "Bearer TOKEN"')
    return token


def as_json(value: object) -> str:
    """Returns a value as compact JSON; dataclasses become objects.

    A sentence becomes `{"text": ..., "say": ..., "with": ...}`: its English, and its template with
    what fills the places, from which pages make it in another language.
    """
    return json.dumps(_sent(value), ensure_ascii=False, separators=(",", ":"))


def _sent(value: object) -> object:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Sentence):
        return {"text": value[:], **_template(value)}
    if isinstance(value, Mapping):
        return {key: _sent(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_sent(one) for one in value]
    return value if isinstance(value, (str, int, float)) else _sent(vars(value))


def _template(sentence: Sentence) -> dict[str, object]:
    """Returns a sentence's template and values; that inside another has no English of its own."""

    def filled(value: object) -> object:
        return _template(value) if isinstance(value, Sentence) else value

    values = sentence.values
    if isinstance(values, tuple):
        return {"say": sentence.template, "with": [*map(filled, values)]}
    return {"say": sentence.template, "with": {key: filled(one) for key, one in values.items()}}


def json_answer(
    content: str | bytes, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    return Response(content, status, headers, media_type="application/json")


def error_json(code: str, message: str) -> str:
    """Returns an error as the protocol writes it; `sentence` is its message to be translated."""
    error = {"code": code, "message": message[:]}
    if isinstance(message, Sentence):
        error["sentence"] = message
    return as_json({"error": error})
