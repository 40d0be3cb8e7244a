"""The lines of the protocol (docs/bots.md), as the host writes and reads them."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.bounded import Json, parse_json
from gonzaga_env.kernel.errors import ActionError
from gonzaga_env.kernel.messages import printable, short_repr
from gonzaga_env.kernel.spec import Config, Engine
from gonzaga_env.kernel.view import View
from gonzaga_env.text import parse_action, printed_json, rules_text, view_json, view_text
from gonzaga_env.text.actions import refusal, text_or_none
from gonzaga_env.version import __version__

from ..arrays import Masks, Observations
from .process import BotFailure
from .spec import Limits

PROTOCOL = 1
"""Version of the protocol; the host and a bot have to speak the same."""
WANTS = ("texts", "text", "view", "arrays", "rng", "rules", "actions", "printed")
"""The things that a bot may ask for in its hello."""
GOODBYE = b'{"type":"goodbye"}\n'
_NAME = 40  # characters of a bot's name


def line(message: dict[str, Json], arrays: bytes = b"") -> bytes:
    """Returns a message as a line, with the arrays that follow it, if any."""
    if arrays:
        message |= {"bytes": len(arrays)}
    return json.dumps(message, separators=(",", ":")).encode() + b"\n" + arrays


def read(content: bytes) -> dict[str, Json]:
    """Returns the message of a line; raises BotFailure if it is not a JSON object."""
    try:
        message = parse_json(content)
    except ValueError as error:
        written = short_repr(content.decode(errors="replace"))
        raise BotFailure("nonsense", f"wrote the line {written}, which {error}") from error
    if not isinstance(message, dict):
        raise BotFailure("nonsense", f"wrote {short_repr(message)}; a message is a JSON object")
    return message


def hello(config: Config, limits: Limits) -> dict[str, Json]:
    """Returns the first message: what is played, and what a bot may take."""
    spec, edition = game_spec(config.game), config.edition
    options = {"num_players": config.num_players, "rules": config.rules.as_dict()}
    if hasattr(config, "scenario"):
        options["scenario"] = config.scenario
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "host": f"gonzaga-env {__version__}",
        "game": config.game,
        "title": spec.title,
        "edition": {"name": getattr(edition, "label", edition.name), "digest": edition.digest},
        "options": options,
        "versions": dict(spec.versions),
        "num_actions": config.actions.size,
        "num_features": config.features.size,
        "wants": list(WANTS),
        "limits": {
            "move_seconds": limits.move,
            "game_seconds": limits.game,
            "answer_bytes": limits.output_bytes,
        },
    }


def read_hello(message: dict[str, Json]) -> tuple[str, frozenset[str]]:
    """Returns a bot's name and what it wants, from its hello, or raises BotFailure."""
    if message.get("type") != "hello" or message.get("protocol") != PROTOCOL:
        found = short_repr({key: message.get(key) for key in ("type", "protocol")})
        raise BotFailure("nonsense", f"said {found} first; it takes a hello of protocol {PROTOCOL}")
    name, want = message.get("name"), message.get("want", [])
    if not isinstance(name, str) or not name.strip():
        raise BotFailure("nonsense", f"has the name {short_repr(name)}; it takes a text")
    unknown = [each for each in want if each not in WANTS] if isinstance(want, list) else [want]
    if unknown:
        raise BotFailure("nonsense", f"wants {short_repr(unknown[0])}; known: {', '.join(WANTS)}")
    return printable(name.strip())[:_NAME], frozenset(want)


def ready(config: Config, want: frozenset[str]) -> dict[str, Json]:
    """Returns the message after both hellos, with what a bot wants to read once."""
    message: dict[str, Json] = {"type": "ready"}
    if "rules" in want:
        message["rules"] = rules_text(config)
    if "actions" in want:
        message["actions"] = [text_or_none(config, action) for action in range(config.actions.size)]
    if "printed" in want:
        message["printed"] = printed_json(config)
    return message


def decision(
    config: Config,
    want: frozenset[str],
    game: int | None,
    seat: int,
    mask: Masks,
    view: View | None,
) -> dict[str, Json]:
    """Returns a decision as a bot wants to see it; its mask is that of the legal actions, [A]."""
    found: dict[str, Json] = {"game": game, "seat": seat}
    if "arrays" not in want:
        found["legal"] = np.flatnonzero(mask).tolist()
    if "texts" in want:
        found["texts"] = [config.actions.to_text(i) for i in np.flatnonzero(mask).tolist()]
    if "text" in want:
        found["text"] = None if view is None else view_text(view, config.edition)
    if "view" in want:
        found["view"] = None if view is None else view_json(view)
    return found


def question(
    want: frozenset[str],
    number: int,
    decisions: list[Json],
    seconds: float,
    rng: np.random.Generator,
    seen: tuple[Observations, Masks],
) -> tuple[dict[str, Json], bytes]:
    """Returns a question, and the arrays that follow it if the bot wants them.

    These are the observations, [M, D] bytes, and the masks, a bit an action, [M, (A + 7) // 8]
    bytes: bit i (from the lowest) of byte j stands for action 8 j + i.
    """
    asked: dict[str, Json] = {"type": "decide", "id": number, "decisions": decisions}
    asked["clock"] = {"seconds": round(seconds, 3)}
    if "rng" in want:
        asked["rng"] = rng.bit_generator.state
    if "arrays" not in want:
        return asked, b""
    observations, masks = seen
    bits = np.packbits(masks, axis=1, bitorder="little")
    return asked, observations.tobytes() + bits.tobytes()


def set_rng(rng: np.random.Generator, state: Json) -> None:
    """Sets a generator to the state that a bot has left it in, or raises BotFailure."""
    try:
        rng.bit_generator.state = state
    except Exception as error:  # numpy raises what it likes
        raise BotFailure(
            "nonsense", "answered with an rng that is not a state of the generator"
        ) from error


def answers(message: dict[str, Json], number: int) -> Sequence[Json]:
    """Returns the actions of an answer, one for each decision, or raises BotFailure."""
    actions = message.get("actions")
    if not isinstance(actions, list) or len(actions) != number:
        raise BotFailure(
            "nonsense", f"answered {short_repr(actions)} in actions; it takes a list of {number}"
        )
    return actions


def read_action(config: Config, answer: Json, mask: Masks, engine: Engine | None, row: int) -> int:
    """Returns the legal action that an answer names, an index or a text.

    The mask is that of the legal actions, [A]; game `row` of the engine, if that is known, waits
    for this decision. Raises ActionError, which says why the answer is none.
    """
    if is_integer(answer):
        if not 0 <= answer < len(mask):
            raise ActionError(f"{short_repr(answer)} is not an action; valid: 0 to {len(mask) - 1}")
        if mask[answer]:
            return int(answer)
    elif not isinstance(answer, str):
        raise ActionError(f"{short_repr(answer)} is not an action; it takes an index or a text")
    else:
        try:
            found = config.actions.parse(answer)
        except ActionError:
            found = -1
        if found >= 0 and mask[found]:
            return found
    if engine is None:
        raise ActionError(f"{short_repr(answer)} is not legal here")
    game = game_spec(config.game).game.from_config(config)
    game.state = engine.state.take(slice(row, row + 1))
    if isinstance(answer, str):
        return parse_action(game, answer)
    raise refusal(game, int(answer))
