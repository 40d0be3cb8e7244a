"""Agents valued by what their decisions cost."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from gonzaga_agents.arena import command
from gonzaga_agents.arena.arena import Arena, ArenaError, ArenaFolder, Valued
from gonzaga_agents.arena.report import report

from gonzaga_env.command_line import run_command
from gonzaga_env.core import GameConfig
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tuscany.config import GameConfig as TuscanyConfig

KINDS = ["plan", "place"]


def game(agent: str, deal: int, *losses: float) -> Valued:
    """Returns a game of one player that planned only."""
    return Valued(
        agent, deal, 0, 0.5, 10, 0, tuple((i, "plan", x, 0.0) for i, x in enumerate(losses)), {}
    )


@pytest.mark.parametrize("config", [GameConfig(2, edition="mini-b3"), TuscanyConfig(2)])
def test_every_decision_of_the_agent_is_valued(config) -> None:
    arena = Arena(config, "random", "search@4", 3)
    games = [*arena.play("greedy", 0)]
    assert [one.seat for one in games] == [0, 1]
    for one in games:
        assert one.record["agents"][one.seat] == "greedy"
        moves = [move for move, *_ in one.decisions]
        assert moves
        assert moves == sorted(set(moves))
        assert all(-1 <= loss <= 1 for _, _, loss, _ in one.decisions)
    assert [*arena.play("greedy", 0)] == games


def test_the_opponents_and_the_deals_are_the_same_for_all() -> None:
    arena = Arena(GameConfig(2, edition="mini-b3"), "random", "search@4", 3)
    (first, _), (other, _) = arena.play("greedy", 0), arena.play("random", 0)
    assert first.record["seed"] == other.record["seed"]
    assert first.record["agents"] == ["greedy", "opponent"]


def test_a_judge_has_to_search() -> None:
    with pytest.raises(OptionError, match="judge is 'greedy'; it takes a search"):
        next(Arena(GameConfig(2), "random", "greedy", 3).play("greedy", 0))


def test_means_are_over_decisions_and_the_best_agent_comes_first() -> None:
    games = [game("b", 0, 0.2), game("b", 1, 0.3, 0.4), game("a", 0, 0.1, 0.1), game("a", 1, 0.1)]
    games.append(game("a", 2, 0.9))  # b has not played this deal
    found = report(games, KINDS, 1)
    assert [one.agent for one in found.standings] == ["a", "b"]
    assert found.deals == 2
    assert [one.losses["all"].mean for one in found.standings] == pytest.approx([0.1, 0.3])
    assert found.standings[0].losses["place"].mean == 0
    assert (found.games_needed, found.standings[0].decisions) == (1, 3)
    assert "refused" not in found.markdown()
    told = report([replace(one, refused=3) for one in games], KINDS, 1).markdown()
    assert "| refused a game |" in told
    assert "| 3.0 |" in told
    assert json.loads(json.dumps(found.as_json()))["agents"][1]["losses"]["all"][0] == 0.3


def test_agents_that_are_close_need_more_games() -> None:
    better, worse = [0.0, 0.4, 0.1, 0.2], [0.3, 0.1, 0.2, 0.3]
    games = [game("a", i, x) for i, x in enumerate(better)]
    games += [game("b", i, x) for i, x in enumerate(worse)]
    assert report(games, KINDS, 1).games_needed is None
    far = [*games, *(replace(one, deal=one.deal + 4 * k) for one in games for k in range(1, 20))]
    needed = report(far, KINDS, 1).games_needed
    assert needed is not None
    assert 10 < needed < 80


def test_what_was_played_is_kept(tmp_path: Path, call) -> None:
    out = tmp_path / "arena"
    options = ("--edition", "mini-a2", "--players", 2, "--judge", "search@4", "--deals", 1)

    def ask(*words: object) -> tuple[int, str, str]:
        return call(lambda: run_command("arena", command.main), *words)

    def run(*words: object) -> tuple[int, str, str]:
        return ask("run", *words, *options, "--out", out)

    code, text, err = run("random")
    assert (code, err, "valued by search@4, against planner, 1 deals" in text) == (0, "", True)
    kept = (out / "games.jsonl").read_bytes()
    with (out / "games.jsonl").open("ab") as file:
        file.write(b'{"agent": "ran')  # an interruption
    assert run("random", "greedy")[0] == 0
    assert (out / "games.jsonl").read_bytes().startswith(kept)
    assert len(ArenaFolder(out).games()) == 4
    assert "| greedy | 2 |" in ask("report", out, "--markdown")[1]
    code, text, err = run("random", "--seed", 1)
    assert (code, err) == (2, f"arena: {out}: was played with another seed; take another --out\n")
    (out / "games.jsonl").write_bytes(b'{"agent": "x"}\n')
    code, _, err = ask("report", out)
    assert (code, err) == (2, "arena: a line is no valued game: 'decisions'\n")
    code, _, err = ask("report", tmp_path)
    assert (code, "can't be read" in err) == (2, True)


def test_a_report_needs_a_deal_that_all_have_played() -> None:
    with pytest.raises(ArenaError, match="no deal that all agents have played"):
        report([game("a", 0, 0.1), game("b", 1, 0.1)], KINDS, 1)
