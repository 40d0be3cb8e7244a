"""Actions as texts, and the legal action that a text means: written by a person or a program."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.bounded import parse_json, short_repr
from gonzaga_env.tabletop.engines.decisions import AnyGame, DecisionGame
from gonzaga_env.tabletop.errors import ActionError, IllegalActionError
from gonzaga_env.tabletop.spec import Config
from gonzaga_env.text.parts import text_parts

_LONGEST = 20_000  # characters of a text that is read
_LISTED = 4  # actions that a message names
_KEYS = ("action", "move", "choice", "answer")
_TOKEN = re.compile(r"\d+ *, *\d+|[+-]+|\w+'?|@")
_OBJECT = re.compile(r"\{[^{}]*\}")
_MARKED = re.compile(r"\b(?:action|move|choice|answer)\W*?[:=]\s*(.+)", re.IGNORECASE)
_SAME = str.maketrans(
    dict.fromkeys("\u2018\u2019\u00b4`", "'") | dict.fromkeys("\u2212\u2013\u2014", "-")
)

Tokens = tuple[str, ...]


class ActionTextError(ActionError):
    """A text names no legal action, or several.

    Attributes:
        read: the texts of the actions that were read; empty if there is none.
        rule: number of the first rule that the action breaks; None if it was not that.
    """

    def __init__(self, message: str, read: Iterable[str] = (), rule: str | None = None) -> None:
        super().__init__(message)
        self.read, self.rule = tuple(read), rule


def action_text(game: AnyGame | Config | str, action: int) -> str:
    """Returns an action as records and the table write it, such as "fief 5 r2 @ 12,7".

    Args:
        game: one game, in whose position the text may say more (Gonzaga: the fief's number), what
            is played, or a game's name.
        action: index in the action space; it may be illegal.

    Raises:
        ActionError: the action is not in the space, or has no text (Gonzaga: a second ring off the
            map).
        OptionError: there is no such game.
    """
    game = game_spec(game).any_config() if isinstance(game, str) else game
    if isinstance(game, DecisionGame):
        own = text_parts(game.config.game).action
        if own is not None:
            return own(game, action)
    text: str = game.actions.to_text(action)
    return text


def parse_action(game: AnyGame, text: str) -> int:
    """Returns the legal action that a text means, in the place of the seat to act.

    The text is an action as `action_text` writes it, or in the words of `Game.describe`. Case,
    accents, spaces and quotes don't matter, and it may stand in a sentence. What a JSON object has
    as "action", "move", "choice" or "answer" counts before the rest of the text, and so does what
    follows "action:" and the like. If several actions are named, exactly one must be legal: texts
    are compared, not understood.

    Args:
        game: one game that is not over; it stays as it is.
        text: up to 20,000 characters.

    Raises:
        ActionTextError: no action is read, or several that are legal, or only illegal ones. The
            message says what was read and why that is refused, and holds nothing that is hidden
            from the seat to act.
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise ActionTextError(f"an action is a text of up to {_LONGEST:,} characters")
    if game.finished:
        raise ActionTextError("the game is over; there is no action to choose")
    known, words = _spellings(game.config), dict[Tokens, int]()
    for place in _places(text):
        read = _mentioned(_tokens(place), known)
        legal = [action for action in read if game.is_legal(action)]
        if not legal:
            # In words only if these are longer: "Italia A + privilege" is not "Italia A".
            longest = max((len(_tokens(action_text(game, action))) for action in read), default=0)
            words = words or {_tokens(game.describe(action)): action for action in _legal(game)}
            longer = {name: action for name, action in words.items() if len(name) > longest}
            legal = _mentioned(_tokens(place), _Names(longer)) if longer else []
        if len(legal) == 1:
            return legal[0]
        if legal or read:
            raise refusal(game, legal, read)
    some = ", ".join(repr(action_text(game, action)) for action in _legal(game)[:_LISTED])
    raise ActionTextError(f"{short_repr(text)} names no action; here actions look like {some}")


def refusal(game: AnyGame, legal: list[int], read: list[int]) -> ActionTextError:
    """Returns why a text is refused that names several legal actions, or illegal ones only."""
    texts = [text_or_none(game, action) or str(action) for action in legal or read]
    if legal:
        listed = ", ".join(map(repr, texts[:_LISTED])) + ", ..." * (len(texts) > _LISTED)
        return ActionTextError(f"names {len(legal)} legal actions: {listed}; name one", texts)
    try:
        game.copy().play(read[0])
    except IllegalActionError as error:
        more = f" (and {len(read) - 1} more that are illegal)" if len(read) > 1 else ""
        reason = str(error).partition("illegal")[2].lstrip(": ")
        return ActionTextError(f"read {texts[0]!r}{more}: illegal: {reason}", texts, error.rule)
    raise AssertionError("a legal action was taken for an illegal one")


def text_or_none(game: AnyGame | Config, action: int) -> str | None:
    """Returns an action's text; None if it has none, and so is never legal."""
    try:
        return action_text(game, action)
    except ActionError:
        return None


def _legal(game: AnyGame) -> list[int]:
    return game.mask().nonzero()[0].tolist()


def _places(text: str) -> Iterator[str]:
    """Yields the places of a text to read: the first that names any action counts."""
    for found in reversed(_OBJECT.findall(text)):
        try:
            value = parse_json(found)
        except ValueError:
            continue
        yield from (value[key] for key in _KEYS if isinstance(value.get(key), str))
    yield from reversed(_MARKED.findall(text))
    yield text


class _Names:
    """Actions by the tokens of their texts."""

    def __init__(self, actions: Mapping[Tokens, int]) -> None:
        self.actions = actions
        self.longest = max(map(len, actions))
        self.firsts = {name[0] for name in actions if name}


def _mentioned(tokens: Tokens, names: _Names) -> list[int]:
    """Returns the actions that a text names, each once; longer names go before shorter ones."""
    found, at = dict[int, None](), 0
    while at < len(tokens):
        step = 1
        begins = {tokens[at], tokens[at].rstrip("'")} & names.firsts
        for end in range(min(len(tokens), at + names.longest), at, -1) if begins else ():
            name, last = tokens[at:end], tokens[end - 1].rstrip("'")  # a quote may end it
            action = names.actions.get(name, names.actions.get((*name[:-1], last)))
            if action is not None:
                found[action], step = None, end - at
                break
        at += step
    return list(found)


@lru_cache(maxsize=16)
def _spellings(config: Config) -> _Names:
    """Returns the actions by the tokens of their texts, and of other ways to write them."""
    found = dict[Tokens, int]()
    for action in range(config.actions.size):
        if (text := text_or_none(config, action)) is not None:
            found[_tokens(text)] = action
    for text, action in text_parts(config.game).spellings(config):
        found.setdefault(_tokens(text), action)
    return _Names(found)


def _tokens(text: str) -> Tokens:
    """Returns the words and numbers of a text, without case, accents, quotes and other signs."""
    letters = unicodedata.normalize("NFKD", text.translate(_SAME))
    plain = "".join(each for each in letters if not unicodedata.combining(each)).casefold()
    return tuple(token.replace(" ", "") for token in _TOKEN.findall(plain))
