"""`gonzaga show` for games of The Castles of Tuscany and Signorie."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.records import write_records
from gonzaga_env.show.film import film_frames
from gonzaga_env.show.game import ShownGame, load_game
from tests.conftest import complaint_of
from tests.marks import nightly
from tests.render.scenes import recorded


@pytest.fixture(scope="module", params=["tuscany", *nightly("signorie")])
def record(request):
    """Returns a game; the one of The Castles of Tuscany is cut off after four laps."""
    return recorded(request.param, **({"max_laps": 4} if request.param == "tuscany" else {}))


@pytest.fixture
def file(tmp_path, record, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_records(tmp_path / "games.jsonl", [record])
    return tmp_path / "games.jsonl"


@pytest.fixture
def shown(file) -> ShownGame:
    return load_game(file, 1)


def test_a_page_a_film_and_a_picture_are_written(gonzaga, file, record, shown) -> None:
    for name in ("a.html", "a.gif", "a.svg"):
        told = gonzaga("show", "games.jsonl", "--out", name, "--move", len(record["moves"]))
        assert told == (0, f"wrote {name}\n", "")
    page = (file.parent / "a.html").read_text("utf-8")
    final = page[page.index("Final scoring") : page.index("</table>")]
    for source in game_spec(record["game"]).sources:
        assert source.replace("_", " ") in final
    totals = re.findall(r"<td>(\d+)</td>", final[final.index(">total<") :])
    assert sorted(map(int, totals)) == sorted(record["scores"]["total"])
    assert "a reconstruction: " in page
    with Image.open(file.parent / "a.gif") as film:
        assert film.n_frames == len(film_frames(shown.edition, shown.frames)) < len(shown.frames)
    picture = ElementTree.parse(file.parent / "a.svg").getroot()
    assert re.search("Over after|is over", picture[0].text)


def test_a_film_shows_each_action_when_it_is_complete(shown) -> None:
    for frame in film_frames(shown.edition, shown.frames)[1:]:
        assert shown.edition.game == "signorie" or frame.view.decision in ("main", "marble", "over")
    assert film_frames(shown.edition, shown.frames)[-1] is shown.frames[-1]


def test_it_is_stepped_through_in_the_terminal(gonzaga, file, record) -> None:
    last = len(record["moves"])
    code, out, _ = gonzaga("show", "games.jsonl", "--viewer", 0, typed=f"n\n{last}\nq\n")
    assert code == 0
    assert f"move {last} of {last}" in out
    assert re.search(r"\(agent[01]\): \w+", out)


def test_wrong_records_end_in_one_line(gonzaga, file, record) -> None:
    file.write_text(json.dumps(record | {"game": "chess"}) + "\n")
    assert "game is 'chess'" in complaint_of(gonzaga("show", "games.jsonl"))
    record = json.loads(json.dumps(record))
    record["scores"]["total"][0] += 1
    file.write_text(json.dumps(record) + "\n")
    with pytest.raises(RecordError, match="scores"):
        load_game(file, 1).check_right()
