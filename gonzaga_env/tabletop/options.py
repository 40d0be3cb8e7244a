"""Options of the rules: what every game's dataclass of options has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, ClassVar, Literal, Self, get_args, get_origin, get_type_hints

from gonzaga_env.tabletop.arguments import nearest
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import OptionError


class RuleOptions:
    """A frozen dataclass of options with defaults derives from this.

    Attributes:
        EXAMPLE: a mapping that `of` takes, as text for messages.
    """

    EXAMPLE: ClassVar[str]

    def __post_init__(self) -> None:
        """Checks options that are `Literal`; OptionError for any other value."""
        for name, hint in get_type_hints(type(self)).items():
            value, right = getattr(self, name), get_args(hint)
            if get_origin(hint) is Literal and not any(
                type(value) is type(one) and value == one for one in right
            ):
                takes = " or ".join(map(repr, right))
                raise OptionError(f"{name} is {short_repr(value)}; it takes {takes}")

    @classmethod
    def of(cls, rules: Any) -> Self:
        """Returns options given as such, or as a mapping by name (see `as_dict`).

        Raises:
            OptionError: neither, an unknown option, or an invalid value.
        """
        if isinstance(rules, cls):
            return rules
        if not isinstance(rules, Mapping):
            raise OptionError(
                f"rules is {short_repr(rules)}; it takes an instance, such as {cls.__name__}(), "
                f"or a mapping, such as {cls.EXAMPLE}"
            )
        known = [field.name for field in fields(cls)]  # type: ignore[arg-type]  # a dataclass
        unknown = [name for name in rules if name not in known]
        if unknown:
            listed = ", ".join(known) or "none"
            hint = nearest(unknown[0], known)
            raise OptionError(f"rules hold {short_repr(unknown[0])}{hint}; there are: {listed}")
        return cls(**rules)

    def as_dict(self) -> dict[str, Any]:
        """Returns the options by name, as records hold them."""
        return asdict(self)  # type: ignore[call-overload]  # a dataclass
