"""Finished games: addresses, drawings, analysis, and playing on from a position."""

import json
import time
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.analysis.analysis import record_digest
from gonzaga_agents.puzzles.puzzle import shipped
from gonzaga_table.session import GameSession
from gonzaga_table.web.analysis import archive, routes
from gonzaga_table.web.analysis.analyses import PART_SECONDS, Analyses, Finding, analyst_apart
from gonzaga_table.web.analysis.archive import Archive
from gonzaga_table.web.analysis.process import (
    CURVE,
    AnalysisFailure,
    AnalysisRequest,
    Analyst,
    Part,
)
from gonzaga_table.web.clients.limits import LimitError
from gonzaga_table.web.clients.password import is_lobby
from gonzaga_table.web.workshop import process, queue
from gonzaga_table.web.workshop.queue import Workshop

from gonzaga_env.core import Engine
from gonzaga_env.core.records import Record, replay
from tests.core.test_records import record_games
from tests.table.web.conftest import DAY, Server, error_of, play_on

WAIT = 60.0  # seconds that a loaded machine may take


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return record_games(Engine(3, 2, seed=1), 3)


def add(server: Server, record: Record) -> str:
    """Uploads a record, and returns its id."""
    answer = server.client.post("/api/games", json={"text": json.dumps(record)})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def keep(server: Server, record: Record) -> str:
    """Keeps a record without a check, which takes a process."""
    game = record_digest(record)
    assert server.rooms.archive.add(game, json.dumps(record), "somebody") is None
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
    monkeypatch.setattr(routes, "record_digest", None)
    assert analysed(server, game, "greedy", "random") == found  # from what is kept as bytes
    monkeypatch.undo()
    server.restart()
    kept = server.client.get(f"/api/games/{game}/analysis?agent=greedy").json()
    assert kept["done"]  # without computing anything
    assert kept["opinions"] == found["opinions"][:1]


def test_opinions_say_and_draw_what_was_better(server, records) -> None:
    analyst = Analyst(server.rooms.editions)
    part = analyst.ask(AnalysisRequest("a", json.dumps(records[0]), "search@4"))
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
    line, analyst = json.dumps(records[0]), Analyst(server.rooms.editions)
    failed = analyst.ask(AnalysisRequest("a", line, "nobody"))
    assert isinstance(failed, AnalysisFailure)
    assert "there is no agent 'nobody'" in failed.text
    assert isinstance(analyst.ask(AnalysisRequest("a", line, CURVE)), Part)


def test_an_analysis_that_takes_too_much_memory_fails_alone(server, records, mine) -> None:
    line = json.dumps(records[0])
    with closing(analyst_apart(server.editions)) as apart:
        failed = apart.ask(AnalysisRequest("a", line, mine("Hog")), PART_SECONDS)
        assert isinstance(failed, AnalysisFailure)
        assert "memory" in failed.text.lower()
        assert isinstance(apart.ask(AnalysisRequest("a", line, CURVE), PART_SECONDS), Part)


def test_clients_take_turns_at_analyses(server, monkeypatch) -> None:
    """However many analyses a client wants: `next` is asked as the loop does."""
    queue = Analyses(server.rooms.archive, {}, apart=False)
    monkeypatch.setattr(queue, "_task", SimpleNamespace(done=lambda: False, cancel=lambda: None))
    for digest, client in (("a", "one"), ("b", "one"), ("c", "one"), ("d", "two")):
        queue.find(AnalysisRequest(digest, "", "greedy"), client)
    turns = [queue._next() for _ in range(6)]
    assert [turn and turn[0] for turn in turns] == ["a", "d", "b", "d", "c", "d"]
    for digest in "efghi":
        queue.find(AnalysisRequest(digest, "", "greedy"), "two")
    with pytest.raises(LimitError):
        queue.find(AnalysisRequest("j", "", "greedy"), "two")
    queue.close()


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


def test_records_have_a_limit_and_old_ones_make_room(server, records, clock, monkeypatch) -> None:
    monkeypatch.setattr(archive, "_SHARES", ((2, "", "this server holds {} records"),))
    first = keep(server, records[0])
    clock.go_on(1)
    keep(server, records[1])
    full = server.client.post("/api/games", json={"text": json.dumps(records[2])})
    assert (full.status_code, full.json()["error"]["code"]) == (429, "too_many")
    clock.go_on(7200)
    clock.now += 31 * DAY  # for a while: it deletes nothing
    assert server.rooms.archive.add("another", json.dumps(records[2]), "somebody") is not None
    clock.now -= 31 * DAY
    clock.go_on(25 * 3600)
    keep(server, records[2])
    assert server.client.get(f"/api/games/{first}").status_code == 404


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


def requests_to_play_on(server: Server, record: Record) -> dict[str, dict[str, Any]]:
    """Returns requests that open a table amid a game, by their paths."""
    number, players = len(record["moves"]) - 1, record["num_players"]
    played_on = {"move": number, "seat": 0, "agents": ["greedy"] * players, "name": "Ann"}
    return {
        f"/api/games/{keep(server, record)}/tables": played_on,
        "/api/tables": {"puzzle": next(iter(shipped())), "name": "Ann"},
    }


def test_whoever_may_open_no_table_makes_the_server_play_no_moves(
    server, records, monkeypatch
) -> None:
    """0.11 replayed 20 to 30 ms of game for every refused request."""
    asked = requests_to_play_on(server, records[0])
    while server.ask().status_code == 201:
        pass
    worked: list[Any] = []
    monkeypatch.setattr(GameSession, "from_record", lambda *given: worked.append(given))
    monkeypatch.setattr(Workshop, "_do", lambda self, job: worked.append(job))
    for path, content in asked.items():
        answer = server.client.post(path, json=content)
        assert error_of(answer) == (429, "too_many"), path
    assert worked == []


def test_games_are_played_on_apart_and_at_the_cost_of_their_client(
    server, records, monkeypatch
) -> None:
    asked = requests_to_play_on(server, records[0])
    jobs: list[process.Job] = []

    def do(self: Workshop, job: process.Job) -> process.Reply:
        jobs.append(job)
        return process.answer(job, server.rooms.editions)

    monkeypatch.setattr(Workshop, "_do", do)
    for path, content in asked.items():
        answer = server.client.post(path, json=content)
        assert answer.status_code == 201, answer.text
        room = server.rooms.get(answer.json()["table"], "somebody")
        assert room.session.config.edition is server.rooms.editions["europe"]
        assert room.session.num_moves >= room.session.num_opened > 0
    assert [job.task for job in jobs] == [process.BEGIN] * 2
    monkeypatch.setattr(queue, "_WORK_BURST", 0.0)  # for workshops to come: all is used up
    server.restart()
    for path, content in requests_to_play_on(server, records[0]).items():
        answer = server.client.post(path, json=content)
        assert (answer.status_code, len(jobs)) == (429, 2), path
        assert "too much work" in answer.json()["error"]["message"]


def test_the_password_guards_what_costs_the_server_much() -> None:
    assert is_lobby("/api/games")
    assert is_lobby("/api/games/x/tables")
    assert not any(is_lobby(f"/api/games/x{path}") for path in ("", "/analysis", "/drawn"))
