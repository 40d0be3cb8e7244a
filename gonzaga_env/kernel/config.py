"""Configurations: number of players, edition, and options of the rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Literal, NoReturn, Self, get_args, get_origin, get_type_hints

from gonzaga_env.kernel.arguments import checks_names, is_integer, nearest
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.chance import Draws
from gonzaga_env.kernel.editions import EditionBase, EditionSource, OnlyEdition
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.spaces import Codec, FeatureTable, PlaneTable


class RuleOptions:
    """A frozen dataclass of options with defaults derives from this."""

    EXAMPLE: ClassVar[str]  #: a mapping that `of` takes, as text for messages
    #: Several options under one name, such as those that another publisher plays.
    PRESETS: ClassVar[Mapping[str, Mapping[str, object]]] = MappingProxyType({})
    #: The numbers that an integer option takes.
    RANGES: ClassVar[Mapping[str, range]] = MappingProxyType({})
    #: The rule that says what an option takes, for messages.
    RULES: ClassVar[Mapping[str, str]] = MappingProxyType({})

    def __post_init__(self) -> None:
        """Checks options that are `Literal` or have a range; OptionError for any other value."""
        for name, hint in get_type_hints(type(self)).items():
            value, right = getattr(self, name), get_args(hint)
            if get_origin(hint) is Literal and not any(
                type(value) is type(one) and value == one for one in right
            ):
                self._refuse(name, " or ".join(map(repr, right)))
        for name, numbers in self.RANGES.items():
            value = getattr(self, name)
            if not is_integer(value) or value not in numbers:
                self._refuse(name, f"{numbers[0]} to {numbers[-1]}")
            object.__setattr__(self, name, int(value))  # numpy's integers are not JSON

    def _refuse(self, name: str, takes: str) -> NoReturn:
        rule = f" ({self.RULES[name]})" if name in self.RULES else ""
        raise OptionError(f"{name} is {short_repr(getattr(self, name))}; it takes {takes}{rule}")

    @classmethod
    def of(cls, rules: object) -> Self:
        """Returns options given as such, as a mapping by name (see `as_dict`), or as text.

        Args:
            rules: a text is what follows `--rules` in commands: a preset's name, NAME=VALUE, or
                several of these, separated by spaces, of which the last ones count.

        Raises:
            OptionError: none of these, an unknown preset or option, or an invalid value.
        """
        if isinstance(rules, cls):
            return rules
        if isinstance(rules, str):
            rules = cls.parse(rules)
        if not isinstance(rules, Mapping):
            presets = f"{_listed(cls.PRESETS)}, " if cls.PRESETS else ""
            raise OptionError(
                f"rules is {short_repr(rules)}; it takes {presets}an instance, such as "
                f"{cls.__name__}(), or a mapping, such as {cls.EXAMPLE}"
            )
        known = [field.name for field in fields(cls)]  # type: ignore[arg-type]  # a dataclass
        unknown = [name for name in rules if name not in known]
        if unknown:
            listed = ", ".join(known) or "none"
            hint = nearest(unknown[0], known)
            raise OptionError(f"rules hold {short_repr(unknown[0])}{hint}; there are: {listed}")
        return cls(**rules)

    @classmethod
    def parse(cls, text: str) -> dict[str, Json]:
        """Returns the options that a text names (see `of`); a value that is no JSON is a text.

        Raises:
            OptionError: something else than a preset or NAME=VALUE.
        """
        found: dict[str, Json] = {}
        for word in text.split():
            name, equals, value = word.partition("=")
            if equals:
                found[name] = _value(value)
            elif word in cls.PRESETS:
                found |= cls.PRESETS[word]
            else:
                presets = f", or {_listed(cls.PRESETS)}" if cls.PRESETS else ""
                raise OptionError(f"rules is {short_repr(word)}; it takes NAME=VALUE{presets}")
        return found

    def as_dict(self) -> dict[str, Json]:
        """Returns the options by name, as records hold them."""
        return asdict(self)  # type: ignore[call-overload]  # a dataclass


def _listed(presets: Iterable[str]) -> str:
    return " or ".join(map(repr, presets))


def _value(text: str) -> Json:
    try:
        return json.loads(text)
    except ValueError:
        return text


DEFAULT_RULES: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, init=False)
class BaseConfig:
    """Everything that decides which game is played, apart from chance."""

    game: ClassVar[str]  #: the game's name, as `GameSpec.name`
    PLAYERS: ClassVar[tuple[range, str]]  #: the numbers of players, and the rule that says so
    OPTIONS: ClassVar[type[RuleOptions]]  #: the class of the options
    EDITION: ClassVar[str] = OnlyEdition.name  #: the default edition's name
    num_players: int  #: P
    edition: EditionBase  #: the edition
    rules: RuleOptions  #: the options

    @checks_names
    def __init__(
        self,
        num_players: int = 4,
        edition: EditionSource | None = None,
        rules: RuleOptions | Mapping[str, object] | str = DEFAULT_RULES,
    ) -> None:
        """Checks the values and loads the edition.

        Args:
            num_players: see above.
            edition: the name of a shipped edition, a file, or an edition that was loaded; None
                for the default one.
            rules: the options, a mapping of some of them, or text (`RuleOptions.of`).

        Raises:
            OptionError: invalid number of players or options.
            EditionError: the edition cannot be found or has faults.
        """
        possible, rule = self.PLAYERS
        if not is_integer(num_players) or num_players not in possible:
            raise OptionError(
                f"num_players is {short_repr(num_players)}; "
                f"it takes {possible[0]} to {possible[-1]} ({rule})"
            )
        options = self.OPTIONS.of(rules)  # before the edition, which may take long to generate
        if not isinstance(edition, EditionBase):
            edition = self.load_edition(self.EDITION if edition is None else edition)
        values = (int(num_players), edition, options)
        for field, value in zip(fields(BaseConfig), values, strict=True):
            object.__setattr__(self, field.name, value)

    @classmethod
    def load_edition(cls, name_or_path: str | Path, /) -> EditionBase:
        """Returns an edition by name or of a file; a game without editions has `OnlyEdition`.

        Raises:
            EditionError: the edition cannot be found or has faults.
        """
        return OnlyEdition(cls.game).load(name_or_path)

    @classmethod
    def edition_set(cls, name: object) -> dict[str, str]:
        """Returns the editions of a set by name, with their digests; empty for any other name.

        Args:
            name: such as "generated:train".
        """
        return {}

    def on_edition(self, edition: EditionSource, draws: Draws) -> Self:
        """Returns the configuration on an edition whose parts are in a random order.

        Parts are regions, for example: what is learned must not depend on their numbers. By default
        the edition stays as it is.
        """
        return type(self)(self.num_players, edition=edition, rules=self.rules)

    @property
    def actions(self) -> Codec:
        """The codec of actions."""
        raise NotImplementedError

    @property
    def features(self) -> FeatureTable:
        """The layout of observations; its `size` is D."""
        raise NotImplementedError

    @property
    def planes(self) -> PlaneTable:
        """The layout of observations as planes.

        Raises:
            OptionError: the game has none.
        """
        raise OptionError(f"observation is 'planes'; {self.game} takes 'features' only")

    @property
    def summary(self) -> str:
        """Players and edition in a few words."""
        return f"{self.num_players} players, edition {self.edition.name}"
