"""What the editor's page asks for: models, faults, pictures and files; and what is refused."""

import base64
import copy
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason='needs starlette: pip install ".[web]"')
pytest.importorskip("httpx2", reason="Starlette's test client needs httpx2")

from gonzaga_table.web.clients.limits import Clients, Rate
from gonzaga_table.web.editor import handlers
from gonzaga_table.web.editor.archive import folder_name, read_archive, write_archive
from gonzaga_table.web.editor.model import LIMITS, to_edition, to_model
from gonzaga_table.web.guard import on_error
from gonzaga_table.web.requests import RefusedError
from gonzaga_table.web.workshop import process
from gonzaga_table.web.workshop.queue import Workshop
from starlette.applications import Starlette
from starlette.testclient import TestClient

from gonzaga_env.core.board.edition import EDITIONS
from gonzaga_env.core.editions.loading import MAX_FILE, load_edition
from gonzaga_env.core.editions.validate import find_faults
from gonzaga_env.render.draw import draw
from gonzaga_env.tabletop.errors import GameError
from tests.marks import nightly
from tests.table.web.conftest import error_of
from tests.zips import write_zip

Model = dict[str, Any]
SHOP = Workshop({}, Clients())
SHOP._work = Rate(1e9, 1e9)  # or a slow machine uses up what an address may
CLIENT = TestClient(Starlette(routes=SHOP.routes, exception_handlers={GameError: on_error}))
FILES = {path.name: path.read_text("utf-8") for path in (EDITIONS / "europe").iterdir()}


@pytest.fixture(autouse=True, scope="module")
def ended() -> Iterator[None]:
    """Ends the process that the editor works in."""
    yield
    SHOP.close()


