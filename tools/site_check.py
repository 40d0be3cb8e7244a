"""Checks a built site: all links lead somewhere, and no page asks another host for anything.

    python tools/site_check.py site

Sphinx checks the links that it makes; this reads the pages as a browser does, with those that the
theme and our own HTML make. Links to other sites: `nox -s site -- linkcheck`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a page loads when it is opened: tag and attribute. Links are followed by readers only.
_LOADED = {
    ("script", "src"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
    ("video", "src"),
    ("object", "data"),
}
_LOADED_LINKS = {"stylesheet", "icon", "preload", "manifest", "modulepreload"}


class Page(HTMLParser):
    """What a page has and wants.

    Attributes:
        anchors: where links may lead within the page.
        links: what readers may follow.
        loaded: what the browser fetches.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes one element."""
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        self.loaded += [value for name, value in found.items() if (tag, name) in _LOADED]
        if tag == "link" and _LOADED_LINKS & set(found.get("rel", "").split()):
            self.loaded.append(found.get("href", ""))
        if tag == "a" and "href" in found:
            self.links.append(found["href"])


def faults(folder: Path) -> Iterator[str]:
    """Yields a line for each fault of the pages in a folder."""
    read = cache(lambda path: Page(path.read_text("utf-8")))
    for path in sorted(folder.rglob("*.html")):
        page, name = read(path), path.relative_to(folder)
        for address in page.loaded:
            if urlsplit(address).netloc:
                yield f"{name}: loads {address} from elsewhere"
        for address in (*page.loaded, *page.links):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = path if not parts.path else path.parent / unquote(parts.path)
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{name}: {address} is not there"
            elif "_static" in target.parts:  # pages whose scripts make their places
                continue
            elif not has_place(read, target.resolve(), unquote(parts.fragment)):
                yield f"{name}: {address} has no such place"


def has_place(read: Callable[[Path], Page], target: Path, fragment: str) -> bool:
    """Returns whether a file has an anchor, or the link asks for none."""
    return not fragment or target.suffix != ".html" or fragment in read(target).anchors


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints all faults; the exit code is 1 if there are any, and 2 if there is no site."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the built site")
    folder = parser.parse_args(arguments).folder.resolve()
    if not (folder / "index.html").is_file():
        print(f"site_check: {folder} holds no site; build one by `nox -s site`", file=sys.stderr)
        return 2
    found = list(faults(folder))
    for fault in found:
        print(fault)
    number = sum(1 for _ in folder.rglob("*.html"))
    print(f"{number} pages, {len(found)} faults", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
