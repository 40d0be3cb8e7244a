"""Records over HTTP: lists, games move by move, and texts that are no records."""

import json
import threading
from typing import Any

import numpy as np
import pytest
from gonzaga_table.session import MAX_NAME, GameSession, human
from gonzaga_table.web import finished
from gonzaga_table.web.finished import MAX_TEXT
from gonzaga_table.web.protocol import as_object

from gonzaga_env.core import Engine
from gonzaga_env.games import game_spec, record_frames
from gonzaga_env.kernel.messages import shown_name
from gonzaga_env.kernel.records import Record
from gonzaga_env.show.page import page
from tests.core.test_records import record_games
from tests.table.web.asking import play_out, running
from tests.table.web.conftest import EDITIONS, OFFERED, Server


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return record_games(Engine(2, 3, seed=1), 2)


def read(server: Server, text: Any, **more: Any) -> Any:
    return server.client.post("/api/records", json={"text": text, **more})


def lines(records: list[Record]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def test_a_file_lists_its_games_and_its_faults(server, records) -> None:
    text = lines(records[:1]) + '\nno json\n{"format": 1}\n[1]\n' + lines(records[1:])
    games = read(server, text).json()["games"]
    assert [game["line"] for game in games] == [1, 3, 4, 5, 6]
    assert [game["error"] is None for game in games] == [True, False, False, False, True]
    players = zip(records[0]["agents"], records[0]["scores"]["total"], strict=True)
    scores = ", ".join(f"{shown_name(name)} {score}" for name, score in players)
    assert games[0]["title"] == f"{records[0]['scenario']}, 3 players: {scores}"


def test_a_game_is_the_page_that_show_writes(server, records) -> None:
    text = lines(records)
    title = read(server, text).json()["games"][1]["title"]
    shown = page(server.rooms.editions["europe"], list(record_frames(records[1])), title)
    assert read(server, text, game=2).json() == {"page": shown}


def changed(record: Record, **fields: Any) -> str:
    return json.dumps({**record, **fields})


def test_false_records_are_refused_with_their_reason(server, records) -> None:
    record = records[0]
    false = [
        (changed(record, edition_hash="0"), "is not on offer"),
        (changed(record, edition="/etc", edition_hash=None), "is not on offer"),
        (changed(record, moves=record["moves"][:9]), "the game is not over after 9 moves"),
        (changed(record, decks=[[10**30] * 12] * 3), "decks"),
        (changed(record, agents=[["a", "b", "c"]]), "names"),
        (changed(record, moves=None), "field"),
        ("7", "a record is a JSON object"),
        ("[" * 100_000, "nested too deeply"),
    ]
    for text, why in false:
        answer = read(server, text, game=1)
        assert answer.status_code == 400, text[:80]
        assert answer.json()["error"]["code"] == "malformed"
        assert why in answer.json()["error"]["message"], why


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"text": 1}, "text is 1"),
        ({}, "text is None"),
        ({"text": "", "game": 1}, "game is 1; the text has 1 to 0"),
        ({"text": "x", "game": "1"}, "game is '1'"),
        ({"text": "x", "game": 0}, "game is 0"),
    ],
)
def test_malformed_requests_are_refused(server, content, message) -> None:
    answer = server.client.post("/api/records", json=content)
    assert answer.status_code == 400
    assert message in answer.json()["error"]["message"]


def test_long_files_are_refused_or_cut(server) -> None:
    assert read(server, "x" * (256 * 1024)).status_code == 413
    assert len(read(server, "{}\n" * 2000).json()["games"]) == 500


@pytest.mark.parametrize("game", EDITIONS)
def test_the_longest_records_fit(server, game) -> None:
    """Of four players, with names of three bytes a letter, in the quotes of a request."""
    seats = [human("\u4e00" * MAX_NAME)] * 4
    config = game_spec(game).config(num_players=4, edition=OFFERED[EDITIONS[game]])
    for seed in range(2):
        table = GameSession(config, seats, seed)
        play_out(table, np.random.default_rng(seed))
        line = json.dumps(table.record())
        assert len(json.dumps({"text": line})) < MAX_TEXT / 4
        answer = server.client.post("/api/games", json={"text": line})
        assert answer.status_code == 201, answer.text


def test_names_that_no_players_have_are_refused(server, records) -> None:
    """Telling them apart took time that grew with the cube of their number."""
    for agents in (["a"] * 20_000, ["a"] * 5, [], "abc", None, {"a": 1}):
        line = changed(records[0], agents=agents, scores={"total": [0] * 9})
        (game,) = read(server, line).json()["games"]
        assert game["error"] is not None
        assert "agents" in game["error"]


@pytest.mark.anyio
async def test_the_server_answers_while_it_parses_records(monkeypatch) -> None:
    """With 4 MiB of short lists it stood still for 1.8 s."""
    threads = set()

    def parsed(body: bytes) -> Any:
        threads.add(threading.current_thread())
        return as_object(body)

    monkeypatch.setattr(finished, "as_object", parsed)
    with running() as site:
        for path, status in (("/api/records", 200), ("/api/games", 400)):
            assert (await site.ask(path, body={"text": "", "a": [[]] * 60_000}))[0] == status
            assert (await site.ask(path, body={"text": "", "a": [[]] * 100_000}))[0] == 413
    assert threads
    assert threading.current_thread() not in threads
