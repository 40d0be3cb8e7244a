"""The options of the rules: none yet (N4)."""

from __future__ import annotations

from dataclasses import dataclass

from gonzaga_env.tabletop.options import RuleOptions


@dataclass(frozen=True)
class Options(RuleOptions):
    """The options of the rules; records hold them under the same names."""

    EXAMPLE = "{}"
