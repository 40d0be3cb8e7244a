"""OpenSpiel: the games as it lists them, and its algorithms on them (`nox -s libraries`)."""

from __future__ import annotations

import pickle
import random
import re
import shutil
import warnings
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.solve.solution import ask_of
from gonzaga_agents.solve.strategy import asked_strategy, exploitability
from gonzaga_agents.solve.tree import build_tree, draws_of

from gonzaga_env import castles_of_tuscany_v0, gonzaga_v0, signorie_v0
from gonzaga_env.core import GameConfig
from gonzaga_env.core.editions.loading import EDITIONS
from gonzaga_env.core.state import Deal
from gonzaga_env.kernel.errors import ActionError, IllegalActionError, OptionError, StateError
from gonzaga_env.tuscany.config import Options
from tests.twins import History, random_history, twin_of

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pyspiel = pytest.importorskip(
        "pyspiel", reason='needs OpenSpiel: pip install ".[open-spiel]", or nox -s libraries'
    )
    import gonzaga_env.envs.open_spiel  # noqa: F401  # registers the games

DOCUMENT = (Path(__file__).parent.parent.parent / "docs" / "open_spiel.md").read_text()
GONZAGA = "python_gonzaga(players=2)"
TUSCANY = "python_castles_of_tuscany(players=2,max_laps=3)"
SIGNORIE = "python_signorie(players=2)"
EVERY_GAME = pytest.mark.parametrize("name", [GONZAGA, TUSCANY, SIGNORIE])
QUIET = pytest.mark.filterwarnings("ignore")  # libraries that warn of themselves


def played(name: str, num_moves: int = 10_000, seed: int = 0) -> Any:
    """Returns a state after random moves, chance's included."""
    state, rng = pyspiel.load_game(name).new_initial_state(), random.Random(seed)
    while not state.is_terminal() and len(state.history()) < num_moves:
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def dealt(name: str, seed: int = 0) -> Any:
    """Returns the first decision of a game."""
    state, rng = pyspiel.load_game(name).new_initial_state(), random.Random(seed)
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def sampler() -> Any:
    """Returns a source of random floats, as OpenSpiel's searches hand them in."""
    return pyspiel.UniformProbabilitySampler(1, 0.0, 1.0)


def moves_of(history: History) -> list[int]:
    """Returns the moves of a history of Gonzaga, chance's included."""
    deal, p = history.deal, history.config.num_players
    decks, actions = np.asarray(deal.decks)[0], [*history.actions]
    moves = [int(deal.scenario[0]), *map(int, deal.objectives[0])]
    for round_ in range(decks.shape[1]):
        if not history.game(2 * p * round_).finished and len(history.actions) >= 2 * p * round_:
            moves += decks[:, round_].tolist() + actions[2 * p * round_ : 2 * p * (round_ + 1)]
    return moves


def after(name: str, moves: Sequence[int]) -> Any:
    state = pyspiel.load_game(name).new_initial_state()
    for move in moves:
        state.apply_action(move)
    return state


@pytest.mark.parametrize(
    "name",
    [
        GONZAGA,
        "python_gonzaga(players=3,scenario=Colombo,sea_league=first_only)",
        "python_gonzaga",
        TUSCANY,
        "python_castles_of_tuscany(max_laps=2,players=4)",
        SIGNORIE,
    ],
)
def test_openspiel_finds_nothing_wrong(name: str) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    state = played(name)
    chance = sum(move.player == pyspiel.PlayerId.CHANCE for move in state.full_history())
    assert 0 < chance <= game.max_chance_nodes_in_history()
    assert len(state.history()) - chance <= game.max_game_length()


