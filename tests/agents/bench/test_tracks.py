"""The tracks: what an agent may use, as far as it can be checked."""

from pathlib import Path
from typing import Any

import pytest
from gonzaga_agents.bench import tracks
from gonzaga_agents.bench.tasks import find_task, task_names
from gonzaga_agents.bench.tracks import CHECKED, DECLARED, check_track

from gonzaga_env.tabletop.errors import OptionError


@pytest.mark.parametrize(
    ("track", "spec", "found"),
    [
        ("zero", "random", CHECKED),
        ("prior", "planner", CHECKED),
        ("prior", "learned", CHECKED),
        ("search", "search@100", CHECKED),
        ("search", "search@20ms", CHECKED),
        ("search", "search", CHECKED),
        ("search", "planner", CHECKED),
        ("data", "mine.py:Agent", DECLARED),
        ("zero", "mine:Agent", DECLARED),
    ],
)
def test_tracks_take_agents(track: str, spec: str, found: str) -> None:
    assert check_track(track, spec, None, "gonzaga") == found


@pytest.mark.parametrize(
    ("track", "spec", "budget", "message"),
    [
        ("zero", "greedy", None, "greedy knows the rules; the track zero"),
        ("data", "learned", None, "learned knows the rules; the track data"),
        ("prior", "search@8", None, "search@8 searches when playing"),
        ("search", "search@101", None, "allows 100 playouts"),
        ("search", "search@21ms:learned", None, "allows 20 ms a decision"),
        ("prior", "planner", 10**5, "planner comes with this package; leave out --budget"),
        ("prior", "learned", 10**5, "learned comes with this package; leave out --budget"),
        ("search", "search@8", 10**5, "search@8 comes with this package; leave out --budget"),
        ("search", "search@8:learned", 10**5, "comes with this package; leave out --budget"),
        ("prior", "learned", 20, "it takes 100000, 1000000, 10000000 turns"),
        ("none", "random", None, "track is 'none'; it takes zero, prior, search, data"),
    ],
)
def test_tracks_refuse_agents(track: str, spec: str, budget: int | None, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        check_track(track, spec, budget, "gonzaga")


def described(monkeypatch: pytest.MonkeyPatch, **more: Any) -> None:
    """Makes every checkpoint say this of itself."""
    said = {"timesteps": 100_352, "prior": "none", "arguments": {"opponents": "past"}, **more}
    monkeypatch.setattr(tracks, "checkpoint_description", lambda spec: said)


def test_a_checkpoint_without_a_prior_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    described(monkeypatch)
    assert check_track("zero", "runs/a", 10**5, "gonzaga") == CHECKED
    described(monkeypatch, prior="planner")
    assert check_track("prior", "runs/a", 10**5, "gonzaga") == CHECKED
    assert check_track("data", "runs/a", 10**5, "gonzaga") == DECLARED


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"prior": "planner"}, "trained with the planner's prior"),
        ({"timesteps": 200_000}, "trained for 200,000 turns; the budget is 100,000"),
        ({"arguments": {"opponents": "past,greedy"}}, "trained against greedy"),
        ({"opponents": [7]}, "trained against 7"),
        ({"opponents": ["runs/b"], "arguments": {"exploit": "runs/b"}}, "trained against runs/b"),
        ({"arguments": {"imitate": 10}}, "imitated other agents"),
        ({"arguments": {"algorithm": "expert"}}, "imitated other agents"),
        ({"arguments": {"algorithm": "clone"}}, "imitated other agents"),
    ],
)
def test_a_checkpoint_that_breaks_the_rules_is_refused(
    monkeypatch: pytest.MonkeyPatch, more: dict[str, Any], message: str
) -> None:
    described(monkeypatch, **more)
    with pytest.raises(OptionError, match=message):
        check_track("zero", "runs/a", 10**5, "gonzaga")


def test_a_search_is_held_to_the_turns_of_its_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    described(monkeypatch, timesteps=200_000)
    assert check_track("search", "search@8:runs/a", 10**6, "gonzaga") == CHECKED
    with pytest.raises(OptionError, match="was trained for 200,000 turns; the budget is 100,000"):
        check_track("search", "search@8:runs/a", 10**5, "gonzaga")


@pytest.mark.parametrize("track", ["zero", "prior"])
@pytest.mark.parametrize("name", ["start", "exploit"])
def test_a_start_from_another_checkpoint_is_declared(
    monkeypatch: pytest.MonkeyPatch, name: str, track: str
) -> None:
    described(monkeypatch, arguments={name: "runs/b"})
    assert check_track(track, "runs/a", 10**5, "gonzaga") == DECLARED
    assert check_track("prior", "runs/a", None, "gonzaga") == CHECKED


def test_opponents_may_have_spaces_between(monkeypatch: pytest.MonkeyPatch) -> None:
    described(monkeypatch, arguments={"opponents": "random, past"})
    assert check_track("zero", "runs/a", 10**5, "gonzaga") == CHECKED


def test_games_of_self_play_alone_have_no_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    described(monkeypatch, arguments={"opponents": "greedy", "self_play": 1})
    assert check_track("zero", "runs/a", 10**5, "gonzaga") == CHECKED


PAGE = (Path(__file__).parents[3] / "docs" / "bench.md").read_text("utf-8")


def test_the_page_names_every_track() -> None:
    assert all(f"| `{track}` |" in PAGE for track in tracks.TRACKS)


@pytest.mark.parametrize("name", task_names())
def test_the_page_names_every_task(name: str) -> None:
    task = find_task(name)
    games = task.deals * task.players * len(task.field)
    assert f"| `{name}` | {task.deals} | {games} |" in PAGE
    for opponent in task.field:
        assert f"`{opponent.pin.spec}`" in PAGE
