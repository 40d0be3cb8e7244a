"""What any game must have to be played at the table."""

import json

import numpy as np
import pytest
from gonzaga_table.choices import Deciding
from gonzaga_table.session import GameSession, human
from gonzaga_table.terminal import deciding
from gonzaga_table.web.answers import frame_json
from gonzaga_table.web.games import playable_games
from gonzaga_table.web.picture import look, turn_json

from gonzaga_env import games
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.render.palette import DARK
from tests.table.web.asking import play_out
from tests.tabletop.small_games import AUCTION, PENNIES, RACE


def test_all_games_can_be_played() -> None:
    assert playable_games() == list(game_names())


@pytest.mark.parametrize("name", [name for name in game_names() if name != "gonzaga"])
def test_a_game_is_shown_asked_for_and_scored(name) -> None:
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
    end, said = _frame(table, "public"), look(config.edition, DARK)
    first, last = said["counted"]
    for player, total in zip(end["view"]["players"], end["totals"], strict=True):
        assert sum(player["scores"][first:last]) == total
        assert len(player["scores"]) == len(said["sources"])
    spec.replay(table.record())


@pytest.mark.parametrize("spec", [AUCTION, PENNIES, RACE], ids=lambda spec: spec.name)
def test_a_game_without_parts_is_shown_in_words(monkeypatch, spec) -> None:
    monkeypatch.setattr(games, "_ADDED", {spec.name: spec})
    table = GameSession(spec.config(num_players=3), [human(name) for name in "ABC"], 1)
    while not table.over:
        (block,) = _frame(table, 0)["blocks"]
        assert block["lines"][0] == spec.title
        assert block["lines"][1].startswith(f"Now: round {table.view('public').round}, player")
        seats = table.deciding
        assert len(seats) == (3 if spec.sealed else 1)
        for seat in reversed(seats):  # those that the engine asks later decide first
            turn = table.turn(seat)
            assert isinstance(turn, Deciding)
            assert json.loads(turn_json(turn, table.config.edition, table.view(seat)))["choices"]
            table.play(seat, table.num_moves, turn.choices[-1].action)
        assert not table.sealed
    assert any(player["won"] for player in _frame(table, "public")["view"]["players"])
    spec.replay(table.record())


def _frame(table: GameSession, viewer: int | str) -> dict:
    (frame,) = table.frames(viewer)  # type: ignore[arg-type]
    return json.loads(frame_json(table.config.edition, frame, DARK))
