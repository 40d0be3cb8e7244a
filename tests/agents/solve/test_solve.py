"""Solutions of small editions, checked by ways that share no code with the solver."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.solve import solution as solved
from gonzaga_agents.solve.solution import EquilibriumAgent, Solution, ask_of, solution_of, trimmed
from gonzaga_agents.solve.strategy import (
    Strategy,
    asked_strategy,
    best_response,
    exploitability,
    likeliest,
    secrecy_of,
    solve_by_cfr,
    solve_by_induction,
)
from gonzaga_agents.solve.tree import PLANS, Ask, Draw, Tree, build_tree, draws_of
from gonzaga_agents.statistics import solve_matrices
from scipy.optimize import linprog
from scipy.sparse import coo_array

from gonzaga_env.core import GameConfig
from gonzaga_env.core.constants import OBJECTIVE_POINTS
from gonzaga_env.core.single.game import Game
from gonzaga_env.kernel.agent import AgentError, agent_name
from gonzaga_env.kernel.errors import OptionError
from tests.conftest import Answer, complaint_of
from tests.marks import nightly

PLAIN, HIDDEN = GameConfig(2, edition="mini-a2"), GameConfig(2, edition="mini-a2-objectives")
SAME_FIEFS, OTHER_FIEFS = (0, 0), (0, 1)
Call = Callable[..., Answer]


def started(config: GameConfig, draw: Draw) -> Game:
    """Returns a game in which the seats turn up some fiefs first."""
    game = Game(2, edition=config.edition)
    state, num = game.state, config.edition.size.fiefs
    for seat, fief in enumerate(draw):
        state.deck[0, seat, :num] = [fief, *(other for other in range(num) if other != fief)]
    game.state = state
    return game


class HandResponse:
    """The best response by plain recursion on `Game`: no tree, no arrays, no batches."""

    def __init__(self, config: GameConfig, ask: Ask, seat: int) -> None:
        self.ask, self.seat, self.num = ask, seat, len(config.edition.objectives) or 1
        self.num_fiefs = config.edition.size.fiefs
        self.config = config

    def value(self, draw: Draw) -> float:
        """Returns what the seat wins by from one draw on, over all deals of objectives."""
        game, total = started(self.config, draw), 0.0
        for own in range(self.num):
            others = [other for other in range(self.num) if other != own or self.num == 1]
            total += self._value(game, own, dict.fromkeys(others, 1 / len(others)))
        return total / self.num

    def _value(self, game: Game, own: int, others: dict[int, float]) -> float:
        """Returns the value for an objective, weighted by the chances of the other's."""
        if game.finished:
            return sum(chance * self._margin(game, own, o) for o, chance in others.items())
        if game.kind == 0:
            return self._value_of_plans(game, own, others)
        legal = np.flatnonzero(game.mask()).tolist()
        if game.seat == self.seat:
            return max(self._after(game, action, own, others) for action in legal)
        chances = {o: self._chances(game, o) for o in others}
        return sum(
            self._after(game, a, own, {o: w * chances[o][a] for o, w in others.items()})
            for a in legal
        )

    def _value_of_plans(self, game: Game, own: int, others: dict[int, float]) -> float:
        sealed = game.copy()
        sealed.play(int(np.flatnonzero(game.mask())[0]))
        asked = (game, sealed)[1 - self.seat]
        chances = {o: self._chances(asked, o) for o in others}
        mine, theirs = (
            np.flatnonzero(one.mask()).tolist() for one in ((game, sealed)[self.seat], asked)
        )
        best = -np.inf
        for plan in mine:
            value = 0.0
            for other in theirs:
                child = game.copy()
                for action in (plan, other) if self.seat == 0 else (other, plan):
                    child.play(action)
                weights = {o: w * chances[o][other] for o, w in others.items()}
                value += self._value(child, own, weights)
            best = max(best, value)
        return best

    def _after(self, game: Game, action: int, own: int, others: dict[int, float]) -> float:
        position = game.position
        is_last = position.num_acted == 1 and not position.last_round
        if not is_last:
            child = game.copy()
            child.play(action)
            return self._value(child, own, others)
        rest = [
            [*deck[position.round : self.num_fiefs]] for deck in position.decks
        ]  # chance turns up the next fiefs
        values = []
        for fiefs in product(*rest):
            child = game.copy()
            child.turn_up_next(fiefs)
            child.play(action)
            values.append(self._value(child, own, others))
        return float(np.mean(values))

    def _chances(self, game: Game, objective: int) -> Any:
        """Returns the probabilities of the other seat's actions with an objective."""
        observation, features, tables = game.observation()[None], self.config.features, game.tables
        if self.num > 1:
            features.view(observation, "objective")[:] = tables.objective_planes[objective]
            features.view(observation, "symbols")[:] = tables.objective_symbols[objective]
        return self.ask(observation, game.mask()[None] > 0)[0]

    def _margin(self, game: Game, own: int, other: int) -> float:
        scores = np.array(game.scores)[:, :-1].sum(axis=1)
        held = [
            fiefs | rings
            for fiefs, rings in zip(game.position.fiefs, game.position.rings, strict=True)
        ]
        objectives = (own, other) if self.seat == 0 else (other, own)
        for seat, objective in enumerate(objectives):
            cities = game.position.tables.objective_cities[objective]
            scores[seat] += OBJECTIVE_POINTS[(held[seat] & cities).bit_count()]
        return float(scores[self.seat] - scores[1 - self.seat])


