"""The namespaces of the games: the same names, signatures, kinds of results and behaviour."""

import inspect
import json
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from gonzaga_env import core, gonzaga, signorie, tuscany
from gonzaga_env.games import game_names
from tests.beside import EVERY_GAME, GAMES

#: Names that only the first game has, since scripts have them.
OLDER = {"GonzagaError", "Rules", "winners"}
#: Arguments that only Gonzaga has: its scenarios, and a quick filter of its many actions.
OWN = {"scenario", "among"}


def names(thing: Any) -> list[str]:
    """Returns the names of a function's arguments that every game has, in their order."""
    return [name for name in inspect.signature(thing).parameters if name not in OWN]


def methods(kind: type) -> dict[str, Any]:
    """Returns the public methods of a class by name."""
    return {
        name: value
        for name, value in inspect.getmembers(kind, callable)
        if not name.startswith("_") and not name.isupper()
    }


def recorded(game: ModuleType, num_players: int = 2, seed: int = 5) -> dict[str, Any]:
    """Returns the record of a random game."""
    played, rng = game.Game(num_players, seed=seed), np.random.default_rng(seed)
    recorder = game.Recorder(played, ["random"] * num_players)
    while not played.finished:
        recorder.play(played.sample_legal(rng))
    record: dict[str, Any] = recorder.record()
    assert recorder.pop() == [record]
    assert recorder.pop() == []
    return record


def test_every_game_has_a_namespace() -> None:
    assert tuple(GAMES) == game_names()
    for game in GAMES.values():
        assert game.GameConfig.game in GAMES
        assert GAMES[game.GameConfig.game] is game


def test_the_namespaces_have_the_same_names() -> None:
    assert gonzaga.__all__ == core.__all__
    assert all(getattr(gonzaga, name) is getattr(core, name) for name in core.__all__)
    assert set(core.__all__) - OLDER == set(tuscany.__all__) == set(signorie.__all__)
    assert core.Rules is core.Options
    assert core.GonzagaError is core.GameError


@pytest.mark.parametrize("name", tuscany.__all__)
def test_a_name_is_the_same_kind_of_thing_with_the_same_arguments(name: str) -> None:
    things = [getattr(game, name) for game in GAMES.values()]
    assert len({inspect.isclass(thing) for thing in things}) == 1
    if name in ("Engine", "Game", "GameConfig", "Recorder") or inspect.isroutine(things[0]):
        assert all(names(one) == names(other) for one, other in pairwise(things))
    if name in ("Engine", "Game", "Recorder"):
        found = [methods(thing) for thing in things]
        shared = set.intersection(*map(set, found))
        assert all(set(one) - shared <= {"turn_up_next"} for one in found)
        for method in shared:
            assert len({tuple(names(one[method])) for one in found}) == 1, method


@EVERY_GAME
def test_attributes_of_games_mean_the_same(game: Any) -> None:
    played, engine = game.Game(3, seed=2), game.Engine(1, 3, seed=2, autoreset=False)
    rng = np.random.default_rng(0)
    while not played.finished:
        assert (played.seat, played.kind) == (engine.seats[0], engine.kinds[0])
        assert (played.round, played.totals) == (engine.rounds[0], engine.totals[0].tolist())
        assert [list(points) for points in played.scores] == engine.scores[0].tolist()
        action = played.sample_legal(rng)
        assert played.play(action, None) == engine.step([action]).rewards[0].tolist()
    assert played.winners() == engine.winners()[0].tolist()
    assert isinstance(played.view(), game.GameView)
    assert all(isinstance(player, game.PlayerView) for player in played.view().players)
    assert isinstance(played.rules, game.Options)
    assert isinstance(played.edition, game.Edition)
    assert isinstance(played.state, game.State)
    assert isinstance(played.actions, game.ActionCodec)
    assert isinstance(played.features, game.FeatureTable)


