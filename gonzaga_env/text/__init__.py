"""Positions and choices of every registered game as text and as JSON, for people and programs.

| function | what it returns |
|---|---|
| `view_text`, `view_json`, `view_schema` | what a viewer knows, as text, as JSON, and its schema |
| `rules_text` | the rules of a game, its notation and what is printed on its pieces |
| `printed_json` | what is printed, as JSON |
| `action_text`, `parse_action` | an action as text, and the legal action that a text names |

A game brings its own texts as `GameSpec.text`; a game without any is described from its view alone.
"""

from gonzaga_env.text.actions import action_text, parse_action
from gonzaga_env.text.base import GameTexts
from gonzaga_env.text.views import printed_json, rules_text, view_json, view_schema, view_text

__all__ = [
    "GameTexts",
    "action_text",
    "parse_action",
    "printed_json",
    "rules_text",
    "view_json",
    "view_schema",
    "view_text",
]
