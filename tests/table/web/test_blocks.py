"""The Castles of Tuscany and Signorie at a table over HTTP: games shown as blocks of drawings."""

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from gonzaga_table import signorie as parts_of_signorie
from gonzaga_table import tuscany as parts_of_tuscany
from gonzaga_table.choices import Deciding, TableSpec
from gonzaga_table.session import GameSession, human
from gonzaga_table.specs import turn_of
from gonzaga_table.terminal import deciding
from gonzaga_table.web import positions
from gonzaga_table.web.app import playable_games
from gonzaga_table.web.positions import blocks_json, board_json, frame_json, turn_json
from gonzaga_table.web.room import Room, hash_token
from gonzaga_table.web.rules.pictures import SIGNORIE, TUSCANY

import gonzaga_env
from gonzaga_env import games
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.errors import GameError
from gonzaga_env.render.palette import DARK, LIGHT
from gonzaga_env.tuscany import GameConfig
from gonzaga_env.tuscany.spec import replay
from tests.kernel.small_games import AUCTION, PENNIES, RACE
from tests.table.web.asking import play_out
from tests.table.web.conftest import EDITIONS, Person, Server, choices, play_on

WITHOUT_PLACE = {"pass", "stop", "end", "layout"}  # verbs that only a button stands for
FEW_LAPS = {"max_laps": 2}
PLACED = {"take", "draw", "bonus", "tile", "hexagon", "remove", "marble"}  # verbs with a place


def open_table(server: Server, *seats: str, **more: Any) -> tuple[str, dict[int, Person]]:
    return server.open(seats, edition=EDITIONS["tuscany"], **{"rules": FEW_LAPS, **more})


def test_options_list_the_games_with_their_own_agents_and_rules(server) -> None:
    options = server.client.get("/api/options").json()
    assert {edition["game"]: edition["id"] for edition in reversed(options["editions"])} == EDITIONS
    gonzaga, tuscany, signorie = options["games"]
    told = {kind: advice["text"] for kind, advice in signorie["advice"].items()}
    assert [gonzaga["advice"], told] == [{}, parts_of_signorie.TABLE.advice]
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


def test_a_game_against_agents_is_played_to_its_record(server, rng) -> None:
    table, people = open_table(server, "greedy", "human", "random", names=["", "Ann", ""])
    turns: list[dict[str, Any]] = []

    def check(position: dict[str, Any]) -> None:
        session = server.rooms.get(table).session
        if position["turn"] and session.num_moves == position["moves"]:
            turns.append(position["turn"])
            assert choices(turns[-1]) == np.flatnonzero(session.question()[1]).tolist()

    end = play_on(people, rng, seen=check)
    assert (end["over"], end["turn"], end["game"]) == (True, None, "tuscany")
    frame = people[1].look()["frames"][0]
    assert frame["stage"]["text"] == "Over after 2 laps (cut off)"
    assert frame["totals"] == [dict(tally)["red"] for tally in frame["tallies"]]
    for turn in turns:
        found = {action for spot in turn["spots"] for action in spot["actions"]}
        verbs = {choice["action"]: choice["text"].split()[0] for choice in turn["choices"]}
        assert found <= set(verbs)
        assert {action for action, verb in verbs.items() if verb in PLACED} <= found
    answer = server.public(table).get("/record")
    assert answer.headers["content-type"] == "application/x-ndjson"
    sent_as = answer.headers["content-disposition"]
    assert sent_as == f'attachment; filename="tuscany-{table}.jsonl"'
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


def test_changes_of_blocks_add_up_to_the_position(server, rng) -> None:
    table, people = open_table(server, "human", "human")
    watching, drawn, left_out = [*people.values(), server.public(table)], {}, 0
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


def test_a_game_without_blocks_shows_its_whole_picture() -> None:
    game = gonzaga_env.Game(2, seed=1)
    (block,) = json.loads(blocks_json(game.config.edition, None, game.view(0), LIGHT))
    assert (block["name"], block["seat"], block["svg"][:8]) == ("board", None, "<polygon")


def test_a_layout_is_previewed_for_the_seat_to_act_alone(server) -> None:
    table, people = open_table(server, "human", "human")
    acting = next(p for p in people.values() if p.look()["turn"])
    other = next(p for p in people.values() if p is not acting)
    turn = acting.look()["turn"]
    assert turn["previewed"]
    assert set(turn["shown"]) == {"A", "B", "C"}
    assert {shown["seat"] for shown in turn["shown"].values()} == {acting.look()["seat"]}
    action = turn["choices"][5]["action"]
    (region,) = [b for b in acting.get("/preview", action=action).json() if "svg" in b]
    assert (region["name"], "L1" in region["svg"]) == ("region", True)
    assert acting.get("/preview", action=263).json() == []  # not a choice now
    for person in (other, server.public(table)):
        assert person.get("/preview", action=action).status_code == 403
    assert acting.get("/preview", action="x").status_code == 400
    assert acting.look()["moves"] == 0


