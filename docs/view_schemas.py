"""Writes docs/schemas, which describe what `gonzaga_env.text.view_json` returns.

After a change of views: `python docs/view_schemas.py`.
"""

from __future__ import annotations

import json
from pathlib import Path

from gonzaga_env.games import game_names
from gonzaga_env.text import view_schema

if __name__ == "__main__":
    for game in game_names():
        schema = json.dumps(view_schema(game), indent=1, ensure_ascii=False)
        path = Path(__file__).parent / "schemas" / f"view-{game}.json"
        path.write_text(f"{schema}\n", encoding="utf-8")
