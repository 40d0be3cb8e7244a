"""A Sphinx extension for what moves inside the site's pages.

- The directive `replay` shows a recorded game to step through; the pages of the games are made
  from `docs/replays/*.jsonl` when the site is built.
- Pictures of ratings whose data lies beside them are drawn as part of the page (`ratings`).
- Some pages have tables that can be sorted (`docs/_static/tables.js`).
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from . import ratings, replay

#: Pages whose tables can be sorted.
SORTED_PAGES = ("leaderboard", "bench")


def setup(app: Sphinx) -> dict[str, Any]:
    """Connects the extension to Sphinx."""
    app.add_directive("replay", replay.Replay)
    app.add_css_file("embedded.css")
    app.connect("doctree-read", ratings.draw_ratings, priority=900)  # after images are found
    app.connect("html-page-context", _add_scripts)
    app.connect("build-finished", replay.write_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _add_scripts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Adds scripts and style sheets to the pages that use them."""
    if page in SORTED_PAGES:
        app.add_js_file("tables.js", loading_method="defer")
    if page == "play-now":
        app.add_css_file("play/play.css")
        app.add_js_file("play/play.js", loading_method="defer")
    boxes = () if tree is None else tree.findall(nodes.container)
    if any(replay.CLASS in box["classes"] for box in boxes):
        app.add_js_file("replays.js", loading_method="defer")
