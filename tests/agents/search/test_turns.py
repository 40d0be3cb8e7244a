"""Search of games in which seats take turns: candidates, playouts, and the value that ends them."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.heuristics.gonzaga_value import Value
from gonzaga_agents.search.sequential_halving import Budget
from gonzaga_agents.search.signorie import SearchAgent as SignorieSearch
from gonzaga_agents.search.turns import TurnSearch, ValueFunction, _PolicyGuide, _ValueGuide
from gonzaga_agents.search.tuscany import SearchAgent as TuscanySearch

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.signorie import GameConfig as SignorieConfig
from gonzaga_env.signorie.batch.engine import Engine as SignorieEngine
from gonzaga_env.signorie.constants import MALE
from gonzaga_env.signorie.edition import read_edition
from gonzaga_env.tuscany import GameConfig as TuscanyConfig
from tests.agents.mixed import all_scores, decisions, resampled, seen
from tests.agents.networks import network_agent
from tests.marks import nightly

SEARCHES: dict[str, Any] = {"tuscany": TuscanySearch, "signorie": SignorieSearch}
every_game = pytest.mark.parametrize("game", SEARCHES)
every_guide = pytest.mark.parametrize(
    ("game", "guide"), [("tuscany", "value"), ("tuscany", "policy"), ("signorie", "value")]
)


def shipped_value(game: str, config: Any) -> ValueFunction:
    return ValueFunction.load(config, SEARCHES[game].game.features, SEARCHES[game].game.weights)


def shares_of(game: str, config: Any) -> Callable[[Any], np.ndarray]:
    """Returns the value that ships; Gonzaga's knows the starts of rounds."""
    if game == "gonzaga":
        return lambda engine: Value.shipped(config).shares(engine.state)
    return shipped_value(game, config).shares


def few(game: str, num_players: int) -> Any:
    """Returns games at all kinds of decisions."""
    whole = decisions(game, num_players)
    return whole.from_state(whole.config, whole.state.take(np.arange(0, 256, 3)))


@cache
def search(game: str, num_players: int, guide: str) -> TurnSearch:
    """Returns a search with the value, or one with a policy."""
    config = game_spec(game).config(num_players=num_players)
    own: dict[str, Any] = {"value": shipped_value(game, config)}
    if guide == "policy":
        own = {"policy": network_agent(config, trained=False)}
    made: TurnSearch = SEARCHES[game](config, Budget(8), **own)
    return made


@every_guide
@pytest.mark.parametrize("num_players", [2, *nightly(4)])
def test_search_compares_candidates_from_the_best_on(
    game: str, guide: str, num_players: int
) -> None:
    engine, agent = few(game, num_players), search(game, num_players, guide)
    observations, masks = seen(engine)
    scores = all_scores(make_agent("planner", engine.config), observations, masks)
    kinds, tried = set(), 0
    for rows, root in agent.search(observations, masks, np.random.default_rng(0)):
        kinds.add(root.kind)
        for row, actions in zip(rows, root.actions, strict=True):
            assert masks[row, actions[actions >= 0]].all()
            assert scores[row, actions[0]] == pytest.approx(scores[row].max(), abs=1e-3)
        searched = root.kind in agent.game.searched
        assert (root.visits.sum() > 0) == (searched and root.actions.shape[1] > 1)
        assert searched or root.actions.shape[1] == 1
        visited = root.visits > 0
        assert (root.totals[visited] >= 0).all()
        assert (root.totals[visited] <= root.visits[visited]).all()
        tried += visited.sum()
    assert tried > 50
    assert len(kinds) > 5


@every_guide
def test_what_is_hidden_changes_nothing(game: str, guide: str) -> None:
    """Neither hands, nor tiles and dice to come."""
    engine, agent = few(game, 3), search(game, 3, guide)
    other, masks = resampled(engine), engine.legal_action_mask()
    assert other.state.to_bytes() != engine.state.to_bytes()
    found = [agent.act(e.observe(), masks, np.random.default_rng(1)) for e in (engine, other)]
    np.testing.assert_array_equal(*found)


