"""Agents, evaluations and tournaments take any game; Gonzaga's reports stay as they were."""

import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents import RandomAgent, evaluate, make_agent
from gonzaga_agents.network.description import game_of, misfit
from gonzaga_agents.play.evaluate import config_for, play_match
from gonzaga_agents.play.summary import describe_game, summarise
from gonzaga_agents.play.tournament import header_of, read_results
from gonzaga_agents.registry import NAMES, agent_names, checkpoint_edition

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.records import read_entries
from gonzaga_env.tuscany import verify
from tests.agents.conftest import output_of
from tests.agents.own import TEXT, First, Last
from tests.conftest import complaint_of

OTHER = "tuscany"
AGENTS = Path(__file__).parents[2] / "agents"
GENERIC = [
    *(AGENTS / name for name in ("agent.py", "registry.py")),
    *(path for room in ("evaluation", "tournament") for path in (AGENTS / room).glob("*.py")),
]


@pytest.mark.parametrize("path", GENERIC, ids=lambda path: path.name)
def test_what_serves_all_games_reads_no_state_of_one(path: Path) -> None:
    text = path.read_text()
    for words in (
        r"state\.(phase|round|scores|totals)\b",
        "NUM_FIEFS",
        "current_fiefs",
        r"\bSOURCES",
    ):
        assert not re.search(words, text), words


@pytest.mark.parametrize("game", game_names())
def test_a_match_has_what_the_engine_has(game: str) -> None:
    spec = game_spec(game)
    for players in spec.players:
        config = spec.config(num_players=players)
        agents = [make_agent("random", config), RandomAgent(config)]
        lineup = [0] + [1] * (players - 1)
        told: list[float] = []
        match = play_match(config, agents, lineup, num_deals=2, seed=3, on_progress=told.append)
        assert match.scores.shape == (2, players, players, len(spec.sources))
        assert (match.won.sum(axis=2) >= 1).all()
        assert (match.rounds >= 1).all()
        assert told == sorted(told)
        assert told[-1] == 1
        summary = summarise(match, ["one", "two"])
        assert list(summary.agents[0].sources) == list(spec.sources)


@pytest.mark.parametrize("game", game_names())
def test_a_score_is_what_decides_the_game(game: str) -> None:
    config = game_spec(game).config(num_players=2)
    engine = game_spec(game).engine.from_config(config, 4, seed=1, autoreset=False)
    rng = np.random.default_rng(3)
    while not engine.state.finished.all():
        engine.step(engine.sample_legal(rng))
    match = play_match(config, [make_agent("random", config)], [0, 0], num_deals=3, seed=1)
    counted = engine.scores[..., game_spec(game).counted].sum(axis=2)
    assert (counted == engine.totals).all()
    summary = summarise(match, ["random"], 1)
    assert summary.agents[0].score.mean == pytest.approx(match.totals.mean())
    best = match.totals.max(axis=2, keepdims=True)
    assert (match.totals == best)[match.won].all()


def test_rotations_of_a_deal_share_their_chance_in_every_game() -> None:
    config = game_spec(OTHER).config(num_players=2)
    match = play_match(config, [Last()], [0, 0], num_deals=3, seed=1)
    assert np.array_equal(match.scores[:, 0], match.scores[:, 1])
    assert len({str(scores) for scores in match.scores[:, 0]}) > 1


def test_each_game_has_its_own_agents() -> None:
    names = ("random", "greedy", "planner", "linear", "search", "learned")
    assert agent_names() == NAMES == names
    assert agent_names(OTHER) == NAMES
    own, others = (game_spec(name).config(num_players=2) for name in (OTHER, "gonzaga"))
    assert isinstance(make_agent(RandomAgent, own), RandomAgent)
    for name in ("greedy", "planner"):
        assert type(make_agent(name, own)) is not type(make_agent(name, others))
    with pytest.raises(AgentError, match="no agent 'bold'; give random, greedy, planner, linear"):
        make_agent("bold", own)


def test_a_policy_of_another_game_is_refused() -> None:
    gonzaga, other = (game_spec(name).config(num_players=2) for name in ("gonzaga", OTHER))
    assert misfit(game_of(gonzaga), other) == f"made for game 'gonzaga', not {OTHER!r}"
    assert misfit({"game": OTHER}, gonzaga) == f"made for game {OTHER!r}, not 'gonzaga'"


def test_evaluate_takes_a_game() -> None:
    summary = evaluate(["random", First()], deals=2, seed=1, game=OTHER, rules={"max_laps": 20})
    assert [agent.name for agent in summary.agents] == ["random", "First"]
    with pytest.raises(OptionError, match="has no scenario"):
        evaluate(["random"], deals=1, game=OTHER, scenario="Colombo")
    with pytest.raises(OptionError, match="game is 'chess'; known: gonzaga, tuscany"):
        evaluate(["random"], deals=1, game="chess")


def test_the_commands_take_a_game(gonzaga, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "mine.py").write_text(TEXT)
    given = ("random", "mine.py:First", "--game", OTHER, "--deals", 2)
    command = partial(gonzaga, "evaluate", *given)
    out = output_of(command("--rules", "online", "draw_base=3", "max_laps=20"))
    assert out.startswith(game_spec(OTHER).title)
    assert all(source in out for source in game_spec(OTHER).sources)
    assert "…" not in out
    out = output_of(gonzaga("tournament", *given, "--workers", 1, "--out", "out"))
    assert f"{game_spec(OTHER).title} (reconstruction)." in " ".join(out.split())
    header = json.loads(Path("out/games.jsonl").read_text().splitlines()[0])
    assert (header["game"], header["reconstruction"]) == (OTHER, True)
    assert "scenario" not in header
    assert command("--records", "games.jsonl")[0] == 0
    faults = [fault for _, fault in verify(read_entries("games.jsonl"))]
    assert faults == [None] * 4
    for wrong, words in (
        (("--rules", "draw_base"), "it takes NAME=VALUE"),
        (("--rules", "draw_base=4"), "draw_base is 4"),
        (("--rules", "first_check_round=3"), "first_check_round"),
    ):
        assert words in complaint_of(command(*wrong))


def test_results_of_gonzaga_begin_as_they_did() -> None:
    config = game_spec().config(num_players=2)
    edition = {"edition": "europe", "edition_hash": config.edition.digest, "reconstruction": True}
    rules = {"rules": config.rules.as_dict()}
    assert json.dumps(describe_game(config)) == json.dumps(edition | {"scenario": None} | rules)
    assert list(header_of(config, 5)) == [
        *("tournament", "edition", "edition_hash", "reconstruction", "scenario", "rules"),
        *("seed", "versions"),
    ]


def test_results_of_another_game_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    mine, other = (header_of(game_spec(g).config(num_players=2), 5) for g in (OTHER, "gonzaga"))
    path.write_text(json.dumps(other) + "\n")
    with pytest.raises(Exception, match="game"):
        read_results(path, mine)


def test_the_edition_is_a_checkpoint_s_where_none_is_given(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    described = {"num_players": 3, "arguments": {"edition": "atlantis"}}
    monkeypatch.setitem(  # other tests import the package anew, so the module may be another one
        checkpoint_edition.__globals__,
        "checkpoint_description",
        lambda spec: described if spec == "run" else None,
    )
    with pytest.raises(Exception, match="atlantis"):
        config_for(["random", "run"], 3)
    assert config_for(["random", "run"], 3, edition="europe").edition.label == "europe"
    assert config_for(["random"], 3).edition.label == "europe"
