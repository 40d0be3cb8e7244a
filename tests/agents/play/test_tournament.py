"""Whole tournaments: however they are cut, they end with the same table."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gonzaga_agents.play import tournament as module
from gonzaga_agents.play.games import identify_all
from gonzaga_agents.play.jobs import open_executor
from gonzaga_agents.play.tournament import Tournament
from gonzaga_agents.play.tournament_results import Session

from gonzaga_env.core import GameConfig
from gonzaga_env.kernel.agent import AgentError

pytestmark = pytest.mark.usefixtures("agents")


def tournament(*specs: str, players: tuple[int, ...] = (2,), **changes: Any) -> Tournament:
    entrants = tuple(identify_all(specs or ("random", "mine.py:First", "mine.py:Last")))
    configs = tuple(GameConfig(number) for number in players)
    session = Session("2026-11-21", "cab3026")
    return replace(Tournament(configs, entrants, 0, Path("out"), None, session), **changes)


def lines(folder: str = "out") -> list[str]:
    return Path(folder, "games.jsonl").read_text().splitlines()


class Stopped(BaseException):
    """Stands for Ctrl-C."""


@pytest.mark.parametrize("stop_after", [0, 1, 4])
def test_an_interrupted_tournament_ends_with_the_same_table(
    monkeypatch: pytest.MonkeyPatch, stop_after: int
) -> None:
    whole = tournament(players=(2, 3)).rank(8)
    written = lines()
    play = module.play_units

    def interrupted(*args: Any, **more: Any) -> Iterator[Any]:
        yield from itertools.islice(play(*args, **more), stop_after)
        raise Stopped

    cut = tournament(players=(2, 3), out=Path("cut"))
    monkeypatch.setattr(module, "play_units", interrupted)
    with pytest.raises(Stopped):
        cut.rank(8)
    kept = lines("cut")
    monkeypatch.setattr(module, "play_units", play)
    assert cut.rank(8) == whole
    assert lines("cut")[: len(kept)] == kept
    assert len(set(lines("cut"))) == len(written)


def test_finished_games_are_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tournament().rank(8)
    before = lines()
    monkeypatch.setattr("gonzaga_agents.play.tournament_games.Chunk.play", None)
    assert tournament().rank(8) == whole
    assert lines() == before


def test_several_processes_make_the_same_table() -> None:
    with open_executor(workers=2) as two:
        assert tournament(executor=two, out=Path("two")).rank(8) == tournament().rank(8)
    assert sorted(lines("two")) == sorted(lines())


def test_a_new_agent_plays_only_what_is_new() -> None:
    tournament("random", "mine.py:First").rank(4)
    before = lines()
    added = tournament().rank(4)
    assert lines()[: len(before)] == before
    new = [line for line in lines()[len(before) :] if '"session"' not in line]
    assert len(new) == 2 * 4 * 2
    assert all("Last" in line for line in new)
    assert added == tournament(out=Path("fresh")).rank(4)


def test_more_deals_play_only_what_is_new() -> None:
    tournament().rank(4)
    before = lines()
    assert tournament().rank(8) == tournament(out=Path("fresh")).rank(8)
    assert lines()[: len(before)] == before


def test_the_order_of_the_agents_changes_no_game() -> None:
    tournament("random", "mine.py:First", "mine.py:Last").rank(4)
    tournament("mine.py:Last", "random", "mine.py:First", out=Path("other")).rank(4)
    assert sorted(lines()) == sorted(lines("other"))


def test_agents_that_are_not_named_do_not_count() -> None:
    tournament().rank(4)
    _, (table,) = tournament("random", "mine.py:First").rank(4)
    assert (table.games, len(table.agents)) == (8, 2)


def test_a_table_counts_the_games_that_were_asked_for_and_no_others() -> None:
    greedy = ("greedy", "mine.py:First", "random")
    fresh = tournament(*greedy, players=(2, 3), out=Path("fresh")).rank(4)
    tournament(*greedy, players=(3,)).rank(8)
    tournament("mine.py:First", "random").compare(20)  # stops when one is ahead
    assert len(lines()) > len(lines("fresh"))
    assert tournament(*greedy, players=(2, 3)).rank(4) == fresh


def test_the_table_says_who_is_better() -> None:
    played, (two, three) = tournament("random", "greedy", players=(2, 3)).rank(6)
    assert played.sessions == (Session("2026-11-21", "cab3026"),)
    assert played.outdated == {}
    for table, players in ((two, 2), (three, 3)):
        assert table.num_players == players
        assert [agent.name for agent in table.agents] == ["greedy", "random"]
        assert table.anchor == "greedy"
        assert table.agents[0].rating.rating == 1000
        assert table.agents[1].rating.rating < 800
        assert table.agents[0].score.mean > table.agents[1].score.mean + 50
        assert table.pairs[0][1] is not None
        assert table.pairs[0][1].mean == 1
    assert (two.tables, two.deals, two.games) == (1, 6, 12)
    assert (three.tables, three.deals, three.games) == (2, 6, 36)
    assert two.agents[0].win_share.mean == 1
    assert two.agents[0].games == 12


def test_without_greedy_the_first_agent_is_the_anchor() -> None:
    _, (table,) = tournament("mine.py:Last", "random").rank(4)
    assert table.anchor == "Last"
    assert {a.name: a.rating.rating for a in table.agents}["Last"] == 1000


def test_an_agent_whose_file_changed_plays_anew_and_is_named(agents: Path) -> None:
    tournament("random", "mine.py:First").rank(4)
    text = agents.read_text()
    agents.write_text(text.replace("argmax", "argmin").replace("masks.", "(~masks)."))
    played, (table,) = tournament("random", "mine.py:First").rank(4)
    assert played.outdated == {"mine.py:First": 8}
    assert table.games == 8
    assert len([line for line in lines() if '"deal"' in line]) == 16


def test_an_invalid_action_names_the_agent(agents: Path) -> None:
    text = agents.read_text()
    agents.write_text(text.replace("masks.argmax(axis=1)", "masks.argmin(axis=1)"))
    for workers in (1, 2):
        with (
            open_executor(workers=workers) as two,
            pytest.raises(AgentError, match="First: "),
        ):
            tournament("random", "mine.py:First", executor=two).rank(8)


def test_a_comparison_stops_when_it_is_decided() -> None:
    _, (found,) = tournament("greedy", "random").compare(100)
    assert found.decision.decided
    assert found.decision.low > 0.5
    assert found.seats == (("greedy", 1), ("random", 1))
    assert found.games == 2 * found.decision.deals < 40
    assert len([line for line in lines() if '"deal"' in line]) < 40


def test_a_comparison_plays_on_where_it_was_and_ends_alike() -> None:
    whole = tournament("greedy", "random", "mine.py:First", players=(4,)).compare(30)
    short = tournament("greedy", "random", "mine.py:First", players=(4,), out=Path("cut"))
    _, (early,) = short.compare(4)
    assert (early.decision.decided, early.decision.deals) == (False, 4)
    with open_executor(workers=2) as two:
        assert replace(short, executor=two).compare(30) == whole
    before = lines("cut")
    assert short.compare(30) == whole
    assert lines("cut") == before, "it was decided already"
    assert whole[1][0].seats == (("greedy", 1), ("random", 1), ("First", 2))


def test_the_order_of_the_games_in_the_file_does_not_matter() -> None:
    found = tournament("greedy", "random").compare(100)
    ranked = tournament("greedy", "random").rank(12)
    header, *rest = lines()
    Path("out", "games.jsonl").write_text("\n".join([header, *rest[::-1]]) + "\n")
    assert tournament("greedy", "random").compare(100)[1] == found[1]
    assert tournament("greedy", "random").rank(12)[1] == ranked[1]


def test_a_comparison_that_reaches_its_limit_says_so(agents: Path) -> None:
    agents.write_text(agents.read_text() + "class Again(First): ...\n")
    _, (found,) = tournament("mine.py:First", "mine.py:Again").compare(6)
    assert not found.decision.decided
    assert (found.decision.deals, found.limit, found.decision.mean) == (6, 6, 0.5)
