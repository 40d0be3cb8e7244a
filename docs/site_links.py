"""Where links of a page lead on the site: pages also read well on GitHub, so links name files."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from urllib.parse import urldefrag

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
URLS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
SOURCE = URLS["Source"]

# Files that are pages of the site, too: their path, and the page's. The site's builder copies them.
BROUGHT = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "docs/search.md": "search-agents.md",  # search.html is Sphinx's own page of results
    "gonzaga_env/data/rules/gonzaga.md": "rules.md",
    "gonzaga_env/data/rules/tuscany.md": "rules-tuscany.md",
    "gonzaga_env/data/rules/signorie.md": "rules-signorie.md",
    "notebooks/README.md": "notebooks/index.md",
}
BROUGHT |= {
    f"notebooks/{path.name}": f"notebooks/{path.name}"
    for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
}
# Files in docs that the site serves itself; of others, GitHub has a page.
SERVED = {".md", ".png", ".svg", ".gif", ".csv", ".json", ".jsonl"}
_LINK = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")


def for_site(text: str, page: Path) -> str:
    """Returns a page's Markdown with links that lead to pages of the site, or to GitHub.

    Args:
        text: Markdown, or the JSON of a notebook.
        page: the file in the repository that holds the text.
    """

    def resolved(match: re.Match[str]) -> str:
        image, shown, target = match.groups()
        return f"{image}{shown}({address(target, page, raw=bool(image))})"

    return _LINK.sub(resolved, text)


def address(target: str, page: Path, *, raw: bool = False) -> str:
    """Returns where a relative link leads: "/page.md#part" on the site, or an address on GitHub.

    Args:
        target: the link, such as "../agents/agent.py".
        page: the file in the repository that holds the link.
        raw: asks for the file itself, as pictures do, instead of GitHub's page about it.
    """
    path, anchor = urldefrag(target)
    name = Path(os.path.normpath(page.parent / path)).relative_to(ROOT).as_posix()
    anchor = f"#{anchor}" if anchor else ""
    if name == ".":
        return SOURCE
    if name == "README.md":
        return f"/index.md{anchor}"
    if name in BROUGHT:
        return f"/{BROUGHT[name]}{anchor}"
    if name.startswith("docs/") and Path(name).suffix in SERVED:
        return f"/{name.removeprefix('docs/')}{anchor}"
    kind = "raw" if raw else "tree" if (ROOT / name).is_dir() else "blob"
    return f"{SOURCE}/{kind}/HEAD/{name}{anchor}"
