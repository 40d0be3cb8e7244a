"""Finished games: addresses, drawings, analysis, and playing on from a position."""

import json
import time
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.analysis.analysis import record_digest
from gonzaga_table.web import analysis, finished, store
from gonzaga_table.web.analysis import (
    CURVE,
    AnalysisFailure,
    AnalysisRequest,
    Analyst,
    Finding,
    Part,
    identity_of,
)
from gonzaga_table.web.store import Archive

from gonzaga_env.core import Engine
from gonzaga_env.core.spec import replay
from gonzaga_env.kernel.records import Record
from tests.core.test_records import record_games
from tests.table.web.conftest import Server, error_of, play_on

WAIT = 60.0  # seconds that a loaded machine may take


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return record_games(Engine(3, 2, seed=1), 3)


def asked(server: Server, record: Record, agent: str) -> AnalysisRequest:
    return AnalysisRequest("a", json.dumps(record), agent, server.editions["europe"], agent)


def add(server: Server, record: Record) -> str:
    """Uploads a record, and returns its id."""
    answer = server.client.post("/api/games", json={"text": json.dumps(record)})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def keep(server: Server, record: Record) -> str:
    """Keeps a record without a check."""
    game = record_digest(record)
    server.rooms.archive.add(game, json.dumps(record))
    return game


def analysed(server: Server, game: str, *agents: str) -> dict[str, Any]:
    """Returns a finished analysis."""
    query, until = "&".join(f"agent={name}" for name in agents), time.monotonic() + WAIT
    while time.monotonic() < until:
        answer = server.client.get(f"/api/games/{game}/analysis?{query}").json()
        if answer["done"]:
            found: dict[str, Any] = answer
            return found
        time.sleep(0.05)
    raise AssertionError(f"no analysis within {WAIT} s")


def test_a_record_is_kept_once_under_its_digest(server, records) -> None:
    game = add(server, records[0])
    assert add(server, records[0]) == game
    told = server.client.get(f"/api/games/{game}").json()
    assert (told["id"], told["digest"], told["table"]) == (game, game, None)
    assert told["moves"] == len(records[0]["moves"])
    assert json.loads(server.client.get(f"/api/games/{game}/record").text) == records[0]
    assert server.client.get(f"/game/{game}").status_code == 200
    server.restart()
    assert server.client.get(f"/api/games/{game}").json()["digest"] == game


def test_what_is_no_record_is_not_kept(server, records) -> None:
    for text in ("", "{}", "no json", json.dumps({**records[0], "winners": [0, 1, 2]}), 7):
        answer = server.client.post("/api/games", json={"text": text})
        assert answer.status_code == 400, text
        assert answer.json()["error"]["code"] == "malformed"
    assert server.client.post("/api/games", content=b"x" * (5 << 20)).status_code == 413
    for path in ("", "/drawn", "/record", "/analysis"):
        answer = server.client.get(f"/api/games/nobody{path}")
        assert error_of(answer) == (404, "not_found")


def test_positions_are_drawn_for_all_moves(server, records) -> None:
    answer = server.client.get(f"/api/games/{add(server, records[0])}/drawn")
    assert answer.headers["content-encoding"] == "gzip"
    drawn, moves = answer.json(), records[0]["moves"]
    assert [frame["round"] for frame in drawn["frames"]][:1] == [1]
    assert len(drawn["frames"]) == len(moves) + 1
    assert drawn["seats"] == [move["seat"] for move in moves]
    assert [player["score"] for player in drawn["players"]] == records[0]["scores"]["total"]
    used = {i for frame in drawn["frames"] for i in (*frame["board"], *frame["panels"])}
    assert used <= set(range(len(drawn["layers"])))
    assert drawn["frames"][1]["lines"][0]["event"]["kind"] == "plan"


def test_an_analysis_is_computed_kept_and_told_once(server, records, monkeypatch) -> None:
    game, moves = keep(server, records[0]), len(records[0]["moves"])
    found = analysed(server, game, "greedy", "random")
    assert len(found["chances"]) == moves + 1
    assert np.allclose(np.sum(found["chances"], axis=1), 1, atol=1e-3)
    assert [len(one["decisions"]) for one in found["opinions"]] == [moves, moves]
    again = server.client.get(
        f"/api/games/{game}/analysis?agent=greedy&agent=random&have={found['version']}"
    ).json()
    assert again["done"]
    assert "chances" not in again
    monkeypatch.setattr(Archive, "found", None)
    monkeypatch.setattr(finished, "record_digest", None)
    assert analysed(server, game, "greedy", "random") == found  # from what is kept as bytes
    monkeypatch.undo()
    server.restart()
    kept = server.client.get(f"/api/games/{game}/analysis?agent=greedy").json()
    assert kept["done"]  # without computing anything
    assert kept["opinions"] == found["opinions"][:1]
    monkeypatch.setattr(analysis, "__version__", "another")
    assert not server.client.get(f"/api/games/{game}/analysis?agent=greedy").json()["done"]


