"""Recorded games to step through inside a page.

    :::{replay} gonzaga
    - **Move 28** founds a sea league.
    :::

shows the game of `docs/replays/gonzaga.jsonl` and the text below it, in which "Move 28" in bold
type shows that move. On GitHub the text is a list, and readers find the record.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from gonzaga_env.games import game_spec
from gonzaga_env.show.game import ShownGame, load_game
from gonzaga_env.show.page import page
from gonzaga_env.tabletop.writing import write_aside

RECORDS = Path(__file__).resolve().parent.parent / "replays"
CLASS = "replay"
_MOVE = re.compile(r"Move (\d+)")


def shown_game(name: str) -> ShownGame:
    """Returns the recorded game of a name.

    Raises:
        GameError: there is no such record, or it is wrong.
        OSError: it cannot be read.
    """
    game = load_game(RECORDS / f"{name}.jsonl", 1, "spectator", None)
    game.check_right()
    return game


def write_pages(app: Sphinx, error: Exception | None) -> None:
    """Writes the page of each record into the site."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static" / "replays"
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(RECORDS.glob("*.jsonl")):
        game = shown_game(path.stem)
        title = game_spec(game.edition.game).title
        write_aside(folder / f"{path.stem}.html", page(game.edition, game.frames, title))


class Replay(SphinxDirective):
    """A game in a frame, and text in which moves are links."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Returns the frame and the text."""
        name = self.arguments[0]
        record = RECORDS / f"{name}.jsonl"
        if not record.is_file():
            known = ", ".join(sorted(path.stem for path in RECORDS.glob("*.jsonl")))
            raise self.error(f"no replay {name!r} in docs/replays; there are: {known}")
        self.env.note_dependency(str(record))
        root = "../" * self.env.docname.count("/")
        address = f"{root}_static/replays/{name}.html"
        whole = nodes.container(classes=[CLASS])
        whole += nodes.raw("", _frame(name, address), format="html")
        text = nodes.container(classes=[f"{CLASS}-text"])
        self.state.nested_parse(self.content, self.content_offset, text)
        for bold in list(text.findall(nodes.strong)):
            if found := _MOVE.fullmatch(bold.astext()):
                link = f'<a href="{address}#{found[1]}" target="replay-{name}">{found[0]}</a>'
                bold.replace_self(nodes.raw("", link, format="html"))
        whole += text
        return [whole]


def _frame(name: str, address: str) -> str:
    """Returns the frame, which loads when the reader comes near, and a link to the page alone."""
    title = escape(f"A game of {game_spec(name).title}")
    return (
        f'<iframe class="{CLASS}" name="replay-{name}" src="{address}" title="{title}"'
        ' loading="lazy"></iframe>'
        f'<p class="replay-alone"><a href="{address}">Open the replay alone</a></p>'
    )