def value_by_sequence_form(tree: Tree) -> float:
    """Returns the value for seat 0 by one linear program over sequences (von Stengel 1996)."""
    num = tree.num_objectives
    sequences = [np.full((1, num), -1) for _ in range(2)]  # of each node, by objective; -1: empty
    sizes, rules = [0, 0], ([], [])  # of each information set: its sequence before, its actions
    chance = np.ones(1)
    for level in tree.levels:
        chance = chance[level.nodes] / (level.num[level.nodes] if not level.choices else 1)
        after = [array[level.nodes] for array in sequences]
        for choices, chosen in zip(level.choices, level.chosen, strict=True):
            for seat in range(2):
                numbers = np.full((len(choices.actions), num), -1)
                for node in (choices.seats == seat).nonzero()[0].tolist():
                    actions = slice(choices.starts[node], choices.starts[node] + choices.num[node])
                    for objective in range(num):
                        first = sizes[seat]
                        sizes[seat] += int(choices.num[node])
                        numbers[actions, objective] = range(first, sizes[seat])
                        before = int(sequences[seat][node, objective])
                        rules[seat].append((before, range(first, sizes[seat])))
                own = choices.seats[level.nodes] == seat
                after[seat][own] = numbers[chosen[own]]
        sequences = after
    payoffs: list[tuple[Any, Any, Any]] = []
    for own, other in product(range(num), repeat=2):
        if own != other or num == 1:
            points = tree.objective_points.astype(int)
            margin = tree.margins + points[:, 0, own] - points[:, 1, other]
            weight = chance / max(1, num * (num - 1))
            payoffs.append((sequences[0][:, own], sequences[1][:, other], margin * weight))
    rows, columns, values = (np.concatenate(part) for part in zip(*payoffs, strict=True))
    matrix = coo_array((values, (columns, rows)), shape=(sizes[1], sizes[0])).tocsr()
    # Maximize what seat 1 leaves at its first information sets: for each of its sequences, the
    # value of its set is at most the payoff plus the values of the sets that follow.
    entries: list[tuple[int, int, float]] = []
    for i, (_, actions) in enumerate(rules[1]):
        entries += [(action, i, 1.0) for action in actions]
    entries += [(before, i, -1.0) for i, (before, _) in enumerate(rules[1]) if before >= 0]
    at, which, signs = zip(*entries, strict=True)
    sets = coo_array((signs, (at, which)), shape=(sizes[1], len(rules[1])))
    bounds_of = [(b, i, -1.0) for i, (b, _) in enumerate(rules[0]) if b >= 0]
    bounds_of += [(a, i, 1.0) for i, (_, actions) in enumerate(rules[0]) for a in actions]
    column, row, value = zip(*bounds_of, strict=True)
    from scipy.sparse import hstack

    equal = coo_array((value, (row, column)), shape=(len(rules[0]), sizes[0]))
    equal = hstack([equal, coo_array((len(rules[0]), len(rules[1])))])
    start = [float(before < 0) for before, _ in rules[0]]
    roots = [-float(before < 0) for before, _ in rules[1]]
    found = linprog(
        [0.0] * sizes[0] + roots,
        A_ub=hstack([-matrix, sets]),
        b_ub=np.zeros(sizes[1]),
        A_eq=equal,
        b_eq=start,
        bounds=[(0, None)] * sizes[0] + [(None, None)] * len(rules[1]),
    )
    assert found.status == 0
    return float(-found.fun)


