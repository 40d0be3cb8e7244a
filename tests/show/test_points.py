"""The table of final points: every source of every game, the best player first."""

from __future__ import annotations

import re

import numpy as np
import pytest

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.show.points import points_table


def cells(table: str) -> list[list[str]]:
    """Returns the texts of a table's cells, row by row."""
    rows = re.findall(r"<tr>(.*?)</tr>", table)
    texts = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows)
    return [[re.sub("<.*?>", "", text) for text in row] for row in texts]


@pytest.mark.parametrize("name", game_names())
def test_the_table_has_what_each_source_brought_and_what_decides(name) -> None:
    spec = game_spec(name)
    game, rng = spec.game.from_config(spec.config(num_players=3), 1), np.random.default_rng(1)
    while not game.finished:
        game.play(game.sample_legal(rng))
    engine = spec.engine.from_state(game.config, game.state, autoreset=False)
    scores, totals, won = (a[0].tolist() for a in (engine.scores, engine.totals, engine.winners()))
    head, *rows, total = cells(points_table(spec.sources, ["a", "b", "<c>"], scores, totals, won))
    order = sorted(range(3), key=lambda seat: (not won[seat], -totals[seat]))
    assert [text.removeprefix("♛ ") for text in head[1:]] == [
        ("a", "b", "&lt;c&gt;")[seat] for seat in order
    ]
    assert [text.startswith("♛") for text in head[1:]] == [won[seat] for seat in order]
    assert [row[0].replace(" ", "_") for row in rows] == [*spec.sources]
    assert [[int(text) for text in row[1:]] for row in rows] == [
        [scores[seat][source] for seat in order] for source in range(len(spec.sources))
    ]
    assert total == ["total", *(str(totals[seat]) for seat in order)]
    assert any(map(any, scores))


def test_sources_have_the_colours_of_the_key() -> None:
    table = points_table(["one", "two"], ["a"], [[1, 2]], [3], [True], ["red", "var(--c1)"])
    assert table.count('<i style="background:') == 2
    assert 'red"></i>one' in table
    assert 'var(--c1)"></i>two' in table
