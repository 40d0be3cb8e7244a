"""Agents valued by what their decisions lose."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gonzaga_agents.arena import command
from gonzaga_agents.arena.arena import Arena, ArenaError, ArenaFolder, Valued
from gonzaga_agents.arena.report import report

from gonzaga_env.command_line import run_command
from gonzaga_env.core import GameConfig
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tuscany.config import GameConfig as TuscanyConfig

KINDS = ["plan", "place"]
SMALL = GameConfig(2, edition="mini-b3")


def deal(agent: str, number: int, *losses: float, refused: int = 0) -> Valued:
    """Returns a deal in whose game an agent was asked for plans only."""
    decisions = tuple((i, "plan", loss, 0.0) for i, loss in enumerate(losses))
    return Valued(agent, number, decisions, refused, (0.5,), (10,))


@pytest.mark.parametrize("config", [SMALL, TuscanyConfig(2)])
def test_all_agents_are_asked_in_the_same_positions(config: Any) -> None:
    arena = Arena(config, "random", "search@2", 3, games=False)
    greedy, random, again = arena.value(names := ("greedy", "random", "greedy"), 0)
    assert again == greedy
    assert arena.value(names, 0) == [greedy, random, greedy]
    assert greedy.shares == ()
    positions = [[(move, kind) for move, kind, *_ in one.decisions] for one in (greedy, random)]
    assert positions[0] == positions[1] != []
    assert all(-1 <= loss <= 1 for _, _, loss, _ in greedy.decisions)
    assert greedy.decisions != random.decisions


def test_the_judge_itself_loses_little() -> None:
    arena = Arena(SMALL, "random", "search@32", 1, games=False)
    valued = [one for d in (0, 1) for one in arena.value(("search@32", "random"), d)]
    found = report(valued, KINDS)
    assert [one.agent for one in found.standings] == ["search@32", "random"]


def test_an_agent_plays_in_every_seat() -> None:
    (valued,) = Arena(SMALL, "random", "search@2", 3).value(["greedy"], 0)
    assert len(valued.shares) == len(valued.points) == 2


def test_a_judge_has_to_search() -> None:
    with pytest.raises(OptionError, match="judge is 'greedy'; it takes a search"):
        Arena(SMALL, "random", "greedy", 3).check(["random"])


def test_means_are_over_decisions_and_the_best_agent_comes_first() -> None:
    valued = [deal("b", 0, 0.2), deal("b", 1, 0.3, 0.4), deal("a", 0, 0.1, 0.1), deal("a", 1, 0.1)]
    valued.append(deal("a", 2, 0.9))  # b was not asked
    found = report(valued, KINDS)
    assert [one.agent for one in found.standings] == ["a", "b"]
    assert (found.deals, found.deals_needed) == (2, 1)
    assert [one.losses["all"].mean for one in found.standings] == pytest.approx([0.1, 0.3])
    assert found.standings[0].losses["place"].mean == 0
    assert (found.standings[0].decisions, found.standings[0].games) == (3, 2)
    plain = json.loads(json.dumps(found.as_json()))["agents"][1]
    assert (plain["losses"]["all"][0], plain["win_share"][0]) == (0.3, 0.5)
    assert "| plan | place |" in found.markdown()
    many = report(valued, [*KINDS, "a", "b", "c"])
    assert ("| plan |" in many.markdown(), len(many.standings[0].losses)) == (False, 6)
    assert "refused" not in found.markdown()
    assert "| refused |" in report([*valued, deal("a", 0, 0.1, refused=3)], KINDS).markdown()


def test_agents_that_are_close_need_more_deals() -> None:
    better, worse = [0.0, 0.4, 0.1, 0.2], [0.3, 0.1, 0.2, 0.3]
    valued = [deal("a", i, loss) for i, loss in enumerate(better)]
    valued += [deal("b", i, loss) for i, loss in enumerate(worse)]
    assert report(valued, KINDS).deals_needed is None
    more = [*valued, *(replace(one, deal=one.deal + 4 * k) for one in valued for k in range(1, 20))]
    needed = report(more, KINDS).deals_needed
    assert needed is not None
    assert 10 < needed < 80


def test_what_was_valued_is_kept(tmp_path: Path, call: Any) -> None:
    out = tmp_path / "arena"
    options = ("--edition", "mini-a2", "--players", 2, "--judge", "search@4", "--deals", 1)

    def ask(*words: object) -> Any:
        return call(lambda: run_command("arena", command.main), *words)

    def run(*words: object) -> Any:
        return ask("run", *words, *options, "--out", out)

    code, _, err = run("random", "nobody")
    assert (code, "there is no agent 'nobody'" in err, out.exists()) == (2, True, False)
    code, text, err = run("random")
    assert (code, err, "valued by search@4, against planner, 1 deals" in text) == (0, "", True)
    kept = (out / "deals.jsonl").read_bytes()
    with (out / "deals.jsonl").open("ab") as file:
        file.write(b'{"agent": "ran')  # an interruption
    assert run("random", "greedy")[0] == 0
    assert (out / "deals.jsonl").read_bytes().startswith(kept)
    assert len(ArenaFolder(out).valued()) == 2
    assert "| greedy | " in ask("report", out, "--markdown")[1]
    code, _, err = run("random", "--seed", 1)
    assert (code, err) == (2, f"arena: {out}: was played with another seed; take another --out\n")
    (out / "deals.jsonl").write_bytes(b'{"agent": "x"}\n')
    code, _, err = ask("report", out)
    assert (code, err) == (2, "arena: a line is no valued deal: 'decisions'\n")
    deal = json.loads(kept.splitlines()[0]) | {"points": [10**400]}
    (out / "deals.jsonl").write_text(f"{json.dumps(deal)}\n")
    code, _, err = ask("report", out)
    assert (code, err.startswith("arena: a line is no valued deal: ")) == (2, True)
    code, _, err = ask("report", tmp_path)
    assert (code, "can't be read" in err) == (2, True)


def test_a_report_needs_a_deal_of_all() -> None:
    with pytest.raises(ArenaError, match="no deal that all agents were asked about"):
        report([deal("a", 0, 0.1), deal("b", 1, 0.1)], KINDS)
