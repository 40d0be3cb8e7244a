"""`draw_choices`, `draw_scores` and `draw_values`: they show what agents say and records hold."""

import math
from typing import Any

import gymnasium
import numpy as np
import pytest
from gonzaga_agents import Considered, Evaluation, GreedyAgent, RandomAgent, make_agent

from gonzaga_env import draw_choices, draw_scores, draw_values, gonzaga_v0
from gonzaga_env.core import Engine, Game, GameConfig, OptionError, RecordError, StateError
from gonzaga_env.core.spec import positions, replay
from gonzaga_env.kernel.messages import shown_name
from gonzaga_env.kernel.records import Record
from gonzaga_env.render.charts import curve_axes
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.shapes import Line
from tests.conftest import finished, played
from tests.core.test_records import record_games
from tests.render.scenes import texts as texts_of


@pytest.fixture(scope="module")
def record() -> Record:
    (found,) = record_games(Engine(1, 3, seed=1), 1)
    return found


def texts(picture: Any) -> list[str]:
    return texts_of(picture.scene)


def words(picture: Any) -> str:
    return " ".join(texts(picture))


def curves(picture: Any) -> list[Line]:
    lines = [shape for shape in picture.scene.shapes if isinstance(shape, Line)]
    return [line for line in lines if line.paint.width == 3 and line.paint.stroke in LIGHT.players]


class Shares:
    """Has probabilities and values only, and keeps what it was shown."""

    name = "shares"

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def evaluate(self, observations: Any, masks: Any) -> Evaluation:
        self.seen.append((observations, masks))
        shares = masks / masks.sum(axis=1, keepdims=True)
        values = observations.astype(np.float32).sum(axis=1) / 1e4
        return Evaluation(shares.astype(np.float32), values, "victories")


@pytest.mark.parametrize("move", [0, 3, 40, 71])
def test_choices_are_those_of_the_agent_best_first(record, move) -> None:
    picture = draw_choices(record, "greedy", move=move)
    engine = Engine.from_state(GameConfig(3), list(positions(record))[move])
    found = GreedyAgent(engine.config).consider(
        engine.observe()[0], engine.legal_action_mask()[0], np.random.default_rng(0)
    )
    assert "What greedy considers" in texts(picture)
    shown = words(picture)
    for action in found.actions[:3].tolist():
        assert engine.describe(action)[:30] in shown
    assert "played" in texts(picture)
    assert f"for {shown_name(record['agents'][engine.seats[0]])}" in shown
    assert f"{found.values[0]:.1f}".replace("-", "\u2212") in shown


def test_all_holders_of_a_position_give_the_same_picture() -> None:
    engine = played(Engine(3, 3, seed=2), 40)
    agent = GreedyAgent(engine.config)
    row = draw_choices(engine, agent, game=1)
    assert row.svg == draw_choices(engine, "greedy", game=1).svg
    assert row.svg == draw_choices(engine.state, agent, config=engine.config, game=1).svg
    assert row.svg != draw_choices(engine, agent).svg
    assert row.svg != draw_choices(engine, agent, game=1, theme="dark").svg
    game, rng = Game(3, seed=3), np.random.default_rng(0)
    aec = gonzaga_v0.env(num_players=3)
    aec.reset(seed=3)
    for _ in range(25):
        action = game.sample_legal(rng)
        game.play(action)
        aec.step(action)
    assert draw_choices(game, agent).svg == draw_choices(aec, agent).svg
    env = gymnasium.make("gonzaga/Gonzaga-v0", num_players=3)
    env.reset(seed=1)
    assert "What greedy considers" in texts(draw_choices(env, "greedy"))
    many = gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=2, num_players=3)
    many.reset(seed=1)
    assert draw_choices(many, agent).svg == draw_choices(env, agent).svg
    assert draw_choices(many, agent, game=1).svg != draw_choices(many, agent).svg


@pytest.mark.parametrize("steps", [0, 1, 2, 38, 40, 41])
def test_nothing_hidden_is_shown_to_agent_or_reader(steps) -> None:
    engine = played(Engine(1, 3, seed=2), steps)
    twin = engine.copy()
    twin.state = engine.resample(int(engine.seats[0]), np.random.default_rng(steps))
    assert (twin.state.deck != engine.state.deck).any()
    pictures, agents = [], [Shares(), Shares()]
    for one, agent in zip((engine, twin), agents, strict=True):
        pictures.append(draw_choices(one.state, agent, config=one.config).svg)
        pictures.append(draw_choices(one.state, "greedy", config=one.config).svg)
    assert pictures[:2] == pictures[2:]
    for mine, other in zip(*(agent.seen[0] for agent in agents), strict=True):
        assert (mine == other).all()


def test_probabilities_are_shown_as_shares() -> None:
    engine = played(Engine(1, 3, seed=2), 41)
    number = int(engine.legal_action_mask().sum())
    for agent in (Shares(), RandomAgent(engine.config)):
        picture = draw_choices(engine, agent)
        assert "probability of covering the hex" in texts(picture)
        assert texts(picture).count(f"{100 / number:.0f} %" if number < 200 else "< 1 %") >= 10
    plans = draw_choices(Engine(1, 3, seed=2), Shares())
    assert "probability of planning the region" in texts(plans)


def test_what_an_agent_draws_depends_on_the_seed_alone() -> None:
    class Drawing:
        def consider(self, observation: Any, mask: Any, rng: np.random.Generator) -> Considered:
            return Considered(np.flatnonzero(mask)[:1], rng.random(1), "luck")

    engine, agent = Engine(1, 3, seed=1), Drawing()
    assert draw_choices(engine, agent).svg == draw_choices(engine, agent, seed=0).svg
    assert draw_choices(engine, agent).svg != draw_choices(engine, agent, seed=1).svg
    assert "What Drawing considers" in texts(draw_choices(engine, agent))