def test_a_saved_table_says_its_game() -> None:
    table = GameSession(GameConfig(2, rules=FEW_LAPS), [human("Ann"), human("Bob")], 5)
    saved = json.loads(json.dumps(table.as_dict()))
    assert GameSession.from_dict(saved).as_dict() == saved
    for wrong in ({"game": "gonzaga"}, {"game": "chess"}, {"game": None}):
        with pytest.raises(GameError, match="damaged"):
            GameSession.from_dict(saved | wrong)


class Started(GameSession):
    """A table whose game begins with a position."""

    def __init__(self, game: Any) -> None:
        self._start = game
        super().__init__(game.config, [human("Ann"), human("Bob")], 0)

    def _deal(self) -> Any:
        return self._start.copy()


def answers(server: Server, game: Any, viewers: Iterable[str]) -> dict[str, list[bytes]]:
    """Returns all that seats and the public can make the server say about a position."""
    hashes = {seat: hash_token(str(seat)) for seat in range(2)}
    server.rooms._rooms["t"] = Room("t", Started(game), hashes, 0.0)
    found = {}
    for viewer in viewers:
        person = Person(server, "t", None if viewer == "public" else viewer)
        asked = [person.get(), person.get(since=0, theme="dark")]
        asked += [person.get("/record"), person.get("/preview", action=7)]
        asked.append(person.move(move=0, action=264))
        if (asked[0].json()["turn"] or {}).get("kind") == "main":
            asked.append(person.get("/hint", agent="greedy"))
        found[viewer] = [answer.content for answer in asked]
    return found


@pytest.mark.parametrize(
    ("name", "seed", "looks"),
    [("tuscany", 3, (0, 1, 3, 13, 27)), ("signorie", 4, (0, 1, 7, 19, 60))],
)
def test_what_is_hidden_changes_no_answer(server, rng, name, seed, looks) -> None:
    """Positions, and others that a seat cannot tell from them: hands, boards and decks differ.

    In Signorie nobody has secrets (S13.1), so that the other seat cannot tell them apart either.
    """
    game, everybody = game_spec(name).game(2, seed=seed), ("0", "1", "public")
    for number in range(max(looks) + 1):
        if number in looks:
            real = answers(server, game, everybody)
            for seat in range(2):
                hidden = game.resampled(seat, rng)
                assert hidden.state != game.state
                viewers = everybody if name == "signorie" else (str(seat), "public")
                for viewer, told in answers(server, hidden, viewers).items():
                    assert told == real[viewer], (number, viewer)
        game.play(game.sample_legal(rng))


def test_a_game_is_played_and_all_sees_the_same(server, rng) -> None:
    """S13.1: nobody has secrets."""
    table, people = server.open(edition=EDITIONS["signorie"], names=["Ada", "Bo"])
    public, drawn = server.public(table), set()
    for _ in range(4):
        play_on(people, rng, 9)
        frames = [person.look()["frames"][-1] for person in (*people.values(), public)]
        assert len({json.dumps(frame["blocks"]) for frame in frames}) == 1
        drawn |= {block["name"] for block in frames[0]["blocks"] if all(block["lines"])}
    assert drawn == {"dice and assignments", "cities", "initiative", "rewards", "board"}


@pytest.mark.parametrize(
    ("beginning", "kinds"),
    [
        (TUSCANY, {"payment", "castle", "city", "marble"}),
        (SIGNORIE, {"track", "wed", "helper", "spend", "marriage"}),
    ],
)
def test_all_that_is_drawn_and_can_be_chosen_has_a_place(beginning, kinds, rng) -> None:
    spec, met = game_spec(beginning.game), set()
    game = spec.game.from_config(spec.config(num_players=2), beginning.seed)
    moves = [game.actions.parse(text.strip()) for text in beginning.moves.split(";")]
    while not game.finished:
        turn = turn_of(game)
        seen = json.loads(turn_json(turn, game.edition, game.view(game.seat)))
        found = {action for spot in seen["spots"] for action in spot["actions"]}
        legal = {choice.action: choice.text.split()[0] for choice in turn.choices}
        assert found <= legal.keys()
        assert {legal[action] for action in legal.keys() - found} <= WITHOUT_PLACE, turn.kind
        met.add(turn.kind)
        game.play(moves.pop(0) if moves else game.sample_legal(rng))
    assert met >= kinds


def test_helpers_that_can_only_help_are_used_without_a_question(rng) -> None:
    """Those of a mission or a marriage are asked for; other decisions have no obvious answer."""
    met = set()
    for seed in range(6):
        game = game_spec("signorie").game(2, seed=seed)
        while not game.finished:
            turn, view = turn_of(game), game.view(game.seat)
            texts = {choice.action: choice.text for choice in turn.choices}
            if turn.kind == "helper":
                _, color, slot = view.effect.split()
                (column,) = (one for one in view.colors if one.name == color)
                effect = column.helpers[int(slot) - 1][1]
                asked = effect in ("a mission", "a marriage")
                assert texts.get(turn.obvious) == (None if asked else "use"), effect
                met.add(asked)
                assert turn.continues
            else:
                assert turn.obvious is None
            game.play(game.sample_legal(rng))
    assert met == {True, False}


