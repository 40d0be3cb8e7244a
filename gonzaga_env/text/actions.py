r"""Actions as texts, and the legal action that an answer names: written by a person or a program.

An answer is read in this order; the first that is there decides alone, whatever else is written:

1. the last object that has "action", and is within no other: JSON, also with single quotes, a
   full-width colon or a comma too many; an answer with a broken object is refused;
2. the last line that begins with `Action:`, `### Action`, `<answer>` or `\boxed{`;
3. the whole answer.

What decides has to be one action and nothing else, up to the end of its line. Thoughts, such as
`<think>...</think>`, and quoted lines, which begin with `>`, are dropped before; an answer with
other marks of a model's template, such as `<|channel|>`, is refused.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.errors import ActionError, IllegalActionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.single import AnyGame, SingleGame
from gonzaga_env.kernel.spec import Config
from gonzaga_env.text.base import Words
from gonzaga_env.text.games import game_texts

_LONGEST = 20_000  # characters of an answer
_LONGEST_ACTION = 200  # characters of what decides; what takes more time is done for these alone
_MOST_TOKENS = 2_000  # of objects
_DEEPEST = 50  # objects and lists within each other
_LISTED = 4  # actions that a message names
_QUOTES = "'\"\u201c\u201d\u00ab\u00bb"
_TOKEN = re.compile(rf"\d+ *, *\d+|[+-]+|[^\W_]+'?|[^\s_.,;:()\[\]{{}}<>|*#$\\{_QUOTES}]")
_SAME = str.maketrans(
    dict.fromkeys("\u2018\u2019\u00b4`", "'") | dict.fromkeys("\u2212\u2013\u2014", "-")
)
_THINKING = re.compile(
    r"</?(?:\w++:)?(?:think|thought|reason|analysis|reflect|scratch)[^<>]*+>"
    r"|[\[\u25c1]/?think[\]\u25b7]",
    re.IGNORECASE,
)
_MARKER = re.compile(
    r"[ \t]*+#++[ \t]*+(?:final )?action[ \t#]*+$(?P<next>)"
    r"|[ \t*_#`$-]*+(?:(?:final )?action[ \t*_`]*+[:\uff1a](?P<named>.*)"
    r"|<answer>(?:.*<answer>)?(?P<tagged>.*)"
    r"|\\boxed\{(?:\\text\{)?(?P<boxed>.*\}.*))",
    re.IGNORECASE,
)
# A brace that begins an object, or what has braces in TeX.
_BRACE = re.compile(
    r"""[\\_^][A-Za-z]*+(?:\{[^{}:\uff1a"\u201c\u201d]*+\})*+(?:\{(?=\\))?|(?P<object>\{)"""
)
_JSON = re.compile(
    r"""\s*+(?:([{}\[\],:\uff1a])|("[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]*+(?:\\.[^'\\]*+)*+')|"""
    r"""([\w.+-]++))""",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)


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
    if isinstance(game, SingleGame):
        own = game_texts(game.config.game).action
        if own is not None:
            return own(game, action)
    text: str = game.actions.to_text(action)
    return text


def parse_action(game: AnyGame, text: str) -> int:
    """Returns the legal action that an answer names, in the place of the seat to act.

    What decides is an action as `action_text` writes it; case, accents, spaces and quotes don't
    matter. Texts are compared, not understood, and nothing else is played where it is illegal.

    Args:
        game: one game that is not over; it stays as it is.
        text: an answer of up to 20,000 characters (see the module for how it is read).

    Raises:
        IllegalActionError: what decides names an illegal action; the message and `rule` say why.
        ActionError: what decides is not one action. No message holds anything that is hidden from
            the seat to act.
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise ActionError(f"an action is a text of up to {_LONGEST:,} characters")
    if game.finished:
        raise ActionError("the game is over; there is no action to choose")
    part = _deciding(text)
    action = None if len(part) > _LONGEST_ACTION else _named(game, part)
    if action is None:
        some = [action_text(game, action) for action in game.mask().nonzero()[0][:_LISTED].tolist()]
        listed = ", ".join(map(repr, some))
        raise ActionError(f"{short_repr(part)} names no action; here actions look like {listed}")
    if not game.is_legal(action):
        raise refusal(game, action)
    return action


def refusal(game: AnyGame, action: int) -> IllegalActionError:
    try:
        game.copy().play(action)
    except IllegalActionError as error:
        reason = str(error).partition("illegal")[2].lstrip(": ")
        message = f"{text_or_none(game, action) or action!r} is illegal: {reason}"
        return IllegalActionError(message, game=0, seat=game.seat, action=action, rule=error.rule)
    raise AssertionError("a legal action was taken for an illegal one")


def text_or_none(game: AnyGame | Config, action: int) -> str | None:
    """Returns an action's text; None if it has none, and so is never legal."""
    try:
        return action_text(game, action)
    except ActionError:
        return None


def _deciding(text: str) -> str:
    """Returns the part of an answer that decides."""
    lines = _without_thoughts(text).splitlines()
    lines = [line for line in lines if not line.lstrip().startswith(">")]
    text = "\n".join(lines)
    if "<|" in text:
        return "a mark of a template"
    try:
        objects = _Objects(text)
    except ValueError:
        return "a broken object"
    if objects.found:
        return objects.action if isinstance(objects.action, str) else "an object without an action"
    for i in reversed(range(len(lines))):
        if (found := _MARKER.match(lines[i])) is not None:
            return _marked(found, lines[i + 1 :])
    return text


def _without_thoughts(text: str) -> str:
    """Returns an answer without what stands within <think>, or before a </think> alone."""
    kept, ends, depth = list[str](), 0, 0
    for mark in _THINKING.finditer(text):
        if depth == 0:
            kept.append(text[ends : mark.start()])
        closes = mark[0][1] == "/"
        if closes and depth == 0:  # the template of the chat has opened it
            kept.clear()
        depth = max(0, depth - 1) if closes else depth + 1
        ends = mark.end()
    return "".join(kept) + (text[ends:] if depth == 0 else "")


def _marked(found: re.Match[str], later: list[str]) -> str:
    """Returns what a marker marks, on its line or on the next one that is not empty."""
    marked = found[found.lastgroup or "next"]
    if found.lastgroup == "tagged":
        rest = "\n".join((marked, *later[:_LONGEST_ACTION]))
        within, *after = re.split("</answer>", rest, maxsplit=1, flags=re.IGNORECASE)
        marked = within + after[0].partition("\n")[0] if after else marked
    elif not marked.strip(" \t*_`"):
        marked = next((line for line in later if line.strip()), "")
    inner = _MARKER.match(marked.lstrip()) if len(marked) <= _LONGEST_ACTION else None
    return marked if inner is None else _marked(inner, [])


class _Objects:
    """The objects in a text, of which the last one that has "action" counts."""

    def __init__(self, text: str) -> None:
        """Reads a text; ValueError if an object is broken."""
        self.found, self.action = False, None
        self._text, self._at, self._left = text, 0, _MOST_TOKENS
        while (brace := _BRACE.search(text, self._at)) is not None:
            self._at = brace.end()
            if brace["object"]:
                self.found = True
                actions = self._actions(0)
                if actions:
                    one = all(each == actions[0] for each in actions)
                    self.action = actions[0] if one else None

    def _next(self) -> re.Match[str]:
        self._left -= 1
        if self._left < 0:
            raise ActionError(f"an answer has up to {_MOST_TOKENS:,} tokens of JSON")
        found = _JSON.match(self._text, self._at)
        if found is None:
            raise ValueError("something else than JSON")
        self._at = found.end()
        return found

    def _value(self, depth: int) -> str | None:
        """Reads a value, of which only a text matters; ValueError if there is none."""
        if depth > _DEEPEST:
            raise ValueError("nested too deeply")
        token = self._next()
        if token[2]:
            return _ESCAPE.sub(_escaped, token[2][1:-1])
        if token[3]:
            return token[3]
        if token[1] == "{":
            self._actions(depth)
        elif token[1] == "[":
            while not self._ends("]"):
                self._value(depth + 1)
                if self._ends("]"):
                    break
                self._take(",")
        else:
            raise ValueError("no value")
        return None

    def _actions(self, depth: int) -> list[str | None]:
        """Reads an object behind its brace; returns what it has as "action"."""
        actions = []
        while not self._ends("}"):
            key = self._next()[2]
            if not key:
                raise ValueError("no key")
            self._take(":\uff1a")
            value = self._value(depth + 1)
            if key[1:-1].strip().casefold() == "action":
                actions.append(value)
            if self._ends("}"):
                break
            self._take(",")
        return actions

    def _ends(self, mark: str) -> bool:
        """Returns whether the next token is a mark, which is then taken."""
        at = self._at
        is_there = self._next()[1] == mark
        self._at = self._at if is_there else at
        return is_there

    def _take(self, marks: str) -> None:
        if (self._next()[1] or " ") not in marks:
            raise ValueError("another mark")


def _escaped(found: re.Match[str]) -> str:
    if found[1]:
        return chr(int(found[1], 16))
    return {"n": "\n", "t": "\t"}.get(found[2], found[2])


def _named(game: AnyGame, text: str) -> int | None:
    """Returns the action that a text is; None if it is none, or more."""
    words, known = _words(text), _known(game.config)
    texts = [words, *game_texts(game.config.game).spellings(game, words)]
    if words and words[-1].endswith("'"):  # of a quotation
        texts.append((*words[:-1], words[-1].rstrip("'")))
    return next((known[each] for each in texts if each in known), None)


@lru_cache(maxsize=16)
def _known(config: Config) -> dict[Words, int]:
    """Returns the actions by the words of their texts."""
    texts = ((text_or_none(config, action), action) for action in range(config.actions.size))
    return {_words(text): action for text, action in texts if text is not None}


def _words(text: str) -> Words:
    """Returns words, numbers and signs without case, accents, quotes and a bullet before them."""
    text = re.sub(r"^\s*+(?:[-*>\u2022]\s++)*+|[\s!]*+$", "", text.translate(_SAME))
    letters = unicodedata.normalize("NFKD", text)
    # An overlay, such as that of a struck letter, is no accent: it stays, so that nothing matches.
    plain = "".join(each for each in letters if unicodedata.combining(each) <= 1).casefold()
    return tuple(token.replace(" ", "") for token in _TOKEN.findall(plain))
