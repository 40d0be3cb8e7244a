"""The search benchmark at toy sizes: every variant plays, and the report says what was played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.search.agent import SearchAgent
from gonzaga_agents.search.budget import Budget
from gonzaga_agents.search.root import Root

from benchmarks import publish, search
from benchmarks.searching import games as search_games
from benchmarks.searching import report as search_report
from benchmarks.searching.variants import VARIANTS, Variant
from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.state.state import PLACE, PLAN

CONFIG = GameConfig(4)
BY_NAME = {variant.name: variant.build for variant in VARIANTS}


def position(num_steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns observations and masks of six games after some steps at random."""
    engine, rng = Engine.from_config(CONFIG, 6, seed=4), np.random.default_rng(4)
    for _ in range(num_steps):
        engine.step(engine.sample_legal(rng))
    return engine.observe(), engine.legal_action_mask()


def searched(agent: SearchAgent, num_steps: int) -> Root:
    phase = PLAN if num_steps % 8 < 4 else PLACE
    return agent.search(*position(num_steps), phase, np.random.default_rng(0))


@pytest.mark.parametrize("num_steps", [40, 45], ids=["plan", "place"])
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_every_variant_plays_legally_within_its_budget(variant: Variant, num_steps: int) -> None:
    _, masks = position(num_steps)
    root = searched(variant.build(CONFIG, Budget(40)), num_steps)
    best = root.actions[np.arange(6), root.ranking()[:, 0]]
    assert masks[np.arange(6), best].all()
    assert root.visits.sum() <= 6 * 40 * 2.5  # one deal for each of 20 candidates at least


def test_the_first_variant_is_the_shipped_search() -> None:
    seen = position(40)
    variant, shipped = VARIANTS[0].build(CONFIG, Budget(24)), SearchAgent(CONFIG, Budget(24))
    first, second = (agent.act(*seen, np.random.default_rng(1)) for agent in (variant, shipped))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("num_steps", [40, 45], ids=["plan", "place"])
def test_uniform_allocation_tries_all_alike(num_steps: int) -> None:
    root = searched(BY_NAME["uniform allocation"](CONFIG, Budget(40)), num_steps)
    assert {*root.visits[root.actions >= 0].tolist()} == {40 // root.actions.shape[1]}


def test_ucb_tries_promising_candidates_more() -> None:
    root = searched(BY_NAME["UCB1"](CONFIG, Budget(80)), 40)
    means = np.where(root.actions >= 0, root.estimates(), -np.inf)
    most = root.visits.argmax(axis=1)
    ranks = (-means).argsort(axis=1).argsort(axis=1)
    assert ranks[np.arange(6), most].max() <= 1
    assert root.visits.min(axis=1).max() < root.visits.max(axis=1).min()


def test_the_better_of_two_placements_is_worth_more() -> None:
    name = "plans followed by the better of two placements"
    both: Any = BY_NAME[name](CONFIG, Budget(40))
    first: Any = BY_NAME[name](CONFIG, Budget(40))
    first.num_placements = 1
    engine = Engine.from_config(CONFIG, 20, seed=4)
    rng, seats = np.random.default_rng(4), np.arange(20) % 4
    for _ in range(44):
        engine.step(engine.sample_legal(rng))
    values = [
        agent._best_values(engine.copy(), seats, 1, np.random.default_rng(0))
        for agent in (both, first)
    ]
    assert values[0].mean() > values[1].mean()


def test_own_deals_give_other_values_with_as_many_playouts() -> None:
    common = searched(BY_NAME["as shipped"](CONFIG, Budget(40)), 40)
    own = searched(BY_NAME["deals of its own for each candidate"](CONFIG, Budget(40)), 40)
    np.testing.assert_array_equal(np.sort(own.visits, axis=1), np.sort(common.visits, axis=1))
    assert (own.totals != common.totals).any()


def test_without_the_prior_estimates_are_means() -> None:
    root = searched(BY_NAME["without the prior in the estimates"](CONFIG, Budget(40)), 40)
    tried = root.visits > 0
    np.testing.assert_allclose(
        root.estimates()[tried], (root.totals / np.maximum(root.visits, 1))[tried]
    )


def test_seats_respond_to_what_plans_have_brought() -> None:
    agent: Any = BY_NAME["all seats respond to each other's plans"](CONFIG, Budget(40))
    searched(agent, 40)
    assert (agent._tried.sum(axis=2) > 0).all()
    agent._brought, agent._tried = np.zeros((2, 6, 4, 42))
    agent._tried[0, 1, [3, 5]] = 8
    agent._brought[0, 1, [3, 5]] = 8 * 0.4, 8 * 0.2
    gains = agent._gains()
    assert gains[0, 1, 3] == pytest.approx(0.05)  # 0.1 above the mean, trusted by half
    assert gains[0, 1, 5] == pytest.approx(-0.05)
    assert np.count_nonzero(gains) == 2


# ------------------------------------------------------------------ the command


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Returns a function that runs the command with few agents: (exit code, stdout, stderr)."""
    monkeypatch.setattr(search_games, "VARIANTS", VARIANTS[:2])
    monkeypatch.setattr(search_games, "BUDGETS", ("greedy", "search@1ms"))

    def call(*arguments: str) -> tuple[int, str, str]:
        try:
            code = search.main(arguments)
        except SystemExit as stop:  # from argparse
            code = int(stop.code or 0)
        return code, *capsys.readouterr()

    return call


@pytest.mark.nightly
def test_the_report_says_what_was_played(run) -> None:
    code, out, _ = run("--deals", "2", "--simulations", "8", "--json")
    assert code == 0
    reports = json.loads(out)
    assert [*reports] == ["variants", "budgets"]
    lines = reports["variants"]["lines"]
    assert [line["name"] for line in lines] == [variant.name for variant in VARIANTS[:2]]
    assert lines[0]["difference"] is None
    shares = [line["win_share"]["mean"] for line in lines]
    assert lines[1]["difference"]["mean"] == pytest.approx(shares[1] - shares[0])
    assert all(line["playouts"] > 0 and line["milliseconds"] > 0 for line in lines)
    assert [line["playouts"] > 0 for line in reports["budgets"]["lines"]] == [False, True]
    assert reports["budgets"]["settings"] == {
        "simulations": None, "opponent": "greedy", "deals": 2, "games": 8
    }  # fmt: skip


def test_a_part_that_is_not_measured_is_kept(run, tmp_path: Path) -> None:
    out = tmp_path / "search.json"
    out.write_text(json.dumps({"variants": "kept"}))
    assert run("--only", "budgets", "--deals", "2", "--out", str(out))[0] == 0
    found = json.loads(out.read_text())
    assert found["variants"] == "kept"
    assert found["budgets"]["part"] == "budgets"


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("--only", "warp"), "'warp'"),
        (("--deals", "1"), "1"),
        (("--simulations", "0"), "0"),
        (("--opponent", "warp"), "'warp'"),
        (("--out", "missing/search.json"), "missing/search.json"),
        (("--fast",), "--fast"),
    ],
)
def test_mistyped_arguments_are_named(run, arguments: tuple[str, ...], names: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert names in err.splitlines()[-1]


def test_the_page_shows_the_run_that_is_kept() -> None:
    text = publish.SEARCH_PAGE.read_text()
    assert publish.with_search(text) == text
    for part, report in json.loads(publish.SEARCH.read_text()).items():
        assert search_report.markdown(report) in text
        assert report["part"] == part
        assert report["settings"]["games"] >= 400
