"""The tasks that ship: their pins, editions and deals."""

from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.bench import pins, tasks, tracks
from gonzaga_agents.bench.field import pins_of
from gonzaga_agents.bench.pins import (
    file_digests,
    make_measured,
    make_opponent,
    pin_of,
    plays_digest,
)
from gonzaga_agents.bench.run import check_files
from gonzaga_agents.bench.tasks import (
    EASY_FIELD,
    EASY_TASKS,
    FIELD,
    GAMES,
    MAP_TASKS,
    TEST_MAPS,
    BenchError,
    Task,
    commitment,
    development_secret,
    find_task,
    maps_digest,
    new_easy_task,
    new_map_task,
    task_names,
    task_of,
    write_tasks,
)
from gonzaga_agents.bench.tracks import CHECKED, DECLARED, check_track
from gonzaga_agents.policies.shipped import (
    network_path,
    policy_folder,
    policy_path,
    read_description,
    write_policy,
)
from gonzaga_agents.registry import make_agent

from gonzaga_env.core.editions.generating.named import frozen_set
from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.agent import AgentError, agent_name
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tuscany import Engine as Tuscany

AGAIN = "the field of gonzaga-bench has changed; to pin it: python -m gonzaga_agents.bench pin"


def test_every_game_and_number_of_players_has_a_task() -> None:
    wanted = [f"{game}/{players}p" for game in GAMES for players in game_spec(game).players]
    assert list(task_names()) == [*wanted, *MAP_TASKS, *EASY_TASKS]


@pytest.mark.parametrize("name", task_names())
def test_the_files_of_the_field_are_the_pinned_ones(name: str) -> None:
    task = find_task(name)
    hashed = maps_digest(task.edition) if task.maps else task.config.edition.digest
    assert hashed == task.edition_hash
    rules = task.config.rules
    assert rules.as_dict() == rules.completed(task.options["rules"])
    for opponent in task.field:
        found = file_digests(opponent.pin.spec, task.config, is_opponent=True)
        assert found == opponent.pin.files, f"{name}, {opponent.pin.spec}: {AGAIN}"


