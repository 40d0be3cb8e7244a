"""Adds the script of "Play now" to its page, and to no other."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def add_files(app: Sphinx, page: str, template: str, context: object, tree: object) -> None:
    """Adds the page's script and style sheet."""
    if page == "play-now":
        app.add_css_file("play/play.css")
        app.add_js_file("play/play.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the extension."""
    app.connect("html-page-context", add_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