def post(name: str, body: object) -> Any:
    answer = CLIENT.post(f"/api/editor/{name}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(name: str, body: object) -> tuple[int, str, str]:
    answer = CLIENT.post(f"/api/editor/{name}", json=body)
    error = answer.json()["error"]
    assert set(error) == {"code", "message"}
    return answer.status_code, error["code"], error["message"]


@pytest.fixture
def model(europe) -> Model:
    return to_model(europe)


# Models


def test_the_order_of_regions_and_seas_is_kept(model) -> None:
    model["seas"].reverse()
    edition = to_edition(json.loads(json.dumps(model)))
    assert list(edition.seas) == ["6", "5", "4", "3", "2", "1"]


# Opening


def test_the_shipped_edition_opens(europe) -> None:
    assert to_edition(post("shipped", {"name": "europe"})["model"]).digest == europe.digest


def test_an_empty_map_has_what_the_rulebooks_say() -> None:
    model = post("new", {"rows": 3, "columns": 5})["model"]
    assert model["map"] == [["."] * 5] * 3
    assert model["regions"][0] == ["H", "Hispania"]
    assert len(model["regions"]) == len(model["seas"]) == 6
    assert [scenario["name"] for scenario in model["scenario"]] == ["Colombo"]
    assert post("check", {"model": model})["number"] > 6


def test_files_open(europe) -> None:
    answer = post("open", {"files": FILES})
    assert answer["missing"] == []
    assert to_edition(answer["model"]).digest == europe.digest


def test_a_missing_file_is_empty() -> None:
    answer = post("open", {"files": {"board.toml": FILES["board.toml"], "notes.txt": "x"}})
    assert answer["missing"] == ["fiefs.toml", "scenarios.toml", "objectives.toml"]
    assert answer["model"]["fief"] == []


@pytest.mark.parametrize("name", ["asia", "../europe", "/etc", None, 3, ["europe"]])
def test_only_shipped_editions_have_names(name) -> None:
    status, code, message = refused("shipped", {"name": name})
    assert (status, code, "europe" in message) == (404, "unknown", True)


@pytest.mark.parametrize(
    ("files", "fragment"),
    [
        ({}, "no file of an edition"),
        ({"a.toml": ""}, "no file of an edition"),
        ([], "no file of an edition"),
        ({"board.toml": "a = = 1"}, "board.toml: is not valid TOML"),
        ({"fiefs.toml": "fief = 3"}, "fiefs.toml: fief: is 3"),
        ({"board.toml": FILES["board.toml"].replace('"""', '"""\n' + ". " * 99, 1)}, "at most 60"),
    ],
)
def test_unusable_files_are_refused(files, fragment) -> None:
    assert fragment in refused("open", {"files": files})[2]


@pytest.mark.parametrize("rows", [0, 61, -1, 2.5, "3", None, 10**30])
def test_the_size_of_an_empty_map_is_bounded(rows) -> None:
    assert "1 to 60 are right" in refused("new", {"rows": rows, "columns": 5})[2]


# Faults


def test_the_faults_are_the_validators(model) -> None:
    assert post("check", {"model": model})["faults"] == []
    roma = next(city for city in model["city"] if city["name"] == "Roma")
    roma["at"] = [0, 0]
    model["fief"][2]["castles"] = []
    answer = post("check", {"model": model})
    faults = find_faults(to_edition(model))
    assert [fault["text"] for fault in answer["faults"]] == list(map(str, faults))
    assert answer["number"] == len(faults)
    first = answer["faults"][0]
    assert (first["file"], first["cells"], first["entry"]) == ("board", [[0, 0]], ["city", 15])


def test_every_symbol_has_an_icon(model) -> None:
    model["city"][0]["symbol"] = "<key>"
    symbols = post("check", {"model": model})["symbols"]
    assert set(symbols) == {"<key>", *(city["symbol"] for city in model["city"])}
    assert all(text.startswith("<?xml") and text.endswith("</svg>\n") for text in symbols.values())
    assert "<key>" not in symbols["<key>"]


def test_faults_are_bounded(model) -> None:
    model["barrier"] = [{"name": "x", "edges": [[[0, 0], [0, 0]]] * 100}] * 4
    answer = post("check", {"model": model})
    assert len(answer["faults"]) == handlers.MAX_FAULTS < answer["number"]


# Pictures


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_is_the_projects_own(europe, model, theme) -> None:
    svg = post("picture", {"model": model, "theme": theme})["svg"]
    assert svg == draw(europe, theme=theme).svg


def test_an_empty_map_has_no_picture() -> None:
    model = post("new", {"rows": 3, "columns": 3})["model"]
    assert post("picture", {"model": model}) == {"svg": None}


def test_names_cannot_become_markup(model) -> None:
    model["city"][0]["name"] = "<script>alert(1)</script>"
    model["name"] = "</title><script>"
    assert "<script" not in post("picture", {"model": model})["svg"]


@pytest.mark.parametrize("number", [2, *nightly(12)])
def test_random_editions_are_checked_drawn_and_saved(model, number) -> None:
    """No model that passes the schema makes the server fail."""
    rng = np.random.default_rng(3)
    for _ in range(number):
        other = copy.deepcopy(model)
        for _ in range(6):
            _spoil(other, rng)
        assert post("check", {"model": other})["number"] > 0
        post("picture", {"model": other})
        post("save", {"model": other})


def _spoil(model: Model, rng: np.random.Generator) -> None:
    """Makes one random change."""
    kind = ["map", "city", "harbor", "barrier", "fief", "regions", "seas", "row"][rng.integers(8)]
    if kind == "map":
        model["map"][rng.integers(len(model["map"]))][0] = ["H", ".", "7", "?"][rng.integers(4)]
    elif kind in ("city", "harbor"):
        site = model[kind][rng.integers(len(model[kind]))]
        site["at"] = rng.integers(-3, 30, size=2).tolist()
        site["name"] = ["", "x", "two\nlines"][rng.integers(3)]
    elif kind == "barrier":
        model["barrier"][0]["edges"].append(rng.integers(-1, 20, size=(2, 2)).tolist())
    elif kind == "fief":
        fief = model["fief"][rng.integers(len(model["fief"]))]
        fief["cells"] = rng.integers(-2, 3, size=(rng.integers(5), 2)).tolist()
        fief["castles"] = rng.integers(-1, 5, size=2).tolist()
    elif kind == "row":
        model["map"] = model["map"][1:] or [["."]]
    elif len(model[kind]) > 1:
        model[kind].pop()


# Saving


def test_the_saved_folder_loads_with_the_same_digest(europe, model, tmp_path) -> None:
    answer = post("save", {"model": model})
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(answer["zip"]))) as saved:
        saved.extractall(tmp_path)
    folder = tmp_path / answer["folder"]
    assert load_edition(folder).digest == europe.digest
    assert {path.name: path.read_text("utf-8") for path in folder.iterdir()} == FILES


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("Europe", "europe-edited"),  # "europe" would load the shipped edition
        ("Città di Mantova!", "citta-di-mantova"),
        ("../../etc", "etc"),
        ("日本", "edition"),
        ("", "edition"),
    ],
)
def test_folder_names(name, folder) -> None:
    assert folder_name(name) == folder


