"""The exercises of the tenth notebook: unsolved they say "not yet", and these solutions "right"."""

from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "examples" / "10_exercises.py"
SOLUTIONS = {
    "the_illegal_plan = ...": "the_illegal_plan = 4",
    '''"""Returns the scores of N games that are played at random, [N, 4]."""
    ...''': """from gonzaga_env.core import Engine

    engine = Engine(num_games, autoreset=False)
    while not engine.state.finished.all():
        engine.step(engine.sample_legal(rng))
    return engine.totals""",
    '''gain the seat to act the most points."""
    ...''': '''gain the seat to act the most points."""
    return max(np.flatnonzero(game.mask()), key=lambda action: gained(game, action))''',
    '''learned from the other rows."""
    ...''': '''learned from the other rows."""
    use = np.s_[:, config.features["phase"].start :]  # what is not about single hexes
    x, y = (np.pad(rows[use], ((0, 0), (0, 1)), constant_values=1) for rows in (seen, unseen))
    return y @ np.linalg.solve(x.T @ x + 10 * np.eye(x.shape[1]), x.T @ won)''',
    "my_agent = ...": 'my_agent = "linear"  # which `gonzaga train --learner linear` learned',
    'make_agent("random", mini)': 'make_agent("equilibrium", mini)',
}


@pytest.mark.parametrize("solved", [False, True])
def test_each_exercise_says_what_it_is(
    solved: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    code = SCRIPT.read_text("utf-8")
    for gap, solution in SOLUTIONS.items() if solved else ():
        assert code.count(gap) == 1
        code = code.replace(gap, solution)
    exec(compile(code, "exercises", "exec"), {"__name__": "exercises"})
    said = [line for line in capsys.readouterr().out.splitlines() if line[1:3] == ": "]
    assert said == [f"{number}: {'right' if solved else 'not yet'}" for number in range(1, 7)]
