"""The Castles of Tuscany at a table over HTTP: games shown as blocks of drawings."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_table.session import GameSession, human
from gonzaga_table.web.picture import blocks_json
from gonzaga_table.web.rooms.room import Room, hash_token
from httpx2 import Response

from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.tuscany import pictures
from gonzaga_env.tabletop.errors import GameError
from gonzaga_env.tuscany import Game, GameConfig
from gonzaga_env.tuscany.constants import KINDS
from gonzaga_env.tuscany.records import replay
from tests.table.web.conftest import Clock, Person, Server, choices, play_on

EDITION = "tuscany/reconstruction"
FEW_LAPS = {"max_laps": 2}
LOOKS = 0, 1, 3, 13, 27  # moves before which what is hidden is changed
PLACED = {"take", "draw", "bonus", "tile", "hexagon", "remove", "marble"}  # verbs with a place


@pytest.fixture
def server(clock: Clock, tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "tables.sqlite", clock)
    server.editions[EDITION] = GameConfig(2).edition
    with server.running():
        yield server


def open_table(server: Server, *seats: str, **more: Any) -> tuple[str, dict[int, Person]]:
    return server.open([*seats], edition=EDITION, **{"rules": FEW_LAPS, **more})


def test_options_list_the_games_with_their_own_agents_and_rules(server: Server) -> None:
    options = server.client.get("/api/options").json()
    assert {edition["id"]: edition["game"] for edition in options["editions"]} == {
        "europe": "gonzaga",
        EDITION: "tuscany",
    }
    gonzaga, tuscany = options["games"]
    assert (tuscany["name"], tuscany["title"]) == ("tuscany", "The Castles of Tuscany")
    assert {"random", "greedy", "planner"} <= set(tuscany["agents"]) <= set(options["agents"])
    assert tuscany["rules"]["draw_base"] == [2, 3]
    assert tuscany["rules"]["max_laps"] == []  # any number
    assert tuscany["presets"]["online"]["round_end"] == "lap"
    assert tuscany["presets"]["rulebook"] == tuscany["default_rules"]
    assert gonzaga["presets"] == {}
    assert tuscany["rules_words"]["draw_base"] == "region cards that the action draws, 2 or 3."
    assert gonzaga["default_rules"] == options["default_rules"]
    assert "Most red wins" in tuscany["summary"]


def test_a_game_against_agents_is_played_to_its_record(
    server: Server, rng: np.random.Generator
) -> None:
    table, people = open_table(server, "greedy", "human", "random", names=["", "Ann", ""])
    turns: list[dict[str, Any]] = []

    def check(position: dict[str, Any]) -> None:
        session = server.rooms.get(table, "testclient").session
        if position["turn"] and session.num_moves == position["moves"]:
            turns.append(position["turn"])
            assert choices(turns[-1]) == np.flatnonzero(session.question()[1]).tolist()

    end = play_on(people, rng, seen=check)
    assert (end["over"], end["turn"], end["game"]) == (True, None, "tuscany")
    frame = people[1].look()["frames"][0]
    assert frame["stage"] == "Over after 2 laps (cut off)"
    assert frame["totals"] == [dict(tally)["red"] for tally in frame["tallies"]]
    for turn in turns:
        found = {action for spot in turn["spots"] for action in spot["actions"]}
        verbs = {choice["action"]: choice["text"].split()[0] for choice in turn["choices"]}
        assert found <= set(verbs)
        assert {action for action, verb in verbs.items() if verb in PLACED} <= found
    answer = Person(server.client, table).get("/record")
    assert f'filename="tuscany-{table}.jsonl"' in answer.headers["content-disposition"]
    record = json.loads(answer.text)
    assert replay(record).truncated
    assert record["agents"] == ["greedy", "Ann", "random"]

    listed = server.client.post("/api/records", json={"text": answer.text}).json()["games"]
    scores = ", ".join(
        f"{name} {red}"
        for name, red in zip(record["agents"], record["scores"]["total"], strict=True)
    )
    assert listed[0]["title"] == f"The Castles of Tuscany, 3 players: {scores}"
    page = server.client.post("/api/records", json={"text": answer.text, "game": 1}).json()["page"]
    assert f"<title>The Castles of Tuscany: 3 players: {scores}" in page


def test_changes_of_blocks_add_up_to_the_position(server: Server, rng: np.random.Generator) -> None:
    table, people = open_table(server, "human", "human")
    watching, drawn, left_out = [*people.values(), Person(server.client, table)], {}, 0
    for _ in range(12):
        for viewer, person in enumerate(watching):
            now = person.look()
            (change,) = person.look(since=now["moves"])["frames"]
            for block in change["blocks"]:
                left_out += "svg" not in block
                if "svg" in block:
                    drawn[viewer, block["name"], block["seat"]] = block
            whole = now["frames"][0]["blocks"]
            assert whole == [drawn[viewer, block["name"], block["seat"]] for block in whole]
        play_on(people, rng, 1)
    assert left_out > 12 * 3  # most stay the same


def test_a_game_without_blocks_shows_its_whole_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "PICTURES", replace(pictures.PICTURES, blocks=None))
    game = Game(2, seed=1)
    (block,) = json.loads(blocks_json(game.config.edition, None, game.view(0), LIGHT))
    assert (block["name"], block["seat"], block["svg"][:8]) == ("board", None, "<polygon")


def test_a_layout_is_previewed_for_the_seat_to_act_alone(server: Server) -> None:
    table, people = open_table(server, "human", "human")
    acting = next(p for p in people.values() if p.look()["turn"])
    other = next(p for p in people.values() if p is not acting)
    turn = acting.look()["turn"]
    assert turn["previewed"]
    action = turn["choices"][5]["action"]
    (region,) = [b for b in acting.get("/preview", action=action).json() if "svg" in b]
    assert (region["name"], "L1" in region["svg"]) == ("region", True)
    assert acting.get("/preview", action=263).json() == []  # not a choice now
    for person in (other, Person(server.client, table)):
        assert person.get("/preview", action=action).status_code == 403
    assert acting.get("/preview", action="x").status_code == 400
    assert acting.look()["moves"] == 0


def test_a_restart_restores_a_table_in_mid_game(server: Server, rng: np.random.Generator) -> None:
    _, people = open_table(server, "human", "human")
    play_on(people, rng, 9)
    before = [person.look(since=0) for person in people.values()]
    server.stop()
    client = server.start()
    for person in people.values():
        person.client = client
    assert [person.look(since=0) for person in people.values()] == before
    assert play_on(people, rng)["over"]


BAD_TABLES: list[tuple[dict[str, Any], str]] = [
    ({"scenario": "Colombo"}, "scenario is 'Colombo'; The Castles of Tuscany has none"),
    ({"rules": {"max_laps": 0}}, "max_laps is 0; it takes 1 to 200"),
    ({"rules": {"sea_league": "first_only"}}, "rules hold 'sea_league'"),
    ({"num_players": 5}, "num_players is 5"),
]


@pytest.mark.parametrize(("wrong", "message"), BAD_TABLES)
def test_tables_that_cannot_be_are_refused(
    server: Server, wrong: dict[str, Any], message: str
) -> None:
    right = {"edition": EDITION, "num_players": 2, "seats": ["human", "greedy"]}
    answer = server.client.post("/api/tables", json=right | wrong)
    assert answer.status_code == 400
    assert message in answer.json()["error"]["message"]


class Started(GameSession):
    """A table whose game begins with a position."""

    def __init__(self, game: Game) -> None:
        self._start = game
        super().__init__(game.config, [human("Ann"), human("Bob")], 0)

    def _deal(self) -> Game:
        return self._start.copy()


def answers(server: Server, game: Game, *viewers: str) -> dict[str, list[bytes]]:
    """Returns all that seats and the public can make the server say about a position."""
    hashes = {seat: hash_token(str(seat)) for seat in range(2)}
    server.rooms._rooms["t"] = Room("t", Started(game), hashes, 0.0)
    found = {}
    for viewer in viewers:
        person = Person(server.client, "t", None if viewer == "public" else viewer)
        asked: list[Response] = [person.get(), person.get(since=0, theme="dark")]
        asked += [person.get("/record"), person.get("/preview", action=7)]
        asked.append(person.move(move=0, action=264))
        if (asked[0].json()["turn"] or {}).get("kind") == "main":
            asked.append(person.get("/hint", agent="greedy"))
        found[viewer] = [answer.content for answer in asked]
    return found


def test_what_is_hidden_changes_no_answer(server: Server, rng: np.random.Generator) -> None:
    """Positions, and others that a seat cannot tell from them: hands, boards and orders differ."""
    game, kinds = Game(2, seed=3), set()
    for number in range(28):
        if number in LOOKS:
            real = answers(server, game, "0", "1", "public")
            for seat in range(2):
                hidden = game.resampled(seat, rng)
                assert hidden.state != game.state
                for viewer, told in answers(server, hidden, str(seat), "public").items():
                    assert told == real[viewer], (number, viewer)
            kinds.add(KINDS[game.kind])
        game.play(game.sample_legal(rng))
    assert {"layout", "starting castle", "main"} <= kinds


def test_a_saved_table_says_its_game() -> None:
    table = GameSession(GameConfig(2, rules=FEW_LAPS), [human("Ann"), human("Bob")], 5)
    saved = json.loads(json.dumps(table.as_dict()))
    assert GameSession.from_dict(saved).as_dict() == saved
    for wrong in ({"game": "gonzaga"}, {"game": "chess"}, {"game": None}):
        with pytest.raises(GameError, match="damaged"):
            GameSession.from_dict(saved | wrong)