def optimal(config: GameConfig, draw: Draw) -> tuple[Tree, float, Strategy]:
    tree = build_tree(config, draw)
    if config.edition.objectives:
        return tree, *solve_by_cfr(tree, 0.01, 2000, lambda share: None)
    return tree, *solve_by_induction(tree)


def test_matrix_games_are_solved_exactly() -> None:
    rng = np.random.default_rng(0)
    for m, n in ((1, 1), (1, 5), (2, 2), (3, 7), (9, 9)):
        payoffs = rng.integers(-3, 4, (300, m, n)).astype(float)
        values, rows, columns = solve_matrices(payoffs)
        least = np.einsum("gm,gmn->gn", rows, payoffs).min(axis=1)
        most = np.einsum("gn,gmn->gm", columns, payoffs).max(axis=1)
        assert abs(least - values).max() < 1e-9
        assert abs(most - values).max() < 1e-9
    pennies = np.array([[[1.0, -1.0], [-1.0, 1.0]]])
    assert np.allclose(solve_matrices(pennies)[1], 0.5)


@pytest.mark.parametrize("draw", draws_of(PLAIN))
def test_backward_induction_and_the_sequence_form_agree(draw: Draw) -> None:
    tree, value, strategy = optimal(PLAIN, draw)
    assert abs(value - value_by_sequence_form(tree)) < 1e-6
    assert exploitability(tree, strategy) < 1e-6


@pytest.mark.parametrize("draw", [(0, 1), (1, 0)])
def test_cfr_and_the_sequence_form_agree(draw: Draw) -> None:
    tree, value, strategy = optimal(HIDDEN, draw)
    assert exploitability(tree, strategy) < 0.01
    assert abs(value - value_by_sequence_form(tree)) < 0.02


@pytest.mark.parametrize(
    ("name", "seat", "draw"),
    [
        ("random", 0, OTHER_FIEFS),
        ("planner", 0, (1, 1)),
        ("equilibrium", 1, SAME_FIEFS),
        *nightly(("random", 1, OTHER_FIEFS), ("equilibrium", 0, SAME_FIEFS)),
    ],
)
def test_best_responses_by_hand_win_as_much(name: str, seat: int, draw: Draw) -> None:
    ask = ask_of(make_agent(name, PLAIN))
    tree = build_tree(PLAIN, draw, ask)
    found = best_response(tree, asked_strategy(tree), seat)
    assert abs(found - HandResponse(PLAIN, ask, seat).value(draw)) < 1e-5


#: Solutions that ship, by edition: how far from optimal they may be, in points.
SHIPPED_SOLUTIONS = {"mini-a2": 1e-6, "mini-b3": 1e-6, "mini-a2-objectives": 0.01}


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "enough"), SHIPPED_SOLUTIONS.items())
def test_nobody_beats_a_solution_that_ships(name: str, enough: float) -> None:
    config = GameConfig(2, edition=name)
    solution = Solution.load(solved.SHIPPED / f"{name}.npz", config)
    ask, draws = solution.probabilities_of, draws_of(config)
    won = [
        np.mean([HandResponse(config, ask, seat).value(draw) for draw in draws])
        for seat in range(2)
    ]
    assert sum(won) / 2 == pytest.approx(0, abs=enough)
    assert won[0] == pytest.approx(solution.value, abs=2 * enough)


def test_every_solution_that_ships_is_checked() -> None:
    assert {*SHIPPED_SOLUTIONS} == {path.stem for path in solved.SHIPPED.glob("*.npz")}


@pytest.mark.parametrize("seat", [1, *nightly(0)])
def test_best_responses_to_hidden_objectives_by_hand_win_as_much(seat: int) -> None:
    table: dict[bytes, Any] = {}  # an agent that plays at random, but differently by objective
    rng = np.random.default_rng(0)

    def ask(observations: Any, masks: Any) -> Any:
        found = np.zeros(masks.shape)
        for i, (observation, mask) in enumerate(zip(observations, masks, strict=True)):
            weights = table.setdefault(observation.tobytes(), rng.random(masks.shape[1]))
            found[i] = weights * mask
        return found / found.sum(axis=1, keepdims=True)

    tree = build_tree(HIDDEN, (1, 0), ask)
    found = best_response(tree, asked_strategy(tree), seat)
    assert abs(found - HandResponse(HIDDEN, ask, seat).value((1, 0))) < 1e-5


