"""The JSON Schema of a game's views, made from the types of their fields."""

from __future__ import annotations

import inspect
import json
import re
import types
from dataclasses import is_dataclass
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.bounded import Json

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TYPES = {int: "integer", float: "number", str: "string", bool: "boolean", type(None): "null"}


def view_schema(game: str) -> dict[str, Json]:
    """Returns the JSON Schema (draft 2020-12) of what `view_json` returns for a game's views.

    Args:
        game: its name.

    Raises:
        OptionError: there is no such game.
    """
    spec = game_spec(game)
    view = type(spec.game.from_config(spec.any_config()).view("public"))
    found: dict[str, Json] = {}
    main = _object(view, found)
    main["properties"] = {"game": {}, **main["properties"]} | {"game": {"const": spec.name}}
    main["required"] = sorted({"game", *main["required"]})
    title = f"What a viewer knows of a game of {spec.title}"
    schema = json.dumps({"$schema": _DIALECT, "title": title, **main, "$defs": found})
    for name, words in {"SOURCES": spec.sources, "KINDS": spec.kinds}.items():
        schema = schema.replace(f"`{name}`", ", ".join(words))
    return cast("dict[str, Json]", json.loads(schema))


def _object(kind: type, found: dict[str, Json]) -> dict[str, Json]:
    """Returns the schema of a dataclass or a named tuple."""
    names = kind.__dataclass_fields__ if is_dataclass(kind) else kind._fields  # type: ignore[attr-defined]
    hints = get_type_hints(kind)
    properties, comments = {name: _schema(hints[name], found) for name in names}, _comments(kind)
    for name in names & comments.keys():
        properties[name] |= {"description": comments[name]}
    about = {"description": " ".join((kind.__doc__ or "").split())}
    return {"type": "object", **about, "properties": properties, "required": list(properties)}


def _comments(kind: type) -> dict[str, str]:
    """Returns what a class says of its fields in comments, behind them or (`#:`) above them."""
    found, above = dict[str, str](), list[str]()
    for line in inspect.getsource(kind).splitlines():
        field = re.match(r"\s+(\w+): [^#]*(?:# ?:? ?(.*))?", line)
        said = re.match(r"\s+#: (.*)", line)
        if said:
            above.append(said[1])
        elif field and (text := field[2] or " ".join(above)):
            found[field[1]] = re.sub(r"\bNone\b", "null", text)
        if not said:
            above.clear()
    return found


def _schema(kind: Any, found: dict[str, Json]) -> dict[str, Json]:
    """Returns the schema of a type; objects are defined once, in `found`."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in _TYPES:
        return {"type": _TYPES[kind]}
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        if kind.__name__ not in found:
            found[kind.__name__] = {}  # a type may hold itself
            found[kind.__name__] = _object(kind, found)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(each, found) for each in arguments]}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], found)}
    if origin is list or (origin is tuple and arguments[-1] is Ellipsis):
        return {"type": "array", "items": _schema(arguments[0], found)}
    if origin is tuple:
        items = [_schema(each, found) for each in arguments]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
    return {}  # anything