def test_a_card_stands_for_the_payments_with_it() -> None:
    """T6.2: own cards, pairs of another colour, workers."""
    game = TUSCANY.played
    turn = turn_of(game)
    seen = json.loads(turn_json(turn, game.edition, game.view(game.seat)))
    texts = {choice.action: choice.text for choice in turn.choices}
    places = [{texts[a] for a in spot["actions"]} for spot in seen["spots"]]
    assert {"pay own+II", "pay own+MM", "pay own+worker"} <= {*texts.values()}
    holding = [place for place in places if "pay own+II" in place]
    assert len(holding) == 2  # the card of a wagon, and that of an inn
    assert any(all("II" in text for text in place) for place in holding)
    assert any(all("worker" in text for text in place) for place in places)


def test_lines_say_what_the_blocks_show() -> None:
    game = game_spec("tuscany").game(num_players=2, seed=2)
    blocks = json.loads(blocks_json(game.edition, None, game.view(0), LIGHT))
    lines = {(block["name"], block["seat"]): block["lines"] for block in blocks}
    hand = game.view(0).players[0].hand
    assert sum(int(word) for word in lines["holdings", 0][0].split() if word.isdigit()) == len(hand)
    assert lines["holdings", 1][0] == "hand 5"  # hidden
    assert lines["region", 1] == ["boards hidden", "covered: nothing"]


@pytest.mark.parametrize("name", ["tuscany", "signorie"])
def test_each_kind_of_decision_has_its_advice(name) -> None:
    parts = {"tuscany": parts_of_tuscany, "signorie": parts_of_signorie}[name]
    assert parts.TABLE.advice.keys() == {*game_spec(name).kinds}


# What any game must have to be played at the table


def test_all_games_can_be_played() -> None:
    assert playable_games() == list(game_names())


@pytest.mark.parametrize("name", game_names())
def test_a_game_is_shown_asked_for_and_scored(monkeypatch, name) -> None:
    """Gonzaga without its own page and choices, as a game of another package has none."""
    monkeypatch.setattr(positions, "GAME_PAGES", {})
    monkeypatch.setattr("gonzaga_table.specs.table_spec", lambda game: TableSpec())
    rng, spec = np.random.default_rng(0), game_spec(name)
    config = spec.config(num_players=2)
    table = GameSession(config, [human("Ann"), human("Bob")], 1)
    places = {(b["name"], b["seat"]) for b in _frame(table, 0)["blocks"]}
    for _ in range(25):
        seat = table.to_act
        turn = table.turn(seat)
        assert isinstance(turn, Deciding)
        sent = json.loads(turn_json(turn, config.edition, table.view(seat)))
        for spot in sent["spots"]:
            assert (spot["block"], spot["seat"]) in places
            assert set(spot["actions"]) <= {choice.action for choice in turn.choices}
        choice = turn.choices[rng.integers(len(turn.choices))]
        assert deciding.read(choice.text, turn, deciding.listed(turn)) == choice
        table.play(seat, table.num_moves, choice.action)
    play_out(table, rng)
    end, said = _frame(table, "public"), json.loads(board_json(config.edition, None, DARK))
    first, last = said["counted"]
    for player, total in zip(end["view"]["players"], end["totals"], strict=True):
        assert sum(player["scores"][first:last]) == total
        assert len(player["scores"]) == len(said["sources"])
    spec.records.replay(table.record())


@pytest.mark.parametrize("spec", [AUCTION, PENNIES, RACE], ids=lambda spec: spec.name)
def test_a_game_without_parts_is_shown_in_words(monkeypatch, spec) -> None:
    monkeypatch.setattr(games, "_ADDED", {spec.name: spec})
    table = GameSession(spec.config(num_players=3), [human(name) for name in "ABC"], 1)
    while not table.over:
        (block,) = _frame(table, 0)["blocks"]
        assert block["lines"][0] == spec.title
        assert block["lines"][1].startswith(f"Now: round {table.view('public').round}, ")
        seats = table.deciding
        assert len(seats) == (3 if spec.sealed else 1)
        for seat in reversed(seats):  # those that the engine asks later decide first
            turn = table.turn(seat)
            assert isinstance(turn, Deciding)
            assert json.loads(turn_json(turn, table.config.edition, table.view(seat)))["choices"]
            table.play(seat, table.num_moves, turn.choices[-1].action)
        assert not table.sealed
    assert any(player["won"] for player in _frame(table, "public")["view"]["players"])
    spec.records.replay(table.record())


def _frame(table: GameSession, viewer: int | str) -> dict:
    (frame,) = table.frames(viewer)  # type: ignore[arg-type]
    return json.loads(frame_json(table.config.edition, frame, DARK))