def test_the_likeliest_actions_are_one_of_each_set() -> None:
    tree, _, strategy = optimal(HIDDEN, SAME_FIEFS)
    sure = likeliest(tree, strategy)
    for level, both in zip(tree.levels, sure, strict=True):
        for choices, given in zip(level.choices, both, strict=True):
            assert (np.add.reduceat(given, choices.starts, axis=0) == 1).all()
    assert exploitability(tree, sure) > exploitability(tree, strategy)


def test_the_tree_counts_pairs_of_plans() -> None:
    tree = build_tree(PLAIN, SAME_FIEFS)
    first = tree.levels[0]
    assert (first.kind, first.num.tolist()) == (PLANS, [36])
    pairs = {(int(a), int(b)) for a, b in zip(*first.chosen, strict=True)}
    assert pairs == set(product(range(6), repeat=2))
    for level, after in zip(tree.levels, [*tree.levels[1:], None], strict=True):
        below = len(tree.margins) if after is None else len(after.num)
        assert level.num.sum() == below


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_solves_and_the_agent_plays_it(
    here: Path, gonzaga: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = gonzaga("solve", "mini-a2")
    assert (code, err) == (0, "")
    assert "seat 0 wins by 4.5239 points" in out
    assert [path.name for path in (here / "runs/solve").iterdir()] == ["mini-a2.npz"]
    other = "mini-a2-objectives", "--out", "runs/solve/mini-a2.npz"
    assert "is the solution of another game" in complaint_of(gonzaga("solve", *other))
    agent = make_agent("equilibrium", PLAIN)
    assert isinstance(agent, EquilibriumAgent)
    assert agent_name(agent) == "equilibrium", "the solution that ships goes first"
    code, out, _ = gonzaga("solve", "mini-a2", "--measure", "equilibrium", "random")
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines()[3:]}
    assert rows["equilibrium"][0] == "0.000"
    assert float(rows["random"][0]) > 10
    monkeypatch.setattr(solved, "SHIPPED", here)
    assert agent_name(make_agent("equilibrium", PLAIN)) == "equilibrium (runs/solve/mini-a2.npz)"


