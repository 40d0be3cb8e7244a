"""Every figure of the pages lies in a file with its version, and the page says how old it is."""

import json
import re
from pathlib import Path

import pytest
from gonzaga_agents.bench import pins

from benchmarks import publish
from docs import figures
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.version import __version__

PAGES = {figures.stem(page): page for page in figures.page_paths()}

#: Shares, intervals and microseconds; 95 % is the confidence of all intervals.
FIGURE = re.compile(
    r"(?<![\d.,])(?!95\s?%)\d[\d.,]*\s?%|±|\d\s+\(-?\+?\d[\d.,]*\s+to\s+[-+]?\d|\d\s?µs\b"
)

#: How paragraphs and tables with such numbers begin that state nothing measured, and why.
NOT_MEASURED = {
    "benchmarks": {"| row | what is measured |": "what sampling adds to the null environment"},
    "analysis": {"| | loses | and |": "limits of what is called a mistake"},
    "bench": {"Where something is trained": "by how much a training may exceed its budget"},
    "edition": {"| | |": "counts of the map"},
    "games-gonzaga": {"| Import |": "facts, written by docs/games/tables.py"},
    "games-signorie": {"| Import |": "facts, written by docs/games/tables.py"},
    "games-tuscany": {"| Import |": "facts, written by docs/games/tables.py"},
    "tournaments": {
        "**Bounds.**": "the level of an interval",
        "**Pairs.**": "the fair share",
        "**Notes.**": "the fair share",
    },
    "testing": {"| parts | what |": "how many mutants have to end"},
    "training": {"A copy of the policy": "the fair share"},
}


PAGE = [
    "# Page\n",
    "It wins.\n",
    "<!-- figures wins -->\n",
    "Of `search@64`, in 1,000 games ([how](a2.md)):\n",
    "| agent | wins, % |",
    "|---|--:|",
    "| `greedy` | 53 (50 to 56) |\n",
    "That is 2.5 ± 0.3 % more.\n",
    "<!-- end figures -->\n",
    "After.\n",
]


@pytest.fixture
def page(tmp_path, monkeypatch) -> Path:
    """A page with a table and a sentence, kept as of version 0.1.0, of an agent that ships."""
    text = "\n".join(PAGE)
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    monkeypatch.setattr(figures, "FOLDER", tmp_path / "docs" / "measured")
    monkeypatch.setattr(
        figures, "digest_now", {"gonzaga/2p greedy": "a", "signorie/4p random": "b"}.get
    )
    figures.FOLDER.mkdir(parents=True)
    (tmp_path / "benchmarks").mkdir()
    for name in ("README.md", "benchmarks/README.md"):
        (tmp_path / name).write_text("# Nothing\n")
    found = tmp_path / "docs" / "page.md"
    found.write_text(text)
    kept = {"version": "0.1.0", "commit": "abc", "measured": {"gonzaga/2p greedy": "a"}}
    write({"wins": kept | figures.read_block(figures._BLOCK.search(text)[2])})
    return found


def write(kept: object) -> None:
    (figures.FOLDER / "page.json").write_text(json.dumps(kept))


def change(**values: object) -> None:
    """Changes what is kept of the block."""
    write({"wins": figures.read_kept("page")["wins"] | values})


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_how_old_its_figures_are(name) -> None:
    """After a change of agents, rules or figures: `python docs/figures.py`."""
    text = PAGES[name].read_text("utf-8")
    assert figures.written(PAGES[name]) == text, "python docs/figures.py writes this page"


@pytest.mark.parametrize("name", PAGES)
def test_no_figure_is_without_a_file(name) -> None:
    text = figures._BLOCK.sub("", PAGES[name].read_text("utf-8"))
    if name == "leaderboard":  # a tournament writes its parts
        text = text.partition("\n## ")[0]
    reasons = dict(NOT_MEASURED.get(name, {}))
    for part in re.split(r"\n\s*\n", text):
        if FIGURE.search(part):
            reason = [start for start in reasons if part.startswith(start)]
            assert reason, f"{name}: {part[:80]!r} needs <!-- figures NAME --> and a file"
            del reasons[reason[0]]
    assert not reasons, f"{name} states no such figures"


def test_every_file_belongs_to_a_page_and_names_what_it_is_of() -> None:
    files = sorted(figures.FOLDER.glob("*.json"))
    assert {path.stem for path in files} <= set(PAGES)
    for path in files:
        for name, kept in json.loads(path.read_text("utf-8")).items():
            if "as" in kept:
                assert figures._resolved(kept)["version"], name
                continue
            assert re.fullmatch(r"\d+\.\d+\.\d+", kept["version"]), name
            assert kept["commit"] is None or re.fullmatch(r"[0-9a-f]{7,}(-dirty)?", kept["commit"])
            assert {"tables", "values", "by"} & set(kept), name
            for measured in kept["measured"]:
                assert re.fullmatch(r"(gonzaga|tuscany|signorie)/[234]p \S+", measured), measured


def test_blocks_that_are_made_name_their_version() -> None:
    for path, make in figures.made_blocks().items():
        own, _, name = path.partition("/")
        assert f"<!-- figures {name} -->" in PAGES[own].read_text("utf-8")
        assert name in figures.read_kept(own) or re.search(r"ersion|gonzaga-env \d", make()), path


