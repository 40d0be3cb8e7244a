"""Who takes part in a tournament, who meets whom, and jobs: pure functions of their fields."""

import os
import pickle
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.network.learned import shipped_files
from gonzaga_agents.play import tournament_games
from gonzaga_agents.play.runner import deal_seed, play_games
from gonzaga_agents.play.tournament_games import (
    JOB_DEALS,
    Entrant,
    GameResult,
    TournamentJob,
    agent_files,
    cached_agent,
    identify,
    identify_all,
    jobs_of,
    tables_of,
)

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.state import winners
from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.bounded import CHECKPOINT_BYTES
from gonzaga_env.kernel.errors import OptionError
from tests.agents.own import TEXT
from tests.secrets_of import Spy, derived, numbers_within

RANDOM, GREEDY = Entrant("random"), Entrant("greedy")


def job(players: int = 2, entrants: str = "gr", first: int = 0, deals: int = 3) -> TournamentJob:
    names = {"g": GREEDY, "r": RANDOM}
    return TournamentJob(
        GameConfig(players), tuple(names[c] for c in entrants), first, deals, seed=4
    )


def test_the_same_job_gives_the_same_games_wherever_it_is_played() -> None:
    played = job().play()
    cached_agent.cache_clear()
    assert pickle.loads(pickle.dumps(job())).play() == played
    assert [game.id for game in played] == job().ids()


def test_other_seeds_deals_and_lineups_give_other_games() -> None:
    played = job().play()
    for other in (replace(job(), seed=5), job(first=3), job(entrants="rr")):
        assert [game.scores for game in other.play()] != [game.scores for game in played]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_agents_change_seats_in_each_rotation(players: int) -> None:
    games = job(players, "grrr"[:players], deals=2).play()
    for deal in (0, 1):
        seats = [game.agents for game in games if game.deal == deal]
        assert seats[0] == job(players, "grrr"[:players]).seating(deal)
        assert [row.index("greedy") for row in seats] == [
            (seats[0].index("greedy") + k) % players for k in range(players)
        ]


def test_seats_of_rotation_0_are_drawn_for_each_deal() -> None:
    drawn = {job(4, "ggrr").seating(deal) for deal in range(100)}
    assert len(drawn) == 6, "all orders of two and two"


def test_all_lineups_play_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = dealt(monkeypatch)
    for entrants in ("gr", "rr"):
        job(entrants=entrants).play()
    one, other = (engine.state.deck.tolist() for engine in engines)
    assert one == other


def dealt(monkeypatch: pytest.MonkeyPatch) -> list[Engine]:
    """Returns a list of the engines that jobs are played on from now on."""
    engines: list[Engine] = []

    def watched(*given: Any) -> Engine:
        engines.append(play_games(*given))
        return engines[-1]

    monkeypatch.setattr(tournament_games, "play_games", watched)
    return engines


def test_scores_and_winners_are_the_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = dealt(monkeypatch)
    games = job(3, "ggg").play()
    state = engines[0].state
    assert [game.scores for game in games] == [tuple(row) for row in state.totals.tolist()]
    won = winners(engines[0].tables, state)
    assert [game.winners for game in games] == [tuple(np.flatnonzero(row)) for row in won]
    assert [game.rounds for game in games] == state.round.tolist()


def game(scores: tuple[int, ...], winners: tuple[int, ...]) -> GameResult:
    return GameResult(0, 0, ("random",) * len(scores), scores, winners, 9)


def test_places_follow_winners_and_scores() -> None:
    assert game((30, 50, 40), (1,)).places == (2, 0, 1)
    assert game((50, 50), (0,)).places == (0, 1), "sites decide between equal scores"
    assert game((50, 50), (0, 1)).places == (0, 0)
    assert game((20, 50, 20, 50), (1,)).places == (2, 0, 2, 1)