@EVERY_GAME
def test_a_recorder_takes_an_engine_or_a_game(game: Any) -> None:
    engine, rng = game.Engine(2, 3, seed=4, autoreset=False), np.random.default_rng(1)
    recorder, records = game.Recorder(engine, ["a", "b", "c"]), []
    actions: list[list[int]] = [[], []]
    while (engine.seats >= 0).any():
        chosen = engine.sample_legal(rng)
        for row in np.flatnonzero(engine.seats >= 0):
            actions[row].append(int(chosen[row]))
        assert isinstance(recorder.step(chosen), game.StepResult)
        records += recorder.pop()
    assert sorted(records, key=lambda it: it["seed"]) == [recorder.record(0), recorder.record(1)]
    for row in range(2):
        alone = game.Game(3, seed=4 + row)
        single = game.Recorder(alone, ["a", "b", "c"])
        for action in actions[row]:
            single.play(action)
        assert single.record() == recorder.record(row)
        again = game.record_game(alone.config, 4 + row, ["a", "b", "c"], actions[row])
        assert again == recorder.record(row)


@EVERY_GAME
def test_a_recorder_refuses_what_it_cannot_record(game: Any) -> None:
    engine, alone = game.Engine(2, 2), game.Game(2)
    with pytest.raises(game.RecordError, match=r"call step\(actions\)"):
        game.Recorder(engine, ["a", "b"]).play(0)
    with pytest.raises(game.RecordError, match=r"call play\(action\)"):
        game.Recorder(alone, ["a", "b"]).step([0])
    for agents in ([], ["a"], [["a", "b"]], None, [1, 2]):
        with pytest.raises(game.RecordError, match="agents take 2 names"):
            game.Recorder(engine, agents)
    other = next(one for one in GAMES.values() if one is not game)
    for wrong in (other.Engine(2, 2), other.Game(2), None):
        with pytest.raises(game.RecordError, match=f"Engine or Game of '{game.GameConfig.game}'"):
            game.Recorder(wrong, ["a", "b"])
    rng = np.random.default_rng(0)
    for _ in range(2):
        engine.step(engine.sample_legal(rng))
        alone.play(alone.sample_legal(rng))
    for begun in (engine, alone):
        with pytest.raises(game.RecordError, match="game 0 has begun"):
            game.Recorder(begun, ["a", "b"])


@EVERY_GAME
def test_records_are_written_read_replayed_and_verified(game: Any, tmp_path: Path) -> None:
    record, path = recorded(game), tmp_path / "games.jsonl"
    game.write_records(path, [record, record | {"winners": []}])
    assert next(iter(game.read_records(path))) == game.read_record(path, 1) == record
    assert record == json.loads(json.dumps(record))
    faults = [fault for _, fault in game.verify(game.read_entries(path))]
    assert faults[0] is None
    assert isinstance(faults[1], game.RecordError)
    assert "winners" in str(faults[1])

    final = game.replay(record)
    assert isinstance(final, game.Game)
    assert final.finished
    assert final.totals == record["scores"]["total"]
    first, states = game.game_from_record(record), list(game.positions(record))
    assert isinstance(first, game.Game)
    assert len(states) == len(record["moves"])
    assert all(isinstance(state, game.State) for state in states)
    assert states[0] == first.state


def test_gonzaga_refuses_to_turn_up_anything() -> None:
    played = gonzaga.Game(2, seed=1)
    before = played.state
    with pytest.raises(gonzaga.RecordError, match="Gonzaga turns up nothing"):
        played.play(0, ["fief 3"])
    assert played.state == before


@EVERY_GAME
def test_a_wrong_name_of_an_argument_is_told_with_the_nearest(game: Any) -> None:
    for make in (game.Engine, game.Game, game.GameConfig):
        with pytest.raises(game.OptionError, match=r"'num_player' \(did you mean num_players\?\)"):
            make(num_player=3)
        with pytest.raises(game.OptionError, match="there is no argument 'colour'; there are: num"):
            make(colour=3)
        with pytest.raises(game.OptionError, match="too many positional arguments"):
            make(*range(12))
