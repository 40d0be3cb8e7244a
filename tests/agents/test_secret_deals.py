"""Deals are secret unless a seed is given (F6): an agent finds small seeds by its own generator."""

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents import evaluate
from gonzaga_agents.play import ratings
from numpy.typing import NDArray

from tests.agents.conftest import output_of

GUESSES = 2**16
NOTE = "agents may guess a small --seed"


class Spy:
    """Tries small seeds of a match until one gives the generator that it was handed."""

    name = "spy"

    def __init__(self, guesses: int = GUESSES) -> None:
        self.found: int | None = None
        self._guesses, self._tried = guesses, False

    def act(
        self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        if not self._tried:
            self._tried = True
            shown = rng.bit_generator.seed_seq.entropy  # type: ignore[attr-defined]
            own = (seed for seed in range(self._guesses) if self._entropy(seed) == shown)
            self.found = next(own, None)
        return masks.argmax(axis=1)

    def _entropy(self, seed: int) -> int:
        """Returns the seed of the first agent's generator in the first chunk of a match."""
        stream = np.random.SeedSequence(seed, spawn_key=(1,))
        secret = stream.generate_state(4, np.uint64).tobytes()
        return int.from_bytes(sha256(b"gonzaga agent 0\n" + secret).digest(), "little")


@pytest.fixture
def run(gonzaga, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Returns a function that runs a verb in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ratings, "REPLICATES", 5)
    return gonzaga


def test_an_agent_finds_a_small_seed_but_not_a_drawn_one() -> None:
    spy = Spy(guesses=100)
    evaluate([spy, "random"], deals=1, seed=77)
    assert spy.found == 77, "the attack works"
    spy = Spy()
    summary = evaluate([spy, "random"], deals=1)
    assert spy.found is None
    assert summary.seed is not None
    assert summary.seed >= 2**64


def test_a_drawn_seed_repeats_the_match(run) -> None:
    agents = ("random", "random", "--deals", 2, "--json")
    drawn = output_of(run("evaluate", *agents, "--records", "drawn.jsonl"))
    seed = json.loads(drawn)["seed"]
    assert run("evaluate", *agents, "--seed", seed, "--records", "again.jsonl") == (0, drawn, "")
    assert Path("again.jsonl").read_text() == Path("drawn.jsonl").read_text()
    assert json.loads(run("evaluate", *agents)[1])["seed"] != seed
    assert evaluate(["random", "random"], deals=2, seed=seed).seed == seed


def test_a_drawn_seed_is_printed_at_the_end(run) -> None:
    _, out, err = run("evaluate", "random", "random", "--deals", 1)
    last = out.splitlines()[-1]
    assert last.startswith("Seed ")
    assert last.endswith(" repeats the match")
    assert len(last) <= 80
    assert err == ""


@pytest.mark.parametrize("mode", [(), ("--json",), ("--workers", 1)])
def test_guesses_of_a_given_seed_are_warned_of(run, mode: tuple[object, ...]) -> None:
    code, _, err = run("evaluate", "random", "greedy", "--deals", 1, "--seed", 5, *mode)
    assert (code, err.count("\n")) == (0, 1)
    assert NOTE in err


@pytest.mark.parametrize("mode", [(), ("--until-decided",)])
def test_a_tournament_draws_its_seed_and_goes_on_with_it(run, mode: tuple[str, ...]) -> None:
    command = ("random", "greedy", *mode, "--workers", 1, "--json", "--out", "games")
    output_of(run("tournament", *command, "--deals", 2))
    first, *games = Path("games/games.jsonl").read_text().splitlines()
    assert json.loads(first)["seed"] >= 2**64
    assert run("tournament", *command, "--deals", 3)[0] == 0
    assert Path("games/games.jsonl").read_text().splitlines()[: 1 + len(games)] == [first, *games]


def test_an_interrupt_keeps_the_seed_of_a_tournament(run, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("random", "greedy", "--workers", 1, "--deals", 1)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("gonzaga_agents.play.tournament_games.TournamentJob.play", interrupt)
        assert run("tournament", *command)[0] == 130
    kept = json.loads(Path("runs/tournament/games.jsonl").read_text().splitlines()[0])["seed"]
    assert kept >= 2**64
    code, out, _ = run("tournament", *command, "--json")
    assert (code, json.loads(out)["header"]["seed"]) == (0, kept)


def test_a_tournament_with_the_old_default_goes_on(run) -> None:
    command = ("random", "greedy", "--workers", 1, "--json")
    run("tournament", *command, "--deals", 1, "--seed", 0)  # what 0.6.0 did without --seed
    out = output_of(run("tournament", *command, "--deals", 2))
    assert json.loads(out)["header"]["seed"] == 0