def test_a_saved_file_opens_again(europe) -> None:
    answer = CLIENT.post(
        "/api/editor/open",
        content=write_archive(europe),
        headers={"content-type": "application/zip"},
    )
    assert to_edition(answer.json()["model"]).digest == europe.digest


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    return write_zip(files.items(), method)


def _flipped(data: bytes) -> bytes:
    """Spoils the compressed content of the first file."""
    middle = 45
    return data[:middle] + bytes(255 - byte for byte in data[middle : middle + 9]) + data[54:]


@pytest.mark.parametrize(
    ("data", "fragment"),
    [
        (b"PK", "is not a readable zip"),
        (zipped({"board.toml": b" " * (MAX_FILE + 1)}), "is larger than 131,072 bytes"),
        (zipped({"a/fiefs.toml": b"", "b/fiefs.toml": b""}), "twice"),
        (zipped({"fiefs.toml": b""}, zipfile.ZIP_BZIP2), "compressed in an unusual way"),
        (_flipped(zipped({"fiefs.toml": FILES["fiefs.toml"].encode()})), "is damaged"),
    ],
)
def test_unusable_archives_are_refused(data, fragment) -> None:
    with pytest.raises(RefusedError, match=fragment):
        read_archive(data)


def test_other_files_in_an_archive_do_not_matter() -> None:
    data = zipped({"x/board.toml": b"1", "__MACOSX/x/board.toml": b"2", "x/readme.md": b"3"})
    assert read_archive(data) == {"board.toml": b"1"}


# Refused requests


@pytest.mark.parametrize("name", ["shipped", "new", "open", "check", "picture", "save"])
@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b"\xff", b"[" * 100_000, b'{"name": "\\ud800"}']
)
def test_bodies_that_are_no_json_object_are_refused(name, body) -> None:
    answer = CLIENT.post(f"/api/editor/{name}", content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "malformed"


@pytest.mark.parametrize("name", ["check", "open"])
def test_large_bodies_are_refused(name) -> None:
    answer = CLIENT.post(f"/api/editor/{name}", content=b" " * (handlers.MAX_BODY + 1))
    assert error_of(answer) == (413, "too_large")


def _long(key: str) -> Callable[[Model], object]:
    return lambda model: model.update({key: model[key][:1] * (LIMITS[key] + 1)})


@pytest.mark.parametrize(
    ("spoil", "fragment"),
    [
        (lambda m: m.clear(), "name: is missing"),
        (lambda m: m.update(extra=1), "extra: is an unknown key"),
        (lambda m: m.update(map="text"), "map: is 'text'; it takes a list"),
        (lambda m: m["map"][0].append(3), "it takes a string"),
        (lambda m: m["map"][0].append("a b"), "is empty or has blanks"),
        (lambda m: m["map"][0].append(""), "is empty or has blanks"),
        (lambda m: m["map"].append([]), "has an empty row"),
        (lambda m: m["map"][0].extend("H" * 60), "row 0 of the map"),
        (lambda m: m["regions"].append(["H", "Again"]), "a mark is given twice"),
        (lambda m: m.update(name="x" * 121), "at most 120"),
        (lambda m: m["fief"][0].update(cells=[[0, 0]] * 13), "cells of fief 1"),
        (lambda m: m["fief"][0].update(castles=[0] * 13), "castles of fief 1"),
        (lambda m: m["barrier"][0].update(edges=[[[0, 0], [0, 1]]] * 101), "at most 100"),
        (
            lambda m: m.update(barrier=[{"name": "x", "edges": [[[0, 0], [0, 1]]] * 100}] * 5),
            "barriers",
        ),
        (lambda m: m["scenario"][0].update(flourishing=["x"] * 41), "regions of"),
        *((_long(key), f"{key}: ") for key in LIMITS),
    ],
)
def test_wrong_and_large_models_are_refused(spoil, fragment, model) -> None:
    spoil(model)
    for name in ("check", "picture", "save"):
        assert fragment in refused(name, {"model": model})[2]


def test_no_job_about_records_is_called_like_one_of_the_editor() -> None:
    """Both share a queue: a name given twice answered the editor's maps as records."""
    assert not process._OF_RECORDS.keys() & process.EDITOR_TASKS.keys()