@pytest.fixture
def replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What `tuscany/2p` is played on, whose field keeps another policy than the one that ships."""
    own = policy_folder("tuscany")
    about = read_description(policy_path(own, 2, "json"))
    network = network_path(own, 2, "geometry").read_bytes()
    weights = {**np.load(BytesIO(network))}
    weights["choice_out.weight"] *= -1
    changed = BytesIO()
    np.savez(changed, **weights)
    described = {k: v for k, v in about.items() if k not in ("format", "sha256")}
    write_policy(policy_folder("tuscany", tmp_path), changed.getvalue(), described)
    monkeypatch.setattr(pins, "_REPLACED", tmp_path)
    return find_task("tuscany/2p").config


def test_a_policy_that_was_replaced_stays_in_the_field(replaced: Any) -> None:
    found = []
    for make in (make_opponent, make_agent):
        agent, engine = make("learned", replaced), Tuscany(8, 2, seed=0)
        seen = agent.evaluate(engine.observe(), engine.legal_action_mask())
        found.append(seen.probabilities.tobytes())
    assert len({*found}) == 2
    own, field = (file_digests("learned", replaced, is_opponent=is_it) for is_it in (False, True))
    assert own.keys() == field.keys()
    assert own != field


# Agents whose floating-point numbers hardly differ between machines.
@pytest.mark.parametrize("spec", ["greedy", "planner"])
@pytest.mark.parametrize("game", GAMES)
def test_the_field_plays_as_pinned(game: str, spec: str) -> None:
    task = find_task(f"{game}/2p")
    (pin,) = (each.pin for each in task.field if each.pin.spec == spec)
    assert plays_digest(spec, task.config) == pin.plays, f"{task.name}, {spec}: {AGAIN}"


@pytest.mark.parametrize("name", MAP_TASKS)
def test_each_deal_of_a_task_on_maps_has_its_own_map(name: str) -> None:
    task = find_task(name)
    assert new_map_task(name).difference_from(task, field=False) is None
    assert set(task.maps) == set(frozen_set("test"))
    assert (task.deals, task.players) == (len(task.maps), MAP_TASKS[name])
    labels = [task.config_of(deal).edition.label for deal in (0, 1, 2, 99)]
    assert labels == [f"generated:{m}" for m in ("grow-50", "perturb-50", "grow-51", "perturb-99")]
    assert [pin.spec for pin in pins_of(task)] == [*FIELD]


@pytest.mark.parametrize("name", EASY_TASKS)
def test_easy_tasks_differ_from_the_others_by_their_field(name: str) -> None:
    task, like = find_task(name), find_task(name.replace("easy-", ""))
    assert new_easy_task(name).difference_from(task, field=False) is None
    assert [pin.spec for pin in pins_of(task)] == [*EASY_FIELD]
    others = {"game", "players", "deals", "edition", "edition_hash", "versions"}
    assert all(task.as_dict()[key] == like.as_dict()[key] for key in others)


def test_other_maps_than_those_of_the_task_are_refused() -> None:
    plain = find_task("gonzaga/generated-2p").as_dict()
    changed = task_of("gonzaga/generated-2p", {**plain, "edition_hash": "0" * 64})
    with pytest.raises(BenchError, match="another edition, other rules or another layout"):
        _ = changed.config
    assert maps_digest(TEST_MAPS) == plain["edition_hash"] != maps_digest("generated:train")


def test_policies_play_the_tasks_on_maps_that_they_do_not_know() -> None:
    """As opponents and as agents."""
    config = find_task("gonzaga/generated-4p").config
    for make in (make_measured, make_opponent):
        assert agent_name(make("learned", config)) == "learned (made for Europe)"
    with pytest.raises(AgentError, match="made for edition 'Europe'"):
        make_agent("learned", config)


def test_the_digest_of_play_tells_agents_apart() -> None:
    config = find_task("gonzaga/2p").config
    found = [plays_digest(spec, config) for spec in ("random", "greedy", "planner", "greedy")]
    assert len({*found}) == 3
    assert found[1] == found[3]


def test_a_search_with_a_time_budget_is_pinned_by_its_files_alone() -> None:
    pin = pin_of("search@5ms", find_task("gonzaga/2p").config)
    assert pin.plays is None
    assert list(pin.files) == ["gonzaga/values/players_2.npz"]


def test_seeds_of_deals_are_as_documented() -> None:
    task, secret = find_task("gonzaga/2p"), bytes(range(16))
    digest = sha256(secret + b"gonzaga-bench 2/gonzaga/2p/3").digest()
    first_bits = int("".join(f"{byte:08b}" for byte in digest)[:53], 2)
    assert task.deal_seeds(secret, [3]).tolist() == [first_bits]
    assert task.deal_seeds(secret, range(3)).dtype == np.uint64
    assert len({*task.deal_seeds(secret, range(100)).tolist()}) == 100


def test_tasks_and_sets_have_deals_of_their_own() -> None:
    one, other = find_task("gonzaga/2p"), find_task("gonzaga/3p")
    secrets = [bytes(range(16)), development_secret(0), development_secret(1)]
    found = [task.deal_seeds(secret, [0]).item() for task in (one, other) for secret in secrets]
    assert len({*found}) == 6
    assert development_secret(258) == bytes(14) + b"\x01\x02"
    with pytest.raises(OptionError, match="development is -1; it takes 0 to"):
        development_secret(-1)


def test_a_task_is_plain_data_and_back() -> None:
    task = find_task("signorie/3p")
    assert task_of(task.name, task.as_dict()) == task


def test_an_unknown_task_is_named_with_those_there_are() -> None:
    with pytest.raises(OptionError, match=r"no task 'chess'; take gonzaga/2p, gonzaga/3p"):
        find_task("chess")


def test_the_secret_is_held_to_its_commitment(task: Task) -> None:
    assert tasks.revealed_secret() == bytes(range(16))
    before = commitment()
    write_tasks({"commitment": before, "secret": None}, [task])
    with pytest.raises(BenchError, match="not revealed yet; --development 0"):
        tasks.revealed_secret()
    write_tasks({"commitment": None, "secret": None}, [task])
    with pytest.raises(BenchError, match="not drawn yet; --development 0"):
        tasks.revealed_secret()
    write_tasks({"commitment": before, "secret": "00" * 16}, [task])
    with pytest.raises(BenchError, match="not the one that was committed to"):
        tasks.revealed_secret()


def test_another_edition_is_refused(task: Task) -> None:
    changed = task_of(task.name, {**task.as_dict(), "edition_hash": "0" * 64})
    with pytest.raises(BenchError, match="another edition, other rules or another layout"):
        _ = changed.config


def test_another_file_of_an_opponent_is_refused() -> None:
    plain = find_task("gonzaga/2p").as_dict()
    plain["field"][2]["files"] = {"policies/players_2.onnx": "0" * 64}
    with pytest.raises(BenchError, match=r"learned is not the opponent.*players_2.onnx differs"):
        check_files(task_of("gonzaga/2p", plain))


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


@pytest.mark.parametrize(
    ("more", "track", "found"),
    [
        ({}, "zero", CHECKED),
        ({"prior": "planner"}, "prior", CHECKED),
        ({"prior": "planner"}, "data", DECLARED),
        ({"arguments": {"start": "runs/b"}}, "zero", DECLARED),
        ({"arguments": {"start": "runs/b"}}, "prior", DECLARED),
        ({"arguments": {"exploit": "runs/b"}}, "zero", DECLARED),
        ({"arguments": {"exploit": "runs/b"}}, "prior", DECLARED),
        ({"arguments": {"opponents": "random, past"}}, "zero", CHECKED),
        ({"arguments": {"opponents": "greedy", "self_play": 1}}, "zero", CHECKED),
    ],
)
def test_a_checkpoint_says_what_it_was_trained_with(
    monkeypatch: pytest.MonkeyPatch, more: dict[str, Any], track: str, found: str
) -> None:
    described(monkeypatch, **more)
    assert check_track(track, "runs/a", 10**5, "gonzaga") == found
    if "prior" not in more:
        assert check_track("prior", "runs/a", None, "gonzaga") == CHECKED


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
