"""Sentences that can be said in other languages: a template, and what fills its places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Self


class Sentence(str):
    """An English text that knows how it was made; what shows texts takes it as any other.

    Attributes:
        template: the text with places such as `{cell}`; of a list, what stands between its parts.
        values: what fills the places, by name; of a list, its parts. Those that are sentences can
            be said in other languages, too.
    """

    template: str
    values: Mapping[str, object] | tuple[str, ...]

    @classmethod
    def of(cls, template: str, values: Mapping[str, object] | tuple[str, ...]) -> Self:
        if isinstance(values, tuple):
            made = cls(template.join(values))
        else:  # a name in an edition stands for itself, whatever braces it has
            made = cls(template.format(**values) if values else template)
        made.template, made.values = template, values
        return made

    def __str__(self) -> str:
        """Returns itself, so that an error's text stays a sentence."""
        return self


def say(template: str, **values: object) -> Sentence:
    """Returns a sentence, such as `say("place no tile")` or `say("{n} cards", n=3)`."""
    return Sentence.of(template, values)


def joined(mark: str, parts: Iterable[str]) -> Sentence:
    """Returns the parts of a list with a mark between them, such as ", "."""
    return Sentence.of(mark, tuple(parts))


def third_person(words: str) -> str:
    """Returns what somebody does from what there is to do: "takes a card" for "take a card".

    Of a list it is the first part that changes.
    """
    if not isinstance(words, Sentence):
        return _conjugated(words)
    if isinstance(words.values, tuple):
        return joined(words.template, (third_person(words.values[0]), *words.values[1:]))
    return Sentence.of(_conjugated(words.template), words.values)


def _conjugated(words: str) -> str:
    verb, space, rest = words.partition(" ")
    if verb.endswith("y") and verb[-2] not in "aeo":
        verb = f"{verb[:-1]}ie"
    return f"{verb}{'e' * verb.endswith(('s', 'h', 'x'))}s{space}{rest}"
