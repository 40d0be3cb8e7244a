"""Every plot of the pages has its data beside it, and the data are what the pages say."""

import csv
import json
import re
from pathlib import Path

import pytest

from benchmarks import publish
from docs import understanding_pictures
from gonzaga_env.games import game_names, game_spec

ROOT = Path(__file__).parent.parent.parent
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "benchmarks" / "README.md"]
IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)|<img [^>]*src=\"([^\"]+)\"")
DATA = re.compile(r"\s+Data: \[([^\]]+)\]\(([^)\s]+)\)")

#: Pictures that show no data: games, boards and pages.
DRAWINGS = {
    "choices.svg",
    "editor.png",
    "europe.png",
    "film.gif",
    "game.svg",
    "maps.png",
    "signorie_edition.svg",
    "signorie_game.svg",
    "signorie_phone.png",
    "signorie_table.png",
    "table.png",
    "table_phone.png",
    "tuscany_edition.svg",
    "tuscany_game.svg",
    "tuscany_phone.png",
    "tuscany_table.png",
}


def plots() -> list[tuple[Path, str, str]]:
    """Returns page, picture and the text after it, of all pictures that are no drawings."""
    found = []
    for page in PAGES:
        text = page.read_text("utf-8")
        for match in IMAGE.finditer(text):
            picture = match[1] or match[2]
            if "://" not in picture and Path(picture).name not in DRAWINGS:
                found.append((page, picture, text[match.end() :]))
    return found


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_plot_has_its_data() -> None:
    found = plots()
    assert {"speed.png", "training.png", "leaderboard.png", "scores.svg"} <= {
        Path(picture).name for _, picture, _ in found
    }
    for page, picture, after in found:
        link = DATA.match(after)
        assert link, f"{page.name}: {picture} is followed by no link 'Data: [...](...)'"
        data = page.parent / link[2]
        assert data.name == link[1]
        if data.suffix == ".csv":
            rows = rows_of(data)
            assert rows, data
            assert all(None not in row and None not in row.values() for row in rows), data
        else:
            assert json.loads(data.read_text("utf-8")), data


def test_the_data_of_the_leaderboards_are_their_tables() -> None:
    page = publish.LEADERBOARD.read_text("utf-8")
    ratings = publish.all_ratings(page)
    for name in game_names():
        part = page.partition(f"\n## {game_spec(name).title}\n")[2].partition("\n## ")[0]
        link = re.search(r"Data: \[.*?\]\((.*?)\)", part)
        assert link
        rows = rows_of(publish.LEADERBOARD.parent / link[1])
        assert {(row["players"], row["agent"]) for row in rows} == {
            (players, agent) for players, own in ratings[name].items() for agent in own
        }
        for row in rows:
            rating, low, high = ratings[name][row["players"]][row["agent"]]
            assert row["low"] == ("" if low is None else str(low))
            assert row["high"] == ("" if high is None else str(high))
            assert row["rating"] == ("" if None in (low, high) else str(rating))
            games = f"{int(row['games']):,}"
            assert f"| {row['win_share']}% | {row['score']} | {games} |" in part
            for share in filter(None, (row[name] for name in row if name.startswith("ahead_of_"))):
                assert re.search(rf"\| (\*\*)?{share}(\*\*)? \|", part)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("speed.csv", lambda: publish.speeds_text(json.loads(publish.RESULTS.read_text("utf-8")))),
        ("scores.csv", understanding_pictures.scores_text),
    ],
)
def test_data_are_up_to_date(name, text) -> None:
    assert callable(text)
    assert (ROOT / "docs" / "img" / name).read_text("utf-8") == text()
