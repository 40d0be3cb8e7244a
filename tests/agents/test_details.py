"""Reports about games: points by source and round, situations in words, moves explained."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
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
from tests.render.scenes import recorded

every_game = pytest.mark.parametrize("game", game_names())
of_turns = pytest.mark.parametrize("game", ["tuscany", "signorie"])


def new_games(game: str, num_games: int) -> Any:
    spec = game_spec(game)
    return spec.engine.from_config(spec.config(num_players=2), num_games, seed=1, autoreset=False)


def to_the_end(engine: Any, step: Callable[[np.ndarray], Any]) -> Iterator[np.ndarray]:
    """Plays games at random and yields the actions before each step."""
    rng = np.random.default_rng(3)
    while not engine.state.finished.all():
        yield (actions := engine.sample_legal(rng))
        step(actions)


@every_game
def test_a_score_is_what_decides_the_game(game: str) -> None:
    config, engine = game_spec(game).config(num_players=2), new_games(game, 4)
    match = play_match(config, [make_agent("random", config)], [0, 0], num_deals=3, seed=1)
    for _ in to_the_end(engine, engine.step):
        pass
    counted = engine.scores[..., game_spec(game).counted].sum(axis=2)
    assert (counted == engine.totals).all()
    summary = summarise(match, ["random"], 1)
    assert summary.agents[0].score.mean == pytest.approx(match.totals.mean())
    best = match.totals.max(axis=2, keepdims=True)
    assert (match.totals == best)[match.won].all()


def test_a_small_edition_has_the_rounds_that_it_plays() -> None:
    config: Any = game_spec("signorie").config(num_players=2, edition="mini")
    match = play_match(
        config, [make_agent("random", config)], [0, 0], num_deals=1, seed=1, history=True
    )
    assert match.history.points.shape[3] == config.edition.num_rounds == 1


@of_turns
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


@of_turns
def test_the_history_counts_every_action(game: str) -> None:
    """In Signorie by what dice are taken for."""
    engine, main = new_games(game, 2), game_spec(game).kinds.index("main")
    historian: Any = game_spec(game).part("details").Historian(engine, engine.step)
    counted = Counter[str]()
    for actions in to_the_end(engine, historian.step):
        for row in np.flatnonzero(engine.kinds == main):
            what = engine.actions.to_text(actions[row]).split()[2:3] or ["pass"]
            counted[what[0].replace("assign", "assignment")] += 1
    moves = historian.history(1).moves
    assert moves.sum() == counted.total()
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
    details, engine, said = game_spec(game).part("details"), new_games(game, 1), set()
    for _ in to_the_end(engine, engine.step):
        decides, where = details.situation(engine)
        said.add(decides)
        assert where.startswith(stands)
        is_last = "left" in where if game == "tuscany" else engine.state.round[0] == 7
        assert details.is_last_round(engine) == is_last
    assert told <= said


@every_game
def test_gonzaga_alone_donates(game: str) -> None:
    assert hasattr(game_spec(game).part("details"), "donated") == (game == "gonzaga")


def test_moves_are_explained(gonzaga: Callable[..., Answer], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    record = recorded("tuscany", max_laps=4)
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