def test_scores_are_those_of_the_record(record, tmp_path) -> None:
    path = tmp_path / "scores.svg"
    picture = draw_scores(record, path)
    assert path.read_text("utf-8") == picture.svg
    states = [*positions(record), replay(record).state]
    totals = np.array([state.totals[0] for state in states]).T.tolist()
    assert len(totals[0]) == len(record["moves"]) + 1
    names = [shown_name(name) for name in record["agents"]]
    axes = curve_axes(totals, names)
    for line, series in zip(curves(picture), totals, strict=True):
        assert line.points == tuple(axes.point(move, value) for move, value in enumerate(series))
    for name, total in zip(names, record["scores"]["total"], strict=True):
        assert f"{total}  {name}" in texts(picture)
    assert "6" in texts(picture)  # a grid line for each round of 2 P moves
    assert "12" in texts(picture)
    assert "5  x" not in texts(draw_scores(record, names=["x", "y", "z"]))
    assert " x " in words(draw_scores(record, names=["x", "y", "z"]))


def test_values_are_those_of_the_agent_at_each_seats_own_moves(record) -> None:
    agent = Shares()
    picture = draw_values(record, agent)
    states = list(positions(record))
    engines = [Engine.from_state(GameConfig(3), state) for state in states]
    (observations, masks), *more = agent.seen
    assert not more  # one batch
    for engine, observation, mask in zip(engines, observations, masks, strict=True):
        assert (observation == engine.observe()[0]).all()
        assert (mask == engine.legal_action_mask()[0]).all()
    values = (observations.astype(np.float32).sum(axis=1) / 1e4).tolist()
    series = [
        [
            value if engine.seats[0] == seat else math.nan
            for engine, value in zip(engines, values, strict=True)
        ]
        for seat in range(3)
    ]
    axes = curve_axes(series, record["agents"])
    for seat, line in enumerate(curves(picture)):
        own = [(i, v) for i, v in enumerate(series[seat]) if not math.isnan(v)]
        assert np.array(line.points) == pytest.approx(np.array([axes.point(i, v) for i, v in own]))
    assert "victories" in texts(picture)


def test_agents_that_search_or_count_points_have_values_too(record) -> None:
    assert "points now, objective included, less 0.1 a ring and 0.5 a donation" in words(
        draw_values(record, "greedy", theme="dark")
    )
    with pytest.raises(OptionError, match=r"it has probabilities only; greedy and search"):
        draw_values(record, ProbabilitiesOnly())


class ProbabilitiesOnly:
    def consider(self, observation: Any, mask: Any, rng: Any) -> Considered:
        return Considered(np.flatnonzero(mask), np.full(mask.sum(), 1 / mask.sum()), "probability")


def test_wrong_things_are_refused(record) -> None:
    engine, over = Engine(2, 3, seed=1), finished(3)
    silent, wrong = object(), Wrong()
    cases: list[tuple[Any, Any, dict[str, Any], type[Exception], str]] = [
        (5, "greedy", {}, OptionError, "cannot be asked about int; it takes an Engine"),
        (gymnasium.make("CartPole-v1"), "greedy", {}, OptionError, "cannot be asked about"),
        (engine.view(), "greedy", {}, OptionError, "cannot be asked about GameView"),
        (engine.state, "greedy", {}, OptionError, "a State does not hold its edition"),
        (engine.state, "greedy", {"config": GameConfig(2)}, StateError, "not a state of 2"),
        (engine, "greedy", {"game": 2}, OptionError, "game is 2; valid: 0 to 1"),
        (engine, "greedy", {"move": 1}, OptionError, "move is 1; Engine takes none"),
        (engine, "gready", {}, Exception, "there is no agent 'gready'"),
        (engine, silent, {}, OptionError, "agent object cannot say what it considers"),
        (engine, wrong, {}, OptionError, "agent Wrong considers"),
        (engine, "greedy", {"theme": "blue"}, OptionError, "theme is 'blue'"),
        (over, "greedy", {}, OptionError, "the game is over; there is nothing to consider"),
        (record, "greedy", {}, OptionError, "move is None; this record takes 0 to 71"),
        (record, "greedy", {"move": 72}, OptionError, "move is 72"),
        (record, "greedy", {"move": 1, "game": 1}, OptionError, "game is 1; a record takes none"),
        ({}, "greedy", {"move": 1}, RecordError, "not a record: it has no list of moves"),
        ({"moves": [1]}, "greedy", {"move": 0}, RecordError, "missing"),
    ]
    for what, agent, options, error, message in cases:
        with pytest.raises(error, match=message):
            draw_choices(what, agent, **options)
    with pytest.raises(OptionError, match="agent Wrong gives values"):
        draw_values(record, wrong)
    for draw in (draw_scores, lambda found: draw_values(found, "greedy")):
        with pytest.raises(RecordError):
            draw({"format": 1})


class Wrong:
    def consider(self, observation: Any, mask: Any, rng: Any) -> Considered:
        return Considered(np.flatnonzero(~mask)[:1], np.ones(1), "points")

    def evaluate(self, observations: Any, masks: Any) -> Evaluation:
        shares = np.ones_like(masks, dtype=np.float32)
        return Evaluation(shares, np.full(len(masks), np.nan, np.float32), "points")


def test_search_is_asked_with_its_own_values() -> None:
    engine = played(Engine(1, 2, seed=2), 20)
    picture = draw_choices(engine, make_agent("search@2", engine.config))
    assert "What search@2 considers" in texts(picture)
    assert "winning chance" in words(picture)
    assert "playout" in words(picture)
