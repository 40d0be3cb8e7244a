"""Self-play of every game against a replay, step by step, on a second engine with plain loops."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from gonzaga_agents.agent import RandomAgent
from gonzaga_agents.heuristics.gonzaga import PlannerAgent
from gonzaga_agents.heuristics.gonzaga_scores import Indices
from gonzaga_agents.network.description import NO_PRIOR
from gonzaga_agents.network.flat import FlatInputs, FlatReader
from gonzaga_agents.network.gonzaga import Floats, GonzagaInputs
from gonzaga_agents.training.league import LEARNER, PAST, League
from gonzaga_agents.training.self_play import SelfPlay
from gonzaga_agents.training.setup import Setup

from gonzaga_env.core import GameConfig
from gonzaga_env.core.state import PLACE
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.result import Reward
from tests.agents.networks import network_agent
from tests.agents.own import Last
from tests.agents.training.toys import setup_for
from tests.marks import nightly

NUM_GAMES, LAMBDA, SEED = 5, 0.7, 3
#: Rules with which games are short, and steps of a rollout, which may end within a round.
GAMES: dict[str, tuple[dict[str, int], int]] = {
    "gonzaga": ({"first_check_round": 1}, 46),
    "tuscany": ({"max_laps": 3}, 20),
    "signorie": ({}, 60),
}
Key = tuple[int, int]  # a game and a seat


class ReaderAtTurn(FlatReader):
    """Remembers whose decisions it read last."""

    last: list[Key]

    def read_engine(self, engine: Any, games: Any, seats: Any) -> FlatInputs:
        self.last = list(zip(games.tolist(), seats.tolist(), strict=True))
        watched = vars(engine).pop("step")  # a copy of the engine plays ahead, unwatched
        found = super().read_engine(engine, games, seats)
        engine.step = watched
        return found


class ReaderAhead(ReaderAtTurn):
    """Reads sealed decisions ahead of their turn."""

    reads_ahead = True


@dataclass
class Decision:
    """A decision of the learner, as it should be learned from."""

    inputs: FlatInputs
    action: int
    log_prob: float  # occurs once, so that it names a decision
    value: float
    kind: int = -1
    round: int = -1
    reward: float = 0.0
    advantage: float = float("nan")


class Step(NamedTuple):
    """A step of the engine: who had which seat, and what was played."""

    lineups: np.ndarray
    actions: np.ndarray


class Watched:
    """Self-play with a policy that chooses at random; keeps decisions and steps in their order."""

    def __init__(self, play: SelfPlay) -> None:
        self.play, self.rng = play, np.random.default_rng(1)
        self.events: list[dict[Key, Decision] | Step] = []
        self._step, play.engine.step = play.engine.step, self.step

    def step(self, actions: np.ndarray) -> Any:
        self.events.append(Step(self.play._lineups.copy(), actions.copy()))
        return self._step(actions)

    def choose(self, inputs: FlatInputs) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        lineups = self.play._lineups
        keys = [key for key in self.play.reader.last if lineups[key] == LEARNER]  # type: ignore[attr-defined]
        chosen = self.rng.integers((inputs.actions >= 0).sum(axis=1))
        log_probs, values = self.rng.normal(size=(2, len(inputs))).astype(np.float32)
        made = {}
        for i, key in enumerate(keys):
            own, action = inputs.take(np.array([i])), int(inputs.actions[i, chosen[i]])
            made[key] = Decision(own, action, float(log_probs[i]), float(values[i]))
        assert len(made) == len(inputs)
        self.events.append(made)
        return chosen, log_probs, values


class Replay:
    """Plays recorded steps again and follows each seat of the learner with a list."""

    def __init__(self, play: SelfPlay, setup: Setup) -> None:
        config = play.reader.config
        engine = game_spec(config.game).engine
        self.engine = engine.from_config(config, NUM_GAMES, seed=SEED, reward=setup.reward)
        self.scale = setup.reward_scale
        self.reader, self.members = FlatReader(config), play.league.members
        self.at_turn = not play.reader.reads_ahead
        self.running: defaultdict[Key, list[Decision]] = defaultdict(list)
        self.asked: dict[Key, Decision] = {}
        self.finished: list[tuple[np.ndarray, np.ndarray]] = []
        self.num_left_open = 0

    def rollout(self, events: list[dict[Key, Decision] | Step]) -> dict[float, Decision]:
        """Returns the decisions of a rollout to learn from, by log-probability."""
        self.judged: list[Decision] = []
        ahead = events.pop() if isinstance(events[-1], dict) else {}
        for event in events:
            if isinstance(event, Step):
                self._play(event)
                continue
            for key, decision in event.items():
                self._ask(key, decision)
        for key, decisions in self.running.items():
            if key in ahead:
                left, following = [], ahead[key].value
            else:
                left, following = decisions[-1:], decisions[-1].value if decisions else 0.0
            self._judge(decisions[: len(decisions) - len(left)], following)
            self.running[key] = left
            self.num_left_open += len(left)
        return {decision.log_prob: decision for decision in self.judged}

    def _ask(self, key: Key, decision: Decision) -> None:
        """Holds what the policy was given to what that seat sees now."""
        game, seat = key
        wanted = self.reader.read_engine(self.engine, np.array([game]), np.array([seat]))
        np.testing.assert_array_equal(decision.inputs.observations, wanted.observations)
        listed = decision.inputs.actions[0]
        assert listed[listed >= 0].tolist() == wanted.actions[0].tolist()
        decision.kind, decision.round = self.engine.kinds[game], self.engine.rounds[game]
        self.running[key].append(decision)
        self.asked[key] = decision

    def _play(self, step: Step) -> None:
        """Checks who decided what, plays it, and shares out the rewards."""
        engine = self.engine
        for game, seat in enumerate(engine.seats.tolist()):
            member = step.lineups[game, seat]
            if member == LEARNER:
                assert self.asked.pop((game, seat)).action == step.actions[game]
            elif member == 0 or self.at_turn:
                seen = engine.observe(rows=[game]), engine.legal_action_mask([game])
                action = self.members[member].agent.act(*seen, np.random.default_rng(0))
                assert action[0] == step.actions[game]
        result = engine.step(step.actions)
        for (game, seat), decisions in self.running.items():
            if decisions:
                decisions[-1].reward += result.rewards[game, seat] * self.scale
        for place, game in enumerate(result.finished.nonzero()[0].tolist()):
            self.finished.append((step.lineups[game], result.final.totals[place]))
            for key in [key for key in self.running if key[0] == game]:
                self._judge(self.running.pop(key), 0.0)

    def _judge(self, decisions: list[Decision], following: float) -> None:
        """Computes generalised advantages by the recursion (Schulman et al., 2016, eq. 16)."""
        advantage = 0.0
        for decision in reversed(decisions):
            advantage = decision.reward + following - decision.value + LAMBDA * advantage
            decision.advantage, following = advantage, decision.value
        self.judged += decisions


@pytest.mark.parametrize(
    ("game", "num_players", "with_opponents", "reward", "reader_type"),
    [
        ("gonzaga", 2, 0, "margin", ReaderAhead),
        ("gonzaga", 3, 1, "margin", ReaderAhead),
        *nightly(
            ("gonzaga", 3, 0, "margin", ReaderAhead), ("gonzaga", 4, 1, "margin", ReaderAhead)
        ),
        ("gonzaga", 2, 1, "outcome", ReaderAtTurn),
        ("tuscany", 2, 1, "score", ReaderAhead),
        ("tuscany", 4, 1, "margin", ReaderAtTurn),
        ("signorie", 3, 1, "outcome", ReaderAhead),
    ],
)
def test_experience_equals_a_replay(
    game: str, num_players: int, with_opponents: int, reward: Reward, reader_type: Any
) -> None:
    rules, num_steps = GAMES[game]
    config = game_spec(game).config(num_players=num_players, rules=rules)
    reader = reader_type(config)
    past = network_agent(config, NO_PRIOR, width=8, trained=False, reader=reader, name="past self")
    agents = [Last(), past] if with_opponents else []
    league = League(agents, num_players=num_players, self_play=0.4, most_past=0)
    setup = setup_for(config, num_games=NUM_GAMES, reward=reward)
    play = SelfPlay(setup, reader, league, SEED)
    watched, replay, kinds = Watched(play), Replay(play, setup), set[int]()
    most_asked = 0
    for _ in range(4):
        found = play.collect(watched.choose, num_steps=num_steps, gae_lambda=LAMBDA)
        wanted = replay.rollout(watched.events)
        most_asked = max(most_asked, *(len(e) for e in watched.events if isinstance(e, dict)))
        watched.events.clear()
        decisions = [wanted.pop(log_prob) for log_prob in found.log_probs.tolist()]
        assert not wanted
        np.testing.assert_allclose(found.advantages, [d.advantage for d in decisions], atol=1e-4)
        np.testing.assert_array_equal(found.values, np.float32([d.value for d in decisions]))
        np.testing.assert_allclose(found.returns, found.values + found.advantages)
        assert found.kinds.tolist() == [d.kind for d in decisions]
        assert found.rounds.tolist() == [d.round for d in decisions]
        seen = [d.inputs.observations[0] for d in decisions]
        np.testing.assert_array_equal(found.inputs.observations, seen)  # type: ignore[attr-defined]
        kinds |= set(found.kinds.tolist())
    assert len(kinds) > len(game_spec(game).kinds) // 3
    assert replay.num_left_open
    assert (most_asked > NUM_GAMES) == (game == "gonzaga" and reader.reads_ahead)
    assert len(play.results) == len(replay.finished) > 0
    for result, (lineup, totals) in zip(play.results, replay.finished, strict=True):
        assert result.score == pytest.approx(totals[lineup == LEARNER].mean())
        assert result.opponents == {league.members[i].name for i in lineup if i != LEARNER}
        assert (result.share is None) == (not result.opponents)
        if result.share is not None and totals[lineup == LEARNER].max() < totals.max():
            assert result.share == 0


def best(inputs: GonzagaInputs) -> tuple[Indices, Floats, Floats]:
    """Takes the planner's first choice."""
    zeros = np.zeros(len(inputs), dtype=np.float32)
    return np.zeros(len(inputs), dtype=np.int64), zeros, zeros


