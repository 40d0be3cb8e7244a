"""Reports about The Castles of Tuscany: points by source and round, situations in words."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents.evaluation.match import play_match
from gonzaga_agents.evaluation.summary import summarise
from gonzaga_agents.registry import make_agent
from gonzaga_agents.tuscany import details

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.tabletop.records import write_records
from gonzaga_env.tuscany import Engine, GameConfig
from gonzaga_env.tuscany.constants import KINDS, SOURCES
from tests.conftest import Answer, complaint_of
from tests.render.scenes import recorded


@pytest.mark.parametrize("game", game_names())
def test_a_score_is_what_decides_the_game(game: str) -> None:
    config = game_spec(game).config(num_players=2)
    match = play_match(config, [make_agent("random", config)], [0, 0], num_deals=3, seed=1)
    engine = game_spec(game).engine.from_config(config, 4, seed=1, autoreset=False)
    rng = np.random.default_rng(0)
    while not engine.state.finished.all():
        engine.step(engine.sample_legal(rng))
    counted = engine.scores[..., game_spec(game).counted].sum(axis=2)
    assert (counted == engine.totals).all()
    summary = summarise(match, ["random"], 1)
    assert summary.agents[0].score.mean == pytest.approx(match.totals.mean())
    best = match.totals.max(axis=2, keepdims=True)
    assert (match.totals == best)[match.won].all()


def test_points_by_round_add_up_to_the_points_by_source() -> None:
    config = GameConfig(3, rules={"max_laps": 12})
    match = play_match(
        config,
        [make_agent(name, config) for name in ("greedy", "random")],
        [0, 1, 1],
        num_deals=3,
        seed=2,
        history=True,
    )
    history = match.history
    assert (history.points.sum(axis=3) == match.scores).all()
    assert (history.moves.sum(axis=(2, 3, 4)) > 0).all()
    for agent in summarise(match, ["greedy", "random"], 2).agents:
        assert tuple(agent.details.points) == SOURCES
        for source, rounds in agent.details.points.items():
            assert sum(estimate.mean for estimate in rounds) == pytest.approx(agent.sources[source])


def test_the_history_counts_every_action() -> None:
    engine = Engine(2, 2, seed=3, autoreset=False)
    historian, rng, acted = details.Historian(engine, engine.step), np.random.default_rng(3), 0
    while not engine.state.finished.all():
        acted += int((engine.kinds == KINDS.index("main")).sum())
        historian.step(engine.sample_legal(rng))
    assert historian.history(1).moves.sum() == acted


def test_situations_are_told_and_gonzaga_alone_donates() -> None:
    engine, rng = Engine(1, 2, seed=1, autoreset=False), np.random.default_rng(1)
    said = set()
    while not engine.state.finished.all():
        decides, stands = details.situation(engine)
        said.add(decides)
        assert stands.startswith("lap ")
        assert details.is_last_round(engine) == ("left" in stands)
        engine.step(engine.sample_legal(rng))
    assert {"decides: join the boards", "decides: draw, take or place"} <= said
    assert hasattr(game_spec("gonzaga").part("details"), "donated")
    assert not hasattr(game_spec("tuscany").part("details"), "donated")


def test_moves_are_explained(gonzaga: Callable[..., Answer], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    record = recorded("tuscany", max_laps=4)
    write_records(file, [record])
    main = next(i for i, move in enumerate(record["moves"], 1) if move["action"] == "draw")
    options = ("explain", file, "--game", 1, "--move", main, "--agent", "greedy")
    code, out, err = gonzaga(*options)
    assert (code, err) == (0, "")
    assert "decides: draw, take or place" in out
    assert "played: draw cards" in out
    assert gonzaga(*options, "--picture", tmp_path / "a.svg")[0] == 0
    assert "What greedy considers" in (tmp_path / "a.svg").read_text()
    record["moves"][0]["action"] = "draw"
    file.write_text(json.dumps(record) + "\n")
    assert "games.jsonl, game 1: " in complaint_of(gonzaga(*options))
