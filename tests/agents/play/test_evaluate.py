"""Evaluations: agents, deals in all seat rotations, and what is summed up."""

from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import GreedyAgent, MatchSummary, RandomAgent, evaluate
from gonzaga_agents.executors import open_executor
from gonzaga_agents.play import evaluate as evaluate_module
from gonzaga_agents.play.evaluate import distinct_names, play_match, players_for
from gonzaga_agents.play.runner import rotations
from gonzaga_agents.play.summary import Match, summarise

from gonzaga_env.core import GameConfig, Rules, read_records, replay
from gonzaga_env.core.constants import DONATION_POINTS
from gonzaga_env.core.state import SOURCES
from gonzaga_env.kernel.errors import OptionError
from tests.agents.own import First, Last
from tests.marks import nightly
from tests.secrets_of import Spy, derived, numbers_within


def test_it_returns_a_summary() -> None:
    summary = evaluate(["greedy", "random"], players=3, deals=4, seed=2)
    assert isinstance(summary, MatchSummary)
    assert (summary.num_players, summary.deals, summary.games) == (3, 4, 12)
    assert [(agent.name, agent.seats) for agent in summary.agents] == [("greedy", 1), ("random", 2)]
    assert summary == evaluate(["greedy", "random"], players=3, deals=4, seed=2)
    assert summary != evaluate(["greedy", "random"], players=3, deals=4, seed=3)


def test_objects_and_classes_are_agents() -> None:
    summary = evaluate([First(), RandomAgent, GreedyAgent(GameConfig(3))], deals=2)
    assert [agent.name for agent in summary.agents] == ["First", "random", "greedy"]


def test_one_agent_alone_plays_itself() -> None:
    for agents in ("random", ["random"], RandomAgent(GameConfig(2))):
        summary = evaluate(agents, players=2, deals=1)
        assert [agent.seats for agent in summary.agents] == [2]


