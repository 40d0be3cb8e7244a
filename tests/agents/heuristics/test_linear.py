"""The agent linear: facts of choices, weights in files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.heuristics.facts import Choices, Critic, LinearPolicy
from gonzaga_agents.heuristics.linear import (
    READERS,
    LinearAgent,
    fact_reader,
    linear_path,
    read_critic,
    read_linear,
    write_linear,
)

from gonzaga_env.core import GameConfig
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import AgentError, Considered
from tests.agents.mixed import decisions, seen

GAMES = sorted(READERS)


def policy_of(game: str, seed: int = 1) -> LinearPolicy:
    reader = READERS[game]
    shape = len(reader.NAMES), len(reader.BASES)
    return LinearPolicy(np.random.default_rng(seed).normal(size=shape).astype(np.float32))


def critic_of(config: Any, seed: int = 2) -> Critic:
    rng, size = np.random.default_rng(seed), len(read_critic(config).weights)
    return Critic(rng.normal(size=size).astype(np.float32), np.ones(3, np.float32))


def by_decision(found: list[Choices]) -> list[tuple[Any, ...]]:
    """Returns actions, columns, facts and bases of each decision, in their order."""
    parts = {}
    for choices in found:
        for row, decision in enumerate(choices.decisions.tolist()):
            own = choices.rows == row
            order = choices.actions[own].argsort()
            facts = choices.facts[own][order]
            columns = choices.columns
            parts[decision] = choices.actions[own][order], columns, facts, choices.bases[row]
    return [parts[number] for number in range(len(parts))]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("num_players", [2, 4])
def test_facts_are_those_that_the_seat_knows(game: str, num_players: int) -> None:
    engine, policy = decisions(game, num_players), policy_of(game)
    reader, games = fact_reader(engine.config), np.arange(engine.num_games)
    observations, masks = seen(engine)
    rng = np.random.default_rng(5)  # draws what is hidden
    known = by_decision(reader.read(observations, masks, policy, rng))
    direct = by_decision(reader.read_engine(engine, games, engine.seats, policy))
    assert len(known) == len(direct) == engine.num_games
    for mask, one, other in zip(masks, known, direct, strict=True):
        for first, second in zip(one, other, strict=True):
            np.testing.assert_array_equal(first, second)
        actions, columns, facts, bases = one
        assert len(actions)
        assert mask[actions].all()
        assert facts.dtype == bases.dtype == np.float32
        assert facts.shape[1] == columns.stop - columns.start
        assert bases[0] == 1


@pytest.mark.parametrize("game", GAMES)
def test_readers_are_complete(game: str) -> None:
    reader, spec = READERS[game], game_spec(game)
    assert len({*reader.NAMES}) == len(reader.NAMES)
    assert {*reader.OPENING} <= {*spec.kinds}
    assert {*reader.START} <= {*reader.NAMES}
    for num_players in spec.players:
        config = spec.config(num_players=num_players)
        assert read_linear(config).weights.shape == (len(reader.NAMES), len(reader.BASES))


def test_seats_that_plan_unseen_are_asked_together_or_one_by_one() -> None:
    config = GameConfig(3)
    engine = game_spec("gonzaga").engine.from_config(config, 8, seed=2)
    agent, rng = LinearAgent(config), np.random.default_rng(0)
    for _ in range(2):
        games = np.repeat(np.arange(8), 3)
        together = agent.act_in(engine, games, np.tile(np.arange(3), 8), rng).reshape(8, 3)
        for seat in range(3):
            alone = agent.act(engine.observe(), engine.legal_action_mask(), rng)
            assert (alone == together[:, seat]).all()
            engine.step(alone)
        for _ in range(3):
            engine.step(agent.act_in(engine, np.arange(8), engine.seats, rng))


def test_it_considers_its_choices_best_first() -> None:
    config = GameConfig(2)
    engine, agent = decisions("gonzaga", 2), LinearAgent(config)
    observations, masks = seen(engine)
    for row in range(0, 256, 50):
        found: Considered = agent.consider(observations[row], masks[row], np.random.default_rng(0))
        assert (np.diff(found.values) <= 0).all()
        assert found.unit == "points"
        assert len(found.actions) <= masks[row].sum()


def test_weights_come_back_from_their_file(tmp_path: Path) -> None:
    config, policy = GameConfig(3), policy_of("gonzaga")
    critic = critic_of(config)
    write_linear(tmp_path, config, policy, critic, {"arguments": {}})
    assert np.allclose(read_critic(config, tmp_path).weights, critic.weights, rtol=1e-4)
    found = make_agent(str(tmp_path), config)
    assert isinstance(found, LinearAgent)
    assert np.allclose(found.policy.weights, policy.weights, rtol=1e-4)
    with pytest.raises(AgentError, match=r"linear_2\.json: can't be read"):
        make_agent(str(tmp_path), GameConfig(2))


def spoil(name: str, value: object) -> Any:
    return lambda content: content | {name: value}


def spoil_row(value: object) -> Any:
    return lambda content: content | {"weights": content["weights"] | {"a harbor": value}}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda _: [], "is not a file of linear weights"),
        (spoil("format", 7), "is not a file of linear weights"),
        (spoil("num_players", "three"), "takes an integer num_players"),
        (spoil("num_players", 2), "made for 'gonzaga' with 2 players"),
        (spoil("game", "tuscany"), "made for 'tuscany'"),
        (spoil("arguments", 0), "and arguments, an object"),
        (spoil("bases", ["always"]), "other bases"),
        (spoil("weights", {}), "other facts"),
        (spoil("weights", []), "of other facts"),
        (spoil("temperature", None), "temperature is None"),
        (spoil("temperature", 0), "temperature is 0"),
        (spoil("temperature", 1e-38), "temperature is 1e-38; it takes 0.001 or more"),
        (spoil("format", 1), "is not a file of linear weights of format 2"),
        (spoil("critic", None), "sharpness of the critic is None; it takes 3 numbers"),
        (spoil("critic", {"sharpness": [1, 2, "3"]}), "sharpness of the critic is"),
        (spoil("critic", {"sharpness": [1, 2, 3], "weights": [1.0]}), "weights of the critic"),
        (spoil_row([1, 2]), "'a harbor' takes 5 numbers"),
        (spoil_row([1, 2, 3, 4, True]), "'a harbor' takes 5 numbers"),
        (spoil_row([1, 2, 3, 4, 1e30]), "'a harbor' takes 5 numbers"),
        (spoil_row(5), "'a harbor' takes 5 numbers"),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, change: Any, words: str) -> None:
    config = GameConfig(3)
    write_linear(tmp_path, config, policy_of("gonzaga"), critic_of(config), {"arguments": {}})
    path = linear_path(tmp_path, 3)
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    with pytest.raises(AgentError, match=words) as caught:
        read_critic(config, tmp_path)
    assert str(caught.value).count(path.name) == 1
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("num_players", [2, 3])
def test_critics_give_shares_of_the_victory(game: str, num_players: int) -> None:
    """Where periods open they add up, end with the winners, and know who is ahead."""
    spec, rng = game_spec(game), np.random.default_rng(0)
    config = spec.config(num_players=num_players)
    engine = spec.engine.from_config(config, 16, seed=1, autoreset=False)
    reader, critic, agent = fact_reader(config), read_critic(config), LinearAgent(config)
    said, opening = [], [spec.kinds.index(kind) for kind in reader.OPENING]
    while len(live := np.flatnonzero(engine.seats >= 0)):
        if not reader.TOGETHER or np.isin(engine.kinds[live], opening).all():
            shares = critic.shares(reader, engine, agent.policy)
            np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-5)
            assert (shares[live] > 0).all()
            said.append(shares)
        engine.step(agent.act_in(engine, live, engine.seats[live], rng), live)
    won = engine.winners() / engine.winners().sum(axis=1, keepdims=True)
    np.testing.assert_allclose(critic.shares(reader, engine, agent.policy), won)
    late = said[len(said) * 3 // 4]
    assert (late * won).sum(axis=1).mean() > 1.1 / num_players


@pytest.mark.parametrize("game", GAMES)
def test_explain_shows_the_worth_of_every_fact(gonzaga: Any, game: str) -> None:
    code, told, _ = gonzaga("explain", "--game", game, "--players", "2")
    assert code == 0
    lines = told.splitlines()
    reader = READERS[game]
    assert [line for line in lines[2:] if any(map(line.startswith, reader.NAMES))] == lines[2:]
    assert len(lines) == 2 + len(reader.NAMES)
    policy = read_linear(game_spec(game).config(num_players=2))
    moments = [*reader.MOMENTS.values()] or [*np.eye(len(reader.BASES))]
    shown = np.array([line.split()[-len(moments) :] for line in lines[2:]], np.float64)
    assert np.allclose(shown, policy.weights @ np.array(moments).T, atol=0.051)


def test_other_agents_weigh_no_facts(gonzaga: Any) -> None:
    code, _, complaint = gonzaga("explain", "greedy")
    assert code == 2
    assert "agent is 'greedy', which weighs no facts" in complaint