def test_parameters_are_those_of_the_environments() -> None:
    name = "python_gonzaga(players=2,scenario=Lorenzo de' Medici,first_check_round=2)"
    game = pyspiel.load_game(name)
    assert game.config == GameConfig(2, "Lorenzo de' Medici", rules={"first_check_round": 2})
    assert pyspiel.load_game(str(game)).config == game.config
    assert pyspiel.load_game("python_gonzaga").config == GameConfig()
    assert pyspiel.load_game("python_gonzaga", {"players": 3}).config == GameConfig(3)
    tuscany = pyspiel.load_game("python_castles_of_tuscany(draw_base=3,hexagon_same_turn=True)")
    assert (tuscany.config.rules.draw_base, tuscany.config.rules.hexagon_same_turn) == (3, True)
    online = pyspiel.load_game("python_castles_of_tuscany(draw_base=3,rules=online)")
    assert online.config.rules == Options.of("draw_base=3 online")
    again = pyspiel.load_game(str(online))
    assert again.config.rules == online.config.rules
    signorie = pyspiel.load_game("python_signorie(players=2,edition=reconstruction)")
    assert signorie.config == pyspiel.load_game(SIGNORIE).config


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_a_game_of_gonzaga_is_that_of_raw_env(num_players: int) -> None:
    """Observations, masks, returns and scores, bit by bit, from the deal that chance drew."""
    name = f"python_gonzaga(players={num_players})"
    moves, p = played(name, seed=num_players).history(), num_players
    rounds = np.array(moves[1 + p :]).reshape(-1, 3, p)
    drawn = rounds[:, 0].T
    decks = [[*deck, *sorted({*range(12)} - {*deck})] for deck in drawn.tolist()]
    deal = Deal(*map(np.array, (moves[:1], [decks], [moves[1 : 1 + p]])))
    env = gonzaga_v0.raw_env(num_players=p, normalised=True)
    env.reset(options={"deal": deal})
    state = after(name, moves[: 1 + p])
    observer = state.get_game().make_py_observer()
    for move in moves[1 + p :]:
        if not state.is_chance_node():
            check_decision(state, env, observer)
            env.step(move)
        state.apply_action(move)
    check_end(state, env)
    totals = " ".join(str(env.infos[agent]["score"]) for agent in env.possible_agents)
    for seat in range(p):
        assert state.information_state_string(seat).endswith(f" scores {totals}")


@pytest.mark.parametrize(
    ("name", "module", "rules"),
    [(TUSCANY, castles_of_tuscany_v0, {"max_laps": 3}), (SIGNORIE, signorie_v0, {})],
)
def test_a_game_is_that_of_raw_env(name: str, module: Any, rules: dict[str, int]) -> None:
    """Each seed that chance draws decides what is drawn until it draws the next one."""
    moves = [(move.player, move.action) for move in played(name, seed=4).full_history()]
    env = module.raw_env(num_players=2, rules=rules, normalised=True)
    env.reset(seed=seed_of(moves[:8]))
    state = after(name, [move for _, move in moves[:8]])
    observer, start, seeds = state.get_game().make_py_observer(), 8, 0
    while start < len(moves):
        check_decision(state, env, observer)
        drawn = takewhile(lambda move: move[0] == pyspiel.PlayerId.CHANCE, moves[start + 1 :])
        stop = start + 1 + len([*drawn])
        if stop > start + 1:
            seeds += 1
            env.game = env.game.reseeded(seed_of(moves[start + 1 : stop]))
        env.step(moves[start][1])
        for _, move in moves[start:stop]:
            state.apply_action(move)
        start = stop
    assert seeds > 5
    check_end(state, env)


def seed_of(moves: Sequence[tuple[int, int]]) -> int:
    """Returns the seed that eight events of chance drew."""
    assert len(moves) == 8
    return int.from_bytes(bytes(move for _, move in moves), "big")


def test_what_is_drawn_later_is_in_no_state() -> None:
    """Dice of Signorie: the same action in the same state leads to different rolls."""
    state = played(SIGNORIE, 60, seed=1)
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[-1])
    state.apply_action(0)
    ends = set()
    for number in range(12):
        twin, rng = state.clone(), random.Random(number)
        while twin.is_chance_node():
            twin.apply_action(rng.choice(twin.legal_actions()))
        ends.add(twin.observation_string(0))
    assert len(ends) > 1