def test_scenario_rules_and_records(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    rules, told = Rules("first_only", 1), []
    evaluate(
        ["random"] * 3,
        deals=2,
        scenario="Colombo",
        rules=rules,
        records=path,
        on_progress=told.append,
    )
    records = list(read_records(path))
    assert len(records) == 6
    for record in records:
        assert (record["scenario"], record["rules"]) == ("Colombo", rules.as_dict())
        replay(record)
    assert told[-1] <= 1


def test_players_are_those_named_or_asked_for() -> None:
    assert players_for(["random"] * 3, None) == 3
    assert players_for(["random"], None) == 4
    assert players_for(["random", First()], 4) == 4
    for specs, players in (([], None), (["random", "greedy"], 1), (["random"] * 5, None)):
        with pytest.raises(OptionError):
            players_for(specs, players)


def test_names_tell_agents_apart() -> None:
    assert distinct_names(["a", "b"], ["x", "y"]) == ["a", "b"]
    specs = ["runs/a", "runs/b", "z"]
    assert distinct_names(["ppo", "ppo", "c"], specs) == ["runs/a", "runs/b", "c"]
    assert distinct_names(["random"] * 3, ["random"] * 3) == ["random", "random #2", "random #3"]
    assert distinct_names(["First", "First"], [First(), First()]) == ["First", "First #2"]


DONATIONS = SOURCES.index("donations")


def records_of(num_deals: int, seed: int = 0, scenario: str | None = None) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = []
    play_match(
        GameConfig(3, scenario),
        [Last()] * 3,
        [0, 1, 2],
        names=["a", "b", "c"],
        num_deals=num_deals,
        seed=seed,
        on_records=records.extend,
    )
    return sorted(records, key=lambda record: record["seed"])


def test_rotations_move_everybody_one_seat_on() -> None:
    assert rotations([0, 1, 2]).tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    assert rotations([0, 1]).tolist() == [[0, 1], [1, 0]]


def test_every_agent_plays_every_hand_of_a_deal_once() -> None:
    deals = [list(games) for _, games in groupby(records_of(4), key=lambda record: record["seed"])]
    assert len(deals) == 4
    for games in deals:
        for key in ("scenario", "decks", "objectives"):
            assert all(game[key] == games[0][key] for game in games)
        by_seat = zip(*(game["agents"] for game in games), strict=True)
        assert [sorted(agents) for agents in by_seat] == [["a", "b", "c"]] * 3
    assert len({str(games[0]["decks"]) for games in deals}) == 4


def test_each_seat_is_played_by_its_agent() -> None:
    game = GameConfig(4)
    match = play_match(game, [Last(), RandomAgent()], [0, 1, 1, 0], num_deals=3, seed=5)
    assert match.seating.tolist() == [[0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1], [1, 1, 0, 0]]
    assert match.scores.shape == (3, 4, 4, 6)
    gave = match.scores[:, :, :, DONATIONS] == DONATION_POINTS * match.rounds[:, :, None]
    assert (gave == (match.seating == 0)).all()
    assert (match.scores[:, match.seating == 0, :2] == 0).all()


def test_shares_of_every_game_sum_to_one() -> None:
    match = play_match(GameConfig(2), [Last()], [0, 0], num_deals=6, seed=1)
    assert match.won.shape == (6, 2, 2)
    np.testing.assert_allclose(match.win_shares.sum(axis=2), 1)


def test_jobs_change_no_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = records_of(5)
    monkeypatch.setattr(evaluate_module, "JOB_GAMES", 6)
    assert records_of(5) == whole


def test_more_deals_go_on_where_fewer_end_and_seeds_share_none() -> None:
    def seeds(num_deals: int, seed: int) -> set[int]:
        return {record["seed"] for record in records_of(num_deals, seed)}

    assert seeds(2, 0) < seeds(4, 0)
    assert not seeds(4, 0) & seeds(4, 1)
    assert max(seeds(4, 0)) < 2**53


@pytest.mark.parametrize(
    ("lineup", "num_deals", "seed"),
    [
        ([0], 1, 0),
        ([0, 0, 0], 1, 0),
        ([0, 1], 1, 0),
        ([0, -1], 1, 0),
        ([0, 0], 0, 0),
        ([0, 0], 1, -1),
    ],
)
def test_impossible_matches_are_refused(lineup: list[int], num_deals: int, seed: int) -> None:
    with pytest.raises(OptionError):
        play_match(GameConfig(2), [Last()], lineup, num_deals=num_deals, seed=seed)


def test_an_agent_s_generator_shows_neither_seed_nor_deals() -> None:
    config, seed, deals = GameConfig(2), 2**70 + 12_345, []
    spies = [Spy(), Spy()]
    play_match(
        config,
        spies,
        [0, 1],
        num_deals=3,
        seed=seed,
        on_records=lambda records: deals.extend(record["seed"] for record in records),
    )
    for spy, other in (spies, spies[::-1]):
        numbers = numbers_within(spy.rng)
        known = numbers | derived(numbers)
        assert spy.rng.bit_generator.seed_seq.entropy in numbers
        assert not known & {seed, *deals, other.rng.bit_generator.seed_seq.entropy}


def test_workers_play_the_same_match_and_hand_over_the_same_records(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(evaluate_module, "JOB_GAMES", 4)
    found = []
    with open_executor(workers=2) as two:
        for executor in (None, two):
            handed: list[list[dict[str, Any]]] = []
            told: list[float] = []
            match = play_match(
                GameConfig(2),
                ["random", "greedy"],
                [0, 1],
                num_deals=7,
                seed=5,
                on_progress=told.append,
                on_records=handed.append,
                executor=executor,
            )
            assert told[-1] == 1
            assert all(handed), "never an empty list"
            records = [record for records in handed for record in records]
            assert len(records) == 14
            summary = summarise(match, ["a", "b"])
            # Within a part, games are recorded as they end.
            found.append((summary, records, match.scores.tolist(), match.rounds.tolist()))
    assert found[0] == found[1]


def hand_made_match() -> Match:
    """Two deals, agent 0 against agent 1: 2 wins, 1 shared victory, 1 defeat for agent 0."""
    scores = np.zeros((2, 2, 2, 6), dtype=np.int64)
    scores[:, :, :, SOURCES.index("cities")] = [[[10, 4], [6, 8]], [[9, 9], [7, 3]]]
    scores[:, 0, 0, SOURCES.index("donations")] = 6
    won = np.array([[[1, 0], [0, 1]], [[1, 1], [1, 0]]], dtype=np.bool_)
    rounds = np.array([[8, 8], [12, 12]])
    return Match(rotations([0, 1]), scores, scores.sum(axis=3), won, rounds)


def test_summary_of_a_match_made_by_hand() -> None:
    summary = summarise(hand_made_match(), ["one", "two"])
    one, two = summary.agents
    assert (summary.deals, summary.games, summary.fair_share) == (2, 4, 0.5)
    assert summary.rounds.mean == 10
    assert [share.mean for share in summary.seat_win_shares] == [0.625, 0.375]
    # Agent 0 sits on seat 0 first and on seat 1 then; agent 1 the other way round.
    assert one.win_share.mean == pytest.approx((1 + 1 + 0.5 + 0) / 4)
    assert two.win_share.mean == pytest.approx((0 + 0 + 0.5 + 1) / 4)
    assert one.score.mean == pytest.approx((16 + 8 + 15 + 3) / 4)
    assert two.score.mean == pytest.approx((4 + 6 + 9 + 7) / 4)
    assert one.sources["cities"] == pytest.approx((10 + 8 + 9 + 3) / 4)
    assert one.outcome == pytest.approx(0.25)
    assert (one.name, one.seats, one.games) == ("one", 1, 4)


def test_one_agent_on_all_seats_has_the_fair_share_exactly() -> None:
    match = hand_made_match()
    alone = replace(match, seating=rotations([0, 0]))
    (agent,) = summarise(alone, ["alone"]).agents
    assert (agent.win_share.low, agent.win_share.mean, agent.win_share.high) == (0.5, 0.5, 0.5)
    assert (agent.seats, agent.games, agent.outcome) == (2, 8, 0)


@pytest.mark.parametrize("game", ["gonzaga", *nightly("tuscany", "signorie")])
def test_shipped_policies_are_ahead_of_the_planner(game: str) -> None:
    """They win 70 to 80 % of the games with two players; of 200 games, 60 % is a safe floor."""
    summary = evaluate(["learned", "planner"], deals=100, seed=12, game=game)
    assert summary.games == 200
    assert summary.agents[0].win_share.mean > 0.6
    assert summary.agents[0].win_share.side_of(0.5) == 1
