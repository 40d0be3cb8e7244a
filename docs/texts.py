"""Writes gonzaga_env/data/rules and docs/schemas: `python docs/texts.py`.

The package's texts (`gonzaga_env.text.rules_text`) take the numbered rules and leave out what does
not help to play: sources, reasons and what an edition has to be. The schemas describe what
`gonzaga_env.text.view_json` returns.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from gonzaga_env.text import view_schema

DOCS = Path(__file__).parent
FOLDER = DOCS.parent / "gonzaga_env/data/rules"
#: The page of each game, and the rules that are left out.
PAGES = {
    "gonzaga": ("rules.md", {"R1.4", "R1.7", "R4.7", "R9"}),
    "tuscany": ("rules-tuscany.md", {"T1.4", "T1.5", "T1.6"}),
    "signorie": ("rules-signorie.md", {"S1.1", "S1.5"}),
}
_RULE = re.compile(r"- ([A-Z]\d+\.\d+) ")
_HEADING = re.compile(r"## ([A-Z]\d+) ")


def rules_of(game: str) -> str:
    """Returns the rules of a game that players need, in Markdown."""
    name, left_out = PAGES[game]
    lines = []
    for line in (DOCS / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            lines.append(line)
        elif (found := _RULE.match(line) or _HEADING.match(line)) and not left_out & _names(
            found[1]
        ):
            lines.append(_plain(line))
    return "\n".join(lines) + "\n"


def _names(number: str) -> set[str]:
    return {number, number.partition(".")[0]}


def _plain(line: str) -> str:
    """Returns a rule without bold letters and remarks about its source."""
    line = line.replace("**", "").replace("*Review*: ", "")
    line = re.sub(
        r" \((?:[BM]\d+(?:[ ,to]*[BM]\d+)*|English rulebook[^:]*:|No text[^)]*)\)", "", line
    )
    line = re.sub(r" (?:\"Many|The borders of some|\"Colombo\":|Colombo leaves).*", "", line)
    return re.sub(r"(Ruling|Ours)(?: \([^)]*\))?: (.)", lambda found: found[2].upper(), line)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in PAGES:
        (FOLDER / f"{each}.md").write_text(rules_of(each), encoding="utf-8")
        schema = json.dumps(view_schema(each), indent=1, ensure_ascii=False)
        (DOCS / "schemas" / f"view-{each}.json").write_text(f"{schema}\n", encoding="utf-8")
