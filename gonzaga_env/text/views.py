"""Views as text and as JSON, and the rules."""

from __future__ import annotations

import inspect
import json
import re
import types
from dataclasses import fields, is_dataclass
from typing import Literal, Union, cast, get_args, get_origin, get_type_hints

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.bounded import TOML_BYTES, Json, parse_toml, read_file
from gonzaga_env.kernel.editions import EditionBase, FileEdition
from gonzaga_env.kernel.errors import EditionError
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.view import View
from gonzaga_env.text.games import game_texts

#: The task of a model, before the rules.
TASK = """\
You play one seat of a board game and want to win it. You get the rules, then a position. Think as
long as you want, and end with one line: {"action": "..."}, an action as the rules write it."""


def view_text(view: View, edition: EditionBase | None = None) -> str:
    """Returns what a viewer knows of a game as text: position, own hand, scores and what is asked.

    Equal views give equal texts, so a text holds nothing that is hidden from the viewer.

    Args:
        view: as `Game.view` and `Engine.view` return it.
        edition: what is played; None takes the shipped edition that the view names. Where there is
            none, what is printed (such as names of open sites) is left out.

    Raises:
        OptionError: the view's game is not registered.
    """
    edition = _shipped(view) if edition is None else edition
    return "\n".join(game_texts(view.game).lines(view, edition)) + "\n"


def _shipped(view: View) -> EditionBase | None:
    """Returns the shipped edition of a view, if that is what was played."""
    try:
        edition = game_spec(view.game).any_config().edition
    except EditionError:
        return None
    return edition if edition.digest == view.digest else None


def view_json(view: View) -> dict[str, Json]:
    """Returns what a viewer knows of a game as JSON: the fields of the view by name.

    `view_schema` describes it. Tuples become lists, and named ones objects.

    Args:
        view: as `Game.view` and `Engine.view` return it.
    """
    return cast("dict[str, Json]", _plain(view))


def _plain(value: object) -> Json:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: _plain(getattr(value, name)) for name in value._fields}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value


def printed_json(config: Config) -> dict[str, Json]:
    """Returns what is printed on a game's pieces as JSON, for programs that work out its geometry.

    For Gonzaga these are the fields of `Edition`, and for an edition in one file what the file
    holds; a game without data has nothing.

    Args:
        config: what is played.

    Raises:
        EditionError: the edition's file has gone.
    """
    edition: object = config.edition
    if isinstance(edition, FileEdition):
        try:
            return parse_toml(read_file(edition.source, TOML_BYTES))
        except (OSError, ValueError) as error:
            raise EditionError(f"edition {edition.name} can't be read again: {error}") from error
    if not is_dataclass(edition):
        return {}
    names = [each.name for each in fields(edition) if each.name != "source"]
    return {name: _plain(getattr(edition, name)) for name in names}


def rules_text(game: str | Config) -> str:
    """Returns the rules of a game, how its texts are to be read, and what is printed on its pieces.

    Args:
        game: a game's name, which takes its default edition, or what is played.

    Raises:
        OptionError: there is no such game.
    """
    config = game_spec(game).any_config() if isinstance(game, str) else game
    parts = game_texts(config.game)
    rules = "" if parts.rules is None else parts.rules.read_text(encoding="utf-8")
    options = ", ".join(f"{name} {value}" for name, value in config.rules.as_dict().items())
    played = f"Options played: {options}" if options else "No options."
    return rules + "\n".join((*parts.glossary(config), played)) + "\n"


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
    main["properties"]["game"] = {"const": spec.name}
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
    bases = [base for base in reversed(kind.__mro__) if is_dataclass(base) or base is kind]
    for line in "\n".join(map(inspect.getsource, bases)).splitlines():
        field = re.match(r"\s+(\w+): [^#]*(?:# ?:? ?(.*))?", line)
        comment = re.match(r"\s+#: (.*)", line)
        if comment:
            above.append(comment[1])
        elif field and (text := field[2] or " ".join(above)):
            found[field[1]] = re.sub(r"\bNone\b", "null", text)
        if not comment:
            above.clear()
    return found


def _schema(kind: object, found: dict[str, Json]) -> dict[str, Json]:
    """Returns the schema of a type; objects are defined once, in `found`."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in _TYPES:
        return {"type": _TYPES[kind]}
    if isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields")):
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