def check_decision(state: Any, env: Any, observer: Any) -> None:
    """Checks what OpenSpiel says of a decision against the environment."""
    assert env.agent_selection == f"player_{state.current_player()}"
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        observer.set_from(state, seat)
        np.testing.assert_array_equal(observer.tensor, seen["observation"])
        assert (state.observation_tensor(seat) == seen["observation"]).all()
        assert state.legal_actions(seat) == seen["action_mask"].nonzero()[0].tolist()
    for feature in env.features:
        seen_of = env.features.view(observer.tensor, feature.name)
        np.testing.assert_array_equal(observer.dict[feature.name], seen_of)
    mask = env.observe(env.agent_selection)["action_mask"]
    assert state.legal_actions_mask() == mask.tolist()


def check_end(state: Any, env: Any) -> None:
    assert state.is_terminal()
    assert all(env.terminations.values())
    assert state.returns() == list(env.rewards.values())
    assert sum(state.returns()) == 0
    assert state.play.game.winners() == env.game.winners()
    assert state.play.game.view().players == env.game.view().players


def test_chance_draws_cards_when_they_are_turned_up() -> None:
    """Scenario, objectives, then every round's fiefs: equally likely, and never drawn twice."""
    state = played("python_gonzaga(players=3)", seed=1)
    moves, again = state.history(), pyspiel.load_game("python_gonzaga(players=3)")
    state, drawn = again.new_initial_state(), []
    for number, move in enumerate(moves):
        expected = number < 4 or (number - 4) % 9 < 3
        assert state.is_chance_node() == expected
        if expected:
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            assert {*chances} == {1 / len(outcomes)}
            drawn.append(len(outcomes))
            text = state.action_to_string(move)
            assert text.startswith(("scenario", "objective", "fief"))
        state.apply_action(move)
    assert drawn[:7] == [5, 16, 15, 14, 12, 12, 12]
    assert drawn[7:] == [12 - i // 3 for i in range(3, len(drawn) - 4)]
    with pytest.raises(StateError, match="chance is not to move"):
        dealt(GONZAGA).chance_outcomes()


@pytest.mark.parametrize(("num_players", "steps"), [(2, 1), (2, 14), (3, 2), (3, 20), (4, 33)])
def test_twins_have_equal_information_states(num_players: int, steps: int) -> None:
    """What a seat may not know changes nothing that OpenSpiel shows of it."""
    history, rng = random_history(GameConfig(num_players), steps, steps), np.random.default_rng(1)
    name = f"python_gonzaga(players={num_players})"
    mine, observer = after(name, moves_of(history)), pyspiel.load_game(name).make_py_observer()
    assert mine.play.game.state.piece.tolist() == history.game().state.piece.tolist()
    for seat in range(num_players):
        twin = after(name, moves_of(twin_of(history, seat, rng)))
        assert twin.history() != mine.history()
        assert str(twin) != str(mine)
        assert twin.information_state_string(seat) == mine.information_state_string(seat)
        assert twin.observation_string(seat) == mine.observation_string(seat)
        assert twin.observation_tensor(seat) == mine.observation_tensor(seat)
        for other in {*range(num_players)} - {seat}:
            knows = mine.information_state_string(other)
            assert twin.information_state_string(other) != knows
        observer.set_from(twin, seat)
        own = observer.tensor.copy()
        observer.set_from(mine, seat)
        assert (own == observer.tensor).all()


@EVERY_GAME
def test_an_information_state_has_one_past(name: str) -> None:
    """Its seat has made the same observations and actions, in resampled states too."""
    pasts: dict[str, Any] = {}
    rng = random.Random(0)
    for seed in range(6):
        state, own = dealt(name, seed % 2), [((), ())] * 2
        while not state.is_terminal():
            if not state.is_chance_node():
                for seat in range(2):
                    seen, done = own[seat]
                    own[seat] = ((*seen, state.observation_string(seat)), done)
                    key = state.information_state_string(seat)
                    assert pasts.setdefault(key, own[seat]) == own[seat]
            action = rng.choice(state.legal_actions()[:2])
            if not state.is_chance_node():
                seen, done = own[state.current_player()]
                own[state.current_player()] = (seen, (*done, action))
            state.apply_action(action)
    assert len(pasts) > 100


@pytest.mark.parametrize("num_moves", [8, 9, 40])
def test_resampled_games_of_gonzaga_have_a_past_of_their_own(num_moves: int) -> None:
    name = "python_gonzaga(players=3)"
    state = played(name, num_moves, seed=num_moves)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    draw = sampler()
    for seat in range(3):
        before, objectives = str(state), set()
        for _ in range(15):
            twin = state.resample_from_infostate(seat, draw)
            check_twin(state, twin, seat)
            again = after(name, twin.history())
            assert str(again) == str(twin)
            assert twin.serialize() == again.serialize()
            for other in range(3):
                knows = again.information_state_string(other)
                assert twin.information_state_string(other) == knows
                assert twin.observation_string(other) == again.observation_string(other)
            objectives.add(twin.history()[1 + (seat + 1) % 3])
        assert len(objectives) > 5, "15 are possible"
        assert str(state) == before


def check_twin(state: Any, twin: Any, seat: int) -> None:
    """Checks that a seat cannot tell a state from another."""
    assert twin.current_player() == state.current_player()
    assert twin.information_state_string(seat) == state.information_state_string(seat)
    assert twin.observation_string(seat) == state.observation_string(seat)
    assert twin.move_number() == state.move_number()
    assert len(twin.history()) == len(state.history())
    if state.current_player() == seat:
        assert twin.legal_actions() == state.legal_actions()


def test_sealed_plans_are_resampled() -> None:
    state = dealt(GONZAGA)
    plan = state.legal_actions()[3]
    state.apply_action(plan)
    draw = sampler()
    twins = [state.resample_from_infostate(1, draw).history()[-1] for _ in range(60)]
    assert len({*twins}) > 10
    own = [state.resample_from_infostate(0, draw).history()[-1] for _ in range(5)]
    assert {*own} == {plan}


@EVERY_GAME
def test_resampled_games_play_on_and_survive_texts(name: str) -> None:
    draw = sampler()
    for num_moves in (8, 20, 30, 10_000):
        state = played(name, num_moves, seed=num_moves)
        for seat in range(2):
            twin = state.resample_from_infostate(seat, draw)
            check_twin(state, twin, seat)
            check_copy(twin, state.get_game().deserialize_state(twin.serialize()))
            while not twin.is_terminal():
                twin.apply_action(twin.legal_actions()[-1])
    with pytest.raises(StateError, match="not dealt yet"):
        pyspiel.load_game(name).new_initial_state().resample_from_infostate(0, draw)


@EVERY_GAME
@pytest.mark.parametrize("num_moves", [0, 2, 9, 13, 21, 10_000])
def test_texts_pickles_and_clones_hold_everything(name: str, num_moves: int) -> None:
    state = played(name, num_moves)
    text = pyspiel.serialize_game_and_state(state.get_game(), state)
    assert len(text) < 5000, "neither edition nor tables"
    for copy in (
        state.clone(),
        pyspiel.deserialize_game_and_state(text)[1],
        pickle.loads(pickle.dumps(state)),
        state.get_game().deserialize_state(state.serialize()),
    ):
        check_copy(state, copy)
        if not copy.is_terminal():
            copy.apply_action(copy.legal_actions()[0])
            assert copy.history()[:-1] == state.history()


def check_copy(state: Any, copy: Any) -> None:
    assert str(copy) == str(state)
    assert copy.history() == state.history()
    assert copy.legal_actions() == state.legal_actions()
    assert copy.returns() == state.returns()
    for seat in range(state.num_players()):
        assert copy.information_state_string(seat) == state.information_state_string(seat)
        assert copy.observation_tensor(seat) == state.observation_tensor(seat)


def test_what_is_refused_changes_nothing() -> None:
    state = dealt(GONZAGA)
    over, chance = played(GONZAGA), played(GONZAGA, 2)
    for wrong, action, error in (
        (state, 50, IllegalActionError),
        (state, 10**6, ActionError),
        (chance, chance.history()[-1], ActionError),
        (over, 1, StateError),
    ):
        before, moves = str(wrong), wrong.history()
        with pytest.raises(error):
            wrong.apply_action(action)
        assert (str(wrong), wrong.history()) == (before, moves)


def test_observers_show_what_one_seat_knows() -> None:
    state = played(GONZAGA, 9)
    game = state.get_game()
    recall = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    assert recall.tensor is None
    assert recall.string_from(state, 1) == state.information_state_string(1)
    none = pyspiel.PrivateInfoType.NONE
    public = pyspiel.IIGObservationType(private_info=none, perfect_recall=False)
    assert game.make_py_observer(public) is None, "OpenSpiel's answer for what a game has not"
    with pytest.raises(OptionError, match="params are"):
        game.make_py_observer(None, {"a": 1})
    initial = game.new_initial_state()
    assert not any(initial.observation_tensor(0))
    assert initial.observation_string(0) == "seat 0"


@QUIET
@EVERY_GAME
def test_search_plays(name: str) -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    state, rng = dealt(name), np.random.RandomState(0)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    searchers = (
        mcts.MCTSBot(state.get_game(), 2.0, 8, evaluator, random_state=rng),
        ismcts.ISMCTSBot(state.get_game(), evaluator, 2.0, 8, random_state=rng),
    )
    for searcher in searchers:
        assert searcher.step(state) in state.legal_actions()
        asked = state.clone()
        asked.apply_action(asked.legal_actions()[0])
        assert searcher.step(asked) in asked.legal_actions()
    # Not `step`: it lets go of the lock that Python games need, and crashes (docs/open_spiel.md).
    rollouts = pyspiel.RandomRolloutEvaluator(1, 3)
    search = pyspiel.MCTSBot(state.get_game(), rollouts, 2.0, 8, 100, False, 7, False)
    assert search.mcts_search(state).best_child().action in state.legal_actions()


@QUIET
def test_the_examples_of_the_document_run() -> None:
    examples = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        exec(example, {"__name__": "example"})


@pytest.mark.parametrize("edition", ["mini-a2", "mini-a2-objectives"])
def test_a_small_edition_has_the_tree_that_is_solved(edition: str) -> None:
    game = pyspiel.load_game(f"python_gonzaga(players=2,edition={edition})")
    config = GameConfig(2, edition=edition)
    for fiefs in ((0, 0), (0, 1)):
        state = game.new_initial_state()
        for outcome in (0, 1, *fiefs):  # objectives, or none, and the first fiefs
            state.apply_action(outcome)
        assert count_leaves(state) == len(build_tree(config, fiefs).margins)
    assert game.max_game_length() == 8


def count_leaves(state) -> int:
    if state.is_terminal():
        return 1
    return sum(count_leaves(state.child(action)) for action in state.legal_actions())


def random_exploitability(edition: str) -> float:
    """Returns how exploitable uniform play is, in points, as OpenSpiel finds it."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability as measured

    game = pyspiel.load_game(f"python_gonzaga(players=2,edition={edition},reward=margin)")
    return float(measured.exploitability(game, policy.UniformRandomPolicy(game)))


def solver_exploitability(edition: str) -> float:
    """Returns the same as `gonzaga_agents.solve` finds it."""
    config, found = GameConfig(2, edition=edition), []
    ask = ask_of(make_agent("random", config))
    for draw in draws_of(config):
        tree = build_tree(config, draw, ask)
        found.append(exploitability(tree, asked_strategy(tree)))
    return float(np.mean(found))


@QUIET
def test_openspiel_finds_the_same_exploitability(tmp_path: Path) -> None:
    """With one round, as a state in Python takes a millisecond; nightly, with two."""
    shutil.copytree(EDITIONS / "mini-a2", edition := tmp_path / "a1")
    board = edition / "board.toml"
    board.write_text(board.read_text().replace("rounds = 2", "rounds = 1"))
    ours = solver_exploitability(str(edition))
    assert ours > 1
    assert random_exploitability(str(edition)) == pytest.approx(ours, abs=1e-5)