def test_solved_draws_are_not_solved_again(
    here: Path, gonzaga: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    build, built = build_tree, list[Draw]()

    def interrupted(config: GameConfig, draw: Draw) -> Tree:
        built.append(draw)
        if len(built) == 3:
            raise KeyboardInterrupt
        return build(config, draw)

    monkeypatch.setattr(solved, "build_tree", interrupted)
    code, out, err = gonzaga("solve", "mini-a2")
    assert (code, out) == (130, "")
    assert err == "gonzaga solve: interrupted\n"
    assert gonzaga("solve", "mini-a2")[0] == 0
    assert built == [(0, 0), (0, 1), (1, 0), (1, 0), (1, 1)]
    assert [path.name for path in (here / "runs/solve").iterdir()] == ["mini-a2.npz"]


def value_by_hand(game: Game, shows: int) -> float:
    """Returns what seat 0 wins by if one seat shows each plan: plain recursion on `Game`."""
    position, num_fiefs = game.position, PLAIN.edition.size.fiefs
    legal = np.flatnonzero(game.mask()).tolist()
    if game.finished:
        return float(game.totals[0] - game.totals[1])
    if game.kind != 0:
        best = (max, min)[game.seat]
        is_last = position.num_acted == 1 and not position.last_round
        rest = [[*d[position.round : num_fiefs]] for d in position.decks]

        def after(action: int) -> float:
            values = []
            for fiefs in product(*rest) if is_last else [None]:
                child = game.copy()
                if fiefs is not None:
                    child.turn_up_next(fiefs)
                child.play(action)
                values.append(value_by_hand(child, shows))
            return float(np.mean(values))

        return best(map(after, legal))
    sealed = game.copy()
    sealed.play(legal[0])
    plans = legal, np.flatnonzero(sealed.mask()).tolist()

    def both(plan: int, answer: int) -> float:
        child = game.copy()
        for action in (plan, answer) if shows == 0 else (answer, plan):
            child.play(action)
        return value_by_hand(child, shows)

    first, then = ((max, min), (min, max))[shows]
    return first(then(both(p, a) for a in plans[1 - shows]) for p in plans[shows])


@pytest.mark.parametrize("shows", [0, 1])
def test_shown_plans_are_worth_what_plain_recursion_finds(shows: int) -> None:
    found = secrecy_of(build_tree(PLAIN, SAME_FIEFS))
    assert found.shown[shows] == pytest.approx(value_by_hand(started(PLAIN, SAME_FIEFS), shows))
    assert found.shown[0] < found.hidden < found.shown[1]


def test_mixes_are_counted_where_no_sure_plan_is_optimal() -> None:
    for draw in draws_of(PLAIN):
        tree, value, strategy = optimal(PLAIN, draw)
        found = secrecy_of(tree)
        assert found.hidden == pytest.approx(value)
        (num, mixed), (_, later) = found.mixed
        assert num == 1
        mixes = [(given > 1e-9) & (given < 1 - 1e-9) for given in strategy[0]]
        assert mixed <= any(mix.any() for mix in mixes)  # some mixes could as well be sure
        if not mixed and not later:
            assert found.shown == pytest.approx((value, value))


def test_the_command_says_what_secrecy_is_worth(here: Path, gonzaga: Call) -> None:
    code, out, _ = gonzaga("solve", "mini-a2", "--secrecy")
    assert code == 0
    assert "seat 0 wins by 4.5239 points if plans are hidden,\nby 2.2500 if it shows" in out
    assert "round 1: no sure plan is optimal in 2 of 4 positions" in out


def test_an_agent_without_a_solution_says_how_to_make_one(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solved, "SHIPPED", here)
    with pytest.raises(AgentError, match="gonzaga solve mini-a2"):
        make_agent("equilibrium", PLAIN)


@pytest.mark.parametrize("config", [GameConfig(2), GameConfig(3, edition="mini-three")])
def test_other_games_have_no_equilibrium(config: GameConfig) -> None:
    with pytest.raises(OptionError, match="can be solved"):
        make_agent("equilibrium", config)


def damaged(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    arrays = dict(np.load(path))
    change(arrays)
    with path.open("wb") as file:
        np.savez(file, **arrays)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda a: a.pop("num"), "this is not a solution"),
        (lambda a: a.update(keys=a["keys"].astype(float)), "keys holds NaN or numbers beyond"),
        (lambda a: a.update(keys=a["keys"][:0]), "this is not a solution"),
        (lambda a: a.update(game=a["game"] ^ 1), "the solution of another game"),
        (lambda a: a.update(num=a["num"] * 2), "the numbers of actions do not fit"),
        (lambda a: a.update(num=a["num"] * 0), "the numbers of actions do not fit"),
        (lambda a: a.update(actions=a["actions"] + 500), "an action is not in the game"),
        (lambda a: a.update(keys=a["keys"][::-1]), "the keys are not sorted"),
        (lambda a: a.update(probabilities=a["probabilities"] / 2), "do not add up to 1"),
        (lambda a: a.update(probabilities=-a["probabilities"]), "do not add up to 1"),
        (lambda a: a.update(probabilities=a["probabilities"] * np.nan), "NaN or numbers beyond"),
    ],
)
def test_a_damaged_solution_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], what: str
) -> None:
    tree, value, strategy = optimal(PLAIN, SAME_FIEFS)
    solution = solution_of(PLAIN, tree, trimmed(tree, strategy, 1e-9), value, 0.0)
    path = tmp_path / "solution.npz"
    solution.save(path)
    assert Solution.load(path, PLAIN).probabilities.tolist() == solution.probabilities.tolist()
    damaged(path, change)
    with pytest.raises(AgentError, match=what):
        Solution.load(path, PLAIN)


def test_a_flipped_or_cut_file_is_refused(tmp_path: Path) -> None:
    tree, value, strategy = optimal(PLAIN, SAME_FIEFS)
    path = tmp_path / "solution.npz"
    solution_of(PLAIN, tree, strategy, value, 0.0).save(path)
    content = path.read_bytes()
    for broken in (content[:-9], content[:50], b"", content[:900] + b"\xff" + content[901:]):
        path.write_bytes(broken)
        with pytest.raises(AgentError):
            Solution.load(path, PLAIN)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "europe",
        "atlantis",
        "mini-three",
        "mini-a2 --out no/such/folder/a2.npz",
        "mini-a2 --measure nobody",
        "mini-a2 --measure learned",
        "mini-a2-objectives --secrecy",
    ],
)
def test_mistakes_are_one_line(words: str, here: Path, gonzaga: Call) -> None:
    complaint_of(gonzaga("solve", *words.split()))
