"""Reference that the site's builder writes into pages, from docstrings and tables of the code.

A page asks for it by a comment, which GitHub does not show: <!-- reference of gonzaga -->.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterable

from gonzaga_env.games import game_spec

#: The module of each game's environments, whose docstring is Markdown.
MODULES = {
    "gonzaga": "gonzaga_env.envs.gonzaga_v0",
    "tuscany": "gonzaga_env.envs.castles_of_tuscany_v0",
    "signorie": "gonzaga_env.envs.signorie_v0",
}
_ASKED = re.compile(r"<!-- reference of (\w+) -->\n")


def with_reference(text: str) -> str:
    """Returns a page's Markdown with the reference that it asks for."""
    return _ASKED.sub(lambda found: reference(found[1]), text)


def reference(game: str) -> str:
    """Returns the environments of a game in Markdown: its docstring, features and options."""
    spec, module = game_spec(game), importlib.import_module(MODULES[game])
    configs = [spec.config(num_players=players) for players in (2, 3, 4)]
    doc = re.sub(r"^# .*\n", "", inspect.getdoc(module) or "").strip()
    sizes = " | ".join(f"{config.features.size:,}" for config in configs)
    lines = [
        *("## The environments", "", doc, "", "## Every feature of an observation", ""),
        *("| players | 2 | 3 | 4 |", "|---|--:|--:|--:|", f"| D, in bytes | {sizes} |", ""),
        *("| feature | shape with four players | scale | meaning |", "|---|---|--:|---|"),
        *(
            f"| `{each.name}` | `{each.shape}` | {each.scale} | {each.meaning} |"
            for each in configs[-1].features
        ),
        *("", f"Kinds of decisions: {_codes(spec.kinds)}.", ""),
        *(f"Sources of points, in the order of `scores`: {_codes(spec.sources)}.", ""),
        *(f"Options of the rules: {_codes(configs[-1].rules.as_dict())}.", ""),
        f"Versions: {', '.join(f'{kind} {number}' for kind, number in spec.versions.items())}.",
    ]
    return "\n".join(lines) + "\n"


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"