def test_an_agent_whose_file_changes_is_refused(tmp_path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(TEXT)
    mine = identify(f"{path}:First")
    lineup = tuple(sorted((mine, RANDOM), key=lambda entrant: entrant.key))
    game = TournamentJob(GameConfig(2), lineup, 0, 1, 0)
    assert len(game.play()) == 2
    path.write_text(path.read_text() + "# edited\n")
    cached_agent.cache_clear()
    with pytest.raises(AgentError, match="has changed"):
        game.play()


def test_an_agent_s_generator_shows_neither_seed_nor_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    spies = {GREEDY: Spy(), RANDOM: Spy()}
    monkeypatch.setattr(tournament_games, "cached_agent", lambda entrant, config: spies[entrant])
    played = replace(job(), seed=2**70 + 12_345)
    played.play()
    secrets = {played.seed, *(int(deal_seed(played.seed, deal)) for deal in range(3))}
    for spy in spies.values():
        numbers = numbers_within(spy.rng)
        assert spy.rng.bit_generator.seed_seq.entropy in numbers
        assert not (numbers | derived(numbers)) & secrets


def named(names: str) -> list[Entrant]:
    return [Entrant(name) for name in names]


def texts(found: list[tuple[Entrant, ...]]) -> list[str]:
    return ["".join(entrant.spec for entrant in mix) for mix in found]


def test_every_mix_plays_once() -> None:
    assert texts(tables_of(named("abc"), 2)) == ["ab", "ac", "bc"]
    assert texts(tables_of(named("ab"), 4)) == ["aaab", "aabb", "abbb"]
    assert texts(tables_of(named("abc"), 3)) == ["aab", "aac", "abb", "abc", "acc", "bbc", "bcc"]


def test_the_order_of_the_agents_plays_no_part() -> None:
    assert tables_of(named("cab"), 3) == tables_of(named("abc"), 3)
    assert tables_of(named("fdbace"), 4, 9) == tables_of(named("abcdef"), 4, 9)


def test_a_new_agent_leaves_the_mixes_of_the_others() -> None:
    assert set(tables_of(named("abc"), 4)) < set(tables_of(named("abcd"), 4))


@pytest.mark.parametrize(("players", "size"), [(3, 10), (3, 20), (4, 5), (4, 12), (4, 15)])
def test_samples_are_balanced(players: int, size: int) -> None:
    sample = tables_of(named("abcdef"), players, size)
    assert len(set(sample)) == size
    assert all(len(set(mix)) == players for mix in sample), "enough tables_of of different agents"
    met = Counter(pair for mix in sample for pair in combinations(mix, 2))
    assert len(met) == 15
    assert max(met.values()) - min(met.values()) <= 2
    seats = Counter(entrant for mix in sample for entrant in mix)
    assert max(seats.values()) - min(seats.values()) <= 1


def test_a_large_sample_repeats_agents_and_a_larger_one_is_everything() -> None:
    assert len(tables_of(named("abcde"), 4, 20)) == 20
    assert tables_of(named("abcde"), 4, 1000) == tables_of(named("abcde"), 4)


def test_a_sample_that_leaves_somebody_out_is_refused() -> None:
    assert {e.spec for mix in tables_of(named("abcdef"), 4, 2) for e in mix} == set("abcdef")
    with pytest.raises(OptionError, match="tables is 1, which leaves no seat for"):
        tables_of(named("abcdef"), 4, 1)


def test_pairs_all_play() -> None:
    assert len(tables_of(named("abcdef"), 2, 3)) == 15


def test_jobs_hold_every_deal_of_every_table_once() -> None:
    tables, config = tables_of(named("abc"), 2), GameConfig(2)
    jobs = jobs_of(config, tables, 2 * JOB_DEALS[2] + 7, seed=0)
    ids = [id_ for job in jobs for id_ in job.ids()]
    assert len(set(ids)) == len(ids) == 3 * 2 * 107
    assert [job.entrants for job in jobs[:3]] == tables, "all tables begin"
    assert [job.num_deals for job in jobs] == [50] * 6 + [7] * 3
    assert all(64 <= JOB_DEALS.get(p, 25) * p <= 256 for p in (2, 3, 4))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the current folder, with a run and a file of agents."""
    (tmp_path / "runs" / "first").mkdir(parents=True)
    (tmp_path / "runs" / "first" / "checkpoint.zip").write_bytes(b"weights")
    (tmp_path / "mine.py").write_text("class Mine: ...")
    (tmp_path / "search@2.py").write_text("raise SystemExit")
    (tmp_path / "Mine").mkdir()  # named like a class, and no run
    (tmp_path / "mine.of:me").mkdir()  # named like a class of a module
    (tmp_path / "mine.of:me" / "linear_4.json").write_text("{}")
    (tmp_path / "random").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("spec", "file"),
    [
        ("random", None),
        ("greedy", None),
        ("some.module:Mine", None),
        ("search@64", None),
        ("runs/first", "runs/first/checkpoint.zip"),
        ("runs/first/checkpoint.zip", "runs/first/checkpoint.zip"),
        ("search@64:runs/first", "runs/first/checkpoint.zip"),
        ("mine.py:Mine", "mine.py"),
        ("mine.of:me", "mine.of:me/linear_4.json"),
        ("search@2.5ms:runs/second", None),
    ],
)
def test_the_file_behind_a_spec_is_found(folder: Path, spec: str, file: str | None) -> None:
    assert agent_files(spec) == ([] if file is None else [Path(file)])


def test_a_folder_without_a_checkpoint_is_no_agent(folder: Path) -> None:
    with pytest.raises(AgentError, match="holds no checkpoint"):
        identify("runs")


def test_a_file_that_changes_is_another_agent(folder: Path) -> None:
    before = identify("runs/first")
    assert before == identify("runs/first")
    assert before.key.startswith("runs/first#")
    (folder / "runs/first/checkpoint.zip").write_bytes(b"trained on")
    assert identify("runs/first") != before
    os.truncate("runs/first/checkpoint.zip", CHECKPOINT_BYTES + 1)
    with pytest.raises(AgentError, match="is larger than 256 MiB"):
        identify("runs/first")
    assert identify("random").key == "random"


def test_the_same_twice_is_refused(folder: Path) -> None:
    with pytest.raises(OptionError, match="is the same checkpoint as runs/first"):
        identify_all(["runs/first", "runs/first/checkpoint.zip"])


def test_one_checkpoint_may_play_in_two_ways(folder: Path) -> None:
    specs = ["runs/first", "search@64:runs/first", "search@128:runs/first"]
    found = identify_all(specs)
    assert [entrant.spec for entrant in found] == specs
    assert len({entrant.digest for entrant in found}) == 1
    assert identify_all(["random", "greedy"]) == [Entrant("random"), Entrant("greedy")]


def test_a_module_that_changes_is_another_agent(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(folder)
    module = folder / "a_module_of_agents.py"
    module.write_text("class Mine: ...")
    before = identify("a_module_of_agents:Mine")
    assert before.digest is not None
    module.write_text("class Mine: 'another'")
    assert identify("a_module_of_agents:Mine").digest not in (None, before.digest)
    (folder / "broken_package").mkdir()
    (folder / "broken_package" / "__init__.py").write_text("1 / 0")
    assert agent_files("broken_package.agents:Mine") == []


@pytest.mark.parametrize("spec", ["learned", "search:learned", "search@64:learned"])
def test_a_shipped_policy_that_changes_is_another_agent(
    folder: Path, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    policies = folder / "policies"
    policies.mkdir()
    monkeypatch.setattr(tournament_games, "shipped_files", lambda: shipped_files(policies))
    assert identify(spec) == Entrant(spec)
    digests = set()
    for model in (b"one", b"another"):
        (policies / "players_2.weights.npz").write_bytes(model)
        (policies / "players_2.json").write_text("{}")
        digests.add(identify(spec).digest)
    assert len(digests - {None}) == 2
