"""Writes the golden playthroughs anew: `python -m tests.golden.playthroughs`.

There is one readable file for each scenario of the shipped edition: the deal, every move with the
number of legal actions before it, pictures of the map in text, the scores and a hash of the final
state. The moves of a file stay the same; greedy plays from the first illegal one on, and scenarios
without a file.
"""

import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import product
from pathlib import Path

import numpy as np
from gonzaga_agents import make_agent

from gonzaga_env.core import Engine, load_edition
from gonzaga_env.core.config import Rules
from gonzaga_env.core.edition import Scenario
from gonzaga_env.core.state import SOURCES, State
from gonzaga_env.kernel.writing import write_aside
from gonzaga_env.render.draw import draw_text

FOLDER = Path(__file__).parent / "playthroughs"
_OPTIONS = [Rules(*values) for values in product(("each_player", "first_only"), (6, 1))]
_PICTURES = (1, 4)  # rounds after which the map is shown, besides the end


def scenarios() -> list[tuple[int, Scenario]]:
    """Returns the scenarios of the shipped edition with their numbers."""
    return list(enumerate(load_edition("europe").scenarios))


def file_of(scenario: Scenario) -> Path:
    """Returns the file of a scenario."""
    words = re.findall("[a-z]+", scenario.name.lower())
    return FOLDER / f"{scenario.players}_{'_'.join(words)}.txt"


def moves_in(text: str) -> list[str]:
    """Returns the actions of a playthrough."""
    return re.findall(r"^> (\S.*)$", text, flags=re.MULTILINE)


def playthrough(number: int, scenario: Scenario, moves: list[str]) -> str:
    """Returns the text of a scenario's playthrough with these moves; without any, greedy plays."""
    rules = _OPTIONS[number % len(_OPTIONS)]
    engine = Engine(1, scenario.players, scenario.name, rules=rules, seed=number, autoreset=False)
    return "\n".join((*_head(engine, rules), *_play(engine, moves), *_end(engine))) + "\n"


def _head(engine: Engine, rules: Rules) -> Iterator[str]:
    edition, state = engine.edition, engine.state
    yield f"{edition.scenarios[state.scenario[0]].name}, edition {edition.digest[:8]}"
    yield f"sea_league {rules.sea_league}, first_check_round {rules.first_check_round}"
    for seat, deck in enumerate((state.deck[0] + 1).tolist()):
        symbols = " and ".join(edition.objectives[state.objective[0, seat]])
        yield f"player {seat}: objective {symbols}; fiefs {' '.join(map(str, deck))}"


def _play(engine: Engine, moves: list[str]) -> Iterator[str]:
    greedy, rng = make_agent("greedy", engine.config), np.random.default_rng(0)
    planned = map(engine.actions.parse, moves)
    while not engine.state.finished[0]:
        before = engine.view()
        if before.stage == "planning" and before.to_act == 0:
            yield f"\nround {before.round}{', the last' if before.last_round else ''}"
        mask = engine.legal_action_mask()
        action = next(planned, None)
        if action is None or not mask[0, action]:
            planned = iter(())
            action = int(greedy.act(engine.observe(), mask, rng)[0])
        yield f"player {before.to_act}, {int(mask.sum())} legal"
        yield f"> {_text(engine, action)}"
        engine.step([action])
        after = engine.view()
        if before.decision == "place" and after.last is not None:
            yield f"  {after.last.words.removeprefix(after.last.action).lstrip(':, ')}"
        if after.stage == "over" or (after.round > before.round and before.round in _PICTURES):
            yield f"\n{draw_text(engine.edition, after).rstrip()}"


def _text(engine: Engine, action: int) -> str:
    return engine.describe(action).partition(":")[0].partition(";")[0]


def _end(engine: Engine) -> Iterator[str]:
    scores = engine.state.scores[0].tolist()
    yield ""
    for seat, points in enumerate(scores):
        by_source = ", ".join(f"{name} {p}" for name, p in zip(SOURCES, points, strict=True))
        yield f"player {seat}: {by_source}; {sum(points)} in all"
    yield f"state {digest(engine.state)}"


def digest(state: State) -> str:
    """Returns a hash of the arrays of a state."""
    arrays = state.arrays().values()
    content = b"".join(array.astype(array.dtype.newbyteorder("<")).tobytes() for array in arrays)
    return sha256(content).hexdigest()[:16]


def main() -> None:
    """Writes the files."""
    FOLDER.mkdir(exist_ok=True)
    for number, scenario in scenarios():
        path = file_of(scenario)
        moves = moves_in(path.read_text("utf-8")) if path.exists() else []
        write_aside(path, playthrough(number, scenario, moves))
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
