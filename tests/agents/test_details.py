"""Reports about games: points by source and round, situations in words, moves explained."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.evaluation.match import play_match
from gonzaga_agents.evaluation.summary import summarise

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.tabletop.records import write_records
from tests.agents.conftest import output_of
from tests.conftest import Answer, complaint_of
from tests.render.tuscany.conftest import play

every_game = pytest.mark.parametrize("game", game_names())
TURNS = pytest.mark.parametrize("game", ["tuscany", "signorie"])


@every_game
def test_a_score_is_what_decides_the_game(game: str) -> None:
    spec = game_spec(game)
    config = spec.config(num_players=2)
    match = play_match(config, [make_agent("random", config)], [0, 0], num_deals=3, seed=1)
    engine = finished(game, num_games=4)
    counted = engine.scores[..., spec.counted].sum(axis=2)
    assert (counted == engine.totals).all()
    summary = summarise(match, ["random"], 1)
    assert summary.agents[0].score.mean == pytest.approx(match.totals.mean())
    best = match.totals.max(axis=2, keepdims=True)
    assert (match.totals == best)[match.won].all()


def finished(game: str, num_games: int, watch: Callable[[Any, Any], Any] | None = None) -> Any:
    """Returns games that were played at random, each step by a function if there is one."""
    spec = game_spec(game)
    config, rng = spec.config(num_players=2), np.random.default_rng(3)
    engine = spec.engine.from_config(config, num_games, seed=1, autoreset=False)
    while not engine.state.finished.all():
        actions = engine.sample_legal(rng)
        if watch is None or watch(engine, actions) is None:
            engine.step(actions)
    return engine


@TURNS
def test_points_by_round_add_up_to_the_points_by_source(game: str) -> None:
    rules = {"max_laps": 12} if game == "tuscany" else {}
    config = game_spec(game).config(num_players=3, rules=rules)
    agents = [make_agent(name, config) for name in ("greedy", "random")]
    match = play_match(config, agents, [0, 1, 1], num_deals=2, seed=2, history=True)
    history = match.history
    assert (history.points.sum(axis=3) == match.scores).all()
    assert (history.moves.sum(axis=(2, 3, 4)) > 0).all()
    for agent in summarise(match, ["greedy", "random"], 2).agents:
        assert tuple(agent.details.points) == game_spec(game).sources
        for source, rounds in agent.details.points.items():
            assert sum(estimate.mean for estimate in rounds) == pytest.approx(agent.sources[source])


@TURNS
def test_the_history_counts_every_action(game: str) -> None:
    """In Signorie by what dice are taken for."""
    details, main = game_spec(game).part("details"), game_spec(game).kinds.index("main")
    historians: list[Any] = []
    counted: dict[str, int] = {}

    def watch(engine: Any, actions: np.ndarray) -> bool:
        if not historians:
            historians.append(details.Historian(engine, engine.step))
        for row in np.flatnonzero(engine.kinds == main):
            words = engine.actions.to_text(actions[row]).split()
            what = (words[2:3] or ["pass"])[0].replace("assign", "assignment")
            counted[what] = counted.get(what, 0) + 1
        historians[0].step(actions)
        return True

    finished(game, 2, watch)
    (historian,) = historians
    moves = historian.history(1).moves
    assert moves.sum() == sum(counted.values())
    if game == "signorie":
        by_kind = moves.sum(axis=(0, 1, 2, 3)).tolist()
        assert dict(zip(historian.kinds, by_kind, strict=True)) == counted


@pytest.mark.parametrize(
    ("game", "told", "stands"),
    [
        ("tuscany", {"decides: join the boards", "decides: draw, take or place"}, "lap "),
        ("signorie", {"decides: a die or pass", "decides: bonus or Florins"}, "turn order: player"),
    ],
)
def test_situations_are_told(game: str, told: set[str], stands: str) -> None:
    details, said = game_spec(game).part("details"), set()

    def watch(engine: Any, actions: np.ndarray) -> None:
        decides, where = details.situation(engine)
        said.add(decides)
        assert where.startswith(stands)
        is_last = "left" in where if game == "tuscany" else engine.state.round[0] == 7
        assert details.is_last_round(engine) == is_last

    finished(game, 1, watch)
    assert told <= said


@every_game
def test_gonzaga_alone_donates(game: str) -> None:
    assert hasattr(game_spec(game).part("details"), "donated") == (game == "gonzaga")


def test_moves_are_explained(gonzaga: Callable[..., Answer], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    record = play(2, 3, max_laps=4)[1].record()
    write_records(file, [record])
    main = next(i for i, move in enumerate(record["moves"], 1) if move["action"] == "draw")
    options = ("explain", file, "--game", 1, "--move", main, "--agent", "greedy")
    out = output_of(gonzaga(*options))
    assert "decides: draw, take or place" in out
    assert "played: draw cards" in out
    assert gonzaga(*options, "--picture", tmp_path / "a.svg")[0] == 0
    assert "What greedy considers" in (tmp_path / "a.svg").read_text()
    record["moves"][0]["action"] = "draw"
    file.write_text(json.dumps(record) + "\n")
    assert "games.jsonl, game 1: " in complaint_of(gonzaga(*options))