@every_guide
def test_what_is_not_searched_shows_what_the_guide_thinks(game: str, guide: str) -> None:
    engine, agent = few(game, 2), search(game, 2, guide)
    planner, rng = make_agent("planner", engine.config), np.random.default_rng(0)
    for kind, observation, mask in zip(
        engine.kinds[:40], *seen(engine, np.arange(40)), strict=True
    ):
        found = agent.consider(observation, mask, rng)
        assert found.actions[0] in np.flatnonzero(mask)
        assert (found.playouts is None) == (kind not in agent.game.searched)
        if found.playouts is None:
            assert sorted(found.actions) == np.flatnonzero(mask).tolist()
            assert found.unit == {"value": planner.unit, "policy": "probability"}[guide]


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("num_players", [3, *nightly(2, 4)])
def test_shares_of_the_victory_add_up_and_end_with_the_winners(game: str, num_players: int) -> None:
    spec, rng = game_spec(game), np.random.default_rng(0)
    config = spec.config(num_players=num_players)
    engine = spec.engine.from_config(config, 8, seed=1, autoreset=False)
    shares, every = shares_of(game, config), 2 * num_players if game == "gonzaga" else 5
    for step in count():
        live = (engine.seats >= 0).nonzero()[0]
        if not live.size:
            break
        if step % every == 0:
            found = shares(engine)
            np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)
            assert (found[live] > 0).all()
        engine.step(engine.sample_legal(rng, live), live)
    won = engine.winners()
    np.testing.assert_allclose(shares(engine), won / won.sum(axis=1, keepdims=True))


def other_edition(game: str) -> Any:
    """Returns a configuration with an edition for which no policy ships."""
    if game == "tuscany":
        return TuscanyConfig(2, edition=replace(TuscanyConfig(2).edition, digest="0"))
    shipped = SignorieConfig(2).edition.source
    content = shipped.read_bytes().replace(b'"reconstruction"', b'"another"')
    return SignorieConfig(2, edition=read_edition(content, shipped))


def test_a_search_takes_the_network_that_ships() -> None:
    made = make_agent("search@8", game_spec("tuscany").config(num_players=4))
    assert made.name == "search@8"
    assert type(made._guide) is _PolicyGuide
    config = other_edition("tuscany")
    guide = SEARCHES["tuscany"](config)._guide
    assert type(guide) is _ValueGuide
    assert type(guide.agent) is type(make_agent("planner", config))


def test_every_playout_rolls_dice_of_its_own() -> None:
    """So that a search takes the expectation over rolls, and not one lucky roll."""
    config = SignorieConfig(2)
    engine = SignorieEngine.from_config(config, 1, seed=3)  # its first seat has no bride: one die
    action = next(
        action
        for action in np.flatnonzero(engine.legal_action_mask()[0])
        if config.actions.to_text(action).split()[::2] == ["violet", "signoria"]
    )
    drawn = SignorieSearch.game.draw(config, engine.observe(), np.random.default_rng(0), 400)
    playouts = SignorieEngine.from_state(config, drawn, autoreset=False)
    males = playouts.state.supply[:, 0, MALE].copy()
    playouts.step(np.full(400, action))
    sons = playouts.state.supply[:, 0, MALE] - males
    assert set(sons.tolist()) == {0, 1}
    assert abs(sons.mean() - 0.5) < 0.1  # 4 standard errors
    while (playouts.state.round == 1).any():
        rows = np.flatnonzero(playouts.state.round == 1)
        masks = playouts.legal_action_mask(rows)
        last = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)  # at a die, that is to pass
        playouts.step(last, rows)
    assert len(np.unique(playouts.state.pool.reshape(400, -1), axis=0)) > 390


def test_the_value_knows_what_is_better() -> None:
    engine = few("signorie", 2)
    value, state = shipped_value("signorie", engine.config), engine.state.copy()
    state.scores[:, 0, 0] += 20
    state.florins[:, 0] += 5
    richer = SignorieEngine.from_state(engine.config, state)
    assert (value.shares(richer)[:, 0] >= value.shares(engine)[:, 0]).all()


def test_a_file_without_the_number_of_players_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "value.npz"
    np.savez(out, players_3=np.zeros((3, 2)))
    with pytest.raises(AgentError, match="players_2 is missing"):
        ValueFunction.load(TuscanyConfig(2), TuscanySearch.game.features, out)
