"""Signorie at a table over HTTP: places that can be chosen, lines for all, and nothing to leak."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_table import signorie, tuscany
from gonzaga_table.choices import turn_of
from gonzaga_table.web.picture import blocks_json, turn_json
from gonzaga_table.web.rules import signorie as rules_of_signorie
from gonzaga_table.web.rules import tuscany as rules_of_tuscany
from gonzaga_table.web.rules.blocks import PlayedGame, played

from gonzaga_env.games import game_spec
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.signorie import Game, GameConfig
from tests.table.web.conftest import Clock, Person, Server, play_on
from tests.table.web.test_tuscany import answers

EDITION = "signorie/reconstruction"
LOOKS = 0, 1, 7, 19, 60, 110  # moves before which what is hidden is changed
WITHOUT_PLACE = {"pass", "stop", "end", "layout"}  # verbs that only a button stands for


@pytest.fixture
def server(clock: Clock, tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "tables.sqlite", clock)
    server.editions[EDITION] = GameConfig(2).edition
    with server.running():
        yield server


def test_a_game_is_played_and_all_sees_the_same(server: Server, rng: np.random.Generator) -> None:
    """S13.1: nobody has secrets."""
    table, people = server.open(["human", "human"], edition=EDITION, names=["Ada", "Bo"])
    public, drawn = Person(server.client, table), set()
    for _ in range(4):
        play_on(people, rng, 9)
        frames = [person.look()["frames"][-1] for person in (*people.values(), public)]
        assert len({json.dumps(frame["blocks"]) for frame in frames}) == 1
        drawn |= {block["name"] for block in frames[0]["blocks"] if all(block["lines"])}
    assert drawn == {"dice and assignments", "cities", "initiative", "rewards", "board"}


def test_what_is_hidden_changes_no_answer(server: Server, rng: np.random.Generator) -> None:
    """Positions and others that differ in what nobody knows: the deck, and face-down tiles."""
    game, looked = Game(2, seed=4), 0
    for number in range(max(LOOKS) + 1):
        if game.finished:
            break
        if number in LOOKS:
            real = answers(server, game, "0", "1", "public")
            for seat in range(2):
                hidden = game.resampled(seat, rng)
                assert hidden.state != game.state
                told = answers(server, hidden, "0", "1", "public")
                assert told == real, number
            looked += 1
        game.play(game.sample_legal(rng))
    assert looked >= 5


@pytest.mark.parametrize(
    ("beginning", "kinds"),
    [
        (rules_of_tuscany.GAME, {"payment", "castle", "city", "marble"}),
        (rules_of_signorie.GAME, {"track", "wed", "helper", "spend", "marriage"}),
    ],
)
def test_all_that_is_drawn_and_can_be_chosen_has_a_place(
    beginning: PlayedGame, kinds: set[str], rng: np.random.Generator
) -> None:
    spec, met = game_spec(beginning.game), set()
    game = spec.game.from_config(spec.config(num_players=2), beginning.seed)
    moves = [game.actions.parse(text.strip()) for text in beginning.moves]
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


def test_a_card_stands_for_the_payments_with_it() -> None:
    """T6.2: own cards, pairs of another colour, workers."""
    game = played(rules_of_tuscany.GAME)
    turn = turn_of(game)
    seen = json.loads(turn_json(turn, game.edition, game.view(game.seat)))
    texts = {choice.action: choice.text for choice in turn.choices}
    places = [{texts[a] for a in spot["actions"]} for spot in seen["spots"]]
    assert {"pay own+II", "pay own+MM", "pay own+worker"} <= {*texts.values()}
    holding = [place for place in places if "pay own+II" in place]
    assert len(holding) == 2  # the card of a wagon, and that of an inn
    assert any(all("II" in text for text in place) for place in holding)
    assert any(all("worker" in text for text in place) for place in places)


@pytest.mark.parametrize(("name", "texts"), [("tuscany", tuscany), ("signorie", signorie)])
def test_each_kind_of_decision_has_its_advice(server: Server, name: str, texts: Any) -> None:
    assert texts.TABLE.advice.keys() == {*game_spec(name).kinds}
    games = server.client.get("/api/options").json()["games"]
    told = {game["name"]: game["advice"] for game in games}
    assert told["gonzaga"] == {}
    assert told["signorie"] == signorie.TABLE.advice


def test_lines_say_what_the_blocks_show() -> None:
    game = game_spec("tuscany").game(num_players=2, seed=2)
    blocks = json.loads(blocks_json(game.edition, None, game.view(0), LIGHT))
    lines = {(block["name"], block["seat"]): block["lines"] for block in blocks}
    hand = game.view(0).players[0].hand
    assert sum(int(word) for word in lines["holdings", 0][0].split() if word.isdigit()) == len(hand)
    assert lines["holdings", 1][0] == "hand 5"  # hidden
    assert lines["region", 1] == ["boards hidden", "covered: nothing"]