@pytest.mark.parametrize("game", game_names())
def test_the_leaderboard_was_played_with_the_version_that_is_kept(game) -> None:
    board = publish.LEADERBOARD.read_text("utf-8")
    part = board.partition(f"\n## {game_spec(game).title}\n")[2].partition("\n## ")[0]
    kept = figures.read_kept("leaderboard")[game]
    assert f"with gonzaga_env {kept['version']}" in part
    agents = {
        f"{game}/{n}p {agent}" for n in "234" for agent in publish.all_ratings(board)[game][n]
    }
    assert set(kept["measured"]) == agents


def test_figures_of_what_ships_have_no_age(page) -> None:
    assert figures.written(page) == page.read_text()


def test_a_page_says_of_which_version_its_figures_are(page) -> None:
    change(measured={"gonzaga/2p greedy": "old"})
    text = figures.written(page)
    assert "0.3 % more.\n\n(Of version 0.1.0.)\n\n<!-- end figures -->\n\nAfter.\n" in text
    page.write_text(text)
    assert figures.written(page) == text
    for unknown in ({}, {"gonzaga/2p greedy": None}):
        change(measured=unknown)
        assert figures.written(page) == text
    change(measured={"gonzaga/2p greedy": "a"})
    assert "version" not in figures.written(page)


def test_the_age_names_what_has_changed(page) -> None:
    change(measured={"gonzaga/2p greedy": "a", "signorie/4p random": "old"})
    assert "(Of version 0.1.0; `random` (signorie/4p) changed since.)" in figures.written(page)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "53 (50 to 56)",
            "54 (50 to 56)",
            "the page says '54 (50 to 56)', the file '53 (50 to 56)'",
        ),
        ("2.5 ± 0.3 %", "2.6 ± 0.3 %", "page/wins: the page says '2.6 ± 0.3"),
        ("1,000 games", "games", "the page says '2.5 ± 0.3 %', the file '1,000'"),
        ("That", "In all, 7. That", "the page says '7', the file '2.5 ± 0.3 %'"),
        ("more.", "more, 9.", "do not have as many values"),
        ("<!-- figures wins -->", "<!-- figures lost -->", "has no such block"),
        ("<!-- end figures -->", "", "the page has no block 'wins'"),
    ],
)
def test_a_page_and_its_file_do_not_differ(page, capsys, old, new, reason) -> None:
    text = page.read_text().replace(old, new)
    page.write_text(text)
    with pytest.raises(figures.FiguresError, match=re.escape(reason)):
        figures.written(page)
    assert figures.main([]) == 2
    assert page.read_text() == text
    assert capsys.readouterr().err.count("\n") == 1


def test_figures_that_were_measured_again_are_kept(page, monkeypatch, capsys) -> None:
    monkeypatch.setattr(publish, "write_beside", lambda: None)
    change(measured={"gonzaga/2p greedy": "old"})
    assert figures.main([]) == 0
    page.write_text(page.read_text().replace("53 (50", "54 (51").replace("2.5 ±", "2.7 ±"))
    assert figures.main(["--measured", "page/wins"]) == 0
    kept = figures.read_kept("page")["wins"]
    assert kept["version"] == __version__
    assert kept["measured"] == {"gonzaga/2p greedy": "a"}
    assert kept["tables"][0]["rows"] == [["`greedy`", "54 (51 to 56)"]]
    assert kept["values"] == ["1,000", "2.7 ± 0.3 %"]
    assert "version" not in page.read_text()
    capsys.readouterr()
    assert figures.main(["--measured", "page/other", "none/wins"]) == 2
    assert capsys.readouterr().err == (
        "figures: page/other: no page has such a block\n"
        "figures: none/wins: no page has such a block\n"
    )


def test_kept_tables_are_written_into_the_page(page, monkeypatch) -> None:
    monkeypatch.setattr(publish, "write_beside", lambda: None)
    before = page.read_text()
    page.write_text(before.replace("53 (50", "54 (51"))
    assert figures.main(["--restore", "page/wins"]) == 0
    assert page.read_text() == before


def test_a_digest_covers_edition_rules_files_and_play(monkeypatch) -> None:
    name = "gonzaga/2p greedy"
    digest = figures.digest_now.__wrapped__
    before = digest(name)
    assert digest(name) == before == figures.digest_now(name)
    assert digest("gonzaga/2p planner") != before != digest("gonzaga/3p greedy")
    with monkeypatch.context() as changed:
        changed.setattr(figures, "file_digests", lambda *_: {"value.npz": "other"})
        assert digest(name) != before
    with monkeypatch.context() as changed:
        changed.setattr(figures, "plays_digest", lambda *_, **__: "other")
        assert digest(name) != before
    config = game_spec("gonzaga").config(num_players=2)
    other = type(config)(num_players=2, rules={"sea_league": "first_only"})
    assert pins.plays_digest("greedy", config, every=12) == pins.plays_digest(
        "greedy", config, every=12
    )
    spec = game_spec("gonzaga")
    changed_spec = type("Spec", (), {"config": lambda self, num_players: other})()
    monkeypatch.setattr(
        figures, "game_spec", lambda game: changed_spec if game == spec.name else None
    )
    assert digest(name) != before