def new_games(num_players: int, self_play: float) -> SelfPlay:
    """Returns games with opponents that read observations, states, inputs, and the same inputs."""
    config = GameConfig(num_players)
    learner = network_agent(config, width=8, trained=False)
    other = network_agent(config, width=8, trained=False, name="other reader")
    agents = [RandomAgent(config), PlannerAgent(config), other]
    league = League(agents, num_players=num_players, self_play=self_play, most_past=2)
    reader = learner.reader
    past = network_agent(config, width=8, trained=False, reader=reader, name=PAST)
    for turns in range(2):
        league.remember(past, turns)
    return SelfPlay(setup_for(config, num_games=12), reader, league, seed=2)


@pytest.mark.parametrize("num_players", [3, *nightly(2, 4)])
def test_all_kinds_of_opponents_play_whole_games(num_players: int) -> None:
    games = new_games(num_players, self_play=0.3)
    names = {member.name for member in games.league.members}
    assert names == {"random", "planner", "other reader", PAST}
    seen = set[str]()
    while len(games.results) < 40:
        turns = (games._lineups == LEARNER).sum()
        ended = len(games.results)
        experience = games.collect(best, num_steps=2 * num_players, gae_lambda=0.8)
        if len(games.results) == ended:  # no one was seated anew
            assert len(experience) == 2 * turns
            assert (experience.kinds == PLACE).sum() == turns
    for result in games.results:
        seen |= result.opponents
        assert (result.share is None) == (not result.opponents)
    assert seen == names


def test_opponents_do_not_depend_on_when_the_learner_is_asked() -> None:
    one, other = new_games(3, self_play=0.5), new_games(3, self_play=0.5)
    once = one.collect(best, num_steps=2 * 3 * 4, gae_lambda=0.8)
    parts = [other.collect(best, num_steps=2 * 3, gae_lambda=0.8) for _ in range(4)]
    assert np.array_equal(
        once.inputs.numbers, np.concatenate([part.inputs.numbers for part in parts])
    )
    assert one.engine.state == other.engine.state
