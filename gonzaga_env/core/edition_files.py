"""Reads an edition's four TOML files."""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

from gonzaga_env.core.edition import EDITIONS, Barrier, Edition, Fief, Scenario, Site
from gonzaga_env.core.errors import EditionError

FILES = ("board", "fiefs", "scenarios", "objectives")


def load_edition(name_or_path: str | Path) -> Edition:
    """Returns a shipped edition by name, or the one in a folder."""
    folder = EDITIONS / name_or_path if (EDITIONS / name_or_path).is_dir() else Path(name_or_path)
    if not folder.is_dir():
        raise EditionError(f"no edition {name_or_path!r}")
    content = {name: tomllib.loads((folder / f"{name}.toml").read_text("utf-8")) for name in FILES}
    return _build(folder, content)


def _build(folder: Path, content: dict[str, Any]) -> Edition:
    board = content["board"]

    def site(kind: Any, group: str, entry: dict[str, Any]) -> Site:
        return Site(kind, entry["name"], tuple(entry["at"]), entry[group])

    return Edition(
        name=board["name"],
        reconstruction=board["reconstruction"],
        marks=tuple(tuple(line.split()) for line in board["map"].strip().splitlines()),
        regions=board["regions"],
        seas=board["seas"],
        cities=tuple(site("city", "symbol", entry) for entry in board["city"]),
        harbors=tuple(site("harbor", "sea", entry) for entry in board["harbor"]),
        barriers=tuple(
            Barrier(b["name"], tuple((tuple(one), tuple(two)) for one, two in b["edges"]))
            for b in board.get("barrier", [])
        ),
        fiefs=tuple(
            Fief(f["number"], tuple(map(tuple, f["cells"])), tuple(f["castles"]))
            for f in content["fiefs"]["fief"]
        ),
        scenarios=tuple(
            Scenario(s["name"], s["players"], tuple(s["flourishing"]))
            for s in content["scenarios"]["scenario"]
        ),
        objectives=tuple(tuple(o["symbols"]) for o in content["objectives"]["objective"]),
        source=folder,
        digest=hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest(),
    )