def test_another_file_makes_another_agent(tmp_path) -> None:
    file, found = tmp_path / "mine.py", set()
    for content in ("a = 1", "a = 12", "a = 1"):
        file.write_text(content)
        found.add(identity_of(f"{file}:First"))
    assert len(found) == 2


def test_opinions_say_and_draw_what_was_better(server, records) -> None:
    analyst = Analyst()
    part = analyst.ask(asked(server, records[0], "search@4"))
    assert isinstance(part, Part)
    told = [one for one in part.content["opinions"]["decisions"] if one]
    assert all(
        [choice["action"] for choice in one["said"]] == [c["action"] for c in one["choices"]]
        for one in told
    )
    better = [one for one in told if one.get("better")]
    assert better
    assert any("<polyline" in one["marks"] and "var(--mark)" in one["marks"] for one in better)
    assert any(one["reasons"] for one in better)
    assert not any(one["marks"] for one in told if not one.get("better"))


def test_an_agent_that_fails_is_named_and_others_go_on(server, records) -> None:
    analyst = Analyst()
    failed = analyst.ask(asked(server, records[0], "nobody"))
    assert isinstance(failed, AnalysisFailure)
    assert "there is no agent 'nobody'" in failed.text
    assert isinstance(analyst.ask(asked(server, records[0], CURVE)), Part)


def test_a_better_pass_takes_the_place_of_a_quick_one() -> None:
    finding = Finding()
    for start, rows, done in ((0, [[1], [2]], 0.2), (2, [[3]], 0.3), (0, [[4], [5]], 0.9)):
        finding.add(Part(start, {"rows": rows}, done))
    assert finding.content["rows"] == [[4], [5], [3]]
    assert (finding.version, finding.progress, finding.done) == (3, 0.9, False)


def test_malformed_questions_are_refused(server, records) -> None:
    game = keep(server, records[0])
    for query in ("agent=nobody", "agent=greedy&agent=random&agent=search", "have=x"):
        answer = server.client.get(f"/api/games/{game}/analysis?{query}")
        assert answer.status_code == 400, query


def test_the_record_unused_for_longest_makes_room(server, records, clock, monkeypatch) -> None:
    monkeypatch.setattr(store, "MAX_RECORDS", 2)
    first = keep(server, records[0])
    clock.go_on(1)
    keep(server, records[1])
    clock.go_on(1)
    last = keep(server, records[2])
    assert server.client.get(f"/api/games/{first}").status_code == 404
    assert server.client.get(f"/api/games/{last}").status_code == 200


def test_a_game_that_goes_on_stays_secret(server) -> None:
    table, _ = server.open()
    for path in ("", "/drawn", "/record", "/analysis?agent=greedy"):
        answer = server.client.get(f"/api/games/{table}{path}")
        assert error_of(answer) == (403, "forbidden")


def test_a_finished_table_is_a_game_and_is_played_on(server, rng) -> None:
    table, people = server.open()
    play_on(people, rng)
    told = server.client.get(f"/api/games/{table}").json()
    assert told["table"] == table
    record = json.loads(server.client.get(f"/api/games/{table}/record").text)
    number = len(record["moves"]) - 6
    asked = {"move": number, "seat": 1, "agents": ["greedy", "greedy"], "name": "Ann"}
    opened, people = server.seated(server.client.post(f"/api/games/{table}/tables", json=asked))
    assert [*people] == [1]
    assert play_on(people, rng)["over"]
    again = json.loads(server.client.get(f"/api/tables/{opened}/record").text)
    replay(again)
    assert again["moves"][:number] == record["moves"][:number]
    assert again["decks"] == record["decks"]


def test_playing_on_takes_a_position_a_seat_and_agents(server, records) -> None:
    game = keep(server, records[0])
    right = {"move": 3, "seat": 0, "agents": ["greedy", "greedy"], "name": "Ann"}
    wrong: list[dict[str, Any]] = [
        {"move": -1},
        {"move": 999},
        {"seat": 2},
        {"seat": True},
        {"agents": ["greedy"]},
        {"agents": ["greedy", "nobody"]},
        {"agents": 3},
        {"name": 5},
    ]
    for one in wrong:
        answer = server.client.post(f"/api/games/{game}/tables", json={**right, **one})
        assert answer.status_code == 400, (one, answer.text)
